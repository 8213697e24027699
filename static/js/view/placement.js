// Writes the styles that place a piece: left and top in its layer at rest, a transform in the
// overlay while it moves. view/render.js calls this, and parts/motion/remote.js lifts pieces with
// it.

import { kindOf } from './catalog.js';
import { expectMotion, moveInto } from './dom.js';
import { UNITS } from './geometry.js';
import { drawLabel, standLabels } from './piece.js';
import { isInMyHand } from '../rights.js';
import { tint } from './rules.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('./state.js').Shown} Shown */
/** @typedef {import('../types.js').Piece} Piece */

/**
 * Milliseconds that a piece stays in the overlay after it has come to rest. Entering or leaving the
 * ground repaints a part of it, and a piece that has just moved is likely to move again.
 */
const LINGERS = 400;

/** The same while other pieces are still moving. Then many go back together. */
const LINGERS_LONG = 2000;

/** Moves a piece into the overlay, the layer of moving pieces. @param {State} s @param {Shown} p */
export function moveToOverlay(s, p) {
  s.view.moving.add(p);
  s.view.lingering.delete(p);
  if (!endsWhereItStarted(p)) s.view.piles.take(p.id);
  if (p.inOverlay) return;
  p.inOverlay = true;
  p.el.classList.add('over');
  if (!p.heavy) moveInto(s.page.overlay, p.el); // a board stays below the pieces on it
  p.el.style.left = '';
  p.el.style.top = '';
  p.paused = expectMotion(p.el);
  write(p, 1);
}

/**
 * Returns whether a piece ends where it started: it flips, or goes aside in a shuffle. Meanwhile it
 * stays in its pile, so the actions of the pile stay too.
 * @param {Shown} p
 */
function endsWhereItStarted({ slide }) {
  return slide === null || (slide.x0 === slide.x1 && slide.y0 === slide.y1);
}

/**
 * Writes the place of a moving piece.
 * @param {Shown} p
 * @param {number} wide width as a part of the full width
 */
export function write(p, wide) {
  // It uses one transform, not translate and rotate: only the transform skips layout and paint.
  const turn = p.angle === 0 ? '' : ` rotate(${p.angle / 100}deg)`;
  const flip = wide === 1 ? '' : ` scaleX(${wide})`;
  const [x, y] = [p.x / UNITS - p.w / 2, p.y / UNITS - p.h / 2];
  p.el.style.transform = `translate(${x}px, ${y}px)${turn}${flip}`;
}

/** Puts a piece to rest at its place. @param {State} s @param {Shown} p @param {Piece} piece */
export function comeToRest(s, p, piece) {
  s.view.moving.delete(p);
  p.slide = null;
  p.flip?.swap?.();
  p.flip = null;
  p.x = piece.x;
  p.y = piece.y;
  p.angle = piece.angle;
  lift(s, p, false);
  updatePile(s, p, piece);
  drawLabel(s, p, piece);
  standLabels(s, p);
  light(s, p);
  if (!p.inOverlay) {
    writeRest(p);
    return;
  }
  write(p, 1);
  if (!s.view.lingering.has(p)) s.view.lingering.set(p, performance.now());
}

/** Moves a resting piece from the overlay back to its layer. @param {State} s @param {Shown} p */
export function leaveOverlay(s, p) {
  s.view.lingering.delete(p);
  if (!p.inOverlay) return;
  p.inOverlay = false;
  p.paused?.cancel();
  p.paused = null;
  p.el.classList.remove('over');
  writeRest(p);
  moveInto(p.heavy ? s.page.ground : s.page.pieces, p.el);
}

/**
 * Moves back the pieces that have rested long enough. Held pieces stay, because they are about to
 * move.
 * @param {State} s
 * @returns {boolean} whether some have still to be moved back
 */
export function leaveOverlayWhenRested(s) {
  const now = performance.now();
  const needed = s.view.moving.size > 0 ? LINGERS_LONG : LINGERS;
  let more = false;
  for (const [p, since] of s.view.lingering) {
    if (s.sync.pieces.get(p.id)?.holder) continue;
    if (now - since >= needed) leaveOverlay(s, p);
    else more = true;
  }
  return more;
}

/** Writes the place of a resting piece. @param {Shown} p */
function writeRest(p) {
  const { style } = p.el;
  style.transform = p.angle === 0 ? '' : `rotate(${p.angle / 100}deg)`;
  style.left = `${p.x / UNITS - p.w / 2}px`;
  style.top = `${p.y / UNITS - p.h / 2}px`;
}

/**
 * Puts a piece into the piles, or removes it if somebody holds it or it is heavy. In one's own hand
 * pieces overlap, and each of them counts.
 * @param {State} s
 * @param {Shown} p
 * @param {Piece} piece
 */
function updatePile(s, p, piece) {
  if (piece.holder !== 0 || p.heavy || isInMyHand(s, piece)) {
    s.view.piles.take(p.id);
    return;
  }
  const k = kindOf(s, piece);
  s.view.piles.put({
    id: p.id,
    x: piece.x,
    y: piece.y,
    w: k.width,
    h: k.height,
    rank: s.view.order.rank(p.id),
  });
}

/**
 * Lifts a piece off the table, or lays it down.
 * @param {State} s
 * @param {Shown} p
 * @param {boolean} up
 */
export function lift(s, p, up) {
  if (p.lifted === up) return;
  p.lifted = up;
  p.el.classList.toggle('lifted', up);
  light(s, p);
}

/**
 * Sets the direction of a piece's shadow, so that the light comes from the top of the window at any
 * angle of the piece.
 * @param {State} s
 * @param {Shown} p
 */
function light(s, p) {
  tint(p, 'lit', p.angle === 0 ? '' : s.view.tints.lit(p.angle + s.view.camera.turn * 100));
}
