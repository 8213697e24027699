// The pictures in a file that somebody brings: a picture, the pages of a PDF, or a zip of pictures.

import { headerOf } from './header.js';
import { MOST_FILE, Unusable } from './picture.js';
import { isPdf, pagesOf } from './pdfpages.js';
import { library } from './vendor.js';
import { BadZip, entriesOf, isZip, plainName, unpack } from './zipfiles.js';

/** A picture with a name for people. @typedef {{name: string, blob: Blob}} Named */

/** The most bytes of a PDF or a zip. */
const MOST_BUNDLE = 128 << 20;

/** The most pictures of a zip. */
const MOST_PICTURES = 500;

/** How long the page may stand still while a zip is read, in ms. */
const TURN = 30;

/** What can be chosen in a file dialog. */
export const ACCEPTED = 'image/png,image/jpeg,image/webp,image/gif,image/svg+xml,' +
  'application/pdf,application/zip,.pdf,.zip';

/**
 * Returns whether a file may have several pictures in it: a PDF or a zip.
 * @param {Blob} file
 */
export async function isBundle(file) {
  const begin = new Uint8Array(await file.slice(0, 8).arrayBuffer());
  return isPdf(begin) || isZip(begin);
}

/**
 * Returns the pictures in a file. Those of a zip are not decoded. Throws Unusable if it cannot be
 * used, and rejects with an AbortError when it is given up.
 * @param {Blob} file
 * @param {import('./upload.js').Watching} [watching]
 * @returns {Promise<Named[]>}
 */
export async function picturesOf(file, watching = {}) {
  const { signal } = watching;
  const name = plainName('name' in file ? String(file.name) : '').replace(/\.[^.]*$/, '');
  if (file.size === 0) throw new Unusable('empty');
  if (!(await isBundle(file))) {
    if (file.size > MOST_FILE) throw new Unusable('file');
    const header = headerOf(new Uint8Array(await file.arrayBuffer()));
    if (!header) throw new Unusable('kind');
    return [{ name, blob: file }];
  }
  if (file.size > MOST_BUNDLE) throw new Unusable('bundle');
  const bytes = new Uint8Array(await file.arrayBuffer());
  signal?.throwIfAborted();
  if (isPdf(bytes)) {
    const pages = await pagesOf(bytes, watching);
    return pages.map((blob, i) => ({ name: pages.length > 1 ? `${name} ${i + 1}` : name, blob }));
  }
  return inZip(bytes, watching);
}

/**
 * @param {Uint8Array} bytes
 * @param {import('./upload.js').Watching} watching
 * @returns {Promise<Named[]>}
 */
async function inZip(bytes, { progress = () => {}, signal }) {
  const fflate = await library('zip');
  try {
    const entries = entriesOf(bytes);
    /** @type {Named[]} */
    const all = [];
    let turn = performance.now();
    for (const [i, entry] of entries.entries()) {
      if (performance.now() - turn > TURN) {
        progress(i / entries.length);
        await new Promise((next) => setTimeout(next));
        turn = performance.now();
      }
      signal?.throwIfAborted();
      const data = unpack(entry, fflate);
      const header = headerOf(data);
      if (!header) continue;
      if (all.length === MOST_PICTURES) throw new Unusable('many');
      const type = header.type === 'svg' ? 'svg+xml' : header.type;
      const blob = new Blob([data], { type: `image/${type}` });
      all.push({ name: entry.name.replace(/\.[^.]*$/, ''), blob });
    }
    if (all.length === 0) throw new Unusable('none');
    return all.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  } catch (error) {
    if (!(error instanceof BadZip)) throw error;
    throw new Unusable(error.why === 'broken' ? 'zip' : error.why);
  }
}
