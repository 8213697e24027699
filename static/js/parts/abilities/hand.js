// The operations of hands (T23).

import { players } from './seats.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */

/** @type {Record<string, import('../../kinds/ability.js').Operation>} */
export const OF_HANDS = {
  claim: { icon: 'claim', check: (_s, { owner }) => (owner === 0 ? '' : 'owned') },
  leave: { icon: 'leave', check: (_s, { owner }) => (owner ? '' : 'freeHand') },
  give: { icon: 'give', check: passable },
  share: { icon: 'team', aside: true, check: passable },
  unshare: {
    icon: 'unteam',
    aside: true,
    check: (_s, { owner, team }) => (owner === 0 ? 'freeHand' : team?.length ? '' : 'alone'),
  },
};

/** @param {State} s @param {Piece} piece */
function passable(s, piece) {
  if (piece.owner === 0) return 'freeHand';
  return players(s).some((seat) => seat.id !== piece.owner) ? '' : 'nobody';
}
