// The curves of pieces (docs/protocol/curve.md, K16).

import assert from 'node:assert/strict';
import test from 'node:test';
import { add, at, empty, FOREVER, STEP, TIMER } from '../js/parts/motion/curve.js';
import { looksSame } from '../js/sync/compare.js';
import { COOLDOWN, coolsFor, valueAt } from '../js/sync/curves.js';
import { createSync } from '../js/sync/sync.js';
import { ack, frame, full, pieces, post, shown, update } from './table.js';

/** @typedef {import('../js/types.js').Curves} Curves */
/** @typedef {import('../js/types.js').Piece} Piece */

const T0 = 5_000_000;
/** @type {(from: number) => Curves} */
const cools = (from) => ({
  from, curves: [{ property: COOLDOWN, start: 1200, rate: -1, max: 1200 }],
});
/** @type {(curves?: Curves) => Piece} */
const die = (curves) => /** @type {Piece} */ (/** @type {unknown} */ ({ id: 1, curves }));

test('K16.10 a die cools down by the time of the server', () => {
  assert.equal(coolsFor(die(), T0), 0, 'it was never rolled');
  for (const [t, left] of [
    [T0 - 9000, 1200], [T0, 1200], [T0 + 0.9, 1200], [T0 + 500, 700], [T0 + 1200, 0], [T0 * 9, 0],
  ])
    assert.equal(coolsFor(die(cools(T0)), t), left, `at ${t}`);
});

test('K5.3, K16 a page evaluates a curve of a piece as any other curve', () => {
  for (const { start, rate, max } of [
    { start: 1200, rate: -1, max: 1200 }, { start: 5, rate: 1, max: 2 ** 30 },
    { start: 2, rate: 0, max: 0 }, { start: 40, rate: 0, max: 40 },
  ]) {
    const line = empty();
    add(line, {
      version: { tick: T0, seq: 0 }, from: T0, to: FOREVER,
      kind: rate === 0 && max === 0 ? STEP : TIMER, start: [start, 0, 0], end: [0, 0, 0],
      rate, min: 0, max,
    });
    const piece = die({ from: T0, curves: [{ property: 2, start, rate, max }] });
    for (const t of [T0, T0 + 1, T0 + 1199, T0 + 1200, T0 + 1201, 2 ** 47])
      assert.equal(valueAt(piece, 2, t), at(line, t)?.[0], `${start} ${rate} ${max} at ${t}`);
  }
});

test('K16.9 a page ignores a curve beyond the bounds, and properties that it does not know', () => {
  for (const curve of [
    { property: COOLDOWN, start: 1201, rate: -1, max: 1200 },
    { property: COOLDOWN, start: -1, rate: -1, max: 1200 },
    { property: COOLDOWN, start: 5, rate: 2, max: 1200 },
    { property: COOLDOWN, start: 5, rate: -1, max: 2 ** 30 + 1 },
    { property: 77, start: 1200, rate: -1, max: 1200 },
  ])
    assert.equal(coolsFor(die({ from: T0, curves: [curve] }), T0), 0, JSON.stringify(curve));
});

test('K16.7, K16.8 curves stay until others come', () => {
  const sync = createSync('q83vEjRWeJCrze8SNFZ4kA');
  sync.receive(
    frame(full({ pieces: pieces({ id: 1, mark: 100, kind: 9, curves: cools(T0) }) })),
  );
  assert.deepEqual(shown(sync, 1).curves, cools(T0), 'K16.1 whoever comes later has them');
  sync.receive(frame(update({ id: 1, mark: 101, x: 7 })));
  assert.deepEqual(shown(sync, 1).curves, cools(T0), 'an update without curves');
  sync.receive(frame(update({ id: 1, mark: 102, curves: cools(T0 + 5) }, 'roll')));
  assert.deepEqual(shown(sync, 1).curves, cools(T0 + 5), 'an update with others');
  sync.blind(1, 'roll');
  post(sync);
  sync.receive(frame(ack(1, { id: 1, mark: 103, face: 2, curves: cools(T0 + 9) })));
  assert.deepEqual(shown(sync, 1).curves, cools(T0 + 9), 'an ack');
  sync.receive(frame(update({ id: 1, mark: 104, curves: { from: 0, curves: [] } })));
  assert.equal(coolsFor(shown(sync, 1), T0 + 9), 0, 'an empty one');
});

test('K16.10 a die that cools down looks different', () => {
  const [none, one, other] = [die(), die(cools(T0)), die(cools(T0 + 1))];
  const ended = die({ from: 0, curves: [] });
  assert.ok(looksSame(none, ended));
  assert.ok(looksSame(one, die(cools(T0))));
  for (const [a, b] of [[none, one], [one, ended], [one, other]]) assert.ok(!looksSame(a, b));
});
