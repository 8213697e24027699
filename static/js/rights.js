// Who may do what at the table, and to whom a piece belongs.

import { isHosting, isPlayer, isReferee } from './roles.js';
import { isBack, kindOf } from './view/catalog.js';
import { turned } from './view/geometry.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./types.js').Piece} Piece */

/** Returns whether this person may change anything. @param {State} s */
export function plays(s) {
  return isPlayer(s.sync.seats.get(s.sync.you));
}

/** Returns whether this person may do what hosts may: they are the host or a co-host (T66).
 * @param {State} s */
export function hosts(s) {
  return isHosting(s.sync.seats.get(s.sync.you));
}

/** Returns whether this person is the host. @param {State} s */
export function isHost(s) {
  return s.sync.seats.get(s.sync.you)?.role === 'host';
}

/**
 * Returns whether somebody has a stream, whatever they look at (S11).
 * @param {import('./types.js').Seat} seat
 */
export function isPresent(seat) {
  return seat.presence === 'here' || seat.presence === 'away';
}

/**
 * Whose consent an undo needs, as in componentpb.Undo (T63.22): all, a host; nothing is undone.
 * @type {(0 | 1 | 2)[]}
 */
export const UNDO_CONSENTS = [0, 1, 2];

/** Returns whose consent an undo needs, one of UNDO_CONSENTS. @param {State} s */
export function undoConsent({ parts: { components } }) {
  const is = components?.replica.get(components.entities.TABLE, components.COMPONENTS.undo);
  return UNDO_CONSENTS.find((n) => n === is?.consent) ?? 0;
}

/** Returns whether nothing can be undone at the table. @param {State} s */
export function isUndoOff(s) {
  return undoConsent(s) === 2;
}

/** Returns whether those who watch only read the chat (T64.11). @param {State} s */
export function isChatSilent({ parts: { components } }) {
  const is = components?.replica.get(components.entities.TABLE, components.COMPONENTS.chat);
  return is?.silent === true;
}

/** @param {State} s @param {Piece} piece */
export function isHand(s, piece) {
  return kindOf(s, piece).hand === true;
}

/**
 * Returns whether a piece is the hand of somebody else, which only its owner and hosts may change
 * (T24), or lies on the rack of somebody else (T96).
 * @param {State} s
 * @param {Piece} piece
 */
export function isOthersHand(s, piece) {
  if (piece.owner === 0 || piece.owner === s.sync.you) return false;
  const { hand, seat } = kindOf(s, piece);
  return hand ? !hosts(s) : s.catalog.racks && !seat && !isMine(s, piece);
}

/**
 * Returns the reason why this person cannot change a piece that belongs to somebody else: it is
 * their hand, or lies on their rack; '' if that is not so.
 * @param {State} s
 * @param {Piece} piece
 * @returns {'othersHand'|'othersRack'|''}
 */
export function whyOthers(s, piece) {
  if (!isOthersHand(s, piece)) return '';
  return isHand(s, piece) ? 'othersHand' : 'othersRack';
}

/**
 * Returns whether this person sees into a hand, or into the hand in which a piece lies: it is their
 * own or their team's (T23), or they are a referee (T74).
 * @param {State} s
 * @param {Piece} piece
 */
export function isMine({ sync }, { owner, team }) {
  return owner !== 0 && (owner === sync.you || team?.includes(sync.you) === true ||
    isReferee(sync.seats.get(sync.you)));
}

/**
 * Returns whether a piece lies on its front, and this person sees that front all the same: a
 * referee does (T74).
 * @param {State} s
 * @param {Piece} piece
 */
export function seesThrough(s, piece) {
  return isBack(s.catalog, piece) &&
    isReferee(s.sync.seats.get(s.sync.you));
}

/** Returns whether a piece lies in a hand into which this person sees.
 * @param {State} s @param {Piece} piece */
export function isInMyHand(s, piece) {
  const k = kindOf(s, piece);
  return !k.hand && !k.seat && isMine(s, piece) && !isOnRack(s, piece);
}

/** Returns whether a piece lies on a rack of its owner (T96).
 * @param {State} s @param {Piece} piece */
export function isOnRack(s, piece) {
  if (!s.catalog.racks || piece.owner === 0 || kindOf(s, piece).hand) return false;
  for (const p of s.sync.pieces.values())
    if (p.owner === piece.owner && kindOf(s, p).rack && covers(s, p, piece)) return true;
  return false;
}

/**
 * Whether a hand or a container covers a point. Its angle is rounded to quarter turns.
 * @param {State} s
 * @param {Piece} piece
 * @param {{x: number, y: number}} point
 */
export function covers(s, piece, { x, y }) {
  const k = kindOf(s, piece);
  const v = turned(x - piece.x, y - piece.y, -90 * Math.round(piece.angle / 9000));
  return Math.abs(v.x) <= k.width / 2 && Math.abs(v.y) <= k.height / 2;
}

/**
 * Counts the pieces in a hand or a container, including those that are about to enter it. Returns
 * null if their number is hidden (T29).
 * @param {State} s
 * @param {Piece} piece the hand or the container
 * @returns {number|null}
 */
export function countIn(s, piece) {
  const k = kindOf(s, piece);
  if (k.counted === false || k.rack || (!k.hand && !k.container)) return null;
  let n = 0;
  for (const { count } of s.sync.holds.get(piece.id) ?? []) n += count;
  for (const { into } of s.sync.entering.values()) if (into === piece.id) n++;
  return n;
}
