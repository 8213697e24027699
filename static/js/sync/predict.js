/**
 * What an operation does to a piece, as far as a client can tell before the server has answered (T24, T28): the
 * same as on the server, but for what only the server knows, and for what the lot decides. No DOM, no state.
 *
 * @module
 */

import { operate, UNSET } from './clock.js';
import { OF_CLOCK } from './operations.js';
import { above, below, between } from './zlevel.js';

/** @typedef {import('../types.js').Piece} Piece */
/** @typedef {import('../types.js').Args} Args */

/**
 * What has to be known beside the piece.
 *
 * @typedef {object} Context
 * @property {number} you the own seat
 * @property {number} at the server's time at which the update was made
 * @property {import('./clock.js').ClockKind | null} clock what clocks of the piece's kind are like, null if it is none
 * @property {{ min: number, max: number } | null} bounds of the values of its kind, null if it has none
 * @property {number[]} players the seats that play
 */

/** @type {(piece: Piece) => Piece} */
const unchanged = (piece) => piece;

/**
 * What each operation does. Those whose arguments say it all are `placed`.
 *
 * @type {Record<string, (piece: Piece, args: Args, context: Context) => Piece>}
 */
const EFFECTS = {
  grab: (piece, args, { you }) => ({ ...placed(piece, args), holder: you }),
  wrest: (piece, args, { you }) => ({ ...placed(piece, args), holder: you }),
  release: (piece, args) => ({ ...placed(piece, args), holder: 0 }),
  move: placed,
  rotate: placed,
  flip: placed,
  raise: placed,
  lower: placed,
  setz: placed,
  pin: (piece) => ({ ...piece, pinned: true }),
  unpin: (piece) => ({ ...piece, pinned: false }),
  lock: (piece) => ({ ...piece, locked: true }),
  unlock: (piece) => ({ ...piece, locked: false }),
  stow: (piece) => ({ ...piece, holder: 0 }),
  write: (piece, { text = '' }) => ({ ...piece, text }),
  assign: (piece, { seat = 0 }) => ({ ...piece, owner: seat }),

  claim: (piece, _, { you }) => (piece.owner === 0 ? { ...piece, owner: you } : piece),
  leave: (piece) => ({ ...piece, owner: 0, team: [] }),
  give: (piece, { seat = 0 }) => ({ ...piece, owner: seat, team: [] }),
  share: (piece, { seat = 0 }) => ({ ...piece, team: [...teamWithout(piece, seat), seat].sort((a, b) => a - b) }),
  unshare: (piece, { seat = 0 }) => ({ ...piece, team: teamWithout(piece, seat) }),
  pass: (piece, _, { players }) => ({ ...piece, owner: next(players, piece.owner) }),
  count: (piece, { n = 0 }, { bounds }) => counted(piece, n, bounds),
  split: (piece, { n = 0 }) => counted(piece, -n, { min: 1, max: piece.value ?? 0 }),
};

/**
 * The piece after an own operation, as it is shown until the server answers; the piece itself if nothing is known of what
 * the operation does. Its level is above all equal ones: so the server will place it too, whose Z generation is the latest
 * (T13).
 *
 * @param {Piece} piece
 * @param {string} op
 * @param {Args} args
 * @param {Context} context
 * @returns {Piece}
 */
export function predict(piece, op, args, context) {
  if (OF_CLOCK.has(op)) {
    return context.clock ? { ...piece, clock: operate(context.clock, piece.clock ?? UNSET, op, args, context.at) } : piece;
  }
  return (Object.hasOwn(EFFECTS, op) ? EFFECTS[op] : unchanged)(piece, args, context);
}

/**
 * @param {Piece} piece
 * @param {Args} args
 * @returns {Piece}
 */
function placed(piece, { x = piece.x, y = piece.y, angle = piece.angle, face = piece.face, z }) {
  const after = { ...piece, x, y, angle, face };
  return z === undefined ? after : { ...after, z, zMark: Number.POSITIVE_INFINITY };
}

/**
 * @param {Piece} piece
 * @param {number} by
 * @param {{ min: number, max: number } | null} bounds outside of them it is inapplicable (`range`)
 * @returns {Piece}
 */
function counted(piece, by, bounds) {
  const value = (piece.value ?? 0) + by;
  return bounds && value >= bounds.min && value <= bounds.max ? { ...piece, value } : piece;
}

/**
 * @param {Piece} piece
 * @param {number} seat
 */
function teamWithout({ team = [] }, seat) {
  return team.filter((other) => other !== seat);
}

/**
 * The seat that comes after one, the first after the last (T35).
 *
 * @param {number[]} players
 * @param {number} seat
 */
function next(players, seat) {
  const after = players.filter((other) => other > seat);
  return Math.min(...(after.length > 0 ? after : players));
}

/** Where a piece lies (T25): what is heavy below all else, what lies in a hand above it, in an order of its own. */
export const HEAVY = 0;
export const LIGHT = 1;
export const IN_HAND = 2;

/**
 * The level that puts a piece on top or at the bottom of its layer (T25).
 *
 * @param {Iterable<Piece>} pieces all that are seen
 * @param {Piece} piece
 * @param {'raise' | 'lower'} op
 * @param {(piece: Piece) => number} layerOf HEAVY, LIGHT or IN_HAND
 * @returns {string} `''` if there is no room: then the server finds some
 */
export function levelFor(pieces, piece, op, layerOf) {
  const edges = [HEAVY, LIGHT, IN_HAND].map(() => ({ low: '', high: '' }));
  for (const other of pieces) {
    if (other.id === piece.id || other.z === '') continue;
    const edge = edges[layerOf(other)];
    if (edge.low === '' || other.z < edge.low) edge.low = other.z;
    if (other.z > edge.high) edge.high = other.z;
  }
  try {
    return levelAt(edges, layerOf(piece), op === 'raise');
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}

/**
 * @param {{ low: string, high: string }[]} edges of the layers
 * @param {number} layer
 * @param {boolean} up
 */
function levelAt([heavy, light, hand], layer, up) {
  switch (layer) {
    case IN_HAND:
      return up ? above(hand.high) : below(hand.low);
    case LIGHT:
      return up ? above(light.high || heavy.high) : inside(heavy.high, below(light.low || heavy.high), light.low);
    default:
      return up ? inside(heavy.high, above(heavy.high || light.low), light.low) : below(heavy.low || light.low);
  }
}

/**
 * `z`, or a level between `lo` and `hi` if it is not between them.
 *
 * @param {string} lo
 * @param {string} z
 * @param {string} hi
 */
function inside(lo, z, hi) {
  return lo < z && (hi === '' || z < hi) ? z : between(lo, hi);
}
