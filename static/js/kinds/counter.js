// Counters (T33). parts/abilities/steps.js has their operation, and the buttons below a counter.

import { counted } from './values.js';

/**
 * @typedef {object} Config
 * @property {{min: number, max: number, initial: number, step?: number}} [counter] T33; it
 *   counts by `step`, 1 if there is none
 */

/** @type {import('./ability.js').Ability} */
export const counter = {
  parts: ['abilities'],
  says: (_, { value = 0 }) => [String(value)],
  writes: 'value',
  isRead: true,
  drawMarks: (s, p, piece) => s.parts.abilities?.drawSteps(s, p, piece),
  bounds: ({ counter: of }) => of && { min: of.min, max: of.max },
  effects: { count: (piece, { n = 0 }, { bounds }) => counted(piece, n, bounds) },
  spots: {
    at: (s, _piece, _point, target) => s.parts.abilities?.stepAt(target) ?? 0,
    tap: (s, piece, by) => s.parts.abilities?.count(s, piece, by) ?? null,
  },
};
