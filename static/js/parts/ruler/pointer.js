// The ruler by mouse, finger or stylus, as long as it is out: a drag measures from where it begins to where it ends; so do two presses, one
// after the other, for those who cannot drag. Two fingers still zoom and move the table, as do the wheel, the middle button and Space.

import { all, on } from '../../view/dom.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./measuring.js').Measuring} Measuring */
/** @typedef {import('./measuring.js').End} End */

/** How far a mouse or a finger may tremble before a press is a drag, in px. */
const SLOP_MOUSE = 4;
const SLOP_TOUCH = 9;

/** Milliseconds for which a drag rests before the table is asked how far it is to there. */
const REST = 350;

/**
 * Listens to pointers until it is stopped.
 * @param {State} s @param {Measuring} measuring
 * @param {object} desk
 * @param {(x: number, y: number) => End} desk.endAt what is meant by a point of the page
 * @param {(end: End) => void} desk.press a spot was pressed, without a drag
 * @param {() => void} desk.changed
 * @returns {() => void} stops
 */
export function bindRulerPointer(s, measuring, desk) {
  const win = s.page.window;
  /** @type {{pointer: number, x: number, y: number, slop: number, drags: boolean}|null} */
  let press = null;
  /** Those that are down. @type {Set<number>} */
  const fingers = new Set();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let resting;

  const down = (/** @type {PointerEvent} */ e) => {
    if (e.button !== 0 || s.page.main.classList.contains('panning')) return; // the table is moved, or a menu opened
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
      if (e.pointerType === 'mouse' && measuring.isOpen) reach(e); // it follows, as it does in a drag
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

  /** A second finger: they zoom. What the first one has begun to measure was not meant. */
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
    e.preventDefault(); // a finger that rests means its place
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
