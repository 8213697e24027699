/**
 * The motion of others: of pieces by their ids, and of cursors by their seats (S12, S13). Each
 * track is a curve that segments from the server extend. A Playout for each person decides which
 * moment is shown. Numbers only: no DOM, no clock.
 *
 * The shown place never jumps. Data that arrives too late changes where the thing should be now.
 * The difference is kept, and fades within a tenth or two of a second.
 *
 * @module
 */

import * as curves from './curve.js';
import { Playout } from './playout.js';

/** @typedef {import('../../types.js').Paths} Paths */

/**
 * @typedef {object} Track
 * @property {curves.Curve} curve
 * @property {Playout} clock
 * @property {boolean} stale the stream was interrupted since; the server will send its motion again
 * @property {number} correctedUntil server time until which the track differs from what the server
 *   sent
 * @property {boolean} on whether the shown place is known
 * @property {number} dx how far the thing is shown from its place on the curve, in units
 * @property {number} dy
 * @property {number} at when `dx` and `dy` were computed
 * @property {number} beat with reduced motion: the moment that was shown last
 */

/**
 * What a track knows of the place of a thing. `none`: nothing. `soon`: nothing yet. `moving`: it
 * moves. `still`: it stands where its track has ended.
 * @typedef {'none'|'soon'|'moving'|'still'} Stage
 */

/**
 * FADE is the time in which a difference fades to about a third, in ms. NOTHING is a difference
 * that nobody sees, in units.
 */
const FADE = 50;
const NOTHING = 0.5;

/**
 * Lag in ms from which on a segment teaches the clock nothing: its piece has rested, or the server
 * sends it again.
 */
const OLD = 1000;

/** The greatest number of things for which the end of unknown motion is remembered. */
const MOST_ENDED = 1000;

/** If a segment was lost, the time in ms in which the thing moves to the start of the next one. */
const BRIDGE = 100;

/** The time over which speed is measured, in ms. */
const BRIEF = 40;

/** With reduced motion: the time between two steps, in ms. */
const RARE = 250;

export class Tracks {
  /** @type {Map<number, Track>} */
  #tracks = new Map();
  /**
   * When the motion of things without a track ended, in server time. Segments from before that may
   * arrive late (D34).
   * @type {Map<number, number>}
   */
  #ended = new Map();
  /** @type {Map<number, Playout>} by seat */
  #clocks;

  /** @param {Map<number, Playout>} [clocks] the clocks of the same people in other tracks */
  constructor(clocks = new Map()) {
    this.#clocks = clocks;
  }

  /**
   * Takes in segments that have arrived.
   * @param {Paths} paths segments with current ids
   * @param {number} time server time of their frame
   * @param {number} now time by the page's clock
   * @param {(id: number) => number} seatOf returns the seat that moves it; 0: its motion is not
   *   shown
   * @returns {number[]} the ids whose segments were used
   */
  take(paths, time, now, seatOf) {
    const from = time - paths.lag;
    const taken = [];
    /** @type {Set<Playout>} clocks that have learned from this call */
    const heard = new Set();
    for (const [i, id] of paths.ids.entries()) {
      const seat = seatOf(id);
      const segment =
        seat === 0 || time <= (this.#ended.get(id) ?? 0) ? null : segmentOf(paths, i, time);
      if (!segment) continue;
      taken.push(id);
      const track = this.#tracks.get(id);
      const clock = this.#clockOf(seat);
      if (!track) {
        // After a full state the server may send a segment again that began some time ago.
        if (paths.lag < OLD) clock.begin(from, now);
        this.#tracks.set(id, {
          curve: of(segment),
          clock,
          stale: false,
          correctedUntil: 0,
          on: false,
          dx: 0,
          dy: 0,
          at: now,
          beat: 0,
        });
        continue;
      }
      if (track.stale) {
        if (paths.lag < OLD) clock.begin(from, now);
        renew(track, segment, now);
        track.clock = clock;
        continue;
      }
      // read it before the clock learns, because a clock that has jumped changes at once
      const seen = valueAt(track.curve, track.clock.at(now));
      track.clock = clock;
      const isNews = paths.lag < OLD && segment.to > endOf(track.curve);
      if (isNews && !heard.has(clock)) clock.learn(from, now);
      heard.add(clock);
      join(track, segment, isNews, seen, now);
    }
    return taken;
  }

  /**
   * Ends all motion that was made up to a time (K12).
   * @param {number} id
   * @param {number} t in server time
   */
  endBefore(id, t) {
    const track = this.#tracks.get(id);
    if (!track) {
      this.#end(id, t);
      return;
    }
    curves.endMotion(track.curve, t);
    track.on = false;
    track.dx = track.dy = track.beat = 0;
  }

  /** @param {number} id @param {number} t */
  #end(id, t) {
    this.#ended.delete(id); // so that it comes last
    this.#ended.set(id, t);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > MOST_ENDED) this.#ended.delete(oldest);
  }

  /**
   * The stream was interrupted, and the server will send the current motion again (S12). Until then
   * a thing stays where it is shown, and then goes on from there: a lost connection moves nothing.
   * @param {(id: number) => boolean} isOver returns whether something is known to be elsewhere
   * @returns {number[]} the things that were elsewhere and had a track with data
   */
  interrupt(isOver) {
    const moved = [];
    for (const [id, track] of this.#tracks) {
      track.stale = true;
      if (!isOver(id)) continue;
      if (this.hasData(id)) moved.push(id);
      this.#tracks.delete(id);
    }
    return moved;
  }

  /** Renames a thing. Its motion continues. @param {number} from @param {number} to */
  rename(from, to) {
    const track = this.#tracks.get(from);
    if (!track) return;
    this.#tracks.delete(from);
    this.#tracks.set(to, track);
  }

  /** Forgets all tracks, but not the clocks. Returns the things that had data. */
  forget() {
    const led = [...this.#tracks.keys()].filter((id) => this.hasData(id));
    this.#tracks.clear();
    return led;
  }

  /** Returns whether the track of a thing has data. @param {number} id */
  hasData(id) {
    return (this.#tracks.get(id)?.curve.stretches.length ?? 0) > 0;
  }

  /**
   * Puts a thing where it has to be shown.
   * @param {number} id
   * @param {{x: number, y: number}} thing its place; the shown one before, the new one after the
   *   call
   * @param {number} now
   * @param {boolean} [rarely] with reduced motion: it moves in steps of RARE ms
   * @returns {Stage}
   */
  place(id, thing, now, rarely = false) {
    const track = this.#tracks.get(id);
    if (!track || track.curve.stretches.length === 0) return 'none';
    let moment = track.clock.at(now);
    if (rarely && moment !== Infinity)
      moment = track.beat = Math.max(track.beat, Math.floor(moment / RARE) * RARE);
    const over = moment >= endOf(track.curve);
    const v = valueAt(track.curve, moment);
    if (!v || !track.on) {
      const [x, y] = v ? [v.x, v.y] : track.curve.stretches[0].segment.start;
      Object.assign(track, { on: true, dx: thing.x - x, dy: thing.y - y, at: now });
      if (!v) return 'soon';
    }
    fade(track, now, rarely);
    thing.x = v.x + track.dx;
    thing.y = v.y + track.dy;
    return over && track.dx === 0 && track.dy === 0 ? 'still' : 'moving';
  }

  /**
   * Returns how fast a thing is shown moving, in units per millisecond.
   * @param {number} id
   * @param {number} now
   */
  speed(id, now) {
    const track = this.#tracks.get(id);
    if (!track?.on) return 0;
    const moment = track.clock.at(now);
    const a = valueAt(track.curve, moment - BRIEF);
    const b = valueAt(track.curve, moment);
    return a && b ? Math.hypot(b.x - a.x, b.y - a.y) / BRIEF : 0;
  }

  /**
   * Returns where the last segment of a thing begins, and its end in server time; null if there is
   * none.
   * @param {number} id
   */
  last(id) {
    const last = this.#tracks.get(id)?.curve.stretches.at(-1);
    return last ? { x: last.segment.start[0], y: last.segment.start[1], to: last.end } : null;
  }

  /**
   * Returns the moment of a person's motion that is shown, in server time.
   * @param {number} seat
   * @param {number} now
   */
  moment(seat, now) {
    return this.#clockOf(seat).at(now);
  }

  /** @param {number} seat */
  #clockOf(seat) {
    let clock = this.#clocks.get(seat);
    if (!clock) this.#clocks.set(seat, (clock = new Playout()));
    return clock;
  }
}

/**
 * Merges a segment into a track without a jump of the shown place.
 * @param {Track} track
 * @param {curves.Segment} segment
 * @param {boolean} isNews
 * @param {{x: number, y: number}|null} before the place that was shown
 * @param {number} now
 */
function join(track, segment, isNews, before, now) {
  const { curve, clock } = track;
  if (segment.from < track.correctedUntil)
    startAtShown(track, segment, valueAt(curve, segment.from));
  const moment = clock.at(now);
  const end = endOf(curve);
  if (segment.from > end && end > 0) bridge(curve, segment);
  curves.add(curve, segment);
  if (isNews && end <= moment && segment.from < moment)
    clock.rewind(Math.max(segment.from, end), now);
  const after = valueAt(curve, clock.at(now));
  if (!track.on || !before || !after) return;
  track.dx += before.x - after.x;
  track.dy += before.y - after.y;
}

/**
 * Starts a track again with a segment that the server sends after an interruption. The segment may
 * begin further back than the shown place; the track then starts at the shown place.
 * @param {Track} track
 * @param {curves.Segment} segment
 * @param {number} now
 */
function renew(track, segment, now) {
  const seen = valueAt(track.curve, track.clock.at(now));
  startAtShown(track, segment, seen && { x: seen.x + track.dx, y: seen.y + track.dy });
  Object.assign(track, { curve: of(segment), stale: false, on: false, dx: 0, dy: 0, at: now });
}

/**
 * Lets a segment begin at the shown place instead of the server's. The server did not know the
 * shown place.
 * @param {Track} track
 * @param {curves.Segment} segment
 * @param {{x: number, y: number}|null} seen
 */
function startAtShown(track, segment, seen) {
  if (!seen) return;
  segment.start = [Math.round(seen.x), Math.round(seen.y), 0];
  track.correctedUntil = segment.to;
}

/**
 * Adds a segment that leads to the start of another one, if what led there was lost. Data for that
 * time that still arrives later shows instead, because it has a higher version.
 * @param {curves.Curve} curve
 * @param {curves.Segment} segment
 */
function bridge(curve, { from, start }) {
  const last = curve.stretches[curve.stretches.length - 1];
  const held = valueAt(curve, last.end);
  if (!held || (held.x === start[0] && held.y === start[1])) return;
  const { tick, seq } = last.segment.version;
  curves.add(curve, {
    ...last.segment,
    version: { tick, seq: seq + 1 },
    from: Math.max(last.end, from - BRIDGE),
    to: from,
    start: [held.x, held.y, 0],
    end: start,
  });
}

/** @param {Track} track @param {number} now @param {boolean} atOnce */
function fade(track, now, atOnce) {
  const rest = atOnce ? 0 : Math.exp(-Math.max(0, now - track.at) / FADE);
  track.at = now;
  track.dx *= rest;
  track.dy *= rest;
  if (Math.hypot(track.dx, track.dy) < NOTHING) track.dx = track.dy = 0;
}

/**
 * Returns the place at a moment, also between two milliseconds; null before the first data.
 * @param {curves.Curve} curve
 * @param {number} moment
 */
export function valueAt(curve, moment) {
  const a = curves.hold(curve, moment);
  if (!a) return null;
  const part = moment === Infinity ? 0 : moment - Math.floor(moment);
  const b = part === 0 ? a : (curves.hold(curve, Math.floor(moment) + 1) ?? a);
  return { x: a[0] + (b[0] - a[0]) * part, y: a[1] + (b[1] - a[1]) * part };
}

/** Returns the end of the data of a curve, in server time. @param {curves.Curve} curve */
function endOf(curve) {
  return curve.stretches.at(-1)?.end ?? -Infinity;
}

/** @param {curves.Segment} segment */
function of(segment) {
  const curve = curves.empty();
  curves.add(curve, segment);
  return curve;
}

/**
 * Returns one of the segments of an event; null if it is invalid (K4).
 * @param {Omit<Paths, 'ids'>} paths
 * @param {number} i
 * @param {number} time
 * @returns {curves.Segment|null}
 */
export function segmentOf({ lag, span, x, y, dx, dy }, i, time) {
  /** @type {curves.Segment} */
  const segment = {
    version: { tick: time, seq: 0 },
    from: time - lag,
    to: time - lag + span,
    kind: curves.LINEAR,
    start: [x[i] + dx[i], y[i] + dy[i], 0],
    end: [x[i], y[i], 0],
    rate: 0,
    min: 0,
    max: 0,
  };
  return curves.isSegment(segment) ? segment : null;
}
