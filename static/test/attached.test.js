// What the page shows and says of attached pieces (T97).

import assert from 'node:assert/strict';
import test from 'node:test';
import { attachedTo, letGo, saysOfAttached } from '../js/parts/controls/attached.js';

/** @typedef {import('../js/state.js').State} State */
/** @typedef {import('../js/types.js').Piece} Piece */

const MAP = 1;
const SUPPLIES = 2;
const FLAG = 3;
const SIGN = 4;

/**
 * A page of a table: the supplies and a sign are attached to a map, and a flag to the supplies.
 * @param {Record<number, number>} holders who holds which piece
 */
function pageWith(holders = {}) {
  const pieces = [MAP, SUPPLIES, FLAG, SIGN].map((id) => [
    id, { id, x: id * 100, y: id, holder: holders[id] ?? 0 },
  ]);
  return /** @type {State} */ (/** @type {unknown} */ ({
    catalog: {
      attached: [
        { piece: SUPPLIES, to: MAP }, { piece: FLAG, to: SUPPLIES }, { piece: SIGN, to: MAP },
      ],
    },
    sync: { pieces: new Map(/** @type {any} */ (pieces)) },
    view: { dirty: new Set() },
    redraw() {},
  }));
}

/** Returns which pieces move along with others. @param {State} s @param {number[]} carried */
const along = (s, ...carried) =>
  [...attachedTo(s, new Map(carried.map((id) => [id, null]))).keys()].sort();

test('T97.10 what is attached moves along with a carried piece, and what lies on that', () => {
  const s = pageWith();
  assert.deepEqual(along(s, MAP), [SUPPLIES, FLAG, SIGN]);
  assert.deepEqual(along(s, SUPPLIES), [FLAG]);
  assert.deepEqual(along(s, FLAG), []);
  assert.deepEqual(attachedTo(s, new Map([[SUPPLIES, null]])).get(FLAG), { x: 300, y: 3 });
});

test('T97.10 what is carried itself does not move along, nor what somebody holds', () => {
  assert.deepEqual(along(pageWith(), MAP, SIGN), [SUPPLIES, FLAG]);
  assert.deepEqual(along(pageWith({ [SUPPLIES]: 2 }), MAP), [SIGN]);
});

test('T97.10 what moved along is shown where the server has it when the piece is let go', () => {
  const s = pageWith();
  const carry = /** @type {any} */ ({ dx: 0, dy: 0, along: attachedTo(s, new Map([[MAP, null]])) });
  letGo(s, carry);
  assert.equal(carry.along, undefined);
  assert.deepEqual([...s.view.dirty].sort(), [SUPPLIES, FLAG, SIGN]);
});

test('T97.10 a screen reader says how many pieces are attached', () => {
  const s = pageWith();
  const says = (/** @type {number} */ id) =>
    saysOfAttached(s, /** @type {Piece} */ (s.sync.pieces.get(id)));
  assert.match(says(MAP).join(), /2/);
  assert.equal(says(SUPPLIES).length, 1);
  assert.deepEqual(says(SIGN), []);
});
