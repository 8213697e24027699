// Which Z levels pieces get when they are put on top or underneath. Every heavy piece lies below every light one
// (T25), so each weight has its own top and bottom.

import { kindAt } from './catalog.js';
import { above, below, between } from './zlevel.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./types.js').Piece} Piece */

/**
 * Levels above everything of the same weight, in the order in which the pieces lie now. A piece gets none where two
 * weights meet at one level: then the server chooses.
 * @param {State} s @param {Piece[]} pieces
 * @returns {Map<number, string>}
 */
export function levelsOnTop(s, pieces) {
  const edges = edgesOf(s);
  const levels = new Map();
  let { light, heavy } = { light: edges.highestLight, heavy: edges.highestHeavy };
  for (const p of sorted(s, pieces)) {
    if (isHeavy(s, p)) heavy = edges.lowestLight ? gap(heavy, edges.lowestLight) : above(heavy);
    else light = above(light || heavy);
    const level = isHeavy(s, p) ? heavy : light;
    if (level) levels.set(p.id, level);
    else break;
  }
  return levels;
}

/**
 * Levels below everything of the same weight, in the order in which the pieces lie now.
 * @param {State} s @param {Piece[]} pieces
 * @returns {Map<number, string>}
 */
export function levelsBelow(s, pieces) {
  const edges = edgesOf(s);
  const levels = new Map();
  let { light, heavy } = { light: edges.lowestLight, heavy: edges.lowestHeavy };
  for (const p of sorted(s, pieces).reverse()) {
    if (isHeavy(s, p)) heavy = below(heavy);
    else light = edges.highestHeavy ? gap(edges.highestHeavy, light) : below(light);
    const level = isHeavy(s, p) ? heavy : light;
    if (level) levels.set(p.id, level);
    else break;
  }
  return levels;
}

/** A level between two, empty if there is none. @param {string} lo @param {string} hi */
function gap(lo, hi) {
  return hi === '' || lo < hi ? between(lo, hi) : '';
}

/** The levels at which the weights begin and end; empty where there is nothing. @param {State} s */
function edgesOf(s) {
  const edges = { lowestHeavy: '', highestHeavy: '', lowestLight: '', highestLight: '' };
  const { list } = s.order;
  for (const { id, z } of list) {
    if (!z) continue;
    const piece = s.sync.pieces.get(id);
    if (!piece) continue;
    if (!isHeavy(s, piece)) {
      edges.lowestLight = z;
      break;
    }
    if (!edges.lowestHeavy) edges.lowestHeavy = z;
    edges.highestHeavy = z;
  }
  if (edges.lowestLight) edges.highestLight = list[list.length - 1].z;
  return edges;
}

/** @param {State} s @param {Piece[]} pieces */
function sorted(s, pieces) {
  return [...pieces].sort((a, b) => s.order.rank(a.id) - s.order.rank(b.id));
}

/** @param {State} s @param {Piece} piece */
function isHeavy(s, piece) {
  return kindAt(s.catalog, piece.kind).weight === 'heavy';
}
