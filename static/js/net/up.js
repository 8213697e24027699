/**
 * Writes the messages that a client sends on its stream (S9), as server/proto/holt.proto defines
 * them. No DOM, no state.
 *
 * @module
 */

import { Writer } from './writer.js';

/** @typedef {import('../types.js').Up} Up */

/** The members of Up. */
const UPS = { resync: 1, ping: 2, motion: 3, cursor: 4, away: 5, commit: 6, reveal: 7 };

/**
 * Writes a message to the server.
 *
 * @param {Up} up its numbers within the bounds that holt.proto sets
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function encodeUp(up) {
  const w = new Writer();
  switch (up.type) {
    case 'resync':
      break;
    case 'ping':
      w.uint(1, up.nonce);
      break;
    case 'motion':
      w.uint(1, up.at);
      w.uints(2, up.pieces);
      w.sints(3, up.x);
      w.sints(4, up.y);
      break;
    case 'cursor':
      w.uint(1, up.at);
      w.sint(2, up.x);
      w.sint(3, up.y);
      break;
    case 'away':
      w.uint(1, up.away ? 1 : 0);
      break;
    case 'commit':
      w.uint(1, up.round);
      w.uint(2, up.mix);
      w.hex(3, up.hash);
      break;
    case 'reveal':
      w.uint(1, up.round);
      w.uint(2, up.mix);
      w.hex(3, up.entropy);
      break;
  }
  return new Writer().message(UPS[up.type], w).bytes();
}
