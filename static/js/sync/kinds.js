// What the catalogue says of pieces, for sync/sync.js: it knows kinds by their numbers only.

import { kindAt } from '../view/catalog.js';
import { turned } from '../view/geometry.js';
import { HEAVY, IN_HAND, levelFor, LIGHT } from './predict.js';
import { isInMyHand, isMine } from '../state.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Piece} Piece */
/** @typedef {import('../view/catalog.js').Kind} Kind */

/** What a counter or a heap of currency may be worth at most, either side of 0 (T33, T34). */
const MOST = 2 ** 30;

/** Lets sync/sync.js ask the catalogue, whichever it is by then. @param {State} s */
export function answerForKinds(s) {
  const { sync } = s;
  sync.layer = (piece) => layerOf(s, piece);
  sync.clockKind = (kind) => kindAt(s.catalog, kind).clock ?? null;
  sync.bounds = (kind) => boundsOf(kindAt(s.catalog, kind));
  sync.taker = (piece, op) => takerOf(s, piece, op);
}

/**
 * Where a piece lies: what is heavy below all else, what lies in a hand into which this person sees above it. The levels of
 * pieces of different layers have nothing to do with each other (T23, T25).
 * @param {State} s @param {Piece} piece
 */
export function layerOf(s, piece) {
  if (kindAt(s.catalog, piece.kind).weight === 'heavy') return HEAVY;
  return isInMyHand(s, piece) ? IN_HAND : LIGHT;
}

/** Between which values pieces of a kind may be; null if they have none. @param {Kind} kind */
export function boundsOf({ counter, currency }) {
  if (currency) return { min: 1, max: MOST };
  return counter ? { min: counter.min, max: counter.max } : null;
}

/** Whether pieces of that kind, or pieces for which it stands, are hidden in hands (T23). @param {State} s @param {number} kind */
export function isPrivate({ catalog }, kind) {
  const k = kindAt(catalog, kind);
  return k.secret || k.private === true || catalog.masks.has(kind);
}

/**
 * Whether a container takes a piece (T29).
 * @param {State} s @param {Piece} container @param {Piece} piece
 */
export function takes({ catalog }, container, piece) {
  const of = kindAt(catalog, container.kind).container;
  const k = kindAt(catalog, piece.kind);
  if (!of || k.weight === 'heavy' || (piece.set ?? 0) !== (container.set ?? 0)) return false;
  if (of.takes === undefined) return true;
  return piece.kind === of.takes || (k.secret && k.mask === of.takes);
}

/**
 * Where a piece comes that is put down where it is; null if that changes nothing. A hand comes before a container, its own
 * before another's, and of two of them the uppermost (T23, T29).
 * @param {State} s @param {Piece} piece @param {'release'|'move'} op only what is released goes into containers
 * @returns {import('../types.js').Taken|null}
 */
export function takerOf(s, piece, op) {
  if (kindAt(s.catalog, piece.kind).weight === 'heavy') return null;
  const under = thereUnder(s, piece);
  const isHidden = isPrivate(s, piece.kind);
  const hands = isHidden ? under.filter((h) => h.owner !== 0 && kindAt(s.catalog, h.kind).hand) : [];
  const hand = hands.find((h) => h.owner === piece.owner) ?? hands[0];
  if (hand && !isMine(s, hand)) return { into: hand.id, owner: hand.owner, team: hand.team ?? [], z: '' };
  if (hand) return withLevel(s, piece, hand.owner, hand.team ?? []);
  const container = op === 'release' ? under.find((c) => takes(s, c, piece)) : null;
  if (container) return { into: container.id, owner: 0, team: [], z: '' };
  return isHidden && piece.owner !== 0 ? withLevel(s, piece, 0, []) : null;
}

/**
 * A piece that comes into a hand, or out of one, into sight lies on top there.
 * @param {State} s @param {Piece} piece @param {number} owner @param {number[]} team
 * @returns {import('../types.js').Taken}
 */
function withLevel(s, piece, owner, team) {
  const z = owner === piece.owner ? '' : levelFor(s.sync.pieces.values(), { ...piece, owner, team }, 'raise', s.sync.layer);
  return { into: 0, owner, team, z };
}

/** The heavy pieces under the centre of a piece, the uppermost first. @param {State} s @param {Piece} piece */
function thereUnder(s, piece) {
  const found = [];
  for (const { id } of s.order.below(LIGHT)) {
    const other = s.sync.pieces.get(id);
    if (other && id !== piece.id && covers(s, other, piece)) found.push(other);
  }
  return found.reverse();
}

/**
 * Whether a hand or a container covers a point. They stand upright or lie on their side: their angle counts in quarter turns.
 * @param {State} s @param {Piece} piece @param {{x: number, y: number}} point
 */
export function covers(s, piece, { x, y }) {
  const k = kindAt(s.catalog, piece.kind);
  const v = turned(x - piece.x, y - piece.y, -90 * Math.round(piece.angle / 9000));
  return Math.abs(v.x) <= k.width / 2 && Math.abs(v.y) <= k.height / 2;
}

/** The half of a heap of currency, at least 1. @param {Piece} piece */
export function halfOf({ value = 0 }) {
  return Math.max(1, Math.floor(value / 2));
}
