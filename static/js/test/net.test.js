import assert from 'node:assert/strict';
import test from 'node:test';
import { BEAT, GOING_FOR_GOOD, GOING_IN_2500, NONSENSE, TABLE, UPDATE, World } from './world.js';

const RESYNC = '0a00';

test('S1 the stream is opened with the client and, on a reconnect, the lowest outstanding sequence', async () => {
  const world = await new World().online();
  const url = `wss://holt.example/api/v1/tables/${TABLE}/stream?client=q83vEjRWeJCrze8SNFZ4kA`;
  assert.deepEqual([world.socket.url, world.socket.protocols, world.socket.binaryType], [url, 'holt.v1', 'arraybuffer']);
  world.sync.update(1, 'pin');
  world.net.flush();
  await world.settle();
  world.request.answer(202);
  await world.settle();
  world.socket.end(1006);
  await world.pass(250);
  assert.equal(world.socket.url, `${url}&seq=1`);
});

test('S2 online is when the full state has come', async () => {
  const world = new World();
  world.net.open();
  world.socket.onopen?.({});
  assert.deepEqual([world.net.status.state, world.states], ['connecting', []]);
  world.socket.open();
  assert.deepEqual([world.states, world.outcomes[0].full], [['online'], true]);
});

test('S6 reconnects come after 0.25 s, doubled up to 10 s, each between half and all of it', async () => {
  const world = await new World().online();
  for (const [chance, delay] of [[1, 250], [0, 250], [1, 1000], [0, 1000], [1, 4000], [0, 4000], [1, 10_000], [0, 5000], [0.5, 7500]]) {
    world.chance = chance;
    const before = world.sockets.length;
    world.socket.onopen?.({});
    world.socket.end(1006);
    assert.deepEqual(world.net.status, { state: 'offline', reason: 'network', retryMs: delay });
    await world.pass(delay - 1);
    assert.equal(world.sockets.length, before);
    await world.pass(1);
    assert.equal(world.sockets.length, before + 1);
    assert.equal(world.net.status.state, 'connecting');
  }
});

test('S6 the delays begin anew after a connection that has lasted', async () => {
  const world = await new World().online();
  for (const [online, delay] of [[0, 250], [9_000, 500], [9_999, 1000], [10_000, 250]]) {
    await world.pass(online);
    world.socket.end(1006);
    assert.equal(world.net.status.retryMs, delay);
    await world.pass(delay);
    world.socket.open();
  }
});

test('S6 a kick opens the stream at once', async () => {
  const world = await new World().online();
  world.isOnline = false;
  world.socket.end(1006);
  assert.equal(world.net.status.retryMs, 10_000, 'without a network there is no hurry');
  world.isOnline = true;
  world.net.kick();
  assert.equal(world.sockets.length, 2);
  world.net.kick();
  assert.equal(world.sockets.length, 2, 'one attempt is enough');
  world.socket.open();
  await world.pass(9_000);
  assert.equal(world.sockets.length, 2, 'nothing is left of the old delay');
  world.socket.end(1006);
  assert.equal(world.net.status.retryMs, 250, 'nor of its growth');
});

test('S6 an opening that does not come to a full state is given up', async () => {
  const world = new World();
  world.net.open();
  world.socket.onopen?.({});
  await world.pass(15_000);
  assert.deepEqual([world.sockets[0].isClosed, world.states], [true, ['offline network 250']]);
});

test('S6 after 40 s of silence the stream is dead', async () => {
  const world = await new World().online();
  await world.pass(39_999);
  assert.equal(world.net.status.state, 'online');
  await world.pass(1);
  assert.deepEqual([world.sockets[0].isClosed, world.states.at(-1)], [true, 'offline network 250']);
});

test('S6 a beat every 15 s keeps it alive', async () => {
  const world = await new World().online();
  for (let minute = 0; minute < 10; minute += 0.25) {
    await world.pass(15_000);
    world.socket.tell(BEAT);
  }
  assert.deepEqual([world.states, world.sockets.length, world.socket.sent], [['online'], 1, []]);
});

test('S6 a woken page asks when a beat is overdue, and reconnects when it has slept for too long', async () => {
  const world = await new World().online();
  await world.pass(16_000);
  world.net.kick();
  assert.deepEqual(world.socket.sent, [], 'it may still come');
  await world.pass(1);
  world.net.kick();
  world.net.kick();
  assert.deepEqual(world.socket.sent, [RESYNC]);
  world.socket.tell(UPDATE);
  await world.pass(15_000);
  assert.equal(world.net.status.state, 'online');
  world.now += 3_600_000; // no timer runs while the machine sleeps
  world.net.kick();
  assert.deepEqual([world.sockets.length, world.sockets[0].isClosed, world.states.at(-1)], [2, true, 'connecting']);
});

test('S6 a question without an answer ends the stream', async () => {
  const world = await new World().online();
  await world.pass(20_000);
  world.net.kick();
  await world.pass(15_000);
  assert.equal(world.states.at(-1), 'offline network 250');
});

for (const [code, reason] of /** @type {[number, string][]} */ ([
  [1002, 'protocol'],
  [1003, 'protocol'],
  [1009, 'protocol'],
  [4001, 'taken-over'],
  [4002, 'seat-withdrawn'],
  [4004, 'table-closed'],
])) {
  test(`S8 S9 after close code ${code} it does not come back`, async () => {
    const world = await new World().online();
    world.socket.end(code);
    await world.pass(60_000);
    assert.deepEqual([world.states.at(-1), world.sockets.length, world.timers.length], [`closed ${reason}`, 1, 0]);
    world.net.kick();
    world.net.flush();
    assert.equal(world.sockets.length, 1);
  });
}

for (const [code, reason] of /** @type {[number, string][]} */ ([
  [1001, 'stopping'],
  [1006, 'network'],
  [1011, 'fault'],
  [4000, 'network'],
])) {
  test(`S2 after close code ${code} it comes back`, async () => {
    const world = await new World().online();
    world.socket.end(code);
    assert.equal(world.states.at(-1), `offline ${reason} 250`);
    await world.pass(250);
    world.socket.open();
    assert.equal(world.states.at(-1), 'online');
  });
}

test('S2 a server that is stopping says when to come back, or that it is for good', async () => {
  const world = await new World().online();
  world.socket.tell(GOING_IN_2500);
  world.socket.end(1001);
  assert.equal(world.states.at(-1), 'offline stopping 2750');
  await world.pass(2750);
  world.socket.open();
  await world.pass(10_000);
  world.socket.end(1006);
  assert.equal(world.states.at(-1), 'offline network 250', 'it said so only once');
  await world.pass(250);
  world.socket.open();
  world.socket.tell(GOING_FOR_GOOD);
  world.socket.end(1001);
  assert.equal(world.states.at(-1), 'closed table-closed');
});

test('S3 what is no frame ends the stream', async () => {
  for (const data of [NONSENSE, 'text']) {
    const world = await new World().online();
    world.socket.tell(data);
    assert.deepEqual([world.sockets[0].isClosed, world.states.at(-1)], [true, 'offline fault 250']);
    world.sockets[0].tell(UPDATE);
    world.sockets[0].end(1006);
    assert.deepEqual([world.outcomes.length, world.states.at(-1)], [1, 'offline fault 250'], 'it is not listened to any more');
  }
});

test('S1 a stream that is turned away asks why', async () => {
  for (const [status, code, want] of /** @type {[number, string, string][]} */ ([
    [401, 'no-seat', 'closed no-seat'],
    [404, 'no-table', 'closed no-table'],
    [404, 'nowhere', 'offline network 250'],
    [200, '', 'offline network 250'],
    [503, 'busy', 'offline network 250'],
  ])) {
    const world = new World();
    world.net.open();
    world.socket.end(1006);
    assert.deepEqual([world.request.url, world.request.init.method], [`https://holt.example/api/v1/tables/${TABLE}`, 'GET']);
    world.request.answer(status, { code });
    await world.settle();
    assert.equal(world.states.at(-1), want);
  }
});

test('S1 an answer that comes when the stream was opened anew says nothing', async () => {
  const world = new World();
  world.net.open();
  world.socket.end(1006);
  const asked = world.request;
  await world.pass(15_000);
  assert.equal(world.states.at(-1), 'offline network 250', 'it does not wait for the answer for ever');
  await world.pass(250);
  world.socket.open();
  asked.answer(401, { code: 'no-seat' });
  await world.settle();
  assert.equal(world.states.at(-1), 'online');
});

test('S1 a server that is not there is asked again', async () => {
  const world = new World();
  world.net.open();
  world.socket.end(1006);
  world.request.fail();
  await world.settle();
  assert.equal(world.states.at(-1), 'offline network 250');
});

test('leaving ends everything', async () => {
  const world = await new World().online();
  world.net.close();
  world.net.close();
  assert.deepEqual([world.states.at(-1), world.socket.isClosed, world.timers.length], ['closed left', true, 0]);
  const lost = await new World().online();
  lost.socket.end(1006);
  lost.net.close();
  await lost.pass(60_000);
  assert.equal(lost.sockets.length, 1);
});
