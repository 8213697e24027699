// Tests where an arrow key moves a held piece on a table with a grid, and which piece on a board
// keys lead to.

import assert from 'node:assert/strict';
import test from 'node:test';
import { cellTyped, nextOnBoard } from '../js/parts/boards/walk.js';
import { SQUARES } from '../js/parts/settings/cells.js';
import { nextTo } from '../js/parts/settings/settings.js';

/** @typedef {import('../js/state.js').State} State */

/** A table of 2 by 2 m with squares. @param {boolean} snap @param {number} turn */
const gridded = (snap, turn = 0) =>
  /** @type {State} */ (/** @type {unknown} */ ({
    view: { camera: { width: 20_000, height: 20_000, turn } },
    parts: {
      components: {
        replica: { get: () => ({ form: SQUARES, pitch: 500, x: 0, y: 0, snap }) },
        entities: { TABLE: 0 },
        COMPONENTS: { grid: {} },
      },
    },
  }));

test('finding 10: with a grid of the table an arrow is a cell', () => {
  const at = { x: 250, y: 250 };
  assert.deepEqual(nextTo(gridded(true), at, 1, 0), { x: 750, y: 250 });
  assert.deepEqual(nextTo(gridded(true), { x: 300, y: 190 }, 0, -1), { x: 250, y: -250 });
  assert.deepEqual(nextTo(gridded(true, 180), at, 0, -1), { x: 250, y: 750 }, 'up on the screen');
  assert.equal(nextTo(gridded(true), { x: 9750, y: 250 }, 1, 0), null, 'at the edge');
  assert.equal(nextTo(gridded(false), at, 1, 0), null, 'a grid at which nothing snaps');
});

const board = { id: 1, kind: 0, x: 0, y: 0, angle: 0 };
const boardKind = /** @type {import('../js/view/catalog.js').Kind} */ ({
  name: 'Board', width: 400, height: 400, shape: 'rect', weight: 'heavy', secret: false, faces: [],
  grid: {
    x: 50, y: 50, stepX: 100, stepY: 100, columns: 4, rows: 4,
    columnNames: ['a', 'b', 'c', 'd'], rowNames: ['4', '3', '2', '1'],
  },
});

/** A board with pieces on a4, a1, c4 and, two of them, d2. @param {number} turn */
const boarded = (turn = 0) => {
  const on = [[2, -150, -150], [3, -150, 150], [4, 50, -150], [5, 150, 50], [6, 150, 50]];
  const light = { ...boardKind, weight: 'light', grid: undefined };
  const pieces = new Map(on.map(([id, x, y]) => [id, { id, kind: 1, x, y, angle: 0 }]));
  return /** @type {State} */ (/** @type {unknown} */ ({
    view: { camera: { turn }, order: { rank: (/** @type {number} */ id) => id } },
    sync: { pieces },
    catalog: { kinds: [boardKind, light] },
  }));
};

test('finding 11: arrows go from piece to piece by lines of squares', () => {
  const from = (/** @type {number} */ column, /** @type {number} */ row) =>
    /** @type {import('../js/parts/boards/boards.js').Cell} */ (/** @type {unknown} */ (
      { board, kind: boardKind, place: { column, row } }));
  assert.equal(nextOnBoard(boarded(), from(0, 0), 1, 0), 4, 'over an empty square');
  assert.equal(nextOnBoard(boarded(), from(0, 0), 0, 1), 3);
  assert.equal(nextOnBoard(boarded(), from(2, 0), 1, 0), 6, 'none in the line: the nearest beside');
  assert.equal(nextOnBoard(boarded(), from(0, 3), 0, 1), 0, 'at the edge');
  assert.equal(nextOnBoard(boarded(180), from(2, 0), 1, 0), 2, 'seen from the other side');
});

test('finding 10: the name of a square leads to what stands there', () => {
  const boards = /** @type {import('../js/types.js').Piece[]} */ (/** @type {unknown} */ ([board]));
  const typed = (/** @type {string} */ text) => cellTyped(boarded(), boards, text);
  assert.deepEqual(typed('d'), { at: null, more: true });
  assert.deepEqual(typed('d2'), { at: { x: 150, y: 50, name: 'd2', piece: 6 }, more: false });
  assert.deepEqual(typed('b2'), { at: { x: -50, y: 50, name: 'b2', piece: 0 }, more: false });
  assert.deepEqual(typed('e'), { at: null, more: false });
  assert.deepEqual(typed('2'), { at: null, more: false }, 'digits say how many');
});
