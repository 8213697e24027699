import assert from 'node:assert/strict';
import test from 'node:test';
import { encodeClose } from '../js/parts/datagrams/packet.js';
import { QuicSocket } from '../js/parts/datagrams/socket.js';
import { encodeUp } from '../js/net/up.js';
import { decodeFrame } from '../js/net/wire.js';
import { random } from './random.js';
import { FakeSession, faults, settle, surroundings } from './session.js';
import { BEAT, FULL, UPDATE } from './world.js';

/** A socket, its events, and the session that it has opened. @param {string[]} [hashes] */
function open(hashes = []) {
  const deps = surroundings();
  const socket = new QuicSocket({
    url: 'https://holt.example:444/datagrams',
    hashes,
    request: 'ticket=abc&client=x',
    deps,
  });
  /** @type {ArrayBuffer[]} */
  const frames = [];
  /** @type {{ code: number, reason: string }[]} */
  const ends = [];
  let opened = 0;
  socket.onopen = () => opened++;
  socket.onmessage = ({ data }) => frames.push(data);
  socket.onclose = (end) => ends.push(end);
  return {
    socket, frames, ends, opened: () => opened, session: FakeSession.all[0],
    clock: FakeSession.clock,
  };
}

/** @param {string[]} [hashes] */
async function online(hashes) {
  const world = open(hashes);
  await world.session.welcome();
  return world;
}

/** A session in which something is changed. @param {(session: FakeSession) => void} change */
function openWith(change) {
  const deps = surroundings();
  class Other extends FakeSession {
    /** @param {string} url @param {any} options */
    constructor(url, options) {
      super(url, options);
      change(this);
    }
  }
  return new QuicSocket({
    url: 'https://holt.example',
    hashes: [],
    request: '',
    deps: { ...deps, WebTransport: /** @type {any} */ (Other) },
  });
}

/** @param {Uint8Array} bytes */
const textIn = (bytes) => Buffer.from(bytes).toString('latin1');

test('D17.2, D30.11 it repeats Hello until the answer, with the given certificate', async () => {
  const { session, clock, opened, ends, socket } = open([
    Buffer.from([1, 2, 3]).toString('base64'),
  ]);
  assert.deepEqual(session.options.serverCertificateHashes, [
    { algorithm: 'sha-256', value: Uint8Array.of(1, 2, 3) },
  ]);
  assert.deepEqual([session.hellos.length, socket.readyState], [0, 0]);
  session.open?.(undefined);
  await settle();
  for (const wait of [250, 500, 1000, 1000]) {
    const { length } = session.hellos;
    await clock.pass(wait - 1);
    assert.equal(session.hellos.length, length);
    await clock.pass(1);
    assert.equal(session.hellos.length, length + 1);
  }
  assert.ok(textIn(session.hellos[0]).endsWith('ticket=abc&client=x'));
  await session.welcome();
  assert.deepEqual([opened(), socket.readyState, ends], [1, 1, []]);
  await clock.pass(10_000);
  assert.equal(session.hellos.length, 5, 'and none after it');
});

test('D17 D29 without an answer it gives up after 4 s', async () => {
  const { session, clock, ends } = open();
  session.open?.(undefined);
  await clock.pass(4000);
  assert.equal(
    session.closedBy?.closeCode, 4000,
    'a connection may exist: 0 would end the seat’s presence',
  );
  assert.deepEqual(ends, [{ code: 1006, reason: '' }]);
});

test('D29.12, D30 a refusal has a reason, a missing path has none', async () => {
  const { socket, session, ends } = open();
  await session.turnAway(4003, 'busy');
  assert.deepEqual(ends, [{ code: 4003, reason: 'busy' }]);
  const other = open();
  other.session.refuse?.();
  await settle();
  assert.deepEqual(other.ends, [{ code: 1006, reason: '' }]);
  assert.deepEqual([socket.reached, other.socket.reached], [true, false]);
});

test('D31 messages become frames, also those before the Welcome', async () => {
  const { session, frames } = await online();
  await session.tell(new Uint8Array(FULL));
  await session.tell(new Uint8Array(UPDATE));
  assert.deepEqual(
    frames.map((data) => decodeFrame(new Uint8Array(data))),
    [FULL, UPDATE].map((data) => decodeFrame(new Uint8Array(data))),
  );
});

test('D17.5, D20 messages that overtake the Welcome are kept', async () => {
  const { session, frames, clock } = open();
  const { carries, say } = session;
  /** @type {Uint8Array[]} */
  const kept = [];
  session.say = (bytes) => kept.push(bytes);
  await session.welcome();
  await session.tell(new Uint8Array(FULL));
  session.say = say;
  assert.ok(carries);
  for (const bytes of kept.toReversed()) session.say(bytes);
  await clock.pass(10);
  assert.equal(frames.length, 1);
});

test('D36 messages keep their order; motion goes by its key', async () => {
  const { socket, session } = await online();
  socket.send(encodeUp({ type: 'away', away: true }));
  socket.send(encodeUp({ type: 'motion', at: 5, pieces: [1], x: [2], y: [3] }));
  socket.send(encodeUp({ type: 'away', away: false }));
  await settle();
  assert.deepEqual(
    session.heard.map(({ number, body }) => [number, Buffer.from(body).toString('hex')]),
    [
      [0, '2a020801'],
      [1, '2a00'],
    ],
  );
  assert.deepEqual(
    session.loose.map(({ key }) => key), [1],
  );
});

test('S6 an idle stream shows signs of life and answers probes', async () => {
  const { socket, session, frames, clock } = await online();
  await session.tell(new Uint8Array(FULL));
  await clock.pass(60_000);
  assert.ok(frames.length >= 5 && frames.length <= 7, `${frames.length} frames in a minute`);
  assert.deepEqual(decodeFrame(new Uint8Array(frames.at(-1) ?? BEAT)), {
    time: 0, mark: 0, events: [],
  });
  const { length } = frames;
  socket.send(encodeUp({ type: 'ping', nonce: 0 }));
  await clock.pass(20);
  assert.equal(frames.length, length + 1, 'at once');
  assert.equal(session.loose.length, 0, 'the server ignores it');
});

test('D29.2 it asks every 500 ms in use and every 5 s otherwise', async () => {
  const { socket, session, clock } = await online();
  const sentIn = async (/** @type {number} */ ms) => {
    const { sent } = session;
    await clock.pass(ms);
    return session.sent - sent;
  };
  const lively = await sentIn(9900);
  const calm = await sentIn(20_000);
  socket.send(encodeUp({ type: 'cursor', at: 1, x: 1, y: 1 }));
  const said = await sentIn(5000);
  await clock.pass(20_000);
  await session.tell(new Uint8Array(UPDATE));
  const heard = await sentIn(5000);
  socket.hide(true);
  const hidden = await sentIn(20_000);
  for (const [name, many] of Object.entries({ lively: lively / 2, said, heard }))
    assert.ok(many >= 9 && many <= 13, `${name}: ${many} in 5 s`);
  for (const [name, many] of Object.entries({ calm, hidden }))
    assert.ok(many >= 3 && many <= 9, `${name}: ${many} in 20 s`);
});

test('D38.1 a probed line that is silent for 1.5 s is given up', async () => {
  const { session, ends, clock, socket } = await online();
  await clock.pass(3000);
  session.carries = false;
  await clock.pass(1000);
  assert.deepEqual([ends, socket.readyState], [[], 1]);
  await clock.pass(501);
  assert.deepEqual([ends.map(({ code }) => code), session.closedBy?.closeCode], [[1006], 4000]);
});

test('D38 a hidden page gives up later', async () => {
  const { session, ends, clock, socket } = await online();
  socket.hide(true);
  await clock.pass(20_000);
  assert.deepEqual(ends, [], 'a keepalive of 5 s is enough');
  session.carries = false;
  await clock.pass(999);
  assert.deepEqual(ends, []);
  await clock.pass(6000);
  assert.deepEqual(ends.map(({ code }) => code), [1006]);
});

for (const isHidden of [false, true]) {
  test(`D38 ${isHidden ? 'a hidden' : 'a visible'} page keeps a line that loses 20 %`, async () => {
    const { chance } = random(20261122);
    for (let page = 0; page < 10; page++) {
      const { socket, session, clock, ends } = await online();
      socket.hide(isHidden);
      Object.defineProperty(session, 'carries', { get: () => !chance(0.2) });
      await clock.pass(isHidden ? 300_000 : 30_000);
      assert.deepEqual(ends, [], `page ${page}`);
      socket.close(1000);
    }
  });
}

test('D38 a page with late timers asks once more before it gives up', async () => {
  const { session, ends, clock } = await online();
  await clock.pass(700);
  clock.now += 4000; // no timer runs
  await clock.pass(5000);
  assert.deepEqual(ends, [], 'the line is there');
  session.carries = false;
  await clock.pass(600);
  clock.now += 3000;
  await clock.pass(0);
  assert.deepEqual(ends, []);
  await clock.pass(1001);
  assert.deepEqual(ends.map(({ code }) => code), [1006], 'the line is gone');
});

test('D29 the server ends it by a Close, by the session or silently', async () => {
  const a = await online();
  a.session.server?.close(a.clock.now, 4002, 'out');
  a.session.flush();
  await a.clock.pass(10);
  assert.deepEqual(a.ends, [{ code: 4002, reason: 'out' }]);
  const b = await online();
  b.session.end?.({ closeCode: 1001, reason: 'stopping' });
  await settle();
  assert.deepEqual(b.ends, [{ code: 1001, reason: 'stopping' }]);
  const c = await online();
  c.session.fail?.();
  await settle();
  assert.deepEqual(c.ends, [{ code: 1006, reason: '' }]);
});

test('D29 the page ends it: the server learns why, the page hears no more', async () => {
  const { socket, session, ends, frames, clock } = await online();
  socket.close(1000);
  await settle();
  assert.deepEqual(
    [session.server?.ended?.code, session.server?.ended?.remote, session.closedBy?.closeCode],
    [1000, true, 1000],
  );
  await clock.pass(5000);
  assert.deepEqual([ends, frames, socket.readyState, clock.timers.length], [[], [], 3, 0]);
  const early = open();
  early.socket.close(4000);
  await early.clock.pass(5000);
  assert.deepEqual(
    [early.session.closedBy?.closeCode, early.ends, early.session.hellos.length], [4000, [], 0],
  );
});

test('D31 an exception in the page does not end the stream', async () => {
  const { socket, session, frames, ends } = await online();
  const { onmessage } = socket;
  socket.onmessage = () => {
    throw new Error('a fault of the page');
  };
  await session.tell(new Uint8Array(FULL));
  assert.match(String(faults.pop()), /a fault of the page/);
  socket.onmessage = onmessage;
  await session.tell(new Uint8Array(UPDATE));
  assert.deepEqual([frames.length, ends], [1, []]);
});

test('D38 the end is reported once, whoever ends it', async () => {
  let overs = 0;
  const options = {
    url: 'https://holt.example/datagrams',
    hashes: [],
    request: '',
    onOver: () => overs++,
  };
  const refused = new QuicSocket({ ...options, deps: surroundings() });
  FakeSession.all[0].refuse?.();
  await settle();
  refused.close();
  assert.equal(overs, 1);
  new QuicSocket({ ...options, deps: surroundings() }).close();
  await settle();
  assert.equal(overs, 2);
});

test('D16.2 an unreadable packet ends the connection with 1002', async () => {
  const { session, ends } = await online();
  session.say(Uint8Array.of(0x7f, 1, 2));
  await settle();
  assert.deepEqual([ends.map(({ code }) => code), session.closedBy?.closeCode], [[1002], 1002]);
  const other = await online();
  await other.session.tell(Uint8Array.of(0x1a, 0xff));
  assert.deepEqual(other.ends.map(({ code }) => code), [1002], 'and an invalid frame');
});

test('D27 nothing is written into a full path', async () => {
  let release = () => {};
  let writes = 0;
  const gate = new Promise((done) => { release = () => done(undefined); });
  const socket = openWith((session) => {
    const write = (/** @type {Uint8Array} */ bytes) => {
      if (++writes === 1) session.hellos.push(bytes);
      return gate;
    };
    session.datagrams.writable = new WritableStream(
      { write }, new CountQueuingStrategy({ highWaterMark: 2 }),
    );
  });
  const [session] = FakeSession.all;
  await session.welcome();
  for (let i = 0; i < 50; i++) socket.send(encodeUp({ type: 'cursor', at: i, x: i, y: i }));
  await settle();
  assert.equal(writes, 1, 'one is in flight, and one waits');
  release();
  await settle();
  assert.equal(writes, 3, 'then only the newest cursor is sent');
  socket.close();
});

test('D27 D38 a path that stays full is not probed for ever', async () => {
  let isFull = false;
  const socket = openWith((session) => {
    const write = async (/** @type {Uint8Array} */ bytes) => {
      if (session.hellos.length === 0) session.hellos.push(bytes);
      else session.server?.receive(FakeSession.clock.now, bytes);
      session.flush();
      if (isFull) await new Promise(() => {});
    };
    session.datagrams.writable = new WritableStream(
      { write }, new CountQueuingStrategy({ highWaterMark: 1 }),
    );
  });
  /** @type {number[]} */
  const ends = [];
  socket.onclose = ({ code }) => ends.push(code);
  const [session] = FakeSession.all;
  const { clock } = FakeSession;
  await session.welcome();
  await clock.pass(2000);
  isFull = true;
  await clock.pass(400);
  // The page acknowledges that, and has asked nothing since.
  await session.tell(new Uint8Array(UPDATE));
  assert.ok(
    clock.timers.every(({ at }) => at < Number.POSITIVE_INFINITY), 'to browsers never is now',
  );
  session.carries = false;
  await clock.pass(1400);
  assert.deepEqual(ends, []);
  await clock.pass(1000);
  assert.deepEqual(ends, [1006]);
});

test('D29 a close by the server is read though the path is full', async () => {
  const socket = openWith((session) => {
    const write = (/** @type {Uint8Array} */ bytes) => {
      session.hellos.push(bytes);
      return session.hellos.length > 1 ? new Promise(() => {}) : undefined;
    };
    session.datagrams.writable = new WritableStream(
      { write }, new CountQueuingStrategy({ highWaterMark: 1 }),
    );
  });
  /** @type {number[]} */
  const ends = [];
  socket.onclose = ({ code }) => ends.push(code);
  const [session] = FakeSession.all;
  await session.welcome();
  session.say(encodeClose(4002, ''));
  await settle();
  assert.deepEqual(ends, [4002]);
});

test('D28.2 a path below 512 bytes or of unknown size is refused', async () => {
  for (const size of [511, undefined]) {
    const { session, ends, socket } = open();
    Object.assign(session.datagrams, { maxDatagramSize: size });
    await session.welcome();
    assert.deepEqual(
      [ends, socket.readyState, session.closedBy?.closeCode],
      [[{ code: 1006, reason: '' }], 3, 4000],
    );
  }
  const { session, ends, clock } = await online();
  session.datagrams.maxDatagramSize = 512;
  await clock.pass(1000);
  assert.deepEqual(ends, []);
  session.datagrams.maxDatagramSize = 511;
  await clock.pass(1000);
  assert.deepEqual(ends, [{ code: 1006, reason: '' }]);
});

test('D20 early messages before the Welcome are bounded', async () => {
  const { session, frames, clock } = open();
  const { say } = session;
  /** @type {Uint8Array[]} */
  const kept = [];
  session.say = (bytes) => kept.push(bytes);
  await session.welcome();
  const [welcome] = kept.splice(0);
  for (let i = 0; i < 100; i++) await session.tell(new Uint8Array(UPDATE));
  session.say = say;
  for (const bytes of [...kept, welcome]) session.say(bytes);
  await settle();
  assert.equal(frames.length, 64);
  await clock.pass(1000);
  assert.equal(frames.length, 100, 'the rest is sent again');
});

test('D16 nothing is delivered after an invalid frame', async () => {
  const { session, frames, ends } = await online();
  const { server, clock } = { server: session.server, clock: FakeSession.clock };
  for (const message of [FULL, Uint8Array.of(0x1a, 0xff), UPDATE])
    server?.send(new Uint8Array(message), [], null);
  const packet = server?.next(clock.now);
  session.say(packet ?? new Uint8Array());
  await settle();
  assert.deepEqual([frames.length, ends.map(({ code }) => code)], [1, [1002]]);
});

test('D38 a browser that lacks the API fails at once', () => {
  for (const name of ['readable', 'writable']) {
    assert.throws(
      () => openWith((session) => Object.assign(session.datagrams, { [name]: undefined })),
      TypeError,
    );
    assert.ok(FakeSession.all[0].closedBy, name);
  }
});

test('D29 a session that ends silently counts as lost', async () => {
  const { session, ends } = await online();
  session.end?.(undefined);
  await settle();
  assert.deepEqual(ends, [{ code: 1006, reason: '' }]);
});

test('D38 a line heard recently lives for 1.5 s more', async () => {
  const { socket, session, ends, clock } = await online();
  await clock.pass(100);
  await session.tell(new Uint8Array(UPDATE));
  session.carries = false;
  socket.send(encodeUp({ type: 'ping', nonce: 0 }));
  await clock.pass(1499);
  assert.deepEqual(ends, []);
  await clock.pass(1);
  assert.deepEqual(ends.map(({ code }) => code), [1006]);
});

test('D24 a hidden page acknowledges at once, without a timer', async () => {
  const { socket, session, clock } = await online();
  await session.tell(new Uint8Array(FULL));
  assert.ok((session.server?.waiting ?? 0) > 0, 'a visible page delays it');
  await clock.pass(20);
  socket.hide(true);
  await session.tell(new Uint8Array(UPDATE));
  assert.equal(session.server?.waiting, 0);
});

test('D28.1, D28.6 a path with a lower limit gets smaller packets', async () => {
  /** @type {number[]} */
  const sizes = [];
  const socket = openWith((session) => {
    const write = (/** @type {Uint8Array} */ bytes) => {
      sizes.push(bytes.length);
      session.hellos.push(bytes);
    };
    session.datagrams.writable = new WritableStream({ write });
  });
  const [session] = FakeSession.all;
  await session.welcome();
  const long = new Uint8Array(4000).fill(0x2a);
  const largest = async () => {
    sizes.length = 0;
    socket.send(long);
    await settle();
    return Math.max(...sizes);
  };
  for (const most of [1200, 600, 1400]) {
    session.datagrams.maxDatagramSize = most;
    const size = await largest();
    // A block, and the acknowledgement.
    assert.ok(size <= most && size > most - 40, `${size} of ${most}`);
  }
  socket.close();
});

test('D17 an answer to another Hello is ignored', async () => {
  const { session, socket, ends } = open();
  session.open?.(undefined);
  await settle();
  const own = session.hellos[0].slice();
  session.hellos.push(own.fill(0xee, 2, 10));
  await session.welcome();
  await session.turnAway(4003, 'busy');
  assert.deepEqual([socket.readyState, ends], [0, []]);
  session.hellos.pop();
  await session.welcome();
  assert.equal(socket.readyState, 1);
});

test('D29 a page that closes amid a packet gets no more of it', async () => {
  const { socket, session } = await online();
  let told = 0;
  socket.onmessage = () => {
    told++;
    socket.close();
  };
  for (const message of [FULL, UPDATE]) session.server?.send(new Uint8Array(message), [], null);
  session.flush();
  await settle();
  assert.equal(told, 1);
});

test('D29 a hidden page with one timer a minute keeps its line', async () => {
  const deps = surroundings();
  const { clock } = FakeSession;
  let late = 1; // timers run at multiples of this many ms
  const setTimeout = (/** @type {() => void} */ f, /** @type {number} */ ms) =>
    clock.setTimeout(f, Math.ceil((clock.now + ms) / late) * late - clock.now);
  const socket = new QuicSocket({
    url: 'https://holt.example',
    hashes: [],
    request: '',
    deps: { ...deps, setTimeout },
  });
  /** @type {number[]} */
  const ends = [];
  let frames = 0;
  socket.onmessage = () => frames++;
  socket.onclose = ({ code }) => ends.push(code);
  const [session] = FakeSession.all;
  await session.welcome();
  await session.tell(new Uint8Array(FULL));
  socket.hide(true);
  late = 60_000;
  await clock.pass(600_000);
  assert.deepEqual([ends, session.server?.ended, session.server?.waiting], [[], null, 0]);
  const before = frames;
  await session.tell(new Uint8Array(UPDATE));
  assert.equal(frames, before + 1, 'it is delivered at once');
  session.carries = false;
  await clock.pass(120_000);
  assert.deepEqual(ends, [4000]);
});
