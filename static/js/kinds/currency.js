// Currency: heaps of coins, chips or tokens that people divide (T34). parts/abilities/taking.js has
// the operation.

import { counted, MOST } from './values.js';

/**
 * @typedef {object} Config
 * @property {{initial: number}} [currency] T34
 */

/**
 * Returns whether the heap of a piece looks as it was drawn before.
 * @param {import('../types.js').Piece|null} before
 * @param {import('../types.js').Piece} piece
 */
const looksAs = (before, { value, kind, face }) =>
  before?.value === value && before?.kind === kind && before?.face === face;

/** @type {import('./ability.js').Ability} */
export const currency = {
  parts: ['abilities', 'cards'],
  says: (_, { value = 0 }) => [String(value)],
  writes: 'value',
  draw: (s, p, piece, before) => {
    if (!looksAs(before, piece)) s.parts.abilities?.drawHeap(s, p, piece);
  },
  isRead: true,
  bounds: () => ({ min: 1, max: MOST }),
  effects: { split: (piece, { n = 0 }) => counted(piece, -n, { min: 1, max: piece.value ?? 0 }) },
};
