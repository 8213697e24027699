import assert from 'node:assert/strict';
import test from 'node:test';
import { createHandover } from '../js/parts/datagrams/handover.js';
import { Clock } from './session.js';

const OFFER = { ticket: 'abc', webtransport: 'https://holt.example/datagrams' };

/** A page with datagrams that come and go as the test says. */
function page() {
  const clock = new Clock();
  const world = {
    clock,
    idle: true,
    still: true,
    /** @type {() => Promise<import('../js/parts/datagrams/handover.js').Offer | null>} */
    answer: async () => OFFER,
    movable: true,
    asked: 0,
    /** Each function ends one move. @type {(() => void)[]} */
    moves: [],
    stop: () => {},
  };
  world.stop = createHandover({
    deps: { setTimeout: clock.setTimeout, clearTimeout: clock.clearTimeout, now: clock.ticks },
    isIdle: () => world.idle,
    isStill: () => world.still,
    ask: () => {
      world.asked++;
      return world.answer();
    },
    move: (offer, onOver) => {
      assert.deepEqual(offer, OFFER);
      if (world.movable) world.moves.push(onOver);
      return world.movable;
    },
  });
  return world;
}

test('D37.1 a handover begins when nothing is pending, and once', async () => {
  const p = page();
  p.idle = false;
  await p.clock.pass(30_000);
  assert.deepEqual([p.asked, p.moves.length], [0, 0]);
  p.idle = true;
  await p.clock.pass(1000);
  assert.deepEqual([p.asked, p.moves.length], [1, 1]);
  await p.clock.pass(3_600_000);
  assert.deepEqual([p.asked, p.moves.length], [1, 1]);
});

test('D37.1 a handover waits for a second without motion, 20 s at most', async () => {
  const p = page();
  p.still = false;
  await p.clock.pass(5000);
  p.still = true;
  await p.clock.pass(500);
  p.still = false;
  await p.clock.pass(500);
  assert.equal(p.asked, 0, 'it has rested for a moment only');
  p.still = true;
  await p.clock.pass(1000);
  assert.equal(p.asked, 1);
  const busy = page();
  busy.still = false;
  await busy.clock.pass(20_000);
  assert.equal(busy.asked, 0);
  await busy.clock.pass(500);
  assert.equal(busy.asked, 1);
});

test('D38.6 a failed handover is retried after one and five minutes, then never', async () => {
  const p = page();
  await p.clock.pass(1000);
  for (const [i, pause] of [60_000, 300_000].entries()) {
    p.moves[i]();
    await p.clock.pass(pause + 499);
    assert.equal(p.moves.length, i + 1);
    await p.clock.pass(1);
    assert.equal(p.moves.length, i + 2);
  }
  p.moves[2]();
  await p.clock.pass(86_400_000);
  assert.deepEqual([p.asked, p.moves.length], [3, 3]);
});

test('D38.7 a failure after a minute of success counts as the first', async () => {
  const p = page();
  await p.clock.pass(1000);
  for (let i = 0; i < 5; i++) {
    await p.clock.pass(60_000);
    p.moves[i]();
    await p.clock.pass(60_500);
    assert.equal(p.moves.length, i + 2);
  }
});

test('D30 no offer ends the attempts; no answer is retried', async () => {
  const none = page();
  none.answer = async () => null;
  await none.clock.pass(86_400_000);
  assert.equal(none.asked, 1);
  const silent = page();
  silent.answer = async () => {
    throw new TypeError('failed to fetch');
  };
  await silent.clock.pass(1000);
  await silent.clock.pass(60_499);
  assert.equal(silent.asked, 1);
  await silent.clock.pass(1);
  assert.equal(silent.asked, 2);
  await silent.clock.pass(86_400_000);
  assert.equal(silent.asked, 3);
});

test('D37 a stream lost while the page asks makes it ask again', async () => {
  const p = page();
  p.movable = false;
  await p.clock.pass(1000);
  assert.deepEqual([p.asked, p.moves.length], [1, 0]);
  p.movable = true;
  await p.clock.pass(1000);
  assert.deepEqual([p.asked, p.moves.length], [2, 1]);
});

test('D37 a handover waits if the page becomes busy while it asks', async () => {
  const p = page();
  p.answer = async () => {
    p.idle = p.asked > 1;
    return OFFER;
  };
  await p.clock.pass(1000);
  assert.deepEqual([p.asked, p.moves.length], [1, 0]);
  await p.clock.pass(10_000);
  assert.deepEqual([p.asked, p.moves.length], [1, 0]);
  p.idle = true;
  await p.clock.pass(1000);
  assert.deepEqual([p.asked, p.moves.length], [2, 1]);
});

test('D38 a session that the browser refuses is retried later', async () => {
  const p = page();
  p.moves.push = () => {
    throw new DOMException('not supported');
  };
  await p.clock.pass(1000);
  assert.equal(p.asked, 1);
  await p.clock.pass(60_499);
  assert.equal(p.asked, 1);
  await p.clock.pass(1);
  assert.equal(p.asked, 2);
});

test('D38 a stopped handover does nothing', async () => {
  const p = page();
  p.stop();
  await p.clock.pass(10_000);
  assert.equal(p.asked, 0);
  const late = page();
  let answer = (/** @type {any} */ _) => {};
  late.answer = () => new Promise((done) => { answer = done; });
  await late.clock.pass(1000);
  late.stop();
  answer(OFFER);
  await late.clock.pass(10_000);
  assert.equal(late.moves.length, 0);
});
