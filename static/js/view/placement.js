// How a piece lies or moves, as styles: at rest by left and top in its place, on its way by transform in the overlay. Called by
// view/render.js only.

import { kindAt } from './catalog.js';
import { moveInto } from './dom.js';
import { UNITS } from './geometry.js';
import { drawLabel, standLabels } from './piece.js';
import { tint } from './rules.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../state.js').Shown} Shown */
/** @typedef {import('../types.js').Piece} Piece */

/** Milliseconds that a piece stays in the overlay after it has come to rest. To leave or enter the ground draws a part of it anew, and a
 * piece that has just moved is likely to move again. */
const LINGERS = 400;

/** The same while others are still moving: so that many go back together. */
const LINGERS_LONG = 2000;

/** Brings a piece into the layer of what moves. @param {State} s @param {Shown} p */
export function rise(s, p) {
  s.moving.add(p);
  s.lingering.delete(p);
  if (!staysPut(p)) s.piles.take(p.id);
  if (p.over) return;
  p.over = true;
  p.el.classList.add('over');
  if (!p.heavy) moveInto(s.page.overlay, p.el); // a board stays under what stands on it
  p.el.style.left = '';
  p.el.style.top = '';
  p.pledge = pledgeMotion(p.el);
  write(p, 1);
}

/**
 * An animation of the transform that never begins: it waits, paused. While there is one, Chromium counts with the piece being
 * anywhere and does not work out anew which layers the page has, each time that the transform changes: that would look at every
 * piece of the table, and is most of what a step costs where many are turned.
 * @param {HTMLElement} e
 */
function pledgeMotion(e) {
  const pledge = e.animate({ transform: ['none', 'none'] }, { delay: 1, duration: 1 });
  pledge.pause();
  return pledge;
}

/**
 * Whether a piece ends where it lies: it turns over, or goes aside as in a shuffle. It stays in its pile meanwhile, and what can
 * be done with that stays too.
 * @param {Shown} p
 */
function staysPut({ slide }) {
  return slide === null || (slide.x0 === slide.x1 && slide.y0 === slide.y1);
}

/** Writes where a moving piece is. @param {Shown} p @param {number} wide */
export function write(p, wide) {
  // One transform, not translate and rotate: only that takes the browser's short way past layout and paint.
  const turn = p.angle === 0 ? '' : ` rotate(${p.angle / 100}deg)`;
  const flip = wide === 1 ? '' : ` scaleX(${wide})`;
  p.el.style.transform = `translate(${p.x / UNITS - p.w / 2}px, ${p.y / UNITS - p.h / 2}px)${turn}${flip}`;
}

/** A piece has come to rest where it lies. @param {State} s @param {Shown} p @param {Piece} piece */
export function arrive(s, p, piece) {
  s.moving.delete(p);
  p.slide = null;
  p.flip?.swap?.();
  p.flip = null;
  p.x = piece.x;
  p.y = piece.y;
  p.angle = piece.angle;
  lift(s, p, false);
  lieDown(s, p, piece);
  drawLabel(s, p, piece);
  standLabels(s, p);
  light(s, p);
  if (!p.over) {
    writeRest(p);
    return;
  }
  write(p, 1);
  if (!s.lingering.has(p)) s.lingering.set(p, performance.now());
}

/** Puts a piece back from the overlay to where it lies still. @param {State} s @param {Shown} p */
export function lay(s, p) {
  s.lingering.delete(p);
  if (!p.over) return;
  p.over = false;
  p.pledge?.cancel();
  p.pledge = null;
  p.el.classList.remove('over');
  writeRest(p);
  moveInto(p.heavy ? s.page.ground : s.page.pieces, p.el);
}

/**
 * Puts back what has rested long enough. What somebody holds stays: it is about to be moved.
 * @param {State} s
 * @returns {boolean} whether some are still to be put back
 */
export function layRested(s) {
  const now = performance.now();
  const needed = s.moving.size > 0 ? LINGERS_LONG : LINGERS;
  let more = false;
  for (const [p, since] of s.lingering) {
    if (s.sync.pieces.get(p.id)?.holder) continue;
    if (now - since >= needed) lay(s, p);
    else more = true;
  }
  return more;
}

/** Writes where a piece lies still. @param {Shown} p */
function writeRest(p) {
  const { style } = p.el;
  style.transform = p.angle === 0 ? '' : `rotate(${p.angle / 100}deg)`;
  style.left = `${p.x / UNITS - p.w / 2}px`;
  style.top = `${p.y / UNITS - p.h / 2}px`;
}

/** Tells the piles where a piece lies, or that it lies nowhere. @param {State} s @param {Shown} p @param {Piece} piece */
function lieDown(s, p, piece) {
  if (piece.holder !== 0 || p.heavy) {
    s.piles.take(p.id);
    return;
  }
  const k = kindAt(s.catalog, piece.kind);
  s.piles.put({
    id: p.id,
    x: piece.x,
    y: piece.y,
    w: k.width,
    h: k.height,
    rank: s.order.rank(p.id),
  });
}

/** Lifts a piece off the table, or puts it down. @param {State} s @param {Shown} p @param {boolean} up */
export function lift(s, p, up) {
  if (p.lifted === up) return;
  p.lifted = up;
  p.el.classList.toggle('lifted', up);
  light(s, p);
}

/** Keeps the light above the window, however a piece lies: the direction of its shadow. @param {State} s @param {Shown} p */
function light(s, p) {
  tint(p, 'lit', p.angle === 0 ? '' : s.tints.lit(p.angle + s.view.turn * 100));
}
