// Containers: decks, bags and banks (T29, T30). The part `cards` draws what lies in them, and
// parts/abilities/container.js has their operations.

/**
 * @typedef {object} Config
 * @property {{draws: 'top'|'random', takes?: number}} [container] T29; `takes` is the mask of the
 *   secret pieces that it takes; missing: it takes every light piece
 */

/** @type {import('./ability.js').Ability} */
export const container = {
  parts: ['abilities', 'cards', 'fairness'],
  says: (s, piece) => [s.parts.cards?.holdingsOf(s, piece) ?? ''],
  look: 'container',
  draw: (s, p, piece) => s.parts.cards?.drawHoldings(s, p, piece),
  drawMarks: (s, p, piece) => s.parts.cards?.drawCount(s, p, piece),
  isUsedInPlace: true,
};
