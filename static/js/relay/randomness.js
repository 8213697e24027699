// What the stream tells of randomness goes to the witness (S17). That is a part of the page, which is there from the start where something
// can be drawn; elsewhere it comes when something is told, and hears all that was told since the last full state.

import { insist } from '../parts.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {Pick<import('../types.js').Outcome, 'full' | 'resumed' | 'randomness' | 'facts'>} Told */

/**
 * Keeps what is told until the witness is here.
 * @param {State} s
 * @returns {(told: Told) => void} takes in what a frame tells
 */
export function followChance(s) {
  /** What was told since the last full state, which stands first. @type {Told[]} */
  let kept = [];
  /** @type {((told: Told) => void)|null} */
  let witness = null;
  s.bearWitness = (w) => {
    witness = w;
    for (const told of kept.splice(0)) w(told);
  };
  return ({ full, resumed, randomness, facts }) => {
    if (witness) {
      witness({ full, resumed, randomness, facts });
      return;
    }
    if (full) kept = [];
    if (full || resumed || facts.length > 0) kept.push({ full, resumed, randomness, facts });
    if (facts.length > 0) insist(s, 'fairness');
  };
}
