// What others carry, as it is seen on its way (S12). What is recorded stays as it is, and wins: motion is drawn over it, and ends when
// a piece is put somewhere (K12).

import { wantsStill } from '../../view/dom.js';
import { lift, rise } from '../../view/placement.js';
import { carrierOf } from '../../relay/motion.js';
import { clamp } from '../../view/geometry.js';
import { USUAL } from '../../view/animate.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../state.js').Shown} Shown */
/** @typedef {import('../../types.js').Outcome} Outcome */

/** How long a piece glides to where it was put down, as a multiple of what it would take at its speed, and at most, in ms. A glide begins
 * with three times its mean speed: half as fast again as the piece was. */
const SOFT = 2;
const LONGEST = 300;

/**
 * Takes in what a frame says of motion. Called before the frame is drawn, after the state has taken it in.
 * @param {State} s @param {Outcome} outcome @param {number} now
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
  for (const id of led) if (!s.tracks.leads(id)) s.dirty.add(id); // back to where it is recorded
}

/** Whether a piece is not where somebody carried it before the stream was interrupted. A full state does not say what has happened to it.
 * @param {State} s @param {Outcome} outcome @param {number} id */
function hasMoved(s, outcome, id) {
  return (outcome.full && outcome.changed.has(id)) || carrierOf(s, id) === 0;
}

/**
 * A piece was put somewhere, or has another holder: it goes from where it is seen to where it is recorded, not much faster than
 * it was seen to move.
 * @param {State} s @param {number} id @param {number} t in server time @param {number} now
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

/** Whether a piece is seen where somebody else carries it, and not where it is recorded. @param {State} s @param {number} id */
export function isLed(s, id) {
  return s.tracks.leads(id) && s.sync.pieces.get(id)?.holder !== 0 && !s.carry?.from.has(id);
}

/** Takes what is to be led off the table. Called once a frame by view/render.js. @param {State} s */
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
 * Puts a moving piece where it is led.
 * @param {State} s @param {Shown} p @param {number} now
 * @returns {import('./tracks.js').Stage}
 */
export function lead(s, p, now) {
  return isLed(s, p.id) ? s.tracks.lead(p.id, p, now, wantsStill()) : 'none';
}
