// Hands in words: whose they are, with whom they are shared, what lies in them.

import { cardwords } from './words.js';
import { kindAt } from '../../view/catalog.js';
import { countIn, isMine } from '../../state.js';
import { strings } from '../../strings.js';
import { nickOf, written } from '../../view/describe.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */

/** What stands at a hand: whose it is, with whom it is shared, how many pieces lie in it. @param {State} s @param {Piece} piece */
export function handTag(s, piece) {
  const t = cardwords.holds;
  const name = piece.owner === 0 ? strings.piece.freeHandTag : handName(s, piece);
  const team = teamOf(s, piece);
  const n = piece.owner === 0 ? null : countIn(s, piece);
  const sum = sumIn(s, piece);
  return [team.length > 0 ? t.shared(name, team) : name, n ? t.number(n) : '', sum > 0 ? written(sum) : ''].filter(Boolean).join(' · ');
}

/** What the currency is worth that lies in a hand into which this person sees. @param {State} s @param {Piece} hand */
function sumIn(s, hand) {
  if (!isMine(s, hand)) return 0;
  let sum = 0;
  for (const p of s.sync.pieces.values()) {
    if (kindAt(s.catalog, p.kind).currency && p.owner === hand.owner && p.holder === 0) sum += p.value ?? 0;
  }
  return sum;
}

/** What a hand is called. @param {State} s @param {Piece} piece */
export function handName(s, piece) {
  if (piece.owner === 0) return strings.piece.freeHand;
  if (piece.owner === s.sync.you) return strings.piece.yourHand;
  return strings.piece.handOf(nickOf(s, piece.owner));
}

/** With whom a hand is shared. @param {State} s @param {Piece} piece */
function teamOf(s, { team = [] }) {
  return team.map((seat) => (seat === s.sync.you ? strings.you : nickOf(s, seat)));
}

/** What there is to say of a hand beside its name. @param {State} s @param {Piece} piece */
export function saysOfHand(s, piece) {
  const t = strings.piece;
  const team = teamOf(s, piece);
  const sum = sumIn(s, piece);
  return [team.length > 0 ? t.sharedWith(team) : '', sum > 0 ? t.sum(sum) : ''];
}
