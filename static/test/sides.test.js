// Tests of the sides of a game: how the view is turned, and who may swap.

import assert from 'node:assert/strict';
import test from 'node:test';
import { turnToSide } from '../js/view/camera.js';
import { otherSide, sideOf, turnFor, turnOfSide } from '../js/view/sides.js';

const chess = [
  { name: 'White', angle: 0, colour: '#ffffff' },
  { name: 'Black', angle: 18000, colour: '#000000' },
];

/**
 * A table with seats that have these sides.
 *
 * @param {(number|undefined)[]} has
 * @param {number} you
 * @param {typeof chess} sides
 * @returns {import('../js/state.js').State}
 */
const table = (has, you, sides = chess) => {
  const seats = new Map(has.map((side, i) => [i + 1, {
    id: i + 1, role: side === undefined ? 'spectator' : 'player', ...(side ? { side } : {}),
  }]));
  return /** @type {any} */ ({ sync: { you, seats }, catalog: { sides } });
};

test('T61.5 the view is turned so that a side lies at the lower edge', () => {
  for (const [angle, turn] of [
    [0, 0], [9000, 270], [18000, 180], [27000, 90], [4400, 0], [4600, 270], [35999, 0],
  ])
    assert.equal(turnFor(angle), turn, String(angle));
});

test('T61.5 who has no side looks from the first one', () => {
  assert.equal(turnOfSide(table([1, 2], 1)), 0);
  assert.equal(turnOfSide(table([1, 2], 2)), 180);
  assert.equal(turnOfSide(table([1, 2, undefined], 3)), 0);
  assert.equal(turnOfSide(table([2, 1, 0], 3)), 0);
  assert.equal(turnOfSide(table([1, 2], 2, [])), null, 'a game without sides');
  assert.equal(sideOf(table([1], 1), { side: 3 }), null, 'a side that the catalogue does not have');
});

test('T61.5 who has a side looks from there, and not from where the hand lies', () => {
  for (const [sides, you, want] of /** @type {[typeof chess, number, number][]} */ ([
    [chess, 1, 0], [chess, 2, 180], [[chess[0], chess[0]], 2, 0], [[], 1, 180],
  ])) {
    const s = table([1, 2], you, sides);
    const hand = { id: 1, kind: 0, x: 0, y: -3000, owner: you, angle: 0 };
    Object.assign(s.sync, { pieces: new Map([[1, hand]]) });
    Object.assign(s.catalog, { kinds: [{ hand: true }] });
    Object.assign(s, { view: { camera: { width: 8000, height: 8000, turn: 0 } } });
    turnToSide(s);
    assert.equal(s.view.camera.turn, want, `${sides.length} sides, seat ${you}`);
  }
});

test('only two players of a game of two sides swap', () => {
  assert.equal(otherSide(table([1, 2], 1)), 2);
  assert.equal(otherSide(table([1, 2], 2)), 1);
  assert.equal(otherSide(table([1, 2, 0], 3)), 0, 'a third player');
  assert.equal(otherSide(table([1, undefined], 2)), 0, 'a spectator');
  assert.equal(otherSide(table([1, 2], 1, [...chess, chess[0]])), 0, 'a game of three');
});
