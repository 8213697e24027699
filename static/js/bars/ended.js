// Handles a table that was deleted (T42) or a seat that has ended (S20): it says who did it, and
// removes what this browser kept of the table.

import { strings } from '../strings.js';

/**
 * Returns the sentence that says why the table or the seat has ended.
 * @param {import('../state.js').State} s
 */
export function thrownSentence({ sync, going }) {
  const t = strings.link;
  const { by = 0, seat = 0 } = going ?? {};
  const nick = sync.seats.get(by)?.nick ?? '';
  if (seat === 1) return t.putOut(nick || strings.somebody);
  if (seat === 4) return t.moved(by === sync.you ? '' : nick);
  if (seat) return seat === 2 ? t.left : t.loggedOut;
  return by > 0 && by === sync.you ? t.thrownByYou : t.thrown(nick);
}

/**
 * Removes all entries of this browser's stores whose keys contain the table's identifier.
 * @param {string} table
 */
export function forgetTable(table) {
  try {
    for (const store of [localStorage, sessionStorage]) {
      for (const key of Object.keys(store)) if (key.includes(table)) store.removeItem(key);
    }
  } catch {
    // the browser has no store
  }
}
