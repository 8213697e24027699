/**
 * Stores the share that a page has committed to (docs/fairness.md, F3) until it is revealed, so
 * that a reload does not withhold it. It is stored for the tab alone, because it is a secret until
 * the mix is closed, and one page alone reveals it. A duplicated tab has the share, too: both
 * reveal the same one, and it counts once. No DOM: the store is an argument.
 */

import { entropyCommitment } from './draws.js';

/** @typedef {import('./witness.js').Mine} Mine */
/**
 * The part of Storage that is used.
 * @typedef {Pick<Storage, 'getItem'|'setItem'|'removeItem'>} Store
 */

const PREFIX = 'holt.share.';

/**
 * Stores a share. If there is no store or no room, the share is lost with the page, and the mix
 * then lists it as withheld.
 * @param {Store | null} store null if the browser has none for this page
 * @param {string} table
 * @param {number} epoch
 * @param {Mine | null} mine null: deletes the stored share
 */
export function keepShare(store, table, epoch, mine) {
  try {
    if (mine) store?.setItem(PREFIX + table, JSON.stringify({ epoch, ...mine }));
    else store?.removeItem(PREFIX + table);
  } catch {
    // The share lasts as long as the page.
  }
}

/**
 * Returns the share that the page committed to before a reload. It returns null if there is none,
 * if it is invalid, or if it is of another seat or epoch.
 * @param {Store | null} store
 * @param {string} table
 * @param {number} seat
 * @param {number} epoch
 * @returns {Mine | null}
 */
export function keptShare(store, table, seat, epoch) {
  try {
    const kept = JSON.parse(store?.getItem(PREFIX + table) ?? 'null');
    const { round, mix, hash, entropy } = kept;
    const sound = kept.seat === seat && kept.epoch === epoch && /^[0-9a-f]{64}$/.test(entropy);
    return sound && hash === entropyCommitment(table, round, mix, seat, entropy)
      ? { round, mix, seat, hash, entropy }
      : null;
  } catch {
    return null;
  }
}
