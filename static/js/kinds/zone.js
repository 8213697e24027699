// Zones (T86): other pieces lie on them in order. The server lays them, and the part `zones` shows
// what lies where.

/**
 * @typedef {object} Config
 * @property {Zone} [zone]
 */

/**
 * @typedef {object} Zone
 * @property {'pile'|'row'|'column'|'grid'|'free'} lay
 * @property {number} [gap]
 * @property {number} [down]
 * @property {string[]} [takes] names of kinds; missing: it takes every light piece
 * @property {number} [most]
 * @property {'up'|'down'|'keep'} turns
 * @property {boolean} [count] whether it shows how many pieces lie there
 */

/** @type {import('./ability.js').Ability} */
export const zone = {
  onTable: 'zones',
  says: (s, piece) => s.parts.zones?.saysOf(s, piece) ?? [],
};
