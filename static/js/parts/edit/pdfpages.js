// The pages of a PDF as pictures, drawn by pdf.js. It runs nothing of the file: its worker gets no
// network, scripts in the file are left alone, and neither eval nor WASM is used.

import { Unusable } from './picture.js';
import { addressOf, library } from './vendor.js';

/** The most pages, and pixels of one: each way, and in all. */
const MOST_PAGES = 200;
const MOST_WIDE = 4096;
const MOST_PIXELS = 16e6;

/** Pixels in a point of 1/72 inch: 300 for an inch. */
const DENSITY = 300 / 72;

/** For how long a page may take, in ms. */
const PATIENCE = 60_000;

/** Returns whether bytes begin like a PDF. @param {Uint8Array} bytes */
export const isPdf = (bytes) => String.fromCharCode(...bytes.subarray(0, 5)) === '%PDF-';

/**
 * Draws the pages of a PDF. Throws Unusable.
 * @param {Uint8Array} data belongs to this function then
 * @param {import('./upload.js').Watching} watching
 * @returns {Promise<Blob[]>}
 */
export async function pagesOf(data, { progress = () => {}, signal }) {
  const pdf = await library('pdf');
  signal?.throwIfAborted();
  const port = new Worker(addressOf('pdfWorker'), { type: 'module' });
  const worker = new pdf.PDFWorker({ port });
  const task = pdf.getDocument({
    data, worker, isEvalSupported: false, enableXfa: false, useWorkerFetch: false,
    useSystemFonts: true, maxImageSize: MOST_PIXELS * 4, canvasMaxAreaInBytes: MOST_PIXELS * 4,
    isOffscreenCanvasSupported: false, verbosity: 0,
  });
  task.onPassword = () => {
    throw new Unusable('locked');
  };
  try {
    const file = await given(task.promise, signal);
    if (file.numPages > MOST_PAGES) throw new Unusable('pages');
    /** @type {Blob[]} */
    const pages = [];
    for (let n = 1; n <= file.numPages; n++) {
      progress((n - 1) / file.numPages);
      pages.push(await given(drawn(file, n), signal));
    }
    return pages;
  } catch (error) {
    if (error instanceof Unusable || signal?.aborted) throw error;
    const { name } = /** @type {Error} */ (error);
    throw new Unusable(name === 'PasswordException' ? 'locked' : 'pdf');
  } finally {
    port.terminate();
    void task.destroy().catch(() => {});
  }
}

/** @param {any} file @param {number} n @returns {Promise<Blob>} */
async function drawn(file, n) {
  const page = await file.getPage(n);
  const { width, height } = page.getViewport({ scale: 1 });
  const scale = Math.min(DENSITY, MOST_WIDE / Math.max(width, height),
    Math.sqrt(MOST_PIXELS / (width * height)));
  const viewport = page.getViewport({ scale });
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  const canvasContext = canvas.getContext('2d');
  if (!canvasContext || !(scale > 0)) throw new Unusable('pdf');
  await page.render({ canvasContext, viewport, annotationMode: 0 }).promise;
  page.cleanup();
  return new Promise((done, fail) => {
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Unusable('pdf'))));
  });
}

/**
 * Waits for something, but not for ever, and not when it has been given up.
 * @template T
 * @param {Promise<T>} what
 * @param {AbortSignal|undefined} signal
 * @returns {Promise<T>}
 */
function given(what, signal) {
  return new Promise((done, fail) => {
    const late = setTimeout(() => fail(new Unusable('pdf')), PATIENCE);
    const stop = () => fail(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    what.then(done, fail).finally(() => {
      clearTimeout(late);
      signal?.removeEventListener('abort', stop);
    });
  });
}
