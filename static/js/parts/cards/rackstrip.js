// This person's rack in a small window: its tiles in the strip at the lower edge, large enough to
// read and touch. The strip closes the gaps between the tiles; on the rack each lies in its cell.

import { kindOf } from '../../view/catalog.js';
import { turned } from '../../view/geometry.js';
import { change, maskOf } from '../../input/ops.js';
import { covers } from '../../rights.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../view/geometry.js').Point} Point */

/** The least distance of two tiles in the strip, and of a tile from its edge, in px. */
const GAP = 5;
const EDGE = 10;

/** The most rows of tiles in the strip. */
const ROWS = 3;

/** Returns this person's rack. @param {State} s */
export function rackIn(s) {
  if (!s.catalog.racks) return undefined;
  for (const p of s.sync.pieces.values())
    if (p.owner === s.sync.you && kindOf(s, p).rack) return p;
  return undefined;
}

/**
 * Returns where a point lies on a rack as its owner reads it: the number of its row, and how far it
 * lies to the right of the middle.
 * @param {State} s
 * @param {Piece} rack
 * @param {Point} at
 */
function lineOf(s, rack, { x, y }) {
  const { grid, height } = kindOf(s, rack);
  const v = turned(x - rack.x, y - rack.y, -rack.angle / 100);
  return { row: grid ? Math.round((v.y + height / 2 - grid.y) / grid.stepY) : 0, x: v.x };
}

/**
 * Returns the tiles on a rack that can be moved, in the order in which one reads them.
 * @param {State} s
 * @param {Piece} rack
 */
export function tilesOn(s, rack) {
  const tiles = [];
  for (const p of s.sync.pieces.values()) {
    const isTile = p.id !== rack.id && p.owner === rack.owner && p.holder === 0 &&
      maskOf(s, p) >= 0 && !p.pinned && !p.locked && covers(s, rack, p);
    if (isTile) tiles.push({ p, ...lineOf(s, rack, p) });
  }
  return tiles.sort((a, b) => a.row - b.row || a.x - b.x).map(({ p }) => p);
}

/**
 * Returns the size at which n tiles are largest in a strip, and their middles, row by row.
 * @param {number} n
 * @param {{width: number, height: number}} tile
 * @param {{middle: number, width: number, height: number}} strip in px
 */
export function tilesIn(n, tile, strip) {
  const ratio = tile.width / tile.height;
  let best = { w: 0, h: 0, each: 1 };
  for (let rows = 1; rows <= ROWS; rows++) {
    const each = Math.max(1, Math.ceil(n / rows));
    const wide = (strip.width - 2 * EDGE) / each - GAP;
    const high = (strip.height - EDGE - GAP) / rows - GAP;
    const w = Math.min(wide, high * ratio);
    if (w > best.w) best = { w, h: w / ratio, each };
  }
  const { w, h, each } = best;
  const rows = Math.ceil(n / each);
  const points = Array.from({ length: n }, (_, i) => {
    const row = Math.floor(i / each);
    const inRow = Math.min(each, n - row * each);
    return {
      x: strip.middle + (i - row * each - (inRow - 1) / 2) * (w + GAP),
      y: (strip.height + GAP) / 2 + (row - (rows - 1) / 2) * (h + GAP),
      angle: 0,
    };
  });
  return { w, h, points };
}

/** Returns which of some points is nearest. @param {Point[]} points @param {Point} at */
export function nearest(points, at) {
  let best = 0;
  const far = (/** @type {Point} */ p) => Math.hypot(p.x - at.x, p.y - at.y);
  for (const [i, p] of points.entries()) if (far(p) < far(points[best])) best = i;
  return best;
}

/**
 * Lays the tiles of a rack in this order into the places where tiles lie.
 * @param {State} s
 * @param {Piece} rack
 * @param {Piece[]} order
 */
export function arrangeRack(s, rack, order) {
  const places = tilesOn(s, rack).map(({ x, y }) => ({ x, y }));
  for (const [i, tile] of order.entries()) {
    const to = places[i];
    if (to && (tile.x !== to.x || tile.y !== to.y)) change(s, tile.id, 'move', to);
  }
}

/**
 * Returns where a tile goes that comes to a rack: the first free cell behind all tiles, or else the
 * first free one, or the middle of the rack.
 * @param {State} s
 * @param {Piece} rack
 * @returns {Point}
 */
export function freeOn(s, rack) {
  const { grid, width, height } = kindOf(s, rack);
  if (!grid) return { x: rack.x, y: rack.y };
  const tiles = tilesOn(s, rack);
  /** @type {Point[]} */
  let free = [];
  let before;
  for (let i = 0; i < grid.columns * grid.rows; i++) {
    const v = turned(
      grid.x + (i % grid.columns) * grid.stepX - width / 2,
      grid.y + Math.floor(i / grid.columns) * grid.stepY - height / 2,
      rack.angle / 100,
    );
    const cell = { x: Math.round(rack.x + v.x), y: Math.round(rack.y + v.y) };
    const reach = Math.min(grid.stepX, grid.stepY) / 2;
    const at = tiles.findIndex((p) => Math.hypot(p.x - cell.x, p.y - cell.y) < reach);
    if (at < 0) free.push(cell);
    else if (at === tiles.length - 1) [before, free] = [free[0], []];
  }
  return free[0] ?? before ?? { x: rack.x, y: rack.y };
}
