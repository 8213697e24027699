// Where cards that are played come to lie.

import assert from 'node:assert/strict';
import test from 'node:test';
import { freeSpots } from '../js/parts/cards/spots.js';

const CARD = { w: 635, h: 889 };
const ROOM = { left: -2000, right: 2000, top: -1500, bottom: 1500 };

/** @param {{x: number, y: number}} p */
const boxOf = ({ x, y }) => ({
  left: x - CARD.w / 2, right: x + CARD.w / 2, top: y - CARD.h / 2, bottom: y + CARD.h / 2,
});

/** @param {import('../js/parts/cards/spots.js').Box} a */
const apart = (a) => (/** @type {import('../js/parts/cards/spots.js').Box} */ b) =>
  a.right <= b.left || a.left >= b.right || a.bottom <= b.top || a.top >= b.bottom;

test('finding 13: a played card covers nothing and lies near the goal', () => {
  const goal = { x: 0, y: 300 };
  assert.deepEqual(freeSpots(goal, CARD, ROOM, [], 1), [goal], 'nothing is in the way');
  const button = { left: -250, right: 250, top: 50, bottom: 550 };
  const [at] = freeSpots(goal, CARD, ROOM, [button], 1);
  assert.ok(apart(button)(boxOf(at)), 'not on the dealer button');
  assert.ok(Math.hypot(at.x - goal.x, at.y - goal.y) < 900, 'beside it');
});

test('several played cards lie beside each other, within what is seen', () => {
  const spots = freeSpots({ x: 5000, y: 0 }, CARD, ROOM, [], 5);
  for (const [i, p] of spots.entries()) {
    assert.ok(p.x <= ROOM.right && p.x >= ROOM.left && p.y <= ROOM.bottom && p.y >= ROOM.top);
    for (const q of spots.slice(0, i))
      assert.ok(apart(boxOf(p))(boxOf(q)), 'no card covers another');
  }
});

test('on a full table played cards lie at the goal, side by side', () => {
  const all = [{ left: -9000, right: 9000, top: -9000, bottom: 9000 }];
  const [a, b] = freeSpots({ x: 0, y: 0 }, CARD, ROOM, all, 2);
  assert.deepEqual(a, { x: 0, y: 0 });
  assert.ok(b.x > a.x && b.x < CARD.w);
});
