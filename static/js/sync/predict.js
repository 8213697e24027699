/**
 * Predicts what an operation does to a piece (T24, T28). It computes as the server does, but for
 * facts that only the server knows and for random ones. No DOM, no state.
 *
 * @module
 */

import { ABILITIES } from '../kinds/abilities.js';
import { sentAs } from './shapes.js';
import { above, below, between } from './zlevel.js';

/** @typedef {import('../types.js').Piece} Piece */
/** @typedef {import('../types.js').Args} Args */

/**
 * What a prediction needs beside the piece.
 *
 * @typedef {object} Context
 * @property {number} you the own seat
 * @property {number} at the server's time at which the update was made
 * @property {import('./clock.js').ClockKind | null} clock what clocks of the piece's kind are like;
 *   null if the piece is not a clock
 * @property {{ min: number, max: number } | null} bounds of the values of its kind; null if it has
 *   none
 * @property {boolean} isMask whether the piece is concealed
 * @property {number[]} players the seats that play
 */

/**
 * What operations do beyond their arguments, which `placed` applies. Those of kinds are added
 * below.
 *
 * @type {Record<string, import('../kinds/ability.js').Effect>}
 */
const EFFECTS = {
  grab: (piece, args, { you }) => ({ ...placed(piece, args), holder: you }),
  wrest: (piece, args, { you }) => ({ ...placed(piece, args), holder: you }),
  release: (piece, args) => ({ ...placed(piece, args), holder: 0 }),
  // Of a concealed piece face 0 is the front, and face n shows face n - 1 of the mask (T94).
  flip: (piece, { face = 0 }, { isMask }) =>
    ({ ...piece, face: isMask ? (face ? face - 1 : piece.face) : face }),
  pin: (piece) => ({ ...piece, pinned: true }),
  unpin: (piece) => ({ ...piece, pinned: false }),
  lock: (piece) => ({ ...piece, locked: true }),
  unlock: (piece) => ({ ...piece, locked: false }),
  stow: (piece) => ({ ...piece, holder: 0 }),
};
Object.assign(EFFECTS, ...Object.values(ABILITIES).map(({ effects }) => effects));

/**
 * The piece after an own operation, as the client displays it until the outcome; the same piece if
 * the effect of the operation is not known. A new level is above all equal ones, as on the server:
 * there its Z generation is the latest (T13).
 *
 * @param {Piece} piece
 * @param {string} op
 * @param {Args} args
 * @param {Context} context
 * @returns {Piece}
 */
export function predict(piece, op, args, context) {
  if (Object.hasOwn(EFFECTS, op)) return EFFECTS[op](piece, args, context, op);
  return sentAs(op) === 'tagged' ? placed(piece, args) : piece;
}

/**
 * @param {Piece} piece
 * @param {Args} args
 * @returns {Piece}
 */
function placed(piece, { x = piece.x, y = piece.y, angle = piece.angle, face = piece.face, z }) {
  const after = { ...piece, x, y, angle, face };
  return z === undefined ? after : { ...after, z, zMark: Number.POSITIVE_INFINITY };
}

// The layers of pieces (T25). Heavy pieces lie below all others. Pieces in a hand lie above them,
// in an order of their own.
export const HEAVY = 0;
export const LIGHT = 1;
export const IN_HAND = 2;

/**
 * The level that puts a piece on top or at the bottom of its layer (T25).
 *
 * @param {Iterable<Piece>} pieces all that are displayed
 * @param {Piece} piece
 * @param {'raise' | 'lower'} op
 * @param {(piece: Piece) => number} layerOf HEAVY, LIGHT or IN_HAND
 * @returns {string} `''` if there is no room: then the server makes some
 */
export function levelFor(pieces, piece, op, layerOf) {
  const edges = [HEAVY, LIGHT, IN_HAND].map(() => ({ low: '', high: '' }));
  for (const other of pieces) {
    if (other.id === piece.id || other.z === '') continue;
    const edge = edges[layerOf(other)];
    if (edge.low === '' || other.z < edge.low) edge.low = other.z;
    if (other.z > edge.high) edge.high = other.z;
  }
  try {
    return levelAt(edges, layerOf(piece), op === 'raise');
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}

/**
 * @param {{ low: string, high: string }[]} edges of the layers
 * @param {number} layer
 * @param {boolean} up
 */
function levelAt([heavy, light, hand], layer, up) {
  switch (layer) {
    case IN_HAND:
      return up ? above(hand.high) : below(hand.low);
    case LIGHT:
      return up
        ? above(light.high || heavy.high)
        : inside(heavy.high, below(light.low || heavy.high), light.low);
    default:
      return up
        ? inside(heavy.high, above(heavy.high || light.low), light.low)
        : below(heavy.low || light.low);
  }
}

/**
 * Returns `z` if it is between `lo` and `hi`, else a level that is.
 *
 * @param {string} lo
 * @param {string} z
 * @param {string} hi
 */
function inside(lo, z, hi) {
  return lo < z && (hi === '' || z < hi) ? z : between(lo, hi);
}
