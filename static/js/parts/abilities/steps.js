// Counting up and down on the counter itself, with two buttons below it that are large enough for
// fingers. They are for pointers only: keys and screen readers use the operations that the counter
// offers.

import { kindOf } from '../../view/catalog.js';
import { el } from '../../view/dom.js';
import { sendBlind } from '../../input/ops.js';
import { isWithin } from '../../kinds/values.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../view/state.js').Shown} Shown */
/** @typedef {import('../../types.js').Piece} Piece */

/** @type {Record<string, import('../../kinds/ability.js').Operation>} */
export const OF_COUNTERS = {
  count: {
    icon: ({ with: fixed }) => (!fixed ? 'count' : fixed.n < 0 ? 'minus' : 'add'),
    check: (_s, { value = 0 }, { counter }, { with: fixed }) =>
      !counter || isWithin(value + (fixed?.n ?? 0), counter) ? '' : 'range',
  },
};

/**
 * Adds the buttons of a counter, or removes them. Called by view/piece.js.
 * @param {State} s
 * @param {Shown} p
 * @param {Piece} piece
 */
export function drawSteps(s, p, piece) {
  const { counter } = kindOf(s, piece);
  const wanted = counter !== undefined && !piece.locked;
  const old = p.el.querySelector(':scope > .steps');
  if (!wanted) old?.remove();
  if (!wanted || old) return;
  const by = counter.step ?? 1;
  const buttons = [step(-by, '\u2212'), step(by, '+')];
  p.el.append(el('span', { class: 'label steps', 'aria-hidden': 'true' }, ...buttons));
}

/** @param {number} by @param {string} sign */
function step(by, sign) {
  return el('span', { class: 'step', 'data-step': by }, sign);
}

/**
 * Returns by how much the button under a pointer counts, 0 if there is none.
 * @param {EventTarget|null} target
 */
export function stepAt(target) {
  const e = target instanceof Element ? target.closest('[data-step]') : null;
  return Number(e?.getAttribute('data-step') ?? 0);
}

/**
 * Changes the value of a counter, within its bounds (T33).
 * @param {State} s
 * @param {Piece} piece
 * @param {number} by
 * @returns {import('../../input/ops.js').Refusal|null} why it was not changed, or null
 */
export function count(s, piece, by) {
  const { counter } = kindOf(s, piece);
  const value = (piece.value ?? 0) + by;
  if (!counter) return { reason: 'not-allowed', piece: piece.id, by: 0 };
  if (piece.locked) return { reason: 'locked', piece: piece.id, by: 0 };
  if (!isWithin(value, counter)) return { reason: 'range', piece: piece.id, by: 0 };
  sendBlind(s, piece.id, 'count', { n: by });
  return null;
}
