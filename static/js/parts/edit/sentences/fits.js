// Which kinds of the table fit a chip: those whose pieces can have the verb, and of which everybody
// knows which pieces are meant. The server has the same rules (T84.8, T91.9). No DOM.

/** @typedef {import('../../../view/catalog.js').Kind} Kind */
/** @typedef {import('./forms.js').Wanted} Wanted */

/**
 * A kind of the table, as sentences need it.
 * @typedef {object} Choice
 * @property {string} name as the game has it: steps refer to it by that
 * @property {string} label the same in the language of the page
 * @property {Kind} kind
 * @property {boolean} isMask whether it stands for concealed pieces
 * @property {boolean} isThere whether a piece of it lies on the table
 */

/**
 * Reports whether the pieces of a kind can be meant.
 * @param {Choice} choice
 * @param {Wanted} of
 */
export function fits({ kind, isMask }, of) {
  if (kind.secret || kind.unknown) return false;
  if (of === 'pieces') return true; // a secret piece counts as its mask
  if (of === 'inZone') return kind.weight === 'light';
  if (isMask) return false;
  switch (of) {
    case 'to':
    case 'piece':
      return true;
    case 'deal':
    case 'move':
    case 'recall':
      return kind.container !== undefined;
    case 'shuffle':
      return kind.container?.draws === 'top';
    case 'holds':
      return kind.container !== undefined && kind.counted !== false;
    case 'sort':
      return kind.zone !== undefined && kind.zone.lay !== 'free';
    case 'zone':
      return kind.zone !== undefined;
    case 'value':
      return kind.counter !== undefined;
    default:
      return !kind.hand && !kind.container && isAble(kind, of);
  }
}

/** @param {Kind} kind @param {Wanted} of */
function isAble(kind, of) {
  switch (of) {
    case 'flip':
      return kind.faces.length === 2;
    case 'face':
      return kind.faces.length > 1;
    case 'count':
      return kind.counter !== undefined;
    case 'roll':
      return kind.die !== undefined;
    case 'pass':
      return kind.seat === 'turn';
    case 'start':
    case 'pause':
    case 'reset':
      return kind.clock !== undefined;
    default:
      return true; // it is turned
  }
}

/**
 * Returns the kinds that fit, those of which pieces lie on the table first. Of several with a name
 * the first one is meant.
 * @param {Choice[]} choices
 * @param {Wanted} of
 */
export function fitting(choices, of) {
  const named = choices.filter(({ name }, i) => choices.findIndex((c) => c.name === name) === i);
  const fit = named.filter((choice) => fits(choice, of));
  return [...fit.filter((c) => c.isThere), ...fit.filter((c) => !c.isThere)];
}

/**
 * Returns the kind of a name; undefined if the table does not have it.
 * @param {Choice[]} choices
 * @param {unknown} name
 */
export const choiceOf = (choices, name) => choices.find((choice) => choice.name === name);
