// The bytes of packets, and what an end of a connection does with packets that arrive, by the
// vectors that the server's tests have written.

import assert from 'node:assert/strict';
import test from 'node:test';
import { CloseError } from '../js/parts/datagrams/graph.js';
import { encodeHeader } from '../js/parts/datagrams/header.js';
import { Handle } from '../js/parts/datagrams/sender.js';
import {
  ASKING,
  Builder,
  encodeClose,
  encodeHello,
  kindOf,
  readClose,
  readRecords,
  readStart,
  readWelcome,
  markQuiet,
  writeFragment,
  writeUnguaranteed,
  writeStart,
  writeWhole,
} from '../js/parts/datagrams/packet.js';
import { Conn } from '../js/parts/datagrams/connection.js';
import { vectors } from './vectors.js';

const shared = vectors('datagrams');

/** @param {string} hex */
const unhex = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));
/** @param {Uint8Array} bytes */
const hex = (bytes) => Buffer.from(bytes).toString('hex');

/** Whether a call refuses something. @param {() => unknown} f */
function refuses(f) {
  try {
    f();
    return false;
  } catch (error) {
    if (error instanceof CloseError) return true;
    throw error;
  }
}

/** The form in which rows and the reader name a record. @param {any} r */
const record = ({
  header, size, key, from, body, type, number = header?.number, deps = header?.deps ?? [],
}) => ({ type, number, deps, key, size, from, body: typeof body === 'string' ? body : hex(body) });

/** What a receiver reads. @param {Uint8Array} bytes @param {number} floor */
function readData(bytes, floor) {
  const { number, quiet, ack, from } = readStart(bytes);
  return { number, quiet, ack, records: readRecords(from, floor) };
}

/** Bits in wire form. @param {boolean[]} bits */
function bitsOf(bits) {
  const bytes = Array.from({ length: bits.length / 8 }, (_, j) =>
    bits.slice(8 * j, 8 * j + 8).reduce((b, bit, i) => b | (Number(bit) << i), 0),
  );
  return hex(Uint8Array.from(bytes));
}

test('D16, D22.1, D23.1, D25 Data packets, by the vectors', () => {
  // A page has no plain UDP.
  const rows = shared.packets.filter((/** @type {any} */ row) => row.kind === 'data' && !row.udp);
  assert.ok(rows.length >= 25);
  for (const { name, bytes, refused, data } of rows) {
    const packet = unhex(bytes);
    assert.equal(kindOf(packet), 'data', name);
    if (refused) {
      assert.ok(refuses(() => readData(packet, 40_000)), name);
      continue;
    }
    const read = readData(packet, data.floor);
    assert.deepEqual([read.number, !read.quiet], [data.number, data.asks], name);
    assert.deepEqual(
      read.ack && { ...read.ack, bits: bitsOf(read.ack.bits) }, data.ack ?? null, name,
    );
    assert.deepEqual(read.records.map(record), data.records.map(record), name);
  }
});

test('D22.1, D23.1 a page writes the same bytes as the server', () => {
  for (const { name, bytes, refused, data, udp } of shared.packets) {
    if (
      !data ||
      refused ||
      udp ||
      data.records.some((/** @type {any} */ r) => r.type === 'loose' && r.deps.length > 0)
    )
      continue; // a page has none
    const b = new Builder(2000);
    const bits = [...unhex(data.ack?.bits ?? '')].flatMap((byte) =>
      Array.from({ length: 8 }, (_, i) => ((byte >> i) & 1) === 1),
    );
    writeStart(b, data.number, data.ack ? { ...data.ack, bits } : null);
    for (const { type, number, deps, key, size, from, body } of data.records) {
      const head = type === 'loose' ? unhex('') : encodeHeader({ number, deps });
      if (type === 'loose') writeUnguaranteed(b, key, unhex(body));
      else if (type === 'whole') writeWhole(b, head, unhex(body));
      else {
        const whole = new Uint8Array(size);
        whole.set(unhex(body), from);
        writeFragment(b, head, whole, from, from + body.length / 2);
      }
    }
    if (bytes.endsWith('01') && data.records.length === 0 && !data.ack) b.byte(ASKING);
    if (!data.asks) markQuiet(b);
    assert.equal(hex(b.done()), bytes, name);
  }
});

test('D17.1, D19.1, D29.11 packets of the handshake and of the end, by the vectors', () => {
  const rows = shared.packets.filter((/** @type {any} */ row) => !row.data);
  for (const { name, kind, bytes, refused, hello, welcome, close, udp } of rows) {
    const packet = unhex(bytes);
    if (hello && !udp) {
      const { client, message, window, request } = hello;
      assert.equal(
        hex(encodeHello({ client: unhex(client), takes: { message, window }, request })), bytes,
        name,
      );
    } else if (kind === 'welcome') {
      assert.equal(kindOf(packet), 'welcome', name);
      assert.equal(refuses(() => readWelcome(packet)), refused ?? false, name);
      if (refused) continue;
      const { client, takes } = readWelcome(packet);
      assert.deepEqual(
        { client: hex(client), ...takes },
        { client: welcome.client, message: welcome.message, window: welcome.window }, name,
      );
    } else if (kind === 'close') {
      assert.equal(kindOf(packet), 'close', name);
      assert.equal(refuses(() => readClose(packet, udp)), refused ?? false, name);
      if (refused) continue;
      const { client, code, reason } = readClose(packet, udp);
      assert.deepEqual(
        [hex(client), code, reason], [close.number ?? '', close.code, close.reason], name,
      );
      if (!udp) assert.equal(hex(encodeClose(code, reason)), bytes, name);
    }
  }
});

/**
 * An end of a connection that follows a script.
 *
 * @param {any} script
 */
function endOf({ largest, keepalive, takes, theyTake, repeatsOverdue = false }) {
  /** @type {{ number: number, body: string }[]} */
  const executed = [];
  /** @type {{ key: number, body: string }[]} */
  const came = [];
  const limits = (/** @type {number[]} */ [message, window]) => ({ message, window });
  const conn = new Conn({
    now: 0, largest, keepalive, takes: limits(takes), peerLimits: limits(theyTake),
    repeatsOverdue,
    execute: (number, body) => executed.push({ number, body: hex(body) }),
    executeUnguaranteed: (key, body) => came.push({ key, body: hex(body) }),
  });
  return { conn, executed, came };
}

/** All packets that are sent now. @param {Conn} conn @param {number} now */
function flush(conn, now) {
  const packets = [];
  for (let p = conn.next(now); p; p = conn.next(now)) packets.push(hex(p));
  return packets;
}

/** The interval at which the script looks whether there is something to send, in milliseconds. */
const GRID = 5;

for (const script of shared.connections) {
  // Clauses: D26.12
  test(`D4 D21 to D29 both ends treat every packet alike: ${script.name}`, () => {
    const { conn, executed, came } = endOf(script);
    /** @type {Handle[]} */
    const handles = [];
    let now = 0;
    for (const step of script.steps) {
      for (; now < step.at; now += GRID)
        assert.deepEqual(flush(conn, now), [], `nothing is sent at ${now}`);
      for (const p of step.receive ?? []) conn.receive(now, unhex(p));
      if (step.resize) conn.resize(step.resize);
      if (step.close) conn.close(now, step.close.code, step.close.reason);
      for (const { deps, body } of step.send ?? []) {
        const handle = new Handle();
        assert.ok(
          conn.send(
            unhex(body), deps.map((/** @type {number} */ d) => handles[d]), handle,
          ),
          `there is room at ${now}`,
        );
        handles.push(handle);
      }
      for (const { key, body } of step.loose ?? [])
        assert.ok(conn.sendUnguaranteed(now, key, unhex(body)));
      assert.deepEqual(flush(conn, now), step.packets ?? [], `sent at ${now}`);
      assert.deepEqual(
        [executed.splice(0), came.splice(0)], [step.executed ?? [], step.came ?? []],
        `executed at ${now}`,
      );
      assert.deepEqual(
        conn.ended && { code: conn.ended.code, reason: conn.ended.reason }, step.ended ?? null,
        `at ${now}`,
      );
      now += GRID;
    }
    assert.ok(script.steps.length > 50);
  });
}
