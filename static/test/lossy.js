// A line that loses, doubles, delays and reorders packets, with the two ends of a connection on it:
// for tests of parts/datagrams/connection.js. Time is virtual, in milliseconds, and everything
// follows from a seed.

import { Conn } from '../js/parts/datagrams/connection.js';
import { random } from './random.js';

/**
 * What the line does to packets, in both directions.
 *
 * @typedef {object} Weather
 * @property {number} [loss] share of packets that are lost
 * @property {number} [copies] share of packets that arrive twice
 * @property {number} [delay] one way
 * @property {number} [jitter] the most that is added to the delay
 * @property {[number, number]} [blackout] from when to when everything is lost
 * @property {(bytes: Uint8Array) => boolean} [swallows] whether a packet is lost, besides those
 */

/** @typedef {{ number: number, body: Uint8Array, at: number }} Got */
/**
 * @typedef {{ at: number, to: End, bytes: Uint8Array }} Packet on its way, with the time of its
 *   arrival
 */

/** One end, and what it has executed. */
export class End {
  /** Guaranteed messages in the order of their execution. @type {Got[]} */
  executed = [];
  /** @type {{ key: number, body: Uint8Array, at: number }[]} */
  loose = [];
  /** How many packets it has sent. */
  sent = 0;
  /** How many bytes these have. */
  bytes = 0;

  /**
   * @param {Lossy} line
   * @param {Partial<import('../js/parts/datagrams/connection.js').ConnOptions>} options
   */
  constructor(line, options) {
    this.conn = new Conn({
      now: line.now,
      largest: 1200,
      takes: { message: 1 << 24, window: 24 << 20 },
      peerLimits: { message: 1 << 24, window: 24 << 20 },
      keepalive: 5000,
      execute: (number, body) => this.executed.push({ number, body, at: line.now }),
      executeUnguaranteed: (key, body) => this.loose.push({ key, body, at: line.now }),
      ...options,
    });
  }
}

export class Lossy {
  now = 0;
  #dice;
  /** By time of arrival. @type {Packet[]} */
  #air = [];

  /**
   * @param {number} seed
   * @param {Weather} weather
   * @param {Partial<import('../js/parts/datagrams/connection.js').ConnOptions>} [page]
   * @param {Partial<import('../js/parts/datagrams/connection.js').ConnOptions>} [server]
   */
  constructor(seed, weather, page = {}, server = {}) {
    this.#dice = random(seed);
    this.weather = weather;
    this.page = new End(this, page);
    this.server = new End(this, server);
  }

  /** Lets time pass. @param {number} ms */
  pass(ms) {
    const until = this.now + ms;
    for (let at = this.#turn(); at <= until; at = this.#turn()) {
      this.now = Math.max(this.now, at);
      while (this.#air.length > 0 && this.#air[0].at <= this.now) {
        const { to, bytes } = /** @type {Packet} */ (this.#air.shift());
        to.conn.receive(this.now, bytes);
        this.#send(to);
      }
    }
    this.now = until;
  }

  /**
   * Lets time pass until a condition holds.
   *
   * @param {() => boolean} done
   * @param {number} limit
   * @returns {boolean} whether it held in time
   */
  until(done, limit) {
    const end = this.now + limit;
    while (!done()) {
      if (this.now >= end) return false;
      this.pass(1);
    }
    return true;
  }

  /** Sends what both ends have to send, and returns when something happens next. */
  #turn() {
    this.#send(this.page);
    this.#send(this.server);
    return Math.min(
      this.#air[0]?.at ?? Number.POSITIVE_INFINITY, Math.max(this.page.conn.wake, this.now + 0.1),
      Math.max(this.server.conn.wake, this.now + 0.1),
    );
  }

  /** @param {End} from */
  #send(from) {
    for (let bytes = from.conn.next(this.now); bytes; bytes = from.conn.next(this.now)) {
      from.sent++;
      from.bytes += bytes.length;
      this.#carry(from === this.page ? this.server : this.page, bytes);
    }
  }

  /** @param {End} to @param {Uint8Array} bytes */
  #carry(to, bytes) {
    const {
      loss = 0, copies = 0, delay = 20, jitter = 0, blackout = [0, 0], swallows = () => false,
    } = this.weather;
    for (let n = this.#dice.chance(copies) ? 2 : 1; n > 0; n--) {
      if (
        this.#dice.chance(loss) ||
        (this.now >= blackout[0] && this.now < blackout[1]) ||
        swallows(bytes)
      )
        continue;
      const packet = { at: this.now + delay + this.#dice.next() * jitter, to, bytes };
      const behind = this.#air.findIndex(({ at }) => at > packet.at);
      this.#air.splice(behind < 0 ? this.#air.length : behind, 0, packet);
    }
  }
}
