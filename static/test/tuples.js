// A set of tuples of whole numbers, each with a number of its own, in typed arrays: a walk through
// millions of states does not fit into objects.

export class Tuples {
  /** @param {number} width how many numbers a tuple has */
  constructor(width) {
    this.width = width;
    this.size = 0;
    this.rows = new Int32Array(width << 12);
    this.table = new Int32Array(1 << 13).fill(-1);
  }

  /**
   * Adds a tuple, unless the set has it.
   *
   * @param {Int32Array} tuple
   * @returns {number} its number; -1 - number if the set had it
   */
  add(tuple) {
    const { width } = this;
    if (this.size * 2 >= this.table.length) this.grow();
    const mask = this.table.length - 1;
    let slot = hash(tuple, 0, width) & mask;
    for (; this.table[slot] >= 0; slot = (slot + 1) & mask) {
      if (this.isAt(this.table[slot], tuple)) return -1 - this.table[slot];
    }
    if ((this.size + 1) * width > this.rows.length) {
      const rows = new Int32Array(this.rows.length * 2);
      rows.set(this.rows);
      this.rows = rows;
    }
    this.rows.set(tuple, this.size * width);
    this.table[slot] = this.size;
    return this.size++;
  }

  /**
   * @param {number} n
   * @param {Int32Array} into
   */
  read(n, into) {
    const from = n * this.width;
    for (let i = 0; i < this.width; i++) into[i] = this.rows[from + i];
  }

  /**
   * @param {number} n
   * @param {Int32Array} tuple
   */
  isAt(n, tuple) {
    const from = n * this.width;
    for (let i = 0; i < this.width; i++) if (this.rows[from + i] !== tuple[i]) return false;
    return true;
  }

  grow() {
    const table = new Int32Array(this.table.length * 2).fill(-1);
    const mask = table.length - 1;
    for (let n = 0; n < this.size; n++) {
      let slot = hash(this.rows, n * this.width, this.width) & mask;
      while (table[slot] >= 0) slot = (slot + 1) & mask;
      table[slot] = n;
    }
    this.table = table;
  }
}

/**
 * @param {Int32Array} of
 * @param {number} from
 * @param {number} width
 */
function hash(of, from, width) {
  let h = 0x811c9dc5;
  for (let i = 0; i < width; i++) {
    h = Math.imul(h ^ of[from + i], 0x01000193);
    h ^= h >>> 15;
  }
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  return (h ^ (h >>> 15)) >>> 0;
}
