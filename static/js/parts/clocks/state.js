// The state of this part.

/** @typedef {import('../../state.js').State} State */

/**
 * @typedef {object} Clocks
 * @property {Map<number, import('./dial.js').Dial>} dials the displays of all clocks, by piece
 * @property {Map<number, number>} last by piece: the side that ran before the clock was paused; it
 *   continues first
 * @property {() => void} changed a clock has changed. parts/clocks/ticker.js sets it.
 * @property {(e: Element) => void} watch the clock has a new element. parts/clocks/ticker.js sets
 *   it.
 */

/** @returns {Clocks} */
export function createClocks() {
  return { dials: new Map(), last: new Map(), changed: () => {}, watch: () => {} };
}

/** @param {State} s */
export function clocksOf({ partState: { clocks } }) {
  return /** @type {Clocks} */ (clocks);
}

/**
 * A piece has another identifier (T21).
 * @param {Clocks} clocks
 * @param {number} from
 * @param {number} to
 */
export function renameClock({ dials, last }, from, to) {
  const dial = dials.get(from);
  if (dials.delete(from) && dial) dials.set(to, dial);
  const side = last.get(from);
  if (last.delete(from) && side !== undefined) last.set(to, side);
}
