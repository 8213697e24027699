// Which piece went where, as shown by the numbers of pieces in hands and containers (T21, T29).

import assert from 'node:assert/strict';
import test from 'node:test';
import { trace } from '../js/parts/cards/transfers.js';

const MASK = 4;
const DECK = 10;
const ADA = 1;
const BEN = 2;
/** @type {Record<number, {x: number, y: number}>} */
const places = { [DECK]: { x: 0, y: 0 }, [ADA]: { x: 0, y: 3500 }, [BEN]: { x: 0, y: -3500 } };

/** @param {number} place @param {number} by @param {number} [sort] */
const change = (place, by, sort = MASK) => ({ place, sort, by, ...places[place] });

/** @param {number} id @param {number} x @param {number} y @param {number} [sort] */
const piece = (id, x, y, sort = MASK) => ({ id, sort, x, y });

test('T21 a revealed card comes from the nearest place that has one less', () => {
  const { from, to, hidden } = trace(
    [piece(7, 100, 100), piece(8, 0, -3000)], [], [], [change(DECK, -1), change(BEN, -1)],
  );
  assert.deepEqual(
    [...from],
    [
      [7, DECK],
      [8, BEN],
    ],
  );
  assert.equal(to.size, 0);
  assert.deepEqual(hidden, []);
});

test('T21 a hidden card goes to a place that has one more', () => {
  const { to } = trace(
    [], [piece(7, 0, -3400), piece(9, 10, 10)], [], [change(DECK, 1), change(BEN, 1)],
  );
  assert.deepEqual(
    [...to],
    [
      [7, BEN],
      [9, DECK],
    ],
  );
});

test('T29 a card drawn into one’s own hand flies from the deck alone', () => {
  const drawn = piece(7, 0, 3500);
  const { from, hidden } = trace([drawn], [], [drawn], [change(DECK, -1), change(ADA, 1)]);
  assert.deepEqual([...from], [[7, DECK]]);
  assert.deepEqual(hidden, []);
});

test('T30 cards dealt to others fly as backs', () => {
  const mine = [piece(7, -300, 3500), piece(8, 300, 3500)];
  const { from, hidden } = trace(mine, [], mine, [
    change(DECK, -4), change(ADA, 2), change(BEN, 2),
  ]);
  assert.equal(from.size, 2);
  assert.deepEqual(hidden, [{ from: DECK, to: BEN, sort: MASK, n: 2 }]);
});

test('T29 sorts are kept apart; uncounted places start no flight', () => {
  const { from, to, hidden } = trace(
    [piece(7, 0, 0, -1)], [piece(8, 0, 0)], [], [change(DECK, -1), change(BEN, 1, -1)],
  );
  assert.equal(from.size, 0);
  assert.equal(to.size, 0);
  assert.deepEqual(hidden, []);
});

test('T29 deletions and unexplained counts start no flight', () => {
  const { to, hidden } = trace([], [piece(8, 0, 0)], [], [change(DECK, 0)]);
  assert.equal(to.size, 0);
  assert.deepEqual(trace([], [], [], [change(ADA, 1)]).hidden, hidden);
});
