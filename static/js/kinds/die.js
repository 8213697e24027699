// Dice and coins (T32). parts/abilities/dice.js has their operation, lets them tumble, and
// announces what was rolled.

/**
 * @typedef {object} Config
 * @property {{cooldown: number}} [die] T32; in milliseconds
 */

/** @type {import('./ability.js').Ability} */
export const die = {
  parts: ['abilities', 'fairness'],
  isRead: true,
  draw: (s, p, piece) => s.parts.abilities?.drawCooling(s, p, piece),
};
