// What the stream tells of others on their way: of pieces that they carry (S12), and of their cursors (S13). What shows that is a part of
// the page: it comes when somebody else first carries something or points, and hears all that was told since.

import { insist } from '../parts.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Outcome} Outcome */

/** Frames that wait for the part, half a minute of them. What is older is no news. */
const MOST = 600;

/**
 * Gives a frame to the part, or keeps it until that is here. Called before the frame is drawn, after the state has taken it in.
 * @param {State} s @param {Outcome} outcome
 */
export function followOthers(s, outcome) {
  const now = performance.now();
  if (s.parts.motion) {
    s.parts.motion.onWays(s, outcome, now);
    return;
  }
  if (outcome.full) s.ways = [];
  if (s.ways.length === 0 && !tellsOfOthers(s, outcome)) return;
  s.ways.push({ outcome, now });
  if (s.ways.length > MOST) s.ways.shift();
  insist(s, 'motion');
}

/** Whether a frame tells of anybody on the way but of this window. @param {State} s @param {Outcome} outcome */
function tellsOfOthers(s, { motions, cursors }) {
  return (
    motions.some(({ ids }) => ids.some((id) => carrierOf(s, id))) ||
    cursors.some(({ ids }) => ids.some((id) => pointerOf(s, id)))
  );
}

/** Who carries a piece, if that is to be seen: not what this window carries itself. @param {State} s @param {number} id */
export function carrierOf(s, id) {
  return s.carry?.from.has(id) ? 0 : (s.sync.pieces.get(id)?.holder ?? 0);
}

/** Whose cursor has a name, if it is to be seen: not this person's own. @param {State} s @param {number} id */
export function pointerOf(s, id) {
  return id !== s.sync.you && s.sync.seats.has(id) ? id : 0;
}
