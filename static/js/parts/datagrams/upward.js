/**
 * The requests by datagrams that have no answer yet (D39, D40): which of them a batch has to wait
 * for, and whether another one may be sent. No DOM, no clock.
 *
 * @module
 */

import { FENCES } from './fences.js';

/**
 * What a batch is about: batches that have something in common, or of which one is a fence, are
 * judged in the order in which they were made (D39).
 *
 * @typedef {object} Footprint
 * @property {boolean} fence
 * @property {Set<number>} pieces
 * @property {Set<string>} places where pieces are put
 */

/**
 * How many requests may be without an answer.
 */
const MOST = 16;

/**
 * A request that has no answer yet. `handle` is of the connection; `behind` are the numbers of the
 * requests for which it waits, directly or not.
 *
 * @template B
 * @typedef {{ number: number, batch: B, handle: unknown, behind: Set<number>, sentAt: number }}
 *   Request
 */

/** @template B */
export class Upward {
  /** In the order in which they were sent. @type {Request<B>[]} */
  #under = [];
  /** The numbers of requests that were given up. Their answers may still come. */
  #given = new Set();
  #last = 0;
  /** Whether a request of this stream was answered. The first one goes alone (D40). */
  #proved = false;
  #about;

  /** @param {(batch: B) => Footprint} about what a batch in flight is about now */
  constructor(about) {
    this.#about = about;
  }

  /** Whether there is no request without an answer, not even one that was given up. */
  get isOver() {
    return this.#under.length === 0 && this.#given.size === 0;
  }

  /** Whether no answer is awaited. */
  get isQuiet() {
    return this.#under.length === 0;
  }

  /** Whether another request may be sent. */
  get isFree() {
    return this.#under.length === 0 || (this.#proved && this.#under.length < MOST);
  }

  /** The number of the next request. */
  get next() {
    return this.#last + 1;
  }

  /** When the first of them was sent; 0: there is none. */
  get since() {
    return this.#under[0]?.sentAt ?? 0;
  }

  /**
   * The requests on which a batch depends. Of several that wait for each other it has the last one.
   *
   * @param {B} batch
   * @returns {{ deps: unknown[], behind: Set<number> }} their handles, and the numbers of all for
   *   which the batch waits
   */
  behind(batch) {
    const about = this.#about(batch);
    const deps = [];
    /** @type {Set<number>} */
    const behind = new Set();
    for (const before of [...this.#under].reverse()) {
      if (behind.has(before.number) || !meet(about, this.#about(before.batch))) continue;
      deps.push(before.handle);
      for (const number of [before.number, ...before.behind]) behind.add(number);
    }
    return { deps, behind };
  }

  /**
   * A request was sent.
   *
   * @param {Omit<Request<B>, 'number'>} request
   */
  add(request) {
    this.#under.push({ number: ++this.#last, ...request });
  }

  /**
   * An answer has come.
   *
   * @param {number} number
   * @returns {B | null} the batch; null if it was given up
   */
  answered(number) {
    this.#given.delete(number);
    const at = this.#under.findIndex((request) => request.number === number);
    if (at < 0) return null;
    this.#proved = true;
    return this.#under.splice(at, 1)[0].batch;
  }

  /** Stops waiting for all answers. @returns {B[]} the batches */
  giveUp() {
    const batches = this.#under.map(({ batch }) => batch);
    for (const { number } of this.#under) this.#given.add(number);
    this.#under = [];
    return batches;
  }

  /** The stream was lost: no answer comes any more. @returns {B[]} the batches */
  abandon() {
    const batches = this.giveUp();
    this.#given.clear();
    this.#proved = false;
    return batches;
  }
}

/**
 * What the updates of a batch are about.
 *
 * @param {import('../../sync/outbox.js').PendingUpdate[]} updates
 * @returns {Footprint}
 */
export function footprint(updates) {
  const pieces = new Set();
  const places = new Set();
  let fence = false;
  for (const { piece, sentFor, op, args, into, taken } of updates) {
    fence ||= FENCES.has(op);
    const named = [piece, sentFor, args.into, into, taken?.into];
    for (const id of named) if (id) pieces.add(id);
    if (piece !== 0 && args.x !== undefined) places.add(`${args.x} ${args.y}`);
  }
  return { fence, pieces, places };
}

/**
 * Whether two batches have to keep their order.
 *
 * @param {Footprint} a
 * @param {Footprint} b
 */
function meet(a, b) {
  return a.fence || b.fence || common(a.pieces, b.pieces) || common(a.places, b.places);
}

/**
 * @template T
 * @param {Set<T>} a
 * @param {Set<T>} b
 */
function common(a, b) {
  for (const one of a) if (b.has(one)) return true;
  return false;
}
