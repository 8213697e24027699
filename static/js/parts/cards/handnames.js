// Hands in words: their owners, their teams and their contents.

import { cardwords } from './words.js';
import { kindAt } from '../../view/catalog.js';
import { countIn, isMine } from '../../state.js';
import { strings } from '../../strings.js';
import { nickOf, written } from '../../view/describe.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */

/**
 * Returns the text at a hand: its owner, its team, and the number of pieces in it.
 * @param {State} s
 * @param {Piece} piece
 */
export function handTag(s, piece) {
  const t = cardwords.holds;
  const name = piece.owner === 0 ? strings.piece.freeHandTag : handName(s, piece);
  const team = teamOf(s, piece);
  const n = piece.owner === 0 ? null : countIn(s, piece);
  const sum = sumIn(s, piece);
  return [
    team.length > 0 ? t.shared(name, team) : name, n ? t.number(n) : '',
    sum > 0 ? written(sum) : '',
  ].filter(Boolean).join(' · ');
}

/**
 * Returns the value of the currency in a hand that this person sees into.
 * @param {State} s
 * @param {Piece} hand
 */
function sumIn(s, hand) {
  if (!isMine(s, hand)) return 0;
  let sum = 0;
  for (const p of s.sync.pieces.values()) {
    if (kindAt(s.catalog, p.kind).currency && p.owner === hand.owner && p.holder === 0)
      sum += p.value ?? 0;
  }
  return sum;
}

/** Returns the name of a hand. @param {State} s @param {Piece} piece */
export function handName(s, piece) {
  if (piece.owner === 0) return strings.piece.freeHand;
  if (piece.owner === s.sync.you) return strings.piece.yourHand;
  return strings.piece.handOf(nickOf(s, piece.owner));
}

/**
 * Returns the names of the team that a hand is shared with.
 * @param {State} s
 * @param {Piece} piece
 */
function teamOf(s, { team = [] }) {
  return team.map((seat) => (seat === s.sync.you ? strings.you : nickOf(s, seat)));
}

/** Returns what else to say about a hand besides its name. @param {State} s @param {Piece} piece */
export function saysOfHand(s, piece) {
  const t = strings.piece;
  const team = teamOf(s, piece);
  const sum = sumIn(s, piece);
  return [team.length > 0 ? t.sharedWith(team) : '', sum > 0 ? t.sum(sum) : ''];
}
