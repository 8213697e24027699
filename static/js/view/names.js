// The names of people.

import { msg } from '../msg.js';

/** @typedef {import('../state.js').State} State */

/** Returns the nick of a seat. @param {State} s @param {number} seat */
export function nickOf(s, seat) {
  return s.sync.seats.get(seat)?.nick ?? msg('core.somebody');
}
