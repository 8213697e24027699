// Handles a table that was deleted (T42) or a seat that has ended (S20): it says who did it, and
// removes what this browser kept of the table.

import { msg } from '../msg.js';

/**
 * Returns the sentence that says why the table or the seat has ended.
 * @param {import('../state.js').State} s
 */
export function endedSentence({ sync, connection: { going } }) {
  const { by = 0, seat = 0 } = going ?? {};
  const nick = sync.seats.get(by)?.nick ?? '';
  if (seat === 1) return msg('core.ended.putOut', { nick: nick || msg('core.somebody') });
  if (seat === 4)
    return nick && by !== sync.you ? msg('core.ended.movedBy', { nick }) : msg('core.ended.moved');
  if (seat) return seat === 2 ? msg('core.ended.left') : msg('core.ended.loggedOut');
  if (by > 0 && by === sync.you) return msg('core.ended.thrownByYou');
  return nick ? msg('core.ended.thrownBy', { nick }) : msg('core.ended.thrown');
}

/**
 * Returns the way to a table of one's own for somebody whose table was deleted by others (O39);
 * empty if there is another reason. A visitor's own table is on their home server.
 * @param {import('../state.js').State} s
 */
export function ownTable({ net: { status }, page, sync, connection: { going } }) {
  if (status.reason !== 'table-closed' || (going?.by ?? 0) === sync.you) return '';
  const { home = '/' } = page.main.dataset;
  return `${home.replace(/\?.*$/, '')}?gone=1`;
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
