// The words for guest sets (see strings.js).

import { upper } from '../../strings.js';

export const guestwords = {
  take: 'Put back into the bag',
  yours: 'yours, from your bag',
  of: (/** @type {string} */ nick) => `brought by ${nick}`,
  isAway: (/** @type {string} */ why) => `away: ${why}`,
  away: (/** @type {string} */ nick, /** @type {string} */ why) => `What ${nick} has brought is away: ${why}. It can be moved, but not turned up, drawn, shuffled or changed.`,
  back: (/** @type {string} */ nick) => `What ${nick} has brought is back.`,
  again: (/** @type {string} */ why, /** @type {number} */ minutes) =>
    `${why}; it is asked again in ${minutes} min`,

  /** @type {Record<string, string>} */
  reasons: {
    creator: 'nobody can be asked where it is',
    owner: 'the server to which it belongs does not answer',
    frozen: 'it is on its way to another server',
    stranger: 'it belongs to a server that this one does not know',
    lost: 'the server to which it belongs has lost it',
  },
};

/** What somebody did (see strings.did). */
export const guestdid = {
  take: (/** @type {string} */ who, /** @type {string} */ what) =>
    `${who} took ${what} off the table.`,
  place: (/** @type {string} */ who, /** @type {string} */ what) =>
    `${who} put ${what} on the table.`,
};

/**
 * Why an operation is impossible (see strings.why).
 * @type {Record<string, (what: string, nick: string) => string>}
 */
export const guestwhy = {
  away: (/** @type {string} */ what) =>
    `${upper(what)} is away: only the server to which it belongs can do that.`,
  scattered: (/** @type {string} */ what) => `Not all that belongs to ${what} lies in it or free on the table. Call it back, or let others put down what they have of it.`,
};
