// The order in which screen readers come to the pieces of a table with a board: row by row, as this
// person sees the board, and then what lies beside it. Without that it would be the order in which
// pieces were last moved.

import { isUnseen, kindOf } from '../../view/catalog.js';
import { setAttr } from '../../view/dom.js';
import { turned } from '../../view/geometry.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */

/** With more pieces than these nobody goes through all of them, and to sort them takes time. */
const MOST = 300;

/**
 * Puts the pieces in the order in which they are read.
 * @param {State} s
 * @param {(piece: Piece) => boolean} isOnCell whether a piece lies on a cell with a name
 */
export function orderPieces(s, isOnCell) {
  const { pieces: all } = s.sync;
  const light = all.size > MOST ? [] : [...all.values()].filter((p) => lies(s, p));
  const places = light.map((p) => ({
    p, beside: isOnCell(p) ? 0 : 1, at: turned(p.x, p.y, s.view.camera.turn),
  }));
  const order = places.every(({ beside }) => beside === 1)
    ? []
    : places.sort((a, b) => a.beside - b.beside || a.at.y - b.at.y || a.at.x - b.at.x);
  for (const { p } of order) {
    const shown = s.view.shown.get(p.id);
    if (shown) setAttr(shown.el, 'id', idOf(p));
  }
  setAttr(s.page.pieces, 'aria-owns', order.map(({ p }) => idOf(p)).join(' ') || null);
}

/** @param {State} s @param {Piece} p */
function lies(s, p) {
  const kind = kindOf(s, p);
  return s.view.shown.has(p.id) && kind.weight === 'light' && !isUnseen(kind);
}

/** @param {Piece} p */
function idOf({ id }) {
  return `piece-${id}`;
}
