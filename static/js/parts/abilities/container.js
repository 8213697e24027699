// The operations of containers and of secret pieces (T29 to T31).

import { takes } from '../../sync/kinds.js';
import { countIn, hosts, isHand, plays } from '../../rights.js';
import { otherPlayers } from './seats.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../view/catalog.js').Kind} Kind */

/** @type {Record<string, import('../../kinds/ability.js').Operation>} */
export const OF_CONTAINERS = {
  draw: {
    icon: 'draw',
    isMain: true,
    part: (s, _piece, isModified) => (isModified ? 0 : Math.max(1, s.input.take)),
    check: (s, piece, _k, { asks }) => (has(s, piece, asks ? 2 : 1) ? '' : 'empty'),
  },
  deal: {
    icon: 'deal',
    dialog: 'openDeal',
    isForOne: true,
    check: (s, piece) => (!has(s, piece, 1)
      ? 'empty'
      : [...s.sync.pieces.values()].some((p) => isHand(s, p) && p.owner !== 0) ? '' : 'noHand'),
  },
  recall: { icon: 'recall' },
  shuffle: { icon: 'shuffle', check: several },
  cut: { icon: 'cut', check: several },
};

/**
 * The operations of secret pieces, and those that pieces of many kinds have.
 * @type {Record<string, import('../../kinds/ability.js').Operation>}
 */
export const OF_SECRETS = {
  peek: {
    icon: 'eye',
    check: (s, piece, k) => (!mayPeek(s, k)
      ? 'notYours'
      : k.container
        ? (has(s, piece, 1) ? '' : 'empty')
        : s.catalog.masks.has(piece.kind) ? '' : 'seen'),
  },
  show: {
    icon: 'show',
    check: (s, piece) => (s.catalog.masks.has(piece.kind)
      ? 'hidden'
      : otherPlayers(s).length === 0 ? 'nobody' : ''),
  },
  stow: {
    icon: 'stow',
    takesPiece: true,
    check: (s, piece) => (piece.pinned
      ? 'pinned'
      : containersFor(s, piece).length > 0 ? '' : 'noContainer'),
  },
};

/** @param {State} s @param {Piece} piece */
function several(s, piece) {
  return has(s, piece, 2) ? '' : 'empty';
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

/**
 * Reports whether this person may look at face-down pieces of a kind, or into a container of it
 * (T31).
 * @param {State} s
 * @param {Kind} k
 */
function mayPeek(s, k) {
  return k.peek === 'players' ? plays(s) : k.peek === 'host' && hosts(s);
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
