// What kinds offer, as actions: for the toolbar, the menu, keys and drags.

import { kindAt } from '../../view/catalog.js';
import { take } from './offering.js';
import { halfOf } from '../../sync/kinds.js';
import { hindrance, nameOfOffer, offersFor, offersOf } from './offers.js';
import { strings } from '../../strings.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../input/actions.js').Action} Action */

/** The icon of each offer; other offers have a plain one. @type {Record<string, string>} */
const PICTURES = {
  draw: 'draw', deal: 'deal', shuffle: 'shuffle', recall: 'recall', peek: 'eye', cut: 'cut',
  claim: 'claim', leave: 'leave', give: 'give',
  share: 'team', unshare: 'unteam', roll: 'die', count: 'count', split: 'split', write: 'write',
  assign: 'seat', pass: 'pass', show: 'show',
  stow: 'stow',
};

/**
 * Returns the identifier of an offer in the list of actions.
 * @param {import('./offers.js').Offer} offer
 */
function idOf(offer) {
  return `offer ${nameOfOffer(offer)}`;
}

/**
 * Converts an offer to an action.
 * @param {import('./offers.js').Offer} offer
 * @returns {Action}
 */
function actionFor(offer) {
  const more = offer.asks?.length ? strings.actions.asks(offer.label) : offer.label;
  const sign = offer.op === 'count' && offer.with
    ? (offer.with.n < 0 ? 'minus' : 'add')
    : offer.op === 'assign' && offer.with?.seat === 0 ? 'free' : undefined;
  return {
    id: idOf(offer),
    icon: sign ?? PICTURES[offer.op] ?? 'other',
    key: offer.key?.toUpperCase() ?? '',
    op: offer.op,
    asks: (offer.asks ?? []).length > 0,
    label: () => more,
    fits: (s, pieces) => pieces.filter((p) => !hindrance(s, p, offer)),
    run: (s, pieces, voice) => take(s, pieces, offer, voice),
  };
}

/** Returns what pieces offer, as actions. @param {State} s @param {Piece[]} pieces */
export function actionsOffered(s, pieces) {
  return offersFor(s, pieces).map(actionFor);
}

/**
 * Returns the keys that mean the same offer for all these pieces.
 * @param {State} s
 * @param {Piece[]} pieces
 */
export function keysOffered(s, pieces) {
  if (pieces.length === 0) return [];
  const [first, ...others] = [...new Set(pieces.map((p) => p.kind))].map(
    (kind) => new Map(
      offersOf(s.catalog, kind).map((o) => [o.key?.toUpperCase() ?? '', nameOfOffer(o)]),
    ),
  );
  return [...first.keys()].filter(
    (key) => key && others.every((o) => o.get(key) === first.get(key)),
  );
}

/**
 * Returns how many pieces a drag draws out of a container, or how much it takes off a heap. 0 means
 * that the drag moves the piece. With the modifier key a container is moved, and a heap is divided.
 * @param {State} s
 * @param {Piece} piece
 * @param {boolean} modified
 */
export function partOffered(s, piece, modified) {
  const k = kindAt(s.catalog, piece.kind);
  const offer = offersOf(s.catalog, piece.kind).find(
    (o) => o.op === (k.container ? 'draw' : 'split'),
  );
  if (!offer || hindrance(s, piece, offer)) return 0;
  if (k.container) return modified ? 0 : Math.max(1, s.take);
  if (!modified && s.take === 0) return 0;
  return Math.min(s.take || halfOf(piece), (piece.value ?? 0) - 1);
}
