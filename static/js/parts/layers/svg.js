// The picture of a face with layers. It uses no DOM but a canvas that measures letters.

import { LEADING, layOut } from './lines.js';

/** @typedef {import('../../view/catalog.js').Kind} Kind */
/** @typedef {import('../../view/catalog.js').Layer} Layer */
/** @typedef {import('./lines.js').Measure} Measure */

/** The colour of letters, like that of what is written on pieces. */
const INK = '#2c221a';

/** How the fit of a picture is called in SVG. */
const FITS = { contain: 'xMidYMid meet', cover: 'xMidYMid slice', fill: 'none' };

/** The names of fonts that every system has in some shape. An SVG cannot load those of the page. */
const FONTS = {
  sans: 'system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  serif: 'Georgia, "Noto Serif", "DejaVu Serif", serif',
};

/**
 * Returns the picture of a face as an SVG.
 * @param {Pick<Kind, 'width'|'height'|'shape'>} kind
 * @param {Layer[]} layers
 * @param {Map<string, string>} sources its pictures as data: URLs, by their hashes
 * @param {(font: string) => Measure} [measureIn]
 */
export function svgOf({ width, height, shape }, layers, sources, measureIn = measureWith) {
  const whole = { x: 0, y: 0, width, height };
  const parts = layers.map((layer) => {
    const { x = 0, y = 0 } = layer;
    const box = layer.width && layer.height
      ? { x, y, width: layer.width, height: layer.height }
      : whole;
    const drawn = draw(layer, box, sources, measureIn);
    return layer.angle && drawn ? `<g transform="${turnOf(layer.angle, box)}">${drawn}</g>` : drawn;
  });
  const corner = shape === 'round' ? width / 2 : shape === 'card' ? cornerOf(width, height) : 0;
  const outline = `<rect width="${width}" height="${height}" rx="${corner}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width / 10}" height="${height / 10}" ` +
    `viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">` +
    `<clipPath id="s">${outline}</clipPath><g clip-path="url(#s)">${parts.join('')}</g></svg>`;
}

/**
 * Returns the radius of the corners of a card (docs/protocol/http.md).
 * @param {number} width
 * @param {number} height
 */
const cornerOf = (width, height) => Math.min(width, height) * 0.055;

/** @typedef {import('../../view/catalog.js').Rect} Rect */

/**
 * @param {Layer} layer
 * @param {Rect} box
 * @param {Map<string, string>} sources
 * @param {(font: string) => Measure} measureIn
 */
function draw(layer, box, sources, measureIn) {
  const { art, text, colour, fit = 'contain' } = layer;
  const place = `x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}"`;
  if (text !== undefined) return drawText(layer, box, measureIn);
  if (art !== undefined) {
    const source = sources.get(art);
    return source
      ? `<image ${place} preserveAspectRatio="${FITS[fit]}" href="${escaped(source)}"/>`
      : '';
  }
  return colour ? `<rect ${place} fill="${escaped(colour)}"/>` : '';
}

/**
 * @param {Layer} layer
 * @param {Rect} box
 * @param {(font: string) => Measure} measureIn
 */
function drawText(layer, box, measureIn) {
  const { text = '', colour = INK, align = 'centre', place = 'middle', bold, italic } = layer;
  const family = FONTS[layer.font ?? 'sans'];
  const style = `${italic ? 'italic ' : ''}${bold ? '700' : '400'}`;
  const { size, lines } = layOut(text, box, layer.size, measureIn(`${style} 100px ${family}`));
  if (lines.length === 0) return '';
  const high = lines.length * size * LEADING;
  const above = { top: 0, middle: (box.height - high) / 2, bottom: box.height - high }[place];
  const x = { left: box.x, centre: box.x + box.width / 2, right: box.x + box.width }[align];
  const anchor = { left: 'start', centre: 'middle', right: 'end' }[align];
  const spans = lines.map((line, i) => {
    // The middle of letters is about a third of their height above the line on which they stand.
    const foot = box.y + above + (i + 0.5) * size * LEADING + size * 0.34;
    return `<tspan x="${x}" y="${Math.round(foot * 10) / 10}">${escaped(line)}</tspan>`;
  });
  return `<text font-family="${escaped(family)}" font-size="${size}" text-anchor="${anchor}" ` +
    `font-weight="${bold ? 700 : 400}" font-style="${italic ? 'italic' : 'normal'}" ` +
    `fill="${escaped(colour)}" xml:space="preserve">${spans.join('')}</text>`;
}

/** @param {number} angle @param {Rect} box */
function turnOf(angle, { x, y, width, height }) {
  return `rotate(${angle / 100} ${x + width / 2} ${y + height / 2})`;
}

/** Signs that mean something in XML. */
const SIGNS = /** @type {Record<string, string>} */ ({
  '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;',
});

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => SIGNS[sign]);

/** @type {CanvasRenderingContext2D|null} */
let canvas = null;

/**
 * Returns what measures texts in a font of 100 pixels.
 * @param {string} font
 * @returns {Measure}
 */
function measureWith(font) {
  canvas ??= document.createElement('canvas').getContext('2d');
  return (text) => {
    if (!canvas) return text.length * 0.55;
    canvas.font = font;
    return canvas.measureText(text).width / 100;
  };
}
