// What one may want to open when the line is away is fetched before: once somebody has done something at the table, and then pauses. Who only
// looks on, or pays for what is fetched, is spared it.

import { waitingWrites } from './pending.js';

/** @typedef {import('./state.js').State} State */

/** Play without a connection needs them. @type {import('./parts.js').Name[]} */
const AHEAD = ['shared', 'dialogs', 'marks', 'sheet', 'drawing', 'profiles', 'tabletop'];

/** Milliseconds without a change of one's own before it begins. */
const PAUSE = 3000;

/**
 * Watches over what this person does. What could not be had is asked for again after their next change.
 * @param {State} s
 * @returns {() => void} stops
 */
export function fetchAhead(s) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => whenIdle(next), PAUSE);
  };
  const next = () => {
    const name = AHEAD.find((part) => !s.parts[part]);
    if (!name || s.link.state !== 'online' || isMetered()) return;
    if (s.carry) wait();
    else s.load(name).then(() => whenIdle(next), () => {});
  };
  s.bars.push(() => {
    if (s.sent.size + s.making.size + waitingWrites(s) > 0) wait();
  });
  return () => clearTimeout(timer);
}

/** @param {() => void} f */
function whenIdle(f) {
  if ('requestIdleCallback' in window) requestIdleCallback(f);
  else f();
}

/** Whether this person wants to be sent little. */
function isMetered() {
  return /** @type {{connection?: {saveData?: boolean}}} */ (navigator).connection?.saveData === true;
}
