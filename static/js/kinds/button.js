// Buttons (T84). The server does what a button says. parts/abilities/button.js has the operation.

/**
 * @typedef {object} Config
 * @property {{who: 'players' | 'host', cooldown: number, steps: Step[]}} [button] T84; the
 *   cool-down in milliseconds
 */

/**
 * What a button does with all pieces of a kind (T85), in one of two cases (T91), or for each who
 * plays (T92).
 * @typedef {object} Step
 * @property {string} do
 * @property {string} [kind] its name, where one is meant
 * @property {number} [by]
 * @property {number} [add]
 * @property {number} [set]
 * @property {number} [n] of `deal`, `move` and `if`
 * @property {string} [to] of `move`: the name of the kind of the piece to which it goes
 * @property {number} [face] of `face` and `move`
 * @property {boolean} [reverse] of `pass`
 * @property {number} [side] of `start`
 * @property {string} [of] of `if`: what is counted, `value`, `pieces` or `holds`
 * @property {string} [in] of `if`: the name of the kind of the zone in which that is counted
 * @property {string} [is] of `if`: how that is compared with `n`
 * @property {Step[]} [then] of `if`
 * @property {Step[]} [else] of `if`
 * @property {Step[]} [steps] of `each seat`
 * @property {string} [name] of `set up`: which set-up, if it is not the first one
 */

/** @type {import('./ability.js').Ability} */
export const button = {
  parts: ['abilities'],
  isRead: true,
  isUsedInPlace: true,
  says: (s, _, k) => s.parts.abilities?.saysSteps(k) ?? [],
  draw: (s, p, piece) => s.parts.abilities?.drawCooling(s, p, piece),
};
