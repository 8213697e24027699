/**
 * What has come, of a connection by datagrams: which packets, and what is to be said about them (D22, D24); and messages of which not
 * all fragments have come (D25). No DOM, no clock: times are in milliseconds.
 *
 * @module
 */

import { broken } from './graph.js';
import { costOf } from './header.js';
import { BLOCK, MAX_BITS } from './packet.js';

/** How far below the highest number that came a packet may lie (D22). */
const REACH = 128;

/** How long an acknowledgement may wait for company (D24). */
export const ACK_DELAY = 10;

/** Ticks of the delay that an acknowledgement names, in a millisecond. */
const TICKS = 10;

/** Knows which packets came. */
export class Received {
  /** One above the highest number that came. */
  next = 0;
  /** Packets that ask, and of which nothing was said. */
  asking = 0;
  /** When something is to be said of them. */
  due = 0;
  /** How long it may wait for company. */
  patience = ACK_DELAY;
  /** The last numbers that came, each at its remainder. @type {number[]} */
  #came = [];
  /** When the highest came. */
  #at = 0;
  /** All that came below are known to the other end to have come. */
  #low = 0;
  /** What it was told in packets of lower numbers does not show that. */
  #after = 0;

  /**
   * The number of a packet.
   *
   * @param {number} w as it is on the wire
   * @returns {number} −1 if it came before, or is too old
   */
  number(w) {
    const ahead = ((w - this.next) << 16) >> 16; // −2^15 to 2^15 − 1
    const number = this.next + ahead;
    return number < 0 || ahead < -1 - REACH || this.#has(number) ? -1 : number;
  }

  /** Whether a packet came that is not too old. @param {number} number */
  #has(number) {
    return this.#came[number % (REACH + 1)] === number;
  }

  /**
   * Notes a packet whose number was good.
   *
   * @param {number} now
   * @param {number} number
   * @param {boolean} asks
   * @param {number} next the number of the packet that is sent next
   */
  take(now, number, asks, next) {
    const inTurn = number === this.next;
    if (number >= this.next) {
      this.next = number + 1;
      this.#at = now;
    } else if (number < this.#low) {
      this.#low = number;
      this.#after = next;
    }
    this.#came[number % (REACH + 1)] = number;
    if (!asks) return;
    if (++this.asking === 1) this.due = now + this.patience;
    if (this.asking > 1 || !inTurn) this.due = now;
  }

  /**
   * What is to be said, as if it were sent now.
   *
   * @param {number} now
   * @param {number} floor as it is on the wire
   * @returns {import('./packet.js').Ack}
   */
  say(now, floor) {
    const highest = this.next - 1;
    let size = Math.min(MAX_BITS, Math.ceil((highest - Math.min(this.#low, highest)) / 8));
    const came = (/** @type {number} */ i) => this.#has(highest - 1 - i);
    const isEmpty = (/** @type {number} */ byte) =>
      !Array.from({ length: 8 }, (_, i) => came(8 * byte + i)).includes(true);
    while (size > 0 && isEmpty(size - 1)) size--;
    const bits = Array.from({ length: 8 * size }, (_, i) => came(i));
    return {
      latest: highest & 0xffff,
      delay: Math.min(0xffff, Math.floor((now - this.#at) * TICKS)),
      floor,
      bits,
    };
  }

  /**
   * The packet of that number has arrived, in which all was said that was below `told`.
   *
   * @param {number} number
   * @param {number} told
   */
  known(number, told) {
    if (number >= this.#after) this.#low = Math.max(this.#low, told);
  }
}

/** A set of the blocks of one message: those that came, or those that were acknowledged. */
export class Blocks {
  #has;

  /** @param {number} size of the message, in bytes */
  constructor(size) {
    this.#has = new Uint8Array(Math.ceil(size / BLOCK));
    /** Blocks that are not in it. */
    this.left = this.#has.length;
  }

  /** Puts the blocks from a byte up to another into the set. @param {number} from @param {number} to */
  add(from, to) {
    for (let i = from / BLOCK; i < to / BLOCK; i++) {
      if (this.#has[i] === 0) this.left--;
      this.#has[i] = 1;
    }
  }

  /** Whether all blocks from a byte up to another are in the set. @param {number} from @param {number} to */
  has(from, to) {
    return !this.#has.subarray(from / BLOCK, Math.ceil(to / BLOCK)).includes(0);
  }
}

/** The messages of which fragments have come, and not all (D25). */
export class Assemblies {
  /** @type {Map<number, { body: Uint8Array, came: Blocks, cost: number }>} */
  #open = new Map();
  /** What all of them cost, as they will be (D14). */
  cost = 0;

  /**
   * Puts a fragment in its place.
   *
   * @param {import('./packet.js').Fragment} fragment
   * @returns {{ whole: Uint8Array | null, isNew: boolean }} the message when it is whole, and whether there was anything new in the fragment
   */
  add({ header, size, from, body }) {
    const { number } = header;
    const message = this.#open.get(number) ?? {
      body: new Uint8Array(size),
      came: new Blocks(size),
      cost: costOf(header, size),
    };
    if (message.body.length !== size) throw broken('fragments of one message name different sizes');
    if (!this.has(number)) this.cost += message.cost;
    this.#open.set(number, message);
    const { left } = message.came;
    message.came.add(from, from + body.length);
    const isNew = message.came.left < left;
    if (isNew) message.body.set(body, from);
    if (message.came.left > 0) return { whole: null, isNew };
    this.drop(number);
    return { whole: message.body, isNew };
  }

  /** Whether fragments of a message have come. @param {number} number */
  has(number) {
    return this.#open.has(number);
  }

  /** Forgets a message: it is whole, or it came whole. @param {number} number */
  drop(number) {
    this.cost -= this.#open.get(number)?.cost ?? 0;
    this.#open.delete(number);
  }
}
