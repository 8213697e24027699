// The seats that an operation may be for.

import { isPlayer } from '../../roles.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */

/** Returns the seats of hosts and players, without those that have left. @param {State} s */
export function players(s) {
  return [...s.sync.seats.values()].filter(isPlayer).sort((a, b) => a.id - b.id);
}

/** Returns the seats that play, except this person's. @param {State} s */
export function otherPlayers(s) {
  return players(s).filter(({ id }) => id !== s.sync.you);
}

/**
 * Returns the seats that an operation may be for.
 * @param {State} s
 * @param {string} op
 * @param {Piece[]} pieces
 */
export function seatsFor(s, op, pieces) {
  const owner = pieces[0]?.owner ?? 0;
  const team = pieces[0]?.team ?? [];
  switch (op) {
    case 'show':
      return otherPlayers(s);
    case 'give':
      return players(s).filter(({ id }) => id !== owner);
    case 'share':
      return players(s).filter(({ id }) => id !== owner && !team.includes(id));
    case 'unshare':
      return players(s).filter(({ id }) => team.includes(id));
    default:
      return players(s);
  }
}
