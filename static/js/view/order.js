// The order in which pieces lie over one another. It turns the order of pieces (layer, level,
// version of the level, id; T13) into small whole numbers for z-index, and changes as few of them
// as possible. A raise usually changes one. Pure; no DOM.
//
// The layer comes first: heavy pieces lie below all others, and pieces in a hand of this person
// above them. The levels of one layer have nothing to do with those of another (T23, T25).

/** Gap between neighbours, so that a piece fits between two without changing their ranks. */
const GAP = 4096;

/**
 * The greatest rank. Where a rank would exceed it, ranks are spread again. z-index holds 31 bits.
 */
const MOST = 2 ** 30;

/** @typedef {{id: number, z: string, zMark: number, layer: number}} Key */

/** What the order needs of a piece. @typedef {{id: number, z: string, zMark: number}} Levelled */

/**
 * The order of the pieces of a table, from the bottom to the top.
 * @template {Levelled} T
 */
export class Order {
  /** @param {(piece: T) => number} layerOf pieces of lower layers lie below */
  constructor(layerOf) {
    this.layerOf = layerOf;
    /** @type {Key[]} from the bottom to the top */
    this.list = [];
    /** @type {Map<number, Key>} */
    this.keys = new Map();
    /** @type {Map<number, number>} */
    this.ranks = new Map();
  }

  /** Replaces all pieces. @param {Iterable<T>} pieces */
  reset(pieces) {
    this.list = [...pieces].map((piece) => this.keyOf(piece)).sort(compare);
    this.keys = new Map(this.list.map((k) => [k.id, k]));
    this.ranks = new Map(this.list.map((k, i) => [k.id, (i + 1) * GAP]));
  }

  /**
   * Adds or moves a piece to the place that its layer and level give it.
   * @param {T} piece
   * @returns {number[]} the ids of the pieces whose rank has changed
   */
  put(piece) {
    const k = this.keyOf(piece);
    const old = this.keys.get(k.id);
    if (old && compare(old, k) === 0) return [];
    const before = this.ranks.get(k.id);
    if (old) this.take(k.id);
    const at = this.search(k);
    const lo = at > 0 ? this.rank(this.list[at - 1].id) : 0;
    const hi = at < this.list.length ? this.rank(this.list[at].id) : lo + 2 * GAP;
    this.list.splice(at, 0, k);
    this.keys.set(k.id, k);
    if (before !== undefined && lo < before && before < hi) {
      this.ranks.set(k.id, before); // it still lies between the same two
      return [];
    }
    if (hi - lo < 2 || hi > MOST) return this.spread(at);
    this.ranks.set(k.id, (lo + hi) >> 1);
    return [k.id];
  }

  /** Removes a piece. @param {number} id */
  take(id) {
    const key = this.keys.get(id);
    this.ranks.delete(id);
    if (!key) return;
    this.list.splice(this.search(key), 1);
    this.keys.delete(id);
  }

  /**
   * Renames a piece. Its rank moves to the new id. The next `put` keeps the rank if it still fits.
   * @param {number} from
   * @param {number} to
   */
  rename(from, to) {
    const rank = this.ranks.get(from);
    this.take(from);
    if (rank !== undefined) this.ranks.set(to, rank);
  }

  /** Yields the keys below a layer, from the bottom to the top. @param {number} layer */
  *below(layer) {
    for (const key of this.list) {
      if (key.layer >= layer) return;
      yield key;
    }
  }

  /**
   * Returns the rank of a piece: a higher rank lies above. 0 if the piece is unknown.
   * @param {number} id
   */
  rank(id) {
    return this.ranks.get(id) ?? 0;
  }

  /**
   * Gives new ranks to a growing range around index `at` until there is room; in the worst case to
   * all pieces. Returns the ids of the pieces in the range.
   * @param {number} at
   * @returns {number[]}
   */
  spread(at) {
    const n = this.list.length;
    for (let half = 16; ; half *= 4) {
      const from = Math.max(0, at - half);
      const to = Math.min(n, at + half + 1);
      const lo = from > 0 ? this.rank(this.list[from - 1].id) : 0;
      const hi = to < n ? this.rank(this.list[to].id) : lo + (to - from + 1) * GAP;
      const step = Math.floor((hi - lo) / (to - from + 1));
      const all = from === 0 && to === n;
      if ((step >= 16 && hi <= MOST) || all) {
        for (let i = from; i < to; i++) {
          this.ranks.set(this.list[i].id, lo + (i - from + 1) * (all ? GAP : step));
        }
        return this.list.slice(from, to).map((k) => k.id);
      }
    }
  }

  /**
   * @param {T} piece
   * @returns {Key}
   */
  keyOf(piece) {
    return { id: piece.id, z: piece.z, zMark: piece.zMark, layer: this.layerOf(piece) };
  }

  /** Returns the index of the first key that is not below k. @param {Key} k */
  search(k) {
    let lo = 0;
    let hi = this.list.length;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (compare(this.list[mid], k) < 0) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }
}

/**
 * Compares by layer, then by the order of T13: level as text, version of the level, id.
 * @param {Key} a
 * @param {Key} b
 */
export function compare(a, b) {
  if (a.layer !== b.layer) return a.layer - b.layer;
  if (a.z !== b.z) return a.z < b.z ? -1 : 1;
  // a pending level has the version Infinity
  if (a.zMark !== b.zMark) return a.zMark < b.zMark ? -1 : 1;
  return a.id - b.id;
}
