// A hand that moves, a bad line, and the view of somebody else: for tests of what others see of a
// motion (S12). Time is virtual. The server's part follows stream.md: a segment for each point, and
// at most one frame in a tick.

import { Sampler } from '../js/parts/controls/sampler.js';
import { Tracks } from '../js/parts/motion/tracks.js';

/** @typedef {{x: number, y: number}} Place */

/**
 * @typedef {object} Trouble
 * @property {() => number} up ms that a point is on its way; none overtakes another
 * @property {() => number} down the same of a frame
 * @property {number} [skew] ms that the hand's clock is ahead of the server's
 * @property {(frame: Frame) => Frame[]} [mangle] what becomes of a frame
 */

/**
 * @typedef {{time: number, lag: number, span: number, x: number, y: number, dx: number,
 *   dy: number}} Frame
 */
/** @typedef {Place & {at: number, stage: string}} Sight what is seen in a frame of the screen */

const TICK = 25;
const SCREEN = 1000 / 60;
/** How far the page's clock differs from the server's, in ms. */
const AHEAD = 1_234_567.8;

/** The server's part: a segment for each point (S12). */
class Path {
  /** @type {{from: number, span: number, x0: number, y0: number, x1: number, y1: number}|null} */
  #last = null;

  /** @param {number} at @param {Place} to @param {Place} rest where it lay before */
  to(at, to, rest) {
    const last = this.#last;
    const span = last ? Math.min(Math.max(at - last.from, 20), 100) : 50;
    const start = last ? this.#at(at) : rest;
    this.#last = { from: at, span, x0: start.x, y0: start.y, x1: to.x, y1: to.y };
    return this.#last;
  }

  /** @param {number} t */
  #at(t) {
    const l =
      /** @type {{from: number, span: number, x0: number, y0: number, x1: number, y1: number}} */ (
        this.#last
      );
    const part = Math.min(1, Math.max(0, (t - l.from) / l.span));
    return {
      x: Math.round(l.x0 + (l.x1 - l.x0) * part), y: Math.round(l.y0 + (l.y1 - l.y0) * part),
    };
  }
}

/**
 * Moves a hand and returns what somebody else sees of it, in each frame of their screen.
 *
 * @param {(t: number) => Place} hand where it is, from time 0 on; before that it rests
 * @param {number} length in ms
 * @param {Trouble} trouble
 * @returns {{seen: Sight[], tracks: Tracks}}
 */
export function watch(hand, length, { up, down, skew = 0, mangle = (f) => [f] }) {
  const start = 1_780_000_000_000;
  const frames = told(said(hand, start, length, skew), start, hand(0), up, down);
  const tracks = new Tracks();
  const piece = hand(0);
  /** @type {Sight[]} */
  const seen = [];
  const arrivals = frames.flatMap(({ frame, arrives }) =>
    mangle(frame).map((f) => ({ frame: f, arrives })),
  );
  for (let at = start; at < start + length + 3000; at += SCREEN) {
    while (arrivals.length > 0 && arrivals[0].arrives <= at) {
      const { frame, arrives } = /** @type {typeof arrivals[0]} */ (arrivals.shift());
      const { time, lag, span, x, y, dx, dy } = frame;
      tracks.take(
        { lag, span, ids: [1], x: [x], y: [y], dx: [dx], dy: [dy] }, time, arrives + AHEAD, () => 2,
      );
    }
    const stage = tracks.place(1, piece, at + AHEAD);
    seen.push({ x: piece.x, y: piece.y, at: at - start, stage });
  }
  return { seen, tracks };
}

/**
 * The points that go up.
 *
 * @param {(t: number) => Place} hand
 * @param {number} start
 * @param {number} length
 * @param {number} skew
 */
function said(hand, start, length, skew) {
  const sampler = new Sampler(hand(0));
  const points = [];
  for (let t = 0; t < length + 200; t += SCREEN) {
    const point = sampler.see({ at: start + t + skew, ...hand(t) }, 50);
    if (point) points.push({ point, goes: start + t });
  }
  return points;
}

/**
 * The frames that come down, and when.
 *
 * @param {{point: Place & {at: number}, goes: number}[]} points
 * @param {number} start
 * @param {Place} rest
 * @param {() => number} up
 * @param {() => number} down
 */
function told(points, start, rest, up, down) {
  const path = new Path();
  /** @type {{frame: Frame, arrives: number}[]} */
  const frames = [];
  let here = start;
  let latest = 0;
  let arrives = 0;
  for (const { point, goes } of points) {
    here = Math.max(here, goes + up());
    const at = Math.max(Math.min(point.at, Math.floor(here)), latest + 1);
    latest = at;
    const { from, span, x0, y0, x1, y1 } = path.to(at, point, rest);
    const time = Math.ceil((here + 1) / TICK) * TICK;
    arrives = Math.max(arrives, time + down());
    frames.push({
      frame: { time, lag: time - from, span, x: x1, y: y1, dx: x0 - x1, dy: y0 - y1 }, arrives,
    });
  }
  return frames;
}

/**
 * The least and the greatest speed over a tenth of a second, in units a ms.
 *
 * @param {Sight[]} seen
 */
export function paces(seen) {
  const speeds = seen
    .slice(6)
    .map((s, i) => Math.hypot(s.x - seen[i].x, s.y - seen[i].y) / (s.at - seen[i].at));
  return { least: Math.min(...speeds), most: Math.max(...speeds) };
}

/**
 * How a movement looks: its greatest speed in units a ms, the greatest change of speed from one
 * frame to the next, and how far it ever went back against a direction.
 *
 * @param {Sight[]} seen
 * @param {Place} [along]
 */
export function looks(seen, along = { x: 1, y: 0 }) {
  let [speed, jolt, back] = [0, 0, 0];
  /** @type {Place|null} */
  let before = null;
  for (let i = 1; i < seen.length; i++) {
    const dt = seen[i].at - seen[i - 1].at;
    const v = { x: (seen[i].x - seen[i - 1].x) / dt, y: (seen[i].y - seen[i - 1].y) / dt };
    speed = Math.max(speed, Math.hypot(v.x, v.y));
    if (before) jolt = Math.max(jolt, Math.hypot(v.x - before.x, v.y - before.y));
    back = Math.max(back, -(v.x * along.x + v.y * along.y) * dt);
    before = v;
  }
  return { speed, jolt, back };
}
