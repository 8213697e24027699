// Tests where the cells of a board lie and what they are called.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  beside, cellsByName, isCell, middleOf, nameOfCell, placeAt,
} from '../js/parts/boards/cells.js';
import { random } from './random.js';

/** @param {Partial<import('../js/view/catalog.js').Grid>} [more] */
const kind = (more = {}) => ({
  width: 900, height: 700, grid: {
    x: 150, y: 120, stepX: 200, stepY: 230, columns: 4, rows: 3, ...more,
  },
});
const named = kind({ columnNames: ['a', 'b', 'c', 'd'], rowNames: ['3', '2', '1'] });
const numbered = kind({ cellNames: ['1', '', '2', '', '', '3', '', '4', '5', '', '6', ''] });

test('the middle of a place lies on that place, however the board lies', () => {
  const { below } = random(17);
  for (let n = 0; n < 500; n++) {
    const board = { x: below(4000) - 2000, y: below(4000) - 2000, angle: below(36_000) };
    const place = { column: below(4), row: below(3) };
    const at = middleOf(named, board, place);
    assert.ok(Number.isInteger(at.x) && Number.isInteger(at.y));
    assert.deepEqual(placeAt(named, board, at), place);
    for (const [dx, dy] of [[90, 0], [-90, 0], [0, 100], [0, -100]]) {
      const a = (board.angle / 100) * (Math.PI / 180);
      const near = {
        x: at.x + dx * Math.cos(a) - dy * Math.sin(a),
        y: at.y + dx * Math.sin(a) + dy * Math.cos(a),
      };
      assert.deepEqual(placeAt(named, board, near), place, `${dx}, ${dy} from its middle`);
    }
  }
});

test('a point beside the grid has no place', () => {
  const board = { x: 0, y: 0, angle: 0 };
  assert.deepEqual(placeAt(named, board, { x: -399, y: 0 }), { column: 0, row: 1 });
  assert.equal(placeAt(named, board, { x: -401, y: 0 }), null);
  assert.equal(placeAt(named, board, { x: 401, y: 0 }), null);
  assert.equal(placeAt(named, board, { x: 0, y: -346 }), null);
  assert.equal(placeAt(named, board, { x: 0, y: 346 }), null);
  assert.equal(placeAt({ width: 900, height: 700 }, board, { x: 0, y: 0 }), null);
});

test('cells have the names of their column and row, or their own', () => {
  assert.equal(nameOfCell(named, { column: 2, row: 0 }), 'c3');
  assert.equal(nameOfCell(numbered, { column: 1, row: 1 }), '3');
  assert.equal(nameOfCell(kind(), { column: 1, row: 1 }), '');
});

test('a place without a name is not a cell if other places have names', () => {
  assert.equal(isCell(numbered, { column: 0, row: 0 }), true);
  assert.equal(isCell(numbered, { column: 1, row: 0 }), false);
  assert.equal(isCell(kind(), { column: 1, row: 0 }), true);
  assert.equal(isCell(named, { column: 4, row: 0 }), false);
});

test('the next place is the one that the viewer sees in that direction', () => {
  const from = { column: 1, row: 1 };
  const right = [0, 90, 180, 270].map((turn) => beside(named, from, 1, 0, turn));
  assert.deepEqual(right, [
    { column: 2, row: 1 }, { column: 1, row: 0 }, { column: 0, row: 1 }, { column: 1, row: 2 },
  ]);
  const down = [0, 90, 180, 270].map((turn) => beside(named, from, 0, 1, turn));
  assert.deepEqual(down, [
    { column: 1, row: 2 }, { column: 2, row: 1 }, { column: 1, row: 0 }, { column: 0, row: 1 },
  ]);
  assert.equal(beside(named, { column: 3, row: 1 }, 1, 0, 0), null, 'at the edge');
  assert.equal(beside(named, from, 1, 0, 45), null, 'a board that lies askew');
});

/** A board with four points: three in a line, and one below the second. */
const track = {
  width: 900, height: 700, snaps: {
    reach: 60,
    points: [{ x: 100, y: 100, name: 'start' }, { x: 300, y: 100 }, { x: 500, y: 100 },
      { x: 310, y: 400, name: 'home' }],
  },
};

test('things snap to the nearest point within reach, however the board lies', () => {
  for (const angle of [0, 9000, 4500, 31_111]) {
    const board = { x: 1000, y: -500, angle };
    for (const column of [0, 1, 2, 3]) {
      const at = middleOf(track, board, { column, row: 0 });
      const near = { x: at.x + 30, y: at.y - 30 };
      assert.deepEqual(placeAt(track, board, near), { column, row: 0 });
    }
    const start = middleOf(track, board, { column: 0, row: 0 });
    assert.equal(placeAt(track, board, { x: start.x + 61, y: start.y }), null, 'out of reach');
  }
});

test('points have names or not, and arrows go to the nearest one in a direction', () => {
  assert.equal(nameOfCell(track, { column: 0, row: 0 }), 'start');
  assert.equal(nameOfCell(track, { column: 1, row: 0 }), '');
  assert.deepEqual([...cellsByName(track)].map(([name, { column }]) => [name, column]),
    [['start', 0], ['home', 3]]);
  const from = { column: 1, row: 0 };
  assert.equal(beside(track, from, 1, 0, 0)?.column, 2);
  assert.equal(beside(track, from, -1, 0, 0)?.column, 0);
  assert.equal(beside(track, from, 0, 1, 0)?.column, 3);
  assert.equal(beside(track, from, 0, -1, 0), null);
  assert.equal(beside(track, from, 1, 0, 180)?.column, 0, 'seen from the other side');
});
