import assert from 'node:assert/strict';
import test from 'node:test';
import { followsMotion, onMotion } from '../js/parts/motion/remote.js';
import { createMotion } from '../js/parts/motion/state.js';

/**
 * The part of a page that motion concerns. Seat 2 holds pieces 1 and 2. Seat 1 is this person and
 * holds pieces 3 and 4, of which this window carries 3. Nobody holds piece 5.
 *
 * @returns {any}
 */
function page() {
  const holders = [0, 2, 2, 1, 1, 0];
  const pieces = new Map(
    [1, 2, 3, 4, 5].map((id) => [id, { id, x: 0, y: 0, angle: 0, holder: holders[id] }]),
  );
  return {
    sync: { you: 1, pieces },
    input: { carry: { from: new Map([[3, {}]]) } },
    view: {
      shown: new Map([...pieces.values()].map(({ id, x, y }) => [id, { id, x, y }])),
      dirty: new Set(),
      pace: new Map(),
    },
    partState: { motion: createMotion() },
  };
}

/** @param {number} time @param {object} [more] @returns {any} */
const outcome = (time, more = {}) => ({
  time,
  full: false,
  resumed: false,
  changed: new Set(),
  gone: new Set(),
  placed: new Set(),
  events: [],
  motions: [],
  cursors: [],
  pongs: [],
  ...more,
});

/**
 * Segments of 50 ms that lead pieces a unit a ms to the right, up to the frame's time.
 *
 * @param {number} time
 * @param {number[]} ids
 */
const motions = (time, ...ids) =>
  outcome(time, {
    motions: [
      {
        lag: 0, span: 50, ids, x: ids.map(() => time), y: ids.map(() => 0), dx: ids.map(() => -50),
        dy: ids.map(() => 0),
      },
    ],
  });

/**
 * Sends a page a movement of piece 1 from 0 to 1,000 and advances it to the present.
 *
 * @param {any} s
 */
function drag(s) {
  for (let t = 50; t <= 1000; t += 50) onMotion(s, motions(t, 1), t + 10);
  for (let now = 60; now <= 1010; now += 16)
    s.partState.motion.tracks.place(1, s.view.shown.get(1), now);
}

test('S12.22 motion of others shows; own, free and unknown pieces do not move', () => {
  const s = page();
  onMotion(s, motions(1000, 1, 2, 3, 4, 5, 99), 10);
  assert.deepEqual(
    [...s.partState.motion.starting], [1, 2, 4],
    'a piece carried in another window moves, too',
  );
  assert.deepEqual([1, 2, 3, 4, 5, 99].filter((id) => followsMotion(s, id)), [1, 2, 4]);
  s.sync.pieces.get(1).holder = 0;
  s.input.carry.from.set(4, {});
  assert.deepEqual([1, 2, 3, 4, 5, 99].filter((id) => followsMotion(s, id)), [2]);
});

test('S12 motion does not touch the recorded state', () => {
  const s = page();
  const before = structuredClone(s.sync.pieces);
  drag(s);
  assert.ok(s.view.shown.get(1).x > 800, 'it is displayed elsewhere');
  assert.deepEqual(s.sync.pieces, before);
});

test('K12, S12.24 a released piece glides from where it was seen', () => {
  const s = page();
  drag(s);
  const { x } = s.view.shown.get(1);
  Object.assign(s.sync.pieces.get(1), { x: 1000, holder: 0 });
  onMotion(s, outcome(1025, { placed: new Set([1]) }), 1030);
  assert.ok(!followsMotion(s, 1) && s.view.dirty.has(1));
  const pace = s.view.pace.get(1);
  assert.ok(pace >= 150 && pace <= 300, `in ${pace} ms, ${1000 - x} units at 1 a ms`);
  onMotion(s, motions(1020, 1), 1040);
  assert.equal(followsMotion(s, 1), false, 'motion is dropped, and nobody holds the piece');
});

test('S12 an update of another field ends no motion', () => {
  const s = page();
  drag(s);
  onMotion(s, outcome(1025, { changed: new Set([1]) }), 1030);
  assert.equal(followsMotion(s, 1), true);
});

test('K12.4 motion made after the update survives', () => {
  const s = page();
  drag(s);
  onMotion(s, { ...motions(1100, 1), placed: new Set([1]) }, 1110);
  assert.equal(followsMotion(s, 1), true);
});

test('S12.26 after a full state a held piece stays until new motion comes', () => {
  // The page's clock may have advanced while no frame came, or have stood still while the server's
  // advanced.
  for (const [how, slept, stood] of /** @type {[string, number, number][]} */ ([
    ['full', 0, 0], ['resumed', 0, 0], ['resumed', 12_000, 0], ['full', 0, 12_000],
  ])) {
    const s = page();
    drag(s);
    const { x } = s.view.shown.get(1);
    const at = 2000 + slept;
    onMotion(s, outcome(2000 + stood, { [how]: true }), at);
    for (let now = at; now <= at + 500; now += 16)
      s.partState.motion.tracks.place(1, s.view.shown.get(1), now);
    assert.ok(
      followsMotion(s, 1) && s.view.shown.get(1).x >= x, `${how}: a lost stream moves nothing`,
    );
    // A server that has restarted begins the motion where the piece is recorded. Soon after it
    // continues where the motion had led to.
    const told = (
      /** @type {number} */ time,
      /** @type {number} */ to,
      /** @type {number} */ back,
    ) =>
      onMotion(
        s,
        {
          ...outcome(time + stood),
          motions: [{ lag: 20, span: 50, ids: [1], x: [to], y: [0], dx: [-back], dy: [0] }],
        },
        time + slept + 10,
      );
    told(2600, 1200, 1200);
    let last = x;
    for (let t = 2610; t <= 3200; t += 16) {
      if (t === 2626) told(2620, 1400, 920);
      s.partState.motion.tracks.place(1, s.view.shown.get(1), t + slept);
      const { x: seen } = s.view.shown.get(1);
      assert.ok(
        seen >= last - 1,
        `${how}, ${slept}, ${stood}: it does not turn back, from ${last} to ${seen}`,
      );
      last = seen;
    }
    assert.ok(
      Math.abs(last - 1400) < 1,
      `${how}, ${slept}, ${stood}: it moves on to the new place, not ${last}`,
    );
  }
});

test('S12.25 a full state ends motion of pieces placed elsewhere or free', () => {
  const s = page();
  onMotion(s, motions(1000, 1, 2), 1010);
  s.sync.pieces.get(2).holder = 0;
  onMotion(s, outcome(2000, { full: true, changed: new Set([1]) }), 2010);
  assert.deepEqual(
    [followsMotion(s, 1), followsMotion(s, 2), [...s.view.dirty]], [false, false, [1, 2]],
  );
});

test('S12 a piece released during an interruption moves on resumption', () => {
  const s = page();
  drag(s);
  onMotion(s, outcome(2000, { resumed: true, placed: new Set([1]) }), 2010);
  assert.deepEqual([followsMotion(s, 1), s.view.dirty.has(1)], [false, true]);
});

test('T20 the motion of a piece that is gone ends', () => {
  const s = page();
  drag(s);
  s.sync.pieces.delete(1);
  onMotion(s, outcome(1025, { gone: new Set([1]) }), 1030);
  assert.equal(followsMotion(s, 1), false);
});
