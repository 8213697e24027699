// The cells of the score sheet as a table, drawn from the contents of the sheet. The element of a
// cell stays while its row and column exist. So changes by others disturb neither the focus nor an
// edit.

import { el, setAttr, setText } from '../../view/dom.js';
import { numberIn, sumOf } from './model.js';
import { sheetwords } from './words.js';

/** @typedef {import('./model.js').Sheet} Sheet */

/** The row of the headings, the row of the sums, and the column of the names. */
export const HEADINGS = -1;
export const TOTALS = 1000;
export const NAMES = -1;

/**
 * A cell by the numbers of its row and its column.
 * @typedef {{row: number, column: number}} Address
 */

/**
 * @typedef {object} Grid
 * @property {HTMLTableElement} table
 * @property {Sheet} sheet the sheet as it is drawn
 * @property {number[]} rows all rows in order: headings, rows, sums
 * @property {number[]} columns all columns in order: names, columns
 * @property {Map<number, HTMLTableRowElement>} lines by row
 * @property {Map<string, HTMLTableCellElement>} cells by `keyOf` of their address
 * @property {Address} at the cell that Tab reaches
 * @property {Address|null} busy the cell that is being edited
 */

/** @returns {Grid} */
export function createGrid() {
  const table = el(
    'table',
    { role: 'grid', class: 'sheet-grid', 'aria-label': sheetwords.grid },
    el('thead'),
    el('tbody'),
    el('tfoot'),
  );
  const sheet = { title: '', columns: [], rows: [] };
  return {
    table,
    sheet,
    rows: [],
    columns: [],
    lines: new Map(),
    cells: new Map(),
    at: { row: HEADINGS, column: NAMES },
    busy: null,
  };
}

/** @param {Address} at */
export const keyOf = ({ row, column }) => `${row} ${column}`;

/** @param {Address} a @param {Address|null} b */
export const isSame = (a, b) => a.row === b?.row && a.column === b.column;

/** Returns whether a cell can be edited. @param {Address} at */
export const isOpen = ({ row, column }) => row !== TOTALS && (row !== HEADINGS || column !== NAMES);

/**
 * Draws the current contents of the sheet.
 * @param {Grid} g
 * @param {Sheet} sheet
 * @param {(at: Address) => boolean} isWaiting returns whether the contents of a cell have not been
 *   sent yet
 * @returns {Address[]} the cells whose text has changed
 */
export function drawGrid(g, sheet, isWaiting) {
  g.sheet = sheet;
  g.columns = [NAMES, ...sheet.columns.map((c) => c.column)];
  g.rows = [HEADINGS, ...sheet.rows.map((r) => r.row), TOTALS];
  if (!g.rows.includes(g.at.row) || !g.columns.includes(g.at.column)) g.at = nearest(g);
  dropLines(g);
  /** @type {Address[]} */
  const changed = [];
  for (const row of g.rows) {
    const line = lineOf(g, row);
    g.columns.forEach((column, i) => {
      const at = { row, column };
      const cell = cellIn(g, line, at);
      if (line.cells[i] !== cell) line.insertBefore(cell, line.cells[i] ?? null);
      if (drawCell(g, cell, at, isWaiting(at))) changed.push(at);
    });
  }
  return changed;
}

/** Removes the lines and cells of rows and columns that do not exist any more. @param {Grid} g */
function dropLines(g) {
  const wanted = new Set(
    g.rows.flatMap((row) => g.columns.map((column) => keyOf({ row, column }))),
  );
  for (const [key, cell] of g.cells) {
    if (wanted.has(key)) continue;
    g.cells.delete(key); // delete it first, because removing the element may move the focus
    cell.remove();
  }
  for (const [row, line] of g.lines) {
    if (g.rows.includes(row)) continue;
    line.remove();
    g.lines.delete(row);
  }
}

/** Returns the line of a row, and puts it in its place. @param {Grid} g @param {number} row */
function lineOf(g, row) {
  const part =
    row === HEADINGS ? g.table.tHead : row === TOTALS ? g.table.tFoot : g.table.tBodies[0];
  const line = g.lines.get(row) ?? el('tr');
  g.lines.set(row, line);
  const i = row === HEADINGS || row === TOTALS ? 0 : g.rows.indexOf(row) - 1;
  if (part && part.rows[i] !== line) part.insertBefore(line, part.rows[i] ?? null);
  return line;
}

/** @param {Grid} g @param {HTMLTableRowElement} line @param {Address} at */
function cellIn(g, line, at) {
  const known = g.cells.get(keyOf(at));
  if (known) return known;
  const scope = at.row === HEADINGS ? 'col' : at.column === NAMES ? 'row' : null;
  const data = { 'data-row': at.row, 'data-column': at.column };
  const cell = scope ? el('th', { scope, ...data }) : el('td', data);
  line.append(cell);
  g.cells.set(keyOf(at), cell);
  return cell;
}

/**
 * Draws a cell.
 * @param {Grid} g
 * @param {HTMLTableCellElement} cell
 * @param {Address} at
 * @param {boolean} waits
 * @returns {boolean} whether its text has changed
 */
function drawCell(g, cell, at, waits) {
  const own = textAt(g.sheet, at);
  const shown = own || substituteAt(g.sheet, at);
  cell.tabIndex = isSame(at, g.at) ? 0 : -1;
  cell.classList.toggle('substitute', own === '' && shown !== '');
  cell.classList.toggle(
    'number',
    at.column !== NAMES && (at.row === TOTALS || numberIn(own) !== null),
  );
  cell.classList.toggle('waiting', waits);
  setAttr(cell, 'aria-readonly', isOpen(at) ? null : 'true');
  if (isSame(at, g.busy)) return false;
  if (cell.textContent === shown) return false;
  setText(cell, shown);
  return true;
}

/**
 * Returns the text of a cell; for the row of sums, the sum.
 * @param {Sheet} sheet
 * @param {Address} at
 */
export function textAt(sheet, { row, column }) {
  if (row === TOTALS) return column === NAMES ? sheetwords.total : sumOf(sheet, column);
  if (row === HEADINGS)
    return column === NAMES
      ? sheetwords.names
      : (sheet.columns.find((c) => c.column === column)?.heading ?? '');
  const line = sheet.rows.find((r) => r.row === row);
  return (column === NAMES ? line?.name : line?.cells.get(column)) ?? '';
}

/**
 * Returns the name of a row or column that has no name of its own: its position.
 * @param {Sheet} sheet
 * @param {Address} at
 */
function substituteAt(sheet, { row, column }) {
  if (row === HEADINGS)
    return sheetwords.column(sheet.columns.findIndex((c) => c.column === column) + 1);
  if (column === NAMES) return sheetwords.unnamed(sheet.rows.findIndex((r) => r.row === row) + 1);
  return '';
}

/** Returns the name of a row. @param {Sheet} sheet @param {number} row */
export const nameOfRow = (sheet, row) =>
  textAt(sheet, { row, column: NAMES }) || substituteAt(sheet, { row, column: NAMES });

/** Returns the name of a column. @param {Sheet} sheet @param {number} column */
export const nameOfColumn = (sheet, column) =>
  textAt(sheet, { row: HEADINGS, column }) || substituteAt(sheet, { row: HEADINGS, column });

/** Describes a cell. @param {Sheet} sheet @param {Address} at */
export function describe(sheet, { row, column }) {
  if (column === NAMES) return sheetwords.nameOfRow(nameOfRow(sheet, row));
  if (row === HEADINGS) return sheetwords.headingOf(nameOfColumn(sheet, column));
  return sheetwords.cell(nameOfRow(sheet, row), nameOfColumn(sheet, column));
}

/**
 * Returns the cell that takes the place of the current one after that has been removed.
 * @param {Grid} g
 * @returns {Address}
 */
function nearest(g) {
  const near = (/** @type {number[]} */ all, /** @type {number} */ n) =>
    all.findLast((k) => k <= n) ?? all[0];
  const row = near(g.rows.slice(0, -1), g.at.row);
  return { row, column: near(g.columns, g.at.column) };
}

/**
 * Makes a cell the one that Tab reaches, and focuses it if `now` is true.
 * @param {Grid} g
 * @param {Address} at
 * @param {boolean} [now]
 */
export function goTo(g, at, now = false) {
  const before = g.cells.get(keyOf(g.at));
  const cell = g.cells.get(keyOf(at));
  if (!cell) return;
  if (before) before.tabIndex = -1;
  cell.tabIndex = 0;
  g.at = at;
  if (!now) return;
  cell.focus({ preventScroll: true });
  cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/**
 * Returns the cell that lies so many columns and rows further, within the table.
 * @param {Grid} g
 * @param {Address} from
 * @param {number} dx
 * @param {number} dy
 * @returns {Address}
 */
export function stepFrom(g, from, dx, dy) {
  const to = (/** @type {number[]} */ all, /** @type {number} */ n) =>
    all[Math.min(Math.max(n, 0), all.length - 1)];
  return {
    row: to(g.rows, g.rows.indexOf(from.row) + dy),
    column: to(g.columns, g.columns.indexOf(from.column) + dx),
  };
}

/**
 * Returns the next or previous cell that can be edited, line by line; null after the last and
 * before the first.
 * @param {Grid} g
 * @param {Address} from
 * @param {1|-1} by
 * @returns {Address|null}
 */
export function nextFrom(g, from, by) {
  const all = g.rows.flatMap((row) => g.columns.map((column) => ({ row, column }))).filter(isOpen);
  return all[all.findIndex((at) => isSame(at, from)) + by] ?? null;
}
