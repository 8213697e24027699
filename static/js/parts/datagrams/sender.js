/**
 * Numbers guaranteed messages, names the messages on which each depends, and learns from
 * acknowledgements what the receiver has executed (D1 to D3, D11). It sends nothing. No DOM, no
 * clock.
 *
 * @module
 */

import { ARRIVED, broken, MENTIONED, EXECUTED, Graph, MAX_DEPENDENCIES, WINDOW } from './graph.js';
import { costOf } from './header.js';

/**
 * Names a message that was sent, so that later ones can depend on it (D2). A new handle names none.
 */
export class Handle {
  /** @type {Sender | null} */
  sender = null;
  number = 0;

  /**
   * Whether a dependency on it costs nothing: the message has been executed, as far as is known, or
   * its connection has ended.
   */
  get executed() {
    return this.sender?.executed(this.number) ?? false;
  }
}

/** The sender of one connection. */
export class Sender {
  #window;
  /** Its payloads are costs. A message counts as arrived when it is acknowledged. */
  #graph = new Graph((_, /** @type {number} */ cost) => {
    this.#bytes -= cost;
  });
  #costs = new Map(); // costs of messages that are not acknowledged, by number
  #next = 0;
  #bytes = 0; // cost of the messages that have not been executed
  /** Dependencies of the message that was begun: ascending, without duplicates. @type {number[]} */
  #deps = [];
  #closed = false;

  /**
   * @param {number} window the greatest cost, in bytes, of messages that the receiver has not
   *   executed (D3, D14)
   */
  constructor(window) {
    this.#window = window;
  }

  /** Begins a message without dependencies. It drops a message that was begun and not ended. */
  begin() {
    this.#deps = [];
  }

  /**
   * Makes the message that was begun depend on another one. It ignores null, a message that has
   * been executed, and one of a connection that has ended. A handle that is given twice counts once
   * (D2).
   *
   * @param {Handle | null} handle
   * @throws {RangeError} if the handle was never filled or is of another connection, or if there
   *   are too many
   */
  depend(handle) {
    if (!handle || handle.executed) return;
    if (!handle.sender) throw new RangeError('a handle that was never filled');
    if (handle.sender !== this) throw new RangeError('a handle of another connection');
    const at = this.#deps.findIndex((n) => n >= handle.number);
    if (this.#deps[at] === handle.number) return;
    if (this.#deps.length === MAX_DEPENDENCIES) throw new RangeError('too many dependencies');
    this.#deps.splice(at < 0 ? this.#deps.length : at, 0, handle.number);
  }

  /**
   * Ends the message that was begun.
   *
   * @param {Handle | null} handle a handle to fill
   * @param {number} size size in bytes, without its header
   * @returns {import('./header.js').Header | null} null if the window is full or the connection has
   *   ended; then there is no message (D3)
   * @throws {RangeError} if the handle names a message that is under way
   */
  end(handle, size) {
    const number = this.#next;
    const header = { number, deps: this.endUnguaranteed() };
    const cost = costOf(header, size);
    if (this.#closed) return null;
    if (handle?.sender && !handle.executed)
      throw new RangeError('a handle of a message that is under way');
    if (number >= this.#graph.floor + WINDOW || this.#bytes + cost > this.#window) return null;
    this.#graph.hold(number).stage = MENTIONED;
    for (const d of header.deps) this.#graph.depend(number, d);
    this.#costs.set(number, cost);
    this.#bytes += cost;
    this.#next++;
    if (handle) Object.assign(handle, { sender: this, number });
    return header;
  }

  /**
   * Ends the message that was begun as an unguaranteed one (D15), and returns its dependencies,
   * ascending.
   */
  endUnguaranteed() {
    return this.#deps.filter((d) => !this.executed(d));
  }

  /**
   * Notes that a message has entered the receiver's graph. The message, and those that wait for it,
   * count as executed as soon as all their dependencies do (D11). A second call changes nothing.
   *
   * @param {number} number
   * @throws {import('./graph.js').CloseError} if no such message was sent
   */
  acknowledge(number) {
    if (number >= this.#next) throw broken('an acknowledgement of what was never sent');
    if (this.#graph.stage(number) !== MENTIONED) return;
    const cost = this.#costs.get(number);
    this.#costs.delete(number);
    this.#graph.arrive(number, cost);
  }

  /**
   * Notes that all messages below a number have been executed (D10).
   *
   * @param {number} floor
   * @throws {import('./graph.js').CloseError} if that many were not sent
   */
  acknowledgeBelow(floor) {
    if (floor > this.#next) throw broken('an acknowledgement of what was never sent');
    while (this.#graph.floor < floor) this.acknowledge(this.#graph.floor);
  }

  /** Returns whether a message need not be sent again. @param {number} number */
  acknowledged(number) {
    return this.#graph.stage(number) >= ARRIVED;
  }

  /**
   * Returns whether the receiver has executed a message, as far as is known.
   * @param {number} number
   */
  executed(number) {
    return this.#closed || this.#graph.stage(number) === EXECUTED;
  }

  /** The lowest number that is not acknowledged, or the number of the next message. */
  get floor() {
    return this.#graph.floor;
  }

  /** The number of messages, and the cost in bytes, for which the window has room. */
  get room() {
    return { messages: this.#graph.floor + WINDOW - this.#next, bytes: this.#window - this.#bytes };
  }

  /** Ends the sender: its handles are ignored from now on (D2), and it takes no more messages. */
  close() {
    this.#closed = true;
  }
}
