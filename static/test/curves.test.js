// The curves of pieces (docs/protocol/curve.md, K16).

import assert from 'node:assert/strict';
import test from 'node:test';
import { add, at, empty, FOREVER, STEP, TIMER } from '../js/parts/motion/curve.js';
import { looksSame } from '../js/sync/compare.js';
import { fallen, operate } from '../js/sync/clock.js';
import {
  COOLDOWN, coolsFor, SIDE, sideAt, sideThatRuns, TURN, upperBulb, valueAt,
} from '../js/sync/curves.js';
import { sandOf } from '../js/kinds/hourglass.js';
import { predict } from '../js/sync/predict.js';
import { timesOf } from '../js/parts/clocks/times.js';
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

const display = { x: 0, y: 0, width: 100, height: 100 };
/** @type {import('../js/sync/clock.js').ClockKind} */
const CHESS = {
  counts: 'down', initial: 300_000, increment: 2000, displays: [display, { ...display, y: 200 }],
};
/** A clock whose state says something else than its curves. @type {(curves?: Curves) => Piece} */
const misled = (curves) => /** @type {Piece} */ (/** @type {unknown} */ ({
  id: 1, kind: 9, angle: 0, curves,
  clock: {
    running: 1, since: T0 - 90_000, left1: 240_000, left2: 180_000, initial: 300_000, increment: 0,
  },
}));
/** @type {(side: number, start: number, rate: number) => Curves['curves'][number]} */
const sideCurve = (side, start, rate) => ({ property: SIDE + side - 1, start, rate, max: start });
const turn = (/** @type {number} */ side) => ({ property: TURN, start: side, rate: 0, max: 0 });

test('K16.11 a clock shows what its curves say, also to whoever joins while it runs', () => {
  const curves = [sideCurve(1, 61_000, 0), sideCurve(2, 90_000, -1), turn(2)];
  const sync = createSync('q83vEjRWeJCrze8SNFZ4kA');
  const { id: _, ...sent } = misled({ from: T0, curves });
  sync.receive(frame(full({ pieces: pieces({ ...sent, id: 1, mark: 100 }) })));
  const piece = shown(sync, 1);
  const now = { at: T0 + 30_000 };
  const s = /** @type {import('../js/state.js').State} */ (/** @type {unknown} */ ({
    net: { serverNow: () => now.at },
    catalog: { kinds: Object.assign([], { 9: { clock: CHESS } }) },
    view: { camera: { turn: 0 } },
  }));
  assert.deepEqual(
    timesOf(s, piece), ['upper side one minute one second', 'lower side one minute, running'],
  );
  now.at = T0 + 65_000;
  assert.equal(timesOf(s, piece)[1], 'lower side 25 seconds, running');
  assert.equal(fallen(CHESS, piece, 2, T0 + 89_999), false);
  assert.equal(fallen(CHESS, piece, 2, T0 + 90_000), true);
});

test('K16.11 a clock with one side runs while its curve changes', () => {
  const one = (/** @type {number} */ rate) =>
    sideThatRuns(misled({ from: T0, curves: [{ ...sideCurve(1, 500, rate), max: 2 ** 30 }] }));
  assert.deepEqual([one(1), one(-1), one(0)], [1, 1, 0]);
});

test('K16.12 an hourglass shows what its curves say', () => {
  const sand = (/** @type {number[]} */ ...rates) => misled({
    from: T0,
    curves: rates.map((rate, i) => ({ property: SIDE + i, start: 100 * (i + 1), rate, max: 300 })),
  });
  assert.deepEqual(sandOf(sand(-1, 1), T0 + 40), { above: 60, below: 240 });
  assert.deepEqual(sandOf(sand(1, -1), T0 + 40), { above: 160, below: 140 });
  assert.deepEqual(sandOf(sand(1, -1), T0 + 999), { above: 0, below: 300 });
  assert.equal(upperBulb(sand(1, -1)), 2);
  assert.deepEqual(sandOf(sand(0, 0), T0 + 40), { above: 100, below: 200 });
});

test('K16.13 without curves a clock stands at what its state says', () => {
  const bad = { property: SIDE, start: 5, rate: -2, max: 5 };
  for (const curves of [undefined, { from: T0, curves: [] }, { from: T0, curves: [bad] }]) {
    const piece = misled(curves);
    assert.equal(sideThatRuns(piece), 0);
    for (const t of [T0, T0 + 50_000]) {
      assert.equal(sideAt(piece, 1, t), 240_000);
      assert.equal(sideAt(piece, 2, t), 180_000);
    }
  }
});

test('K16.14 a press shows its curves before the server answers', () => {
  const piece = misled({ from: 0, curves: [] });
  const context = { you: 1, at: T0, clock: CHESS, bounds: null, isMask: false, players: [] };
  const after = predict(piece, 'press', { side: 1 }, context);
  assert.deepEqual(after.clock, operate(CHESS, clockOf(piece), 'press', { side: 1 }, T0));
  assert.deepEqual(after.curves, {
    from: T0, curves: [sideCurve(1, 150_000, 0), sideCurve(2, 180_000, -1), turn(2)],
  });
  const paused = predict(after, 'pause', {}, { ...context, at: T0 + 1000 });
  assert.deepEqual(paused.curves, {
    from: 0, curves: [sideCurve(1, 150_000, 0), sideCurve(2, 179_000, 0), turn(0)],
  });
});

const clockOf = (/** @type {Piece} */ piece) => {
  assert.ok(piece.clock);
  return piece.clock;
};
