/**
 * The stream of a table over messages that wait for each other only where they have to
 * (docs/protocol/datagram.md, D31 to D36). It makes frames for the page from messages that were
 * executed in any order, and makes messages from what the page sends. server/transport/framing cuts
 * frames into messages. No DOM, no clock.
 *
 * @module
 */

import { Handle } from './sender.js';
import { UP } from '../../net/messages.js';
import { decode, message, raw, readUint32, uint53 } from '../../net/protobuf.js';
import { encodeUp } from '../../net/up.js';
import { Writer } from '../../net/writer.js';

/**
 * The contents of a message: a time, a version and events, each with the number of its kind in
 * `Event` (holt.proto).
 *
 * @typedef {{ time: number, mark: number, events: { kind: number, body: Uint8Array }[] }} Cut
 */

// Kinds of events.
const FULL = 1;
const MOTIONS = 9;
const CURSORS = 10;
const PONG = 11;
const RESUMED = 12;

/** The unguaranteed kinds (D34). */
const UNGUARANTEED = new Set([MOTIONS, CURSORS, PONG]);

/**
 * Makes frames from the messages of one connection. A frame has a version only when the page has
 * received everything up to it (D35).
 */
export class Joiner {
  /** All messages below have been executed. */
  #floor = 0;
  /** Executed messages above the floor. */
  #ahead = new Set();
  /**
   * Versions that do not count yet, in the order of their messages.
   * @type {{ number: number, time: number, mark: number }[]}
   */
  #versions = [];
  /** Whether the page is synchronised. */
  #synchronised = false;
  /** Motion from before this time is discarded (D34). */
  #before = 0;

  /**
   * Takes in a guaranteed message that has just been executed.
   *
   * @param {number} number
   * @param {Uint8Array} message
   * @returns {Uint8Array | null} the frame that it makes; null if there is none
   * @throws {import('../../net/protobuf.js').MalformedError}
   */
  message(number, message) {
    const { time, mark, events } = read(message);
    if (events.some(({ kind }) => kind === FULL || kind === RESUMED)) {
      this.#synchronised = true;
      this.#before = Math.max(this.#before, time);
    }
    if (mark !== 0) this.#record({ number, time, mark });
    this.#executed(number);
    const due = this.#due();
    if (events.length > 0) return due.mark === mark ? message : marked(message, due.mark);
    return due.mark === 0 ? null : write(due.time, due.mark, []);
  }

  /**
   * Takes in an unguaranteed message.
   *
   * @param {Uint8Array} message
   * @returns {Uint8Array | null} the frame that it makes, without events that must not come
   *   unguaranteed; null if it has none, if the page is not synchronised, or if the motion is too
   *   old
   * @throws {import('../../net/protobuf.js').MalformedError}
   */
  unguaranteed(message) {
    const { time, events } = read(message);
    const loose = events.filter(({ kind }) => UNGUARANTEED.has(kind));
    const isTaken = this.#synchronised && time >= this.#before && loose.length > 0;
    return isTaken ? write(time, 0, loose) : null;
  }

  /** @param {{ number: number, time: number, mark: number }} saying */
  #record(saying) {
    const at = this.#versions.findIndex(({ number }) => number > saying.number);
    this.#versions.splice(at < 0 ? this.#versions.length : at, 0, saying);
  }

  /** @param {number} number */
  #executed(number) {
    this.#ahead.add(number);
    while (this.#ahead.delete(this.#floor)) this.#floor++;
  }

  /** Removes the versions that count now, and returns the last of them. */
  #due() {
    const at = this.#versions.findIndex(({ number }) => number >= this.#floor);
    const due = this.#versions.splice(0, at < 0 ? this.#versions.length : at);
    return due.at(-1) ?? { time: 0, mark: 0 };
  }
}

/** A frame with its events as they are. */
const CUT = message(
  { time: uint53, mark: uint53, events: { ...raw, many: true } },
  () => ({ time: 0, mark: 0, events: [] }),
);

/** @param {Uint8Array} message @returns {Cut} */
function read(message) {
  const cut = decode(message, CUT);
  cut.events = cut.events.map((/** @type {Uint8Array} */ body) => ({ kind: kindOf(body), body }));
  return cut;
}

/** The field of an event in `Event` (holt.proto), 0 if it has none. @param {Uint8Array} body */
function kindOf(body) {
  return body.length > 0 ? readUint32({ bytes: body, at: 0 }, body.length) >>> 3 : 0;
}

/** Encodes a frame. @param {number} time @param {number} mark @param {Cut['events']} events */
function write(time, mark, events) {
  const w = new Writer();
  w.uint(1, time);
  w.uint(2, mark);
  for (const { body } of events) w.raw(3, body);
  return w.bytes();
}

/**
 * Returns a message with another version. It appends the field: if a field is there twice, the last
 * one counts.
 * @param {Uint8Array} message
 * @param {number} mark
 */
function marked(message, mark) {
  const w = new Writer();
  w.uint(2, mark);
  const last = mark === 0 ? Uint8Array.of(0x10, 0) : w.bytes();
  const frame = new Uint8Array(message.length + last.length);
  frame.set(message);
  frame.set(last, message.length);
  return frame;
}

/**
 * The first bytes of the `Up` messages (holt.proto) that are sent unguaranteed: a ping, motion and
 * a cursor.
 */
const [PING, MOTION, CURSOR] = [0x12, 0x1a, 0x22];

/** The keys of these (D36). */
const KEYS = new Map([[MOTION, 1], [CURSOR, 2], [PING, 3]]);

/**
 * The greatest number of pieces whose motion goes in one message, so that it fits into a packet
 * (D36).
 */
const MOST_MOVING = 50;

/**
 * Cuts motion of many pieces.
 *
 * @param {Uint8Array} up
 * @returns {Uint8Array[]} the parts; none if it need not be cut
 */
function cutMotion(up) {
  if (up[0] !== MOTION || up.length <= MOST_MOVING) return [];
  const { up: motion } = decode(up, UP);
  const parts = [];
  for (let i = 0; i < motion.pieces.length; i += MOST_MOVING) {
    const part = (/** @type {number[]} */ list) => list.slice(i, i + MOST_MOVING);
    parts.push(
      encodeUp({ ...motion, pieces: part(motion.pieces), x: part(motion.x), y: part(motion.y) }),
    );
  }
  return parts.length > 1 ? parts : [];
}

/** Puts what the page sends into messages of a connection (D36). */
export class Uplink {
  #conn;
  /** The handle of the last message. @type {Handle | null} */
  #last = null;
  /** Messages for which the connection had no room. @type {Uint8Array[]} */
  #waiting = [];

  /** @param {Pick<import('./connection.js').Conn, 'send' | 'sendUnguaranteed'>} conn */
  constructor(conn) {
    this.#conn = conn;
  }

  /**
   * Sends a message.
   *
   * @param {number} now
   * @param {Uint8Array} up
   */
  send(now, up) {
    const parts = cutMotion(up);
    for (const part of parts) this.#conn.sendUnguaranteed(now, 0, part);
    if (parts.length > 0) return;
    const key = KEYS.get(up[0]);
    if (key === undefined) {
      this.#waiting.push(up);
      this.flush();
    } else this.#conn.sendUnguaranteed(now, key, up);
  }

  /** Passes on the messages for which the connection has room. */
  flush() {
    for (let up = this.#waiting[0]; up; up = this.#waiting[0]) {
      const handle = new Handle();
      if (!this.#conn.send(up, this.#last ? [this.#last] : [], handle)) return;
      this.#last = handle;
      this.#waiting.shift();
    }
  }

  /** Bytes that wait for room. */
  get waiting() {
    return this.#waiting.reduce((sum, { length }) => sum + length, 0);
  }
}
