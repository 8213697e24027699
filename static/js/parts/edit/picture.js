// Pictures that somebody has chosen. They are decoded here, made as small as the piece needs, and
// encoded again: so nothing leaves the browser that is not seen, such as where a photo was taken.
// An SVG is cleaned; the server has the rules for it.

import { cleanSvg } from './cleansvg.js';
import { headerOf } from './header.js';

/** @typedef {import('./pack.js').Bytes} Bytes */

/** The most bytes of a file, and the most pixels of a picture in it. */
export const MOST_FILE = 64 << 20;
const MOST_PIXELS = 64e6;

/** In how many bytes the size of a picture stands: cameras write a small copy before it. */
const HEAD = 1 << 18;

/** What the server takes: bytes, and pixels each way (docs/guides/games.md). */
export const MOST_ART = 1 << 20;
const MOST_WIDE = 4096;

/** The most bytes of an SVG before it is cleaned. */
const MOST_SVG = 4 << 20;

/** Pixels in a millimetre of a piece at full zoom, on a screen with two for each of the page. */
const DENSITY = 2 * 8;

/** The longer side of the picture in a form, in pixels. */
const PREVIEW = 480;

/** How well pictures are encoded, and how much smaller they become if that is too much. */
const QUALITIES = [0.9, 0.8, 0.65];
const SMALLER = 0.75;
const ATTEMPTS = 6;

/** Why a file is no picture that can be used. */
export class Unusable extends Error {
  /**
   * @param {'empty'|'file'|'pixels'|'kind'|'broken'|'svg'|'drawing'|'bundle'|'pages'|'locked'|
   *   'pdf'|'zip'|'many'|'large'|'none'} why
   */
  constructor(why) {
    super(why);
    this.why = why;
  }
}

/**
 * A picture that can be used.
 * @typedef {object} Picture
 * @property {Blob} file
 * @property {boolean} isSvg
 * @property {number} width in pixels; of an SVG only the ratio counts
 * @property {number} height
 * @property {string} shown a small copy as a data: URL
 */

/**
 * Reads a file. Throws Unusable.
 * @param {Blob} file
 * @returns {Promise<Picture>}
 */
export async function readPicture(file) {
  if (file.size === 0) throw new Unusable('empty');
  if (file.size > MOST_FILE) throw new Unusable('file');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const header = headerOf(bytes);
  if (!header) throw new Unusable('kind');
  if (header.type === 'svg') return readSvg(bytes);
  if (header.width * header.height > MOST_PIXELS) throw new Unusable('pixels');
  const copy = new Blob([bytes], { type: `image/${header.type}` });
  const bitmap = await decode(copy);
  const { width, height } = bitmap;
  const small = Math.min(1, PREVIEW / Math.max(width, height));
  const canvas = draw(bitmap, width * small, height * small);
  bitmap.close();
  return { file: copy, isSvg: false, width, height, shown: canvas.toDataURL() };
}

/**
 * Returns how many pixels a picture has on its longer side; 0 if that is not known.
 * @param {Blob} file
 */
export async function longerSide(file) {
  const header = headerOf(new Uint8Array(await file.slice(0, HEAD).arrayBuffer()));
  return header ? Math.max(header.width, header.height) : 0;
}

/** @param {Blob} file */
async function decode(file) {
  try {
    return await createImageBitmap(file);
  } catch {
    throw new Unusable('broken');
  }
}

/** @param {Bytes} bytes @returns {Promise<Picture>} */
async function readSvg(bytes) {
  if (bytes.length > MOST_SVG) throw new Unusable('svg');
  const text = await cleanSvg(new TextDecoder().decode(bytes));
  if (!text) throw new Unusable('drawing');
  const file = new Blob([text], { type: 'image/svg+xml' });
  if (file.size > MOST_ART) throw new Unusable('svg');
  const shown = `data:image/svg+xml,${encodeURIComponent(text)}`;
  const image = new Image();
  image.src = shown;
  try {
    await image.decode();
  } catch {
    throw new Unusable('broken');
  }
  const { naturalWidth: width, naturalHeight: height } = image;
  return { file, isSvg: true, width: width || 1, height: height || 1, shown };
}

/**
 * Draws a picture so that it covers an area.
 * @param {ImageBitmap} bitmap
 * @param {number} width in pixels
 * @param {number} height
 */
function draw(bitmap, width, height) {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  const context = canvas.getContext('2d');
  if (!context) throw new Unusable('broken');
  context.imageSmoothingQuality = 'high';
  const scale = Math.max(canvas.width / bitmap.width, canvas.height / bitmap.height);
  const w = bitmap.width * scale;
  const h = bitmap.height * scale;
  context.drawImage(bitmap, (canvas.width - w) / 2, (canvas.height - h) / 2, w, h);
  return canvas;
}

/**
 * Returns the bytes of a picture for a piece of a size. Throws Unusable.
 * @param {Picture} picture
 * @param {number} width in millimetres
 * @param {number} height
 * @returns {Promise<Bytes>}
 */
export async function encode({ file, isSvg }, width, height) {
  if (isSvg) return new Uint8Array(await file.arrayBuffer());
  const bitmap = await decode(file);
  try {
    // as many pixels as the piece needs, and no more than the picture has
    const has = Math.min(bitmap.width / width, bitmap.height / height);
    let density = Math.min(DENSITY, has, MOST_WIDE / width, MOST_WIDE / height);
    for (let i = 0; i < ATTEMPTS; i++, density *= SMALLER) {
      const canvas = draw(bitmap, width * density, height * density);
      for (const quality of QUALITIES) {
        const blob = await encoded(canvas, quality);
        if (blob && blob.size <= MOST_ART) return new Uint8Array(await blob.arrayBuffer());
      }
    }
  } finally {
    bitmap.close();
  }
  throw new Unusable('broken');
}

/**
 * Encodes as WebP, or else as PNG or JPEG: not every browser can write WebP.
 * @param {HTMLCanvasElement} canvas
 * @param {number} quality
 */
async function encoded(canvas, quality) {
  const as = (/** @type {string} */ type) =>
    new Promise((/** @type {(blob: Blob|null) => void} */ done) => {
      canvas.toBlob(done, type, quality);
    });
  const webp = await as('image/webp'); // a PNG, where the browser cannot write WebP
  if (!webp || webp.type === 'image/webp' || webp.size <= MOST_ART) return webp;
  const context = canvas.getContext('2d');
  if (context) {
    // a JPEG has nothing transparent: what was would be black
    context.globalCompositeOperation = 'destination-over';
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  return as('image/jpeg');
}
