/**
 * What changes by itself of a piece: the segments that its updates and full states bring (K16). No
 * DOM. It reads no clock: the server's time is an argument, in ms.
 *
 * @module
 */

import { MAX_VALUE } from './clockside.js';

/** @typedef {import('../types.js').Piece} Piece */

/** The properties whose curves a page draws. */
export const COOLDOWN = 1;

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
