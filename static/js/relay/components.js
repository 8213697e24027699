// What the stream tells of components (docs/protocol/component.md) goes to the page's replica. That is a part of the page: it comes when
// something is told or is to be written, and hears all that was told since the last full state.

import { insist } from '../parts.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {Pick<import('../types.js').Outcome, 'full' | 'resumed' | 'components'>} Told */

/** Where the browser keeps what was written and is not answered yet: then come the table, the seat and the page. */
export const KEPT = 'holt.written.';

/**
 * Keeps what is told until the replica is here.
 * @param {State} s
 * @returns {(told: Told) => void} takes in what a frame tells
 */
export function followShared(s) {
  /** What was told since the last full state, which stands first if it told anything. @type {Told[]} */
  let kept = [];
  /** @type {((told: Told) => void)|null} */
  let take = null;
  s.share = (t) => {
    take = t;
    for (const told of kept.splice(0)) t(told);
  };
  return ({ full, resumed, components }) => {
    const told = { full, resumed, components };
    if (take) {
      take(told);
      return;
    }
    if (full) kept = [];
    if (
      kept.length === 0 &&
      !components.some((c) => 'components' in c) &&
      !(full && hasKept(s.table))
    )
      return;
    kept.push(told);
    insist(s, 'components');
  };
}

/** Whether something was written at a table that is not answered yet. @param {string} table */
function hasKept(table) {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(KEPT + table));
  } catch {
    return false; // without a store nothing is kept
  }
}
