// Supplies (T89): people take new pieces of a kind from them. parts/abilities/taking.js has their
// operation, and the part `zones` shows what goes back.

/**
 * @typedef {object} Config
 * @property {{of: string}} [supply] T89; the name of a kind
 */

/** @type {import('./ability.js').Ability} */
export const supply = {
  parts: ['abilities', 'cards'],
  onTable: 'zones',
  look: 'supply',
  says: (s, piece) => s.parts.zones?.saysOf(s, piece) ?? [],
  isUsedInPlace: true,
};
