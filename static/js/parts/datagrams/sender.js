/**
 * Numbers guaranteed messages, says on which others each has to wait, and learns by acknowledgements what the receiver has
 * executed (D1 to D3, D11). It sends nothing. No DOM, no clock.
 *
 * @module
 */

import { ARRIVED, broken, DECLARED, EXECUTED, Graph, MAX_DEPENDENCIES, WINDOW } from './graph.js';
import { costOf } from './header.js';

/** Stands for a message that was sent, so that later ones can depend on it (D2). A new one stands for none. */
export class Handle {
  /** @type {Sender | null} */
  sender = null;
  number = 0;

  /** Whether depending on it costs nothing: the message has been executed, as far as is known, or its connection is over. */
  get executed() {
    return this.sender?.executed(this.number) ?? false;
  }
}

/** The sender of one connection. */
export class Sender {
  #window;
  /** Of costs. What was acknowledged has arrived. */
  #graph = new Graph((_, /** @type {number} */ cost) => {
    this.#bytes -= cost;
  });
  #costs = new Map(); // of what is not acknowledged, by number
  #next = 0;
  #bytes = 0; // what the messages that have not been executed cost
  /** Of the message that was begun: ascending, none twice. @type {number[]} */
  #deps = [];
  #closed = false;

  /** @param {number} window how many bytes the messages that it has not executed may cost the receiver (D3, D14) */
  constructor(window) {
    this.#window = window;
  }

  /** Begins a message that depends on nothing. One that was begun and not ended is given up. */
  begin() {
    this.#deps = [];
  }

  /**
   * Makes the message that was begun depend on another. None, one that has been executed, and one of a connection that is over are ignored; one that is
   * given twice counts once (D2).
   *
   * @param {Handle | null} handle
   * @throws {RangeError} if it was never filled, is of another connection, or there are too many
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
   * @param {Handle | null} handle to be filled
   * @param {number} size in bytes, without its header
   * @returns {import('./header.js').Header | null} null if the window is full, or the connection over: nothing was sent (D3)
   * @throws {RangeError} if the handle stands for a message that is under way
   */
  end(handle, size) {
    const number = this.#next;
    const header = { number, deps: this.endLoose() };
    const cost = costOf(header, size);
    if (this.#closed) return null;
    if (handle?.sender && !handle.executed)
      throw new RangeError('a handle of a message that is under way');
    if (number >= this.#graph.floor + WINDOW || this.#bytes + cost > this.#window) return null;
    this.#graph.hold(number).stage = DECLARED;
    for (const d of header.deps) this.#graph.depend(number, d);
    this.#costs.set(number, cost);
    this.#bytes += cost;
    this.#next++;
    if (handle) Object.assign(handle, { sender: this, number });
    return header;
  }

  /** Ends the message that was begun as an unguaranteed one (D15), and returns its dependencies, ascending. */
  endLoose() {
    return this.#deps.filter((d) => !this.executed(d));
  }

  /**
   * A message has entered the receiver's graph. It and what waits for it count as executed as soon as all on which they depend do
   * (D11). To say it again changes nothing.
   *
   * @param {number} number
   * @throws {import('./graph.js').CloseError} if there was no such message
   */
  acknowledge(number) {
    if (number >= this.#next) throw broken('an acknowledgement of what was never sent');
    if (this.#graph.stage(number) !== DECLARED) return;
    const cost = this.#costs.get(number);
    this.#costs.delete(number);
    this.#graph.arrive(number, cost);
  }

  /**
   * All messages below a number have been executed (D10).
   *
   * @param {number} floor
   * @throws {import('./graph.js').CloseError} if so many were not sent
   */
  acknowledgeBelow(floor) {
    if (floor > this.#next) throw broken('an acknowledgement of what was never sent');
    while (this.#graph.floor < floor) this.acknowledge(this.#graph.floor);
  }

  /** Whether a message need not be sent again. @param {number} number */
  acknowledged(number) {
    return this.#graph.stage(number) >= ARRIVED;
  }

  /** Whether the receiver has executed a message, as far as is known. @param {number} number */
  executed(number) {
    return this.#closed || this.#graph.stage(number) === EXECUTED;
  }

  /** The lowest number that is not acknowledged, or that of the next message. */
  get floor() {
    return this.#graph.floor;
  }

  /** How many messages, and bytes of what they cost, the window has room for. */
  get room() {
    return { messages: this.#graph.floor + WINDOW - this.#next, bytes: this.#window - this.#bytes };
  }

  /** The connection is over: its handles are ignored from now on (D2), and nothing is sent. */
  close() {
    this.#closed = true;
  }
}
