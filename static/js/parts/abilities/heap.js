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

/** The colours of the edges of chips, which alternate. */
const EDGES = ['#2c2622', '#cfc5b6'];

/**
 * Draws the chips under the uppermost, if their number or their picture has changed. While a heap
 * is turned over, the uppermost still shows the picture of before. Only the lowest chip is a
 * picture, and the edges of those between are shadows: pictures are vectors, and a table full of
 * heaps took the browser a second to draw.
 * @param {State} s
 * @param {Shown} p
 * @param {Piece} piece
 */
export function drawHeap(s, p, piece) {
  const art = artFor(s, piece);
  if (kindOf(s, piece).shape !== 'round' || !art) return;
  const wanted = layersOf(piece.value ?? 0);
  const there = p.el.querySelectorAll(':scope > .under');
  if (there[0]?.getAttribute('data-chips') === `${wanted} ${art}`) return;
  for (const e of there) e.remove();
  if (wanted === 0) return;
  const lowest = el('img', {
    class: 'under', alt: '', draggable: 'false', src: art, 'data-chips': `${wanted} ${art}`,
  });
  lowest.style.setProperty('--down', String(wanted));
  const between = el('span', { class: 'under' });
  between.style.setProperty('--down', '0');
  between.style.boxShadow = Array.from({ length: wanted - 1 }, (_, i) => {
    const down = `${i + 1} * var(--apart)`;
    return `calc(var(--sx) * ${down}) calc(var(--sy) * ${down}) ${EDGES[i % EDGES.length]}`;
  }).join(', ');
  p.el.prepend(lowest, between);
}
