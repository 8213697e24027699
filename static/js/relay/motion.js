// Hands the motion of others to the part of the page that shows it: of pieces that they carry (S12)
// and of their cursors (S13). The part is loaded when somebody else first carries a piece or
// points. It then gets everything since that moment.

import { loadUntilDone } from '../parts.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Outcome} Outcome */

/** Number of frames kept for the part, about half a minute. Older ones are dropped. */
const MOST = 600;

/**
 * Hands a frame to the part, or keeps it until the part is loaded. Called after the state has taken
 * in the frame and before the frame is drawn.
 * @param {State} s
 * @param {Outcome} outcome
 */
export function relayMotion(s, outcome) {
  const now = performance.now();
  if (s.parts.motion) {
    s.parts.motion.takeFrame(s, outcome, now);
    return;
  }
  if (outcome.full) s.relay.motion = [];
  if (s.relay.motion.length === 0 && !concernsOthers(s, outcome)) return;
  s.relay.motion.push({ outcome, now });
  if (s.relay.motion.length > MOST) s.relay.motion.shift();
  void loadUntilDone(s, 'motion');
}

/** Returns the frames that were kept for the part, and forgets them. @param {State} s */
export function takeMotion(s) {
  return s.relay.motion.splice(0);
}

/**
 * Returns whether a frame has motion of anybody but this window.
 * @param {State} s
 * @param {Outcome} outcome
 */
function concernsOthers(s, { motions, cursors }) {
  return (
    motions.some(({ ids }) => ids.some((id) => carrierOf(s, id))) ||
    cursors.some(({ ids }) => ids.some((id) => pointerOf(s, id)))
  );
}

/**
 * Returns the seat whose carrying of a piece is shown; 0 if there is none. What this window carries
 * itself does not count.
 * @param {State} s
 * @param {number} id
 */
export function carrierOf(s, id) {
  return s.input.carry?.from.has(id) ? 0 : (s.sync.pieces.get(id)?.holder ?? 0);
}

/**
 * Returns the seat whose cursor is shown; 0 for this person's own cursor and for an unknown seat.
 * @param {State} s
 * @param {number} id
 */
export function pointerOf(s, id) {
  return id !== s.sync.you && s.sync.seats.has(id) ? id : 0;
}
