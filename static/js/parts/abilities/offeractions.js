// What kinds offer, as actions: for the toolbar, the menu, keys and drags.

import { take } from './offering.js';
import { hindrance, nameOfOffer, offersFor, offersOf } from './offers.js';
import { operationOf } from './operations.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../input/action.js').Action} Action */

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
  const more = msg('core.bar.asks', { label: offer.label });
  const { icon, aside, questions } = operationOf(offer.op);
  const isAsking = (offer.asks ?? []).length > 0;
  return {
    id: idOf(offer),
    icon: typeof icon === 'string' ? icon : icon(offer),
    key: (offer.key ?? '').toUpperCase(),
    op: offer.op,
    asks: isAsking,
    isOffer: true,
    aside: aside === true,
    label: (s, pieces) =>
      (isAsking || pieces.some((p) => questions?.(s, p).length) ? more : offer.label),
    fits: (s, pieces) => pieces.filter((p) => !hindrance(s, p, offer)),
    why: (s, pieces) => hindrance(s, pieces[0], offer),
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
  const offer = offersOf(s.catalog, piece.kind).find((o) => operationOf(o.op).part);
  if (!offer || hindrance(s, piece, offer)) return 0;
  return operationOf(offer.op).part?.(s, piece, modified) ?? 0;
}
