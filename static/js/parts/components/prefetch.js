// What one may want to open when the line is away is fetched before: once somebody has done something at the table, and then pauses
// (bars/pending.js). Who only looks on, or pays for what is fetched, is spared it.

/** @typedef {import('../../state.js').State} State */

/** Play without a connection needs them. @type {import('../../parts.js').Name[]} */
const AHEAD = ['dialogs', 'marks', 'sheet', 'drawing', 'profiles', 'settings'];

/**
 * Fetches what is not here yet, one part after the other, whenever the page has nothing else to do. What cannot be had is left until the
 * next time that this is called.
 * @param {State} s
 */
export function fetchAhead(s) {
  const name = AHEAD.find((part) => !s.parts[part]);
  if (!name || s.carry || s.link.state !== 'online') return;
  const next = () => fetchAhead(s);
  s.load(name).then(
    () => ('requestIdleCallback' in window ? requestIdleCallback(next) : setTimeout(next)),
    () => {},
  );
}
