/**
 * What two ends of a connection by datagrams say to each other, byte by byte (docs/protocol/datagram.md, D16 to D25), as far as a page
 * says or hears it: it has no plain UDP, so packets do not name their connection, and nothing has to be proved. No DOM, no clock.
 *
 * @module
 */

import { broken, CloseError } from './graph.js';
import { readDeps, readHeader, uint16 } from './header.js';

/** @typedef {import('./header.js').Cursor} Cursor */
/** @typedef {import('./header.js').Header} Header */

/** The version of the protocol (D17). */
const VERSION = 1;

// The first byte of a packet (D16).
const HELLO = 0x01;
const WELCOME = 0x03;
const CLOSE = 0x04;
const DATA = 0x40;

// Flags of a Data packet, in its first byte (D22).
const ACKS = 0x01; // acknowledgements follow
const QUIET = 0x02; // it does not ask for one
const FLAGS = 0x1f;

/** Bytes of the number that a client draws for a Hello (D17). */
export const CLIENT_SIZE = 8;
const CONNECTION_SIZE = 8;
const TOKEN_SIZE = 16;
const MAX_REASON = 123;
/** The greatest number of bytes of acknowledgement bits (D22). */
export const MAX_BITS = 8;
/** The greatest number of guaranteed messages and fragments in a packet (D22). */
export const MAX_RECORDS = 64;
/** Fragments begin with a block of so many bytes, and end with one or with the message (D25). */
export const BLOCK = 16;
/** A smaller message is not cut: so there are never many that are unfinished. */
const LEAST_CUT = 256;

/** What a packet has before its records at most (D22). */
export const START_SIZE = 1 + 2 + 2 + 2 + 2 + 1 + MAX_BITS;

// Records whose varint is odd, 2k + 1 (D23).
const ASK = 0;
const LOOSE = 1;
const LOOSE_BEHIND = 2;
const FRAGMENT = 3;

/** The record that asks for an acknowledgement, whole. */
export const ASKING = 2 * ASK + 1;

/**
 * What one end has received (D22).
 *
 * @typedef {object} Ack
 * @property {number} latest the highest number, modulo 2^16
 * @property {number} delay ticks of 0.1 ms since it came
 * @property {number} floor of the receiver's graph, modulo 2^15
 * @property {boolean[]} bits whether latest − 1 − i was received, a multiple of eight of them
 */

/**
 * What one end takes (D14), in bytes.
 *
 * @typedef {{ message: number, window: number }} Limits
 */

/**
 * What a packet says beside what it acknowledges (D23). Bytes lie in the packet.
 *
 * @typedef {{ type: 'whole', header: Header, body: Uint8Array }} Whole
 * @typedef {{ type: 'loose', key: number, deps: number[], body: Uint8Array }} LooseRecord
 * @typedef {{ type: 'fragment', header: Header, size: number, from: number, body: Uint8Array }} Fragment `from` is a byte
 */

/** What a packet is; empty if it is none that is known here. @param {Uint8Array} bytes */
export function kindOf([first]) {
  if ((first & ~FLAGS) === DATA) return 'data';
  return { [WELCOME]: 'welcome', [CLOSE]: 'close' }[first] ?? '';
}

// ---- writing ----

/** Writes a packet into a buffer of its greatest size. */
export class Builder {
  /** @param {number} limit in bytes */
  constructor(limit) {
    this.bytes = new Uint8Array(limit);
    this.at = 0;
  }

  /** How many bytes there is room for. */
  get room() {
    return this.bytes.length - this.at;
  }

  /** @param {number} value */
  byte(value) {
    this.bytes[this.at++] = value;
  }

  /** The lower 16 bits of a number. @param {number} value */
  uint16(value) {
    this.byte((value >> 8) & 0xff);
    this.byte(value & 0xff);
  }

  /** @param {number} value below 2^32 */
  varint(value) {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.byte((rest % 0x80) | 0x80);
    this.byte(rest);
  }

  /** @param {Uint8Array} bytes */
  raw(bytes) {
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }

  /** @returns {Uint8Array<ArrayBuffer>} the packet */
  done() {
    return this.bytes.slice(0, this.at);
  }
}

/** How many bytes a varint takes. @param {number} value */
export function varintSize(value) {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}

/**
 * Opens a connection (D17).
 *
 * @param {{ client: Uint8Array, takes: Limits, request: string }} hello
 */
export function encodeHello({ client, takes, request }) {
  const text = new TextEncoder().encode(request);
  const b = new Builder(32 + text.length);
  b.byte(HELLO);
  b.byte(VERSION);
  b.raw(client);
  b.varint(0); // no cookie: the path proves who sends
  b.varint(takes.message);
  b.varint(takes.window);
  b.varint(0); // nothing to resume
  b.varint(text.length);
  b.raw(text);
  return b.done();
}

/**
 * Ends a connection (D29).
 *
 * @param {number} code
 * @param {string} reason cut to what a Close has room for
 */
export function encodeClose(code, reason) {
  const b = new Builder(3 + MAX_REASON);
  b.byte(CLOSE);
  b.uint16(code);
  b.at += new TextEncoder().encodeInto(reason, b.bytes.subarray(b.at)).written;
  return b.done();
}

/**
 * What stands before the records of a Data packet (D22).
 *
 * @param {Builder} b empty
 * @param {number} number of the packet
 * @param {Ack | null} ack
 */
export function writeStart(b, number, ack) {
  b.byte(DATA | (ack ? ACKS : 0));
  b.uint16(number);
  if (!ack) return;
  b.uint16(ack.latest);
  b.uint16(ack.delay);
  b.uint16(ack.floor);
  b.byte(ack.bits.length / 8);
  for (let i = 0; i < ack.bits.length; i += 8) {
    b.byte(ack.bits.slice(i, i + 8).reduce((byte, bit, j) => byte | (bit ? 1 << j : 0), 0));
  }
}

/** Says that a packet does not ask for an acknowledgement. @param {Builder} b */
export function silence(b) {
  b.bytes[0] |= QUIET;
}

/**
 * A guaranteed message, whole.
 *
 * @param {Builder} b @param {Uint8Array} head @param {Uint8Array} body
 */
export function writeWhole(b, head, body) {
  b.varint(2 * (head.length + body.length));
  b.raw(head);
  b.raw(body);
}

/** How many bytes that takes. @param {Uint8Array} head @param {Uint8Array} body */
export function wholeSize(head, body) {
  return varintSize(2 * (head.length + body.length)) + head.length + body.length;
}

/**
 * The bytes of a guaranteed message from a block up to another byte.
 *
 * @param {Builder} b @param {Uint8Array} head @param {Uint8Array} body @param {number} from @param {number} to
 */
export function writeFragment(b, head, body, from, to) {
  b.byte(2 * FRAGMENT + 1);
  b.raw(head);
  b.varint(body.length);
  b.varint(from / BLOCK);
  b.varint(to - from);
  b.raw(body.subarray(from, to));
}

/**
 * Up to which byte a fragment goes that begins at `from` and may take so much room, at most `to`; `from` if it is not worth while.
 *
 * @param {Uint8Array} head @param {Uint8Array} body @param {number} from @param {number} to @param {number} room
 */
export function fragmentEnd(head, body, from, to, room) {
  const left = room - 1 - head.length - varintSize(body.length) - varintSize(from / BLOCK) - 3;
  if (left >= to - from) return to;
  return left < LEAST_CUT ? from : from + left - (left % BLOCK);
}

/**
 * An unguaranteed message.
 *
 * @param {Builder} b @param {number} key @param {Uint8Array} body
 */
export function writeLoose(b, key, body) {
  b.byte(2 * LOOSE + 1);
  b.varint(key);
  b.varint(body.length);
  b.raw(body);
}

/** How many bytes that takes. @param {number} key @param {Uint8Array} body */
export function looseSize(key, body) {
  return 1 + varintSize(key) + varintSize(body.length) + body.length;
}

// ---- reading: what cannot be read is a CloseError of 1002 ----

/**
 * The answer to a Hello (D19).
 *
 * @param {Uint8Array} bytes
 * @returns {{ client: Uint8Array, takes: Limits }}
 */
export function readWelcome(bytes) {
  const from = { bytes, at: 1 };
  if (byte(from) !== VERSION) throw new CloseError(1010, 'another version of the protocol');
  const client = take(from, CLIENT_SIZE);
  take(from, CONNECTION_SIZE);
  const takes = { message: varint(from), window: varint(from) };
  take(from, TOKEN_SIZE);
  if (byte(from) > 1 || from.at < bytes.length) throw broken('not a Welcome');
  return { client, takes };
}

/**
 * The end of a connection (D29).
 *
 * @param {Uint8Array} bytes
 * @param {boolean} [named] whether it answers a Hello, whose number it has
 * @returns {{ client: Uint8Array, code: number, reason: string }}
 */
export function readClose(bytes, named = false) {
  const from = { bytes, at: 1 };
  const client = take(from, named ? CLIENT_SIZE : 0);
  const code = uint16(from);
  if (bytes.length - from.at > MAX_REASON) throw broken('a reason is too long');
  try {
    return {
      client,
      code,
      reason: new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(from.at)),
    };
  } catch {
    throw broken('a reason is not UTF-8');
  }
}

/**
 * What stands before the records of a Data packet (D22).
 *
 * @param {Uint8Array} bytes
 * @returns {{ number: number, quiet: boolean, ack: Ack | null, from: Cursor }} `from` are the records
 */
export function readStart(bytes) {
  const from = { bytes, at: 0 };
  const kind = byte(from);
  if ((kind & FLAGS & ~(ACKS | QUIET)) !== 0) throw broken('flags that are not known here');
  const number = uint16(from);
  return { number, quiet: (kind & QUIET) !== 0, ack: kind & ACKS ? readAck(from) : null, from };
}

/** @param {Cursor} from @returns {Ack} */
function readAck(from) {
  const [latest, delay, floor, size] = [uint16(from), uint16(from), uint16(from), byte(from)];
  if (floor > 0x7fff || size > MAX_BITS) throw broken('not an acknowledgement');
  const bits = [...take(from, size)].flatMap((b) =>
    Array.from({ length: 8 }, (_, i) => ((b >> i) & 1) === 1),
  );
  return { latest, delay, floor, bits };
}

/**
 * The records of a packet (D23), but for those that only ask for an acknowledgement.
 *
 * @param {Cursor} from
 * @param {number} floor of the receiver's graph
 * @returns {(Whole | LooseRecord | Fragment)[]}
 */
export function readRecords(from, floor) {
  const records = [];
  let guaranteed = 0;
  while (from.at < from.bytes.length) {
    const record = readRecord(from, floor);
    if (!record) continue;
    if (record.type !== 'loose' && ++guaranteed > MAX_RECORDS)
      throw broken('too many messages in a packet');
    records.push(record);
  }
  return records;
}

/** @param {Cursor} from @param {number} floor @returns {Whole | LooseRecord | Fragment | null} */
function readRecord(from, floor) {
  const l = varint(from);
  if (l % 2 === 0) {
    const all = { bytes: take(from, l / 2), at: 0 };
    return { type: 'whole', header: readHeader(all, floor), body: all.bytes.subarray(all.at) };
  }
  switch ((l - 1) / 2) {
    case ASK:
      return null;
    case LOOSE:
      return { type: 'loose', deps: [], key: varint(from), body: take(from, varint(from)) };
    case LOOSE_BEHIND:
      return {
        type: 'loose',
        deps: readDeps(from, floor),
        key: varint(from),
        body: take(from, varint(from)),
      };
    case FRAGMENT:
      return readFragment(from, floor);
    default:
      throw broken('a record of no kind that is known here');
  }
}

/** @param {Cursor} from @param {number} floor @returns {Fragment} */
function readFragment(from, floor) {
  const header = readHeader(from, floor);
  const size = varint(from);
  const start = varint(from) * BLOCK;
  const body = take(from, varint(from));
  const end = start + body.length;
  if (size < LEAST_CUT || body.length === 0 || end > size || (end % BLOCK !== 0 && end !== size)) {
    throw broken('a fragment that is no part of a message');
  }
  return { type: 'fragment', header, size, from: start, body };
}

/** @param {Cursor} from */
function byte(from) {
  if (from.at >= from.bytes.length) throw broken('it ends in the middle');
  return from.bytes[from.at++];
}

/** @param {Cursor} from @param {number} size */
function take(from, size) {
  if (size > from.bytes.length - from.at) throw broken('it ends in the middle');
  from.at += size;
  return from.bytes.subarray(from.at - size, from.at);
}

/** A number below 2^32, in its shortest form. @param {Cursor} from */
function varint(from) {
  let value = 0;
  for (let weight = 1; weight <= 2 ** 28; weight *= 0x80) {
    const b = byte(from);
    value += (b & 0x7f) * weight;
    if (b >= 0x80) continue;
    if ((b === 0 && weight > 1) || value >= 2 ** 32) break;
    return value;
  }
  throw broken('a number is not in its shortest form or above 2^32-1');
}
