// Player labels and turn markers: pieces that belong to a seat (T35). parts/abilities/turn.js has
// their operations, and announces whose turn it is.

import { msg } from '../msg.js';
import { nickOf } from '../view/names.js';

/**
 * @typedef {object} Config
 * @property {'label'|'turn'} [seat] whether it is a player label or a turn marker (T35)
 */

/** @type {import('./ability.js').Ability} */
export const label = {
  parts: ['abilities'],
  says: (s, { owner }) => [
    owner === 0
      ? msg('core.piece.nobodys')
      : owner === s.sync.you
        ? msg('core.piece.yours')
        : msg('core.piece.ownedBy', { nick: nickOf(s, owner) }),
  ],
  writes: 'name',
  effects: {
    assign: (piece, { seat = 0 }) => ({ ...piece, owner: seat }),
    pass: (piece, _, { players }) => ({ ...piece, owner: next(players, piece.owner) }),
  },
};

/**
 * The seat whose turn comes after that of `seat`; behind the last one, the first (T35).
 * @param {number[]} players
 * @param {number} seat
 */
function next(players, seat) {
  const after = players.filter((other) => other > seat);
  return Math.min(...(after.length > 0 ? after : players));
}
