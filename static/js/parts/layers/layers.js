// Draws the faces of kinds that have layers. Each becomes one picture, an SVG that has all it needs
// in it, and gets an address in the album of the catalogue. So the rest of the page shows it like
// every other picture, and letters stay sharp at any zoom.

import { faceAt, kindOf } from '../../view/catalog.js';
import { invalidateAll } from '../../view/state.js';
import { seesThrough } from '../../rights.js';
import { svgOf } from './svg.js';

export { svgOf };

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../view/catalog.js').Catalog} Catalog */
/** @typedef {import('../../view/catalog.js').Kind} Kind */
/** @typedef {import('../../view/catalog.js').Face} Face */

/** How many pictures are fetched at the same time. */
const AT_ONCE = 4;

/** Milliseconds between two attempts to fetch pictures. */
const AGAIN = 3000;

/** Whether the page is being closed. */
let stopped = false;

/** Returns what stops it. */
export function bind() {
  stopped = false;
  return () => {
    stopped = true;
  };
}

/**
 * Draws all faces with layers of a catalogue, at once as far as their pictures came with it. It
 * fetches the others, whichever pieces lie on the table: so the requests tell nobody which do.
 * @param {State} s
 * @param {Catalog} c
 */
export function drawFaces(s, c) {
  let rest = drawReady(c, facesOf(c));
  if (rest.length === 0) return;
  const go = async () => {
    const missing = [...new Set(rest.flatMap(({ face }) => missingOf(c, face)))];
    for (let i = 0; i < missing.length && !stopped; i += AT_ONCE) {
      const some = missing.slice(i, i + AT_ONCE);
      await Promise.all(some.map((hash) => fetchInto(c, hash).catch(() => {})));
      const before = rest.length;
      rest = drawReady(c, rest);
      if (rest.length < before) {
        invalidateAll(s);
        s.redraw();
      }
    }
    if (rest.length > 0 && !stopped) setTimeout(go, AGAIN);
  };
  void go();
}

/** The most characters of the texts on a face that a screen reader says with its name. */
const MOST_SAID = 300;

/**
 * Returns what stands on a piece, beside its name, for screen readers.
 * @param {State} s
 * @param {import('../../types.js').Piece} piece
 * @returns {string[]}
 */
export function saysOf(s, piece) {
  const { name, layers = [] } = faceAt(kindOf(s, piece), seesThrough(s, piece) ? 0 : piece.face);
  const texts = layers.map(({ text = '' }) => text.replace(/\s+/g, ' ').trim());
  const said = texts.filter((text) => text !== '' && text !== name).join(', ');
  return said ? [said.slice(0, MOST_SAID)] : [];
}

/** A face, and the kind whose size and shape it has. @typedef {{kind: Kind, face: Face}} Side */

/** @param {Catalog} c @returns {Side[]} those that are not drawn yet */
function facesOf(c) {
  return c.kinds.flatMap((kind) => kind.faces
    .filter((face) => face.layers && !c.album.has(face.art))
    .map((face) => ({ kind, face })));
}

/**
 * Draws the faces whose pictures are there, and returns the others.
 * @param {Catalog} c
 * @param {Side[]} sides
 */
function drawReady(c, sides) {
  return sides.filter(({ kind, face }) => {
    if (missingOf(c, face).length > 0) return true;
    if (!c.album.has(face.art)) {
      const svg = svgOf(kind, face.layers ?? [], c.sources);
      c.album.set(face.art, URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' })));
    }
    return false;
  });
}

/** @param {Catalog} c @param {Face} face @returns {string[]} hashes */
const missingOf = (c, { layers = [] }) =>
  layers.flatMap(({ art }) => (art && !c.sources.has(art) ? art : []));

/** @param {Catalog} c @param {string} hash */
async function fetchInto(c, hash) {
  const answer = await fetch(c.base + hash);
  if (!answer.ok) throw new Error(`picture: status ${answer.status}`);
  c.sources.set(hash, await dataOf(await answer.blob()));
}

/** @param {Blob} blob @returns {Promise<string>} a data: URL */
function dataOf(blob) {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(blob);
  });
}
