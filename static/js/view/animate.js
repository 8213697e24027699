// Pieces on their way: slides, turns and flips. view/render.js steps them once a frame; nothing else moves a piece.

/**
 * From where to where, in units and hundredths of a degree; bow says how far aside it goes on the way.
 * @typedef {{x0: number, y0: number, a0: number, x1: number, y1: number, a1: number, bow: number, start: number, ms: number}} Slide
 */

/**
 * A flip: at the middle the new picture appears.
 * @typedef {{start: number, ms: number, swap: (() => void)|null}} Flip
 */

/** @typedef {import('../state.js').Shown} Shown */

/** Milliseconds that a change made by somebody else takes to happen on the screen. */
export const USUAL = 150;

/** Milliseconds of a flight into a hand or a container, or out of one. */
export const FLIGHT = 260;

/** Milliseconds for a change that comes as a surprise: a conflict, a refusal. */
export const SURPRISE = 350;

/**
 * Sends a piece from where it is drawn to another place, the shorter way round.
 * @param {Shown} p @param {number} x @param {number} y @param {number} angle @param {number} ms @param {number} now
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

/** Milliseconds that a shuffle takes, and how far a card of it goes aside, as a part of its width. */
const SHUFFLE = 500;
const ASIDE = 0.55;

/**
 * Sends a card aside and back, to the left or to the right, as a hand does that shuffles.
 * @param {Shown} p @param {number} side -1 to 1 @param {number} now
 */
export function shuffleAside(p, side, now) {
  slideTo(p, p.x, p.y, p.angle, SHUFFLE, now);
  if (p.slide) p.slide.bow = side * ASIDE * p.w * 10;
}

/**
 * Moves a piece on along its slide. Returns whether it is still on its way.
 * @param {Shown} p @param {number} now
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
 * The width of a flipping piece as a part of its own, and whether it is still flipping.
 * @param {Shown} p @param {number} now
 * @returns {number} 1 when there is no flip
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

/** Fast at first, then gently. @param {number} t */
function ease(t) {
  return 1 - (1 - t) ** 3;
}
