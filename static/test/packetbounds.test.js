// Times and bounds of a connection by datagrams, each at its limit, with packets that are made by
// hand.

import assert from 'node:assert/strict';
import test from 'node:test';
import { costOf, encodeHeader } from '../js/parts/datagrams/header.js';
import {
  ASKING, Builder, kindOf, readRecords, readStart, markQuiet, writeFragment, writeStart, writeWhole,
} from '../js/parts/datagrams/packet.js';
import { Conn } from '../js/parts/datagrams/connection.js';
import { RoundTrip } from '../js/parts/datagrams/roundtrip.js';

/** @typedef {import('../js/parts/datagrams/packet.js').Ack} Ack */

/**
 * One end, at time 0, and what it has executed.
 *
 * @param {{ message?: number, window?: number }} [takes]
 * @param {boolean} [repeatsOverdue]
 */
function end({ message = 2 ** 20, window = 2 ** 20 } = {}, repeatsOverdue = false) {
  /** @type {string[]} */
  const executed = [];
  const note = (/** @type {Uint8Array} */ body) => executed.push(Buffer.from(body).toString());
  const conn = new Conn({
    now: 0,
    largest: 1200,
    keepalive: 5000,
    takes: { message, window },
    peerLimits: { message: 2 ** 20, window: 2 ** 20 },
    execute: (_, body) => note(body.subarray(0, 10)),
    executeUnguaranteed: (_, body) => note(body),
    repeatsOverdue,
  });
  return { conn, executed, code: () => conn.ended?.code ?? 0 };
}

/**
 * A packet.
 *
 * @param {number} number
 * @param {(b: Builder) => void} write
 * @param {Partial<Ack>} [ack]
 */
function packet(number, write, ack) {
  const b = new Builder(16_384);
  writeStart(b, number & 0xffff, ack ? { latest: 0, delay: 0, floor: 0, bits: [], ...ack } : null);
  write(b);
  return b.done();
}

/**
 * A packet that acknowledges, and asks for nothing.
 *
 * @param {number} number
 * @param {Partial<Ack>} ack
 */
const acknowledging = (number, ack) => packet(number, markQuiet, ack);

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);

/**
 * A packet with a guaranteed message.
 *
 * @param {number} number
 * @param {number} message
 * @param {number[]} [deps]
 * @param {Uint8Array} [body]
 */
const telling = (number, message, deps = [], body = bytes(`m${message}`)) =>
  packet(number, (b) => writeWhole(b, encodeHeader({ number: message, deps }), body));

/** The packets that it sends now. @param {Conn} conn @param {number} now */
function sent(conn, now) {
  const packets = [];
  for (let p = conn.next(now); p; p = conn.next(now)) packets.push(p);
  return packets;
}

/** The numbers of the guaranteed messages in packets. @param {Uint8Array[]} packets */
function messages(packets) {
  const records = packets
    .filter((p) => kindOf(p) === 'data')
    .flatMap((p) => readRecords(readStart(p).from, 0));
  return records.flatMap((r) => (r.type === 'loose' ? [] : [r.header.number]));
}

/** The bytes of the unguaranteed ones. @param {Uint8Array[]} packets */
function loose(packets) {
  const records = packets.flatMap((p) => readRecords(readStart(p).from, 0));
  return records.flatMap((r) => (r.type === 'loose' ? [Buffer.from(r.body).toString()] : []));
}

/** Whether a packet asks for an acknowledgement. @param {Uint8Array} p */
const asks = (p) => !readStart(p).quiet;

test('D14.2, D14.5 waiting messages and unfinished ones share one window', () => {
  const size = 600;
  const fragment = (/** @type {number} */ number, /** @type {number} */ message) =>
    packet(number, (b) =>
      writeFragment(b, encodeHeader({ number: message, deps: [] }), new Uint8Array(size), 0, 16),
    );
  const waiting = (/** @type {number} */ number, /** @type {number} */ message) =>
    telling(number, message, [0], new Uint8Array(size));
  const room = { window: 2 * costOf({ number: 1, deps: [0] }, size) };
  const parts = end(room);
  for (const p of [fragment(0, 1), fragment(1, 2)]) parts.conn.receive(0, p);
  assert.equal(parts.code(), 0);
  parts.conn.receive(0, fragment(2, 3));
  assert.equal(parts.code(), 1009, 'three unfinished messages');
  for (const third of [fragment(2, 3), waiting(2, 3)]) {
    const both = end(room);
    for (const p of [fragment(0, 1), waiting(1, 2)]) both.conn.receive(0, p);
    assert.equal(both.code(), 0);
    both.conn.receive(0, third);
    assert.equal(both.code(), 1009, 'one of each, and another');
  }
  const whole = end(room);
  for (const p of [fragment(0, 1), waiting(1, 2), telling(2, 0)]) whole.conn.receive(0, p);
  assert.deepEqual(
    [whole.code(), whole.executed.length], [0, 2], 'a message that need not wait takes no room',
  );
});

test('D15.3, D15.4 unguaranteed messages expire after 100 ms or beyond 64', () => {
  for (const [at, many] of [[99, 1], [100, 0]]) {
    const { conn } = end();
    conn.sendUnguaranteed(0, 1, bytes('a'));
    assert.equal(loose(sent(conn, at)).length, many, `after ${at} ms`);
  }
  const { conn } = end();
  for (let i = 0; i < 66; i++) conn.sendUnguaranteed(0, 0, bytes(`${i}`));
  const went = loose(sent(conn, 1));
  assert.deepEqual([went.length, went[0], went.at(-1)], [64, '2', '65']);
});

test('D22.4 a packet more than 128 below the highest is dropped', () => {
  for (const [number, executed] of /** @type {[number, string[]][]} */ ([
    [200 - 128, ['m0']],
    [200 - 129, []],
  ])) {
    const at = end();
    at.conn.receive(0, packet(200, (b) => b.byte(ASKING)));
    at.conn.receive(1, telling(number, 0));
    assert.deepEqual([at.executed, at.code()], [executed, 0], `${number}`);
  }
});

test('D22.7 acknowledging an unsent packet ends the connection', () => {
  const wrong = /** @type {[string, Partial<Ack>][]} */ ([
    ['a packet', { latest: 1 }],
    [
      'a packet before the first',
      { latest: 0, bits: [true, false, false, false, false, false, false, false] },
    ],
    ['a message that waits to be sent', { latest: 0, floor: 2 }],
    ['a message', { latest: 0, floor: 3 }],
  ]);
  for (const [name, ack] of wrong) {
    const { conn, code } = end();
    conn.send(bytes('a'), [], null);
    sent(conn, 0);
    conn.send(bytes('b'), [], null);
    conn.receive(1, acknowledging(0, ack));
    assert.equal(code(), 1002, name);
  }
  const { conn, code } = end();
  for (const now of [0, 1, 2]) {
    conn.send(bytes('a'), [], null);
    sent(conn, now);
  }
  conn.receive(3, acknowledging(0, { latest: 2 }));
  conn.receive(4, acknowledging(1, { latest: 1 }));
  assert.equal(code(), 1002, 'less than the one before');
});

test('D22.6 an acknowledgement counts unless a later one came first', () => {
  const { conn, code } = end();
  conn.send(bytes('a'), [], null);
  sent(conn, 0);
  conn.receive(1, packet(7, (b) => b.byte(ASKING))); // it has no records, and changes nothing
  conn.receive(1, acknowledging(6, { latest: 0 }));
  conn.receive(1, acknowledging(5, { latest: 9 })); // this would end the connection
  assert.deepEqual([conn.waiting, code()], [0, 0]);
  conn.receive(1, acknowledging(8, { latest: 9 }));
  assert.equal(code(), 1002);
});

test('D24.6, D24.7 unguaranteed messages ask for an acknowledgement after 100 ms', () => {
  const { conn } = end();
  const says = (/** @type {number} */ now) => {
    conn.sendUnguaranteed(now, 1, bytes('a'));
    return sent(conn, now).map(asks);
  };
  assert.deepEqual([says(0), says(99), says(100), says(199), says(200)].flat(), [
    true, false, true, false, true,
  ]);
});

test('D25.7 fragments of one message with different sizes end the connection', () => {
  const { conn, code } = end();
  for (const [number, size] of [[0, 600], [1, 616]]) {
    assert.equal(code(), 0);
    conn.receive(
      0,
      packet(number, (b) =>
        writeFragment(
          b, encodeHeader({ number: 0, deps: [] }), new Uint8Array(size), 16 * number,
          16 * number + 16,
        ),
      ),
    );
  }
  assert.equal(code(), 1002);
});

/**
 * An end that has sent a number of packets at time 0, each with a message of its own.
 *
 * @param {number} many
 */
function sender(many) {
  const { conn } = end();
  for (let i = 0; i < many; i++) {
    conn.send(bytes(`${i}`), [], null);
    sent(conn, 0);
  }
  return conn;
}

/** The bits of an acknowledgement. @param {number} latest @param {number[]} came */
function bitsOf(latest, came) {
  const size = 8 * Math.ceil((latest - Math.min(...came)) / 8);
  return Array.from({ length: size }, (_, i) => came.includes(latest - 1 - i));
}

test('D26.1 a packet is lost when the third after it is acknowledged', () => {
  const conn = sender(4);
  conn.receive(1, acknowledging(0, { latest: 2 }));
  assert.deepEqual(messages(sent(conn, 1)), []);
  conn.receive(1, acknowledging(1, { latest: 3 }));
  assert.deepEqual(messages(sent(conn, 1)), [0], 'and not 1, with two later ones only');
});

for (const [overtaken, distance] of [[20, 21], [63, 60]]) {
  test(`D26.2 after reordering by ${overtaken} the threshold of loss is ${distance}`, () => {
    const conn = sender(200);
    conn.receive(1, acknowledging(0, { latest: 3 }));
    assert.deepEqual(messages(sent(conn, 1)), [0]);
    const latest = overtaken + 1;
    conn.receive(
      1, acknowledging(1, { latest: overtaken, floor: 1, bits: bitsOf(overtaken, [0]) }),
    );
    sent(conn, 1);
    conn.receive(1, acknowledging(2, { latest: latest + distance - 1, floor: 1 }));
    const lost = messages(sent(conn, 1));
    conn.receive(1, acknowledging(3, { latest: latest + distance, floor: 1 }));
    assert.deepEqual([lost.at(-1) ?? -1, messages(sent(conn, 1))], [overtaken - 1, [latest]]);
  });
}

test('D26.3, D26.4, D26.5 loss takes 9/8 of the round trip, more after reordering', () => {
  const trip = new RoundTrip();
  trip.measure(80, 0);
  assert.equal(trip.lossAfter, 90);
  trip.measure(200, 40);
  assert.deepEqual([trip.smoothed, trip.lossAfter], [90, 180], 'of the latest');
  trip.measure(90, 0);
  trip.late(120);
  assert.deepEqual([trip.smoothed, trip.lossAfter], [90, 120]);
  trip.late(1000);
  assert.equal(trip.lossAfter, 180);
  const quick = new RoundTrip();
  quick.measure(0.1, 0);
  assert.equal(quick.lossAfter, 1);
});

test('D26.9, D26.10 unacknowledged packets are sent again after 200 ms, doubled up to 1 s', () => {
  const { conn } = end();
  conn.send(bytes('a'), [], null);
  sent(conn, 0);
  let at = 0;
  for (const pause of [200, 400, 800, 1000, 1000]) {
    assert.deepEqual(messages(sent(conn, at + pause - 1)), [], `${pause} ms`);
    at += pause;
    assert.deepEqual(messages(sent(conn, at)), [0], `${pause} ms, once`);
  }
});

/**
 * An end that has sent message 2, of so many bytes, at 133 ms, and gets the acknowledgement of the
 * one before it at 200 ms, both with a round trip of 100 ms. The probe timeout is 260 ms then.
 *
 * @param {number} size
 * @param {boolean} repeats
 */
function thin(size, repeats) {
  const { conn } = end({}, repeats);
  for (const [at, number] of [[0, 0], [100, 1]]) {
    conn.send(bytes(`${number}`), [], null);
    sent(conn, at);
    if (number === 1) conn.send(new Uint8Array(size), [], null);
    if (number === 1) sent(conn, 133);
    conn.receive(at + 100, acknowledging(number, { latest: number, floor: number + 1 }));
    sent(conn, at + 100);
  }
  return conn;
}

test('D26.12 what is overdue is sent again once, although others are acknowledged', () => {
  const conn = thin(1, true);
  assert.deepEqual(messages(sent(conn, 392)), []);
  assert.deepEqual(messages(sent(conn, 393)), [2]);
  conn.receive(394, acknowledging(2, { latest: 1, floor: 2 }));
  assert.deepEqual(messages(sent(conn, 394)), [], 'once');
  assert.deepEqual(messages(sent(thin(1, false), 393)), [], 'by this rule alone');
});

test('D26.13 what is overdue does not count as lost', () => {
  const conn = thin(1, true);
  assert.deepEqual(messages(sent(conn, 393)), [2], 'it was overdue, and goes in packet 3');
  const send = (/** @type {number} */ now) => {
    for (let i = 0; i < 4; i++) {
      conn.send(bytes(`${i}`), [], null);
      sent(conn, now);
    }
  };
  send(400); // messages 3 to 6, in packets 4 to 7
  const bits = bitsOf(7, [1, 2, 3, 4, 5, 6]);
  conn.receive(401, acknowledging(2, { latest: 7, floor: 7, bits }));
  send(402); // messages 7 to 10, in packets 8 to 11
  conn.receive(403, acknowledging(3, { latest: 11, floor: 7, bits: bitsOf(11, [9, 10]) }));
  // Had packet 2 counted as lost, its acknowledgement would have raised the threshold (D26.2).
  assert.deepEqual(messages(sent(conn, 403)), [7], 'three later ones are still enough');
});

test('D26.14 nothing is overdue while more than 8,192 bytes are under way', () => {
  assert.ok(messages(sent(thin(7000, true), 393)).length > 0);
  assert.deepEqual(messages(sent(thin(9000, true), 393)), []);
});

test('D29 a graceful close waits one second at most', () => {
  const { conn, code } = end();
  conn.send(bytes('a'), [], null);
  sent(conn, 0);
  conn.close(0, 1000, '');
  sent(conn, 999);
  assert.equal(code(), 0);
  assert.equal(sent(conn, 1000).some((p) => kindOf(p) === 'close'), true);
  assert.equal(code(), 1000);
});

test('D29.13 a Close is repeated as an answer, three times at most', () => {
  const { conn } = end();
  conn.close(0, 4000, '');
  const said = [sent(conn, 0).length];
  for (let number = 0; number < 5; number++) {
    conn.receive(1, telling(number, number));
    said.push(sent(conn, 1).length);
  }
  assert.deepEqual(said, [1, 1, 1, 1, 0, 0]);
});
