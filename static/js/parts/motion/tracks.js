/**
 * The ways of what others move: of pieces by their ids, of cursors by their seats (S12, S13). Each is a curve, fed by what the
 * server tells, and shown as Playout says, one for each person. Numbers only: no DOM, no clock.
 *
 * Where it is seen never jumps. What comes too late to be shown as it was changes where the thing should be by now; the
 * difference is kept, and fades within a tenth of a second or two.
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
 * @property {boolean} stale the stream was interrupted since: it is to be told anew
 * @property {number} mended until when, in server time, its way is another than was told
 * @property {boolean} on   it is known where it is seen
 * @property {number} dx    how far it is seen from where the curve has it, in units
 * @property {number} dy
 * @property {number} at    when these were right
 * @property {number} beat  the moment in which it was shown last to those who want things to stand still
 */

/**
 * What a track says of the place of a thing: nothing, or not yet; that it is on its way; that it stands where it has led.
 * @typedef {'none'|'soon'|'moving'|'still'} Stage
 */

/** The time in which a difference fades to a third, in ms, and what nobody sees, in units. */
const FADE = 50;
const NOTHING = 0.5;

/** A segment that was told so much later than it began is no news: its piece has rested, or it is told anew. In ms. */
const OLD = 1000;

/** Of so many things it is known when they ended ways of which nothing was told. */
const MOST_ENDED = 1000;

/** In which time it is led to where the next segment begins, if one was lost, in ms. */
const BRIDGE = 100;

/** The time over which speed is measured, in ms. */
const BRIEF = 40;

/** For those who want things to stand still: how often they go on, in ms. */
const RARE = 250;

export class Tracks {
  /** @type {Map<number, Track>} */
  #tracks = new Map();
  /** When things on no way ended the one that they may have been on, in server time: what tells of it may come late (D34). @type {Map<number, number>} */
  #ended = new Map();
  /** @type {Map<number, Playout>} by seat */
  #clocks;

  /** @param {Map<number, Playout>} [clocks] those of other tracks of the same people */
  constructor(clocks = new Map()) {
    this.#clocks = clocks;
  }

  /**
   * Takes in segments that have come.
   * @param {Paths} paths with ids as they are
   * @param {number} time of their frame, in server time
   * @param {number} now by the page's clock
   * @param {(id: number) => number} seatOf who moves it; 0: it is not to be followed
   * @returns {number[]} what was followed
   */
  take(paths, time, now, seatOf) {
    const from = time - paths.lag;
    const taken = [];
    /** @type {Set<Playout>} that have learned of this */
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
        // It may be told anew, after a full state, and began some time ago.
        if (paths.lag < OLD) clock.begin(from, now);
        this.#tracks.set(id, {
          curve: of(segment),
          clock,
          stale: false,
          mended: 0,
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
      const seen = valueAt(track.curve, track.clock.at(now)); // before its clock learns: one that has jumped goes elsewhere at once
      track.clock = clock;
      const isNews = paths.lag < OLD && segment.to > endOf(track.curve);
      if (isNews && !heard.has(clock)) clock.learn(from, now);
      heard.add(clock);
      join(track, segment, isNews, seen, now);
    }
    return taken;
  }

  /**
   * Ends what was told up to a time (K12).
   * @param {number} id @param {number} t in server time
   */
  kill(id, t) {
    const track = this.#tracks.get(id);
    if (!track) {
      this.#end(id, t);
      return;
    }
    curves.after(track.curve, t);
    track.on = false;
    track.dx = track.dy = track.beat = 0;
  }

  /** @param {number} id @param {number} t */
  #end(id, t) {
    this.#ended.delete(id); // so that it is the last
    this.#ended.set(id, t);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > MOST_ENDED) this.#ended.delete(oldest);
  }

  /**
   * The stream was interrupted: what moves is told anew (S12). Until then it stays where it is seen, and then goes on from there: a
   * line that was lost moves nothing.
   * @param {(id: number) => boolean} isOver whether something is known to be elsewhere
   * @returns {number[]} of that, what was led
   */
  interrupt(isOver) {
    const led = [];
    for (const [id, track] of this.#tracks) {
      track.stale = true;
      if (!isOver(id)) continue;
      if (this.leads(id)) led.push(id);
      this.#tracks.delete(id);
    }
    return led;
  }

  /** A thing has another name, and goes on its way. @param {number} from @param {number} to */
  rename(from, to) {
    const track = this.#tracks.get(from);
    if (!track) return;
    this.#tracks.delete(from);
    this.#tracks.set(to, track);
  }

  /** Forgets everything but how the lines are. Returns what was led. */
  forget() {
    const led = [...this.#tracks.keys()].filter((id) => this.leads(id));
    this.#tracks.clear();
    return led;
  }

  /** Whether there is a way on which a thing is. @param {number} id */
  leads(id) {
    return (this.#tracks.get(id)?.curve.pieces.length ?? 0) > 0;
  }

  /**
   * Puts a thing where it is to be seen.
   * @param {number} id
   * @param {{x: number, y: number}} thing where it is seen up to now
   * @param {number} now @param {boolean} [rarely]
   * @returns {Stage}
   */
  lead(id, thing, now, rarely = false) {
    const track = this.#tracks.get(id);
    if (!track || track.curve.pieces.length === 0) return 'none';
    let moment = track.clock.at(now);
    if (rarely && moment !== Infinity)
      moment = track.beat = Math.max(track.beat, Math.floor(moment / RARE) * RARE);
    const over = moment >= endOf(track.curve);
    const v = valueAt(track.curve, moment);
    if (!v || !track.on) {
      const [x, y] = v ? [v.x, v.y] : track.curve.pieces[0].segment.start;
      Object.assign(track, { on: true, dx: thing.x - x, dy: thing.y - y, at: now });
      if (!v) return 'soon';
    }
    fade(track, now, rarely);
    thing.x = v.x + track.dx;
    thing.y = v.y + track.dy;
    return over && track.dx === 0 && track.dy === 0 ? 'still' : 'moving';
  }

  /** How fast a thing is seen to move, in units a millisecond. @param {number} id @param {number} now */
  speed(id, now) {
    const track = this.#tracks.get(id);
    if (!track?.on) return 0;
    const moment = track.clock.at(now);
    const a = valueAt(track.curve, moment - BRIEF);
    const b = valueAt(track.curve, moment);
    return a && b ? Math.hypot(b.x - a.x, b.y - a.y) / BRIEF : 0;
  }

  /** Where the last segment of a thing begins, and when it ends, in server time; null if there is none. @param {number} id */
  last(id) {
    const last = this.#tracks.get(id)?.curve.pieces.at(-1);
    return last ? { x: last.segment.start[0], y: last.segment.start[1], to: last.end } : null;
  }

  /** The moment that is shown of what somebody does, in server time. @param {number} seat @param {number} now */
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
 * Merges a segment into a way, so that it is seen where it was.
 * @param {Track} track @param {curves.Segment} segment @param {boolean} isNews
 * @param {{x: number, y: number}|null} before where the way was seen to lead @param {number} now
 */
function join(track, segment, isNews, before, now) {
  const { curve, clock } = track;
  if (segment.from < track.mended) mend(track, segment, valueAt(curve, segment.from));
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
 * Begins a way anew by what is told after an interruption. It may be told from further back than where it is seen: it goes from
 * there.
 * @param {Track} track @param {curves.Segment} segment @param {number} now
 */
function renew(track, segment, now) {
  const seen = valueAt(track.curve, track.clock.at(now));
  mend(track, segment, seen && { x: seen.x + track.dx, y: seen.y + track.dy });
  Object.assign(track, { curve: of(segment), stale: false, on: false, dx: 0, dy: 0, at: now });
}

/**
 * Lets a segment begin where it is seen, and not where the server has it: that did not know where it was seen before.
 * @param {Track} track @param {curves.Segment} segment @param {{x: number, y: number}|null} seen
 */
function mend(track, segment, seen) {
  if (!seen) return;
  segment.start = [Math.round(seen.x), Math.round(seen.y), 0];
  track.mended = segment.to;
}

/**
 * Leads to where a segment begins, if what led there was lost. Whatever comes of that all the same shows instead: it has a
 * higher version.
 * @param {curves.Curve} curve @param {curves.Segment} segment
 */
function bridge(curve, { from, start }) {
  const last = curve.pieces[curve.pieces.length - 1];
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
 * The place at a moment, between two milliseconds too; null before the first data.
 * @param {curves.Curve} curve @param {number} moment
 */
function valueAt(curve, moment) {
  const a = curves.hold(curve, moment);
  if (!a) return null;
  const part = moment === Infinity ? 0 : moment - Math.floor(moment);
  const b = part === 0 ? a : (curves.hold(curve, Math.floor(moment) + 1) ?? a);
  return { x: a[0] + (b[0] - a[0]) * part, y: a[1] + (b[1] - a[1]) * part };
}

/** Where the data of a curve ends, in server time. @param {curves.Curve} curve */
function endOf(curve) {
  return curve.pieces.at(-1)?.end ?? -Infinity;
}

/** @param {curves.Segment} segment */
function of(segment) {
  const curve = curves.empty();
  curves.add(curve, segment);
  return curve;
}

/**
 * One of the segments of an event; null if it is none (K4).
 * @param {Paths} paths @param {number} i @param {number} time
 * @returns {curves.Segment|null}
 */
function segmentOf({ lag, span, x, y, dx, dy }, i, time) {
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
