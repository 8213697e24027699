// Hands what the stream says of randomness to the witness (S17). The witness is in a part of the
// page. Where something can be drawn, the part is loaded from the start. Elsewhere it is loaded
// when the stream says something of randomness. It then gets everything since the last full state.

import { loadUntilDone } from '../parts.js';

/** @typedef {import('../state.js').State} State */
/**
 * @typedef {Pick<import('../types.js').Outcome, 'full' | 'resumed' | 'randomness' | 'facts'>} News
 */

/**
 * Keeps what arrives until the witness is loaded.
 * @param {State} s
 * @returns {(news: News) => void} takes in what a frame says
 */
export function relayRandomness(s) {
  /** The news since the last full state, which is first. @type {News[]} */
  let kept = [];
  /** @type {((news: News) => void)|null} */
  let witness = null;
  s.relay.bindWitness = (w) => {
    witness = w;
    for (const news of kept.splice(0)) w(news);
  };
  return ({ full, resumed, randomness, facts }) => {
    if (witness) {
      witness({ full, resumed, randomness, facts });
      return;
    }
    if (full) kept = [];
    if (full || resumed || facts.length > 0) kept.push({ full, resumed, randomness, facts });
    if (facts.length > 0) void loadUntilDone(s, 'fairness');
  };
}
