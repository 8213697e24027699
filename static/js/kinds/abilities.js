// The abilities, by the fields with which a catalogue configures them. The shared code looks up the
// ability of a kind here; nothing else lists them.

import { button } from './button.js';
import { clock } from './clock.js';
import { container } from './container.js';
import { counter } from './counter.js';
import { currency } from './currency.js';
import { die } from './die.js';
import { hand } from './hand.js';
import { hourglass } from './hourglass.js';
import { label } from './label.js';
import { note } from './note.js';
import { supply } from './supply.js';
import { zone } from './zone.js';

/** @typedef {import('./ability.js').Ability} Ability */
/** @typedef {import('../view/catalog.js').Kind} Kind */

/**
 * The configuration of all abilities in a kind. A kind has at most one of them.
 * @typedef {import('./button.js').Config & import('./clock.js').Config
 *   & import('./container.js').Config
 *   & import('./counter.js').Config & import('./currency.js').Config & import('./die.js').Config
 *   & import('./hand.js').Config & import('./hourglass.js').Config
 *   & import('./label.js').Config & import('./note.js').Config
 *   & import('./supply.js').Config & import('./zone.js').Config
 * } Configs
 */

/** @type {Record<keyof Configs, Ability>} */
export const ABILITIES = {
  button, clock, container, counter, currency, die, hand, hourglass, seat: label, text: note,
  supply, zone,
};

/** The ability of a kind that has none. @type {Ability} */
const PLAIN = {};

/**
 * Returns the ability of a kind. It runs for each update of a piece.
 * @param {Kind} k
 * @returns {Ability}
 */
export function abilityOf(k) {
  for (const field in ABILITIES) {
    const name = /** @type {keyof Configs} */ (field);
    if (k[name]) return ABILITIES[name];
  }
  return PLAIN;
}
