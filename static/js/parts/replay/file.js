// Saves a replay as one file: a page that has the frames, the code, the style and the pictures in
// it, and asks nobody for anything (T73).

import { fetchCatalog, picturesOf } from '../../view/catalog.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./frames.js').Frames} Frames */
/** @typedef {import('../../types.js').Frame} Frame */
/** @typedef {import('../../view/catalog.js').Kind} Kind */
/** @typedef {import('../../view/catalog.js').Face} Face */

/** The most bytes of frames in a file, and of pictures. What is beyond is left out. */
export const MOST_FRAMES = 8 * 2 ** 20;
export const MOST_PICTURES = 16 * 2 ** 20;

/**
 * What a file has.
 * @typedef {object} Contents
 * @property {string} title of the table
 * @property {string} language
 * @property {number} seat whose view it is
 * @property {string} catalog the name of the catalogue
 * @property {{format: string, kinds: any[], seats?: any[]}} kinds the catalogue
 * @property {Record<string, string>} pictures data: addresses, by their hashes
 * @property {string[]} pages pages of frames in base64
 * @property {string[]} motions pages of recorded motion in base64
 * @property {boolean} isCut whether frames are left out
 * @property {string} script
 * @property {string} hash SHA-256 of the script in base64
 * @property {string} style
 */

/**
 * Makes the file and lets the browser save it.
 * @param {State} s
 * @param {Frames} frames
 * @returns {Promise<boolean>} whether nothing is left out
 */
export async function saveAsFile(s, frames) {
  const { fileScript = '', fileStyle = '', fileHash = '', seat = '0' } = s.page.main.dataset;
  const { pages, isCut } = fitting(frames);
  const { hash } = s.catalog;
  const [script, style, kinds] = await Promise.all([
    textOf(fileScript), textOf(fileStyle), fetchCatalog(s.art + hash),
  ]);
  const used = kindsIn(frames.all, kinds.kinds);
  const { pictures, isShort } = await readPictures(s.art, kinds.kinds, used);
  const title = s.sync.info?.title ?? '';
  const text = pageOf({
    title, pictures, isCut, script, style, catalog: hash, hash: fileHash,
    kinds: withPictures(kinds, pictures),
    language: document.documentElement.lang, seat: Number(seat),
    pages: await Promise.all(pages.map(base64)),
    motions: await Promise.all(frames.motions.map(base64)),
  });
  offer(new Blob([text], { type: 'text/html' }), nameFor(title));
  return !isCut && !isShort;
}

/**
 * Returns the pages of frames that fit into a file. There is at least one.
 * @param {Pick<Frames, 'pages'|'isCut'>} frames
 * @param {number} [most] bytes
 */
export function fitting({ pages, isCut }, most = MOST_FRAMES) {
  let bytes = 0;
  const n = pages.findIndex((page, i) => {
    bytes += page.length;
    return i > 0 && bytes > most;
  });
  return n < 0 ? { pages, isCut } : { pages: pages.slice(0, n), isCut: true };
}

/**
 * Returns the kinds of which pieces are shown in frames, and their masks.
 * @param {Frame[]} frames
 * @param {{mask?: number}[]} kinds of the catalogue
 * @returns {Set<number>}
 */
export function kindsIn(frames, kinds) {
  /** @type {Set<number>} */
  const used = new Set();
  for (const { events } of frames) {
    for (const e of events) {
      if (e.type === 'full') for (const { kind } of e.pieces) used.add(kind);
      if (e.type === 'update' && e.piece.kind !== undefined) used.add(e.piece.kind);
      // what is counted in hands and containers; 0 is all that is hidden
      const holds = e.type === 'full' ? (e.holds ?? []) : e.type === 'holds' ? [e] : [];
      for (const of of holds) for (const kind of of.kinds) if (kind > 0) used.add(kind - 1);
    }
  }
  for (const kind of [...used]) {
    const { mask } = kinds[kind] ?? {};
    if (mask !== undefined) used.add(mask);
  }
  return used;
}

/**
 * Returns a catalogue in which only pictures that are in the file are named.
 * @param {Contents['kinds']} catalog
 * @param {Record<string, string>} pictures
 * @returns {Contents['kinds']}
 */
export function withPictures(catalog, pictures) {
  const kinds = catalog.kinds.map((kind) => ({
    ...kind,
    faces: kind.faces.map((/** @type {Face} */ face) => (face.layers
      ? { ...face, layers: face.layers.map((layer) => named(layer, pictures)) }
      : named(face, pictures))),
  }));
  return { ...catalog, kinds };
}

/**
 * Returns a face or a layer, which names its picture if that is in the file.
 * @template {{art?: string}} T
 * @param {T} of
 * @param {Record<string, string>} pictures
 * @returns {T}
 */
function named(of, pictures) {
  return of.art === undefined ? of : { ...of, art: of.art in pictures ? of.art : '' };
}

/**
 * Reads the pictures of kinds.
 * @param {string} art address of the art, with a slash at the end
 * @param {Kind[]} kinds of the catalogue
 * @param {Set<number>} used
 */
async function readPictures(art, kinds, used) {
  const hashes = picturesOf([...used].flatMap((kind) => kinds[kind] ?? []));
  hashes.delete('');
  /** @type {Record<string, string>} */
  const pictures = {};
  let bytes = 0;
  for (const hash of hashes) {
    const answer = await fetch(art + hash);
    if (!answer.ok) throw new Error(`picture: status ${answer.status}`);
    const type = answer.headers.get('Content-Type') ?? '';
    const body = new Uint8Array(await answer.arrayBuffer());
    bytes += body.length;
    if (bytes > MOST_PICTURES) return { pictures, isShort: true };
    pictures[hash] = `data:${type.split(';')[0]};base64,${await base64(body)}`;
  }
  return { pictures, isShort: false };
}

/** @param {string} address */
async function textOf(address) {
  const answer = await fetch(address);
  if (address === '' || !answer.ok) throw new Error(`${address}: status ${answer.status}`);
  return answer.text();
}

/** The most bytes that are turned into base64 at once: a multiple of three. */
const CHUNK = 24_576;

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += CHUNK)
    text += btoa(String.fromCharCode(...bytes.subarray(i, i + CHUNK)));
  return text;
}

/** Signs that mean something in HTML. */
const SIGNS = /** @type {Record<string, string>} */ ({
  '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;',
});

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => SIGNS[sign]);

/**
 * Returns the page of a file. Its policy lets it load nothing, send nothing and run nothing but its
 * own script.
 * @param {Contents} of
 */
export function pageOf(of) {
  const { title, language, seat, catalog, kinds, pictures, pages, motions, isCut } = of;
  const json = JSON.stringify({ kinds, pictures, pages, motions, isCut });
  const data = json.replaceAll('<', '\\u003c');
  const policy = [
    "default-src 'none'", `script-src 'sha256-${of.hash}'`, "style-src 'unsafe-inline'",
    'img-src data: blob:', "base-uri 'none'", "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${escaped(title)}</title>
<style>${withoutFonts(of.style)}</style>
</head>
<body class="table-page">
<main id="table" data-seat="${seat}" data-catalog="${escaped(catalog)}"></main>
<script type="application/json" id="replay">${data}</script>
<script type="module">${of.script}</script>
</body>
</html>
`;
}

/**
 * Returns a style sheet without fonts that would be loaded.
 * @param {string} style
 */
export const withoutFonts = (style) => style.replace(/@font-face\s*\{[^}]*url\([^}]*\}/g, '');

/**
 * Returns the name of the file of a table.
 * @param {string} title
 */
export function nameFor(title) {
  const plain = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.match(/[a-z0-9]+/g) ?? [];
  return `${['replay', ...words].join('-').slice(0, 60)}.html`;
}

/** @param {Blob} blob @param {string} name */
function offer(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
