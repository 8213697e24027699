// Finds piles: pieces of the same size whose centres lie so close together that a player sees one
// pile. It is updated piece by piece, so the cost of a move depends only on the pieces around it.
// Pure; no DOM.

/**
 * Side of the cells of the grid in which neighbours are searched, in table units. It is larger than
 * any tolerance.
 */
const CELL = 400;

/** How far centres may be apart, as a part of the shorter side. Never more than a cell. */
const CLOSE = 0.2;

/**
 * @typedef {object} PilePiece
 * @property {number} id
 * @property {number} x
 * @property {number} y
 * @property {number} w width when the piece is not turned
 * @property {number} h
 * @property {number} rank higher lies above
 */

/** All pieces that lie on the table, by place. Pieces that somebody holds are not in it. */
export class Piles {
  constructor() {
    /** @type {Map<number, PilePiece>} */
    this.pieces = new Map();
    /** @type {Map<number, Set<PilePiece>>} */
    this.cells = new Map();
    /** @type {Set<number>} pieces whose pile may have changed since the last call of `changed` */
    this.stale = new Set();
  }

  /** Adds a piece, or moves it. @param {PilePiece} p */
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
    this.markStale(p);
  }

  /** Removes a piece. @param {number} id */
  take(id) {
    const p = this.pieces.get(id);
    if (!p) return;
    this.markStale(p);
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
   * Returns the pile that a piece belongs to, from the top to the bottom; only the piece itself if
   * it lies alone. A pile may lean: each of its pieces lies close to another one of it.
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
   * Returns the heights that may have changed since the last call: the number of pieces for the top
   * of a pile, and 0 for those below it.
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

  /** @param {PilePiece} p */
  markStale(p) {
    for (const q of this.near(p)) this.stale.add(q.id);
    this.stale.add(p.id);
  }

  /** Yields the pieces of the same size that lie close to p, and p itself. @param {PilePiece} p */
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
