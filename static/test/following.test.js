// Motion of others that arrives before the part that shows it.

import assert from 'node:assert/strict';
import test from 'node:test';
import { followOthers } from '../js/relay/motion.js';

/** @typedef {import('../js/types.js').Outcome} Outcome */

/**
 * A page of seat 1, which carries piece 1 in this window. Seat 2 holds piece 2, and nobody holds
 * piece 3.
 *
 * @returns {any}
 */
function page() {
  const s = /** @type {any} */ ({
    sync: {
      you: 1, pieces: new Map([1, 2, 0].map((holder, i) => [i + 1, { holder }])),
      seats: new Map([1, 2].map((id) => [id, {}])),
    },
    carry: { from: new Map([[1, {}]]) },
    parts: { others: null },
    ways: [],
    asked: [],
  });
  s.load = (/** @type {string} */ name) => {
    s.asked.push(name);
    return new Promise((done) => {
      s.settle = () => done(null);
    });
  };
  return s;
}

/** @param {object} rest @returns {Outcome} */
const frame = (rest) => /** @type {any} */ ({ full: false, motions: [], cursors: [], ...rest });

test('S12, S13 the part comes when others carry or point, and not for what this window does itself', async () => {
  const s = page();
  for (const own of [
    {},
    { full: true },
    { motions: [{ ids: [1, 3, 99] }] },
    { cursors: [{ ids: [1, 99] }] },
  ])
    followOthers(s, frame(own));
  assert.deepEqual([s.asked, s.ways], [[], []]);
  for (const told of [{ motions: [{ ids: [1, 2] }] }, { cursors: [{ ids: [1, 2] }] }]) {
    const other = page();
    followOthers(other, frame(told));
    assert.deepEqual([other.asked, other.ways.length], [['motion'], 1]);
    other.settle();
    await new Promise(setImmediate); // it may be requested again
  }
});

test('S12 what was told since is kept in order, from the last full state on, and half a minute of it', async () => {
  const s = page();
  const first = frame({ motions: [{ ids: [2] }] });
  followOthers(s, first);
  const placed = frame({ placed: new Set([2]) });
  followOthers(s, placed);
  assert.deepEqual(s.ways.map((/** @type {any} */ w) => w.outcome), [first, placed]);
  assert.ok(s.ways[0].now <= s.ways[1].now);
  for (let i = 0; i < 1000; i++) followOthers(s, frame({}));
  assert.equal(s.ways.length, 600);
  followOthers(s, frame({ full: true }));
  assert.deepEqual(s.ways, [], 'a full state tells it anew');
  s.settle();
  await new Promise(setImmediate);
});

test('S12 when it is here it is told at once, and nothing is kept', () => {
  const s = page();
  /** @type {Outcome[]} */
  const heard = [];
  s.parts.motion = {
    onWays: (/** @type {any} */ _s, /** @type {Outcome} */ outcome) => heard.push(outcome),
  };
  const told = frame({ motions: [{ ids: [2] }] });
  followOthers(s, told);
  assert.deepEqual([heard, s.ways, s.asked], [[told], [], []]);
});
