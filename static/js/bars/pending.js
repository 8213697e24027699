// Marks changes that wait unusually long for their answer, so that nobody takes them for done. When
// all are answered and no other follows for a while, it loads what playing off line needs. Once the
// page has settled, it loads what moves the stream to datagrams.

import { invalidate } from '../view/state.js';
import { redrawBars } from './state.js';
import { checkPending } from '../input/pending.js';

/** @typedef {import('../state.js').State} State */

/** Milliseconds between two checks. */
const BEAT = 250;

/** Number of checks without a change of one's own that are a pause. */
const PAUSE = 12;

/** Number of checks on line after which the page has settled. */
const SETTLED = 8;

/**
 * Checks what is still pending.
 * @param {State} s
 * @returns {() => void} stops the checks
 */
export function watchPending(s) {
  let beats = Number.POSITIVE_INFINITY; // checks since the last change was answered
  let calm = 0;
  const look = () => {
    const now = performance.now();
    beats = s.input.carry || s.pending.since.size + waitingWrites(s) > 0 ? 0 : beats + 1;
    if (s.net.status.state === 'online' && ++calm === SETTLED && hasDatagrams(s) && !isMetered())
      s.load('datagrams').catch(() => {});
    if (beats === PAUSE && !isMetered())
      s.load('components').then(
        (shared) => shared.prefetchParts(s),
        () => {},
      );
    for (const id of checkPending(s, now)) draw(s, id);
  };
  const timer = setInterval(look, BEAT);
  return () => clearInterval(timer);
}

/**
 * Returns how many changes of components the others do not know, or may not know.
 * @param {State} s
 */
export function waitingWrites({ parts: { components } }) {
  return components?.replica.waiting() ?? 0;
}

/** Returns whether this browser and the server support datagrams. @param {State} s */
function hasDatagrams({ page }) {
  return 'WebTransport' in window && page.main.dataset.parts?.includes('datagrams');
}

/** Returns whether this person wants to save data. */
function isMetered() {
  return /** @type {{connection?: {saveData?: boolean}}} */ (navigator).connection?.saveData;
}

/** @param {State} s @param {number} id */
function draw(s, id) {
  invalidate(s, id);
  redrawBars(s);
}
