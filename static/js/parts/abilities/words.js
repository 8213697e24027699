// The words for what pieces do (see strings.js).

import { list, lower, upper } from '../../strings.js';

export const actingwords = {
  turnOf: (/** @type {string} */ nick) => `It is ${nick}’s turn.`,
  yourTurn: 'It is your turn.',

  dice: {
    rolled: (/** @type {string} */ who, /** @type {string} */ what) => `${who} rolled ${what}.`,
    youRolled: (/** @type {string} */ what) => `You rolled ${what}.`,
    faces: (/** @type {string[]} */ faces) => list(faces.map(lower)),
    sum: (/** @type {string[]} */ faces, /** @type {number} */ sum) =>
      `${list(faces)}, together ${sum}`,
  },
};

/** What somebody did (see strings.did). */
export const actingdid = {
  stow: (/** @type {string} */ who, /** @type {string} */ what) => `${who} put ${what} away.`,
  claim: (/** @type {string} */ who) => `${who} claimed a hand.`,
  leave: (/** @type {string} */ who) => `${who} left a hand.`,
  give: (/** @type {string} */ who) => `${who} gave a hand away.`,
  share: (/** @type {string} */ who) => `${who} shares a hand.`,
  unshare: (/** @type {string} */ who) => `${who} shares a hand no longer.`,
  count: (/** @type {string} */ who, /** @type {string} */ what) => `${who} changed ${what}.`,
  split: (/** @type {string} */ who, /** @type {string} */ what) =>
    `${who} took something off ${what}.`,
  merge: (/** @type {string} */ who, /** @type {string} */ what) => `${who} put ${what} together.`,
  write: (/** @type {string} */ who, /** @type {string} */ what) => `${who} wrote on ${what}.`,
  assign: (/** @type {string} */ who, /** @type {string} */ what) => `${who} gave ${what} away.`,
  pass: (/** @type {string} */ who) => `${who} passed the turn on.`,
};

/**
 * Why an operation is impossible (see strings.why).
 * @type {Record<string, (what: string, nick: string) => string>}
 */
export const actingwhy = {
  empty: (/** @type {string} */ what) => `There is not that much in ${what}.`,
  range: (/** @type {string} */ what) => `${upper(what)} does not go that far.`,
  cooling: (/** @type {string} */ what) => `${upper(what)} has just been rolled.`,
  'not-empty': (/** @type {string} */ what) =>
    `${upper(what)} is not empty. Call back or draw what lies in it first.`,
  owned: (/** @type {string} */ _what, /** @type {string} */ nick) =>
    `That hand is ${nick}’s already.`,
  freeHand: () => 'That hand is nobody’s. Claim it first.',
  alone: () => 'That hand is not shared with anybody.',
  noHand: () => 'Nobody has a hand to deal to.',
  notYours: (/** @type {string} */ what) => `Nobody here may look at ${what}.`,
  seen: (/** @type {string} */ what) => `You see ${what} already.`,
  nobody: () => 'There is nobody else who plays.',
  single: (/** @type {string} */ what) => `${upper(what)} cannot be divided any more.`,
  nobodys: (/** @type {string} */ what) => `${upper(what)} is nobody’s already.`,
  noContainer: (/** @type {string} */ what) => `There is nothing here into which ${what} goes.`,
  otherHand: (/** @type {string} */ _what, /** @type {string} */ nick) =>
    `That card is in ${nick}’s hand.`,
};
