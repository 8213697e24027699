// The Z levels that pieces get when they are put on top or underneath. Every heavy piece lies below
// every light one (T25), so each weight has its own top and bottom. Pieces in a hand have an order
// of their own (T23).

import { layerOf } from '../sync/kinds.js';
import { HEAVY, IN_HAND, LIGHT } from '../sync/predict.js';
import { above, below, between } from '../sync/zlevel.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Piece} Piece */

/**
 * The lowest and the highest level of a layer; empty if the layer has no piece.
 * @typedef {{low: string, high: string}} Edge
 */

/**
 * Returns levels above everything of the same layer, in the order in which the pieces lie now. If
 * no level is left between heavy and light pieces, the pieces from there on get no level, and the
 * server chooses.
 * @param {State} s
 * @param {Piece[]} pieces
 * @returns {Map<number, string>}
 */
export function levelsOnTop(s, pieces) {
  const [heavy, light, hand] = edgesOf(s);
  return inTurn(s, sorted(s, pieces), (layer) => {
    if (layer === HEAVY)
      return (heavy.high = light.low ? gap(heavy.high, light.low) : above(heavy.high));
    if (layer === LIGHT) return (light.high = above(light.high || heavy.high));
    return (hand.high = above(hand.high));
  });
}

/**
 * Returns levels below everything of the same layer, in the order in which the pieces lie now. It
 * stops where no level is left, as `levelsOnTop` does.
 * @param {State} s
 * @param {Piece[]} pieces
 * @returns {Map<number, string>}
 */
export function levelsBelow(s, pieces) {
  const [heavy, light, hand] = edgesOf(s);
  return inTurn(s, sorted(s, pieces).reverse(), (layer) => {
    if (layer === HEAVY) return (heavy.low = below(heavy.low));
    if (layer === LIGHT)
      return (light.low = heavy.high ? gap(heavy.high, light.low) : below(light.low));
    return (hand.low = below(hand.low));
  });
}

/**
 * Gives each piece the next level of its layer. It stops at the first piece for which there is
 * none.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {(layer: number) => string} nextIn returns the next level of a layer, empty if there is
 *   none
 * @returns {Map<number, string>}
 */
function inTurn(s, pieces, nextIn) {
  const levels = new Map();
  for (const p of pieces) {
    const level = nextIn(layerOf(s, p));
    if (!level) break;
    levels.set(p.id, level);
  }
  return levels;
}

/** Returns a level between two; empty if there is none. @param {string} lo @param {string} hi */
function gap(lo, hi) {
  return hi === '' || lo < hi ? between(lo, hi) : '';
}

/**
 * Returns where the layers begin and end, the lowest layer first.
 * @param {State} s
 * @returns {Edge[]}
 */
function edgesOf(s) {
  const { list } = s.order;
  const edges = [HEAVY, LIGHT, IN_HAND].map(() => ({ low: '', high: '' }));
  let at = 0;
  while (at < list.length && list[at].layer === HEAVY) at++;
  let end = list.length;
  while (end > at && list[end - 1].layer === IN_HAND) end--;
  for (const [layer, from, to] of [[HEAVY, 0, at], [LIGHT, at, end], [IN_HAND, end, list.length]]) {
    if (from < to) edges[layer] = { low: list[from].z, high: list[to - 1].z };
  }
  return edges;
}

/** @param {State} s @param {Piece[]} pieces */
function sorted(s, pieces) {
  return [...pieces].sort((a, b) => s.order.rank(a.id) - s.order.rank(b.id));
}
