/**
 * What an operation does to a piece, as far as a client can tell before the server has answered (T24): the
 * same as on the server, but for what only the server knows. No DOM, no state.
 *
 * @module
 */

import { CLOCK_OPS, operate, UNSET } from './clock.js';
import { above, below, between } from './zlevel.js';

/** @typedef {import('./types.js').Piece} Piece */
/** @typedef {import('./types.js').Args} Args */
/** @typedef {'x' | 'y' | 'angle' | 'face' | 'z' | 'kind' | 'pieces' | 'side' | 'ms' | 'increment'} Arg */

/**
 * Which arguments an operation needs and which it may have (T24).
 *
 * @type {Record<string, { needs: Arg[], may: Arg[] }>}
 */
const SHAPES = {
  grab: { needs: [], may: ['z'] },
  wrest: { needs: [], may: ['z'] },
  release: { needs: [], may: ['x', 'y', 'angle', 'z'] },
  move: { needs: ['x', 'y'], may: ['z'] },
  rotate: { needs: ['angle'], may: [] },
  flip: { needs: ['face'], may: [] },
  raise: { needs: [], may: ['z'] },
  lower: { needs: [], may: ['z'] },
  setz: { needs: ['z'], may: [] },
  pin: { needs: [], may: [] },
  unpin: { needs: [], may: [] },
  lock: { needs: [], may: [] },
  unlock: { needs: [], may: [] },
  copy: { needs: ['x', 'y'], may: ['z'] },
  delete: { needs: [], may: [] },
  add: { needs: ['kind', 'x', 'y'], may: ['z', 'angle', 'face'] },
  shuffle: { needs: ['pieces'], may: [] },
  start: { needs: [], may: ['side'] },
  pause: { needs: [], may: [] },
  press: { needs: ['side'], may: [] },
  set: { needs: ['ms'], may: ['increment'] },
  reset: { needs: [], may: [] },
};

const UNPREDICTED = new Set(['copy', 'delete', 'add', 'shuffle']);

/**
 * Whether the effect of an operation can be shown at once.
 *
 * @param {string} op
 */
export function isPredicted(op) {
  return Object.hasOwn(SHAPES, op) && !UNPREDICTED.has(op);
}

/**
 * The arguments of an operation, and nothing else: what is undefined is left out.
 *
 * @param {string} op
 * @param {Args} args
 * @returns {Args}
 * @throws {RangeError} if there is no such operation, or it lacks an argument or does not take one
 */
export function argsOf(op, args) {
  if (!Object.hasOwn(SHAPES, op)) throw new RangeError(`no operation ${op}`);
  const { needs, may } = SHAPES[op];
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  const names = given.map(([name]) => name);
  for (const name of needs) {
    if (!names.includes(name)) throw new RangeError(`${op} lacks ${name}`);
  }
  for (const name of /** @type {Arg[]} */ (names)) {
    if (!needs.includes(name) && !may.includes(name)) throw new RangeError(`${op} takes no ${name}`);
  }
  if (names.includes('x') !== names.includes('y')) throw new RangeError(`${op} lacks x or y`);
  return Object.fromEntries(given);
}

/**
 * The piece after an own operation, as it is shown until the server answers. Its level is above all equal
 * ones: so the server will place it too, whose Z generation is the latest (T13).
 *
 * @param {Piece} piece
 * @param {string} op
 * @param {Args} args
 * @param {number} you the own seat
 * @param {{at: number, clock: import('./clock.js').ClockKind | null}} [time] the server's time at which it was made, and what clocks of
 *   the piece's kind are like, null if it is none
 * @returns {Piece}
 */
export function predict(piece, op, args, you, time) {
  if (CLOCK_OPS.has(op)) {
    return time?.clock ? { ...piece, clock: operate(time.clock, piece.clock ?? UNSET, op, args, time.at) } : piece;
  }
  const { pieces: _, ...fields } = args;
  const after = { ...piece, ...fields };
  if (args.z !== undefined) after.zMark = Number.POSITIVE_INFINITY;
  switch (op) {
    case 'grab':
    case 'wrest':
      after.holder = you;
      break;
    case 'release':
      after.holder = 0;
      break;
    case 'pin':
    case 'unpin':
      after.pinned = op === 'pin';
      break;
    case 'lock':
    case 'unlock':
      after.locked = op === 'lock';
      break;
    case 'copy':
    case 'delete':
      return piece; // shown when the server says so
    default: // the others do what their arguments say
  }
  return after;
}

/**
 * The level that puts a piece on top or at the bottom of its weight class (T25).
 *
 * @param {Iterable<Piece>} pieces all of the table
 * @param {Piece} piece
 * @param {'raise' | 'lower'} op
 * @param {(kind: number) => boolean} heavy
 * @returns {string} `''` if there is no room: then the server finds some
 */
export function levelFor(pieces, piece, op, heavy) {
  const others = { light: { low: '', high: '' }, heavy: { low: '', high: '' } };
  for (const other of pieces) {
    if (other.id === piece.id || other.z === '') continue;
    const edge = heavy(other.kind) ? others.heavy : others.light;
    if (edge.low === '' || other.z < edge.low) edge.low = other.z;
    if (other.z > edge.high) edge.high = other.z;
  }
  const { light, heavy: weighty } = others;
  const bottom = weighty.low || light.low;
  const top = light.high || weighty.high;
  try {
    if (!heavy(piece.kind)) {
      return op === 'raise' ? above(top) : inside(weighty.high, below(light.low || weighty.high), light.low);
    }
    return op === 'lower' ? below(bottom) : inside(weighty.high, above(weighty.high || light.low), light.low);
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
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
