// Counting up and down at the counter itself: two buttons below it while it is meant, large enough for fingers. For keys and ears there
// are the operations that it offers, so these are for pointers alone.

import { kindAt } from '../../view/catalog.js';
import { el } from '../../view/dom.js';
import { ask } from '../../input/ops.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../state.js').Shown} Shown */
/** @typedef {import('../../types.js').Piece} Piece */

/** Gives a counter its buttons, or takes them away. Called by view/piece.js. @param {State} s @param {Shown} p @param {Piece} piece */
export function drawSteps(s, p, piece) {
  const { counter } = kindAt(s.catalog, piece.kind);
  const wanted = counter !== undefined && !piece.locked;
  const old = p.el.querySelector(':scope > .steps');
  if (!wanted) old?.remove();
  if (!wanted || old) return;
  p.el.append(el('span', { class: 'label steps', 'aria-hidden': 'true' }, step(-1, '\u2212'), step(1, '+')));
}

/** @param {number} by @param {string} sign */
function step(by, sign) {
  return el('span', { class: 'step', 'data-step': by }, sign);
}

/** The button under a pointer: by how much it counts, 0 if there is none. @param {EventTarget|null} target */
export function stepAt(target) {
  const e = target instanceof Element ? target.closest('[data-step]') : null;
  return Number(e?.getAttribute('data-step') ?? 0);
}

/**
 * Counts a counter on, within its bounds (T33).
 * @param {State} s @param {Piece} piece @param {number} by
 * @returns {import('../../input/ops.js').Refusal|null} why not
 */
export function count(s, piece, by) {
  const { counter } = kindAt(s.catalog, piece.kind);
  const value = (piece.value ?? 0) + by;
  if (!counter) return { reason: 'not-allowed', piece: piece.id, by: 0 };
  if (piece.locked) return { reason: 'locked', piece: piece.id, by: 0 };
  if (value < counter.min || value > counter.max) return { reason: 'range', piece: piece.id, by: 0 };
  ask(s, piece.id, 'count', { n: by });
  return null;
}
