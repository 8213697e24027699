// The state of this part: what its modules keep of single pieces. A module has a store of its own,
// by perPiece, and need not care about renaming.

/** @typedef {import('../../state.js').State} State */

/**
 * @typedef {object} Abilities
 * @property {Map<object, Map<number, any>>} stores what is kept of pieces, by module
 */

/** @returns {Abilities} */
export function createAbilities() {
  return { stores: new Map() };
}

/**
 * Returns a function that returns what the caller keeps of the pieces of a page, by piece.
 * @template T
 * @returns {(s: State) => Map<number, T>}
 */
export function perPiece() {
  const module = {};
  return ({ partState: { abilities } }) => {
    const { stores } = /** @type {Abilities} */ (abilities);
    const known = stores.get(module);
    if (known) return known;
    const store = new Map();
    stores.set(module, store);
    return store;
  };
}

/**
 * A piece has another identifier (T21).
 * @param {Abilities} abilities
 * @param {number} from
 * @param {number} to
 */
export function renameKept({ stores }, from, to) {
  for (const store of stores.values()) {
    const kept = store.get(from);
    if (store.delete(from)) store.set(to, kept);
  }
}
