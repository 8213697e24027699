// A table that was thrown away (T42): by whom, and what this browser kept of it.

import { strings } from './strings.js';

/** What is said of it. @param {import('./state.js').State} s */
export function thrownSentence({ sync, thrownBy }) {
  const t = strings.link;
  return thrownBy > 0 && thrownBy === sync.you ? t.thrownByYou : t.thrown(sync.seats.get(thrownBy)?.nick ?? '');
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
