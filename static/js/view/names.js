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
  if (to === s.sync.you) return true;
  const called = `@${s.sync.seats.get(s.sync.you)?.nick ?? ''}`.toLowerCase();
  const said = text.toLowerCase();
  for (let i = said.indexOf(called); called !== '@' && i >= 0; i = said.indexOf(called, i + 1)) {
    if (!/^[\p{L}\p{N}]/u.test(said.slice(i + called.length))) return true; // not of a longer name
  }
  return false;
}

/** Returns the nick of a seat. @param {State} s @param {number} seat */
export function nickOf(s, seat) {
  return s.sync.seats.get(seat)?.nick ?? msg('core.somebody');
}
