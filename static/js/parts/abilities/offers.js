// What pieces offer in addition to what all pieces can do (T36), and whether the offer makes sense
// for a piece now. The server says what is offered. The operations that the page knows have checks,
// so that no useless offer is shown. Pure; no DOM.

import { msg } from './msg.js';
import { kindAt, kindOf } from '../../view/catalog.js';
import { plays, whyOthers } from '../../rights.js';
import { operationOf } from './operations.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../input/ops.js').Refusal} Refusal */
/** @typedef {import('../../view/catalog.js').Offer} Offer */
/** @typedef {import('../../view/catalog.js').Catalog} Catalog */

const TO_WHOM = [{ name: 'seat', label: msg('abilities.offers.toWhom') }];
const WITH_WHOM = [{ name: 'seat', label: msg('abilities.offers.withWhom') }];

/** Offers of hands in catalogues from before there were offers (http.md). @type {Offer[]} */
const HAND = [
  { op: 'claim', key: 'm', label: msg('abilities.offers.claim') },
  { op: 'leave', key: 'v', label: msg('abilities.offers.leave') },
  { op: 'give', key: 'y', label: msg('abilities.offers.give'), asks: TO_WHOM },
  { op: 'share', label: msg('abilities.offers.share'), asks: WITH_WHOM },
  { op: 'unshare', label: msg('abilities.offers.unshare'), asks: WITH_WHOM },
];

/** Offers of secret pieces in such catalogues. @type {Offer[]} */
const SECRET = [
  { op: 'show', key: 'v', label: msg('abilities.offers.show'), asks: TO_WHOM },
];

/**
 * What this page says and does differently than the catalogue, by the names of offers. Catalogues
 * stay as they are, and those of older tables, too. No key recalls all cards: with other pieces the
 * letter of the catalogue selects a pile.
 * @type {Record<string, { label: string, key?: string }>}
 */
const OWN = {
  claim: { label: msg('abilities.offers.claim') },
  leave: { label: msg('abilities.offers.leave') },
  'unshare.seat': { label: msg('abilities.offers.unshare') },
  'show.seat': { label: msg('abilities.offers.show') },
  recall: { label: msg('abilities.offers.recallAll'), key: '' },
  'stow.into': { label: msg('abilities.offers.stowTop') },
  'stow.at=-1.into': { label: msg('abilities.offers.stowBottom') },
  'stow.at=0.into': { label: msg('abilities.offers.stowAnywhere') },
  'split.n': { label: msg('abilities.offers.split') },
  'split.n=1': { label: msg('abilities.offers.takeOne') },
  run: { label: msg('abilities.offers.run') },
  'count.n=-1': { label: msg('abilities.offers.countDown') },
  'count.n': { label: msg('abilities.offers.count') },
};

/** The offers of catalogues as this page makes them, by kind. */
const made = /** @type {WeakMap<Catalog, Map<number, Offer[]>>} */ (new WeakMap());

/**
 * Returns what the pieces of a kind offer, most used first.
 * @param {Catalog} c
 * @param {number} kind
 * @returns {Offer[]}
 */
export function offersOf(c, kind) {
  const known = made.get(c) ?? new Map();
  made.set(c, known);
  if (!known.has(kind)) known.set(kind, inOwnWords(c, kind));
  return known.get(kind);
}

/** @param {Catalog} c @param {number} kind @returns {Offer[]} */
function inOwnWords(c, kind) {
  const all = [...inCatalog(c, kind), ...stowedAs(c, kind)];
  const isOrdered = all.some((o) => keyOf(o) === 'stow.at=-1.into');
  return all.map((offer) => {
    const name = keyOf(offer);
    if (!Object.hasOwn(OWN, name)) return offer;
    const own = { ...offer, ...OWN[name] };
    if (name === 'split.n' && kindAt(c, kind).supply) own.label = msg('abilities.offers.takeSome');
    if (name === 'recall' && kindAt(c, kind).container?.takes !== undefined)
      own.label = msg('abilities.offers.recall');
    if (name === 'stow.into' && !isOrdered) own.label = msg('abilities.offers.stow');
    return own;
  });
}

/**
 * Returns the offers by which a concealed piece goes into a container: those of the secret kinds
 * for which it stands. Catalogues have them at these kinds only.
 * @param {Catalog} c
 * @param {number} kind
 * @returns {Offer[]}
 */
function stowedAs(c, kind) {
  const isStow = (/** @type {Offer} */ o) => o.op === 'stow';
  if (!c.masks.has(kind) || inCatalog(c, kind).some(isStow)) return [];
  const secret = c.kinds.findIndex((k) => k.secret && k.mask === kind && k.offers);
  return secret < 0 ? [] : inCatalog(c, secret).filter(isStow);
}

/** Returns the name of an offer in OWN. @param {Offer} offer */
function keyOf(offer) {
  return nameOfOffer(offer).replaceAll(' ', '.');
}

/** @param {Catalog} c @param {number} kind @returns {Offer[]} */
function inCatalog(c, kind) {
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
function isOffered(s, piece, offer) {
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
 * Returns why a piece cannot execute an offer now, or null if nothing is known against it.
 * @param {State} s
 * @param {Piece} piece
 * @param {Offer} offer
 * @returns {Refusal|null}
 */
export function hindrance(s, piece, offer) {
  const { op } = offer;
  const no = (/** @type {string} */ reason, by = 0) => ({ reason, piece: piece.id, by });
  if (!plays(s)) return no('spectator');
  if (!isOffered(s, piece, offer)) return no('not-allowed');
  const others = op === 'claim' ? '' : whyOthers(s, piece);
  if (others) return no(others, piece.owner);
  if (piece.locked) return no('locked');
  const { takesPiece, check } = operationOf(op);
  if (takesPiece && piece.holder !== 0 && piece.holder !== s.sync.you)
    return no('held', piece.holder);
  const reason = check?.(s, piece, kindOf(s, piece), offer);
  const isOwners = reason === 'owned' || reason === 'othersTurn';
  return reason ? no(reason, isOwners ? piece.owner : 0) : null;
}
