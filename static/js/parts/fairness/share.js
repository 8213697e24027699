/**
 * Keeps what a page has committed to (docs/fairness.md, F3) until it is revealed, so that a reload in between does not withhold
 * it. It is kept for the tab alone: it is a secret until the mix is closed, and of one share there is one page that reveals it.
 * A tab that was duplicated has it too; both reveal the same then, and one of them counts. No DOM: the store comes in as an
 * argument.
 *
 * @module
 */

import { entropyCommitment } from './draws.js';

/** @typedef {import('./witness.js').Mine} Mine */
/** The part of Storage that is used. @typedef {Pick<Storage, 'getItem'|'setItem'|'removeItem'>} Store */

const PREFIX = 'holt.share.';

/**
 * Keeps a share. Where there is no room, or no store, it is lost with the page: then the mix names it as withheld.
 * @param {Store | null} store null if the browser has none for this page
 * @param {string} table
 * @param {number} epoch
 * @param {Mine | null} mine null: forgets what was kept
 */
export function keepShare(store, table, epoch, mine) {
  try {
    if (mine) store?.setItem(PREFIX + table, JSON.stringify({ epoch, ...mine }));
    else store?.removeItem(PREFIX + table);
  } catch {
    // it lasts as long as the page
  }
}

/**
 * What another life of the page has committed to. What is another seat's or epoch's, or no share at all, counts as nothing.
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
    return sound && hash === entropyCommitment(table, round, mix, seat, entropy) ? { round, mix, seat, hash, entropy } : null;
  } catch {
    return null;
  }
}
