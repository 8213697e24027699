/**
 * Which message has to wait for which: the graph that sender and receiver of messages by datagrams have in common (D1 to D12,
 * docs/protocol/datagram.md). server/transport/depgraph is the same in Go, with identical results. No DOM, no clock.
 *
 * @module
 */

/** How many messages may be under way: numbers from the lowest that is not acknowledged, and below that one plus this (D3). */
export const WINDOW = 8192;

/** The greatest number of dependencies of a message (D14). */
export const MAX_DEPENDENCIES = 64;

/** What a message that waits costs beside its bytes and its header, in bytes that are counted like those (D14). */
export const MESSAGE_COST = 64;
/** What each of its dependencies does. */
export const DEPENDENCY_COST = 8;

/** Why a connection is over (D29). */
export class CloseError extends Error {
  /** @override */
  name = 'CloseError';

  /**
   * @param {number} code of D29 and stream.md
   * @param {string} reason
   * @param {boolean} [remote] whether the other end has said so
   */
  constructor(code, reason, remote = false) {
    super(`${code} ${reason}`);
    this.code = code;
    this.reason = reason;
    this.remote = remote;
  }
}

/** The other end has broken a rule. @param {string} what */
export const broken = (what) => new CloseError(1002, what);

/** The other end has gone beyond a bound of D14. @param {string} what */
export const exceeded = (what) => new CloseError(1009, what);

/** A message is missing, and nothing of it has come for too long (D10). @param {number} number */
export const expired = (number) =>
  new CloseError(4000, `message ${number} is missing for too long`);

/**
 * How far a message has come:
 *
 *     absent ──▶ declared ──▶ arrived ──▶ executed
 *        └───────────────────────▲
 *
 * An absent one may have a place for all that (D5).
 *
 * @typedef {0 | 1 | 2 | 3} Stage
 */
const ABSENT = 0;
export const DECLARED = 1; // it was sent, by this end
export const ARRIVED = 2; // it may be executed as soon as it waits for nothing
export const EXECUTED = 3;

/**
 * A message in the graph, or the place of one (D5).
 *
 * @template P
 * @typedef {object} Node
 * @property {Stage} stage
 * @property {P | null} payload null before the message has arrived and after it was executed
 * @property {number[]} successors those that wait for it
 * @property {number} waits dependencies that have not been executed
 */

/**
 * The messages from floor up, and which of them waits for which. Below the floor all have been executed, and nothing is kept of
 * them (D10).
 *
 * @template P what is kept of a message until it is executed
 */
export class Graph {
  /** The lowest number that has not been executed. */
  floor = 0;
  /** One above the highest number that has, or had, a place. */
  top = 0;
  /** @type {Map<number, Node<P>>} */
  #nodes = new Map();
  #ready = new Heap();
  #busy = false;
  #execute;

  /** @param {(number: number, payload: P) => void} execute it may add to the graph, and does not throw */
  constructor(execute) {
    this.#execute = execute;
  }

  /** How far a message has come. @param {number} number @returns {Stage} */
  stage(number) {
    return number < this.floor ? EXECUTED : (this.#nodes.get(number)?.stage ?? ABSENT);
  }

  /** Makes a place for a message. @param {number} number at least the floor */
  hold(number) {
    const known = this.#nodes.get(number);
    if (known) return known;
    /** @type {Node<P>} */
    const node = { stage: ABSENT, payload: null, successors: [], waits: 0 };
    this.#nodes.set(number, node);
    this.top = Math.max(this.top, number + 1);
    return node;
  }

  /**
   * Makes a message wait for one that has not been executed. All dependencies of a message are added before those of another: so one
   * that is listed twice is the last in the list, and makes one edge (D9).
   *
   * @param {number} number
   * @param {number} dependency lower
   */
  depend(number, dependency) {
    const { successors } = this.hold(dependency);
    if (successors.at(-1) === number) return;
    successors.push(number);
    this.hold(number).waits++;
  }

  /**
   * A message is here, with all its dependencies added. What waits for nothing any more is executed.
   *
   * @param {number} number
   * @param {P} payload
   */
  arrive(number, payload) {
    const node = this.hold(number);
    node.stage = ARRIVED;
    node.payload = payload;
    if (node.waits > 0) return;
    this.#ready.push(number);
    this.#settle();
  }

  /**
   * Executes what is ready, the lowest number first, and what becomes ready by that (D4). What is added meanwhile is executed by the
   * same loop: nothing here is recursive.
   */
  #settle() {
    if (this.#busy) return;
    this.#busy = true;
    for (let number = this.#ready.pop(); number !== undefined; number = this.#ready.pop()) {
      const node = this.hold(number);
      const { successors, payload } = node;
      Object.assign(node, { stage: EXECUTED, successors: [], payload: null });
      for (const next of successors) {
        const waiting = this.hold(next);
        if (--waiting.waits === 0 && waiting.stage === ARRIVED) this.#ready.push(next);
      }
      this.#execute(number, /** @type {P} */ (payload));
      this.#forget();
    }
    this.#busy = false;
  }

  /** Raises the floor above what has been executed. */
  #forget() {
    while (this.#nodes.get(this.floor)?.stage === EXECUTED) this.#nodes.delete(this.floor++);
  }
}

/** A binary heap of numbers, the lowest first. */
class Heap {
  /** @type {number[]} */
  #list = [];

  /** @param {number} number */
  push(number) {
    const list = this.#list;
    let i = list.length;
    for (let above = (i - 1) >> 1; i > 0 && list[above] > number; above = (i - 1) >> 1) {
      list[i] = list[above];
      i = above;
    }
    list[i] = number;
  }

  /** @returns {number | undefined} the lowest, which is taken out */
  pop() {
    const list = this.#list;
    const lowest = list[0];
    const last = list.pop();
    if (last === undefined || list.length === 0) return lowest;
    let i = 0;
    for (let below = 1; below < list.length; below = 2 * i + 1) {
      if (list[below + 1] < list[below]) below++;
      if (list[below] >= last) break;
      list[i] = list[below];
      i = below;
    }
    list[i] = last;
    return lowest;
  }
}
