// The words for measuring distances (see strings.js).

import { lengthIn } from './measuring.js';
import { upper } from '../../strings.js';
import { written } from '../../view/describe.js';

/** Formats a number with a tenth, if it has one. @param {number} value */
function decimal(value) {
  const [whole, tenth] = String(value).split('.');
  return written(Number(whole)) + (tenth ? `.${tenth}` : '');
}

/**
 * Formats a length.
 * @param {number} units
 * @param {number} pitch pitch of the grid in units; 0 if there is none
 */
function length(units, pitch) {
  const { value, unit } = lengthIn(units, pitch);
  if (unit === 'cm') return `${decimal(value)} cm`;
  return `${decimal(value)} ${value === 1 ? 'cell' : 'cells'}`;
}

export const rulerwords = {
  label: 'Ruler',
  length,
  /** @param {number} units @param {number} pitch */
  both: (units, pitch) =>
    pitch ? `${length(units, pitch)} (${length(units, 0)})` : length(units, 0),
  about: (/** @type {string} */ distance) => `≈ ${distance}`,
  begun:
    'Drag from a place or a piece to another one, or press one after the other. With keys: Enter on a piece, then on another one. Escape ends it.',
  begunTouch:
    'Drag with one finger from a place or a piece to another one, or tap one after the other. Two fingers move the table.',
  from: (/** @type {string} */ what) => `From ${what}. Now choose where to.`,
  place: (/** @type {string} */ where) => `the place ${where}`,
  lost: 'a piece',
  measured: (
    /** @type {string} */ from,
    /** @type {string} */ to,
    /** @type {string} */ distance,
  ) => `From ${from} to ${to}: ${distance}.`,
  reckoned: (
    /** @type {string} */ from,
    /** @type {string} */ to,
    /** @type {string} */ distance,
  ) => `From ${from} to ${to}: about ${distance}.`,
  gone: (/** @type {string} */ what) => `${upper(what)} is not to be seen on the table any more.`,
  /** Why the distance is not the table's, by phase. @type {Record<string, string>} */
  why: {
    asked: 'The table is asked…',
    waiting: 'There is no connection. The table is asked if it comes back within 10 seconds.',
    expired: 'No answer within 10 seconds: this is how far it is as this page sees it.',
    replaced:
      'Another window of yours has measured since: this is how far it is as this page sees it.',
    refused: 'The table does not answer that: this is how far it is as this page sees it.',
  },
  /** The same beside the number, shorter. @type {Record<string, string>} */
  notes: {
    asked: 'asking…',
    waiting: 'no connection',
    gone: 'not there',
    expired: 'no answer',
    replaced: 'no answer',
    refused: 'no answer',
  },
  again: 'Ask again',
  done: 'Done',
  ended: 'The ruler is put away.',
};
