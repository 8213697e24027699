// Computes where the cells of a board lie on the table, and what they are called. A place is a
// column and a row of the grid, from 0. A place is a cell unless the grid leaves it without a name.
// Pure arithmetic; no DOM.

import { turned } from '../../view/geometry.js';

/** @typedef {import('../../view/geometry.js').Point} Point */
/** @typedef {import('../../view/catalog.js').Grid} Grid */
/** @typedef {{width: number, height: number, grid?: Grid}} BoardKind */
/** @typedef {{x: number, y: number, angle: number}} Board */
/** @typedef {{column: number, row: number}} Place */

/**
 * Returns the place of a board on which a point lies.
 * @param {BoardKind} kind
 * @param {Board} board
 * @param {Point} at in table units
 * @returns {Place|null} null if the point lies beside the grid
 */
export function placeAt({ width, height, grid }, board, at) {
  if (!grid) return null;
  const v = turned(at.x - board.x, at.y - board.y, -board.angle / 100);
  const column = whole((v.x + width / 2 - grid.x) / grid.stepX);
  const row = whole((v.y + height / 2 - grid.y) / grid.stepY);
  return isOn(grid, { column, row }) ? { column, row } : null;
}

/**
 * Returns the middle of a place, in whole table units.
 * @param {BoardKind} kind
 * @param {Board} board
 * @param {Place} place
 * @returns {Point}
 */
export function middleOf({ width, height, grid }, board, { column, row }) {
  const { x = 0, y = 0, stepX = 0, stepY = 0 } = grid ?? {};
  const v = turned(
    x + column * stepX - width / 2,
    y + row * stepY - height / 2,
    board.angle / 100,
  );
  return { x: Math.round(board.x + v.x), y: Math.round(board.y + v.y) };
}

/**
 * Returns whether the grid has a cell at a place.
 * @param {Grid} grid
 * @param {Place} place
 */
export function isCell(grid, place) {
  return isOn(grid, place) && grid.cellNames?.[indexOf(grid, place)] !== '';
}

/**
 * Returns the name of a cell, such as "e4"; empty if it has none.
 * @param {Grid} grid
 * @param {Place} place
 */
export function nameOfCell(grid, place) {
  if (grid.cellNames) return grid.cellNames[indexOf(grid, place)] ?? '';
  const column = grid.columnNames?.[place.column] ?? '';
  return column + (grid.rowNames?.[place.row] ?? '');
}

/**
 * Returns the place beside another one, in a direction as somebody sees the board.
 * @param {Grid} grid
 * @param {Place} place
 * @param {number} dx -1, 0 or 1: to the right
 * @param {number} dy -1, 0 or 1: down
 * @param {number} turn degrees by which the board is turned for the viewer
 * @returns {Place|null} null if there is none, or the board does not lie straight
 */
export function beside(grid, place, dx, dy, turn) {
  if (turn % 90 !== 0) return null;
  const v = turned(dx, dy, -turn);
  const next = { column: place.column + v.x, row: place.row + v.y };
  return isOn(grid, next) ? next : null;
}

/** @param {Grid} grid @param {Place} place */
function indexOf({ columns }, { column, row }) {
  return row * columns + column;
}

/** @param {Grid} grid @param {Place} place */
function isOn({ columns, rows }, { column, row }) {
  return column >= 0 && column < columns && row >= 0 && row < rows;
}

/** Rounds a number. There is no -0 among the results. @param {number} n */
function whole(n) {
  return Math.round(n) + 0;
}
