// Finds pieces on boards for people who go by keys: the next one in a direction, and the cell whose
// name somebody types.

import { kindOf } from '../../view/catalog.js';
import { turned } from '../../view/geometry.js';
import { beside, cellsByName, isCell, middleOf, placeAt } from './cells.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../view/geometry.js').Point} Point */
/** @typedef {import('./boards.js').Cell} Cell */

/**
 * Returns the next piece on a board in a direction as this person sees the table: the nearest one
 * in the line of cells, or if there is none the nearest one beside that line.
 * @param {State} s
 * @param {Cell} from where the piece with the focus lies
 * @param {number} dx -1, 0 or 1
 * @param {number} dy -1, 0 or 1
 * @returns {number} 0 if no piece on the board lies in that direction
 */
export function nextOnBoard(s, { board, kind, place }, dx, dy) {
  const on = piecesOn(s, { board, kind });
  const turn = s.view.camera.turn;
  const step = (/** @type {import('./cells.js').Place} */ at) =>
    beside(kind, at, dx, dy, board.angle / 100 + turn);
  for (let at = step(place); at; at = step(at)) {
    const id = on.get(keyOf(at))?.id;
    if (id) return id;
  }
  const start = middleOf(kind, board, place);
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const p of on.values()) {
    const v = turned(p.x - start.x, p.y - start.y, turn);
    const along = v.x * dx + v.y * dy;
    const cost = along + 2 * Math.abs(v.x * dy + v.y * dx);
    if (along <= 20 || cost >= least) continue;
    best = p.id;
    least = cost;
  }
  return best;
}

/**
 * Returns the uppermost light piece on each cell of a board, by its place.
 * @param {State} s
 * @param {Pick<Cell, 'board'|'kind'>} where
 */
function piecesOn(s, { board, kind }) {
  /** @type {Map<string, Piece>} */
  const on = new Map();
  for (const p of s.sync.pieces.values()) {
    if (kindOf(s, p).weight !== 'light') continue;
    const place = placeAt(kind, board, p);
    if (!place || !isCell(kind, place)) continue;
    const above = on.get(keyOf(place));
    if (!above || s.view.order.rank(p.id) > s.view.order.rank(above.id)) on.set(keyOf(place), p);
  }
  return on;
}

/** @param {import('./cells.js').Place} place */
function keyOf({ column, row }) {
  return `${column} ${row}`;
}

/**
 * What somebody means who types the beginning of the name of a cell. Names that begin with a digit
 * are not typed: digits say how many pieces to take.
 * @param {State} s
 * @param {Piece[]} boards the uppermost first
 * @param {string} text in small letters
 * @returns {{at: (Point & {name: string, piece: number})|null, more: boolean}} the cell with that
 *   name and the piece on it, 0 if it is empty; and whether more letters name another cell
 */
export function cellTyped(s, boards, text) {
  let at = null;
  let more = false;
  for (const board of boards) {
    const kind = kindOf(s, board);
    for (const [name, place] of cellsByName(kind)) {
      const typed = name.toLowerCase();
      if (/^[0-9]/.test(typed) || !typed.startsWith(text)) continue;
      if (typed !== text) more = true;
      else if (!at) {
        const piece = piecesOn(s, { board, kind }).get(keyOf(place))?.id ?? 0;
        at = { ...middleOf(kind, board, place), name, piece };
      }
    }
  }
  return { at, more };
}
