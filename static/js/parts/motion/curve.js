/**
 * Curves: properties as functions of server time, for what moves by itself, or faster than history
 * should record (docs/protocol/curve.md, K1 to K13). Merging gives the same result in any order and
 * any number of times.
 *
 * It computes the same integers as the server's package curve (docs/protocol/vectors/curves.json
 * tests both). No DOM, no clock: time is an argument.
 *
 * @module
 */

import { MAX_VALUE } from '../../sync/clockside.js';

export { leftAt, MAX_VALUE, pause, press, start } from '../../sync/clockside.js';

/** @typedef {import('../../sync/clockside.js').Side} Side */

/** The last instant that a version or a closed end may have. */
export const MAX_TIME = 2 ** 48 - 1;
/** The end of an open segment. */
export const FOREVER = 2 ** 53 - 1;
/** The greatest length of a linear segment, in ms. */
export const MAX_SPAN = 2 ** 20;
/** The greatest number of pieces of a curve that is not a recording (K11). */
export const MAX_STRETCHES = 64;

/** The kinds of segments (K3). */
export const STEP = 1;
export const LINEAR = 2;
export const TIMER = 3;

/**
 * Components whose meaning the property says: x, y and angle, or milliseconds. Unused ones are 0.
 * @typedef {[number, number, number]} Value
 */

/**
 * The unit in which a server sends a curve. It never changes. Fields that a kind does not use are
 * 0.
 * @typedef {object} Segment
 * @property {{tick: number, seq: number}} version server time of the tick that made it, and the
 *   sequence within the tick
 * @property {number} from the first instant, in ms of server time
 * @property {number} to the first instant after it, or FOREVER
 * @property {number} kind STEP, LINEAR or TIMER
 * @property {Value} start the value at `from`
 * @property {Value} end linear: the value at `to`
 * @property {number} rate timer: -1, 0 or 1 per ms
 * @property {number} min timer
 * @property {number} max timer
 */

/**
 * A stretch of a curve on which one segment shows: the instants from `start` on and before `end`.
 * @typedef {{start: number, end: number, segment: Segment}} Stretch
 */

/**
 * A curve in normal form: pieces in the order of time that do not overlap. Adjoining pieces have
 * different segments (K8).
 * @typedef {object} Curve
 * @property {number} floor the first instant that may have data (K10)
 * @property {number} endedAt data that was made at this tick or before is dropped (K12)
 * @property {Stretch[]} stretches
 * @property {boolean} recording whether it is unbounded, as the curve of a replay
 */

/** Returns a curve without data. @param {boolean} [recording] @returns {Curve} */
export function empty(recording = false) {
  return { floor: 0, endedAt: 0, stretches: [], recording };
}

/** Returns whether a segment is within all bounds (K4). @param {Segment} s */
export function isSegment(s) {
  const { version, from, to, start, end, rate, min, max } = s;
  if (!isInteger(version.tick, 1, MAX_TIME) || !isInteger(version.seq, 0, 2 ** 32 - 1))
    return false;
  if (!isInteger(from, 0, MAX_TIME) || !(isInteger(to, from + 1, MAX_TIME) || to === FOREVER))
    return false;
  if (start.length !== 3 || end.length !== 3) return false;
  if (![...start, ...end, min, max].every((c) => isInteger(c, -MAX_VALUE, MAX_VALUE))) return false;
  const still = end.every((c) => c === 0);
  const free = rate === 0 && min === 0 && max === 0;
  switch (s.kind) {
    case STEP:
      return still && free;
    case LINEAR:
      return free && to - from <= MAX_SPAN;
    case TIMER:
      return (
        still &&
        start[1] === 0 &&
        start[2] === 0 &&
        isInteger(rate, -1, 1) &&
        start[0] >= min &&
        start[0] <= max
      );
    default:
      return false;
  }
}

/**
 * @param {number} n
 * @param {number} least
 * @param {number} greatest
 */
function isInteger(n, least, greatest) {
  return Number.isSafeInteger(n) && n >= least && n <= greatest;
}

/**
 * Merges one segment into a curve: at each instant that it covers, the higher version shows (K6).
 * @param {Curve} curve
 * @param {Segment} s
 * @throws {RangeError} if it is not a valid segment; the curve has not changed then
 */
export function add(curve, s) {
  if (!isSegment(s)) throw new RangeError('not a segment of a curve');
  const start = Math.max(s.from, curve.floor);
  if (s.version.tick <= curve.endedAt || start >= s.to) return;
  const { stretches } = curve;
  // Only the pieces from `first` on and before `last` overlap with it. The others touch it at most.
  let last = stretches.length;
  while (last > 0 && stretches[last - 1].start >= s.to) last--;
  let first = last;
  while (first > 0 && stretches[first - 1].end > start) first--;
  stretches.splice(
    first,
    last - first,
    ...join(stretches.slice(first, last), [{ start, end: s.to, segment: s }]),
  );
  bound(curve);
}

/**
 * Merges the data of `other` into a curve. The curve also forgets what `other` has forgotten (K7).
 * @param {Curve} curve
 * @param {Curve} other it does not change
 */
export function merge(curve, other) {
  const theirs = { ...other };
  forget(theirs, curve.floor, curve.endedAt);
  forget(curve, other.floor, other.endedAt);
  curve.stretches = join(curve.stretches, theirs.stretches);
  bound(curve);
}

/**
 * Forgets the data before an instant, including data that arrives later (K10).
 * @param {Curve} curve
 * @param {number} before
 */
export function prune(curve, before) {
  forget(curve, before, 0);
}

/**
 * Forgets what the recording of an update at server time `t` has ended (K12): every segment made at
 * `t` or before, however far it leads, and all data at `t` and before. That includes data that
 * arrives later.
 * @param {Curve} curve
 * @param {number} t
 */
export function endMotion(curve, t) {
  if (t < 0) return; // no segment is that old
  const dead = Math.min(t, MAX_TIME);
  forget(curve, dead + 1, dead);
}

/**
 * @param {Curve} curve
 * @param {number} floor
 * @param {number} dead
 */
function forget(curve, floor, dead) {
  curve.floor = Math.max(curve.floor, Math.min(floor, FOREVER));
  curve.endedAt = Math.max(curve.endedAt, dead);
  curve.stretches = curve.stretches
    .filter((p) => p.end > curve.floor && p.segment.version.tick > curve.endedAt)
    .map((p) => (p.start < curve.floor ? { ...p, start: curve.floor } : p));
}

/**
 * Drops the oldest pieces beyond MAX_PIECES (K11).
 * @param {Curve} curve
 */
function bound(curve) {
  const over = curve.stretches.length - MAX_STRETCHES;
  if (over <= 0 || curve.recording) return;
  curve.stretches.splice(0, over);
  curve.floor = curve.stretches[0].start;
}

/**
 * Returns the value at an instant; null if the curve has no data there. A time between two
 * milliseconds is rounded down.
 * @param {Curve} curve
 * @param {number} t
 * @returns {Value | null}
 */
export function at(curve, t) {
  const p = upTo(curve, t);
  return p && t < p.end ? valueAt(p.segment, t) : null;
}

/**
 * Returns the value at an instant. Where there is none, returns the value to which the last data
 * before it led (K9); null before the first data.
 * @param {Curve} curve
 * @param {number} t
 * @returns {Value | null}
 */
export function hold(curve, t) {
  const p = upTo(curve, t);
  return p && valueAt(p.segment, Math.min(t, p.end));
}

/**
 * Returns the last piece that starts at `t` or before. It searches from the end, because displayed
 * instants are near the end.
 * @param {Curve} curve
 * @param {number} t
 * @returns {Stretch | null}
 */
function upTo(curve, t) {
  let i = curve.stretches.length;
  while (i > 0 && curve.stretches[i - 1].start > t) i--;
  return i > 0 ? curve.stretches[i - 1] : null;
}

/**
 * Returns the value at an instant from `from` to `to`, both included. At `to` it is the value to
 * which the segment leads (K5).
 * @param {Segment} s
 * @param {number} t it is rounded down to a millisecond
 * @returns {Value}
 */
function valueAt(s, t) {
  const part = Math.floor(t) - s.from;
  if (s.kind === STEP) return [...s.start];
  if (s.kind === TIMER) return [Math.min(Math.max(s.start[0] + s.rate * part, s.min), s.max), 0, 0];
  const length = s.to - s.from;
  /** @param {number} i */
  const component = (i) => between(s.start[i], s.end[i], part, length);
  return [component(0), component(1), component(2)];
}

/**
 * Returns a + (b-a)·part/length, rounded to the nearest integer, halves away from a. All numbers
 * stay below 2^53.
 * @param {number} a
 * @param {number} b
 * @param {number} part
 * @param {number} length
 */
function between(a, b, part, length) {
  const way = 2 * Math.abs(b - a) * part + length;
  // the division has no remainder, so it is exact
  const steps = (way - (way % (2 * length))) / (2 * length);
  return b < a ? a - steps : a + steps;
}

/**
 * Compares segments by version, then by content, field by field (K2). A total order: 0 for equal
 * ones only.
 * @param {Segment} a
 * @param {Segment} b
 */
export function compare(a, b) {
  if (a === b) return 0;
  const x = fields(a);
  const y = fields(b);
  const i = x.findIndex((field, n) => field !== y[n]);
  return i < 0 ? 0 : x[i] - y[i];
}

/** @param {Segment} s */
function fields(s) {
  return [
    s.version.tick,
    s.version.seq,
    s.from,
    s.to,
    s.kind,
    ...s.start,
    ...s.end,
    s.rate,
    s.min,
    s.max,
  ];
}

/**
 * Joins the pieces of both, with the higher segment at each instant (K6).
 * @param {readonly Stretch[]} a in normal form
 * @param {readonly Stretch[]} b in normal form
 * @returns {Stretch[]}
 */
function join(a, b) {
  /** @type {Stretch[]} */
  const out = [];
  let [i, j] = [0, 0];
  let t = 0; // `out` has everything before it
  while (i < a.length || j < b.length) {
    const x = i < a.length ? a[i] : null;
    const y = j < b.length ? b[j] : null;
    const xStart = x ? Math.max(x.start, t) : FOREVER;
    const yStart = y ? Math.max(y.start, t) : FOREVER;
    const start = Math.min(xStart, yStart);
    // No piece begins or ends between start and end.
    const end = Math.min(
      ...[xStart, yStart].filter((s) => s > start),
      x?.end ?? FOREVER,
      y?.end ?? FOREVER,
    );
    const here = [xStart === start ? x : null, yStart === start ? y : null].filter(
      (p) => p !== null,
    );
    const [p] = here.length > 1 && compare(here[0].segment, here[1].segment) < 0 ? [here[1]] : here;
    show(out, { start, end, segment: p.segment });
    t = end;
    if (x && x.end <= t) i++;
    if (y && y.end <= t) j++;
  }
  return out;
}

/**
 * Appends a piece, or lengthens the last one if that has the same segment.
 * @param {Stretch[]} out
 * @param {Stretch} p
 */
function show(out, p) {
  const last = out.at(-1);
  if (last && last.end === p.start && compare(last.segment, p.segment) === 0) last.end = p.end;
  else out.push(p);
}

/**
 * Returns the segment that a side of a clock shows from `side.since` on.
 * @param {Side} side
 * @param {{tick: number, seq: number}} version
 * @returns {Segment}
 */
export function segmentOf(side, version) {
  return {
    version,
    from: side.since,
    to: FOREVER,
    kind: TIMER,
    start: [side.left, 0, 0],
    end: [0, 0, 0],
    rate: side.running ? -1 : 0,
    min: 0,
    max: side.left,
  };
}
