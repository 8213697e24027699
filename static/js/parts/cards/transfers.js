// Where a piece has come from that is new, and where one has gone that is not seen any more: into or out of a hand or a
// container, as the numbers tell of what lies in them (T21, T29). Pure; no DOM.

/**
 * A piece that has come into sight, or gone out of it. `sort` is as what it is counted: its mask, -1 if it is not secret.
 * @typedef {{id: number, sort: number, x: number, y: number}} Crossing
 */

/**
 * By how many of a sort the number has changed in a hand or a container, and where that lies.
 * @typedef {{place: number, sort: number, by: number, x: number, y: number}} Change
 */

/**
 * What has gone on out of sight of this view: so many of a sort went from one place to another.
 * @typedef {{from: number, to: number, sort: number, n: number}} Passage
 */

/**
 * Finds out what went where.
 * @param {Crossing[]} come @param {Crossing[]} gone
 * @param {Crossing[]} inside pieces that are seen where they lie now, in a hand into which this person sees, and are counted there
 * @param {Change[]} changes
 * @returns {{from: Map<number, number>, to: Map<number, number>, hidden: Passage[]}} the places from which pieces came and to which
 *   they went, by their names; and what was not seen
 */
export function trace(come, gone, inside, changes) {
  const left = changes.filter((c) => c.by !== 0).map((c) => ({ ...c }));
  /** @type {Map<number, number>} */
  const from = new Map();
  /** @type {Map<number, number>} */
  const to = new Map();
  for (const p of come) {
    const c = nearest(left, p, -1);
    if (!c) continue;
    c.by++;
    from.set(p.id, c.place);
  }
  for (const p of inside) {
    const c = nearest(left, p, 1);
    if (c) c.by--;
  }
  for (const p of gone) {
    const c = nearest(left, p, 1);
    if (!c) continue;
    c.by--;
    to.set(p.id, c.place);
  }
  return { from, to, hidden: pair(left) };
}

/** The nearest place whose number of that sort has changed in that direction. @param {Change[]} changes @param {Crossing} p
 * @param {number} sign */
function nearest(changes, p, sign) {
  let best = null;
  let least = Infinity;
  for (const c of changes) {
    if (c.sort !== p.sort || Math.sign(c.by) !== sign) continue;
    const far = Math.hypot(c.x - p.x, c.y - p.y);
    if (far < least) {
      least = far;
      best = c;
    }
  }
  return best;
}

/** What has become less here and more there went from here to there. @param {Change[]} changes @returns {Passage[]} */
function pair(changes) {
  const found = [];
  for (const a of changes) {
    for (const b of changes) {
      if (a.by >= 0 || b.by <= 0 || a.sort !== b.sort) continue;
      const n = Math.min(-a.by, b.by);
      a.by += n;
      b.by -= n;
      found.push({ from: a.place, to: b.place, sort: a.sort, n });
    }
  }
  return found;
}
