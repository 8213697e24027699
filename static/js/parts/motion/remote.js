// Shows pieces while others carry them (S12). Motion never changes the recorded state, and the
// recorded state wins: motion is drawn on top of it, and ends when a piece is put somewhere (K12).

import { wantsStill } from '../../view/dom.js';
import { lift, moveToOverlay } from '../../view/placement.js';
import { carrierOf } from '../../relay/motion.js';
import { clamp } from '../../view/geometry.js';
import { USUAL } from '../../view/animate.js';
import { invalidate, setPace } from '../../view/state.js';
import { motionOf } from './state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../view/state.js').Shown} Shown */
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
  const { tracks, starting } = motionOf(s);
  const interrupted =
    outcome.full || outcome.resumed ? tracks.interrupt((id) => hasMoved(s, outcome, id)) : [];
  for (const id of new Set([...outcome.placed, ...outcome.gone]))
    settle(s, id, outcome.time - 1, now);
  for (const paths of outcome.motions) {
    for (const id of tracks.take(paths, outcome.time, now, (id) => carrierOf(s, id)))
      starting.add(id);
  }
  // back to its recorded place
  for (const id of interrupted) if (!tracks.hasData(id)) invalidate(s, id);
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
  const p = s.view.shown.get(id);
  const piece = s.sync.pieces.get(id);
  const { tracks, starting } = motionOf(s);
  const speed = tracks.speed(id, now);
  if (speed > 0 && p && piece) {
    const far = Math.hypot(piece.x - p.x, piece.y - p.y);
    setPace(s, id, clamp((SOFT * far) / speed, USUAL, LONGEST));
  }
  if (tracks.hasData(id)) invalidate(s, id);
  tracks.endBefore(id, t);
  starting.delete(id);
}

/**
 * Returns whether a piece is shown where somebody else carries it, and not at its recorded place.
 * @param {State} s
 * @param {number} id
 */
export function followsMotion(s, id) {
  const { tracks, past } = motionOf(s);
  if (past) return isHeld(s, id) && past.recording.at(id, past.moment()) !== null;
  return tracks.hasData(id) && s.sync.pieces.get(id)?.holder !== 0 && !s.input.carry?.from.has(id);
}

/** @param {State} s @param {number} id */
const isHeld = (s, id) => (s.sync.pieces.get(id)?.holder ?? 0) !== 0;

/**
 * Lets pieces follow recorded motion (T73.20), or none any more.
 * @param {State} s
 * @param {import('./state.js').Past|null} past
 */
export function followPast(s, past) {
  motionOf(s).past = past;
  showPast(s);
}

/**
 * Shows held pieces where they were at the moment that is shown. It is called when that has become
 * another one, also for the frame that is about to be drawn.
 * @param {State} s
 */
export function showPast(s) {
  const { past, starting, pasts } = motionOf(s);
  for (const { id, holder } of s.sync.pieces.values()) {
    if (holder !== 0 && past && followsMotion(s, id)) {
      const p = s.view.shown.get(id);
      if (p && !s.view.moving.has(p)) starting.add(id);
      pasts.add(id);
    } else if (pasts.delete(id)) {
      invalidate(s, id); // back to its recorded place
    }
  }
  s.redraw();
}

/**
 * Lets a drawn piece follow its motion from the next frame on, if somebody else carries it.
 * @param {State} s
 * @param {number} id
 * @returns {boolean} whether somebody else carries it
 */
export function follow(s, id) {
  if (!followsMotion(s, id)) return false;
  motionOf(s).starting.add(id);
  return true;
}

/**
 * Lifts the pieces that are about to follow motion. Called once a frame by view/render.js.
 * @param {State} s
 */
export function pickUp(s) {
  const { starting } = motionOf(s);
  for (const id of starting) {
    const p = s.view.shown.get(id);
    if (!p || !followsMotion(s, id)) continue;
    lift(s, p, true);
    moveToOverlay(s, p);
  }
  starting.clear();
}

/**
 * Places a moving piece where its motion is now.
 * @param {State} s
 * @param {Shown} p
 * @param {number} now
 * @returns {import('./tracks.js').Stage}
 */
export function placeByMotion(s, p, now) {
  const { past, tracks } = motionOf(s);
  if (past) return placeInPast(s, p, past);
  return followsMotion(s, p.id) ? tracks.place(p.id, p, now, wantsStill()) : 'none';
}

/**
 * Places a piece where it was at the moment that is shown.
 * @param {State} s
 * @param {Shown} p
 * @param {import('./state.js').Past} past
 * @returns {import('./tracks.js').Stage}
 */
function placeInPast(s, p, { recording, moment, isRunning }) {
  const place = isHeld(s, p.id) ? recording.at(p.id, moment()) : null;
  if (!place) return 'none';
  Object.assign(p, place);
  return isRunning() ? 'moving' : 'still';
}
