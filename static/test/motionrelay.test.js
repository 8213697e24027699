// Motion of others that arrives before the part that shows it.

import assert from 'node:assert/strict';
import test from 'node:test';
import { relayMotion } from '../js/relay/motion.js';

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
    input: { carry: { from: new Map([[1, {}]]) } },
    parts: { others: null },
    relay: { motion: [] },
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

test('S12, S13 motion of others loads the part, one’s own does not', async () => {
  const s = page();
  for (const own of [
    {},
    { full: true },
    { motions: [{ ids: [1, 3, 99] }] },
    { cursors: [{ ids: [1, 99] }] },
  ])
    relayMotion(s, frame(own));
  assert.deepEqual([s.asked, s.relay.motion], [[], []]);
  for (const told of [{ motions: [{ ids: [1, 2] }] }, { cursors: [{ ids: [1, 2] }] }]) {
    const other = page();
    relayMotion(other, frame(told));
    assert.deepEqual([other.asked, other.relay.motion.length], [['motion'], 1]);
    other.settle();
    await new Promise(setImmediate); // it may be requested again
  }
});

test('S12 frames since the last full state wait in order, for half a minute', async () => {
  const s = page();
  const first = frame({ motions: [{ ids: [2] }] });
  relayMotion(s, first);
  const placed = frame({ placed: new Set([2]) });
  relayMotion(s, placed);
  assert.deepEqual(s.relay.motion.map((/** @type {any} */ w) => w.outcome), [first, placed]);
  assert.ok(s.relay.motion[0].now <= s.relay.motion[1].now);
  for (let i = 0; i < 1000; i++) relayMotion(s, frame({}));
  assert.equal(s.relay.motion.length, 600);
  relayMotion(s, frame({ full: true }));
  assert.deepEqual(s.relay.motion, [], 'a full state repeats it');
  s.settle();
  await new Promise(setImmediate);
});

test('S12 once loaded, the part gets each frame at once', () => {
  const s = page();
  /** @type {Outcome[]} */
  const heard = [];
  s.parts.motion = {
    takeFrame: (/** @type {any} */ _s, /** @type {Outcome} */ outcome) => heard.push(outcome),
  };
  const told = frame({ motions: [{ ids: [2] }] });
  relayMotion(s, told);
  assert.deepEqual([heard, s.relay.motion, s.asked], [[told], [], []]);
});
