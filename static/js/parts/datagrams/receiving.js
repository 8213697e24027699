/**
 * What a connection by datagrams has received: which packets, and the acknowledgements for them
 * (D22, D24); and messages of which some fragments are missing (D25). No DOM, no clock: times are
 * in milliseconds.
 *
 * @module
 */

import { broken } from './graph.js';
import { costOf } from './header.js';
import { BLOCK, MAX_BITS } from './packet.js';

/** How far below the highest received number a packet may lie (D22). */
const REACH = 128;

/** Milliseconds for which an acknowledgement may wait for other content (D24). */
export const ACK_DELAY = 10;

/** Delay units of an acknowledgement in a millisecond. */
const TICKS = 10;

/** The packets that were received. */
export class Received {
  /** The highest number that was received, plus 1. */
  next = 0;
  /** Number of packets that ask for an acknowledgement and have not got one. */
  asking = 0;
  /** When that acknowledgement has to be sent. */
  due = 0;
  /** How long it may wait for other content, in milliseconds. */
  patience = ACK_DELAY;
  /** The last numbers that were received, each at its remainder. @type {number[]} */
  #came = [];
  /** When the highest one was received. */
  #at = 0;
  /** The other end knows that all packets received below this number were received. */
  #lowest = 0;
  /** Acknowledgements in packets below this number do not prove that. */
  #after = 0;

  /**
   * Returns the full number of a packet.
   *
   * @param {number} w the number in the packet
   * @returns {number} −1 if it was received before, or is too old
   */
  number(w) {
    const ahead = ((w - this.next) << 16) >> 16; // from −2^15 to 2^15 − 1
    const number = this.next + ahead;
    return number < 0 || ahead < -1 - REACH || this.#has(number) ? -1 : number;
  }

  /** Returns whether a packet that is not too old was received. @param {number} number */
  #has(number) {
    return this.#came[number % (REACH + 1)] === number;
  }

  /**
   * Notes a packet whose number was valid.
   *
   * @param {number} now
   * @param {number} number
   * @param {boolean} asks whether it asks for an acknowledgement
   * @param {number} next the number of the next packet that this end sends
   */
  take(now, number, asks, next) {
    const inTurn = number === this.next;
    if (number >= this.next) {
      this.next = number + 1;
      this.#at = now;
    } else if (number < this.#lowest) {
      this.#lowest = number;
      this.#after = next;
    }
    this.#came[number % (REACH + 1)] = number;
    if (!asks) return;
    if (++this.asking === 1) this.due = now + this.patience;
    if (this.asking > 1 || !inTurn) this.due = now;
  }

  /**
   * Returns the acknowledgement to send now.
   *
   * @param {number} now
   * @param {number} floor the floor as packets carry it
   * @returns {import('./packet.js').Ack}
   */
  say(now, floor) {
    const highest = this.next - 1;
    let size = Math.min(MAX_BITS, Math.ceil((highest - Math.min(this.#lowest, highest)) / 8));
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
   * Notes that a packet of this end was acknowledged. In it, this end acknowledged every received
   * packet below `told`.
   *
   * @param {number} number
   * @param {number} told
   */
  known(number, told) {
    if (number >= this.#after) this.#lowest = Math.max(this.#lowest, told);
  }
}

/**
 * A set of the blocks of one message: those that were received, or those that were acknowledged.
 */
export class Blocks {
  #has;

  /** @param {number} size size of the message in bytes */
  constructor(size) {
    this.#has = new Uint8Array(Math.ceil(size / BLOCK));
    /** Number of blocks that are not in the set. */
    this.left = this.#has.length;
  }

  /** Adds the blocks from a byte up to another. @param {number} from @param {number} to */
  add(from, to) {
    for (let i = from / BLOCK; i < to / BLOCK; i++) {
      if (this.#has[i] === 0) this.left--;
      this.#has[i] = 1;
    }
  }

  /**
   * Returns whether the set has all blocks from a byte up to another.
   * @param {number} from
   * @param {number} to
   */
  has(from, to) {
    return !this.#has.subarray(from / BLOCK, Math.ceil(to / BLOCK)).includes(0);
  }
}

/** The messages of which some fragments were received, but not all (D25). */
export class Assemblies {
  /** @type {Map<number, { body: Uint8Array, came: Blocks, cost: number }>} */
  #open = new Map();
  /** The cost of all of them, each with its full size (D14). */
  cost = 0;

  /**
   * Puts a fragment into its message.
   *
   * @param {import('./packet.js').Fragment} fragment
   * @returns {{ whole: Uint8Array | null, isNew: boolean }} the message when it is complete, and
   *   whether the fragment had anything new
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

  /** Returns whether fragments of a message were received. @param {number} number */
  has(number) {
    return this.#open.has(number);
  }

  /** Drops a message, because it is complete or was received whole. @param {number} number */
  drop(number) {
    this.cost -= this.#open.get(number)?.cost ?? 0;
    this.#open.delete(number);
  }
}
