// The state of this part.

import { Tracks } from './tracks.js';

/** @typedef {import('../../state.js').State} State */

/**
 * Recorded motion, and where in it the page is.
 * @typedef {object} Past
 * @property {import('./recording.js').Recording} recording
 * @property {() => number} moment the server time that is shown, in ms
 * @property {() => boolean} isRunning whether it goes on by itself
 */
/**
 * @typedef {object} Motion
 * @property {Past|null} past what a replay shows, and not the motion that arrives
 * @property {Set<number>} pasts pieces that are shown where that motion was
 * @property {Tracks} tracks the motion of pieces that others carry (S12)
 * @property {Tracks} pointers the motion of their cursors, by seat (S13)
 * @property {Set<number>} starting pieces that follow motion from the next frame on
 * @property {Set<number>} pointing seats whose cursors are moving or have just stopped
 * @property {Map<number, import('./cursors.js').Arrow>} arrows the drawn cursors, by seat
 */

/** @returns {Motion} */
export function createMotion() {
  const clocks = new Map();
  return {
    past: null,
    pasts: new Set(),
    tracks: new Tracks(clocks),
    pointers: new Tracks(clocks),
    starting: new Set(),
    pointing: new Set(),
    arrows: new Map(),
  };
}

/** @param {State} s */
export function motionOf({ partState: { motion } }) {
  return /** @type {Motion} */ (motion);
}

/**
 * A piece has another identifier (T21).
 * @param {Motion} motion
 * @param {number} from
 * @param {number} to
 */
export function renameMotion({ tracks, starting }, from, to) {
  tracks.rename(from, to);
  if (starting.delete(from)) starting.add(to);
}
