/**
 * One side of a chess clock (K13). parts/motion/curve.js has the same as a curve. No DOM. It reads
 * no clock: time is an argument.
 *
 * @module
 */

/** The greatest component of a value of a curve. The least one is its negative. */
export const MAX_VALUE = 2 ** 30;

/**
 * One side of a chess clock.
 *
 * @typedef {object} Side
 * @property {number} left the time that was left at `since`, in ms
 * @property {number} increment the time that a player gets for a move in time, in ms
 * @property {boolean} running
 * @property {number} since the server's time at which the side was last started, stopped or set
 */

/**
 * The milliseconds that a side has left at the server's time `t`.
 *
 * @param {Side} side
 * @param {number} t
 */
export function leftAt(side, t) {
  if (!side.running || t <= side.since) return side.left;
  return side.left - Math.min(t - side.since, side.left);
}

/**
 * A side when the turn of its player begins. A side that runs already does not change.
 *
 * @param {Side} side
 * @param {number} t
 * @returns {Side}
 */
export function start(side, t) {
  return side.running ? side : { ...side, running: true, since: t };
}

/**
 * A side after its player has moved. It stops, and gets the increment unless the flag has fallen.
 *
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
 * A side that was stopped at `t`, without an increment.
 *
 * @param {Side} side
 * @param {number} t
 * @returns {Side}
 */
export function pause(side, t) {
  if (!side.running) return side;
  return { ...side, left: leftAt(side, t), running: false, since: Math.max(side.since, t) };
}
