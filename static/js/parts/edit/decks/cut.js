// Cuts a sheet, a picture that has several cards: where each lies, which are the same, and which
// are empty. No DOM.

/**
 * How a sheet is cut: lengths in pixels.
 * @typedef {{columns: number, rows: number, margin: number, gutter: number}} Grid
 */
/** @typedef {{x: number, y: number, width: number, height: number}} Rect */

/** The bounds of a grid, and the least size of a card on it in pixels. */
export const MOST_CELLS = 20;
const LEAST = 8;

/**
 * Returns the places of the cards, row by row; none if the grid does not fit.
 * @param {number} width of the sheet
 * @param {number} height
 * @param {Grid} grid
 * @returns {Rect[]}
 */
export function cellsOf(width, height, { columns, rows, margin, gutter }) {
  const isCount = (/** @type {number} */ n) => Number.isInteger(n) && n >= 1 && n <= MOST_CELLS;
  if (!isCount(columns) || !isCount(rows) || !(margin >= 0) || !(gutter >= 0)) return [];
  const w = (width - 2 * margin - (columns - 1) * gutter) / columns;
  const h = (height - 2 * margin - (rows - 1) * gutter) / rows;
  if (!(w >= LEAST) || !(h >= LEAST)) return [];
  return Array.from({ length: columns * rows }, (_, i) => {
    const x = margin + (i % columns) * (w + gutter);
    const y = margin + Math.floor(i / columns) * (h + gutter);
    const left = Math.round(x);
    const top = Math.round(y);
    return { x: left, y: top, width: Math.round(x + w) - left, height: Math.round(y + h) - top };
  });
}

/**
 * Returns the numbers of columns and rows with which the cards of a sheet have about the ratio that
 * they should have.
 * @param {number} width of the sheet
 * @param {number} height
 * @param {number} ratio of a card: width by height
 */
export function guessGrid(width, height, ratio) {
  let best = { columns: 1, rows: 1, error: Number.POSITIVE_INFINITY };
  for (let columns = 1; columns <= 10; columns++)
    for (let rows = 1; rows <= 10; rows++) {
      if (columns * rows === 1) continue;
      const error = Math.abs(Math.log(width / columns / (height / rows) / ratio));
      if (error < best.error - 1e-3) best = { columns, rows, error };
    }
  return { columns: best.columns, rows: best.rows };
}

/**
 * How finely cards are compared: each becomes so many blocks of one colour. Noise of JPEG nearly
 * vanishes in a block, and one other letter does not.
 */
export const BLOCKS = { width: 48, height: 64 };

/** How far a colour of a block may be from another one that is the same, of 255. */
const NOISE = 10;

/** A hash of a picture that is the same for the same picture. @param {Uint8ClampedArray} rgba */
export function hashOf(rgba) {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (let i = 0; i < rgba.length; i++) {
    a = Math.imul(a ^ rgba[i], 0x01000193);
    b = Math.imul(b + rgba[i], 0x85ebca6b) ^ (b >>> 13);
  }
  return `${a >>> 0} ${b >>> 0}`;
}

/** Returns whether two pictures of blocks look the same. @param {Uint8ClampedArray} a
 * @param {Uint8ClampedArray} b */
export const isSame = (a, b) => a.length === b.length &&
  a.every((value, i) => Math.abs(value - b[i]) <= NOISE);

/** Returns whether a picture of blocks has only one colour. @param {Uint8ClampedArray} rgba */
export const isPlain = (rgba) =>
  rgba.every((value, i) => Math.abs(value - rgba[i % 4]) <= NOISE);

/**
 * Finds out which pictures are the same. Returns for each the number of the first one of its sort.
 * @param {Uint8ClampedArray[]} all as blocks
 * @returns {number[]}
 */
export function firstOf(all) {
  /** The first ones, by their hashes. @type {Map<string, number>} */
  const known = new Map();
  /** @type {number[]} */
  const firsts = [];
  return all.map((rgba, i) => {
    const hash = hashOf(rgba);
    const found = known.get(hash) ?? firsts.find((n) => isSame(all[n], rgba)) ?? i;
    known.set(hash, found);
    if (found === i) firsts.push(i);
    return found;
  });
}

/**
 * Returns the cards of a sheet: which cell, and how many are the same.
 * @param {number[]} first of each cell, as firstOf() says
 * @param {Set<number>} out the cells that are left out, such as the back
 * @param {boolean} together whether equal ones are one card
 * @returns {{cell: number, count: number}[]}
 */
export function cardsOf(first, out, together) {
  /** @type {Map<number, {cell: number, count: number}>} */
  const cards = new Map();
  first.forEach((of, cell) => {
    if (out.has(cell)) return;
    const key = together ? of : cell;
    const card = cards.get(key);
    if (card) card.count++;
    else cards.set(key, { cell, count: 1 });
  });
  return [...cards.values()];
}
