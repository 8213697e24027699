// The lines of drawings: it reduces the points of the pointer, draws smooth curves, and finds lines
// near a place. Everything is in table units. Pure arithmetic; no DOM.

/** @typedef {import('../../view/geometry.js').Point} Point */
/** @typedef {import('../components/registry.js').Points} Points */

/**
 * The greatest number of points of one stretch. With three bytes for each number it fits in its
 * 1,024 bytes (C14).
 */
const STRETCH = 150;

/**
 * Returns the points without those that change the line by less than a tolerance (Ramer, Douglas
 * and Peucker). The first and the last stay.
 * @param {Point[]} points
 * @param {number} tolerance
 */
export function simplified(points, tolerance) {
  const kept = new Uint8Array(points.length);
  kept[0] = kept[points.length - 1] = 1;
  /** @type {[number, number][]} */
  const spans = [[0, points.length - 1]];
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [from, to] = span;
    let far = -1;
    let most = tolerance;
    for (let i = from + 1; i < to; i++) {
      const d = distance(points[i], points[from], points[to]);
      if (d <= most) continue;
      most = d;
      far = i;
    }
    if (far < 0) continue;
    kept[far] = 1;
    spans.push([from, far], [far, to]);
  }
  return points.filter((_, i) => kept[i]);
}

/**
 * Returns the distance of a point from the straight line segment between two others.
 * @param {Point} p
 * @param {Point} a
 * @param {Point} b
 */
function distance(p, a, b) {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const length = dx * dx + dy * dy;
  const t =
    length === 0 ? 0 : Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length));
  return Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/**
 * Returns the distance of a place from a line; Infinity if the line has no points.
 * @param {readonly Point[]} points
 * @param {Point} place
 */
export function distanceTo(points, place) {
  let least =
    points.length === 1
      ? Math.hypot(place.x - points[0].x, place.y - points[0].y)
      : Number.POSITIVE_INFINITY;
  for (let i = 1; i < points.length; i++)
    least = Math.min(least, distance(place, points[i - 1], points[i]));
  return least;
}

/** Returns the length of the straight lines between points. @param {readonly Point[]} points */
export function lengthOf(points) {
  let length = 0;
  for (let i = 1; i < points.length; i++)
    length += Math.hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
  return length;
}

/** Returns the box around points. @param {readonly Point[]} points */
export function boxAround(points) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y } of points) {
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

/**
 * Returns a smooth curve through points as an SVG path. Between two points it is a cubic. Its ends
 * point in the direction of the neighbours, weighted by their distance (a centripetal Catmull-Rom
 * spline). So it makes no loops where points lie close together.
 * @param {readonly Point[]} points at least one
 */
export function pathOf(points) {
  const at = (/** @type {number} */ i) => points[Math.min(Math.max(i, 0), points.length - 1)];
  let d = `M${round(points[0].x)} ${round(points[0].y)}`;
  if (points.length === 1) return `${d}h0`; // its round ends make a dot
  for (let i = 0; i + 1 < points.length; i++) {
    const [a, b] = handles(at(i - 1), at(i), at(i + 1), at(i + 2));
    const { x, y } = points[i + 1];
    d += `C${round(a.x)} ${round(a.y)} ${round(b.x)} ${round(b.y)} ${round(x)} ${round(y)}`;
  }
  return d;
}

/**
 * Returns the control points between p1 and p2.
 * @param {Point} p0
 * @param {Point} p1
 * @param {Point} p2
 * @param {Point} p3
 */
function handles(p0, p1, p2, p3) {
  return [handle(p0, p1, p2), handle(p3, p2, p1)];
}

/**
 * Returns the control point next to p1, on its side towards p2, of the curve from p0 over p1 to p2.
 * With the square roots of the distances as parameters it lies at p1 + (p2 − p1)/3, bent by what
 * comes before.
 * @param {Point} p0
 * @param {Point} p1
 * @param {Point} p2
 */
function handle(p0, p1, p2) {
  const a = Math.hypot(p1.x - p0.x, p1.y - p0.y);
  const b = Math.hypot(p2.x - p1.x, p2.y - p1.y);
  if (a < 1 || b < 1) return { x: p1.x + (p2.x - p1.x) / 3, y: p1.y + (p2.y - p1.y) / 3 };
  const ra = Math.sqrt(a);
  const rb = Math.sqrt(b);
  const tangent = (/** @type {number} */ v0, /** @type {number} */ v1, /** @type {number} */ v2) =>
    v1 + (rb / 3) * ((v1 - v0) / ra - (v2 - v0) / (ra + rb) + (v2 - v1) / rb);
  return { x: tangent(p0.x, p1.x, p2.x), y: tangent(p0.y, p1.y, p2.y) };
}

/** Rounds to a tenth of a unit, which is a hundredth of a millimetre. @param {number} n */
const round = (n) => Math.round(n * 10) / 10;

/**
 * Returns points as they are sent (C14): stretches in whole units, each with its first place and
 * then differences.
 * @param {readonly Point[]} points
 * @returns {Points[]}
 */
export function stretchesOf(points) {
  /** @type {Points[]} */
  const all = [];
  for (let i = 0; i < points.length; i += STRETCH) {
    const part = points
      .slice(i, i + STRETCH)
      .map((p) => ({ x: Math.round(p.x), y: Math.round(p.y) }));
    const differences = (/** @type {'x'|'y'} */ of) =>
      part.map((p, k) => (k === 0 ? p[of] : p[of] - part[k - 1][of]));
    all.push({ x: differences('x'), y: differences('y') });
  }
  return all;
}

/**
 * Returns the points of stretches in one list.
 * @param {readonly Points[]} stretches
 * @returns {Point[]}
 */
export function pointsOf(stretches) {
  return stretches.flatMap(({ x, y }) => {
    const at = { x: 0, y: 0 };
    return x.map((dx, i) => {
      at.x += dx;
      at.y += y[i];
      return { ...at };
    });
  });
}
