// Shows where others point (S13): an arrow in their colour with their name. The arrow is upright
// and has one size at every turn and zoom of the table. It disappears after three seconds without
// movement.

import { el, setText, wantsStill } from '../../view/dom.js';
import { pointerOf } from '../../relay/motion.js';
import { UNITS } from '../../view/geometry.js';
import { icon } from '../../view/icons.js';
import { eachFrame } from '../../view/state.js';
import { drawWithBars } from '../../bars/state.js';
import { motionOf } from './state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Outcome} Outcome */

/**
 * The arrow of a seat.
 * @typedef {object} Arrow
 * @property {number} seat
 * @property {HTMLElement} el
 * @property {HTMLElement} name
 * @property {number} x where it is drawn, in units
 * @property {number} y
 * @property {boolean} shown
 * @property {number} due if it is about to be shown: the server time from which on it is shown;
 *   else 0
 * @property {ReturnType<typeof setTimeout>|undefined} timer hides it
 */

/** Milliseconds without movement after which an arrow disappears (S13). */
const RESTS = 3000;

/**
 * Takes in what a frame says of cursors. Somebody who picks up a piece stops pointing.
 * @param {State} s
 * @param {Outcome} outcome
 * @param {number} now
 */
export function onCursors(s, outcome, now) {
  const { pointers, pointing } = motionOf(s);
  if (outcome.full || outcome.resumed) for (const seat of pointers.forget()) pointing.add(seat);
  for (const paths of outcome.cursors) {
    for (const seat of pointers.take(paths, outcome.time, now, (id) => pointerOf(s, id)))
      pointing.add(seat);
  }
  for (const id of outcome.placed) {
    const holder = s.sync.pieces.get(id)?.holder ?? 0;
    if (!pointers.hasData(holder)) continue;
    pointers.endBefore(holder, outcome.time);
    pointing.add(holder);
  }
}

/**
 * Draws the arrows.
 * @param {State} s
 * @returns {() => void} stops
 */
export function bindCursors(s) {
  const { arrows, pointing } = motionOf(s);
  let upright = '';

  const draw = (/** @type {number} */ now) => {
    // The part controls knows whether this person has hidden them.
    if (s.bars.hidesArrows || !s.parts.controls) {
      pointing.clear();
      return false;
    }
    const { turn, scale, live } = s.view.camera;
    const before = upright;
    upright = `rotate(${-turn}deg) scale(${1 / (scale * (live?.factor ?? 1))})`;
    if (upright !== before)
      for (const arrow of arrows.values()) if (arrow.shown) write(arrow, upright);
    for (const seat of pointing) {
      const arrow = arrows.get(seat) ?? add(seat);
      const stage = step(s, arrow, now);
      if (arrow.shown) write(arrow, upright);
      if (stage === 'none' || stage === 'still') pointing.delete(seat);
    }
    return pointing.size > 0;
  };

  /** @param {number} seat */
  const add = (seat) => {
    const arrow = make(seat);
    arrows.set(seat, arrow);
    dress(s, arrow);
    s.page.arrows.append(arrow.el);
    return arrow;
  };

  /** Updates names and colours, and removes the arrows of seats that have left. */
  const dressAll = () => {
    for (const [seat, arrow] of arrows) {
      if (s.sync.seats.has(seat)) dress(s, arrow);
      else {
        hide(arrow);
        arrow.el.remove();
        arrows.delete(seat);
      }
    }
  };

  eachFrame(s, draw);
  drawWithBars(s, dressAll);
  return () => {
    for (const { timer } of arrows.values()) clearTimeout(timer);
  };
}

/** Hides all arrows until they move again. @param {State} s */
export function hideArrows(s) {
  for (const arrow of motionOf(s).arrows.values()) hide(arrow);
}

/**
 * Moves an arrow one step.
 * @param {State} s
 * @param {Arrow} arrow
 * @param {number} now
 * @returns {import('./tracks.js').Stage}
 */
function step(s, arrow, now) {
  const { pointers } = motionOf(s);
  const last = pointers.last(arrow.seat);
  if (!last) {
    hide(arrow);
    return 'none';
  }
  if (!arrow.shown && arrow.due === 0) Object.assign(arrow, { x: last.x, y: last.y, due: last.to });
  const stage = pointers.place(arrow.seat, arrow, now, wantsStill());
  // An arrow that appears again is shown only at its new place, so that nobody sees it fly there.
  if (!arrow.shown && pointers.moment(arrow.seat, now) < arrow.due) return 'soon';
  show(arrow);
  clearTimeout(arrow.timer);
  if (stage === 'still') arrow.timer = setTimeout(() => hide(arrow), RESTS);
  return stage;
}

/** @param {number} seat @returns {Arrow} */
function make(seat) {
  const name = el('span', { class: 'arrow-name' });
  const e = el('div', { class: 'arrow gone', 'data-arrow': seat }, icon('arrow'), name);
  return { seat, el: e, name, x: 0, y: 0, shown: false, due: 0, timer: undefined };
}

/** Gives an arrow the name and colour of its seat. @param {State} s @param {Arrow} arrow */
function dress(s, arrow) {
  const seat = s.sync.seats.get(arrow.seat);
  if (!seat) return;
  setText(arrow.name, seat.nick);
  arrow.el.classList.add(s.view.tints.held(seat));
}

/** @param {Arrow} arrow */
function show(arrow) {
  arrow.shown = true;
  arrow.due = 0;
  arrow.el.classList.remove('gone');
}

/** @param {Arrow} arrow */
function hide(arrow) {
  clearTimeout(arrow.timer);
  arrow.shown = false;
  arrow.due = 0;
  arrow.el.classList.add('gone');
}

/** @param {Arrow} arrow @param {string} upright */
function write(arrow, upright) {
  arrow.el.style.transform = `translate(${arrow.x / UNITS}px, ${arrow.y / UNITS}px) ${upright}`;
}
