// Where a replay stands, and how it goes on: by time or by lines, and to any line at once. There is
// no DOM and no clock here: both are arguments.

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
 * @property {(f: () => void, ms: number) => any} setTimeout
 * @property {(timer: any) => void} clearTimeout
 */
/**
 * @typedef {object} Player
 * @property {readonly Stop[]} stops
 * @property {number} at the index of the frame that is shown; -1: none
 * @property {number} stop the index of the last stop that is shown
 * @property {boolean} isPlaying
 * @property {(times: readonly number[], stops: readonly Stop[]) => void} load takes all frames, by
 *   their times, and all stops that are known so far
 * @property {(frame: number) => void} goTo shows the table as it was after a frame
 * @property {(stop: number) => void} jump shows the table as it was at a stop
 * @property {(by: 1|-1) => void} step goes to the next stop, or to the one before
 * @property {() => void} play from the beginning if it stands at the end
 * @property {() => void} pause
 * @property {(speed: number) => void} setSpeed
 * @property {(byLines: boolean) => void} setPace
 */

/** The longest wait between two frames when it plays by time, in ms. */
export const LONGEST = 1500;

/** The time for a line when it plays by lines, in ms. */
export const LINE = 1200;

/** @param {Deps} deps @returns {Player} */
export function createPlayer({ show, changed, setTimeout, clearTimeout }) {
  /** @type {readonly number[]} */
  let times = [];
  /** @type {readonly Stop[]} */
  let stops = [];
  let at = -1;
  let speed = 1;
  let byLines = false;
  let isPlaying = false;
  /** @type {any} */
  let timer = null;

  const end = () => times.length - 1;
  const stopAt = () => lastBefore(stops, at);
  const move = (/** @type {number} */ to, /** @type {boolean} */ isStill) => {
    const goal = Math.max(0, Math.min(to, end()));
    if (goal === at || goal > end()) return;
    show(goal > at ? at : -1, goal, isStill);
    at = goal;
  };
  const pause = () => {
    isPlaying = false;
    clearTimeout(timer);
  };
  /** Where it goes next, and how long it waits before that. */
  const next = () => {
    if (byLines) {
      const stop = stops[stopAt() + 1];
      return { to: stop ? stop.frame : end(), wait: LINE };
    }
    return { to: at + 1, wait: Math.min(times[at + 1] - times[at], LONGEST) };
  };
  const wait = () => {
    if (at >= end()) {
      pause();
      return;
    }
    const { to, wait: ms } = next();
    timer = setTimeout(() => {
      move(to, false);
      wait();
      changed();
    }, ms / speed);
  };
  const restart = () => {
    if (!isPlaying) return;
    clearTimeout(timer);
    wait();
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
    load(allTimes, allStops) {
      times = allTimes;
      stops = allStops;
      if (at < 0) move(0, true);
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
    step(by) {
      const stop = stopAt();
      const isBetween = stop >= 0 && stops[stop].frame < at;
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
      speed = to;
      restart();
    },
    setPace(to) {
      byLines = to;
      restart();
    },
  };
}

/**
 * Returns the index of the last stop that is not behind a frame; -1 if there is none.
 * @param {readonly Stop[]} stops
 * @param {number} frame
 */
function lastBefore(stops, frame) {
  let low = 0;
  let high = stops.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stops[middle].frame <= frame) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
