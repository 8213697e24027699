// What pieces offer in addition to what all pieces can do (T36), and whether the offer makes sense
// for a piece now. The server says what is offered. This file adds checks for the operations that
// the page knows, so that no useless offer is shown. Pure; no DOM.

import { kindAt } from '../../view/catalog.js';
import { takes } from '../../sync/kinds.js';
import { countIn, hosts, isCooling, isHand, plays } from '../../state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../view/catalog.js').Kind} Kind */
/** @typedef {import('../../view/catalog.js').Ask} Ask */
/** @typedef {import('../../input/ops.js').Refusal} Refusal */
/** @typedef {import('../../view/catalog.js').Offer & {with?: Record<string, number>}} Offer */

const ofSeat = (/** @type {string} */ label) => [{ name: 'seat', label }];

/** Offers of hands in catalogues from before there were offers (http.md). @type {Offer[]} */
const HAND = [
  { op: 'claim', key: 'm', label: 'Make it mine' },
  { op: 'leave', key: 'v', label: 'Leave it' },
  { op: 'give', key: 'y', label: 'Give to a player', asks: ofSeat('To whom?') },
  { op: 'share', label: 'Share with a player', asks: ofSeat('With whom?') },
  { op: 'unshare', label: 'Share no longer', asks: ofSeat('With whom?') },
];

/** Offers of secret pieces in such catalogues. @type {Offer[]} */
const SECRET = [{ op: 'show', key: 'v', label: 'Show to one player', asks: ofSeat('To whom?') }];

/**
 * Returns what the pieces of a kind offer, most used first.
 * @param {import('../../view/catalog.js').Catalog} c
 * @param {number} kind
 * @returns {Offer[]}
 */
export function offersOf(c, kind) {
  const k = kindAt(c, kind);
  if (k.offers) return k.offers;
  if (c.kinds.some((other) => other.offers)) return [];
  return k.hand ? HAND : k.secret ? SECRET : [];
}

/**
 * Returns a name for an offer: the operation, its fixed arguments, and the names of the arguments
 * that it asks for. Offers of two kinds are the same if their names are equal.
 * @param {Offer} offer
 */
export function nameOfOffer({ op, with: fixed = {}, asks = [] }) {
  const given = Object.keys(fixed).sort().map((name) => `${name}=${fixed[name]}`);
  return [op, ...given, ...asks.map((a) => a.name)].join(' ');
}

/**
 * Returns everything that one of these pieces offers, each offer once, in the order of the kinds.
 * @param {State} s
 * @param {Piece[]} pieces
 * @returns {Offer[]}
 */
export function offersFor(s, pieces) {
  /** @type {Map<string, Offer>} */
  const found = new Map();
  for (const kind of new Set(pieces.map((p) => p.kind))) {
    for (const offer of offersOf(s.catalog, kind)) {
      const name = nameOfOffer(offer);
      if (!found.has(name)) found.set(name, offer);
    }
  }
  return [...found.values()];
}

/**
 * Reports whether a piece makes this offer.
 * @param {State} s
 * @param {Piece} piece
 * @param {Offer} offer
 */
export function isOffered(s, piece, offer) {
  const name = nameOfOffer(offer);
  return offersOf(s.catalog, piece.kind).some((other) => nameOfOffer(other) === name);
}

/**
 * Returns the offer for a letter, if all these pieces make the same offer with it.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {string} letter
 * @returns {Offer|undefined}
 */
export function offerOfKey(s, pieces, letter) {
  const [first, ...others] = pieces;
  if (!first) return undefined;
  const offer = offersOf(s.catalog, first.kind).find((o) => o.key === letter);
  return offer && others.every((p) => isOffered(s, p, offer)) ? offer : undefined;
}

/**
 * Operations that do not move or change the piece itself, so that a pin or a holder does not
 * prevent them.
 */
const FIXED = new Set([
  'claim', 'leave', 'give', 'share', 'unshare', 'draw', 'deal', 'recall', 'shuffle', 'cut', 'peek',
  'show', 'count', 'pass',
]);

/**
 * Returns why a piece cannot execute an offer now, or null if nothing is known against it.
 * @param {State} s
 * @param {Piece} piece
 * @param {Offer} offer
 * @returns {Refusal|null}
 */
export function hindrance(s, piece, offer) {
  const { op } = offer;
  const no = (/** @type {string} */ reason, by = 0) => ({ reason, piece: piece.id, by });
  const k = kindAt(s.catalog, piece.kind);
  if (!plays(s)) return no('spectator');
  if (!isOffered(s, piece, offer)) return no('not-allowed');
  if (k.hand && piece.owner !== 0 && op !== 'claim' && piece.owner !== s.sync.you && !hosts(s))
    return no('othersHand', piece.owner);
  if (piece.locked) return no('locked');
  if (!FIXED.has(op) && piece.holder !== 0 && piece.holder !== s.sync.you)
    return no('held', piece.holder);
  if (op === 'stow' && piece.pinned) return no('pinned');
  const reason = (CHECKS[op] ?? none)(s, piece, k, offer);
  return reason ? no(reason, reason === 'owned' ? piece.owner : 0) : null;
}

const none = () => '';

/**
 * What prevents an operation, as a reason of T14 or of the page; '' if nothing does.
 * @type {Record<string, (s: State, piece: Piece, k: Kind, offer: Offer) => string>}
 */
const CHECKS = {
  claim: (_s, { owner }) => (owner === 0 ? '' : 'owned'),
  leave: (_s, { owner }) => (owner === 0 ? 'freeHand' : ''),
  give: (s, piece) => ofHand(s, piece),
  share: (s, piece) => ofHand(s, piece),
  unshare: (_s, { owner, team }) => (owner === 0 ? 'freeHand' : team?.length ? '' : 'alone'),
  draw: (s, piece, _k, offer) => (has(s, piece, offer.asks ? 2 : 1) ? '' : 'empty'),
  deal: (s, piece) => (!has(s, piece, 1)
    ? 'empty'
    : [...s.sync.pieces.values()].some((p) => isHand(s, p) && p.owner !== 0) ? '' : 'noHand'),
  shuffle: (s, piece) => (has(s, piece, 2) ? '' : 'empty'),
  cut: (s, piece) => (has(s, piece, 2) ? '' : 'empty'),
  peek: (s, piece, k) => (!mayPeek(s, k)
    ? 'notYours'
    : k.container
      ? (has(s, piece, 1) ? '' : 'empty')
      : s.catalog.masks.has(piece.kind) ? '' : 'seen'),
  show: (s, piece) => (s.catalog.masks.has(piece.kind)
    ? 'hidden'
    : otherPlayers(s).length === 0 ? 'nobody' : ''),
  count: (_s, piece, k, offer) => (inBounds(k, (piece.value ?? 0) + (offer.with?.n ?? 0))
    ? ''
    : 'range'),
  roll: (s, piece) => (isCooling(s, piece.id) ? 'cooling' : ''),
  split: (_s, { value = 0 }) => (value > 1 ? '' : 'single'),
  assign: (_s, { owner }, _k, offer) => (offer.with?.seat === 0 && owner === 0 ? 'nobodys' : ''),
  stow: (s, piece) => (containersFor(s, piece).length > 0 ? '' : 'noContainer'),
};

/** @param {State} s @param {Piece} piece */
function ofHand(s, piece) {
  if (piece.owner === 0) return 'freeHand';
  return players(s).some((seat) => seat.id !== piece.owner) ? '' : 'nobody';
}

/**
 * Reports whether at least n pieces lie in a container. It also does so if their number is unknown.
 * @param {State} s
 * @param {Piece} piece
 * @param {number} n
 */
function has(s, piece, n) {
  return (countIn(s, piece) ?? Number.POSITIVE_INFINITY) >= n;
}

/** @param {Kind} k @param {number} value */
function inBounds(k, value) {
  return !k.counter || (value >= k.counter.min && value <= k.counter.max);
}

/**
 * Reports whether this person may look at face-down pieces of a kind, or into a container of it
 * (T31).
 * @param {State} s
 * @param {Kind} k
 */
export function mayPeek(s, k) {
  return k.peek === 'players' ? plays(s) : k.peek === 'host' && hosts(s);
}

/** Returns the seats of hosts and players, without those that have left. @param {State} s */
export function players(s) {
  return [...s.sync.seats.values()].filter(
    ({ role, left }) => !left && (role === 'host' || role === 'player'),
  ).sort((a, b) => a.id - b.id);
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

/**
 * Returns the containers that take a piece (T29), the nearest first.
 * @param {State} s
 * @param {Piece} piece
 */
export function containersFor(s, piece) {
  const far = (/** @type {Piece} */ c) => Math.hypot(c.x - piece.x, c.y - piece.y);
  return [...s.sync.pieces.values()].filter((c) => takes(s, c, piece)).sort(
    (a, b) => far(a) - far(b) || a.id - b.id,
  );
}
