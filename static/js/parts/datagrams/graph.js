/**
 * The message dependency graph that sender and receiver of messages by datagrams share: it says
 * which message waits for which (D1 to D12, docs/protocol/datagram.md). server/transport/depgraph
 * is the same in Go, with identical results. No DOM, no clock.
 *
 * @module
 */

/**
 * The window in numbers: a message may be sent if its number is less than this above the lowest one
 * that is not acknowledged (D3).
 */
export const WINDOW = 8192;

/** The greatest number of dependencies of a message (D14). */
export const MAX_DEPENDENCIES = 64;

/** What a waiting message costs beside its bytes and its header, in bytes (D14). */
export const MESSAGE_COST = 64;
/** What each of its dependencies costs, in bytes. */
export const DEPENDENCY_COST = 8;

/** The reason why a connection has ended (D29). */
export class CloseError extends Error {
  /** @override */
  name = 'CloseError';

  /**
   * @param {number} code a code of D29 and stream.md
   * @param {string} reason
   * @param {boolean} [remote] whether the other end has sent it
   */
  constructor(code, reason, remote = false) {
    super(`${code} ${reason}`);
    this.code = code;
    this.reason = reason;
    this.remote = remote;
  }
}

/** Returns the error for an end that has broken a rule. @param {string} what */
export const broken = (what) => new CloseError(1002, what);

/** Returns the error for an end that has exceeded a bound of D14. @param {string} what */
export const exceeded = (what) => new CloseError(1009, what);

/**
 * Returns the error for a message that has been missing for too long (D10).
 * @param {number} number
 */
export const expired = (number) =>
  new CloseError(4000, `message ${number} is missing for too long`);

/**
 * The stage of a message:
 *
 *     absent ──▶ declared ──▶ arrived ──▶ executed
 *        └───────────────────────▲
 *
 * An absent message may have a place in the graph all the same (D5).
 *
 * @typedef {0 | 1 | 2 | 3} Stage
 */
const ABSENT = 0;
export const MENTIONED = 1; // this end has sent it
export const ARRIVED = 2; // it may be executed as soon as it waits for nothing
export const EXECUTED = 3;

/**
 * A message in the graph, or the place of one (D5).
 *
 * @template P
 * @typedef {object} Node
 * @property {Stage} stage
 * @property {P | null} payload null before the message has arrived and after it was executed
 * @property {number[]} successors messages that wait for it
 * @property {number} waits number of dependencies that have not been executed
 */

/**
 * The messages from the floor up, and which of them waits for which. All messages below the floor
 * have been executed, and the graph keeps nothing of them (D10).
 *
 * @template P what the graph keeps of a message until it is executed
 */
export class Graph {
  /** The lowest number that has not been executed. */
  floor = 0;
  /** The highest number that has, or had, a place, plus 1. */
  top = 0;
  /** @type {Map<number, Node<P>>} */
  #nodes = new Map();
  #ready = new Heap();
  #busy = false;
  #execute;

  /**
   * @param {(number: number, payload: P) => void} execute it may add to the graph, and does not
   *   throw
   */
  constructor(execute) {
    this.#execute = execute;
  }

  /** Returns the stage of a message. @param {number} number @returns {Stage} */
  stage(number) {
    return number < this.floor ? EXECUTED : (this.#nodes.get(number)?.stage ?? ABSENT);
  }

  /**
   * Returns the place of a message, and makes it if there is none.
   * @param {number} number at least the floor
   */
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
   * Makes a message wait for another one that has not been executed. Callers add all dependencies
   * of a message before those of another one. So a dependency that is listed twice is found as the
   * last successor, and makes one edge (D9).
   *
   * @param {number} number
   * @param {number} dependency a lower number
   */
  depend(number, dependency) {
    const { successors } = this.hold(dependency);
    if (successors.at(-1) === number) return;
    successors.push(number);
    this.hold(number).waits++;
  }

  /**
   * Marks a message as arrived, after all its dependencies were added. Executes messages that wait
   * for nothing any more.
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
   * Executes ready messages, the lowest number first, and those that become ready by that (D4).
   * Messages that are added meanwhile are executed by the same loop, so nothing here is recursive.
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

  /** Raises the floor above the executed messages. */
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

  /** @returns {number | undefined} the lowest number, which it removes */
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
