// Which pictures a crowded table shows as bitmaps, and how large. Pure arithmetic; no DOM.

import { UNITS } from '../../view/geometry.js';
import { artOf } from '../../view/catalog.js';

/** @typedef {import('../../view/catalog.js').Catalog} Catalog */
/** @typedef {import('../../view/catalog.js').Kind} Kind */

/** The picture at an address, and the size of its bitmap in pixels. */
/** @typedef {{art: string, width: number, height: number}} Bitmap */

/**
 * The most pixels that all bitmaps of a table may have: 64 MB when they are decoded. Beyond that a
 * person has zoomed in so far that few pieces are in sight, and pictures stay vectors.
 */
export const MOST_PIXELS = 16e6;

/**
 * Returns the resolution of bitmaps for a resolution of the screen, both in pixels per millimetre:
 * the next power of the square root of two. So a bitmap is never enlarged, and never has more than
 * twice the pixels that are needed.
 * @param {number} needed
 */
export function resolutionFor(needed) {
  // the logarithm of an exact power may be a hair too large
  return 2 ** (Math.ceil(2 * Math.log2(needed) - 1e-9) / 2);
}

/**
 * Returns the bitmaps of all pictures of a catalogue. A picture of several kinds has the size of
 * the largest. Returns an empty list if they would have too many pixels.
 * @param {Catalog} catalog
 * @param {number} resolution in pixels per millimetre
 * @returns {Bitmap[]}
 */
export function planBitmaps(catalog, resolution) {
  /** @type {Map<string, Bitmap>} */
  const plan = new Map();
  for (const kind of catalog.kinds) {
    const width = Math.ceil((kind.width / UNITS) * resolution);
    const height = Math.ceil((kind.height / UNITS) * resolution);
    for (const face of kind.faces) {
      const art = artOf(catalog, face);
      const known = plan.get(art);
      if (art && (!known || known.width < width)) plan.set(art, { art, width, height });
    }
  }
  const bitmaps = [...plan.values()];
  const pixels = bitmaps.reduce((sum, { width, height }) => sum + width * height, 0);
  return pixels <= MOST_PIXELS ? bitmaps : [];
}
