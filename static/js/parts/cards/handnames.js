// Hands in words: their owners, their teams and their contents.

import { isPlayer, isReferee } from '../../roles.js';
import { msg } from './msg.js';
import { list } from '../../messages.js';
import { kindOf } from '../../view/catalog.js';
import { countIn, isMine, isOnRack, isPresent } from '../../rights.js';
import { isSmall } from '../../view/dom.js';
import { lower, written } from '../../view/describe.js';
import { nickOf } from '../../view/names.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */

/**
 * Returns the text at a hand: its owner, its team, and the number of pieces in it.
 * @param {State} s
 * @param {Piece} piece
 */
export function handTag(s, piece) {
  const isRack = kindOf(s, piece).rack === true;
  const kind = ownKind(s, piece);
  const forYou = isWithout(s, s.sync.you);
  const free = kind
    ? msg(forYou ? 'cards.piece.freeKindForYou' : 'cards.piece.freeKind', { kind })
    : forYou
      ? msg(isRack ? 'cards.piece.freeRackForYou' : 'cards.piece.freeHandForYou')
      : msg(isRack ? 'cards.piece.freeRack' : 'cards.piece.freeHandTag');
  const name = piece.owner === 0 ? free : tagName(s, piece);
  const team = teamOf(s, piece);
  const n = piece.owner === 0 ? null : countIn(s, piece);
  const sum = sumIn(s, piece);
  return [
    team.length > 0 ? msg('cards.holds.shared', { name, nicks: team.join(', ') }) : name,
    n ? String(n) : '',
    sum > 0 ? written(sum) : '',
    isRack && isForYouAlone(s, piece)
      ? msg(isSmall() ? 'cards.piece.onlyYouShort' : 'cards.piece.onlyYou') : '',
  ].filter(Boolean).join(' · ');
}

/**
 * Returns the owner of a hand for its tag. On phones it is the name alone: there tags are wider
 * than the hands, and those at the sides of the table would not fit.
 * @param {State} s
 * @param {Piece} piece
 */
function tagName(s, piece) {
  const isOthers = piece.owner !== s.sync.you;
  return isOthers && isSmall() ? nickOf(s, piece.owner) : handName(s, piece);
}

/** Reports whether somebody plays and has no hand. @param {State} s @param {number} id */
export function isWithout(s, id) {
  if (!isPlayer(s.sync.seats.get(id))) return false;
  return ![...s.sync.pieces.values()].some((p) => p.owner === id && kindOf(s, p).hand);
}

/** Reports whether somebody who is here plays and has no hand. @param {State} s */
export function isAnybodyWithout(s) {
  return [...s.sync.seats.values()].some((seat) => isPresent(seat) && isWithout(s, seat.id));
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
    if (kindOf(s, p).currency && p.owner === hand.owner && p.holder === 0)
      sum += p.value ?? 0;
  }
  return sum;
}

/** Reports whether somebody is a referee, who sees all fronts (T74). @param {State} s */
export function hasReferee(s) {
  return [...s.sync.seats.values()].some(isReferee);
}

/**
 * Reports whether nobody else sees the fronts on this person's rack: it has no team, and nobody is
 * a referee.
 * @param {State} s
 * @param {Piece} piece the rack, or what lies on it
 */
function isForYouAlone(s, { owner, team = [] }) {
  return owner === s.sync.you && team.length === 0 && !hasReferee(s);
}

/** Returns the name of a rack (T96). @param {State} s @param {Piece} piece */
function rackName(s, { owner }) {
  if (owner === 0) return msg('cards.piece.freeRack');
  if (owner === s.sync.you) return msg('cards.piece.yourRack');
  return msg('cards.piece.rackOf', { nick: nickOf(s, owner) });
}

/**
 * Returns what to say about a piece on a rack: whose it is, and who sees its front.
 * @param {State} s
 * @param {Piece} piece
 * @returns {string[]}
 */
export function saysOnRack(s, piece) {
  if (!isOnRack(s, piece)) return [];
  const nick = nickOf(s, piece.owner);
  if (piece.owner !== s.sync.you) return [msg('cards.piece.onRackOf', { nick })];
  return [msg(isForYouAlone(s, piece) ? 'cards.piece.onYourRack' : 'cards.piece.onSharedRack')];
}

/**
 * Returns the name of the kind of a hand that is called something else, such as a screen, as it
 * stands inside a sentence; '' for a hand or a rack.
 * @param {State} s
 * @param {Piece} piece
 */
function ownKind(s, piece) {
  const { name = '', rack } = kindOf(s, piece);
  return rack || /hand/i.test(name) ? '' : lower(name);
}

/** Returns the name of a hand. @param {State} s @param {Piece} piece */
export function handName(s, piece) {
  if (kindOf(s, piece).rack) return rackName(s, piece);
  const kind = ownKind(s, piece);
  if (kind) {
    if (piece.owner === 0) return msg('cards.piece.freeKind', { kind });
    if (piece.owner === s.sync.you) return msg('cards.piece.yourKind', { kind });
    return msg('cards.piece.kindOf', { nick: nickOf(s, piece.owner), kind });
  }
  if (piece.owner === 0) return msg('cards.piece.freeHand');
  if (piece.owner === s.sync.you) return msg('cards.piece.yourHand');
  return msg('cards.piece.handOf', { nick: nickOf(s, piece.owner) });
}

/**
 * Returns the names of the team that a hand is shared with.
 * @param {State} s
 * @param {Piece} piece
 */
function teamOf(s, { team = [] }) {
  return team.map((seat) => (seat === s.sync.you ? msg('cards.you') : nickOf(s, seat)));
}

/** Returns what else to say about a hand besides its name. @param {State} s @param {Piece} piece */
export function saysOfHand(s, piece) {
  const team = teamOf(s, piece);
  const sum = sumIn(s, piece);
  return [
    team.length > 0 ? msg('cards.piece.sharedWith', { nicks: list(team) }) : '',
    sum > 0 ? msg('cards.piece.sum', { n: sum }) : '',
  ];
}
