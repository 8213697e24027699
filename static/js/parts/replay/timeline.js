// How the time between two moments of a replay passes: motion takes its time, and long rests are
// short. No DOM, no clock.

/**
 * When something moved, in order.
 * @typedef {readonly (readonly [from: number, to: number])[]} Spans
 */
/**
 * A part of the time between two moments, in ms of the server, and how long it takes when it is
 * played at usual speed.
 * @typedef {{from: number, to: number, ms: number}} Leg
 */

/**
 * Returns the legs from one moment to another; none if nothing moved between them.
 * @param {Spans} spans
 * @param {number} from
 * @param {number} to
 * @param {number} rest the longest time that a rest takes, in ms
 * @returns {Leg[]}
 */
export function legsOf(spans, from, to, rest) {
  /** @type {Leg[]} */
  const legs = [];
  let at = from;
  const add = (/** @type {number} */ until, /** @type {number} */ most) => {
    if (until <= at) return;
    legs.push({ from: at, to: until, ms: Math.min(until - at, most) });
    at = until;
  };
  const first = firstNot(spans.length, (i) => spans[i][1] <= from);
  for (let i = first; i < spans.length && spans[i][0] < to; i++) {
    add(Math.min(spans[i][0], to), rest);
    add(Math.min(spans[i][1], to), Infinity);
  }
  if (legs.length > 0) add(to, rest);
  return legs;
}

/** Returns how long legs take. @param {readonly Leg[]} legs */
export const lengthOf = (legs) => legs.reduce((sum, { ms }) => sum + ms, 0);

/**
 * Returns the moment at which one is after a time.
 * @param {readonly Leg[]} legs at least one
 * @param {number} ms
 */
export function momentAt(legs, ms) {
  let left = Math.max(0, ms);
  for (const leg of legs) {
    if (left < leg.ms) return leg.from + (leg.to - leg.from) * (left / leg.ms);
    left -= leg.ms;
  }
  return legs[legs.length - 1].to;
}

/**
 * Returns how long it takes to a moment.
 * @param {readonly Leg[]} legs
 * @param {number} moment
 */
export function timeTo(legs, moment) {
  let sum = 0;
  for (const { from, to, ms } of legs) {
    if (moment < to) return sum + ms * Math.max(0, (moment - from) / (to - from));
    sum += ms;
  }
  return sum;
}

/**
 * Returns the first index for which something does not hold; n if there is none. It holds for all
 * before that one, and for none after it.
 * @param {number} n
 * @param {(i: number) => boolean} holds
 */
export function firstNot(n, holds) {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
