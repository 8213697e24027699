import assert from 'node:assert/strict';
import test from 'node:test';
import { Writer } from '../js/net/writer.js';
import { followCatalog } from '../js/view/newestcatalog.js';
import {
  BEAT, FULL, GOING_FOR_GOOD, GOING_IN_2500, NONSENSE, PUT_OUT, pong, RESUMED, TABLE, UPDATE, World,
} from './world.js';

const PROBE = '1200';

const STREAM = `wss://holt.example/api/v1/tables/${TABLE}/stream?client=q83vEjRWeJCrze8SNFZ4kA`;
const KNOWN = '&epoch=5839201347112&mark=2'; // of the full state

test('S1.6 a stream is opened with the client’s version and pending updates', async () => {
  const world = await new World().online();
  const { socket } = world;
  assert.deepEqual(
    [socket.url, socket.protocols, socket.binaryType],
    [`${STREAM}&attempt=1`, 'holt.v1', 'arraybuffer'],
  );
  world.sync.update(1, 'pin');
  world.net.flush();
  await world.settle();
  world.request.answer(202);
  await world.settle();
  world.socket.end(1006);
  await world.pass(250);
  assert.equal(world.socket.url, `${STREAM}&attempt=2${KNOWN}&seq=1`);
});

test('S5 S2 a resumed stream is online, too', async () => {
  const world = await new World().online();
  world.socket.end(1006);
  await world.pass(250);
  world.socket.open(BEAT);
  assert.equal(world.net.status.state, 'connecting', 'no single frame does that');
  world.socket.tell(RESUMED);
  assert.deepEqual(
    [world.states.at(-1), world.outcomes.at(-1)?.resumed, world.sync.mark], ['online', true, 2],
  );
});

test('S5 after a fault the client resumes nothing', async () => {
  const world = await new World().online();
  world.socket.tell(NONSENSE);
  await world.pass(250);
  assert.equal(world.socket.url, `${STREAM}&attempt=2`);
  world.socket.open();
  world.socket.end(1006);
  await world.pass(500);
  assert.equal(world.socket.url, `${STREAM}&attempt=3${KNOWN}`);
  world.socket.open(RESUMED);
  world.socket.end(1011);
  await world.pass(1000);
  assert.equal(world.socket.url, `${STREAM}&attempt=4`);
});

test('S8 each attempt has a greater number, also after a refusal', async () => {
  const world = await new World().online();
  for (let attempt = 2; attempt < 6; attempt++) {
    if (attempt === 2) world.socket.end(1006);
    await world.pass(10_000);
    assert.equal(world.socket.url, `${STREAM}&attempt=${attempt}${KNOWN}`);
    world.socket.end(1006); // status 409 for the attempt, which a script cannot read
    world.request.answer(200);
    await world.settle();
  }
  await world.pass(10_000);
  world.socket.open(RESUMED);
  assert.equal(world.net.status.state, 'online');
});

test('S9 too many messages make the page reconnect more slowly', async () => {
  const world = await new World().online();
  world.chance = 0;
  world.socket.end(1008);
  assert.equal(world.states.at(-1), 'offline too-fast 5000');
});

test('S2 online begins with the full state', async () => {
  const world = new World();
  world.net.open();
  world.socket.onopen?.({});
  assert.deepEqual([world.net.status.state, world.states], ['connecting', []]);
  world.socket.open();
  assert.deepEqual([world.states, world.outcomes[0].full], [['online'], true]);
});

test('S6.6, S6.7 delays double from 0.25 to 10 s and are shortened at random', async () => {
  const world = new World();
  world.net.open();
  for (const [chance, delay] of [
    [1, 250],
    [0, 250],
    [1, 1000],
    [0, 1000],
    [1, 4000],
    [0, 4000],
    [1, 10_000],
    [0, 5000],
    [0.5, 7500],
  ]) {
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

test('S6.9 the delays start over after a connection that lasted', async () => {
  const world = await new World().online();
  for (const [online, delay] of [[0, 250], [9_000, 500], [9_999, 1000], [10_000, 250]]) {
    await world.pass(online);
    world.socket.end(1006);
    assert.equal(world.net.status.retryMs, delay);
    await world.pass(delay);
    world.socket.open();
  }
});

test('S6.8 the delays stay within 2.5 s when the server is killed repeatedly', async () => {
  const world = await new World().online();
  world.chance = 1;
  for (let kill = 0; kill < 12; kill++) {
    await world.pass(1000);
    world.socket.end(1006);
    for (let down = 0; down < 3; down++) {
      assert.ok(world.net.status.retryMs <= 2500, `${world.net.status.retryMs} ms`);
      await world.pass(world.net.status.retryMs);
      if (down < 2) world.socket.end(1006);
    }
    world.socket.open();
  }
});

test('S6.10 a kick opens the stream at once', async () => {
  const world = await new World().online();
  world.isOnline = false;
  world.socket.end(1006);
  assert.equal(world.net.status.retryMs, 10_000, 'without a network it waits');
  world.isOnline = true;
  world.net.kick();
  assert.equal(world.sockets.length, 2);
  world.net.kick();
  assert.equal(world.sockets.length, 2, 'one attempt is enough');
  world.socket.open();
  await world.pass(9_000);
  assert.equal(world.sockets.length, 2, 'the old delay is gone');
  world.socket.end(1006);
  assert.equal(world.net.status.retryMs, 250, 'and so is its growth');
});

test('S6 an opening without a full state is given up', async () => {
  const world = new World();
  world.net.open();
  world.socket.onopen?.({});
  await world.pass(15_000);
  assert.deepEqual([world.sockets[0].isClosed, world.states], [true, ['offline network 250']]);
});

test('S6.5 a stream that is silent for 40 s is dead', async () => {
  const world = await new World().online();
  await world.pass(39_999);
  assert.equal(world.net.status.state, 'online');
  await world.pass(1);
  assert.deepEqual([world.sockets[0].isClosed, world.states.at(-1)], [true, 'offline network 250']);
});

test('S6 a heartbeat every 15 s keeps it alive', async () => {
  const world = await new World().online();
  for (let minute = 0; minute < 10; minute += 0.25) {
    await world.pass(15_000);
    world.socket.tell(BEAT);
  }
  assert.deepEqual([world.states, world.sockets.length, world.socket.said], [['online'], 1, []]);
});

test('S6 after a silence the page checks the stream when the person returns', async () => {
  const world = await new World().online();
  world.net.kick();
  assert.equal(world.socket.sent.filter((up) => up === PROBE).length, 0, 'just now it was');
  await world.pass(20_000);
  world.net.kick();
  world.net.kick();
  assert.ok(world.socket.sent.includes(PROBE));
  world.socket.tell(UPDATE);
  await world.pass(15_000);
  assert.deepEqual([world.net.status.state, world.sockets.length], ['online', 1]);
  world.net.kick();
  await world.pass(4999);
  assert.equal(world.net.status.state, 'online');
  await world.pass(1);
  assert.equal(
    world.states.at(-1), 'offline network 250', 'a question without an answer ends the stream',
  );
});

for (const [name, wake] of /** @type {[string, (world: World) => void][]} */ ([
  ['the person comes back', (world) => world.net.kick()],
  ['the page is resumed', (world) => world.net.wake()],
  ['a timer comes late', (world) => world.timers.find((t) => t.at < world.now)?.f()],
])) {
  test(`S6.11 a machine that slept for an hour reconnects when ${name}`, async () => {
    const world = await new World().online();
    await world.pass(1000);
    world.now += 3_600_000; // no timer runs while the machine sleeps
    wake(world);
    assert.deepEqual(
      [world.sockets.length, world.sockets[0].isClosed, world.states.at(-1)],
      [2, true, 'connecting'],
    );
    world.socket.open(RESUMED);
    await world.pass(10);
    assert.deepEqual([world.net.status.state, world.socket.pings.length], ['online', 1]);
  });
}

test('S6 a hanging attempt restarts when the network is back', async () => {
  const world = await new World().online();
  world.socket.end(1006);
  await world.pass(250);
  world.net.kick();
  assert.equal(world.sockets.length, 2, 'it has only just begun');
  await world.pass(5000);
  world.net.kick();
  assert.deepEqual([world.sockets.length, world.sockets[1].isClosed], [3, true]);
});

test('S15 three pings once synchronised, then every 30 s; pongs give the time', async () => {
  const world = await new World().online();
  const at = world.now;
  assert.deepEqual(
    [world.net.serverDoubt(), world.net.serverNow()], [Number.POSITIVE_INFINITY, 1],
    'before: the time of the frame',
  );
  /** @type {number[]} */
  const pongs = [];
  world.socket.onping = (/** @type {number} */ nonce) => {
    pongs.push(world.now - at);
    world.socket.tell(pong(nonce, 5_000_000 + world.now - at));
  };
  for (let s = 0; s < 70; s++) {
    await world.pass(1000);
    if (s % 15 === 14) world.socket.tell(BEAT);
  }
  assert.deepEqual(pongs, [0, 1000, 3000, 33_000, 63_000]);
  assert.equal(world.net.serverNow(), 5_070_000.5);
  assert.ok(world.net.serverDoubt() < 2);
});

for (const [code, reason] of /** @type {[number, string][]} */ ([
  [1002, 'protocol'],
  [1003, 'protocol'],
  [1009, 'protocol'],
  [4001, 'taken-over'],
  [4002, 'seat-withdrawn'],
  [4004, 'table-closed'],
])) {
  test(`S8 S9 close code ${code} is final`, async () => {
    const world = await new World().online();
    world.socket.end(code);
    await world.pass(60_000);
    assert.deepEqual(
      [world.states.at(-1), world.sockets.length, world.timers.length], [`closed ${reason}`, 1, 0],
    );
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
  test(`S2 close code ${code} leads to a reconnect`, async () => {
    const world = await new World().online();
    world.socket.end(code);
    assert.equal(world.states.at(-1), `offline ${reason} 250`);
    await world.pass(250);
    world.socket.open();
    assert.equal(world.states.at(-1), 'online');
  });
}

test('S2, S16.7, S16.8 a stopping server says when to come back, or never', async () => {
  const world = await new World().online();
  world.socket.tell(GOING_IN_2500);
  world.socket.end(1001);
  assert.equal(world.states.at(-1), 'offline stopping 2750');
  await world.pass(2750);
  world.socket.open();
  await world.pass(10_000);
  world.socket.end(1006);
  assert.equal(world.states.at(-1), 'offline network 250', 'it announced that once only');
  await world.pass(250);
  world.socket.open();
  world.socket.tell(GOING_FOR_GOOD);
  world.socket.end(1001);
  assert.equal(world.states.at(-1), 'closed table-closed');
});

test('S20.7 a player who is put out does not reconnect', async () => {
  for (const code of [4002, 1006]) {
    const world = await new World().online();
    world.socket.tell(PUT_OUT);
    world.socket.end(code);
    assert.equal(world.states.at(-1), 'closed seat-withdrawn');
  }
});

test('S3 an invalid frame ends the stream', async () => {
  for (const data of [NONSENSE, 'text']) {
    const world = await new World().online();
    world.socket.tell(data);
    assert.deepEqual([world.sockets[0].isClosed, world.states.at(-1)], [true, 'offline fault 250']);
    world.sockets[0].tell(UPDATE);
    world.sockets[0].end(1006);
    assert.deepEqual(
      [world.outcomes.length, world.states.at(-1)], [1, 'offline fault 250'],
      'nothing more is read from it',
    );
  }
});

test('S1, S22.4 a refused stream asks for the reason', async () => {
  for (const [status, code, want] of /** @type {[number, string, string][]} */ ([
    [401, 'no-seat', 'closed no-seat'],
    [404, 'no-table', 'closed no-table'],
    [500, 'damaged', 'closed damaged'],
    [404, 'nowhere', 'offline network 250'],
    [200, '', 'offline network 250'],
    [503, 'busy', 'offline network 250'],
  ])) {
    const world = new World();
    world.net.open();
    world.socket.end(1006);
    assert.deepEqual(
      [world.request.url, world.request.init.method],
      [`https://holt.example/api/v1/tables/${TABLE}`, 'GET'],
    );
    world.request.answer(status, { code });
    await world.settle();
    assert.equal(world.states.at(-1), want);
  }
});

test('S1 a late answer is ignored after the stream is open again', async () => {
  const world = new World();
  world.net.open();
  world.socket.end(1006);
  const asked = world.request;
  await world.pass(15_000);
  assert.equal(
    world.states.at(-1), 'offline network 250', 'it stops waiting for the answer',
  );
  await world.pass(250);
  world.socket.open();
  asked.answer(401, { code: 'no-seat' });
  await world.settle();
  assert.equal(world.states.at(-1), 'online');
});

test('S1 the page keeps asking a server that does not answer', async () => {
  const world = new World();
  world.net.open();
  world.socket.end(1006);
  world.request.fail();
  await world.settle();
  assert.equal(world.states.at(-1), 'offline network 250');
});

test('S14 giving up a stream and leaving have different close codes', async () => {
  const world = await new World().online();
  await world.pass(40_000);
  const [given] = world.sockets;
  await world.pass(250);
  world.net.close();
  assert.deepEqual([given.code, world.socket.code], [4000, 1000]);
});

test('leaving ends everything', async () => {
  const world = await new World().online();
  world.net.close();
  world.net.close();
  assert.deepEqual(
    [world.states.at(-1), world.socket.isClosed, world.timers.length], ['closed left', true, 0],
  );
  const lost = await new World().online();
  lost.socket.end(1006);
  lost.net.close();
  await lost.pass(60_000);
  assert.deepEqual([lost.sockets.length, lost.timers.length], [1, 0]);
});

/** One frame with the events of several. @param {ArrayBuffer[]} frames */
const joined = (...frames) =>
  new Uint8Array(frames.flatMap((frame) => [...new Uint8Array(frame)])).buffer;

test('S18.7 a frame is processed whole, at once', async () => {
  const world = new World();
  /** What the page knows when it hears of a frame. @type {unknown[]} */
  const known = [];
  const push = world.outcomes.push.bind(world.outcomes);
  world.outcomes.push = (outcome) => {
    known.push([world.sync.epoch > 0, world.sync.pieces.size, world.net.status.state]);
    return push(outcome);
  };
  world.net.open();
  world.socket.open(joined(FULL, UPDATE, GOING_IN_2500));
  assert.equal(world.outcomes.length, 1, 'before anything else can run');
  const [outcome] = world.outcomes;
  assert.deepEqual(known, [[true, 3, 'online']], 'two pieces of the full state and another');
  assert.equal(outcome.full, true);
  assert.equal(outcome.going?.afterMs, 2500);
});

test('S18.8 a catalogue is fetched after the frame that names it', async () => {
  const world = new World();
  /** What the page knows when it fetches. @type {unknown[]} */
  const fetched = [];
  const catalogs = followCatalog({
    named: () => world.sync.info?.catalog,
    load: async (hash) => {
      fetched.push([hash, world.sync.pieces.size]);
      return hash;
    },
    take: () => {},
    onFailed: () => assert.fail('nothing fails'),
  });
  const push = world.outcomes.push.bind(world.outcomes);
  world.outcomes.push = (outcome) => {
    catalogs.check();
    return push(outcome);
  };
  world.net.open();
  world.socket.open(joined(FULL, UPDATE));
  const hash = world.sync.info?.catalog;
  assert.ok(hash, 'the full state names a catalogue');
  assert.deepEqual(fetched, [[hash, 3]], 'once, when the update behind the full state is there');
  world.socket.tell(UPDATE);
  assert.equal(fetched.length, 1, 'not again while it stays the same');
});

test('S21.5 updates are posted with the server life and the version of the stream', async () => {
  const life = '0123456789abcdeffedcba9876543210';
  const whole = new Writer();
  whole.uint(1, 5);
  whole.raw(40, Uint8Array.from(Buffer.from(life, 'hex')));
  const frame = new Writer();
  frame.uint(2, 65_536);
  frame.message(3, new Writer().message(1, whole));
  const world = new World();
  world.net.open();
  world.socket.open(frame.bytes().buffer);
  world.socket.tell(UPDATE); // a later version
  const { mark } = world.sync;
  assert.deepEqual([world.sync.life, mark], [life, 2]);
  world.sync.update(12, 'pin');
  world.net.flush();
  await world.settle();
  const address = new URL(world.request.url);
  assert.equal(address.pathname, `/api/v1/tables/${TABLE}/updates`);
  assert.deepEqual([...address.searchParams], [['life', life], ['mark', `${mark}`]]);
});
