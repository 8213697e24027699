// Hands (T23). The part `cards` draws them, and parts/abilities/hand.js has their operations.

/** @typedef {import('../types.js').Piece} Piece */

/**
 * @typedef {object} Config
 * @property {boolean} [hand]
 */

/** @type {import('./ability.js').Ability} */
export const hand = {
  parts: ['abilities', 'cards'],
  nameOf: (s, piece) => s.parts.cards?.handName(s, piece),
  says: (s, piece) => {
    const { cards } = s.parts;
    return cards ? [cards.holdingsOf(s, piece), ...cards.saysOfHand(s, piece)] : [];
  },
  look: 'hand',
  draw: (s, p, piece) => s.parts.cards?.drawHoldings(s, p, piece),
  drawMarks: (s, p, piece) => s.parts.cards?.drawHand(s, p, piece),
  effects: {
    claim: (piece, _, { you }) => (piece.owner === 0 ? { ...piece, owner: you } : piece),
    leave: (piece) => ({ ...piece, owner: 0, team: [] }),
    give: (piece, { seat = 0 }) => ({ ...piece, owner: seat, team: [] }),
    share: (piece, { seat = 0 }) => {
      const team = [...teamWithout(piece, seat), seat];
      return { ...piece, team: team.sort((a, b) => a - b) };
    },
    unshare: (piece, { seat = 0 }) => ({ ...piece, team: teamWithout(piece, seat) }),
  },
  isUsedInPlace: true,
};

/** @param {Piece} piece @param {number} seat */
function teamWithout({ team = [] }, seat) {
  return team.filter((other) => other !== seat);
}
