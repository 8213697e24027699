// Slides, turns and flips of pieces. view/render.js steps them once a frame; no other code moves a
// piece.

/**
 * A motion from one place to another, in units and hundredths of a degree. `bow` is how far the
 * piece swerves sideways halfway, in units.
 * @typedef {{x0: number, y0: number, a0: number, x1: number, y1: number, a1: number, bow: number,
 *   start: number, ms: number}} Slide
 */

/**
 * A flip. The new picture appears halfway.
 * @typedef {{start: number, ms: number, swap: (() => void)|null}} Flip
 */

/** @typedef {import('./state.js').Shown} Shown */

/** Milliseconds that the screen takes to show a change by somebody else. */
export const USUAL = 150;

/** Milliseconds of a flight into a hand or a container, or out of one. */
export const FLIGHT = 200;

/** Milliseconds of a change that surprises the player: a conflict or a reject. */
export const SURPRISE = 350;

/**
 * Slides a piece from where it is drawn to another place. It turns the shorter way round.
 * @param {Shown} p
 * @param {number} x
 * @param {number} y
 * @param {number} angle
 * @param {number} ms
 * @param {number} now
 */
export function slideTo(p, x, y, angle, ms, now) {
  let by = (angle - p.angle) % 36000;
  if (by > 18000) by -= 36000;
  if (by < -18000) by += 36000;
  p.slide = {
    x0: p.x,
    y0: p.y,
    a0: p.angle,
    x1: x,
    y1: y,
    a1: p.angle + by,
    bow: 0,
    start: now,
    ms,
  };
}

/**
 * SHUFFLE is the time that a shuffle takes, in milliseconds. ASIDE is how far a card swerves in it,
 * as a part of its width.
 */
const SHUFFLE = 200;
const ASIDE = 0.55;

/**
 * Moves a card aside and back, to the left or the right, as shuffling hands do.
 * @param {Shown} p
 * @param {number} side -1 to 1
 * @param {number} now
 */
export function shuffleAside(p, side, now) {
  slideTo(p, p.x, p.y, p.angle, SHUFFLE, now);
  if (p.slide) p.slide.bow = side * ASIDE * p.w * 10;
}

/**
 * Moves a piece on along its slide. Returns whether it is still moving.
 * @param {Shown} p
 * @param {number} now
 */
export function stepSlide(p, now) {
  const s = p.slide;
  if (!s) return false;
  const t = s.ms > 0 ? (now - s.start) / s.ms : 1;
  if (t >= 1) {
    p.x = s.x1;
    p.y = s.y1;
    p.angle = ((s.a1 % 36000) + 36000) % 36000;
    p.slide = null;
    return false;
  }
  const k = ease(Math.max(0, t));
  p.x = s.x0 + (s.x1 - s.x0) * k + s.bow * Math.sin(Math.PI * t);
  p.y = s.y0 + (s.y1 - s.y0) * k;
  p.angle = s.a0 + (s.a1 - s.a0) * k;
  return true;
}

/**
 * Steps a flip. Returns the width at which the piece is drawn, as a part of its full width.
 * @param {Shown} p
 * @param {number} now
 * @returns {number} 1 without a flip
 */
export function stepFlip(p, now) {
  const f = p.flip;
  if (!f) return 1;
  const t = f.ms > 0 ? (now - f.start) / f.ms : 1;
  if (t >= 0.5 && f.swap) {
    f.swap();
    f.swap = null;
  }
  if (t >= 1) {
    p.flip = null;
    return 1;
  }
  return Math.max(0.02, Math.abs(Math.cos(Math.PI * Math.max(0, t))));
}

/** Starts fast and ends gently. @param {number} t */
function ease(t) {
  return 1 - (1 - t) ** 3;
}
