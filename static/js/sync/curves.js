/**
 * What changes by itself of a piece: the segments that its updates and full states bring (K16). No
 * DOM. It reads no clock: the server's time is an argument, in ms.
 *
 * @module
 */

import { MAX_VALUE } from './clockside.js';

/** @typedef {import('../types.js').Piece} Piece */

/** The properties of pieces (K16). Side 2 has the property after that of side 1. */
export const COOLDOWN = 1;
export const SIDE = 2;
export const TURN = 4;

/**
 * Returns the value of a property of a piece at an instant (K5), before its first instant the value
 * there. null if the piece has no curve of the property, or one that breaks a bound (K4).
 *
 * @param {Piece} piece
 * @param {number} property
 * @param {number} t
 */
export function valueAt({ curves }, property, t) {
  const curve = curves?.curves.find((c) => c.property === property);
  if (!curves || !curve || !isWithin(curve)) return null;
  const { start, rate, max } = curve;
  if (rate === 0) return start;
  return Math.min(Math.max(start + rate * Math.max(Math.floor(t) - curves.from, 0), 0), max);
}

/** @param {import('../types.js').Curves['curves'][number]} curve */
function isWithin({ start, rate, max }) {
  if (Math.abs(start) > MAX_VALUE || Math.abs(rate) > 1 || max > MAX_VALUE) return false;
  return (rate === 0 && max === 0) || (start >= 0 && start <= max);
}

/**
 * Returns how many milliseconds a die cannot be rolled yet (T32).
 *
 * @param {Piece} piece
 * @param {number} t
 */
export const coolsFor = (piece, t) => valueAt(piece, COOLDOWN, t) ?? 0;

/**
 * Returns what a side of a clock has at the server's time `t`, or a bulb of an hourglass, in ms:
 * what its curve says, or what the clock said last if it has none.
 *
 * @param {Piece} piece
 * @param {number} side 1 or 2
 * @param {number} t
 */
export function sideAt(piece, side, t) {
  const { left1 = 0, left2 = 0 } = piece.clock ?? {};
  return valueAt(piece, SIDE + side - 1, t) ?? (side === 1 ? left1 : left2);
}

/**
 * Returns the side of a clock that runs: the one whose turn it is, or that has a curve which
 * changes; 0 if none does.
 *
 * @param {Piece} piece
 */
export function sideThatRuns(piece) {
  const turn = valueAt(piece, TURN, 0);
  if (turn !== null) return turn;
  const one = piece.curves?.curves.find((c) => c.property === SIDE);
  return one && one.rate !== 0 && isWithin(one) ? 1 : 0;
}

/**
 * Returns the bulb of an hourglass out of which the sand runs, or has run: the one whose curve
 * falls. Until somebody has turned the glass over it is the first one.
 *
 * @param {Piece} piece
 * @returns {1 | 2}
 */
export function upperBulb({ curves }) {
  return curves?.curves.some((c) => c.property === SIDE + 1 && c.rate < 0) ? 2 : 1;
}
