// Finds out where a new piece came from, and where one went that has left the view: out of or into
// a hand or a container, as the counts of their contents show (T21, T29). Pure; no DOM.

/**
 * A piece that has entered or left the view. `sort` says as what it is counted: its mask, -1 if it
 * is not secret.
 * @typedef {{id: number, sort: number, x: number, y: number}} Crossing
 */

/**
 * By how much the count of a sort has changed in a hand or a container, and where that lies.
 * @typedef {{place: number, sort: number, by: number, x: number, y: number}} Change
 */

/**
 * A transfer outside this view: n pieces of a sort went from one place to another.
 * @typedef {{from: number, to: number, sort: number, n: number}} Passage
 */

/**
 * Finds out which pieces went where.
 * @param {Crossing[]} come
 * @param {Crossing[]} gone
 * @param {Crossing[]} inside pieces that are visible where they lie now, in a hand that this person
 *   sees into, and are counted there
 * @param {Change[]} changes
 * @returns {{from: Map<number, number>, to: Map<number, number>, hidden: Passage[]}} by piece, the
 *   places where pieces came from and went to; and the transfers outside this view
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

/**
 * Returns the nearest place whose count of that sort has changed in that direction.
 * @param {Change[]} changes
 * @param {Crossing} p
 * @param {number} sign
 */
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

/**
 * Pairs places that lost pieces of a sort with places that gained some.
 * @param {Change[]} changes
 * @returns {Passage[]}
 */
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
