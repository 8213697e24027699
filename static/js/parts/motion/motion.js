// The part of the page for the motion of others: the pieces that they carry (S12), and where they
// point (S13).

import { bindCursors, onCursors } from './cursors.js';
import { onMotion } from './remote.js';
import { Tracks } from './tracks.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Outcome} Outcome */

export { isLed, lead, pickUp } from './remote.js';

/**
 * Takes in what a frame says of motion and cursors.
 * @param {State} s
 * @param {Outcome} outcome
 * @param {number} now when the frame arrived, performance.now()
 */
export function onWays(s, outcome, now) {
  onMotion(s, outcome, now);
  onCursors(s, outcome, now);
}

/**
 * Creates the tracks and takes in the frames that arrived before the part was loaded.
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
