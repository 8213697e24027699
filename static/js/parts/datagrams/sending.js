/**
 * What a connection by datagrams sends: guaranteed messages until they are acknowledged,
 * unguaranteed ones until they are sent or stale, and the packets in flight (D15, D24 to D26). No
 * DOM, no clock: times are in milliseconds.
 *
 * @module
 */

import { encodeHeader } from './header.js';
import {
  fragmentEnd,
  unguaranteedSize,
  MAX_RECORDS,
  wholeSize,
  writeFragment,
  writeUnguaranteed,
  writeWhole,
} from './packet.js';
import { Blocks } from './receiving.js';

/**
 * A guaranteed message in a packet, or a part of one from a byte up to another.
 *
 * @typedef {{ number: number, from: number, to: number }} Unit
 */

/**
 * A message that is not acknowledged.
 *
 * @typedef {object} Message
 * @property {Uint8Array} head the encoded header
 * @property {Uint8Array} body
 * @property {number} copies packets in flight that contain all of it, and entries of all of it in
 *   the list of units to send again
 * @property {Blocks | null} blocks the acknowledged blocks, if it was cut; else null
 */

/**
 * The guaranteed messages. Lost ones are sent before new ones, the lowest number first. So late
 * messages do not get later and later when much is lost.
 */
export class Outbox {
  #sender;
  /** The messages that are not acknowledged, by number. @type {Map<number, Message>} */
  #messages = new Map();
  /** The units to send again, in order. @type {Unit[]} */
  #retries = [];
  /** The lowest number of which not everything was sent. */
  fresh = 0;
  /** The number of its bytes that were sent. */
  #upTo = 0;
  #next = 0;

  /** @param {import('./sender.js').Sender} sender */
  constructor(sender) {
    this.#sender = sender;
  }

  /** @param {import('./header.js').Header} header @param {Uint8Array} body */
  add(header, body) {
    this.#messages.set(header.number, {
      head: encodeHeader(header),
      body,
      copies: 0,
      blocks: null,
    });
    this.#next = header.number + 1;
  }

  /** Whether everything is acknowledged. */
  get empty() {
    return this.#messages.size === 0;
  }

  /** Bytes that are not acknowledged. */
  get bytes() {
    let sum = 0;
    for (const { body } of this.#messages.values()) sum += body.length;
    return sum;
  }

  /** Drops what the sender's graph knows to have arrived. */
  settle() {
    for (const number of this.#messages.keys()) {
      if (number >= this.#sender.floor) return;
      this.#messages.delete(number);
    }
  }

  /** Returns whether a unit need not be sent again. @param {Unit} unit */
  settled({ number, from, to }) {
    const message = this.#messages.get(number);
    return !message || (message.blocks?.has(from, to) ?? false);
  }

  /** Notes that a unit was acknowledged. @param {Unit} unit */
  acknowledge(unit) {
    const message = this.#messages.get(unit.number);
    if (!message) return;
    if (!isWhole(unit, message)) {
      message.blocks ??= new Blocks(message.body.length);
      message.blocks.add(unit.from, unit.to);
      if (message.blocks.left > 0) return;
    }
    this.#messages.delete(unit.number);
    this.#sender.acknowledge(unit.number);
  }

  /**
   * Notes that a packet with a unit counts as lost, or was given up. The unit is sent again, unless
   * another packet in flight has it.
   * @param {Unit} unit
   */
  lose(unit) {
    const message = this.#messages.get(unit.number);
    if (!message || (isWhole(unit, message) && --message.copies > 0)) return;
    if (!this.settled(unit)) this.repeat(unit);
  }

  /** Puts a unit into the list of units to send again. @param {Unit} unit */
  repeat(unit) {
    const message = this.#messages.get(unit.number);
    if (message && isWhole(unit, message)) message.copies++;
    const at = this.#retries.findIndex(
      ({ number, from }) => number > unit.number || (number === unit.number && from > unit.from),
    );
    this.#retries.splice(at < 0 ? this.#retries.length : at, 0, unit);
  }

  /** Whether there is something to send. */
  get waits() {
    while (this.#retries.length > 0 && this.settled(this.#retries[0])) this.#retries.shift();
    return this.#retries.length > 0 || this.fresh < this.#next;
  }

  /**
   * Puts units into a packet.
   *
   * @param {import('./packet.js').Builder} b
   * @param {number} capacity number of bytes for records in an empty packet
   * @returns {Unit[]} the units in the packet
   */
  fill(b, capacity) {
    /** @type {Unit[]} */
    const units = [];
    while (units.length < MAX_RECORDS && this.waits) {
      const again = this.#retries.length > 0;
      const unit = again ? this.#retries[0] : { number: this.fresh, from: this.#upTo, to: -1 };
      const message = /** @type {Message} */ (this.#messages.get(unit.number));
      const { head, body } = message;
      let { to } = again ? unit : { to: body.length };
      const all = unit.from === 0 && to === body.length;
      const size = wholeSize(head, body);
      if (all && size <= capacity) {
        if (size > b.room) break; // the next packet takes all of it
        writeWhole(b, head, body);
      } else {
        const end = fragmentEnd(head, body, unit.from, to, Math.min(b.room, capacity));
        // What fits into an empty packet in its old form waits for the next one. Otherwise it would
        // be cut smaller and smaller.
        const fitted = again && end < to && fragmentEnd(head, body, unit.from, to, capacity) === to;
        if (end === unit.from || fitted) break;
        to = end;
        writeFragment(b, head, body, unit.from, to);
        if (all && again) message.copies--; // it is not in one piece any more
      }
      units.push(this.#took({ ...unit, to }, message, again));
    }
    return units;
  }

  /**
   * Removes a unit, or the beginning of one, from the messages to send.
   *
   * @param {Unit} unit
   * @param {Message} message
   * @param {boolean} again
   */
  #took(unit, message, again) {
    if (again) {
      const [first] = this.#retries.splice(0, 1);
      if (unit.to < first.to) this.#retries.unshift({ ...first, from: unit.to });
      return unit;
    }
    if (isWhole(unit, message)) message.copies++;
    this.#upTo = unit.to;
    if (unit.to === message.body.length) {
      this.fresh++;
      this.#upTo = 0;
    }
    return unit;
  }
}

/** Returns whether a unit is all of its message. @param {Unit} unit @param {Message} message */
function isWhole({ from, to }, { body }) {
  return from === 0 && to === body.length;
}

/** The greatest number of unguaranteed messages that wait to be sent (D15). */
const MAX_UNGUARANTEED = 64;
/** Milliseconds after which they are discarded. */
const STALE = 100;

/** The unguaranteed messages that wait to be sent, the oldest first. */
export class UnguaranteedBox {
  /** @type {{ key: number, at: number, body: Uint8Array }[]} */
  #waiting = [];

  /**
   * Adds a message. It replaces one of the same key, unless the key is 0. If there are too many,
   * the oldest is discarded.
   *
   * @param {number} now
   * @param {number} key
   * @param {Uint8Array} body
   */
  add(now, key, body) {
    const message = { key, at: now, body };
    const same = key === 0 ? -1 : this.#waiting.findIndex((other) => other.key === key);
    if (same >= 0) {
      this.#waiting[same] = message;
      return;
    }
    if (this.#waiting.length === MAX_UNGUARANTEED) this.#waiting.shift();
    this.#waiting.push(message);
  }

  get waits() {
    return this.#waiting.length > 0;
  }

  /** Discards messages that have waited too long. @param {number} now */
  expire(now) {
    if (this.waits) this.#waiting = this.#waiting.filter(({ at }) => now - at < STALE);
  }

  /**
   * Puts the messages that fit into a packet, and discards those that do not fit into an empty one.
   *
   * @param {import('./packet.js').Builder} b
   * @param {number} capacity
   */
  fill(b, capacity) {
    this.#waiting = this.#waiting.filter(({ key, body }) => {
      const size = unguaranteedSize(key, body);
      if (size > b.room) return size <= capacity;
      writeUnguaranteed(b, key, body);
      return false;
    });
  }
}

/**
 * The fate of a packet that was sent:
 *
 *     passing ──acknowledged──▶ settled          (it asks for no acknowledgement: nobody misses it)
 *     flying ──acknowledged──▶ settled
 *        └──lost──▶ lost ──acknowledged after all──▶ settled
 *        └──too large for the path──▶ given up ──acknowledged after all──▶ settled
 *
 * @typedef {'passing' | 'flying' | 'lost' | 'given up' | 'settled'} Fate
 */

/**
 * A packet that was sent.
 *
 * @typedef {object} Sent
 * @property {number} number
 * @property {number} at when it was sent
 * @property {number} size size in bytes
 * @property {Fate} fate
 * @property {number} ackedBelow this packet acknowledged everything that had been received with
 *   lower numbers
 * @property {Unit[]} units the guaranteed units in it
 * @property {boolean} repeated whether they were sent again because it was overdue
 */

/**
 * The greatest number of packets in flight. A flood of small ones then waits for acknowledgements.
 */
const MAX_FLYING = 4096;
/**
 * How many numbers back packets are remembered that are not in flight. Acknowledgements do not
 * reach further.
 */
const KEPT = 256;

/** The packets that were sent and still matter. */
export class Flight {
  /** @type {Map<number, Sent>} */
  #sent = new Map();
  /** No packet below this number is in flight. */
  first = 0;
  /** The number of the next packet. */
  next = 0;
  /** The number of packets in flight. */
  count = 0;
  /** Their bytes. */
  bytes = 0;

  /** Whether no further packet that asks for an acknowledgement may be sent. */
  get full() {
    return this.next - this.first >= MAX_FLYING;
  }

  /**
   * Adds the next packet.
   * @param {Omit<Sent, 'number' | 'fate' | 'repeated'>} sent
   * @param {Fate} fate
   */
  add(sent, fate) {
    if (this.count === 0) this.first = this.next;
    if (fate === 'flying') {
      this.count++;
      this.bytes += sent.size;
    }
    this.#sent.set(this.next, { ...sent, number: this.next, fate, repeated: false });
    this.next++;
    for (const number of this.#sent.keys()) {
      if (number >= Math.min(this.first, this.next - KEPT)) return;
      this.#sent.delete(number);
    }
  }

  /** @param {number} number */
  find(number) {
    return this.#sent.get(number);
  }

  /**
   * Returns the packets in flight below a number, in order.
   * @param {number} [end]
   * @param {number} [begin] the lowest number
   * @returns {Sent[]}
   */
  flying(end = this.next, begin = 0) {
    const found = [];
    for (let n = Math.max(this.first, begin); n < end && this.count > 0; n++) {
      const sent = this.#sent.get(n);
      if (sent?.fate === 'flying') found.push(sent);
    }
    return found;
  }

  /** Ends the flight of a packet. @param {Sent} sent @param {Fate} fate */
  land(sent, fate) {
    sent.fate = fate;
    this.count--;
    this.bytes -= sent.size;
    while (
      this.first < this.next &&
      (this.count === 0 || this.#sent.get(this.first)?.fate !== 'flying')
    )
      this.first++;
  }
}
