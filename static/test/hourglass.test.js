// Hourglasses (T59): the sand at a time, and what a turn does to it.

import assert from 'node:assert/strict';
import test from 'node:test';
import { curvesOfSand, sandOf, turnedOver } from '../js/kinds/hourglass.js';
import { predict } from '../js/sync/predict.js';

/** @typedef {import('../js/types.js').Clock} Clock */
/** @typedef {import('../js/types.js').Piece} Piece */

const T = 1_780_000_000_000;
const MINUTE = 60_000;

/** @param {Partial<Clock>} rest @returns {Clock} */
const glass = (rest) => ({
  running: 0, since: 0, left1: 0, left2: 5 * MINUTE, initial: 5 * MINUTE, increment: 0, ...rest,
});
const runs = glass({ running: 2, since: T });

/** @type {(clock: Clock) => Piece} */
const pieceOf = (clock) => /** @type {Piece} */ (
  /** @type {unknown} */ ({ id: 1, clock, curves: curvesOfSand(clock) })
);

test('T59.8, K16.12 the sand follows from the curves and the server’s time', () => {
  /** @type {[string, Clock, number, number][]} */
  const rows = [
    ['one that nobody has turned', glass({}), T, 0],
    ['when it is turned over', runs, T, 5 * MINUTE],
    ['after two minutes', runs, T + 2 * MINUTE, 3 * MINUTE],
    ['in the last millisecond', runs, T + 5 * MINUTE - 1, 1],
    ['when it has run out', runs, T + 5 * MINUTE, 0],
    ['long afterwards', runs, T + 500 * MINUTE, 0],
    ['before it was turned over, by a clock that is behind', runs, T - 700, 5 * MINUTE],
    ['between two milliseconds', runs, T + 0.9, 5 * MINUTE],
    ['the first bulb above', glass({ running: 1, since: T, left1: 900, left2: 100 }), T + 300, 600],
  ];
  for (const [name, clock, t, above] of rows) {
    const all = clock.left1 + clock.left2;
    assert.deepEqual(sandOf(pieceOf(clock), t), { above, below: all - above }, name);
  }
});

test('T59.1 a turn swaps what has run and what is left', () => {
  const first = turnedOver(glass({}), T + 0.5);
  assert.deepEqual(first, runs);
  const second = turnedOver(first, T + 2 * MINUTE);
  assert.deepEqual(
    second,
    glass({ running: 1, since: T + 2 * MINUTE, left1: 2 * MINUTE, left2: 3 * MINUTE }),
  );
  assert.deepEqual(
    sandOf(pieceOf(second), T + 3 * MINUTE), { above: MINUTE, below: 4 * MINUTE },
  );
  const third = turnedOver(second, T + 60 * MINUTE);
  assert.deepEqual(third, { ...runs, since: T + 60 * MINUTE });
});

test('T59.3 a clock that is behind moves no sand', () => {
  assert.deepEqual(
    turnedOver(runs, T - 9000),
    glass({ running: 1, since: T, left1: 0, left2: 5 * MINUTE }),
  );
});

test('T59, K16.14 the page shows its own turn at once', () => {
  const context = { you: 1, at: T + MINUTE, clock: null, bounds: null, isMask: false, players: [] };
  const piece = pieceOf(runs);
  const after = predict(piece, 'turn', {}, context);
  assert.deepEqual(after.clock, turnedOver(runs, T + MINUTE));
  assert.deepEqual(after.curves, curvesOfSand(turnedOver(runs, T + MINUTE)));
  assert.deepEqual(piece.clock, runs, 'the confirmed state stays');
  const { clock: _, ...token } = piece;
  assert.equal(predict(token, 'turn', {}, context), token, 'a piece without sand');
});
