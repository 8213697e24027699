// Recognises double taps: two taps on the same piece, shortly after each other, with nothing else
// done between them.

import { all, on } from '../view/dom.js';
import { onRename } from '../listeners.js';

/** @typedef {import('../state.js').State} State */

/** The greatest time between the two taps of a double tap, in milliseconds. */
export const DOUBLE = 350;

/** Keys that people hold down while they tap. */
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta']);

/** Handles the event before any other listener can see or stop it. */
const CAPTURE = { capture: true };

/**
 * Pairs the taps in a part of the page. A press anywhere else, or a key, separates two taps. So a
 * tap on a deck, a press on a button and another tap on the deck are two single taps.
 * @param {State} s
 * @param {Element} place the element in which the taps are
 */
export function bindDoubleTap(s, place) {
  let last = { id: 0, time: 0 };

  const forget = () => {
    last = { id: 0, time: 0 };
  };

  /**
   * Returns whether a tap is the second of two. The tap after it is a first one again.
   * @param {number} id the piece that was tapped; 0: none
   * @param {number} time of the tap, in ms
   */
  const isSecond = (id, time) => {
    const is = last.id === id && time - last.time < DOUBLE;
    if (is) forget();
    else last = { id, time };
    return is;
  };

  onRename(s, (from, to) => {
    if (last.id === from) last.id = to;
  });
  const pressed = (/** @type {PointerEvent} */ e) => {
    if (!place.contains(/** @type {Node} */ (e.target))) forget();
  };
  const typed = (/** @type {KeyboardEvent} */ e) => {
    if (!MODIFIERS.has(e.key)) forget();
  };
  const stop = all(
    on(document, 'pointerdown', pressed, CAPTURE),
    on(document, 'keydown', typed, CAPTURE),
  );
  return { isSecond, stop };
}
