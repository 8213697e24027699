// Loads the parts that people may want to open off line, once somebody has done something at the
// table and then pauses (bars/pending.js). It loads nothing for spectators who only watch, or for
// people who save data.

import { whenIdle } from '../../view/dom.js';

/** @typedef {import('../../state.js').State} State */

/** Parts that playing off line needs. @type {import('../../parts.js').Name[]} */
const PREFETCHED = ['dialogs', 'marks', 'sheet', 'drawing', 'profiles', 'settings'];

/**
 * Loads the missing parts, one after the other, when the browser is idle. It stops at a part that
 * cannot be loaded; the next call tries again.
 * @param {State} s
 */
export function prefetchParts(s) {
  const name = PREFETCHED.find((part) => !s.parts[part]);
  if (!name || s.input.carry || s.net.status.state !== 'online') return;
  s.load(name).then(
    () => whenIdle().then(() => prefetchParts(s)),
    () => {},
  );
}
