// What the catalogue says about pieces. sync/sync.js knows kinds by their numbers only, and asks
// here.

import { abilityOf } from '../kinds/abilities.js';
import { kindAt, kindOf } from '../view/catalog.js';
import { HEAVY, IN_HAND, levelFor, LIGHT } from './predict.js';
import { covers, isInMyHand, isMine, isOnRack } from '../rights.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Piece} Piece */
/** @typedef {import('../view/catalog.js').Kind} Kind */

/**
 * Lets sync/sync.js ask the catalogue, also one that comes later.
 * @param {State} s
 */
export function answerForKinds(s) {
  const { sync } = s;
  sync.layer = (piece) => layerOf(s, piece);
  sync.clockKind = (kind) => kindAt(s.catalog, kind).clock ?? null;
  sync.bounds = (kind) => boundsOf(kindAt(s.catalog, kind));
  sync.isMask = (kind) => s.catalog.masks.has(kind);
  sync.taker = (piece, op) => takerOf(s, piece, op);
}

/**
 * The layer of a piece: heavy pieces lie below all others, and pieces in a hand into which this
 * person sees lie above them. Levels order the pieces of one layer only (T23, T25).
 * @param {State} s
 * @param {Piece} piece
 */
export function layerOf(s, piece) {
  if (kindOf(s, piece).weight === 'heavy') return HEAVY;
  return isInMyHand(s, piece) ? IN_HAND : LIGHT;
}

/**
 * The bounds of the values of a kind; null if its pieces have no value.
 * @param {Kind} kind
 */
export function boundsOf(kind) {
  return abilityOf(kind).bounds?.(kind) ?? null;
}

/**
 * Whether hands hide the pieces of a kind, or those whose mask it is (T23).
 * @param {State} s
 * @param {number} kind
 */
export function isPrivate({ catalog }, kind) {
  const k = kindAt(catalog, kind);
  return k.secret || k.private === true || catalog.masks.has(kind);
}

/**
 * Whether a container takes a piece (T29).
 * @param {State} s
 * @param {Piece} container
 * @param {Piece} piece
 */
export function takes({ catalog }, container, piece) {
  const of = kindAt(catalog, container.kind).container;
  const k = kindAt(catalog, piece.kind);
  if (!of || k.weight === 'heavy' || (piece.set ?? 0) !== (container.set ?? 0)) return false;
  if (of.takes === undefined) return true;
  return piece.kind === of.takes || (k.secret && k.mask === of.takes);
}

/**
 * What takes a piece that is put down where it is; null if nothing does. A hand comes before a
 * container, the hand of its owner before other hands, and of two the uppermost (T23, T29).
 * @param {State} s
 * @param {Piece} piece
 * @param {string} op only a release puts a piece into a container
 * @returns {import('../types.js').Taken|null}
 */
export function takerOf(s, piece, op) {
  if (kindOf(s, piece).weight === 'heavy') return null;
  const under = heavyUnder(s, piece);
  const isHidden = isPrivate(s, piece.kind);
  const isCard = isHidden && !kindOf(s, piece).private;
  const isHand = (/** @type {Piece} */ p) =>
    p.owner !== 0 && kindOf(s, p).hand && (isCard || !kindOf(s, p).rack);
  const hands = isHidden ? under.filter(isHand) : [];
  const hand = hands.find((h) => h.owner === piece.owner) ?? hands[0];
  if (hand) {
    const { id, owner, team = [] } = hand;
    if (kindOf(s, hand).rack) return { into: 0, owner, team, z: '' };
    return isMine(s, hand) ? withLevel(s, piece, owner, team) : { into: id, owner, team, z: '' };
  }
  const container = op === 'release' ? under.find((c) => takes(s, c, piece)) : null;
  if (container) return { into: container.id, owner: 0, team: [], z: '' };
  if (!isHidden || piece.owner === 0) return null;
  return isOnRack(s, piece)
    ? { into: 0, owner: 0, team: [], z: '' }
    : withLevel(s, piece, 0, []);
}

/**
 * A piece that comes into a hand, or out of one, and stays in this view. It lies on top there.
 * @param {State} s
 * @param {Piece} piece
 * @param {number} owner
 * @param {number[]} team
 * @returns {import('../types.js').Taken}
 */
function withLevel(s, piece, owner, team) {
  if (owner === piece.owner) return { into: 0, owner, team, z: '' };
  const { pieces, layer } = s.sync;
  const z = levelFor(pieces.values(), { ...piece, owner, team }, 'raise', layer);
  return { into: 0, owner, team, z };
}

/**
 * The heavy pieces under the centre of a piece, the uppermost first.
 * @param {State} s
 * @param {Piece} piece
 */
function heavyUnder(s, piece) {
  const found = [];
  for (const { id } of s.view.order.below(LIGHT)) {
    const other = s.sync.pieces.get(id);
    if (other && id !== piece.id && covers(s, other, piece)) found.push(other);
  }
  return found.reverse();
}
