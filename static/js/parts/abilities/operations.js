// What the page knows of the operations that kinds offer (T36), by their names. It knows nothing of
// those of newer servers. Small kinds have their operations in kinds/. The others have them in this
// part, so that tables without such kinds do not load them.

import { ABILITIES } from '../../kinds/abilities.js';
import { OF_BUTTONS } from './button.js';
import { OF_CONTAINERS, OF_SECRETS } from './container.js';
import { OF_DICE } from './dice.js';
import { OF_HANDS } from './hand.js';
import { OF_COUNTERS } from './steps.js';
import { OF_HEAPS } from './taking.js';
import { OF_LABELS } from './turn.js';

/** @typedef {import('../../kinds/ability.js').Operation} Operation */

/** @type {Record<string, Operation>} */
const OPERATIONS = Object.assign(
  {}, OF_HANDS, OF_CONTAINERS, OF_SECRETS, OF_DICE, OF_COUNTERS, OF_LABELS,
  OF_BUTTONS, OF_HEAPS,
  ...Object.values(ABILITIES).map(({ operations }) => operations),
);

/** An operation that the page does not know. @type {Operation} */
const UNKNOWN = { icon: 'other', takesPiece: true };

/** @param {string} op @returns {Operation} */
export function operationOf(op) {
  return Object.hasOwn(OPERATIONS, op) ? OPERATIONS[op] : UNKNOWN;
}
