// How far the page turns pieces at once (G22).

import assert from 'node:assert/strict';
import test from 'node:test';
import { createPending } from '../js/input/pending.js';
import { rotate } from '../js/input/ops.js';
import { onDone } from '../js/listeners.js';
import { actions } from '../js/parts/controls/actions.js';
import { emptyCatalog } from '../js/view/catalog.js';

/** @typedef {import('../js/state.js').State} State */
/** @typedef {import('../js/types.js').Piece} Piece */

const [PAWN, DOMINO, TILE] = [0, 1, 2];

/** A page, and the angles to which it has turned pieces. */
function page() {
  /** @type {number[]} */
  const angles = [];
  const catalog = {
    ...emptyCatalog(''),
    kinds: [{ name: 'Pawn' }, { name: 'Domino', turn: 90 }, { name: 'Tile', turn: 45 }],
  };
  const s = /** @type {State} */ (/** @type {unknown} */ ({
    catalog, view: { dirty: new Set() }, bars: {}, pending: createPending(), parts: {},
    net: { flush() {} }, redraw() {}, sync: { update() {}, pending: () => false },
    listeners: { done: [] },
  }));
  onDone(s, (_id, op, { angle }) => {
    if (op === 'rotate') angles.push(Number(angle) / 100);
  });
  return { s, angles };
}

/** Pieces of such kinds that lie at such angles. @param {[number, number][]} all */
const pieces = (...all) => /** @type {Piece[]} */ (/** @type {unknown} */ (
  all.map(([kind, degrees], i) => ({ id: i + 1, kind, angle: degrees * 100 }))));

// Clauses: G22.2
test('a piece turns to the next multiple of what its kind says', () => {
  const { s, angles } = page();
  rotate(s, pieces([PAWN, 0], [DOMINO, 0], [TILE, 0]), 1);
  assert.deepEqual(angles.splice(0), [15, 90, 45]);
  rotate(s, pieces([PAWN, 0], [DOMINO, 0], [TILE, 0]), -1);
  assert.deepEqual(angles.splice(0), [345, 270, 315]);
  rotate(s, pieces([DOMINO, 1], [DOMINO, 270], [TILE, 50]), 1);
  assert.deepEqual(angles.splice(0), [90, 0, 90], 'what lies askew lies straight again');
});

test('G22.2 with Alt each piece turns by a degree', () => {
  const { s, angles } = page();
  rotate(s, pieces([PAWN, 0], [DOMINO, 90]), 1, 1);
  rotate(s, pieces([DOMINO, 0]), -1, 1);
  assert.deepEqual(angles, [1, 91, 359]);
});

test('the menu says how far pieces turn that do not turn as all do', () => {
  const { s } = page();
  const said = (/** @type {string} */ id, /** @type {[number, number][]} */ ...all) =>
    actions.find((a) => a.id === id)?.label(s, pieces(...all));
  assert.equal(said('rotate', [PAWN, 0]), 'Rotate');
  assert.equal(said('rotate', [DOMINO, 0], [DOMINO, 90]), 'Rotate by 90°');
  assert.equal(said('unrotate', [TILE, 0]), 'Rotate back by 45°');
  assert.equal(said('rotate', [DOMINO, 0], [TILE, 0]), 'Rotate', 'each as far as it does');
  assert.equal(said('rotate', [DOMINO, 0], [PAWN, 0]), 'Rotate');
});
