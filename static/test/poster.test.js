import assert from 'node:assert/strict';
import test from 'node:test';
import { FULL, TABLE, World } from './world.js';

/** A page that has posted a pin of piece 1. */
async function posting() {
  const world = await new World().online();
  world.sync.update(1, 'pin');
  world.net.flush();
  await world.settle();
  return world;
}

const batch = {
  client: 'q83vEjRWeJCrze8SNFZ4kA',
  epoch: 5839201347112,
  updates: [{ seq: 1, piece: 1, tag: 256, op: 'pin' }],
};

test('updates of one task share a request', async () => {
  const world = await new World().online();
  for (const id of [1, 2]) {
    world.sync.update(id, 'grab');
    world.net.flush();
  }
  await world.settle();
  assert.equal(world.requests.length, 1);
  const { url, init, body } = world.request;
  assert.deepEqual(
    [url, init.method],
    [`https://holt.example/api/v1/tables/${TABLE}/updates`, 'POST'],
  );
  assert.deepEqual(init.headers, { 'content-type': 'application/json' });
  assert.deepEqual(body.updates.map((/** @type {any} */ u) => u.seq), [1, 2]);
});

test('there is one request at a time; later updates wait for the next', async () => {
  const world = await posting();
  assert.deepEqual(world.request.body, batch);
  world.sync.update(2, 'grab');
  world.net.flush();
  await world.settle();
  assert.equal(world.requests.length, 1);
  world.request.answer(202);
  await world.settle();
  assert.deepEqual([world.requests.length, world.request.body.updates.length], [2, 1]);
  world.request.answer(202);
  await world.settle();
  assert.equal(world.requests.length, 2);
});

test('T10 a failed batch is posted again with growing delays', async () => {
  const world = await posting();
  for (const delay of [250, 500, 1000, 2000]) {
    world.request.fail();
    await world.settle();
    assert.deepEqual(world.net.status, { state: 'online', reason: 'network', retryMs: 0 });
    const { length } = world.requests;
    await world.pass(delay - 1);
    assert.equal(world.requests.length, length);
    await world.pass(1);
    assert.deepEqual([world.requests.length, world.request.body], [length + 1, batch]);
    world.socket.tell(FULL);
  }
  world.request.answer(202);
  await world.settle();
  assert.equal(world.net.status.reason, '');
});

test('S6 a request without an answer makes the page check its stream', async () => {
  const world = await posting();
  await world.pass(20_000);
  assert.ok(world.request.init.signal?.aborted);
  assert.equal(world.socket.sent.at(-1), '1200', 'it pings');
  await world.pass(15_000);
  assert.equal(world.states.at(-1), 'offline network 250');
});

for (const status of [429, 503]) {
  // Clauses: S19.7, T49.3
  test(`http ${status} waits for Retry-After, kicked or not`, async () => {
    const world = await posting();
    world.request.answer(status, { code: 'too-fast' }, { 'retry-after': '3' });
    await world.settle();
    assert.equal(world.states.at(-1), 'online too-fast');
    world.net.kick();
    world.net.flush();
    await world.pass(2999);
    assert.equal(world.requests.length, 1);
    await world.pass(1);
    assert.deepEqual(world.request.body, batch);
    world.request.answer(202);
    await world.settle();
    assert.equal(world.states.at(-1), 'online');
  });
}

test('a kick ends a wait that no server asked for', async () => {
  const world = await posting();
  world.request.fail();
  await world.settle();
  world.net.kick();
  await world.settle();
  assert.equal(world.requests.length, 2);
  await world.pass(10_000);
  assert.equal(world.requests.length, 2, 'the old delay is gone');
});

for (const [status, json] of /** @type {[number, object | null][]} */ ([
  [500, { code: 'internal' }],
  [502, null],
  [408, null],
  [200, {}], // somebody else's page
])) {
  test(`http ${status} decides nothing: the batch is posted again`, async () => {
    const world = await posting();
    world.request.answer(status, json);
    await world.pass(250);
    assert.deepEqual([world.requests.length, world.request.body], [2, batch]);
    assert.ok(world.sync.pending(1));
  });
}

test('T15.16, T15.17 a refused batch is dropped; the page asks for the full state', async () => {
  const world = await posting();
  world.sync.update(2, 'pin');
  world.request.answer(422, { code: 'impossible-value', detail: 'no', update: 0, title: 'x' });
  await world.settle();
  assert.deepEqual(world.refusals, [
    { problem: { status: 422, code: 'impossible-value', detail: 'no', update: 0 }, changed: [1] },
  ]);
  assert.deepEqual([world.socket.sent, world.net.status.state], [['0a00'], 'online']);
  assert.deepEqual(
    world.request.body.updates, [{ seq: 2, piece: 2, tag: 512, op: 'pin' }], 'and it continues',
  );
});

test('T15 a refusal without a problem document', async () => {
  const world = await posting();
  world.request.answer(413, null);
  await world.settle();
  assert.deepEqual(world.refusals[0].problem, { status: 413, code: 'unknown' });
});

test('http 401 and an unknown table end the connection', async () => {
  for (const [status, code] of /** @type {[number, string][]} */ ([
    [401, 'no-seat'],
    [404, 'no-table'],
  ])) {
    const world = await posting();
    world.request.answer(status, { code });
    await world.settle();
    assert.deepEqual([world.states.at(-1), world.socket.isClosed], [`closed ${code}`, true]);
    await world.pass(60_000);
    assert.deepEqual([world.requests.length, world.sockets.length], [1, 1]);
  }
});

test('S5 nothing is posted without a stream; pending updates go later', async () => {
  const world = await posting();
  world.socket.end(1006);
  world.request.answer(202);
  await world.settle();
  world.sync.update(2, 'pin');
  world.net.flush();
  await world.pass(250);
  assert.equal(world.requests.length, 1);
  world.socket.open();
  await world.settle();
  assert.deepEqual(world.request.body, batch);
  world.request.answer(202);
  await world.settle();
  assert.deepEqual(world.request.body.updates.map((/** @type {any} */ u) => u.seq), [2]);
});
