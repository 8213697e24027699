// Random numbers for tests. The same seed gives the same run.

/**
 * @typedef {object} Random
 * @property {() => number} next from 0 to below 1
 * @property {(n: number) => number} below a whole number from 0 to n-1
 * @property {(p: number) => boolean} chance true with probability p
 * @property {<T>(list: readonly T[]) => T} pick an element of a list that is not empty
 */

/**
 * A generator with 32 bits of state: it adds a constant and mixes the bits.
 *
 * @param {number} seed
 * @returns {Random}
 */
export function random(seed) {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  const next = () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    below: (n) => Math.floor(next() * n),
    chance: (p) => next() < p,
    pick: (list) => list[Math.floor(next() * list.length)],
  };
}
