/**
 * One component of the registry (docs/protocol/component.md, C14). No DOM, no state.
 *
 * @module
 */

import { decode, encode, MalformedError } from '../../net/protobuf.js';

/** @template V @typedef {import('../../net/protobuf.js').Message<V>} Message */
/** @typedef {import('./entities.js').Class} Class */
/**
 * Who may write a component, beside the server.
 * @typedef {'host'|'player'|'self'|'author'|'server'} Who
 */

/**
 * What the registry says of a component, or of a run of components that differ only by number.
 *
 * @template V the message that it holds
 */
export class Component {
  /**
   * @param {number} number
   * @param {Class} of
   * @param {Who} who
   * @param {number} size
   * @param {Message<V>} message
   * @param {{last?: number, set?: number, answer?: number, personal?: boolean}} [more]
   */
  constructor(
    number,
    of,
    who,
    size,
    message,
    { last = number, set = 0, answer = 0, personal = false } = {},
  ) {
    this.number = number;
    /** The last number of a run; the number of the component itself if there is no run. */
    this.last = last;
    this.of = of;
    this.who = who;
    /** The greatest size in bytes; of a set that of each element. */
    this.size = size;
    /** The number of elements that a set keeps; 0: it is a value. */
    this.set = set;
    /** The component in which the server answers; 0: it is not a question (C18). */
    this.answer = answer;
    /** Whether only the seat to which it belongs receives it. */
    this.personal = personal;
    /** @private */
    this.message = message;
  }

  /** @param {V} value @returns {Uint8Array<ArrayBuffer>} */
  encode(value) {
    return encode(value, this.message).bytes();
  }

  /**
   * @param {Uint8Array} data
   * @returns {V}
   * @throws {MalformedError}
   */
  decode(data) {
    const value = decode(data, this.message);
    const { x, y } = /** @type {any} */ (value);
    if (x?.length !== y?.length) // of numbers both are missing
      throw new MalformedError('columns of different lengths');
    return value;
  }
}
