// What is written on pieces: values of counters and currency, texts of notes and labels, and names
// of the seats that own a label or a turn marker (T33 to T35). The text is in the display of the
// piece, upright for the viewer and as large as it fits.

import { artOf, faceAt, kindOf } from '../../view/catalog.js';
import { css, inkOn } from '../../view/colour.js';
import { el } from '../../view/dom.js';
import { fitLine, fitText } from './fit.js';
import { turned, UNITS } from '../../view/geometry.js';
import { pictureTurn } from '../../view/piece.js';
import { msg } from './msg.js';
import { written } from '../../view/describe.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../view/state.js').Shown} Shown */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../view/catalog.js').Kind} Kind */

/** The sizes of letters on a note, in px at scale 1. */
const SIZES = { least: 3, most: 15 };

/** The free margin of a display, as a part of its size. */
const EDGE = 0.06;

/**
 * Draws the inscription of a piece, if it has changed.
 * @param {State} s
 * @param {Shown} p
 * @param {Piece} piece
 * @param {'value'|'text'|'name'} style
 */
export function drawInscription(s, p, piece, style) {
  const k = kindOf(s, piece);
  const { display } = k;
  if (!display) return;
  const seat = style === 'name' && piece.owner ? s.sync.seats.get(piece.owner) : undefined;
  const text = textOf(piece, style, seat);
  const quarter = Math.round(piece.angle / 9000 + s.view.camera.turn / 90) & 3;
  const turn = pictureTurn(s, piece);
  const key = [text, quarter, turn, piece.kind, seat?.colour, seat?.id].join('|');
  let e = /** @type {HTMLElement|null} */ (p.el.querySelector(':scope > .inscription'));
  if (e?.dataset.key === key) return;
  e?.remove();
  e = el(
    'span',
    { class: `inscription ${style}`, 'aria-hidden': 'true' },
  );
  e.dataset.key = key;
  const [w, h] = ((quarter + turn / 90) & 1
    ? [display.height, display.width]
    : [display.width, display.height]).map((v) => v / UNITS);
  const [left, top] = [display.x + display.width / 2, display.y + display.height / 2];
  const v = turned(left - k.width / 2, top - k.height / 2, turn);
  e.style.left = `${(k.width / 2 + v.x) / UNITS}px`;
  e.style.top = `${(k.height / 2 + v.y) / UNITS}px`;
  e.style.width = `${w}px`;
  e.style.height = `${h}px`;
  if (quarter) e.style.setProperty('--quarter', `${-90 * quarter}deg`);
  if (style === 'text') writeText(e, text, w, h);
  else if (style === 'name') writeName(e, text, w, h, seat);
  else writeValue(e, text, w, h);
  if (!seat) inkFor(s, p, k, piece, e);
  const before = p.el.querySelector(':scope > .label');
  p.el.insertBefore(e, before);
}

/**
 * Returns what is written on a piece.
 * @param {Piece} piece
 * @param {'value'|'text'|'name'} style
 * @param {import('../../types.js').Seat|undefined} seat its owner
 */
function textOf(piece, style, seat) {
  if (style === 'text') return piece.text ?? '';
  return style === 'name' ? (seat?.nick ?? msg('core.piece.nobodys')) : written(piece.value ?? 0);
}

/** @param {HTMLElement} e @param {string} text @param {number} w @param {number} h */
function writeText(e, text, w, h) {
  const { size, lines } = fitText(text, w, h, measure, SIZES);
  e.style.fontSize = `${size.toFixed(2)}px`;
  e.textContent = lines.join('\n');
}

/** @param {HTMLElement} e @param {string} text @param {number} w @param {number} h */
function writeValue(e, text, w, h) {
  const shortest = text.length < 2 ? '00' : text; // so that 9 and 10 have the same size
  const size = Math.min(fitLine(shortest, w * (1 - 2 * EDGE), h * (1 - EDGE), measure), h);
  e.style.fontSize = `${size.toFixed(2)}px`;
  e.textContent = text;
}

/**
 * @param {HTMLElement} e
 * @param {string} text
 * @param {number} w
 * @param {number} h
 * @param {import('../../types.js').Seat|undefined} seat
 */
function writeName(e, text, w, h, seat) {
  const size = Math.min(h * 0.68, fitLine(text, w - h * 0.5, h, measure));
  e.style.fontSize = `${Math.max(1, size).toFixed(2)}px`;
  e.textContent = text;
  e.classList.toggle('owned', seat !== undefined);
  if (!seat) return;
  e.style.background = css(seat.colour);
  e.style.color = inkOn(seat.colour);
}

/** @type {CanvasRenderingContext2D|null|undefined} */
let ruler;

/** @type {import('./fit.js').Measure} */
function measure(text) {
  if (ruler === undefined) {
    ruler = document.createElement('canvas').getContext('2d');
    if (ruler) ruler.font = `600 100px ${getComputedStyle(document.body).fontFamily}`;
  }
  return ruler ? ruler.measureText(text).width / 100 : text.length * 0.6;
}

/**
 * Whether letters on a picture must be light, by kind and address of the picture.
 * @type {Map<string, boolean>}
 */
const dark = new Map();

/**
 * Makes the letters light if the picture under them is dark, as soon as the picture is loaded.
 * @param {State} s
 * @param {Shown} p
 * @param {Kind} k
 * @param {Piece} piece
 * @param {HTMLElement} e
 */
function inkFor(s, p, k, piece, e) {
  const art = artOf(s.catalog, faceAt(k, piece.face));
  const key = `${piece.kind} ${art}`;
  const known = dark.get(key);
  if (known !== undefined) e.classList.toggle('light', known);
  const { img } = p;
  if (known !== undefined || !img || !k.display) return;
  const look = () => {
    const is = isDark(img, k);
    dark.set(key, is);
    e.classList.toggle('light', is);
  };
  if (img.complete && img.naturalWidth > 0) look();
  else img.addEventListener('load', look, { once: true });
}

/** The number of sampled points along each side of a display. */
const POINTS = 8;

/**
 * Reports whether the display in a picture is rather dark.
 * @param {HTMLImageElement} img
 * @param {Kind} k
 */
function isDark(img, k) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const g = canvas.getContext('2d', { willReadFrequently: true });
  const d = k.display;
  if (!g || !d) return false;
  g.drawImage(img, 0, 0, 64, 64);
  const at = (/** @type {number} */ v, /** @type {number} */ size) =>
    Math.min(63, Math.max(0, Math.floor((v / size) * 64)));
  let light = 0;
  for (let i = 0; i < POINTS; i++) {
    for (let j = 0; j < POINTS; j++) {
      const x = at(d.x + ((i + 0.5) * d.width) / POINTS, k.width);
      const y = at(d.y + ((j + 0.5) * d.height) / POINTS, k.height);
      const [r, gr, b, a] = g.getImageData(x, y, 1, 1).data;
      const l = 0.2126 * r + 0.7152 * gr + 0.0722 * b;
      light += (l * a + 150 * (255 - a)) / 255; // transparent points show the table
    }
  }
  return light / (POINTS * POINTS) < 118;
}
