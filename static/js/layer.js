// How a piece lies or moves, as styles: at rest by left and top in its place, on its way by transform in the overlay. Called by
// render.js only.

import { moveInto } from './dom.js';
import { UNITS, turned } from './geometry.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./state.js').Shown} Shown */
/** @typedef {import('./types.js').Piece} Piece */

/** Brings a piece into the layer of what moves. @param {State} s @param {Shown} p */
export function rise(s, p) {
  s.moving.add(p);
  if (p.over) return;
  p.over = true;
  p.el.classList.add('over');
  if (!p.heavy) moveInto(s.page.overlay, p.el); // a board stays under what stands on it
  p.el.style.left = '';
  p.el.style.top = '';
  write(p, 1);
}

/** Writes where a moving piece is. @param {Shown} p @param {number} wide */
export function write(p, wide) {
  // One transform, not translate and rotate: only that takes the browser's short way past layout and paint.
  const turn = p.angle === 0 ? '' : ` rotate(${p.angle / 100}deg)`;
  const flip = wide === 1 ? '' : ` scaleX(${wide})`;
  p.el.style.transform = `translate(${p.x / UNITS - p.w / 2}px, ${p.y / UNITS - p.h / 2}px)${turn}${flip}`;
}

/** Puts a piece to rest where it lies. @param {State} s @param {Shown} p @param {Piece} piece */
export function settle(s, p, piece) {
  s.moving.delete(p);
  p.slide = null;
  p.x = piece.x;
  p.y = piece.y;
  p.angle = piece.angle;
  lift(s, p, false);
  const { style } = p.el;
  style.transform = p.angle === 0 ? '' : `rotate(${p.angle / 100}deg)`;
  style.left = `${p.x / UNITS - p.w / 2}px`;
  style.top = `${p.y / UNITS - p.h / 2}px`;
  light(s, p);
  if (!p.over) return;
  p.over = false;
  p.el.classList.remove('over');
  if (p.el.isConnected) moveInto(p.heavy ? s.page.ground : s.page.pieces, p.el);
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
  if (p.angle === 0) {
    p.el.style.removeProperty('--sx');
    p.el.style.removeProperty('--sy');
    p.el.style.removeProperty('--angle');
    return;
  }
  const v = turned(0, 1, -(s.view.turn + p.angle / 100));
  p.el.style.setProperty('--sx', v.x.toFixed(3));
  p.el.style.setProperty('--sy', v.y.toFixed(3));
  p.el.style.setProperty('--angle', `${p.angle / 100}deg`);
}
