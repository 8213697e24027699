// The part of the page for others on their way: the pieces that they carry (S12), and where they point (S13).

import { bindCursors, onCursors } from './cursors.js';
import { onMotion } from './remote.js';
import { Tracks } from './tracks.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Outcome} Outcome */

export { isLed, lead, pickUp } from './remote.js';

/**
 * Takes in what a frame says of them.
 * @param {State} s @param {Outcome} outcome @param {number} now when it came, performance.now()
 */
export function onWays(s, outcome, now) {
  onMotion(s, outcome, now);
  onCursors(s, outcome, now);
}

/**
 * Makes up for what was told before it was here.
 * @param {State} s
 * @returns {() => void} stops
 */
export function bind(s) {
  const clocks = new Map();
  s.tracks = new Tracks(clocks);
  s.pointers = new Tracks(clocks);
  s.renames.push((from, to) => s.tracks.rename(from, to));
  for (const { outcome, now } of s.ways.splice(0)) onWays(s, outcome, now);
  return bindCursors(s);
}
