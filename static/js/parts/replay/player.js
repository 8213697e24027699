// Where a replay stands, and how it goes on: by time or by lines, and to any line at once. Where
// motion was recorded it also stands between two frames. There is no DOM and no clock here: both
// are arguments.

import { firstNot, legsOf, lengthOf, momentAt, timeTo } from './timeline.js';

/**
 * A place to which one can jump: the set-up, or the last frame of one or more lines of the log.
 * @typedef {object} Stop
 * @property {number} frame its index
 * @property {number} at time of the server, in ms
 * @property {string} text what the log says
 */
/**
 * What a player needs.
 * @typedef {object} Deps
 * @property {(from: number, to: number, isStill: boolean) => void} show shows the frames after
 *   `from`, up to `to`. `from` is -1 if it begins with the first one. `isStill`: without motion.
 * @property {() => void} changed it stands elsewhere, or plays, or has paused
 * @property {() => boolean} wantsStill whether nothing should move by itself
 * @property {() => number} now in ms
 * @property {(f: () => void, ms: number) => any} setTimeout
 * @property {(timer: any) => void} clearTimeout
 */
/**
 * @typedef {object} Player
 * @property {readonly Stop[]} stops
 * @property {number} at the index of the frame that is shown; -1: none
 * @property {number} stop the index of the last stop that is shown
 * @property {boolean} isPlaying
 * @property {boolean} isGliding whether the moment goes on by itself
 * @property {() => number} moment the server time that is shown, in ms: that of the frame, or a
 *   later one
 * @property {() => number} place the number of the last stop, and how far it is to the next one
 * @property {(times: readonly number[], stops: readonly Stop[]) => void} load takes all frames, by
 *   their times, and all stops that are known so far
 * @property {(spans: Spans) => void} setMotion takes when something moved
 * @property {boolean} hasMotion
 * @property {(frame: number) => void} goTo shows the table as it was after a frame
 * @property {(stop: number) => void} jump shows the table as it was at a stop
 * @property {(place: number) => void} scrub shows the table as it was at a place: the moment
 *   between two stops if something moved there, else the nearest stop
 * @property {(by: 1|-1) => void} step goes to the next stop, or to the one before
 * @property {() => void} play from the beginning if it stands at the end
 * @property {() => void} pause
 * @property {(speed: number) => void} setSpeed
 * @property {(byLines: boolean) => void} setPace
 */
/** @typedef {import('./timeline.js').Leg} Leg */
/** @typedef {import('./timeline.js').Spans} Spans */

/** The longest wait between two frames when it plays by time, and the longest rest, in ms. */
export const LONGEST = 1500;

/** The time for a line when it plays by lines, in ms. */
export const LINE = 1200;

/** @param {Deps} deps @returns {Player} */
export function createPlayer({ show, changed, wantsStill, now, setTimeout, clearTimeout }) {
  /** @type {readonly number[]} */
  let times = [];
  /** @type {readonly Stop[]} */
  let stops = [];
  /** @type {Spans} */
  let spans = [];
  let at = -1;
  /** The moment that is shown, or at which it began to glide. */
  let since = 0;
  /** What it glides along, up to the next frame; none: it stands. @type {Leg[]} */
  let legs = [];
  let begun = 0;
  let speed = 1;
  let byLines = false;
  let isPlaying = false;
  /** @type {any} */
  let timer = null;
  /** Where motion is between two stops, and of which stop that is. @type {Leg[]} */
  let ways = [];
  let waysOf = -1;

  const end = () => times.length - 1;
  const stopAt = () => lastBefore(stops, at);
  const moment = () => (legs.length === 0
    ? since : momentAt(legs, timeTo(legs, since) + (now() - begun) * speed));
  const stand = (/** @type {number} */ where) => {
    since = where;
    legs = [];
  };
  const move = (/** @type {number} */ to, /** @type {boolean} */ isStill) => {
    const goal = Math.max(0, Math.min(to, end()));
    if (goal > end() || (goal === at && moment() === times[at])) return;
    if (goal !== at) show(goal > at ? at : -1, goal, isStill);
    at = goal;
    stand(times[at]);
  };
  const pause = () => {
    stand(moment());
    isPlaying = false;
    clearTimeout(timer);
  };
  /** Where it goes next, along what, and how long it waits before that. */
  const next = () => {
    if (byLines) {
      const stop = stops[stopAt() + 1];
      return { to: stop ? stop.frame : end(), along: [], wait: LINE };
    }
    const along = wantsStill() ? [] : legsOf(spans, times[at], times[at + 1], LONGEST);
    const wait = along.length > 0
      ? lengthOf(along) - timeTo(along, since)
      : Math.min(times[at + 1] - times[at], LONGEST);
    return { to: at + 1, along, wait };
  };
  const wait = () => {
    if (at >= end()) {
      pause();
      return;
    }
    const { to, along, wait: ms } = next();
    legs = along;
    begun = now();
    timer = setTimeout(() => {
      move(to, false);
      wait();
      changed();
    }, ms / speed);
  };
  /** Changes something, and goes on from where it is. @param {() => void} change */
  const restart = (change) => {
    stand(moment());
    change();
    if (!isPlaying) return;
    clearTimeout(timer);
    wait();
  };
  /** Returns the legs of what moved between a stop and the next one. @param {number} stop */
  const waysFrom = (stop) => {
    if (waysOf === stop) return ways;
    waysOf = stop;
    const [a, b] = [stops[stop], stops[stop + 1]];
    ways = a && b ? legsOf(spans, times[a.frame], times[b.frame], 0) : [];
    return ways;
  };
  return {
    get stops() {
      return stops;
    },
    get at() {
      return at;
    },
    get stop() {
      return stopAt();
    },
    get isPlaying() {
      return isPlaying;
    },
    get isGliding() {
      return legs.length > 0;
    },
    get hasMotion() {
      return spans.length > 0;
    },
    moment,
    place() {
      const stop = stopAt();
      const way = waysFrom(stop);
      return stop + (way.length > 0 ? Math.min(timeTo(way, moment()) / lengthOf(way), 0.999) : 0);
    },
    load(allTimes, allStops) {
      times = allTimes;
      stops = allStops;
      waysOf = -1;
      if (at < 0) move(0, true);
      changed();
    },
    setMotion(all) {
      restart(() => {
        spans = all;
        waysOf = -1;
      });
      changed();
    },
    goTo(frame) {
      pause();
      move(frame, Math.abs(frame - at) !== 1);
      changed();
    },
    jump(stop) {
      pause();
      const { frame } = stops[Math.max(0, Math.min(stop, stops.length - 1))] ?? { frame: 0 };
      move(frame, frame < at || stopAt() + 1 < stop);
      changed();
    },
    scrub(place) {
      const stop = Math.floor(place);
      const way = waysFrom(stop);
      if (way.length === 0) {
        this.jump(Math.round(place));
        return;
      }
      pause();
      const where = momentAt(way, (place - stop) * lengthOf(way));
      const last = stops[stop + 1].frame - 1;
      const frame = Math.min(lastTime(times, where), place > stop ? last : stops[stop].frame);
      move(frame, true);
      if (place > stop) stand(Math.min(where, times[last + 1] - 1));
      changed();
    },
    step(by) {
      const stop = stopAt();
      const isBetween = stop >= 0 && (stops[stop].frame < at || since > times[at]);
      this.jump(by < 0 && isBetween ? stop : stop + by);
    },
    play() {
      if (isPlaying || end() < 0) return;
      isPlaying = true;
      if (at >= end()) move(0, true);
      wait();
      changed();
    },
    pause() {
      pause();
      changed();
    },
    setSpeed(to) {
      restart(() => {
        speed = to;
      });
    },
    setPace(to) {
      restart(() => {
        byLines = to;
      });
    },
  };
}

/**
 * Returns the index of the last time that is not later than a moment; 0 if there is none.
 * @param {readonly number[]} times ascending
 * @param {number} moment
 */
function lastTime(times, moment) {
  return Math.max(0, firstNot(times.length, (i) => times[i] <= moment) - 1);
}

/**
 * Returns the index of the last stop that is not behind a frame; -1 if there is none.
 * @param {readonly Stop[]} stops
 * @param {number} frame
 */
function lastBefore(stops, frame) {
  return firstNot(stops.length, (i) => stops[i].frame <= frame) - 1;
}
