// The state of input/: what this person has selected, holds and points at. Only input/ writes it.
// Others call functions of input/, and may read all of it.

import { invalidateBars, redrawBars } from '../bars/state.js';

/** @typedef {import('../state.js').State} State */

/**
 * The pieces that this client holds and moves.
 * @typedef {object} Carry
 * @property {'pointer'|'keys'} by
 * @property {number} lead the piece that was taken; the others keep their places around it
 * @property {Map<number, {x: number, y: number, z: string}>} from where they were picked up
 * @property {Map<number, {x: number, y: number}>|undefined} [along] where that was which is
 *   attached to them (T97), and is shown moving along
 * @property {number} dx how far they were moved, in units
 * @property {number} dy
 * @property {number} px the pointer, in the page
 * @property {number} py
 * @property {{x: number, y: number}} start the table point where the pointer took them
 */

/**
 * @typedef {object} Input
 * @property {Set<number>} selection replaced by select(), never changed in place
 * @property {number} focus the piece that Tab reaches; 0 if there is none
 * @property {number} hover the piece under the mouse; 0 if there is none
 * @property {Carry|null} carry
 * @property {import('./select.js').Band|null} band
 * @property {{n: number, x: number, y: number}|null} poised a press on one of n selected pieces,
 *   and where it is in the page; null: none. A drag would move all of them.
 * @property {number} take how many pieces the next drag takes from a pile; 0: the selected ones
 * @property {boolean} many whether taps and frames add to the selection
 * @property {boolean} touch whether the last pointer was a finger
 * @property {boolean} byKeys whether this person goes from piece to piece by keys, not by a pointer
 * @property {string} typed the beginning of the name of a cell
 * @property {number} typedAt when it was typed, as events tell the time, in ms
 */

/** @returns {Input} */
export function createInput() {
  return {
    selection: new Set(),
    focus: 0,
    hover: 0,
    carry: null,
    band: null,
    poised: null,
    take: 0,
    many: false,
    touch: false,
    byKeys: true,
    typed: '',
    typedAt: 0,
  };
}

/**
 * Starts or ends the mode in which taps add to the selection.
 * @param {State} s
 * @param {boolean} on
 */
export function selectMany(s, on) {
  s.input.many = on;
  invalidateBars(s);
}

/** Stores whether a pointer is a finger. @param {State} s @param {PointerEvent} e */
export function noteTouch(s, e) {
  s.input.touch = e.pointerType === 'touch';
  s.page.main.classList.toggle('touch', s.input.touch);
}

/** Stores which piece is under the mouse; 0: none. @param {State} s @param {number} id */
export function hoverOver(s, id) {
  s.input.hover = id;
}

/**
 * Stores how many pieces the next drag takes from a pile; 0: the selected ones.
 * @param {State} s @param {number} n
 */
export function takeNext(s, n) {
  s.input.take = n;
}

/**
 * Shows or hides how many pieces a drag would take along.
 * @param {State} s
 * @param {Input['poised']} poised
 */
export function setPoised(s, poised) {
  if (s.input.poised === poised) return;
  s.input.poised = poised;
  redrawBars(s);
}

/**
 * Stores whether this person goes from piece to piece by keys.
 * @param {State} s @param {boolean} is
 */
export function goByKeys(s, is) {
  s.input.byKeys = is;
}

/**
 * Stores the beginning of the name of a cell, and when it was typed, as events tell the time.
 * @param {State} s @param {string} text @param {number} [at]
 */
export function noteTyped(s, text, at = s.input.typedAt) {
  s.input.typed = text;
  s.input.typedAt = at;
}

/**
 * A piece has another identifier (T21).
 * @param {State} s
 * @param {number} from
 * @param {number} to
 */
export function renameInput({ input }, from, to) {
  if (input.selection.has(from))
    input.selection = new Set([...input.selection].map((id) => (id === from ? to : id)));
  if (input.focus === from) input.focus = to;
  if (input.hover === from) input.hover = to;
  const { carry } = input;
  if (!carry) return;
  const place = carry.from.get(from);
  if (carry.from.delete(from) && place) carry.from.set(to, place);
  if (carry.lead === from) carry.lead = to;
}
