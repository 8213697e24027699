// Whom this person does not want to hear: their lines of the chat and their pings are hidden on
// this page (T69). The browser remembers it for each table.

import { redrawBars } from './state.js';

/** @typedef {import('../state.js').State} State */

/** The key of the browser's store. @param {State} s */
const keyOf = (s) => `holt.muted.${s.table}`;

/** Returns whether somebody is muted. @param {State} s @param {number} seat */
export const isMuted = (s, seat) => mutedAt(s).has(seat);

/**
 * Mutes somebody, or hears them again.
 * @param {State} s
 * @param {number} seat
 * @param {boolean} yes
 */
export function mute(s, seat, yes) {
  const muted = new Set(mutedAt(s));
  if (yes) muted.add(seat);
  else muted.delete(seat);
  s.bars.muted = muted;
  try {
    if (muted.size > 0) localStorage.setItem(keyOf(s), JSON.stringify([...muted]));
    else localStorage.removeItem(keyOf(s));
  } catch {
    // it is forgotten with the page
  }
  redrawBars(s);
}

/** @param {State} s */
function mutedAt(s) {
  s.bars.muted ??= new Set(read(keyOf(s)));
  return s.bars.muted;
}

/** @param {string} key @returns {number[]} */
function read(key) {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? kept.filter(Number.isInteger) : [];
  } catch {
    return [];
  }
}
