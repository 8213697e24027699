// The ruler by mouse, finger or stylus. A drag measures from its start to its end. Two presses, one
// after the other, measure too, for people who cannot drag. Two fingers, the wheel, the middle
// button and Space still zoom and move the table.

import { all, on } from '../../view/dom.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./measuring.js').Measuring} Measuring */
/** @typedef {import('./measuring.js').End} End */

/** How far a mouse or a finger may move, in px, before a press is a drag. */
const SLOP_MOUSE = 4;
const SLOP_TOUCH = 9;

/** Milliseconds for which a drag has to rest before the table is asked for the distance. */
const REST = 350;

/**
 * Listens to pointers.
 * @param {State} s
 * @param {Measuring} measuring
 * @param {object} desk
 * @param {(x: number, y: number) => End} desk.endAt returns the end that a point of the page means
 * @param {(end: End) => void} desk.press a spot was pressed without a drag
 * @param {() => void} desk.changed
 * @returns {() => void} stops
 */
export function bindRulerPointer(s, measuring, desk) {
  const win = s.page.window;
  /** @type {{pointer: number, x: number, y: number, slop: number, drags: boolean}|null} */
  let press = null;
  /** The fingers that touch the screen. @type {Set<number>} */
  const fingers = new Set();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let resting;

  const down = (/** @type {PointerEvent} */ e) => {
    // the press moves the table or opens a menu
    if (e.button !== 0 || s.page.main.classList.contains('panning')) return;
    e.stopImmediatePropagation();
    e.preventDefault();
    s.touch = e.pointerType === 'touch';
    s.page.main.classList.toggle('touch', s.touch);
    if (s.touch) fingers.add(e.pointerId);
    if (press || fingers.size > 1) {
      giveUp();
      return;
    }
    press = {
      pointer: e.pointerId,
      x: e.clientX,
      y: e.clientY,
      slop: e.pointerType === 'mouse' ? SLOP_MOUSE : SLOP_TOUCH,
      drags: false,
    };
    win.setPointerCapture(e.pointerId);
  };

  const move = (/** @type {PointerEvent} */ e) => {
    if (!press) {
      // the line follows the mouse, as in a drag
      if (e.pointerType === 'mouse' && measuring.isOpen) reach(e);
      return;
    }
    if (press.pointer !== e.pointerId) return;
    if (!press.drags) {
      if (Math.hypot(e.clientX - press.x, e.clientY - press.y) <= press.slop) return;
      press.drags = true;
      measuring.begin(desk.endAt(press.x, press.y));
    }
    reach(e);
    clearTimeout(resting);
    resting = setTimeout(settle, REST);
  };

  const reach = (/** @type {PointerEvent} */ e) => {
    measuring.reach(desk.endAt(e.clientX, e.clientY));
    desk.changed();
  };

  const settle = () => {
    measuring.settle();
    desk.changed();
  };

  const up = (/** @type {PointerEvent} */ e) => {
    fingers.delete(e.pointerId);
    if (press?.pointer !== e.pointerId) return;
    const { drags, x, y } = press;
    press = null;
    clearTimeout(resting);
    if (!drags) desk.press(desk.endAt(x, y));
    else measuring.choose();
    desk.changed();
  };

  /**
   * Handles a second finger, which means a zoom. Drops what the first finger has begun to measure.
   */
  const giveUp = () => {
    if (press?.drags) measuring.clear();
    press = null;
    clearTimeout(resting);
    desk.changed();
  };

  const cancel = (/** @type {PointerEvent} */ e) => {
    fingers.delete(e.pointerId);
    if (press?.pointer === e.pointerId) giveUp();
  };

  const menu = (/** @type {Event} */ e) => {
    if (!press) return;
    e.preventDefault(); // a resting finger means its place
    e.stopImmediatePropagation();
  };

  const first = { capture: true };
  return all(
    () => clearTimeout(resting),
    on(win, 'pointerdown', down, first),
    on(win, 'pointermove', move, first),
    on(win, 'pointerup', up, first),
    on(win, 'pointercancel', cancel, first),
    on(win, 'contextmenu', menu, first),
  );
}
