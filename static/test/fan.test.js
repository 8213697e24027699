// Where cards lie in a hand: in a row that fits, however the hand is turned, and in a fan for those
// who see backs only.

import assert from 'node:assert/strict';
import test from 'node:test';
import { along, fanOf, inLine, inside, row } from '../js/parts/cards/fan.js';

const CARD = { width: 635, height: 889 };

/** @param {number} angle */
const hand = (angle) => ({ x: 500, y: 3500, width: 3200, height: 1000, angle });

test('a row of cards lies within the hand, evenly and in order', () => {
  for (const angle of [0, 90, 180, 270]) {
    const place = hand(angle);
    for (const n of [1, 2, 3, 5, 8, 13, 26, 52]) {
      const at = row(n, CARD, place).map((p) => along(p, place));
      assert.equal(at.length, n);
      const steps = at.slice(1).map((x, i) => x - at[i]);
      for (const step of steps)
        assert.ok(step > 0, `${n} cards at ${angle}°: each lies right of the previous one`);
      if (n > 1)
        assert.ok(
          Math.max(...steps) - Math.min(...steps) <= 1, 'all steps are equal but for rounding',
        );
      assert.ok(at[0] - CARD.width / 2 >= -place.width / 2, 'the first one is in the hand');
      assert.ok(at[n - 1] + CARD.width / 2 <= place.width / 2, 'and the last one');
      assert.ok(Math.abs(at[0] + at[n - 1]) <= 1, 'the row stands in the middle');
    }
  }
});

test('few cards lie side by side, not spread out', () => {
  const at = row(3, CARD, hand(0)).map((p) => p.x);
  assert.ok(at[1] - at[0] >= CARD.width && at[1] - at[0] < CARD.width * 1.2);
});

test('a high hand has two rows when one would hide cards', () => {
  const place = { ...hand(0), height: 2000 };
  const points = row(40, CARD, place);
  assert.equal(new Set(points.map((p) => p.y)).size, 2);
  for (const p of points) assert.ok(inside(p, place));
  assert.equal(new Set(row(8, CARD, place).map((p) => p.y)).size, 1, 'a small hand has one row');
});

test('a hand without room stacks its cards', () => {
  const at = row(3, CARD, { ...hand(0), width: 400 });
  for (const p of at) assert.deepEqual(p, { x: 500, y: 3500 });
});

test('cards are ordered as the hand’s owner sees them', () => {
  const cards = [{ id: 1, x: 300, y: 0 }, { id: 2, x: -300, y: 0 }, { id: 3, x: 300, y: 5 }];
  assert.deepEqual(inLine(cards, { ...hand(0), x: 0, y: 0 }).map((c) => c.id), [2, 1, 3]);
  assert.deepEqual(inLine(cards, { ...hand(180), x: 0, y: 0 }).map((c) => c.id), [1, 3, 2]);
});

test('a point is inside a hand that lies sideways', () => {
  const place = { x: 0, y: 0, width: 3200, height: 1000, angle: 90 };
  assert.ok(inside({ x: 0, y: 1500 }, place));
  assert.ok(!inside({ x: 1500, y: 0 }, place));
});

test('a fan of backs is symmetrical and stays in the hand', () => {
  for (const n of [1, 2, 7, 13, 26]) {
    const fan = fanOf(n, CARD, { width: 3200, height: 1000 });
    assert.equal(fan.length, n);
    fan.forEach((p, i) => {
      const q = fan[n - 1 - i];
      assert.ok(
        Math.abs(p.x + q.x) < 1e-6 &&
          Math.abs(p.angle + q.angle) < 1e-6 &&
          Math.abs(p.y - q.y) < 1e-6,
      );
      assert.ok(Math.abs(p.x) + CARD.width / 2 <= 1600);
      assert.ok(Math.abs(p.angle) <= 12);
    });
  }
  assert.deepEqual(
    fanOf(1, CARD, { width: 3200, height: 1000 }), [{ x: 0, y: 0, angle: 0 }],
    'one card lies straight',
  );
});
