// Changes the score sheet: each change writes a few components at once. A removal can be undone.

import { freeNumber, MOST_COLUMNS, MOST_ROWS } from './model.js';
import { HEADINGS, NAMES } from './grid.js';

/** @typedef {import('./model.js').Sheet} Sheet */
/** @typedef {import('./grid.js').Address} Address */

/**
 * The components of the sheet as texts; null: there is none. Numbers of rows and columns count from
 * 0.
 * @typedef {import('./model.js').Texts & {
 *   putTitle: (text: string|null) => void,
 *   putHeading: (column: number, text: string|null) => void,
 *   putName: (row: number, text: string|null) => void,
 *   putCell: (row: number, column: number, text: string|null) => void,
 * }} Store
 */

/**
 * The place of the person who adds something among all who may.
 * @typedef {{rank: number, of: number}} Rank
 */

/**
 * Returns the sheet that is suggested to players: a column for each of them, and one row. The
 * numbers of the columns follow from the seats. So people who begin at the same moment make one
 * sheet and not two.
 * @param {{id: number, nick: string}[]} seats
 * @returns {Sheet}
 */
export function suggestion(seats) {
  const columns = seats
    .slice(0, MOST_COLUMNS)
    .map(({ id, nick }) => ({ column: (id - 1) % MOST_COLUMNS, heading: nick }));
  const unique = columns.filter((c, i) => columns.findIndex((d) => d.column === c.column) === i);
  return {
    title: '',
    columns: unique.sort((a, b) => a.column - b.column),
    rows: [{ row: 0, name: '', cells: new Map() }],
  };
}

/** Writes a suggestion as the sheet. @param {Store} store @param {Sheet} sheet */
export function accept(store, { columns, rows }) {
  for (const { column, heading } of columns) store.putHeading(column, heading);
  for (const { row, name } of rows) store.putName(row, name);
}

/**
 * Puts a text into a cell, a heading or a name.
 * @param {Store} store
 * @param {Address} at
 * @param {string} text a line
 */
export function writeAt(store, { row, column }, text) {
  if (row === HEADINGS) store.putHeading(column, text);
  else if (column === NAMES) store.putName(row, text);
  else store.putCell(row, column, text === '' ? null : text);
}

/**
 * Puts a text into the title.
 * @param {Store} store
 * @param {string} text a line
 */
export function writeTitle(store, text) {
  if (text !== (store.title() ?? '')) store.putTitle(text === '' ? null : text);
}

/**
 * Adds a row, by default after the others. It first clears the cells of that number. Others may
 * have written there while the last row with that number was being removed.
 * @param {Store} store
 * @param {Sheet} sheet
 * @param {Rank} rank
 * @returns {number} the number of the row; -1 if there is no room
 */
export function addRow(store, sheet, rank) {
  const row = freeNumber(new Set(sheet.rows.map((r) => r.row)), MOST_ROWS, rank);
  if (row < 0) return -1;
  clear(
    store,
    Array.from({ length: MOST_COLUMNS }, (_, column) => ({
      row,
      column,
      text: store.cell(row, column),
    })),
  );
  store.putName(row, '');
  return row;
}

/**
 * Adds a column in the same way.
 * @param {Store} store
 * @param {Sheet} sheet
 * @param {Rank} rank
 * @returns {number} the number of the column; -1 if there is no room
 */
export function addColumn(store, sheet, rank) {
  const column = freeNumber(new Set(sheet.columns.map((c) => c.column)), MOST_COLUMNS, rank);
  if (column < 0) return -1;
  clear(
    store,
    Array.from({ length: MOST_ROWS }, (_, row) => ({ row, column, text: store.cell(row, column) })),
  );
  store.putHeading(column, '');
  return column;
}

/**
 * Removes a row with its cells.
 * @param {Store} store
 * @param {number} row
 * @returns {() => void} puts it back, except where somebody has written since
 */
export function removeRow(store, row) {
  const name = store.name(row) ?? '';
  const cells = Array.from({ length: MOST_COLUMNS }, (_, column) => ({
    row,
    column,
    text: store.cell(row, column),
  }));
  store.putName(row, null);
  clear(store, cells);
  return () => {
    if (store.name(row) === null) store.putName(row, name);
    restore(store, cells);
  };
}

/**
 * Removes a column with its cells.
 * @param {Store} store
 * @param {number} column
 * @returns {() => void} puts it back, except where somebody has written since
 */
export function removeColumn(store, column) {
  const heading = store.heading(column) ?? '';
  const cells = Array.from({ length: MOST_ROWS }, (_, row) => ({
    row,
    column,
    text: store.cell(row, column),
  }));
  store.putHeading(column, null);
  clear(store, cells);
  return () => {
    if (store.heading(column) === null) store.putHeading(column, heading);
    restore(store, cells);
  };
}

/** @typedef {Address & {text: string|null}} Filled */

/** @param {Store} store @param {Filled[]} cells */
function clear(store, cells) {
  for (const { row, column, text } of cells) if (text !== null) store.putCell(row, column, null);
}

/** @param {Store} store @param {Filled[]} cells */
function restore(store, cells) {
  for (const { row, column, text } of cells)
    if (text !== null && store.cell(row, column) === null) store.putCell(row, column, text);
}
