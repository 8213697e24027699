// Two taps that are one double tap: on the same piece, soon after each other, with nothing else done between them.

import { all, on } from '../view/dom.js';

/** @typedef {import('../state.js').State} State */

/** Milliseconds between two taps that are one double tap, at most. */
const DOUBLE = 350;

/** Keys that are held while something is tapped. */
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta']);

/** Before anything else hears of it, or stops it. */
const CAPTURE = { capture: true };

/**
 * Pairs the taps in a part of the page. A press anywhere else, or a key, comes between two taps: whoever taps a deck,
 * presses a button and taps the deck again has made two single taps.
 * @param {State} s @param {Element} place where the taps are
 */
export function bindDoubleTap(s, place) {
  let last = { id: 0, time: 0 };

  const forget = () => {
    last = { id: 0, time: 0 };
  };

  /**
   * Whether a tap is the second of two. The one after it is a first one again.
   * @param {number} id the piece that was tapped, 0: none
   * @param {number} time of the tap, in ms
   */
  const isSecond = (id, time) => {
    const is = last.id === id && time - last.time < DOUBLE;
    if (is) forget();
    else last = { id, time };
    return is;
  };

  s.renames.push((from, to) => {
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
