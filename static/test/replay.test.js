// Replays: where one stands in it and how it goes on, and what the page takes in.

import assert from 'node:assert/strict';
import test from 'node:test';
import { asSeen, epochs, readAll } from '../js/parts/replay/frames.js';
import { createPlayer, LINE, LONGEST } from '../js/parts/replay/player.js';
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
  const player = createPlayer({
    show: (...what) => shown.push(what),
    changed: () => {},
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
    player,
    shown,
    /** Lets the next timer go off, and returns how long it was. */
    tick: () => {
      const [{ f, ms }] = timers.splice(0, 1);
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
