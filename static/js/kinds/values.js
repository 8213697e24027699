// The values of counters and currency (T33, T34).

/** @typedef {import('../types.js').Piece} Piece */
/** @typedef {import('./ability.js').Bounds} Bounds */

/** The greatest value of a counter or a heap of currency. The least is its negative (T33, T34). */
export const MOST = 2 ** 30;

/** @param {number} value @param {Bounds} bounds */
export function isWithin(value, { min, max }) {
  return value >= min && value <= max;
}

/**
 * @param {Piece} piece
 * @param {number} by
 * @param {Bounds | null} bounds outside of them the operation is inapplicable (`range`)
 * @returns {Piece}
 */
export function counted(piece, by, bounds) {
  const value = (piece.value ?? 0) + by;
  return bounds && isWithin(value, bounds) ? { ...piece, value } : piece;
}

/**
 * The half of a heap of currency, at least 1.
 * @param {Piece} piece
 */
export function halfOf({ value = 0 }) {
  return Math.max(1, Math.floor(value / 2));
}
