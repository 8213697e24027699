/**
 * Writes the messages that a client sends on its stream (S9), as server/proto/holt.proto defines
 * them. No DOM, no state.
 *
 * @module
 */

import { UP } from './messages.js';
import { encode } from './protobuf.js';

/** @typedef {import('../types.js').Up} Up */

/**
 * Writes a message to the server.
 *
 * @param {Up} up its numbers within the bounds that holt.proto sets
 * @returns {Uint8Array<ArrayBuffer>}
 */
export const encodeUp = (up) => encode({ up }, UP).bytes();
