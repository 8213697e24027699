// The pictures of the decks that are being made, by their names, and those that are cut out of a
// sheet.

import { Unusable, readPicture } from '../picture.js';
import { BLOCKS } from './cut.js';

/** @typedef {import('../picture.js').Picture} Picture */
/** @typedef {import('./cut.js').Rect} Rect */

/**
 * A picture of a card. `thumb` is a small copy as a data: URL.
 * @typedef {{name: string, picture: Picture, thumb: string}} Named
 */
/** All pictures, by their names in small letters. @typedef {Map<string, Named>} Pictures */

/** The longer side of a small copy, in pixels. */
const THUMB = 320;
/** The longer side of an SVG that is cut, in pixels. */
const SHEET = 4096;

/**
 * Reads a picture. Throws Unusable.
 * @param {Pictures} pictures
 * @param {string} name
 * @param {Blob} file
 * @returns {Promise<Named>}
 */
export async function addPicture(pictures, name, file) {
  const picture = await readPicture(file);
  const thumb = picture.isSvg ? picture.shown : thumbOf(await imageFrom(picture.shown));
  return keep(pictures, { name, picture: { ...picture, shown: thumb }, thumb });
}

/** @param {Pictures} pictures @param {Named} named */
function keep(pictures, named) {
  pictures.set(named.name.toLowerCase(), named);
  return named;
}

/** @param {string} src */
async function imageFrom(src) {
  const image = new Image();
  image.src = src;
  await image.decode();
  return image;
}

/** @typedef {ImageBitmap|HTMLImageElement|HTMLCanvasElement} Drawable */

/**
 * @param {number} width
 * @param {number} height
 * @param {CanvasRenderingContext2DSettings} [settings]
 */
function canvasOf(width, height, settings) {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  const context = canvas.getContext('2d', settings);
  if (!context) throw new Unusable('broken');
  context.imageSmoothingQuality = 'high';
  return { canvas, context };
}

/** Returns a small copy of a picture as a data: URL. @param {Drawable} image */
function thumbOf(image) {
  const small = Math.min(1, THUMB / Math.max(image.width, image.height));
  const { canvas, context } = canvasOf(image.width * small, image.height * small);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/webp', 0.85);
}

/**
 * A sheet that is open: its size in pixels, a small copy, and what reads its parts.
 * @typedef {object} Sheet
 * @property {string} name
 * @property {Blob} file
 * @property {number} width
 * @property {number} height
 * @property {string} shown
 * @property {(place: Rect) => Uint8ClampedArray} blocks how a part looks, to compare it
 * @property {(pictures: Pictures, name: string, place: Rect) => Promise<Named>} cut
 * @property {() => void} close
 */

/**
 * Opens a sheet. Throws Unusable.
 * @param {string} name
 * @param {Blob} file
 * @returns {Promise<Sheet>}
 */
export async function openSheet(name, file) {
  const picture = await readPicture(file);
  const image = await drawable(picture);
  const { width, height } = image;
  const small = canvasOf(BLOCKS.width, BLOCKS.height, { willReadFrequently: true });
  return {
    name, file, width, height, shown: picture.shown,
    blocks: ({ x, y, width: w, height: h }) => {
      small.context.clearRect(0, 0, BLOCKS.width, BLOCKS.height);
      small.context.drawImage(image, x, y, w, h, 0, 0, BLOCKS.width, BLOCKS.height);
      return small.context.getImageData(0, 0, BLOCKS.width, BLOCKS.height).data;
    },
    cut: async (pictures, as, { x, y, width: w, height: h }) => {
      const { canvas, context } = canvasOf(w, h);
      context.drawImage(image, x, y, w, h, 0, 0, w, h);
      const blob = await new Promise((/** @type {(blob: Blob|null) => void} */ done) => {
        canvas.toBlob(done, 'image/png');
      });
      if (!blob) throw new Unusable('broken');
      const thumb = thumbOf(canvas);
      return keep(pictures, {
        name: as, thumb,
        picture: { file: blob, isSvg: false, width: w, height: h, shown: thumb },
      });
    },
    close: () => {
      if (image instanceof ImageBitmap) image.close();
    },
  };
}

/** @param {Picture} picture @returns {Promise<ImageBitmap|HTMLCanvasElement>} */
async function drawable({ file, isSvg, width, height, shown }) {
  if (!isSvg) return createImageBitmap(file);
  const scale = SHEET / Math.max(width, height);
  const { canvas, context } = canvasOf(width * scale, height * scale);
  context.drawImage(await imageFrom(shown), 0, 0, canvas.width, canvas.height);
  return canvas;
}
