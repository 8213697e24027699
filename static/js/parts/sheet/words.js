// The words of the score sheet (see strings.js).

import { list } from '../../strings.js';

export const sheetwords = {
  name: 'Score sheet',
  title: 'Title of the sheet',
  close: 'Close',
  names: 'Row',
  total: 'Total',
  unnamed: (/** @type {number} */ n) => `${n}`,
  column: (/** @type {number} */ n) => `Column ${n}`,
  addRow: 'Add a row',
  addColumn: 'Add a column',
  removeRow: (/** @type {string} */ name) => `Remove row ${name}`,
  removeColumn: (/** @type {string} */ heading) => `Remove column ${heading}`,
  short: {
    addRow: 'Row',
    addColumn: 'Column',
    removeRow: 'Row',
    removeColumn: 'Column',
    download: 'Save',
    undo: 'Put back',
  },
  undo: 'Put back what was removed',
  download: 'Download as a file for spreadsheets (CSV)',
  file: 'scores.csv',
  grid: 'Scores. Arrow keys go from cell to cell, Enter writes, Escape gives up.',
  edit: (/** @type {string} */ what) => `Write: ${what}`,
  cell: (/** @type {string} */ row, /** @type {string} */ column) => `${column}, ${row}`,
  nameOfRow: (/** @type {string} */ row) => `name of row ${row}`,
  headingOf: (/** @type {string} */ column) => `heading of ${column}`,
  suggested: (/** @type {string[]} */ nicks) =>
    `A sheet for ${list(nicks)}. Write into any cell to begin.`,
  begin: 'Write into any cell to begin.',
  empty: 'Nothing has been written here yet.',
  offline:
    'No connection: what you write is kept here, and joins what others have written when the line is back.',
  watching: 'You are watching: only players write here.',
  rowsFull: 'The sheet has as many rows as it can have.',
  columnsFull: 'The sheet has as many columns as it can have.',
  gone: 'Somebody has removed what you were writing in.',
  now: (/** @type {string} */ text) =>
    text
      ? `Somebody has just written “${text}” here. If you go on, yours counts.`
      : 'Somebody has just emptied this. If you go on, yours counts.',
  rowRemoved: (/** @type {string} */ name) => `Row ${name} is removed.`,
  columnRemoved: (/** @type {string} */ heading) => `Column ${heading} is removed.`,
  changed: (/** @type {string} */ where, /** @type {string} */ text) =>
    text ? `${where}: ${text}.` : `${where} is empty now.`,
  changes: (/** @type {number} */ n) => `${n} cells of the score sheet have changed.`,
};
