// A table that was thrown away (T42), or a seat that is over (S20): by whom, and what this browser kept of it.

import { strings } from '../strings.js';

/** What is said of it. @param {import('../state.js').State} s */
export function thrownSentence({ sync, going }) {
  const t = strings.link;
  const { by = 0, seat = 0 } = going ?? {};
  const nick = sync.seats.get(by)?.nick ?? '';
  if (seat === 1) return t.putOut(nick || strings.somebody);
  if (seat === 4) return t.moved(by === sync.you ? '' : nick);
  if (seat) return seat === 2 ? t.left : t.loggedOut;
  return by > 0 && by === sync.you ? t.thrownByYou : t.thrown(nick);
}

/** Removes what this browser has kept under the table's name. @param {string} table */
export function forgetTable(table) {
  try {
    for (const store of [localStorage, sessionStorage]) {
      for (const key of Object.keys(store)) if (key.includes(table)) store.removeItem(key);
    }
  } catch {
    // there is no store
  }
}
