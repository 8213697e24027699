// How high heaps of round money are: chips under the chip that shows the number (T34). The height
// grows more slowly than the number, so that small and large heaps look different.

import { kindOf } from '../../view/catalog.js';
import { el } from '../../view/dom.js';
import { artFor } from '../../view/piece.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../view/state.js').Shown} Shown */
/** @typedef {import('../../types.js').Piece} Piece */

/** The values from which a heap is one chip higher. */
const STEPS = [2, 4, 8, 15, 30, 60, 120, 250, 500, 1000];

/** Returns how many chips lie under the uppermost of a heap. @param {number} value */
export function layersOf(value) {
  return STEPS.filter((step) => value >= step).length;
}

/**
 * Draws the chips under the uppermost, if their number or their picture has changed. While a heap
 * is turned over, the uppermost still shows the picture of before.
 * @param {State} s
 * @param {Shown} p
 * @param {Piece} piece
 */
export function drawHeap(s, p, piece) {
  const art = artFor(s, piece);
  if (kindOf(s, piece).shape !== 'round' || !art) return;
  const wanted = layersOf(piece.value ?? 0);
  const there = p.el.querySelectorAll(':scope > .under');
  if (there.length === wanted && there[0]?.getAttribute('src') === art) return;
  for (const e of there) e.remove();
  const chips = Array.from({ length: wanted }, (_, i) => {
    const e = el('img', { class: 'under', alt: '', draggable: 'false', src: art });
    e.style.setProperty('--down', String(wanted - i));
    return e;
  });
  p.el.prepend(...chips);
}
