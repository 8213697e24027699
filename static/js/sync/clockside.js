/**
 * One side of a chess clock at a time (K13). parts/motion/curve.js has it as a curve. No DOM, no clock: time comes in as an argument.
 *
 * @module
 */

/** The greatest component of a value of a curve; the least is its negative. */
export const MAX_VALUE = 2 ** 30;

/**
 * One side of a chess clock (K13).
 * @typedef {object} Side
 * @property {number} left what was left at `since`, in ms
 * @property {number} increment what the player gets for a move in time, in ms
 * @property {boolean} running
 * @property {number} since the server time at which it was last started, stopped or set
 */

/**
 * The milliseconds that are left to a side at server time `t`.
 * @param {Side} side
 * @param {number} t
 */
export function leftAt(side, t) {
  if (!side.running || t <= side.since) return side.left;
  return side.left - Math.min(t - side.since, side.left);
}

/**
 * A side when it is its player's turn. One that runs goes on.
 * @param {Side} side
 * @param {number} t
 * @returns {Side}
 */
export function start(side, t) {
  return side.running ? side : { ...side, running: true, since: t };
}

/**
 * A side after its player has moved: it stops, and gets the increment unless the flag has fallen.
 * @param {Side} side
 * @param {number} t
 * @returns {Side}
 */
export function press(side, t) {
  if (!side.running) return side;
  const stopped = pause(side, t);
  const gain = stopped.left > 0 ? Math.min(stopped.increment, MAX_VALUE - stopped.left) : 0;
  return { ...stopped, left: stopped.left + gain };
}

/**
 * A side stopped at `t`, without an increment.
 * @param {Side} side
 * @param {number} t
 * @returns {Side}
 */
export function pause(side, t) {
  if (!side.running) return side;
  return { ...side, left: leftAt(side, t), running: false, since: Math.max(side.since, t) };
}
