// The operations of containers and of secret pieces (T29 to T31).

import { takes } from '../../sync/kinds.js';
import { maskOf } from '../../input/ops.js';
import { countIn, hosts, isHand, isInMyHand, isMine, isOthersHand, plays } from '../../rights.js';
import { kindOf } from '../../view/catalog.js';
import { lower, nameOf, the } from '../../view/describe.js';
import { msg } from './msg.js';
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
  recall: { icon: 'recall', aside: true, check: mayRecall, ask: askRecall },
  shuffle: { icon: 'shuffle', check: several },
  cut: { icon: 'cut', aside: true, check: several },
};

/**
 * The operations of secret pieces, and those that pieces of many kinds have.
 * @type {Record<string, import('../../kinds/ability.js').Operation>}
 */
export const OF_SECRETS = {
  peek: {
    icon: 'eye',
    aside: true,
    check: (s, piece, k) => (!mayPeek(s, k)
      ? 'notYours'
      : k.container
        ? (has(s, piece, 1) ? '' : 'empty')
        : s.catalog.masks.has(piece.kind) ? '' : 'seen'),
  },
  show: {
    icon: 'show',
    aside: true,
    check: (s, piece) => (s.catalog.masks.has(piece.kind)
      ? 'hidden'
      : otherPlayers(s).length === 0 ? 'nobody' : ''),
  },
  stow: {
    icon: 'stow',
    aside: true,
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

/**
 * What a recall would bring back, as far as the page knows: how many pieces lie in hands and on
 * racks of others, in those of this person, and on the table. null if that is not known: another
 * container takes pieces of the same sort, or hands are not counted.
 * @param {State} s
 * @param {Piece} container
 * @returns {{others: number, own: number, table: number}|null}
 */
export function outside(s, container) {
  const mask = kindOf(s, container).container?.takes;
  if (mask === undefined) return null;
  const out = { others: 0, own: 0, table: 0 };
  for (const p of s.sync.pieces.values()) {
    const k = kindOf(s, p);
    if (p.id !== container.id && k.container && (k.container.takes ?? mask) === mask) return null;
    if (k.hand && k.counted === false) return null;
    if (k.hand) {
      for (const { kind, count } of s.sync.holds.get(p.id) ?? [])
        if (kind === mask) out[isMine(s, p) ? 'own' : 'others'] += count;
    } else if (maskOf(s, p) === mask && !isInMyHand(s, p)) {
      out[isOthersHand(s, p) ? 'others' : isMine(s, p) ? 'own' : 'table']++;
    }
  }
  return out;
}

/** Returns whether this person recalls from the hands of others, too (T30.30). @param {State} s */
function recallsAll(s) {
  const { components } = s.parts;
  const recall = components?.replica.get(components.entities.TABLE, components.COMPONENTS.recall);
  return hosts(s) || recall?.players === true;
}

/** @param {State} s @param {Piece} piece */
function mayRecall(s, piece) {
  const out = recallsAll(s) ? null : outside(s, piece);
  return out && out.others > 0 && out.own + out.table === 0 ? 'othersCards' : '';
}

/**
 * Returns the question before all pieces of containers are recalled.
 * @param {State} s
 * @param {Piece[]} containers
 */
function askRecall(s, containers) {
  const counts = containers.map((c) => outside(s, c));
  const [first] = containers;
  const yes = msg('abilities.recall.yes');
  if (counts.includes(null))
    return {
      title: msg('abilities.recall.titleAll', { name: the(lower(nameOf(s, first))) }),
      text: msg('abilities.recall.all'), yes,
    };
  const sum = (/** @type {'others'|'own'|'table'} */ where) =>
    counts.reduce((n, c) => n + (c?.[where] ?? 0), 0);
  const [others, own] = [sum('others'), sum('own')];
  const all = recallsAll(s);
  const n = own + sum('table') + (all ? others : 0);
  if (n + others === 0) return null;
  const text = others === 0 && own > 0
    ? msg('abilities.recall.own', { n: own })
    : all
      ? msg('abilities.recall.hands', { n: others + own })
      : msg('abilities.recall.left', { n: others });
  const isAll = others === 0 || all;
  const title = msg(isAll ? 'abilities.recall.title' : 'abilities.recall.titleSome', { n });
  return { title, text, yes };
}
