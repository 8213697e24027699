/**
 * What is sent, of a connection by datagrams: guaranteed messages until they are acknowledged, unguaranteed ones until they are sent or
 * stale, and the packets that are under way (D15, D24 to D26). No DOM, no clock: times are in milliseconds.
 *
 * @module
 */

import { encodeHeader } from './header.js';
import {
  fragmentEnd,
  looseSize,
  MAX_RECORDS,
  wholeSize,
  writeFragment,
  writeLoose,
  writeWhole,
} from './packet.js';
import { Blocks } from './receiving.js';

/**
 * A guaranteed message in a packet, or the part of one from a byte up to another.
 *
 * @typedef {{ number: number, from: number, to: number }} Unit
 */

/**
 * A message that is not acknowledged.
 *
 * @typedef {object} Message
 * @property {Uint8Array} head as it is on the wire
 * @property {Uint8Array} body
 * @property {number} copies packets that fly with all of it in them, and places of it in what is sent again
 * @property {Blocks | null} blocks that are acknowledged, if it was cut
 */

/**
 * The guaranteed messages. What was lost goes before what is new, and of that the lowest number first: so that what is late already is not late for
 * ever where much is lost.
 */
export class Outbox {
  #sender;
  /** What is not acknowledged, by number. @type {Map<number, Message>} */
  #messages = new Map();
  /** What was lost, in order. @type {Unit[]} */
  #again = [];
  /** The lowest number of which not all was sent. */
  fresh = 0;
  /** The bytes of it that were. */
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

  /** Whether all is acknowledged. */
  get empty() {
    return this.#messages.size === 0;
  }

  /** Bytes that are not acknowledged. */
  get bytes() {
    let sum = 0;
    for (const { body } of this.#messages.values()) sum += body.length;
    return sum;
  }

  /** Forgets what the sender's graph knows to have come. */
  settle() {
    for (const number of this.#messages.keys()) {
      if (number >= this.#sender.floor) return;
      this.#messages.delete(number);
    }
  }

  /** Whether a unit need not be sent again. @param {Unit} unit */
  settled({ number, from, to }) {
    const message = this.#messages.get(number);
    return !message || (message.blocks?.has(from, to) ?? false);
  }

  /** A unit has arrived. @param {Unit} unit */
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

  /** A packet with a unit in it is lost, or is not to be waited for: it is sent again, unless it still flies in another. @param {Unit} unit */
  lose(unit) {
    const message = this.#messages.get(unit.number);
    if (!message || (isWhole(unit, message) && --message.copies > 0)) return;
    if (!this.settled(unit)) this.repeat(unit);
  }

  /** A unit is to be sent again. @param {Unit} unit */
  repeat(unit) {
    const message = this.#messages.get(unit.number);
    if (message && isWhole(unit, message)) message.copies++;
    const at = this.#again.findIndex(
      ({ number, from }) => number > unit.number || (number === unit.number && from > unit.from),
    );
    this.#again.splice(at < 0 ? this.#again.length : at, 0, unit);
  }

  /** Whether there is something to send. */
  get waits() {
    while (this.#again.length > 0 && this.settled(this.#again[0])) this.#again.shift();
    return this.#again.length > 0 || this.fresh < this.#next;
  }

  /**
   * Puts what is to be sent into a packet.
   *
   * @param {import('./packet.js').Builder} b
   * @param {number} capacity bytes of records for which an empty packet has room
   * @returns {Unit[]} what it was
   */
  fill(b, capacity) {
    /** @type {Unit[]} */
    const units = [];
    while (units.length < MAX_RECORDS && this.waits) {
      const again = this.#again.length > 0;
      const unit = again ? this.#again[0] : { number: this.fresh, from: this.#upTo, to: -1 };
      const message = /** @type {Message} */ (this.#messages.get(unit.number));
      const { head, body } = message;
      let { to } = again ? unit : { to: body.length };
      const all = unit.from === 0 && to === body.length;
      const size = wholeSize(head, body);
      if (all && size <= capacity) {
        if (size > b.room) break; // it goes whole in the next packet
        writeWhole(b, head, body);
      } else {
        const end = fragmentEnd(head, body, unit.from, to, Math.min(b.room, capacity));
        // What goes again as it was goes into the next packet: or it would be cut smaller and smaller.
        const fitted = again && end < to && fragmentEnd(head, body, unit.from, to, capacity) === to;
        if (end === unit.from || fitted) break;
        to = end;
        writeFragment(b, head, body, unit.from, to);
        if (all && again) message.copies--; // it is whole no longer
      }
      units.push(this.#took({ ...unit, to }, message, again));
    }
    return units;
  }

  /**
   * Takes a unit, or the beginning of one, off what is to be sent.
   *
   * @param {Unit} unit @param {Message} message @param {boolean} again
   */
  #took(unit, message, again) {
    if (again) {
      const [first] = this.#again.splice(0, 1);
      if (unit.to < first.to) this.#again.unshift({ ...first, from: unit.to });
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

/** Whether a unit is all of its message. @param {Unit} unit @param {Message} message */
function isWhole({ from, to }, { body }) {
  return from === 0 && to === body.length;
}

/** So many unguaranteed messages wait to be sent at most (D15). */
const MAX_LOOSE = 64;
/** So long. */
const STALE = 100;

/** The unguaranteed messages that wait to be sent, those that came first before others. */
export class LooseBox {
  /** @type {{ key: number, at: number, body: Uint8Array }[]} */
  #waiting = [];

  /**
   * Takes a message: in the place of one of the same key, unless that is 0, or of the one that has waited longest when there are too many.
   *
   * @param {number} now @param {number} key @param {Uint8Array} body
   */
  add(now, key, body) {
    const message = { key, at: now, body };
    const same = key === 0 ? -1 : this.#waiting.findIndex((other) => other.key === key);
    if (same >= 0) {
      this.#waiting[same] = message;
      return;
    }
    if (this.#waiting.length === MAX_LOOSE) this.#waiting.shift();
    this.#waiting.push(message);
  }

  get waits() {
    return this.#waiting.length > 0;
  }

  /** Throws away what has waited too long. @param {number} now */
  expire(now) {
    if (this.waits) this.#waiting = this.#waiting.filter(({ at }) => now - at < STALE);
  }

  /**
   * Puts what fits into a packet, and throws away what an empty one has no room for.
   *
   * @param {import('./packet.js').Builder} b @param {number} capacity
   */
  fill(b, capacity) {
    this.#waiting = this.#waiting.filter(({ key, body }) => {
      const size = looseSize(key, body);
      if (size > b.room) return size <= capacity;
      writeLoose(b, key, body);
      return false;
    });
  }
}

/**
 * What has become of a packet that was sent:
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
 * @property {number} at when
 * @property {number} size in bytes
 * @property {Fate} fate
 * @property {number} told all that had come with lower numbers was acknowledged in it
 * @property {Unit[]} units what was guaranteed in it
 */

/** So many packets may be under way; a flood of small ones waits for acknowledgements. */
const MAX_FLYING = 4096;
/** So many numbers back something is known of packets that do not fly: acknowledgements do not reach further. */
const KEPT = 256;

/** The packets that were sent, as many as are of use. */
export class Flight {
  /** @type {Map<number, Sent>} */
  #sent = new Map();
  /** All that fly have this number or a higher one. */
  first = 0;
  /** The number of the next packet. */
  next = 0;
  /** How many fly. */
  count = 0;

  /** Whether no packet that asks for an acknowledgement can be sent. */
  get full() {
    return this.next - this.first >= MAX_FLYING;
  }

  /** Adds the next packet. @param {Omit<Sent, 'number' | 'fate'>} sent @param {Fate} fate */
  add(sent, fate) {
    if (this.count === 0) this.first = this.next;
    if (fate === 'flying') this.count++;
    this.#sent.set(this.next, { ...sent, number: this.next, fate });
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

  /** Those that fly, up to below a number, in order. @param {number} [end] @returns {Sent[]} */
  flying(end = this.next) {
    const found = [];
    for (let n = this.first; n < end && this.count > 0; n++) {
      const sent = this.#sent.get(n);
      if (sent?.fate === 'flying') found.push(sent);
    }
    return found;
  }

  /** What has become of a packet that flies. @param {Sent} sent @param {Fate} fate */
  land(sent, fate) {
    sent.fate = fate;
    this.count--;
    while (
      this.first < this.next &&
      (this.count === 0 || this.#sent.get(this.first)?.fate !== 'flying')
    )
      this.first++;
  }
}
