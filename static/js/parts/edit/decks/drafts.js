// Keeps the rows of decks that are being made when the page is loaded again. Their pictures are
// not kept: the rows name them, so they can be dropped once more.

import { USES } from './deck.js';

/** @typedef {import('./deck.js').Deck} Deck */

/** The most characters that are kept. */
const MOST = 1 << 20;

/**
 * Reads what was kept. What is no deck is left out.
 * @param {string|null} text
 * @returns {Deck[]}
 */
export function readDrafts(text) {
  try {
    const kept = JSON.parse(text ?? '[]');
    return Array.isArray(kept) ? kept.filter(isDeck) : [];
  } catch {
    return [];
  }
}

/** Returns what is kept; null if that would be too much. @param {Deck[]} decks */
export function writeDrafts(decks) {
  const text = JSON.stringify(decks);
  return text.length <= MOST ? text : null;
}

/** @param {any} value */
function isText(value) {
  return typeof value === 'string';
}

/** @param {any} value @returns {boolean} */
function isDeck(value) {
  if (typeof value !== 'object' || value === null) return false;
  const { name, width, height, columns, own, uses, rows, colour, back } = value;
  const isTexts = (/** @type {any} */ all) => Array.isArray(all) && all.every(isText);
  return [name, colour, back?.colour, back?.text, back?.picture].every(isText) &&
    [width, height, own].every(Number.isFinite) && isTexts(columns) && columns.length > 0 &&
    USES.every((use) => Number.isInteger(uses?.[use]) && uses[use] < columns.length) &&
    uses.name >= 0 && Array.isArray(rows) && rows.length > 0 &&
    rows.every((row) => isTexts(row) && row.length === columns.length);
}
