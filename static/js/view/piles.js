// Which pieces lie on one another so closely that a player takes them for one pile: same size, centres almost
// at the same place. Kept up to date piece by piece, so that a move costs what lies around it. Pure; no DOM.

/** Cells of the grid in which neighbours are sought, in table units: larger than any tolerance. */
const CELL = 400;

/** How far centres may be apart, as a part of the shorter side, and never more than a cell. */
const CLOSE = 0.2;

/**
 * @typedef {object} Lying
 * @property {number} id
 * @property {number} x
 * @property {number} y
 * @property {number} w    unturned size
 * @property {number} h
 * @property {number} rank higher lies above
 */

/** All pieces that lie on the table, by place. Pieces in somebody's grip are not in it. */
export class Piles {
  constructor() {
    /** @type {Map<number, Lying>} */
    this.pieces = new Map();
    /** @type {Map<number, Set<Lying>>} */
    this.cells = new Map();
    /** @type {Set<number>} pieces whose pile may have changed since `changed` was last asked */
    this.stale = new Set();
  }

  /**
   * Puts a piece down, or at another place.
   * @param {Lying} p
   */
  put(p) {
    const old = this.pieces.get(p.id);
    if (
      old &&
      old.x === p.x &&
      old.y === p.y &&
      old.rank === p.rank &&
      old.w === p.w &&
      old.h === p.h
    )
      return;
    this.take(p.id);
    this.pieces.set(p.id, p);
    const key = cellOf(p.x, p.y);
    const cell = this.cells.get(key);
    if (cell) cell.add(p);
    else this.cells.set(key, new Set([p]));
    this.spoil(p);
  }

  /**
   * Takes a piece up.
   * @param {number} id
   */
  take(id) {
    const p = this.pieces.get(id);
    if (!p) return;
    this.spoil(p);
    this.pieces.delete(id);
    const key = cellOf(p.x, p.y);
    const cell = this.cells.get(key);
    cell?.delete(p);
    if (cell?.size === 0) this.cells.delete(key);
  }

  clear() {
    this.pieces.clear();
    this.cells.clear();
    this.stale.clear();
  }

  /**
   * The pile that a piece belongs to, from the top to the bottom; only itself if it lies alone. A pile may lean: each of
   * its pieces lies close to another one.
   * @param {number} id
   * @returns {number[]}
   */
  of(id) {
    const p = this.pieces.get(id);
    if (!p) return [id];
    const found = new Set([p]);
    for (const q of found) for (const r of this.near(q)) found.add(r);
    return [...found].sort((a, b) => b.rank - a.rank).map((q) => q.id);
  }

  /**
   * The heights that may have changed since the last call: for the top of a pile how many pieces it has, for those below it 0.
   * @returns {Map<number, number>}
   */
  changed() {
    /** @type {Map<number, number>} */
    const heights = new Map();
    for (const id of this.stale) {
      if (heights.has(id)) continue;
      const pile = this.of(id);
      for (const other of pile) heights.set(other, other === pile[0] ? pile.length : 0);
    }
    this.stale.clear();
    return heights;
  }

  /** @param {Lying} p */
  spoil(p) {
    for (const q of this.near(p)) this.stale.add(q.id);
    this.stale.add(p.id);
  }

  /**
   * The pieces of one size that lie close to p, itself among them.
   * @param {Lying} p
   */
  *near(p) {
    const far = Math.min(CELL, CLOSE * Math.min(p.w, p.h));
    const cx = Math.floor(p.x / CELL);
    const cy = Math.floor(p.y / CELL);
    for (let i = cx - 1; i <= cx + 1; i++) {
      for (let j = cy - 1; j <= cy + 1; j++) {
        for (const q of this.cells.get(cellKey(i, j)) ?? []) {
          if (
            q.w === p.w &&
            q.h === p.h &&
            Math.abs(q.x - p.x) <= far &&
            Math.abs(q.y - p.y) <= far
          )
            yield q;
        }
      }
    }
  }
}

/** @param {number} x @param {number} y */
function cellOf(x, y) {
  return cellKey(Math.floor(x / CELL), Math.floor(y / CELL));
}

/** @param {number} i @param {number} j */
function cellKey(i, j) {
  return i * 65536 + j;
}
