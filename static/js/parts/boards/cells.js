// Computes where the cells of a board lie on the table, and what they are called. A place is a
// column and a row of the grid, from 0. A place is a cell unless the grid leaves it without a name.
// Of a board with snap points, each point is a cell, and its number is the column. Pure arithmetic;
// no DOM.

import { turned } from '../../view/geometry.js';

/** @typedef {import('../../view/geometry.js').Point} Point */
/** @typedef {import('../../view/catalog.js').Grid} Grid */
/** @typedef {import('../../view/catalog.js').Snaps} Snaps */
/** @typedef {{width: number, height: number, grid?: Grid, snaps?: Snaps}} BoardKind */
/** @typedef {{x: number, y: number, angle: number}} Board */
/** @typedef {{column: number, row: number}} Place */

/**
 * Returns the place of a board on which a point lies.
 * @param {BoardKind} kind
 * @param {Board} board
 * @param {Point} at in table units
 * @returns {Place|null} null if the point lies beside the grid
 */
export function placeAt({ width, height, grid, snaps }, board, at) {
  const v = turned(at.x - board.x, at.y - board.y, -board.angle / 100);
  const x = v.x + width / 2;
  const y = v.y + height / 2;
  if (snaps) return nearestPoint(snaps, x, y);
  if (!grid) return null;
  const column = whole((x - grid.x) / grid.stepX);
  const row = whole((y - grid.y) / grid.stepY);
  return isOn(grid, { column, row }) ? { column, row } : null;
}

/** @param {Snaps} snaps @param {number} x @param {number} y @returns {Place|null} */
function nearestPoint({ reach, points }, x, y) {
  let best = null;
  let least = reach;
  for (const [column, p] of points.entries()) {
    const far = Math.hypot(p.x - x, p.y - y);
    if (far > least || (best && far === least)) continue;
    best = { column, row: 0 };
    least = far;
  }
  return best;
}

/**
 * Returns the middle of a place, in whole table units.
 * @param {BoardKind} kind
 * @param {Board} board
 * @param {Place} place
 * @returns {Point}
 */
export function middleOf({ width, height, grid, snaps }, board, { column, row }) {
  const { x = 0, y = 0, stepX = 0, stepY = 0 } = grid ?? onePoint(snaps, column);
  const v = turned(
    x + column * stepX - width / 2,
    y + row * stepY - height / 2,
    board.angle / 100,
  );
  return { x: Math.round(board.x + v.x), y: Math.round(board.y + v.y) };
}

/** A grid whose first cell is a snap point. @param {Snaps|undefined} snaps @param {number} i */
function onePoint(snaps, i) {
  return { ...snaps?.points[i], stepX: 0, stepY: 0 };
}

/**
 * Returns whether the board has a cell at a place.
 * @param {BoardKind} kind
 * @param {Place} place
 */
export function isCell({ grid, snaps }, place) {
  if (!grid) return snaps?.points[place.column] !== undefined;
  return isOn(grid, place) && grid.cellNames?.[indexOf(grid, place)] !== '';
}

/**
 * Returns the name of a cell, such as "e4"; empty if it has none.
 * @param {BoardKind} kind
 * @param {Place} place
 */
export function nameOfCell({ grid, snaps }, place) {
  if (!grid) return snaps?.points[place.column]?.name ?? '';
  if (grid.cellNames) return grid.cellNames[indexOf(grid, place)] ?? '';
  const column = grid.columnNames?.[place.column] ?? '';
  return column + (grid.rowNames?.[place.row] ?? '');
}

/**
 * Returns the cells of a board that have names, by their names.
 * @param {BoardKind} kind
 * @returns {Map<string, Place>}
 */
export function cellsByName(kind) {
  const { columns, rows } = kind.grid ?? { columns: kind.snaps?.points.length ?? 0, rows: 1 };
  const all = new Map();
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const name = nameOfCell(kind, { column, row });
      if (name) all.set(name, { column, row });
    }
  return all;
}

/**
 * Returns the place beside another one, in a direction as somebody sees the board. Of snap points
 * it is the nearest one in that direction.
 * @param {BoardKind} kind
 * @param {Place} place
 * @param {number} dx -1, 0 or 1: to the right
 * @param {number} dy -1, 0 or 1: down
 * @param {number} turn degrees by which the board is turned for the viewer
 * @returns {Place|null} null if there is none, or the board does not lie straight
 */
export function beside({ grid, snaps }, place, dx, dy, turn) {
  const v = turned(dx, dy, -turn);
  if (snaps) return pointBeside(snaps, place, v);
  if (!grid || turn % 90 !== 0) return null;
  const next = { column: place.column + v.x, row: place.row + v.y };
  return isOn(grid, next) ? next : null;
}

/**
 * @param {Snaps} snaps
 * @param {Place} place
 * @param {{x: number, y: number}} towards
 * @returns {Place|null}
 */
function pointBeside({ points }, { column: i }, towards) {
  let best = null;
  let least = Number.POSITIVE_INFINITY;
  for (const [column, p] of points.entries()) {
    const dx = p.x - points[i].x;
    const dy = p.y - points[i].y;
    const along = dx * towards.x + dy * towards.y;
    const across = Math.abs(dx * towards.y - dy * towards.x);
    const cost = along + 2 * across;
    if (column === i || along <= 0 || across > along || cost >= least) continue;
    best = { column, row: 0 };
    least = cost;
  }
  return best;
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
