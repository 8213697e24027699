// Hands what the stream says of components (docs/protocol/component.md) to the page's replica. The
// replica is in a part of the page that is loaded when there is something to receive or to write.
// It then gets everything since the last full state.

import { loadUntilDone } from '../parts.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {Pick<import('../types.js').Outcome, 'full' | 'resumed' | 'components'>} News */

/**
 * Prefix of the keys of the browser's store under which written but unanswered operations are kept.
 * The table, the seat and the page follow it.
 */
export const KEPT = 'holt.written.';

/**
 * Keeps what arrives until the replica is loaded.
 * @param {State} s
 * @returns {(news: News) => void} takes in what a frame says
 */
export function relayComponents(s) {
  /** The news since the last full state. The full state is first if it had any. @type {News[]} */
  let kept = [];
  /** @type {((news: News) => void)|null} */
  let take = null;
  s.relay.bindReplica = (t) => {
    take = t;
    for (const news of kept.splice(0)) t(news);
  };
  return ({ full, resumed, components }) => {
    const news = { full, resumed, components };
    if (take) {
      take(news);
      return;
    }
    if (full) kept = [];
    if (
      kept.length === 0 &&
      !components.some((c) => 'components' in c) &&
      !(full && hasKept(s.table))
    )
      return;
    kept.push(news);
    void loadUntilDone(s, 'components');
  };
}

/**
 * Returns whether operations for a table are kept that have no answer yet.
 * @param {string} table
 */
function hasKept(table) {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(KEPT + table));
  } catch {
    return false; // without a store nothing is kept
  }
}
