// The state of this part.

/** @typedef {import('../../state.js').State} State */

/**
 * @typedef {object} Abilities
 * @property {Map<number, import('./dice.js').Throw>} throws dice that tumble or cannot be rolled
 *   again yet, by piece
 */

/** @returns {Abilities} */
export function createAbilities() {
  return { throws: new Map() };
}

/**
 * A piece has another identifier (T21).
 * @param {Abilities} abilities
 * @param {number} from
 * @param {number} to
 */
export function renameThrow({ throws }, from, to) {
  const thrown = throws.get(from);
  if (throws.delete(from) && thrown) throws.set(to, thrown);
}

/** Returns the dice that tumble or cannot be rolled again yet, by piece. @param {State} s */
export function throwsOf({ partState: { abilities } }) {
  return /** @type {Abilities} */ (abilities).throws;
}
