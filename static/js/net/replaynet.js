/**
 * The connection of a page that shows the past (T73): there is none, so nothing comes or goes.
 *
 * @module
 */

/** @typedef {import('../types.js').Net} Net */

/** The query of a page that shows the past with open hands (T73.14). */
export const OPEN_HANDS = '?hands=open';

/**
 * @param {() => number} now the time in the server's clock that is shown, in ms
 * @returns {Net}
 */
export function createReplayNet(now) {
  const nothing = () => {};
  return {
    open: nothing,
    close: nothing,
    flush: nothing,
    kick: nothing,
    carry: () => ({ flush: nothing }),
    resync: nothing,
    wake: nothing,
    move: () => false,
    send: () => false,
    serverNow: now,
    serverDoubt: () => 0,
    status: { state: 'online', reason: '', retryMs: 0 },
  };
}
