// Hourglasses (T59). parts/abilities/hourglass.js draws the sand, and announces its end.

import { SIDE, sideAt, upperBulb } from '../sync/curves.js';

/** @typedef {import('../types.js').Clock} Clock */
/** @typedef {import('../types.js').Curves} Curves */
/** @typedef {import('../types.js').Piece} Piece */

/**
 * @typedef {object} Config
 * @property {{duration: number}} [hourglass] T59; in milliseconds
 */

/** @type {import('./ability.js').Ability} */
export const hourglass = {
  parts: ['abilities'],
  says: (s, piece) => s.parts.abilities?.saysSand(s, piece) ?? [],
  isRead: true,
  draw: (s, p, piece) => s.parts.abilities?.drawSand(s, p, piece),
  effects: {
    turn: (piece, _, { at }) => {
      if (!piece.clock) return piece;
      const clock = turnedOver(piece.clock, at);
      return { ...piece, clock, curves: curvesOfSand(clock) };
    },
  },
  operations: { turn: { icon: 'hourglass', takesPiece: true, isMain: true } },
};

/**
 * Returns the sand of an hourglass above and below, in ms, as its curves say (K16).
 * @param {Piece} piece
 * @param {number} t the server's time
 */
export function sandOf(piece, t) {
  const upper = upperBulb(piece);
  return { above: sideAt(piece, upper, t), below: sideAt(piece, 3 - upper, t) };
}

/**
 * Returns the curves of the sand, as the server sends them with this state.
 * @param {Clock} clock
 * @returns {Curves}
 */
export function curvesOfSand({ running, since, left1, left2 }) {
  const curves = [left1, left2].map((start, i) => {
    const curve = { property: SIDE + i, start, rate: 0, max: start };
    if (running === 0) return curve;
    return running === i + 1
      ? { ...curve, rate: -1 }
      : { ...curve, rate: 1, max: left1 + left2 };
  });
  return { from: running === 0 ? 0 : since, curves };
}

/**
 * The sand of an hourglass above and below, in ms, as its state says. Its bulbs are the sides of a
 * clock, and the upper one runs. One that nobody has turned yet lies with the second bulb below.
 * @param {Clock} clock
 * @param {number} t the server's time
 */
function sandAt({ running, since, left1, left2 }, t) {
  const [upper, lower] = running === 2 ? [left2, left1] : [left1, left2];
  const run = Math.min(Math.max(Math.floor(t) - since, 0), upper);
  return { above: upper - run, below: lower + run };
}

/**
 * The state of an hourglass after it was turned over. The server comes to the same if the client
 * knows its time exactly.
 * @param {Clock} clock
 * @param {number} at the server's time
 * @returns {Clock}
 */
export function turnedOver(clock, at) {
  const since = Math.max(Math.floor(at), clock.since);
  const { above, below } = sandAt(clock, since);
  return clock.running === 2
    ? { ...clock, running: 1, since, left1: below, left2: above }
    : { ...clock, running: 2, since, left1: above, left2: below };
}
