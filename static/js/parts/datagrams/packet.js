/**
 * Encodes and decodes the packets of a connection by datagrams (docs/protocol/datagram.md, D16 to
 * D25), as far as a page sends or receives them. A page has no plain UDP, so packets do not name
 * their connection, and no address has to be proved. No DOM, no clock.
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
const QUIET = 0x02; // the packet does not ask for an acknowledgement
const FLAGS = 0x1f;

/** Size of the random number of a client in a Hello, in bytes (D17). */
export const CLIENT_SIZE = 8;
const CONNECTION_SIZE = 8;
const TOKEN_SIZE = 16;
const MAX_REASON = 123;
/** The greatest number of bytes of acknowledgement bits (D22). */
export const MAX_BITS = 8;
/** The greatest number of guaranteed messages and fragments in a packet (D22). */
export const MAX_RECORDS = 64;
/**
 * Size of a block in bytes. A fragment begins with a block, and ends with one or with the message
 * (D25).
 */
export const BLOCK = 16;
/** The least size of a message that is cut, in bytes. So few messages are ever unfinished. */
const LEAST_CUT = 256;

/** The greatest size of what precedes the records of a packet, in bytes (D22). */
export const START_SIZE = 1 + 2 + 2 + 2 + 2 + 1 + MAX_BITS;

// Records whose varint is odd, 2k + 1 (D23).
const ASK = 0;
const UNGUARANTEED = 1;
const UNGUARANTEED_ORDERED = 2;
const FRAGMENT = 3;

/** The whole record that asks for an acknowledgement. */
export const ASKING = 2 * ASK + 1;

/**
 * An acknowledgement: what one end has received (D22).
 *
 * @typedef {object} Ack
 * @property {number} latest the highest packet number, modulo 2^16
 * @property {number} delay delay units of 0.1 ms since that packet arrived
 * @property {number} floor floor of the receiver's graph, modulo 2^15
 * @property {boolean[]} bits bit i says whether latest − 1 − i was received; a multiple of eight
 */

/**
 * The bounds of one end (D14), in bytes.
 *
 * @typedef {{ message: number, window: number }} Limits
 */

/**
 * The records of a packet (D23). Their bytes are parts of the packet. `from` of a fragment is the
 * offset of its first byte.
 *
 * @typedef {{ type: 'whole', header: Header, body: Uint8Array }} Whole
 * @typedef {{ type: 'loose', key: number, deps: number[], body: Uint8Array }} UnguaranteedRecord
 * @typedef {{ type: 'fragment', header: Header, size: number, from: number, body: Uint8Array }}
 *   Fragment
 */

/** Returns the kind of a packet; empty if it is unknown. @param {Uint8Array} bytes */
export function kindOf([first]) {
  if ((first & ~FLAGS) === DATA) return 'data';
  return { [WELCOME]: 'welcome', [CLOSE]: 'close' }[first] ?? '';
}

// ---- encoding ----

/** Writes a packet into a buffer of its greatest size. */
export class Builder {
  /** @param {number} limit greatest size in bytes */
  constructor(limit) {
    this.bytes = new Uint8Array(limit);
    this.at = 0;
  }

  /** The number of bytes that are left. */
  get room() {
    return this.bytes.length - this.at;
  }

  /** @param {number} value */
  byte(value) {
    this.bytes[this.at++] = value;
  }

  /** Writes the lower 16 bits of a number. @param {number} value */
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

/** Returns the size of a varint in bytes. @param {number} value */
function varintSize(value) {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}

/**
 * Encodes a Hello, which opens a connection (D17).
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
  b.varint(0); // no token: nothing to resume
  b.varint(text.length);
  b.raw(text);
  return b.done();
}

/**
 * Encodes a Close, which ends a connection (D29).
 *
 * @param {number} code
 * @param {string} reason it is cut to the room in a Close
 */
export function encodeClose(code, reason) {
  const b = new Builder(3 + MAX_REASON);
  b.byte(CLOSE);
  b.uint16(code);
  b.at += new TextEncoder().encodeInto(reason, b.bytes.subarray(b.at)).written;
  return b.done();
}

/**
 * Writes what precedes the records of a Data packet (D22).
 *
 * @param {Builder} b an empty builder
 * @param {number} number number of the packet
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

/** Marks a packet as one that does not ask for an acknowledgement. @param {Builder} b */
export function markQuiet(b) {
  b.bytes[0] |= QUIET;
}

/**
 * Writes a whole guaranteed message.
 *
 * @param {Builder} b
 * @param {Uint8Array} head
 * @param {Uint8Array} body
 */
export function writeWhole(b, head, body) {
  b.varint(2 * (head.length + body.length));
  b.raw(head);
  b.raw(body);
}

/** Returns the size of such a record in bytes. @param {Uint8Array} head @param {Uint8Array} body */
export function wholeSize(head, body) {
  return varintSize(2 * (head.length + body.length)) + head.length + body.length;
}

/**
 * Writes a fragment: the bytes of a guaranteed message from a block up to another byte.
 *
 * @param {Builder} b
 * @param {Uint8Array} head
 * @param {Uint8Array} body
 * @param {number} from
 * @param {number} to
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
 * Returns the end of a fragment that begins at `from` and fits into `room` bytes. It is at most
 * `to`, and `from` if a fragment is not worthwhile.
 *
 * @param {Uint8Array} head
 * @param {Uint8Array} body
 * @param {number} from
 * @param {number} to
 * @param {number} room
 */
export function fragmentEnd(head, body, from, to, room) {
  const left = room - 1 - head.length - varintSize(body.length) - varintSize(from / BLOCK) - 3;
  if (left >= to - from) return to;
  return left < LEAST_CUT ? from : from + left - (left % BLOCK);
}

/**
 * Writes an unguaranteed message.
 *
 * @param {Builder} b
 * @param {number} key
 * @param {Uint8Array} body
 */
export function writeUnguaranteed(b, key, body) {
  b.byte(2 * UNGUARANTEED + 1);
  b.varint(key);
  b.varint(body.length);
  b.raw(body);
}

/** Returns the size of such a record in bytes. @param {number} key @param {Uint8Array} body */
export function unguaranteedSize(key, body) {
  return 1 + varintSize(key) + varintSize(body.length) + body.length;
}

// ---- decoding: a CloseError of 1002 if it cannot be read ----

/**
 * Decodes a Welcome, which answers a Hello (D19).
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
 * Decodes a Close, which ends a connection (D29).
 *
 * @param {Uint8Array} bytes
 * @param {boolean} [named] whether it answers a Hello and has its number
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
 * Reads what precedes the records of a Data packet (D22).
 *
 * @param {Uint8Array} bytes
 * @returns {{ number: number, quiet: boolean, ack: Ack | null, from: Cursor }} `from` stands at the
 *   records
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
 * Reads the records of a packet (D23), except those that only ask for an acknowledgement.
 *
 * @param {Cursor} from
 * @param {number} floor floor of the receiver's graph
 * @returns {(Whole | UnguaranteedRecord | Fragment)[]}
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

/**
 * @param {Cursor} from
 * @param {number} floor
 * @returns {Whole | UnguaranteedRecord | Fragment | null}
 */
function readRecord(from, floor) {
  const l = varint(from);
  if (l % 2 === 0) {
    const all = { bytes: take(from, l / 2), at: 0 };
    return { type: 'whole', header: readHeader(all, floor), body: all.bytes.subarray(all.at) };
  }
  switch ((l - 1) / 2) {
    case ASK:
      return null;
    case UNGUARANTEED:
      return { type: 'loose', deps: [], key: varint(from), body: take(from, varint(from)) };
    case UNGUARANTEED_ORDERED:
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
    throw broken('a fragment that is not part of a message');
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

/** Reads a number below 2^32 in its shortest form. @param {Cursor} from */
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
