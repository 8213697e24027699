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

/** How bright the edges of chips are beside their rims, in turn. */
const SHADES = [0.55, 0.85];

/** The rim of a picture that has not been loaded yet: red, green and blue. */
const PLAIN = [150, 140, 128];

/** The rims of pictures, by their addresses. @type {Map<string, number[]>} */
const rims = new Map();

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
  const colour = (/** @type {number[]} */ rim) => drawEdges(between, wanted - 1, rim);
  const known = rims.get(art);
  colour(known ?? PLAIN);
  const sample = () => {
    const rim = rims.get(art) ?? rimOf(lowest);
    rims.set(art, rim);
    colour(rim);
  };
  if (!known) lowest.addEventListener('load', sample, { once: true });
  p.el.prepend(lowest, between);
}

/**
 * Draws the edges of chips as shadows.
 * @param {HTMLElement} between
 * @param {number} count
 * @param {number[]} rim
 */
function drawEdges(between, count, rim) {
  between.style.boxShadow = Array.from({ length: count }, (_, i) => {
    const down = `${i + 1} * var(--apart)`;
    const shade = rim.map((v) => Math.round(v * SHADES[i % SHADES.length]));
    return `calc(var(--sx) * ${down}) calc(var(--sy) * ${down}) rgb(${shade.join(' ')})`;
  }).join(', ');
}

/** Side of the square canvas on which a rim is sampled, in pixels. */
const PROBE = 48;

/**
 * Returns the colour of the rim of a round picture: red, green and blue. White spots in the rim
 * count little, so a red chip has red edges.
 * @param {HTMLImageElement} img
 */
export function rimOf(img) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = PROBE;
  const g = canvas.getContext('2d', { willReadFrequently: true });
  if (!g) return PLAIN;
  g.drawImage(img, 0, 0, PROBE, PROBE);
  const { data } = g.getImageData(0, 0, PROBE, PROBE);
  const sum = [0, 0, 0];
  let weights = 0;
  for (let i = 0; i < 64; i++) {
    const x = Math.floor((1 + 0.85 * Math.cos((i * Math.PI) / 32)) * (PROBE / 2));
    const y = Math.floor((1 + 0.85 * Math.sin((i * Math.PI) / 32)) * (PROBE / 2));
    const at = 4 * (y * PROBE + x);
    const rgb = data.subarray(at, at + 3);
    const weight = (data[at + 3] / 255) * (0.02 + (Math.max(...rgb) - Math.min(...rgb)) / 255) ** 2;
    for (const j of [0, 1, 2]) sum[j] += weight * rgb[j];
    weights += weight;
  }
  return weights > 0 ? sum.map((v) => v / weights) : PLAIN;
}
