// The words for secret pieces, hands and containers (see strings.js).

import { count, lower } from '../../strings.js';

/** Returns the plural of a name: "card" → "cards". @param {string} name */
const many = (name) => (/(s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`);

export const cardwords = {
  youDid: 'You',

  // The contents of hands and containers.
  holds: {
    empty: 'empty',
    number: (/** @type {number} */ n) => `${n}`,
    pieces: (/** @type {number} */ n) => count(n, 'one piece', 'pieces'),
    some: (/** @type {number} */ n, /** @type {string} */ name) => (n === 1
      ? `one ${lower(name)}`
      : `${n} ${many(lower(name))}`),
    others: (/** @type {number} */ n) => count(n, 'one piece', 'pieces'),
    shared: (/** @type {string} */ name, /** @type {string[]} */ nicks) =>
      `${name} + ${nicks.join(', ')}`,
  },

  // Notices. `who` is a person or “You”, `what` a container or a card.
  notice: {
    shuffle: (/** @type {string} */ who, /** @type {string} */ what) => `${who} shuffled ${what}.`,
    cut: (/** @type {string} */ who, /** @type {string} */ what) => `${who} cut ${what}.`,
    deal: (/** @type {string} */ who, /** @type {string} */ what, /** @type {number} */ n) =>
      `${who} dealt ${n > 0 ? `${n} to each hand` : 'to all hands'} from ${what}.`,
    draw: (/** @type {string} */ who, /** @type {string} */ what, /** @type {number} */ n) =>
      n > 1 ? `${who} drew ${n} from ${what}.` : `${who} drew from ${what}.`,
    recall: (/** @type {string} */ who, /** @type {string} */ what, /** @type {number} */ n) =>
      `${who} called ${n > 0 ? `${n} ` : 'all '}back to ${what}.`,
    peek: (/** @type {string} */ who, /** @type {string} */ what, /** @type {number} */ n) =>
      n > 1 ? `${who} looked at the top ${n} of ${what}.` : `${who} looked at the top of ${what}.`,
    look: (/** @type {string} */ who, /** @type {string} */ what) =>
      `${who} looked at ${what} that lies face down.`,
    show: (/** @type {string} */ who, /** @type {string} */ what, /** @type {string} */ to) =>
      `${who} showed ${what} to ${to}.`,
  },
  shown: {
    by: (/** @type {string} */ nick) => `${nick} shows you`,
    top: (/** @type {number} */ n, /** @type {string} */ what) => (n === 1
      ? `The top of ${what}`
      : `The top ${n} of ${what}`),
    look: 'What lies here face down',
    says: (/** @type {string} */ title, /** @type {string[]} */ names) =>
      `${title}: ${names.join(', ')}.`,
    close: 'Close',
  },

  // What this player did with the keyboard.
  played: (/** @type {string} */ what) => `You played ${what}.`,
  playedDown: (/** @type {string} */ what) => `You played ${what}, face down.`,
  sorted: { kind: 'Your cards are sorted.', rank: 'Your cards are sorted by rank.' },
};
