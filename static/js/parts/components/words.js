// The words for operations that could not be saved (see strings.js).

import { upper } from '../../strings.js';

/**
 * The name of a component in a sentence, by its number. The last entry that is not above the number
 * counts.
 * @type {[number, string][]}
 */
const NAMES = [
  [3001, 'the title of the table'],
  [3002, 'the surface of the table'],
  [3003, 'the size of the table'],
  [3004, 'the grid'],
  [3005, 'the links'],
  [3010, 'your profile'],
  [3020, 'a label'],
  [3021, 'a tint'],
  [3022, 'a remark'],
  [3030, 'the title of the score sheet'],
  [3031, 'the name of a row'],
  [3040, 'a line that you drew'],
  [3050, 'a ping'],
  [3060, 'a question to the table'],
  [3100, 'a cell of the score sheet'],
];

/** The reasons, by those of parts/components/replica.js. @type {Record<string, string>} */
const REASONS = {
  'not-allowed': 'it is not for you to write',
  gone: 'what it was for is not there any more',
  timestamp: 'it does not fit what the table has',
  full: 'the table has no room for more',
  unknown: 'the table does not know such a thing',
  epoch: 'the table was set back to an earlier state',
  'too-many': 'too much is waiting to be sent',
  role: 'spectators only watch',
};

export const sharedwords = {
  what: (/** @type {number} */ component) =>
    NAMES.findLast(([first]) => first <= component)?.[1] ?? 'something that you removed',
  changes: (/** @type {number} */ n) => `${n} changes`,
  lost: (/** @type {string} */ what, /** @type {string} */ reason) =>
    `${upper(what)} could not be saved: ${REASONS[reason] ?? 'the server has refused it'}.`,
};
