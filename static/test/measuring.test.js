// The ruler: what the page computes, what it asks the table, and which answer counts.

import assert from 'node:assert/strict';
import test from 'node:test';
import { distanceBetween, lengthIn, Measuring } from '../js/parts/ruler/measuring.js';
import { lengthOf, lengthsOf } from '../js/parts/ruler/lengths.js';

/** @typedef {import('../js/parts/ruler/measuring.js').End} End */
/** @typedef {import('../js/parts/components/registry.js').Spot} Spot */

/** @param {number} x @param {number} y @returns {End} */
const place = (x, y) => ({ piece: 0, x, y });

/** @param {number} piece @param {number} x @param {number} y @returns {End} */
const centre = (piece, x, y) => ({ piece, x, y });

/** A table with pieces that a test moves, which answers when the test says so. */
class Table {
  /** @type {Map<number, {x: number, y: number, still: boolean}>} */
  pieces = new Map();
  /** The questions, in order. @type {{from: Spot, to: Spot, tell: (asked: any) => void}[]} */
  questions = [];
  changes = 0;
  measuring = new Measuring({
    seen: (piece) => this.pieces.get(piece) ?? null,
    ask: (from, to) => new Promise((tell) => this.questions.push({ from, to, tell })),
    changed: () => this.changes++,
  });

  /** @param {number} piece @param {number} x @param {number} y @param {boolean} [still] */
  put(piece, x, y, still = true) {
    this.pieces.set(piece, { x, y, still });
    this.measuring.look();
  }

  /** Answers a question, or ends it otherwise. @param {any} asked @param {number} [which] */
  async tell(asked, which = this.questions.length - 1) {
    this.questions[which].tell(asked);
    await Promise.resolve();
  }
}

/** @param {number} distance */
const answered = (distance) => ({ state: 'answered', answer: { of: 1, distance, reason: 0 } });

/** Two pieces that are 500 apart, and a measurement from one to the other. */
function measured() {
  const table = new Table();
  table.put(7, 100, 100);
  table.put(9, 400, 500);
  table.measuring.begin(centre(7, 100, 100));
  table.measuring.reach(centre(9, 400, 500));
  table.measuring.choose();
  return table;
}

test('C18 a drawn measurement is estimated; the server is asked at rest', async () => {
  const table = new Table();
  const { measuring } = table;
  measuring.begin(place(0, 0));
  assert.deepEqual([measuring.phase, measuring.distance, measuring.isOpen], ['begun', null, true]);
  measuring.reach(place(30, 40));
  measuring.reach(place(300, 400));
  assert.deepEqual(
    [measuring.phase, measuring.distance, measuring.isEstimate], ['reckoned', 500, true],
  );
  assert.equal(table.questions.length, 0);
  measuring.settle();
  measuring.settle();
  assert.deepEqual(
    table.questions.map(({ from, to }) => [from, to]), [[place(0, 0), place(300, 400)]],
  );
  assert.deepEqual([measuring.phase, measuring.distance], ['asked', 500]);
  measuring.choose();
  assert.equal(table.questions.length, 1, 'this was the question');
  await table.tell(answered(501)); // the table's answer counts
  assert.deepEqual(
    [measuring.phase, measuring.distance, measuring.isEstimate, measuring.isOpen],
    ['answered', 501, false, false],
  );
  assert.equal(table.changes, 1);
});

test('C18 pieces are measured by name, without a place', () => {
  const [question] = measured().questions;
  assert.deepEqual(
    [question.from, question.to],
    [
      { piece: 7, x: 0, y: 0 },
      { piece: 9, x: 0, y: 0 },
    ],
  );
});

test('C18 an answer to an earlier question is ignored', async () => {
  const table = new Table();
  const { measuring } = table;
  measuring.begin(place(0, 0));
  measuring.reach(place(3, 4));
  measuring.settle();
  measuring.reach(place(6, 8));
  measuring.choose();
  await table.tell(answered(5), 0);
  assert.deepEqual([measuring.phase, measuring.distance, table.changes], ['asked', 10, 0]);
  await table.tell({ state: 'replaced' }, 0);
  assert.equal(measuring.phase, 'asked');
  await table.tell(answered(10));
  assert.equal(measuring.phase, 'answered');
  measuring.begin(place(0, 0));
  await table.tell(answered(3));
  assert.equal(measuring.phase, 'begun');
});

test('C18 the line follows its pieces and asks again when they rest', async () => {
  const table = measured();
  const { measuring } = table;
  await table.tell(answered(500));
  measuring.look();
  assert.deepEqual([measuring.phase, table.questions.length], ['answered', 1], 'nothing has moved');
  table.put(9, 400, 700, false);
  assert.deepEqual(
    [measuring.phase, measuring.to?.y, measuring.distance],
    ['reckoned', 700, distanceBetween({ x: 100, y: 100 }, { x: 400, y: 700 })],
  );
  table.put(9, 100, 900);
  assert.deepEqual([measuring.phase, table.questions.length], ['asked', 2]);
  table.put(9, 100, 1000); // while the question is on its way
  assert.deepEqual([measuring.phase, table.questions.length], ['asked', 3]);
  await table.tell(answered(800), 1);
  assert.equal(measuring.phase, 'asked', 'that was the old question');
  await table.tell(answered(900));
  assert.deepEqual([measuring.phase, measuring.distance], ['answered', 900]);
});

test('C18 a piece that moves during the drag is asked about at rest', async () => {
  const table = new Table();
  table.put(7, 0, 0);
  table.measuring.begin(centre(7, 0, 0));
  table.measuring.reach(place(0, 100));
  table.measuring.settle();
  await table.tell(answered(100));
  table.put(7, 0, 50);
  assert.deepEqual(
    [table.measuring.phase, table.measuring.distance, table.questions.length], ['reckoned', 50, 1],
  );
  table.measuring.choose();
  assert.equal(table.questions.length, 2);
});

test('C18 a measured piece that is hidden counts as gone until it is back', async () => {
  const table = measured();
  const { measuring } = table;
  await table.tell(answered(500));
  table.pieces.delete(9);
  measuring.look();
  assert.deepEqual([measuring.phase, table.questions.length], ['asked', 2]);
  await table.tell({ state: 'answered', answer: { of: 2, reason: 5 } });
  measuring.look();
  assert.deepEqual(
    [measuring.phase, measuring.to?.x, table.questions.length], ['gone', 400, 2],
    'the line stays at its last visible place',
  );
  table.put(9, 400, 500);
  assert.deepEqual([measuring.phase, table.questions.length], ['asked', 3]);
});

test('C18 an unanswered question may be retried, an answered one not', async () => {
  for (const state of ['expired', 'replaced', 'refused']) {
    const table = measured();
    await table.tell({ state });
    assert.deepEqual(
      [table.measuring.phase, table.measuring.distance, table.measuring.isEstimate],
      [state, 500, true],
    );
    table.measuring.look();
    assert.equal(table.questions.length, 1, 'not by itself');
    table.measuring.retry();
    assert.deepEqual([table.measuring.phase, table.questions.length], ['asked', 2]);
    await table.tell(answered(500));
    table.measuring.retry();
    assert.deepEqual([table.measuring.phase, table.questions.length], ['answered', 2]);
  }
});

test('T21 a renamed piece is still the same piece', async () => {
  const table = measured();
  await table.tell(answered(500));
  table.pieces.delete(9);
  table.measuring.rename(9, 20_000);
  table.put(20_000, 400, 500);
  assert.equal(table.measuring.phase, 'asked');
  assert.deepEqual(table.questions[1].to, { piece: 20_000, x: 0, y: 0 });
});

test('a cancelled or new measurement keeps nothing of the old one', async () => {
  const table = measured();
  const { measuring } = table;
  await table.tell(answered(500));
  measuring.begin(place(1, 1));
  assert.deepEqual(
    [measuring.phase, measuring.to, measuring.chosen, measuring.distance],
    ['begun', null, false, null],
  );
  measuring.choose();
  assert.equal(measuring.isOpen, true, 'it has no second spot yet');
  measuring.clear();
  measuring.reach(place(2, 2));
  measuring.choose();
  measuring.retry();
  assert.deepEqual(
    [measuring.phase, measuring.from, measuring.isOpen, table.questions.length],
    ['none', null, false, 1],
  );
});

test('C18 distances round as the server rounds them', () => {
  for (const [x, y, want] of [
    [3, 4, 5],
    [1, 1, 1],
    [1, 2, 2],
    [0, 0, 0],
    [100_000, 100_000, 141_421],
    [-1, -1, 1],
  ]) {
    assert.equal(distanceBetween({ x: 0, y: 0 }, { x, y }), want, `${x}, ${y}`);
  }
});

test('lengths are in cells or centimetres, to a tenth', () => {
  assert.deepEqual(lengthIn(1234, 0), { value: 12.3, unit: 'cm' });
  assert.deepEqual(lengthIn(1250, 500), { value: 2.5, unit: 'cell' });
  /** @type {[number, number, string][]} */
  const rows = [
    [1234, 0, '12.3 cm'],
    [1200, 0, '12 cm'],
    [4, 0, '0 cm'],
    [500, 500, '1 cell'],
    [1250, 500, '2.5 cells'],
    [0, 500, '0 cells'],
    [141_421, 10, '14\u2009142.1 cells'],
  ];
  for (const [units, pitch, want] of rows) assert.equal(lengthOf(units, pitch), want);
  assert.equal(lengthsOf(1250, 500), '2.5 cells (12.5 cm)');
  assert.equal(lengthsOf(1250, 0), '12.5 cm');
});
