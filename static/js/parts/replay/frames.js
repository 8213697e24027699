// The frames of a replay, as they are read page by page, and the lines of the log that they make.

import { createSync } from '../../sync/sync.js';
import { decodeReplay } from '../../net/wire.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Frame} Frame */
/** @typedef {import('./player.js').Stop} Stop */

/** The most bytes of frames that a page reads. */
export const MOST = 32 * 2 ** 20;

/**
 * The seat of whoever looks at a replay: nobody's. So nothing is theirs, and they may do nothing.
 */
const NOBODY = 2 ** 31;

/**
 * When updates have ended the motion of pieces, and full states that of all (K12). Ascending.
 * @typedef {{of: Map<number, number[]>, all: number[]}} Ends
 */
/**
 * @typedef {object} Frames
 * @property {Frame[]} all in order
 * @property {number[]} times of all
 * @property {Uint8Array[]} pages as they were read
 * @property {Stop[]} stops
 * @property {Uint8Array[]} motions pages of recorded motion as they were read
 * @property {Ends} ends when the motion of pieces has ended
 * @property {boolean} isDropped whether it does not begin with the set-up
 * @property {boolean} isCut whether there is more, which was not read
 */

/**
 * Reads all pages, one after the other, and calls `more` after each. Throws if one cannot be read.
 * @param {(after: number) => Promise<Uint8Array>} page
 * @param {(frames: Frames) => Promise<void>|void} more
 * @param {number} [most] bytes
 */
export async function readAll(page, more, most = MOST) {
  /** @type {Frames} */
  const frames = {
    all: [], times: [], pages: [], stops: [], isDropped: false, isCut: false, motions: [],
    ends: { of: new Map(), all: [] },
  };
  let bytes = 0;
  for (let after = 0; ;) {
    const body = await page(after);
    const { frames: read, next, dropped } = decodeReplay(body);
    bytes += body.length;
    frames.pages.push(body);
    if (after === 0) frames.isDropped = dropped;
    for (const frame of read) {
      frames.all.push(frame);
      frames.times.push(frame.time);
    }
    after = next;
    frames.isCut = next !== 0 && bytes >= most;
    await more(frames);
    if (next === 0 || frames.isCut) return frames;
  }
}

/** The most bytes of recorded motion that a page reads: as many as a server keeps (K17.6). */
export const MOST_MOTION = 8 * 2 ** 20;

/**
 * Reads recorded motion, page by page, and calls `take` with the frames of each that has any.
 * @param {(after: number) => Promise<Uint8Array>} page
 * @param {(frames: Frame[]) => Promise<void>} take
 * @returns {Promise<Uint8Array[]>} the pages
 */
export async function readMotion(page, take) {
  const pages = [];
  for (let after = 0, bytes = 0; ;) {
    const body = await page(after);
    const { frames, next } = decodeReplay(body);
    if (frames.length > 0) {
      pages.push(body);
      await take(frames);
    }
    bytes += body.length;
    after = next;
    if (next === 0 || bytes >= MOST_MOTION) return pages;
  }
}

/**
 * Returns a frame as this page takes it in: the view of nobody, and another epoch with each full
 * state. Versions of an earlier time follow then, and nothing of a later one stays (T19).
 * @param {Frame} frame
 * @param {() => number} epoch
 * @returns {Frame}
 */
export function asSeen(frame, epoch) {
  if (!frame.events.some(({ type }) => type === 'full')) return frame;
  return {
    ...frame,
    events: frame.events.map((e) =>
      e.type === 'full' ? { ...e, you: NOBODY, epoch: epoch() } : e),
  };
}

/** Returns what gives epochs: each is another one. */
export function epochs() {
  let last = 0;
  return () => ++last;
}

/**
 * Makes the stops of frames, as they come. It follows the frames with a state of its own.
 * @param {State} s
 * @param {string} begin what is said of the first frame
 * @param {Ends} ended it adds when motion has ended
 */
export function createReader(s, begin, ended) {
  const { log } = s.parts;
  if (!log) throw new Error('the lines are not loaded');
  const sync = createSync('');
  let time = 0;
  /** @type {State} */
  const past = Object.create(s, {
    sync: { value: sync },
    net: { value: { ...s.net, serverNow: () => time } },
  });
  const { lines, take } = log.linesOf(past);
  const epoch = epochs();
  /** The last frame of each line, by its key. @type {Map<number, number>} */
  const ends = new Map();
  let read = 0;
  return {
    /**
     * @param {readonly Frame[]} frames all, also those of earlier calls
     * @returns {Stop[]}
     */
    read(frames) {
      for (; read < frames.length; read++) {
        const frame = frames[read];
        ({ time } = frame);
        const outcome = sync.receive(asSeen(frame, epoch));
        noteEnds(ended, outcome);
        for (const event of outcome.events) {
          const line = take(event);
          if (line) ends.set(line.key, read);
        }
      }
      /** @type {Stop[]} */
      const stops = frames.length > 0 ? [{ frame: 0, at: frames[0].time, text: begin }] : [];
      for (const line of lines) {
        const frame = ends.get(line.key) ?? 0;
        const text = log.sentenceOf(past, line);
        const last = stops[stops.length - 1];
        // Lines are in the order in which they begin, and may end in another order.
        if (frame > last.frame) stops.push({ frame, at: line.last, text });
        else if (frame > 0) last.text += ` ${text}`;
      }
      return stops;
    },
  };
}

/**
 * Notes of which pieces a frame has ended the motion.
 * @param {Ends} ends
 * @param {import('../../types.js').Outcome} outcome
 */
export function noteEnds({ of, all }, { time, full, placed, gone, renamed }) {
  if (full) {
    all.push(time);
    return;
  }
  const ended = new Set([...placed, ...gone, ...renamed.flatMap(({ from, to }) => [from, to])]);
  for (const id of ended) {
    const times = of.get(id);
    if (times) times.push(time);
    else of.set(id, [time]);
  }
}
