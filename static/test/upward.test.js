// Updates that go up by datagrams (docs/protocol/datagram.md, D39, D40).

import assert from 'node:assert/strict';
import test from 'node:test';
import { decode } from '../js/net/protobuf.js';
import { UP } from '../js/net/messages.js';
import { Writer } from '../js/net/writer.js';
import { createRequests } from '../js/parts/datagrams/requests.js';
import { footprint } from '../js/parts/datagrams/upward.js';
import { Outbox } from '../js/sync/outbox.js';
import { RESUMED, World } from './world.js';

/**
 * A request, as the page has given it to its connection.
 *
 * @typedef {{ number: number, alone: boolean, seqs: number[], deps: number[] }} Sent
 */

/**
 * The answer to a request.
 *
 * @param {number} request
 * @param {number} status
 * @param {number} [retryAfter]
 * @param {string} [problem]
 */
function answer(request, status, retryAfter = 0, problem = '') {
  const event = new Writer();
  event.uint(1, request);
  event.uint(2, status);
  event.uint(3, retryAfter);
  event.string(4, problem);
  const frame = new Writer();
  frame.uint(1, 1);
  return frame.message(3, new Writer().message(24, event)).bytes().buffer;
}

/** @param {Uint8Array} up @param {unknown[]} deps @returns {Sent} */
function read(up, deps) {
  assert.ok(up.length <= 4096, 'D14.1 a message has at most 4 KiB');
  const { up: updates } = decode(up, UP);
  const { request, alone } = updates;
  const batch = JSON.parse(new TextDecoder().decode(updates.batch));
  const seqs = batch.updates.map((/** @type {any} */ u) => u.seq);
  const numbers = /** @type {Sent[]} */ (deps).map(({ number }) => number);
  return { number: request, alone, seqs, deps: numbers.sort((a, b) => a - b) };
}

/** Makes the open socket take updates. @param {World} world */
function takes(world) {
  /** @type {Sent[]} */
  const sent = [];
  const hasRoom = { now: true };
  const send = (/** @type {Uint8Array} */ up, /** @type {unknown[]} */ deps) => {
    if (!hasRoom.now) return null;
    const one = read(up, deps);
    sent.push(one);
    return one;
  };
  Object.assign(world.socket, {
    requests: (/** @type {import('../js/types.js').RequestsHost<any>} */ host) =>
      createRequests(send, host),
  });
  return { sent, hasRoom };
}

/** Pins pieces, each in a task of its own. @param {World} world @param {...number} pieces */
async function pins(world, ...pieces) {
  for (const piece of pieces) {
    world.sync.update(piece, 'pin');
    world.net.flush();
    await world.settle();
  }
}

/** A page whose first request by datagrams was answered. */
async function proved() {
  const world = await new World().online();
  const line = takes(world);
  await pins(world, 1);
  world.socket.tell(answer(1, 202));
  await world.settle();
  line.sent.length = 0;
  return { world, ...line };
}

/** @param {World} world */
const posted = (world) =>
  world.requests.flatMap(({ body }) => body.updates.map((/** @type {any} */ u) => u.seq));

test('D39.1, D40.5, D40.6 the first request goes alone, then several, without a POST', async () => {
  const world = await new World().online();
  const { sent } = takes(world);
  await pins(world, 1, 2);
  assert.deepEqual(sent, [{ number: 1, alone: true, seqs: [1], deps: [] }]);
  world.socket.tell(answer(1, 202));
  await world.settle();
  await pins(world, 1, 2);
  assert.deepEqual(sent.slice(1), [
    { number: 2, alone: true, seqs: [2], deps: [] },
    { number: 3, alone: false, seqs: [3], deps: [] },
    { number: 4, alone: false, seqs: [4], deps: [2] },
  ]);
  for (let i = 0; i < 30; i++) await pins(world, 1);
  assert.equal(sent.length, 17, '16 are under way');
  world.socket.tell(answer(2, 202));
  await world.settle();
  assert.equal(sent.at(-1)?.seqs.length, 17, 'the rest goes in one batch');
  assert.deepEqual(world.requests, []);
});

test('D39.4, D39.5, D39.8 a batch waits for what is about the same', async () => {
  const { world, sent } = await proved();
  const { sync } = world;
  const ask = async (/** @type {() => void} */ make) => {
    make();
    world.net.flush();
    await world.settle();
  };
  await ask(() => sync.update(1, 'move', { x: 5, y: 5 }));
  await ask(() => sync.update(2, 'move', { x: 6, y: 6 }));
  await ask(() => sync.make('add', { kind: 1, x: 5, y: 5 }));
  await ask(() => sync.update(2, 'move', { x: 5, y: 5 }));
  await ask(() => sync.update(1, 'pin'));
  await ask(() => sync.blind(1, 'draw'));
  await ask(() => sync.update(2, 'pin'));
  assert.deepEqual(sent.map(({ number, deps }) => [number, deps]), [
    [2, []], [3, []], [4, []], [5, [2, 3]], [6, [2]], [7, [4, 5, 6]], [8, [7]],
  ]);
});

test('D40.7, D40.10 what has no answer for 3 s is posted, in order', async () => {
  const { world, sent } = await proved();
  await pins(world, 1, 2, 1);
  world.socket.tell(answer(3, 202));
  await world.pass(2999);
  assert.deepEqual(posted(world), []);
  await world.pass(1);
  assert.deepEqual(posted(world), [2, 4]);
  world.request.answer(202);
  await world.settle();
  await pins(world, 2);
  assert.deepEqual(posted(world), [2, 4, 5], 'by HTTP, as long as answers are due');
  world.request.answer(202);
  for (const request of [2, 4]) world.socket.tell(answer(request, 202));
  await world.settle();
  sent.length = 0;
  await pins(world, 1);
  assert.deepEqual(sent, [{ number: 5, alone: true, seqs: [6], deps: [] }]);
});

test('D40.8 what was not accepted is posted after Retry-After', async () => {
  const { world } = await proved();
  await pins(world, 1, 2);
  world.socket.tell(answer(2, 503, 2, '{"status":503,"code":"busy"}'));
  await world.settle();
  assert.equal(world.states.at(-1), 'online busy');
  world.socket.tell(answer(3, 424, 0, '{"status":424,"code":"dependency"}'));
  await world.pass(1999);
  assert.deepEqual(posted(world), []);
  await world.pass(1);
  assert.deepEqual(posted(world), [2, 3]);
});

test('D40.9, T15.15 an invalid batch is dropped, and what was made on it', async () => {
  const { world } = await proved();
  world.sync.update(1, 'move', { x: 5, y: 5 });
  world.net.flush();
  await world.settle();
  await pins(world, 1, 2);
  const problem = '{"status":422,"code":"impossible-value","detail":"no","update":0}';
  world.socket.tell(answer(2, 422, 0, problem));
  for (const request of [3, 4]) {
    world.socket.tell(answer(request, 424, 0, '{"status":424,"code":"dependency"}'));
  }
  await world.settle();
  assert.deepEqual(posted(world), [4], 'only what is about another piece');
  assert.equal(world.socket.said.at(-1), '0a00', 'it asks for the full state');
});

test('D39.7 a batch without room, or too large, goes by HTTP behind the others', async () => {
  const { world, sent, hasRoom } = await proved();
  await pins(world, 1);
  world.sync.update(2, 'write', { text: '"'.repeat(2000) });
  world.net.flush();
  await world.settle();
  assert.deepEqual([sent.length, posted(world)], [1, []]);
  world.socket.tell(answer(2, 202));
  await world.settle();
  assert.deepEqual(posted(world), [3]);
  world.request.answer(202);
  await world.settle();
  hasRoom.now = false;
  await pins(world, 1);
  assert.deepEqual(posted(world), [3, 4]);
});

for (const [name, fail] of /** @type {[string, (world: World) => Promise<void>][]} */ ([
  ['is refused', async (world) => {
    world.socket.tell(answer(2, 424, 0, '{"status":424,"code":"dependency"}'));
    await world.settle();
  }],
  ['has no answer', (world) => world.pass(3000)],
])) {
  test(`D40.7, D40.8 a large batch stays behind one before it that ${name}`, async () => {
    const { world, sent } = await proved();
    await pins(world, 1);
    world.sync.update(1, 'write', { text: '"'.repeat(2000) });
    world.net.flush();
    await world.settle();
    assert.deepEqual([sent.length, posted(world)], [1, []]);
    await fail(world);
    assert.deepEqual(posted(world), [2, 3]);
  });
}

test('D40.7 a clock that is set back delays no post', async () => {
  const { world } = await proved();
  await pins(world, 1);
  world.setBack = 3_600_000;
  await world.pass(3000);
  assert.deepEqual(posted(world), [2]);
});

test('D39.4 a container that gets another name is the same one', () => {
  const outbox = new Outbox();
  outbox.add(/** @type {any} */ ({
    piece: 1, op: 'stow', args: { into: 7 }, seq: 0, blind: true, loose: false, lost: [],
  }));
  const batch = outbox.take(() => false, () => 0) ?? [];
  outbox.rename(7, 8);
  outbox.rename(8, 9);
  const { pieces } = footprint(outbox.inFlight.get(batch) ?? []);
  assert.ok(pieces.has(7) && pieces.has(9));
});

test('T10.4 no sequence lies 512 above one that is under way', () => {
  const outbox = new Outbox();
  const add = (/** @type {number} */ piece) => {
    const update = /** @type {any} */ ({
      piece, op: 'pin', args: {}, seq: 0, blind: true, loose: false, lost: [],
    });
    outbox.add(update);
    return update;
  };
  const take = () => outbox.take(() => false, () => 0, 1)?.map(({ seq }) => seq) ?? [];
  const first = add(1);
  const late = outbox.take(() => false, () => 0) ?? [];
  outbox.drop(first); // by a conflict, while its batch is on its way
  for (let i = 0; i < 600; i++) {
    add(2);
    const batch = outbox.take(() => false, () => 0);
    if (!batch) break;
    outbox.delivered(batch);
    outbox.drop(/** @type {any} */ ([...outbox.sent.values()].at(-1)));
  }
  assert.equal(outbox.last, 512);
  outbox.delivered(late);
  assert.deepEqual(take(), [513]);
});

test('S5.26, D40.7 a lost stream posts all that has no outcome', async () => {
  const { world } = await proved();
  await pins(world, 1, 2);
  world.socket.end(1006);
  await world.pass(10_000);
  world.socket.open(RESUMED);
  await world.settle();
  assert.deepEqual(posted(world), [1, 2, 3]);
});
