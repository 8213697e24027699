// The picture in a form: how the piece will look.

import { el } from '../../view/dom.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../view/catalog.js').Kind} Kind */
/** @typedef {import('../../view/catalog.js').Layer} Layer */

/** How many sides are shown. */
const MOST = 6;

/** Counts pictures: of several that wait for the part that draws them, the last one is shown. */
let turn = 0;

/**
 * Draws the sides of a kind.
 * @param {State} s
 * @param {HTMLElement} root
 * @param {any} kind as in a game file
 * @param {Record<string, string>} pictures data: URLs by what stands in the place of their hashes
 */
export function drawPreview(s, root, kind, pictures) {
  const own = ++turn;
  s.load('layers').then(({ svgOf }) => {
    if (own !== turn) return;
    const sources = new Map(Object.entries(pictures));
    root.replaceChildren(...kind.faces.slice(0, MOST).map((/** @type {any} */ face) => {
      const layers = [
        ...(face.layers ?? [{ art: face.art, fit: 'cover' }]), ...writtenOn(kind),
      ];
      const svg = svgOf(kind, layers, sources);
      return el('img', { alt: '', src: `data:image/svg+xml,${encodeURIComponent(svg)}` });
    }));
  }, () => {}); // the form works without
}

/**
 * Returns what the page will write on a piece, as layers.
 * @param {any} kind
 * @returns {Layer[]}
 */
function writtenOn({ counter, text, clock, display }) {
  if (counter) return [{ text: String(counter.initial), bold: true, ...display }];
  if (text) return [{ text: text.initial, ...display, size: 100 }];
  if (!clock) return [];
  const seconds = Math.round(clock.initial / 1000);
  const shown = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return clock.displays.map((/** @type {Layer} */ place) =>
    ({ text: shown, colour: '#e9dcc0', bold: true, ...place }));
}
