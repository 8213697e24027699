// Shows pieces while others carry them (S12). Motion never changes the recorded state, and the
// recorded state wins: motion is drawn on top of it, and ends when a piece is put somewhere (K12).

import { wantsStill } from '../../view/dom.js';
import { lift, rise } from '../../view/placement.js';
import { carrierOf } from '../../relay/motion.js';
import { clamp } from '../../view/geometry.js';
import { USUAL } from '../../view/animate.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../state.js').Shown} Shown */
/** @typedef {import('../../types.js').Outcome} Outcome */

/**
 * How long a piece glides to where it was put down. SOFT is a multiple of the time that it would
 * take at its speed. LONGEST is the maximum in ms. A glide starts at three times its mean speed:
 * half as fast again as the piece was.
 */
const SOFT = 2;
const LONGEST = 300;

/**
 * Takes in what a frame says of motion. Called after the state has taken in the frame and before
 * the frame is drawn.
 * @param {State} s
 * @param {Outcome} outcome
 * @param {number} now
 */
export function onMotion(s, outcome, now) {
  const led =
    outcome.full || outcome.resumed ? s.tracks.interrupt((id) => hasMoved(s, outcome, id)) : [];
  for (const id of new Set([...outcome.placed, ...outcome.gone]))
    settle(s, id, outcome.time - 1, now);
  for (const paths of outcome.motions) {
    for (const id of s.tracks.take(paths, outcome.time, now, (id) => carrierOf(s, id)))
      s.led.add(id);
  }
  for (const id of led) if (!s.tracks.leads(id)) s.dirty.add(id); // back to its recorded place
}

/**
 * Returns whether a piece has left the place to which somebody carried it before the stream was
 * interrupted. A full state does not say what happened to it.
 * @param {State} s
 * @param {Outcome} outcome
 * @param {number} id
 */
function hasMoved(s, outcome, id) {
  return (outcome.full && outcome.changed.has(id)) || carrierOf(s, id) === 0;
}

/**
 * A piece was put somewhere, or has another holder. It slides from where it is shown to its
 * recorded place, not much faster than it was moving.
 * @param {State} s
 * @param {number} id
 * @param {number} t in server time
 * @param {number} now
 */
function settle(s, id, t, now) {
  const p = s.shown.get(id);
  const piece = s.sync.pieces.get(id);
  const speed = s.tracks.speed(id, now);
  if (speed > 0 && p && piece) {
    const far = Math.hypot(piece.x - p.x, piece.y - p.y);
    s.pace.set(id, clamp((SOFT * far) / speed, USUAL, LONGEST));
  }
  if (s.tracks.leads(id)) s.dirty.add(id);
  s.tracks.kill(id, t);
  s.led.delete(id);
}

/**
 * Returns whether a piece is shown where somebody else carries it, and not at its recorded place.
 * @param {State} s
 * @param {number} id
 */
export function isLed(s, id) {
  return s.tracks.leads(id) && s.sync.pieces.get(id)?.holder !== 0 && !s.carry?.from.has(id);
}

/**
 * Lifts the pieces that are about to follow motion. Called once a frame by view/render.js.
 * @param {State} s
 */
export function pickUp(s) {
  for (const id of s.led) {
    const p = s.shown.get(id);
    if (!p || !isLed(s, id)) continue;
    lift(s, p, true);
    rise(s, p);
  }
  s.led.clear();
}

/**
 * Places a moving piece where its motion is now.
 * @param {State} s
 * @param {Shown} p
 * @param {number} now
 * @returns {import('./tracks.js').Stage}
 */
export function lead(s, p, now) {
  return isLed(s, p.id) ? s.tracks.lead(p.id, p, now, wantsStill()) : 'none';
}
