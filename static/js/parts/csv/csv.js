// The part of the page that reads and writes CSV, with Papa Parse. It is loaded when somebody who
// edits the game brings a table of a spreadsheet, or wants one.

import Papa from '../../vendor/papaparse.js';

/** @returns {() => void} stops */
export const bind = () => () => {};

/**
 * A table of texts, and the line at which it ends too early: a quotation mark is open there. 0: it
 * does not.
 * @typedef {{rows: string[][], open: number}} Table
 */

/**
 * Reads a table. What separates cells is found by what stands there, unless it is given. Lines
 * without anything are left out.
 * @param {string} text
 * @param {string} [delimiter]
 * @returns {Table}
 */
export function read(text, delimiter = '') {
  const { data, errors } = Papa.parse(text.replace(/^\ufeff/, ''), {
    delimiter, skipEmptyLines: 'greedy', delimitersToGuess: [',', '\t', ';', '|'],
  });
  const open = errors.find((/** @type {{type: string}} */ e) => e.type === 'Quotes');
  return { rows: data, open: open ? (open.row ?? 0) + 1 : 0 };
}

/** Writes a table as CSV (RFC 4180). @param {string[][]} rows @returns {string} */
export const write = (rows) => `${Papa.unparse(rows)}\r\n`;
