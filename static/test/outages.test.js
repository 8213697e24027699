// How soon a page notices that its line is cut, at twenty phases of its timers. The figures are in
// docs/performance.md: node --test-reporter=tap --test static/test/outages.test.js prints them.

import assert from 'node:assert/strict';
import test from 'node:test';
import { QuicSocket } from '../js/parts/datagrams/socket.js';
import { encodeUp } from '../js/net/up.js';
import { FakeSession, surroundings } from './session.js';
import { BEAT, FULL, World } from './world.js';

const TRIALS = 20;

/** @param {import('node:test').TestContext} t @param {number[]} times milliseconds */
function report(t, times) {
  const sorted = times.toSorted((a, b) => a - b);
  const [least, middle, most] = [0, Math.floor(TRIALS / 2), TRIALS - 1].map(
    (i) => (sorted[i] / 1000).toFixed(2),
  );
  t.diagnostic(`${least} / ${middle} / ${most} s`);
}

test('S6.5 a page notices a WebSocket that is cut 25 to 40 s after the cut', async (t) => {
  const times = [];
  for (let i = 0; i < TRIALS; i++) {
    const world = await new World().online();
    for (let beats = 0; beats < 3; beats++) {
      await world.pass(15_000);
      world.socket.tell(BEAT);
    }
    await world.pass((15_000 * i) / TRIALS);
    const cut = world.now;
    while (world.net.status.state === 'online' && world.now < cut + 60_000) await world.pass(100);
    times.push(world.now - cut);
  }
  report(t, times);
  assert.ok(times.every((ms) => ms > 25_000 && ms <= 40_000), `${times}`);
});

/**
 * Opens a stream by datagrams, cuts it, and returns after how many milliseconds the page has given
 * it up.
 *
 * @param {(socket: QuicSocket, pass: (ms: number) => Promise<void>) => Promise<void>} before
 * @param {number} after when it is cut
 */
async function cut(before, after) {
  const socket = new QuicSocket({
    url: 'https://holt.example:444/datagrams', hashes: [], request: 'ticket=abc&client=x',
    deps: surroundings(),
  });
  const [session] = FakeSession.all;
  const { clock } = FakeSession;
  let ended = Number.NaN;
  socket.onclose = () => {
    ended = clock.now;
  };
  await session.welcome();
  await session.tell(new Uint8Array(FULL));
  await before(socket, (ms) => clock.pass(ms));
  await clock.pass(after);
  session.carries = false;
  const begun = clock.now;
  await clock.pass(30_000);
  return ended - begun;
}

for (const { name, before, keepalive, bound } of [
  {
    name: 'in use', keepalive: 500, bound: 1500,
    /** @type {Parameters<typeof cut>[0]} */
    before: async (socket) => socket.send(encodeUp({ type: 'cursor', at: 1, x: 1, y: 1 })),
  },
  {
    name: 'that rests', keepalive: 5000, bound: 6500,
    /** @type {Parameters<typeof cut>[0]} */
    before: (_, pass) => pass(20_000),
  },
  {
    name: 'that is hidden', keepalive: 5000, bound: 6500,
    /** @type {Parameters<typeof cut>[0]} */
    before: async (socket, pass) => {
      socket.hide(true);
      await pass(20_000);
    },
  },
]) {
  test(`D38.1, D29.2, D29.3 a page ${name} notices cut datagrams in ${bound} ms`, async (t) => {
    const times = [];
    for (let i = 0; i < TRIALS; i++) times.push(await cut(before, (2 * keepalive * i) / TRIALS));
    report(t, times);
    // What was under way at the cut has still come: some milliseconds.
    assert.ok(times.every((ms) => ms > 0 && ms <= bound + 50), `${times}`);
  });
}
