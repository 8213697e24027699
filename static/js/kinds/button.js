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
 * @property {string|Answer} [kind] its name, where one is meant
 * @property {number} [by]
 * @property {number|Answer} [add]
 * @property {number|Answer} [set]
 * @property {number|Answer} [n] of `deal`, `move` and `if`
 * @property {string|Answer} [to] of `move`: the name of the kind of the piece to which it goes
 * @property {number} [face] of `face` and `move`
 * @property {boolean} [reverse] of `pass`
 * @property {number} [side] of `start`
 * @property {string|Answer} [of] of `if`: what is counted, `value`, `pieces` or `holds`
 * @property {string} [in] of `if`: the name of the kind of the zone in which that is counted
 * @property {string} [is] of `if`: how that is compared with `n`, or the choice that was made
 * @property {Step[]} [then] of `if`
 * @property {Step[]} [else] of `if`
 * @property {Step[]} [steps] of `each seat`
 * @property {Answer} [seat] of `each seat`: the only one
 * @property {string} [name] of `set up`: which set-up, if it is not the first one; of `ask`: by
 *   which other steps refer to the answer
 * @property {string} [question] of `ask`, as the following (T95)
 * @property {string} [for] what the answer is: `number`, `choice`, `seat` or `piece`
 * @property {number} [min] of a number, as the following
 * @property {number} [max]
 * @property {number} [initial]
 * @property {string[]} [choices]
 */

/** The answer to a question of the button, by its name. @typedef {{answer: string}} Answer */

/** @type {import('./ability.js').Ability} */
export const button = {
  parts: ['abilities'],
  isRead: true,
  isUsedInPlace: true,
  explains: (s, _, k) => s.parts.abilities?.explainsSteps(k) ?? '',
  draw: (s, p, piece) => s.parts.abilities?.drawCooling(s, p, piece),
};
