import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { CloseError } from '../js/parts/datagrams/graph.js';
import { Handle } from '../js/parts/datagrams/sender.js';
import { encodeClose, encodeHello, readClose, readWelcome } from '../js/parts/datagrams/packet.js';
import { End, Lossy } from './lossy.js';
import { random } from './random.js';

/** @param {number} n @param {number} [size] */
const text = (n, size = 8) => Uint8Array.from({ length: size }, (_, i) => (n * 31 + i * 7) & 0xff);

/**
 * Sends a plan: each message depends on some of those before it, and is sent as soon as the window
 * has space.
 *
 * @param {Lossy} line
 * @param {End} from
 * @param {{ size: number, backs: number[] }[]} plan
 * @param {number} [every] ms between them
 */
function sendAll(line, from, plan, every = 1) {
  /** @type {Handle[]} */
  const handles = [];
  plan.forEach(({ size, backs }, n) => {
    handles.push(new Handle());
    const deps = backs.map((back) => handles[n - back]).filter(Boolean);
    assert.ok(
      line.until(() => from.conn.send(text(n, size), deps, handles[n]), 30_000),
      `there is room for message ${n}`,
    );
    line.pass(every);
  });
}

/**
 * Checks that everything was executed once, after what it depends on.
 *
 * @param {End} at
 * @param {{ size: number, backs: number[] }[]} plan
 */
function inOrder(at, plan) {
  const places = new Map(at.executed.map(({ number }, i) => [number, i]));
  assert.equal(at.executed.length, plan.length);
  assert.equal(places.size, plan.length);
  for (const { number, body } of at.executed) {
    assert.deepEqual(body, text(number, plan[number].size), `message ${number}`);
    for (const back of plan[number].backs) {
      if (back <= number)
        assert.ok(
          Number(places.get(number - back)) < Number(places.get(number)),
          `${number} after ${number - back}`,
        );
    }
  }
}

/** @param {number} seed @param {number} messages @param {number} [most] */
function planOf(seed, messages, most = 400) {
  const dice = random(seed);
  return Array.from({ length: messages }, () => ({
    size: dice.chance(0.02) ? dice.below(20_000) : dice.below(most),
    backs: Array.from({ length: dice.below(4) }, () => 1 + dice.below(30)),
  }));
}

test('D4 D22 D25 D26 every message arrives once, in order, over any line', () => {
  const weather = fc.record({
    seed: fc.nat(),
    loss: fc.constantFrom(0, 0.01, 0.1, 0.3),
    copies: fc.constantFrom(0, 0.1),
    delay: fc.constantFrom(0, 10, 100),
    jitter: fc.constantFrom(0, 5, 80),
  });
  fc.assert(
    fc.property(weather, ({ seed, ...w }) => {
      const line = new Lossy(seed, w);
      const [down, up] = [planOf(seed, 120), planOf(seed + 1, 20, 60)];
      sendAll(line, line.page, up);
      sendAll(line, line.server, down);
      assert.ok(
        line.until(
          () =>
            line.page.executed.length === down.length && line.server.executed.length === up.length,
          30_000,
        ),
      );
      inOrder(line.page, down);
      inOrder(line.server, up);
      assert.ok(line.until(() => line.page.conn.waiting + line.server.conn.waiting === 0, 30_000));
      assert.deepEqual([line.page.conn.ended, line.server.conn.ended], [null, null]);
    }),
    { numRuns: 40 },
  );
});

test('D26 one lost packet delays only what depends on it', () => {
  const line = new Lossy(1, { delay: 25 });
  const [a, b] = [new Handle(), new Handle()];
  line.pass(200);
  line.server.conn.send(text(0), [], a);
  line.weather.swallows = () => true;
  line.pass(0);
  line.weather.swallows = () => false;
  for (let n = 1; n < 30; n++) {
    line.pass(5);
    if (n === 1) line.server.conn.send(text(n), [a], b);
    else line.server.conn.send(text(n), [], null);
  }
  line.pass(300);
  const at = new Map(line.page.executed.map((m) => [m.number, m.at]));
  assert.equal(at.size, 30);
  const began = 200;
  assert.ok(Number(at.get(2)) <= began + 10 + 26, 'independent messages arrive at once');
  assert.ok(
    Number(at.get(0)) > began + 50 && Number(at.get(0)) < began + 110,
    `the lost packet arrives after three more: ${at.get(0)}`,
  );
  assert.equal(at.get(1), at.get(0), 'together with those that waited for it');
});

test('D26 a lost last packet is sent again without a later one', () => {
  const line = new Lossy(2, { delay: 25 });
  line.pass(100);
  line.page.conn.send(text(1), [], null);
  line.weather.swallows = () => true;
  line.pass(0);
  line.weather.swallows = () => false;
  line.pass(200);
  assert.equal(line.server.executed.length, 1);
});

test('D26 a connection survives two seconds without a line', () => {
  const line = new Lossy(3, { delay: 20, blackout: [500, 2500] });
  const plan = planOf(3, 300, 100);
  sendAll(line, line.server, plan, 10);
  assert.ok(line.until(() => line.page.executed.length === plan.length, 3000));
  inOrder(line.page, plan);
});

test('D24.1 acknowledgements are merged: a quiet line costs little', () => {
  const line = new Lossy(4, { delay: 20 });
  line.pass(100);
  const before = line.page.sent;
  for (let n = 0; n < 100; n++) {
    line.server.conn.send(text(n), [], null);
    line.pass(4);
  }
  assert.ok(line.page.sent - before <= 51, `${line.page.sent - before} packets for 100 that asked`);
});

test('D24 a hidden page acknowledges at once: its timers come late', () => {
  const line = new Lossy(5, { delay: 20 });
  line.pass(100);
  line.page.conn.setAckAtOnce(true);
  line.server.conn.send(text(0), [], null);
  line.pass(41);
  assert.equal(line.server.conn.waiting, 0);
});

test('D29.1, D29.9 an idle end asks after the keepalive; a path dies after 10 s', () => {
  const line = new Lossy(6, { delay: 20 }, { keepalive: 500 });
  line.pass(100);
  const { sent } = line.page;
  line.pass(10_000);
  assert.ok(
    line.page.sent - sent >= 19 && line.page.sent - sent <= 24,
    `${line.page.sent - sent} packets in 10 s`,
  );
  assert.ok(line.now - line.page.conn.heard < 600);
  line.weather.swallows = () => true;
  const code = () => line.page.conn.ended?.code;
  line.pass(9000);
  assert.equal(code(), undefined);
  line.pass(1000);
  assert.equal(code(), 4000);
});

test('D29.22 a graceful close follows earlier messages, also lost ones', () => {
  const line = new Lossy(7, { delay: 20 });
  line.pass(300);
  let lost = 0;
  line.weather.swallows = () => lost++ < 3;
  for (let n = 0; n < 5; n++) line.page.conn.send(text(n), [], null);
  line.page.conn.close(line.now, 1000, '');
  assert.equal(line.page.conn.send(text(9), [], null), false, 'nothing follows it');
  assert.ok(line.until(() => line.page.conn.ended !== null, 1001));
  assert.equal(line.server.executed.length, 5);
  assert.equal(line.page.conn.ended?.code, 1000);
});

test('D29 another close comes at once and is repeated on demand', () => {
  const line = new Lossy(8, { delay: 20 });
  line.pass(100);
  line.server.conn.close(line.now, 4000, 'a reason');
  line.weather.swallows = ([kind]) => kind === 0x04;
  line.pass(10);
  line.weather.swallows = () => false;
  line.page.conn.send(text(0), [], null);
  line.pass(100);
  assert.deepEqual(
    [line.page.conn.ended?.code, line.page.conn.ended?.reason, line.page.conn.ended?.remote],
    [4000, 'a reason', true],
  );
  const { sent } = line.server;
  for (let i = 0; i < 10; i++) line.server.conn.receive(line.now, Uint8Array.of(0x40, 0, i));
  line.pass(10);
  assert.ok(line.server.sent - sent <= 2, 'three times at most');
});

test('D15.2 only the newest unguaranteed message of a key is sent', () => {
  const line = new Lossy(9, { delay: 20 });
  line.pass(100);
  const { conn } = line.page;
  for (let n = 0; n < 3; n++) assert.ok(conn.sendUnguaranteed(line.now, 1, text(n)));
  conn.sendUnguaranteed(line.now, 2, text(7));
  line.pass(30);
  assert.deepEqual(
    line.server.loose.map(({ key, body }) => [key, body]),
    [
      [1, text(2)],
      [2, text(7)],
    ],
  );
  assert.equal(
    conn.sendUnguaranteed(line.now, 1, text(0, 1200)), false, 'it has to fit into a packet',
  );
});

test('D28.3 pending packets that are now too large are split', () => {
  const line = new Lossy(10, { delay: 20, swallows: (bytes) => bytes.length > 700 });
  line.pass(100);
  line.page.conn.send(text(1, 3000), [], null);
  line.page.conn.send(text(2, 1000), [], null);
  line.pass(1);
  line.page.conn.resize(700);
  line.pass(200);
  assert.deepEqual(
    line.server.executed.map(({ body }) => body).sort((a, b) => a.length - b.length),
    [text(2, 1000), text(1, 3000)],
  );
});

test('D28.4 packets grow with the path and nothing is sent again for it', () => {
  const line = new Lossy(13, { delay: 20 });
  line.pass(100);
  /** @type {number[]} */
  const sizes = [];
  line.weather.swallows = (bytes) => {
    sizes.push(bytes.length);
    return false;
  };
  line.page.conn.send(text(1, 3000), [], null);
  line.pass(1);
  line.page.conn.resize(1400);
  line.page.conn.send(text(2, 3000), [], null);
  line.pass(200);
  assert.deepEqual(line.server.executed.map(({ body }) => body), [text(1, 3000), text(2, 3000)]);
  assert.ok(Math.max(...sizes) > 1350 && Math.max(...sizes) <= 1400, `${sizes}`);
  assert.ok(sizes.reduce((all, size) => all + size) < 6600, `${sizes}`);
});

test('D10 an overloaded line lives by progress; a missing message ends it', () => {
  const line = new Lossy(12, { delay: 20 });
  line.pass(100);
  let free = 0;
  line.weather.swallows = (bytes) => {
    if (bytes.length < 500) return false;
    if (line.now < free) return true;
    free = line.now + 150;
    return false;
  };
  const began = line.now;
  const handles = Array.from({ length: 200 }, () => new Handle());
  for (const [n, handle] of handles.entries())
    line.server.conn.send(text(n, 1000), handles.slice(Math.max(0, n - 1), n), handle);
  line.pass(20);
  line.server.conn.send(text(200), handles.slice(-1), null);
  assert.ok(
    line.until(() => line.page.executed.length === 201, 60_000),
    `${line.page.executed.length} are executed, and then ${line.page.conn.ended}`,
  );
  assert.ok(line.now - began > 29_000, `${line.now - began} ms`);
  line.weather.swallows = (bytes) => bytes.length > 500;
  line.server.conn.send(text(201, 1000), [], null);
  line.pass(20);
  line.server.conn.send(text(202), [], null);
  const lost = line.now;
  assert.ok(line.until(() => line.page.conn.ended !== null, 12_000));
  assert.deepEqual([line.page.conn.ended?.code, line.page.executed.length], [4000, 202]);
  assert.ok(line.now - lost > 11_000, `${line.now - lost} ms`);
});

test('D3.4, D14 a full window takes nothing until acknowledgements come', () => {
  const line = new Lossy(
    11, { delay: 20 }, { peerLimits: { message: 100, window: 382 } },
    { takes: { message: 100, window: 382 } },
  );
  const { conn } = line.page;
  assert.deepEqual([1, 2, 3].map((n) => conn.send(text(n, 100), [], null)), [true, true, false]);
  assert.equal(conn.send(text(0, 101), [], null), false, 'nor an oversized one');
  line.pass(100);
  assert.ok(conn.send(text(3, 100), [], null));
});

test('D14 D16 a breach of a bound ends the connection', () => {
  /** @type {[string, number, string][]} */
  const rows = [
    ['an unknown kind', 1002, '7f'],
    ['an unknown flag', 1002, '440000'],
    ['cut short', 1002, '4000'],
    ['an acknowledgement of an unsent packet', 1002, '41000000050000000000'],
    ['an unknown record', 1002, '40000011'],
    ['a number not in its shortest form', 1002, '4000008000'],
    ['an oversized message', 1009, `4000000700008180800800${'10'}${'00'.repeat(16)}`],
    ['an undersized fragment', 1002, `4000000700001000${'10'}${'00'.repeat(16)}`],
  ];
  for (const [name, code, hex] of rows) {
    const { page } = new Lossy(12, {});
    page.conn.receive(0, Uint8Array.from(Buffer.from(hex, 'hex')));
    assert.equal(page.conn.ended?.code, code, name);
  }
});

test('D16 arbitrary packets neither throw nor exceed the bounds', () => {
  const starts = fc.constantFrom('40', '41', '42', '43', '04', '03', '01', '7f', '');
  const packets = fc.array(fc.tuple(starts, fc.uint8Array({ maxLength: 80 })), { maxLength: 20 });
  fc.assert(fc.property(packets, (list) => {
    const { page } = new Lossy(13, {}, { takes: { message: 4096, window: 8192 } });
    for (const [start, bytes] of list) {
      page.conn.receive(1, Uint8Array.from([...Buffer.from(start, 'hex'), ...bytes]));
      for (let i = 0; i < 5; i++) page.conn.next(20);
    }
    assert.ok(page.conn.ended === null || page.conn.ended instanceof CloseError);
  }), { numRuns: 2000 });
});

test('D17 D19 D29 Hello, Welcome and Close have their exact bytes', () => {
  const client = text(5);
  const hello = encodeHello({
    client, takes: { message: 1 << 24, window: 3 << 23 }, request: 'ticket=ä',
  });
  const [name, request] = [client, Buffer.from('ticket=ä')].map((bytes) =>
    Buffer.from(bytes).toString('hex'),
  );
  assert.equal(Buffer.from(hello).toString('hex'), `0101${name}00808080088080800c0009${request}`);
  const welcome = Uint8Array.from(
    Buffer.from(`0301${name}${'11'.repeat(8)}8020808010${'22'.repeat(16)}00`, 'hex'),
  );
  assert.deepEqual(readWelcome(welcome), { client, takes: { message: 4096, window: 262_144 } });
  const codeOf = (/** @type {Uint8Array} */ bytes) => {
    try {
      readWelcome(bytes);
      return 0;
    } catch (error) {
      return error instanceof CloseError ? error.code : -1;
    }
  };
  assert.equal(codeOf(Uint8Array.from(welcome, (b, i) => (i === 1 ? 2 : b))), 1010);
  for (let n = 1; n < welcome.length; n++)
    assert.equal(codeOf(welcome.subarray(0, n)), 1002, `${n} bytes`);
  const named = Uint8Array.from([0x04, ...client, 0x0f, 0xa3, ...Buffer.from('too-many')]);
  assert.deepEqual(readClose(named, true), { client, code: 4003, reason: 'too-many' });
  const long = readClose(encodeClose(1000, 'ü'.repeat(100)));
  assert.deepEqual([long.code, long.reason], [1000, 'ü'.repeat(61)], 'cut between characters');
});

test('D27.1, D27.2 a full flight still sends probes and recovers', () => {
  const line = new Lossy(14, { delay: 20 });
  line.pass(100);
  line.weather.swallows = () => true;
  let taken = 0;
  for (let n = 0; n < 5000; n++) {
    if (line.server.conn.send(text(n), [], null)) taken++;
    line.pass(1);
  }
  const { sent } = line.server;
  assert.ok(taken === 5000 && sent < 4300, `${sent} packets for ${taken} messages`);
  line.pass(3000);
  assert.ok(
    line.server.sent - sent >= 2 && line.server.sent - sent < 10,
    `${line.server.sent - sent} probes in 3 s`,
  );
  line.weather.swallows = () => false;
  assert.ok(line.until(() => line.page.executed.length === 5000, 5000));
  line.pass(1000);
  const calm = line.server.sent;
  line.pass(4000);
  assert.ok(line.server.sent - calm <= 3, 'and sleeps again');
});
