// The state of relay/: what the stream has sent for parts of the page that may not be loaded yet,
// and how they get it.

/**
 * Faces that are shown to this person (T31).
 * @typedef {object} Seen
 * @property {number} by the seat that looked or showed
 * @property {string} op `peek` or `show`
 * @property {number} piece the container, or the piece looked at; 0 if this person does not see it
 * @property {number[]} kinds uppermost first
 * @property {number} face of the piece shown
 */

/**
 * @typedef {object} Relay
 * @property {(witness: (news: import('./randomness.js').News) => void) => void} bindWitness gives
 *   a witness all news of randomness, also of the past (S17). relay/randomness.js sets it.
 * @property {(take: (news: import('./components.js').News) => void) => void} bindReplica gives the
 *   replica all news of components, also of the past (C17). relay/components.js sets it.
 * @property {{outcome: import('../types.js').Outcome, now: number}[]} motion frames since others
 *   first carried or pointed at something, and when they came; empty once their part is loaded
 * @property {Seen[]} faces faces that are not shown yet, the latest last
 */

/** @returns {Relay} */
export function createRelay() {
  return { bindWitness: () => {}, bindReplica: () => {}, motion: [], faces: [] };
}
