// Replays: where one stands in it and how it goes on, and what the page takes in.

import assert from 'node:assert/strict';
import test from 'node:test';
import { asSeen, epochs, noteEnds, readAll, readMotion } from '../js/parts/replay/frames.js';
import { createPlayer, LINE, LONGEST } from '../js/parts/replay/player.js';
import { legsOf, lengthOf, momentAt, timeTo } from '../js/parts/replay/timeline.js';
import { Recording } from '../js/parts/motion/recording.js';
import { createReplayNet } from '../js/net/replaynet.js';
import { encode } from '../js/net/protobuf.js';
import { REPLAY } from '../js/net/messages.js';
import { plays } from '../js/rights.js';
import { createSync } from '../js/sync/sync.js';

/** A player with a clock of its own, and what it has shown. */
function playing() {
  /** @type {[number, number, boolean][]} */
  const shown = [];
  /** @type {{f: () => void, ms: number}[]} */
  let timers = [];
  const clock = { now: 0, isStill: false };
  const player = createPlayer({
    show: (...what) => shown.push(what),
    changed: () => {},
    wantsStill: () => clock.isStill,
    now: () => clock.now,
    setTimeout: (f, ms) => {
      const timer = { f, ms };
      timers.push(timer);
      return timer;
    },
    clearTimeout: (timer) => {
      timers = timers.filter((t) => t !== timer);
    },
  });
  const stops = [
    { frame: 0, at: 0, text: 'set up' }, { frame: 2, at: 400, text: 'one' },
    { frame: 3, at: 500, text: 'two' }, { frame: 5, at: 90_000, text: 'three' },
  ];
  player.load([0, 100, 400, 500, 60_000, 90_000], stops);
  return {
    clock,
    player,
    shown,
    /** Lets the next timer go off, and returns how long it was. */
    tick: () => {
      const [{ f, ms }] = timers.splice(0, 1);
      clock.now += ms;
      f();
      return ms;
    },
    timers: () => timers.length,
  };
}

test('T73.11 a replay begins with the set-up, and leads to each line', () => {
  const { player, shown } = playing();
  assert.deepEqual(shown, [[-1, 0, true]]);
  player.step(1);
  player.step(1);
  assert.equal(player.stop, 2);
  assert.deepEqual(shown.slice(1), [[0, 2, false], [2, 3, false]], 'the next line, with motion');
  player.jump(0);
  assert.deepEqual(shown[3], [-1, 0, true], 'back: from the beginning, without motion');
  player.jump(3);
  assert.deepEqual(shown[4], [0, 5, true], 'over many lines without motion');
  player.step(1);
  assert.equal(player.at, 5, 'behind the end is nothing');
  player.goTo(4);
  player.step(-1);
  assert.equal(player.at, 3, 'back to the line before');
  player.jump(99);
  assert.equal(player.at, 5);
  assert.equal(shown.length, 8);
});

test('T73.11 a replay plays by time and by lines, and long waits are short', () => {
  const { player, shown, tick, timers } = playing();
  player.play();
  assert.deepEqual([tick(), tick()], [100, 300]);
  player.setSpeed(4);
  assert.equal(timers(), 1, 'one timer runs');
  assert.deepEqual([tick(), tick()], [25, LONGEST / 4]);
  player.setSpeed(1);
  assert.deepEqual([tick(), player.isPlaying], [LONGEST, false], 'it ends');
  assert.equal(timers(), 0);
  player.setPace(true);
  player.play();
  assert.equal(player.at, 0, 'it begins again');
  assert.deepEqual([tick(), player.at, tick(), player.at], [LINE, 2, LINE, 3]);
  player.jump(1);
  assert.deepEqual([player.isPlaying, timers()], [false, 0], 'a jump pauses it');
  assert.ok(shown.every(([from, to]) => from < to));
});

test('T73.20 what moved takes its time, and one can stand within it', () => {
  const { clock, player, shown, tick, timers } = playing();
  // Frame 4 is of 60,000 and frame 5 of 90,000: a rest of 10 s, motion for 4 s, and a rest again.
  player.setMotion([[150, 250], [70_000, 74_000]]);
  player.jump(2);
  player.play();
  assert.deepEqual([tick(), player.at], [LONGEST, 4], 'without motion it is as before');
  assert.deepEqual([player.isGliding, player.moment()], [true, 60_000]);
  clock.now += LONGEST + 1000;
  assert.equal(player.moment(), 71_000, 'one second into the motion');
  player.setSpeed(2);
  clock.now += 500;
  assert.equal(player.moment(), 72_000, 'twice as fast');
  player.pause();
  clock.now += 999;
  assert.deepEqual([player.moment(), player.isGliding, timers()], [72_000, false, 0]);
  assert.equal(player.place(), 2.5, 'half of what moves between these lines');
  player.play();
  assert.deepEqual([tick(), player.at], [(2000 + LONGEST) / 2, 5], 'it goes on from there');

  player.scrub(2.25);
  assert.deepEqual([player.at, player.moment(), player.stop], [4, 71_000, 2]);
  const before = shown.length;
  player.scrub(2.75);
  assert.deepEqual([player.moment(), shown.length], [73_000, before], 'no other frame');
  player.step(-1);
  assert.deepEqual([player.at, player.moment()], [3, 500], 'back to the line before');
  player.scrub(1.4);
  assert.deepEqual([player.at, player.moment()], [2, 400], 'nothing moved there: the nearest line');
  player.scrub(0.5);
  assert.deepEqual([player.at, player.moment()], [1, 200]);
  player.jump(0);
  assert.deepEqual([player.at, player.moment()], [0, 0]);

  clock.isStill = true;
  player.goTo(4);
  player.setSpeed(1);
  player.play();
  assert.deepEqual([player.isGliding, tick()], [false, LONGEST], 'with reduced motion it jumps');
});

test('T73.20 the time between two moments is motion, and rests that are short', () => {
  /** @type {[number, number][]} */
  const spans = [[10, 20], [100, 150], [400, 500]];
  assert.deepEqual(legsOf(spans, 20, 100, 30), [], 'nothing moved');
  const legs = legsOf(spans, 15, 420, 30);
  assert.deepEqual(legs.map(({ from, to, ms }) => [from, to, ms]),
    [[15, 20, 5], [20, 100, 30], [100, 150, 50], [150, 400, 30], [400, 420, 20]]);
  assert.equal(lengthOf(legs), 135);
  for (const moment of [15, 17, 60, 100, 149, 275, 410])
    assert.equal(momentAt(legs, timeTo(legs, moment)), moment);
  assert.deepEqual([momentAt(legs, -5), momentAt(legs, 999)], [15, 420]);
  assert.equal(momentAt(legsOf(spans, 30, 200, 0), 0), 100, 'rests are left out');
});

test('T73.20 recorded motion is shown from one update to the next', () => {
  /** @type {any} */
  const outcome = {
    time: 100, full: true, placed: new Set([7, 8]), gone: new Set(), renamed: [],
  };
  const ends = { of: new Map(), all: [] };
  noteEnds(ends, outcome);
  noteEnds(ends, { ...outcome, time: 1000, full: false, placed: new Set([7]) });
  noteEnds(ends, { ...outcome, time: 2000, full: false, placed: new Set([7]) });
  noteEnds(ends, { ...outcome, time: 2500, full: false, placed: new Set(), gone: new Set([8]) });
  const recording = new Recording(ends);
  const of = (/** @type {number[]} */ ids, /** @type {number} */ x, lag = 0) =>
    ({ ids, lag, span: 100, x: ids.map(() => x), y: ids.map(() => 0), dx: ids.map(() => -100),
      dy: ids.map(() => 0) });
  recording.add(of([7, 8], 100), 1100);
  recording.add(of([7], 200), 1200);
  recording.add(of([7], 900, 250), 2200); // its point was seen before the piece was put down
  recording.add(of([8], 300, 150), 2520); // all of it was before the end
  assert.equal(recording.at(7, 1050), null, 'before it, updates say where it was');
  assert.deepEqual(recording.at(7, 1150), { x: 50, y: 0 });
  assert.deepEqual(recording.at(7, 1250.5), { x: 150.5, y: 0 });
  assert.deepEqual(recording.at(7, 1900), { x: 200, y: 0 }, 'it rests where it was carried');
  assert.equal(recording.at(7, 1000), null);
  assert.deepEqual(recording.at(7, 1999), { x: 200, y: 0 }, 'not yet what comes later');
  assert.deepEqual(recording.at(7, 2000), { x: 850, y: 0 }, 'and no more what was before');
  assert.deepEqual(recording.at(8, 2499), { x: 100, y: 0 });
  assert.equal(recording.at(8, 2500), null);
  assert.equal(recording.at(9, 1150), null);
  assert.deepEqual(recording.spans(), [[1100, 1300], [1950, 2050], [2370, 2470]]);
});

test('T73.20 a recording keeps its curves for any number of pieces', () => {
  const recording = new Recording({ of: new Map(), all: [0] });
  const pieces = Array.from({ length: 200 }, (_, i) => i + 1);
  for (let k = 0; k < 3; k++)
    recording.add({
      ids: pieces, lag: 0, span: 50, x: pieces.map((id) => 10 * id + k), y: pieces.map(() => 0),
      dx: pieces.map(() => -1), dy: pieces.map(() => 0),
    }, 1000 + 50 * k);
  for (const id of pieces) assert.equal(recording.at(id, 1100)?.x, 10 * id + 1);
  for (const id of pieces) assert.equal(recording.at(id, 1150)?.x, 10 * id + 2);
});

test('T73.19 pages of motion are read one after the other', async () => {
  const frame = (/** @type {number} */ time) => ({
    time, mark: 0,
    events: [{
      event: { type: 'motions', lag: 1, span: 2, ids: [3], x: [4], y: [5], dx: [6], dy: [7] },
    }],
  });
  /** @type {Record<number, Uint8Array>} */
  const pages = { 0: page([frame(1), frame(2)], 2), 2: page([frame(3)], 0) };
  /** @type {number[]} */
  const times = [];
  const read = await readMotion((after) => Promise.resolve(pages[after]), async (frames) => {
    for (const { time } of frames) times.push(time);
  });
  assert.deepEqual([times, read], [[1, 2, 3], [pages[0], pages[2]]]);
  const none = await readMotion(() => Promise.resolve(new Uint8Array()), async () => {
    assert.fail('there is nothing to take');
  });
  assert.deepEqual(none, [], 'most tables record nothing');
});

/** @param {any[]} frames @param {number} next @param {boolean} [dropped] */
const page = (frames, next, dropped = false) =>
  encode({ frames, next, dropped }, REPLAY).bytes();

test('T73.8 pages are read one after the other, up to a bound', async () => {
  const frame = (/** @type {number} */ time) =>
    ({ time, mark: time, events: [{ event: { type: 'pong', nonce: time } }] });
  /** @type {Record<number, Uint8Array>} */
  const pages = {
    0: page([frame(1), frame(2)], 2, true), 2: page([frame(3)], 3), 3: page([frame(4)], 0),
  };
  /** @type {number[]} */
  const lengths = [];
  const read = (/** @type {number} */ after) => Promise.resolve(pages[after]);
  const all = await readAll(read, ({ times }) => void lengths.push(times.length));
  assert.deepEqual([all.times, lengths], [[1, 2, 3, 4], [2, 3, 4]]);
  assert.deepEqual([all.isDropped, all.isCut, all.pages.length], [true, false, 3]);
  const some = await readAll(read, () => {}, 1);
  assert.deepEqual([some.times, some.isCut], [[1, 2], true]);
});

test('T73.11 whoever looks at a replay is nobody, and going back forgets what came later', () => {
  const seat = { id: 1, nick: 'Ada', colour: 0, role: 'host', presence: 'here' };
  const piece = {
    id: 7, mark: 1, kind: 0, x: 0, y: 0, angle: 0, face: 0, z: '1', zMark: 1, pinned: false,
    locked: false, holder: 0, owner: 0,
  };
  const table = { title: '', width: 1, height: 1, surface: 'felt', catalog: '' };
  /** @type {any} */
  const full = {
    time: 1, mark: 1,
    events: [{ type: 'full', epoch: 1, you: 1, table, seats: [seat], pieces: [piece] }],
  };
  /** @type {any} */
  const moved = {
    time: 2, mark: 2,
    events: [{ type: 'update', piece: { id: 7, mark: 2, x: 5 }, by: 1, op: 'move' }],
  };
  const sync = createSync('');
  const epoch = epochs();
  for (const frame of [full, moved, full]) sync.receive(asSeen(frame, epoch));
  assert.equal(sync.pieces.get(7)?.x, 0);
  sync.receive(asSeen(moved, epoch));
  assert.equal(sync.pieces.get(7)?.x, 5, 'and then it goes on as before');
  assert.equal(full.events[0].you, 1, 'the frames stay as they are');
  assert.equal(plays(/** @type {any} */ ({ sync })), false);
  const net = createReplayNet(() => 42);
  assert.deepEqual([net.serverNow(), net.send(/** @type {any} */ ({}))], [42, false]);
});
