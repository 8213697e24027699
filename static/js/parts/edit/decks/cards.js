// The kinds that become of a deck, as a game file has them (docs/guides/games.md): the back, a
// front for each row, and the deck itself, which holds them. No DOM.

import { MOST_NAME, inkOn, wellFormed } from '../kinds.js';
import { baseOf, cell, countOf, filled, readColour, size, wrongIn } from './deck.js';

/** @typedef {import('./deck.js').Deck} Deck */
/** @typedef {import('./deck.js').Row} Row */

/** Table units in a millimetre. */
const UNITS = 10;

/** The bounds of the size of a card, in millimetres. */
export const LEAST_CARD = 15;
export const MOST_CARD = 500;

/** The most kinds and pieces of a table, and characters of a text (docs/guides/games.md). */
export const MOST_KINDS = 2000;
export const MOST_PIECES = 10_000;
const MOST_LETTERS = 1000;

/** How far the deck reaches beyond its cards, in table units. */
const RIM = 95;

/** A light area with a text on it. */
const PLATE = '#fffdf5';
const INK = '#1d1611';
/** What the deck stands in. */
const TRAY = '#3b2d22';

/** Returns the rows of which the deck has cards. @param {Deck} deck */
export const printed = (deck) => filled(deck).filter((row) => countOf(deck, row) > 0);

/** @typedef {{x: number, y: number, width: number, height: number}} Place */

/**
 * Where title, picture and text of a front are.
 * @typedef {{[what: string]: Place|undefined}} Plan
 */

/**
 * Returns what has a place on a front, and where, in table units. A picture alone fills it.
 * @param {Deck} deck
 * @param {{title: boolean, text: boolean, picture: boolean}} has
 * @returns {Plan}
 */
export function planOf({ width, height }, { title, text, picture }) {
  const [w, h] = [Math.round(width * UNITS), Math.round(height * UNITS)];
  if (picture && !title && !text) return { picture: { x: 0, y: 0, width: w, height: h } };
  const edge = Math.round(Math.min(w, h) * 0.06);
  const place = (/** @type {number} */ from, /** @type {number} */ to) => ({
    x: edge, y: Math.round(from), width: w - 2 * edge, height: Math.max(10, Math.round(to - from)),
  });
  const end = h - edge;
  const below = title ? edge + h * 0.12 : edge;
  if (!picture && !text) return { title: place(edge, end) };
  const gap = edge * 0.6;
  const from = title ? below + gap : edge;
  const middle = picture && text ? h * 0.6 : picture ? end : from - gap;
  return {
    ...(title && { title: place(edge, below) }),
    ...(picture && { picture: place(from, middle) }),
    ...(text && { text: place(middle + gap, end) }),
  };
}

/**
 * Returns the picture of a row, by its name: with its ending, or else without.
 * @template T
 * @param {Map<string, T>} pictures by their names in small letters
 * @param {string} name
 * @returns {T|undefined}
 */
export function pictureNamed(pictures, name) {
  const is = name.trim().replace(/^.*[/\\]/, '').toLowerCase();
  if (is === '') return undefined;
  if (pictures.has(is)) return pictures.get(is);
  const base = baseOf(is);
  for (const [other, picture] of pictures) if (baseOf(other) === base) return picture;
  return undefined;
}

/**
 * Returns what stands on the front of a row. Without a title and a picture its name stands there.
 * @param {Deck} deck
 * @param {Row} row
 * @param {boolean} picture whether there is one
 */
export function textsOf(deck, row, picture) {
  const title = cell(deck, row, 'title') || (picture ? '' : cell(deck, row, 'name'));
  const text = [...cell(deck, row, 'text')].slice(0, MOST_LETTERS).join('');
  return { title: clean(title, MOST_NAME), text: text.replace(/\r\n?/g, '\n') };
}

/** @param {string} text @param {number} most */
const clean = (text, most) => [...wellFormed(text)].slice(0, most).join('').trim();

/** @param {Deck} deck */
const boxOf = ({ width, height }) => ({
  width: Math.round(width * UNITS), height: Math.round(height * UNITS), shape: 'card',
});

/**
 * Returns the front of a row as layers.
 * @param {Deck} deck
 * @param {Row} row
 * @param {string} art the hash of its picture, or what stands for it; '' if it has none
 * @returns {any[]}
 */
export function frontOf(deck, row, art) {
  const { title, text } = textsOf(deck, row, art !== '');
  const plan = planOf(deck, { title: title !== '', text: text !== '', picture: art !== '' });
  const colour = readColour(cell(deck, row, 'colour')) ?? deck.colour;
  if (art && !plan.title && !plan.text) return [{ colour }, { art, fit: 'cover' }];
  const letters = Math.round(boxOf(deck).height * 0.066);
  return [
    { colour },
    ...(art ? [{ art, fit: 'cover', ...plan.picture }] : []),
    ...(plan.text ? [
      { colour: PLATE, ...plan.text },
      { text, colour: INK, size: Math.max(10, letters), ...inset(plan.text, 0.04) },
    ] : []),
    ...(plan.title ? [{
      text: title, colour: inkOn(colour), bold: true, size: Math.max(10, Math.round(letters * 1.4)),
      ...plan.title,
    }] : []),
  ];
}

/** @param {Place} place @param {number} part @returns {Place} */
function inset({ x, y, width, height }, part) {
  const by = Math.round(width * part);
  return {
    x: x + by, y: y + by,
    width: Math.max(10, width - 2 * by), height: Math.max(10, height - 2 * by),
  };
}

/**
 * Returns the back of a deck as layers.
 * @param {Deck} deck
 * @param {string} art
 * @returns {any[]}
 */
export function backOf(deck, art) {
  const { colour, text } = deck.back;
  if (art) return [{ colour }, { art, fit: 'cover' }];
  const { width, height } = boxOf(deck);
  const edge = Math.round(Math.min(width, height) * 0.07);
  const rim = { x: edge, y: edge, width: width - 2 * edge, height: height - 2 * edge };
  const ink = inkOn(colour);
  const line = Math.max(10, Math.round(edge * 0.3));
  const is = clean(text, MOST_NAME);
  return [
    { colour }, { colour: ink, ...rim },
    { colour, x: edge + line, y: edge + line, width: rim.width - 2 * line,
      height: rim.height - 2 * line },
    ...(is ? [{ text: is, colour: ink, bold: true, size: Math.round(height * 0.12),
      ...inset(rim, 0.1) }] : []),
  ];
}

/** What is wrong with a deck, and in which row. @typedef {{fault: Fault, row?: Row}} Problem */
/** @typedef {'name'|'size'|'none'|'count'|'colour'|'kinds'|'pieces'} Fault */

/**
 * Returns what is wrong with a deck; null if nothing is.
 * @param {Deck} deck
 * @param {{kinds: number, pieces: number}} has what the table has already
 * @returns {Problem|null}
 */
export function problemOf(deck, has) {
  const isSize = (/** @type {number} */ n) => n >= LEAST_CARD && n <= MOST_CARD;
  if (clean(deck.name, MOST_NAME) === '' || [...deck.name.trim()].length > MOST_NAME)
    return { fault: 'name' };
  if (!isSize(deck.width) || !isSize(deck.height)) return { fault: 'size' };
  for (const row of deck.rows) {
    const [fault] = wrongIn(deck, row);
    if (fault) return { fault, row };
  }
  const rows = printed(deck);
  if (size(deck) === 0) return { fault: 'none' };
  if (rows.length + 2 + has.kinds > MOST_KINDS) return { fault: 'kinds' };
  if (size(deck) + 1 + has.pieces > MOST_PIECES) return { fault: 'pieces' };
  return null;
}

/**
 * Returns the names of the cards, row by row: no two are the same.
 * @param {Deck} deck
 * @param {Row[]} rows
 * @param {(name: string, n: number) => string} numbered
 * @param {(name: string) => boolean} isTaken
 */
export function namesOf(deck, rows, numbered, isTaken) {
  const used = new Set();
  return rows.map((row) => {
    const name = clean(cell(deck, row, 'name') || cell(deck, row, 'title') ||
      cell(deck, row, 'picture').replace(/\.[a-z0-9]{1,5}$/i, ''), MOST_NAME) ||
      clean(deck.name, MOST_NAME);
    let own = name;
    for (let n = 2; used.has(own) || isTaken(own); n++)
      own = numbered(clean(name, MOST_NAME - 6), n);
    used.add(own);
    return { name, own };
  });
}

/**
 * Returns the kinds of a deck: its back, the deck itself, and the cards.
 * @param {Deck} deck
 * @param {{own: string, back: string, cards: {name: string, own: string}[]}} names of the deck, of
 *   the back, and of the kinds of cards with what stands on them
 * @param {{back: string, fronts: string[]}} art the hashes of pictures; '' for none
 * @returns {any[]}
 */
export function kindsOf(deck, names, art) {
  const box = { ...boxOf(deck), turn: 90 };
  const layers = backOf(deck, art.back);
  const back = { name: names.back, layers };
  const rim = { x: RIM, y: RIM, width: box.width, height: box.height };
  const on = layers.map((layer) => ('width' in layer
    ? { ...layer, x: layer.x + RIM, y: layer.y + RIM } : { ...layer, ...rim }));
  const tray = {
    name: names.own, shape: 'card', width: box.width + 2 * RIM, height: box.height + 2 * RIM,
    weight: 'heavy', container: { draws: 'top', takes: names.back },
    faces: [{ name: names.own, layers: [{ colour: TRAY }, ...on] }],
  };
  const fronts = printed(deck).map((row, i) => ({
    name: names.cards[i].own, ...box, weight: 'light', secret: true, mask: names.back,
    faces: [{ name: names.cards[i].name, layers: frontOf(deck, row, art.fronts[i]) }, back],
  }));
  return [{ name: names.back, ...box, weight: 'light', faces: [back] }, tray, ...fronts];
}

