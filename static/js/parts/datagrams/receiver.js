/**
 * Executes the messages of one connection in one direction: each guaranteed message once, after all
 * on which it depends (D4), in whatever order and however often they arrive. No DOM. The caller
 * passes in times in milliseconds, which never go back.
 *
 * @module
 */

import {
  ARRIVED,
  broken,
  EXECUTED,
  exceeded,
  expired,
  Graph,
  MAX_DEPENDENCIES,
  WINDOW,
} from './graph.js';
import { costOf } from './header.js';

/** Milliseconds for which nothing may arrive of a message that is missing at the floor (D10). */
export const MISSING_TIMEOUT = 11_000;
/** Milliseconds for which an unguaranteed message waits for those on which it depends (D15). */
const UNGUARANTEED_TIMEOUT = 250;
/** The greatest number of unguaranteed messages that wait (D15). */
const MAX_UNGUARANTEED = 64;

/**
 * An unguaranteed message that waits for guaranteed ones.
 *
 * @template M
 * @typedef {{ key: number, since: number, deps: number[], message: M }} Unguaranteed
 */

/** @template M a message, as it is executed */
export class Receiver {
  #window;
  #executeUnguaranteed;
  /** @type {Graph<{ message: M, size: number }>} */
  #graph;
  #bytes = 0; // cost of the waiting messages
  // While a message is missing: when the floor last rose, when something new of that message last
  // came, or when no message was missing.
  #since = 0;
  /** In the order in which they arrived. @type {Unguaranteed<M>[]} */
  #unguaranteed = [];

  /**
   * @param {number} window the greatest cost of waiting messages, in bytes (D14)
   * @param {(number: number, message: M) => void} execute it may add to the receiver, and does not
   *   throw
   * @param {(key: number, message: M) => void} executeUnguaranteed the same for unguaranteed
   *   messages
   */
  constructor(window, execute, executeUnguaranteed) {
    this.#window = window;
    this.#executeUnguaranteed = executeUnguaranteed;
    this.#graph = new Graph((number, { message, size }) => {
      this.#bytes -= size;
      execute(number, message);
      this.#release();
    });
  }

  /**
   * Puts a guaranteed message into the graph, and executes messages that wait for nothing any more.
   * It ignores a message that it has already, whatever its contents are now (D7).
   *
   * @param {number} now
   * @param {import('./header.js').Header} header
   * @param {number} size size in bytes, without the header
   * @param {M} message
   * @throws {import('./graph.js').CloseError} the connection has to end; the graph has not changed
   */
  add(now, header, size, message) {
    this.#expireUnguaranteed(now);
    const { number, deps } = header;
    if (this.arrived(number)) return;
    this.#check(header);
    const missing = deps.filter((d) => !this.executed(d));
    const kept = missing.length > 0 ? costOf(header, size) : 0;
    if (this.#bytes + kept > this.#window) throw exceeded('too much waits');
    const floor = this.#misses ? this.floor : -1;
    for (const d of missing) this.#graph.depend(number, d);
    this.#bytes += kept;
    this.#graph.arrive(number, { message, size: kept });
    if (this.floor > floor) this.#since = now;
  }

  /**
   * Notes that something new has arrived of a guaranteed message that is not complete yet (D25).
   *
   * @param {number} now
   * @param {number} number
   * @throws {import('./graph.js').CloseError} the connection has to end
   */
  part(now, number) {
    if (this.arrived(number)) return;
    this.#reach(number);
    if (number === this.floor || !this.#misses) this.#since = now;
    this.#graph.hold(number);
  }

  /**
   * Whether a message is missing: something is known of a message above the floor, or a part of the
   * one at the floor. The one at the floor has not arrived then, because nothing stands before it.
   */
  get #misses() {
    return this.#graph.top > this.floor;
  }

  /** Checks that the other end may have sent a number already (D3). @param {number} number */
  #reach(number) {
    if (number >= this.floor + WINDOW)
      throw broken(`message ${number} is too far above the floor ${this.floor}`);
  }

  /**
   * Checks a header.
   *
   * @param {import('./header.js').Header} header
   */
  #check({ number, deps }) {
    this.#reach(number);
    if (deps.length > MAX_DEPENDENCIES) throw exceeded('too many dependencies');
    if (deps.some((d) => d >= number)) throw broken(`message ${number} depends on a later one`);
  }

  /**
   * Executes an unguaranteed message if all on which it depends have been executed. Otherwise it
   * keeps the message for a while. The message replaces a waiting one of the same key, unless the
   * key is 0. If there are too many, it replaces the oldest (D15).
   *
   * @param {number} now
   * @param {number} key
   * @param {number[]} deps
   * @param {M} message
   * @throws {import('./graph.js').CloseError}
   */
  addUnguaranteed(now, key, deps, message) {
    if (deps.length > MAX_DEPENDENCIES) throw exceeded('too many dependencies');
    if (deps.some((d) => d >= this.floor + WINDOW))
      throw broken('an unguaranteed message depends on what cannot have been sent');
    this.#expireUnguaranteed(now);
    if (key !== 0) this.#unguaranteed = this.#unguaranteed.filter((other) => other.key !== key);
    if (deps.every((d) => this.executed(d))) {
      this.#executeUnguaranteed(key, message);
      return;
    }
    if (this.#unguaranteed.length === MAX_UNGUARANTEED) this.#unguaranteed.shift();
    this.#unguaranteed.push({ key, since: now, deps, message });
  }

  /** Executes unguaranteed messages that wait for nothing any more. */
  #release() {
    if (this.#unguaranteed.length === 0) return;
    const isFree = (/** @type {Unguaranteed<M>} */ { deps }) => deps.every((d) => this.executed(d));
    const free = this.#unguaranteed.filter(isFree);
    this.#unguaranteed = this.#unguaranteed.filter((waiting) => !free.includes(waiting));
    for (const { key, message } of free) this.#executeUnguaranteed(key, message);
  }

  /** @param {number} now */
  #expireUnguaranteed(now) {
    while (
      this.#unguaranteed.length > 0 &&
      now >= this.#unguaranteed[0].since + UNGUARANTEED_TIMEOUT
    )
      this.#unguaranteed.shift();
  }

  /** Returns whether a message has been executed. @param {number} number */
  executed(number) {
    return this.#graph.stage(number) === EXECUTED;
  }

  /**
   * Returns whether a message has entered the graph. If so, it only has to be acknowledged (D13).
   * @param {number} number
   */
  arrived(number) {
    return this.#graph.stage(number) >= ARRIVED;
  }

  /** The lowest number that has not been executed. It acknowledges all below (D10). */
  get floor() {
    return this.#graph.floor;
  }

  /** The cost of the waiting messages, in bytes (D14). */
  get waiting() {
    return this.#bytes;
  }

  /**
   * Discards unguaranteed messages that have waited too long.
   *
   * @param {number} now
   * @throws {import('./graph.js').CloseError} if a message has been missing for too long: neither
   *   has the floor risen nor has anything new of that message arrived (D10). The connection has to
   *   end
   */
  expire(now) {
    this.#expireUnguaranteed(now);
    if (this.#misses && now >= this.#since + MISSING_TIMEOUT) throw expired(this.floor);
  }

  /** When expire() has something to do if nothing arrives before; Infinity: never. */
  get deadline() {
    const missing = this.#misses ? this.#since + MISSING_TIMEOUT : Number.POSITIVE_INFINITY;
    const oldest = this.#unguaranteed[0]?.since ?? Number.POSITIVE_INFINITY;
    return Math.min(missing, oldest + UNGUARANTEED_TIMEOUT);
  }
}
