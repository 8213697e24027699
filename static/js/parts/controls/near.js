// A press that just misses a piece means the piece. A mouse may miss it by a little, a finger by
// its own width.

import { kindOf } from '../../view/catalog.js';
import { UNITS, toTable, turned } from '../../view/geometry.js';
import { isFixed } from '../../view/piece.js';
import { refusal } from '../../input/ops.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */

/** By how much a press may miss a piece, in px of the page. */
export const REACH_MOUSE = 5;
export const REACH_TOUCH = 22;

/**
 * Returns the nearest piece within reach of a point of the page that this person can move; 0 if
 * there is none. Boards, hands and decks are not meant: they are large. Of a pile the top is meant,
 * and of pieces at the same distance the uppermost.
 * @param {State} s
 * @param {number} px
 * @param {number} py
 * @param {boolean} isTouch whether the pointer is a finger or a pen
 */
export function nearPiece(s, px, py, isTouch) {
  const { camera, order, shown } = s.view;
  const scale = (camera.scale * (camera.live?.factor ?? 1)) / UNITS;
  const at = toTable(camera, px, py);
  let best = 0;
  let least = (isTouch ? REACH_TOUCH : REACH_MOUSE) / scale;
  for (const piece of s.sync.pieces.values()) {
    const p = shown.get(piece.id);
    if (!p || p.heavy || p.height === 0) continue;
    const far = distanceTo(s, piece, at);
    if (far > least || (far === least && order.rank(piece.id) < order.rank(best))) continue;
    if (isFixed(s, piece) || refusal(s, piece, 'grab')) continue;
    best = piece.id;
    least = far;
  }
  return best;
}

/**
 * Returns how far a point is from the edge of a piece, in units; 0 if it lies within.
 * @param {State} s
 * @param {Piece} piece
 * @param {{x: number, y: number}} at
 */
function distanceTo(s, piece, at) {
  const k = kindOf(s, piece);
  const v = turned(at.x - piece.x, at.y - piece.y, -piece.angle / 100);
  if (k.shape === 'round') return Math.max(0, Math.hypot(v.x, v.y) - k.width / 2);
  return Math.hypot(
    Math.max(0, Math.abs(v.x) - k.width / 2),
    Math.max(0, Math.abs(v.y) - k.height / 2),
  );
}
