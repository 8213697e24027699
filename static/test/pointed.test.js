// What a piece is called that belongs to a side by how it lies.

import assert from 'node:assert/strict';
import test from 'node:test';
import { emptyCatalog } from '../js/view/catalog.js';
import { nameOf } from '../js/view/describe.js';

/** @typedef {import('../js/state.js').State} State */
/** @typedef {import('../js/types.js').Piece} Piece */
/** @typedef {import('../js/view/catalog.js').Kind} Kind */

const face = (/** @type {string} */ name) => ({ name, art: '' });
const pawn = { name: 'Pawn', pointed: true, faces: [face('Pawn'), face('Promoted pawn')] };
const side = (/** @type {string} */ name, /** @type {number} */ angle) =>
  ({ name, angle, colour: '#000000' });

/** The name of a pawn that lies so. @param {number} angle @param {number} side */
function called(angle, side, more = {}) {
  const catalog = {
    ...emptyCatalog(""),
    kinds: /** @type {Kind[]} */ ([/** @type {unknown} */ ({ ...pawn, ...more })]),
    sides: sides(),
  };
  const s = /** @type {State} */ (/** @type {unknown} */ ({ catalog, parts: {} }));
  return nameOf(s, /** @type {Piece} */ ({ kind: 0, angle, face: side, owner: 0, holder: 0 }));
}
const sides = () => [side('Black', 0), side('White', 18_000)];

// Clauses: G21.2
test('a pointed piece is called by the side from which it lies upright', () => {
  assert.equal(called(0, 0), 'Pawn of Black');
  assert.equal(called(18_000, 0), 'Pawn of White');
  assert.equal(called(18_000, 1), 'Pawn of White, promoted pawn');
});

test('a piece that lies askew, or is not pointed, belongs to no side', () => {
  assert.equal(called(4500, 0), 'Pawn');
  assert.equal(called(18_000, 0, { pointed: false }), 'Pawn');
});
