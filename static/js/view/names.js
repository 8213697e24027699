// The names of people.

import { msg } from '../msg.js';

/** @typedef {import('../state.js').State} State */

/**
 * Returns whether a line of chat is for this person: for them alone, or it has their name behind
 * an @.
 * @param {State} s
 * @param {{text: string, to: number}} line
 */
export function isAddressed(s, { text, to }) {
  const nick = s.sync.seats.get(s.sync.you)?.nick;
  return to === s.sync.you ||
    (nick !== undefined && text.toLowerCase().includes(`@${nick.toLowerCase()}`));
}

/** Returns the nick of a seat. @param {State} s @param {number} seat */
export function nickOf(s, seat) {
  return s.sync.seats.get(seat)?.nick ?? msg('core.somebody');
}
