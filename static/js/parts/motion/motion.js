// The part of the page for the motion of others: the pieces that they carry (S12), where they point
// (S13), and what they have just moved.

import { bindCursors, onCursors } from './cursors.js';
import { bindPulse } from './pulse.js';
import { onMotion } from './remote.js';
import { onRename } from '../../listeners.js';
import { createMotion, renameMotion } from './state.js';
import { takeMotion } from '../../relay/motion.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Outcome} Outcome */

export { hideArrows } from './cursors.js';
export { Recording } from './recording.js';
export { follow, followPast, placeByMotion, pickUp, showPast } from './remote.js';

/**
 * Takes in what a frame says of motion and cursors.
 * @param {State} s
 * @param {Outcome} outcome
 * @param {number} now when the frame arrived, performance.now()
 */
export function takeFrame(s, outcome, now) {
  onMotion(s, outcome, now);
  onCursors(s, outcome, now);
}

/**
 * Creates the tracks and takes in the frames that arrived before the part was loaded.
 * @param {State} s
 * @returns {() => void} stops
 */
export function bind(s) {
  const motion = createMotion();
  s.partState.motion = motion;
  onRename(s, (from, to) => renameMotion(motion, from, to));
  if (s.isReplay) return () => {}; // nobody is here
  bindPulse(s);
  for (const { outcome, now } of takeMotion(s)) takeFrame(s, outcome, now);
  return bindCursors(s);
}
