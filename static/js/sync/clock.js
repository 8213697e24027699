/**
 * Clocks: what they show at a time, what an operation does to them (T27, K13), and how a time is written. No DOM, no clock:
 * time comes in as an argument, the server's, in ms.
 *
 * @module
 */

import { leftAt, MAX_VALUE, pause, press } from './clockside.js';

/** @typedef {import('../types.js').Clock} Clock */
/** @typedef {import('../types.js').Args} Args */

/**
 * What the clocks of a kind are like, as the catalogue has it (http.md).
 * @typedef {object} ClockKind
 * @property {'down' | 'up'} counts
 * @property {number} initial
 * @property {number} increment
 * @property {{x: number, y: number, width: number, height: number}[]} displays one for each side, in table units from the
 *   upper left corner of the unturned piece
 */

/** Below this many ms tenths of a second are shown. */
const TENTHS = 20_000;

/** A clock of which nothing is known. @type {Clock} */
export const UNSET = { running: 0, since: 0, left1: 0, left2: 0, initial: 0, increment: 0 };

/** Whether players get something for each press. @param {ClockKind} kind */
export function increments(kind) {
  return kind.displays.length === 2 && kind.counts === 'down';
}

/** What a side had when the clock was last touched. @param {Clock} clock @param {number} side */
function had(clock, side) {
  return side === 1 ? clock.left1 : clock.left2;
}

/**
 * What a side shows at a time, in ms.
 * @param {ClockKind} kind @param {Clock} clock @param {number} side @param {number} t
 */
export function reading(kind, clock, side, t) {
  const left = had(clock, side);
  if (clock.running !== side) return left;
  const curve = { left: kind.counts === 'up' ? MAX_VALUE - left : left, increment: 0, running: true, since: clock.since };
  const now = leftAt(curve, Math.floor(t));
  return kind.counts === 'up' ? MAX_VALUE - now : now;
}

/**
 * Whether the flag of a side has fallen: it had time, and nothing is left.
 * @param {ClockKind} kind @param {Clock} clock @param {number} side @param {number} t
 */
export function fallen(kind, clock, side, t) {
  return kind.counts === 'down' && clock.initial > 0 && reading(kind, clock, side, t) === 0;
}

/**
 * The clock with the turn of the side that runs ended.
 * @param {ClockKind} kind @param {Clock} clock @param {number} t @param {typeof pause} end side.js's press or pause
 * @returns {Clock}
 */
function stopped(kind, clock, t, end) {
  const side = clock.running;
  const still = { ...clock, running: 0, since: 0 };
  if (side === 0) return still;
  if (kind.counts === 'up') return { ...still, [`left${side}`]: reading(kind, clock, side, t) };
  const { left } = end({ left: had(clock, side), increment: clock.increment, running: true, since: clock.since }, t);
  return { ...still, [`left${side}`]: left };
}

/**
 * The clock after an operation at a time, as the server will find it if its time was guessed right (T27). What the server would
 * refuse changes nothing.
 * @param {ClockKind} kind @param {Clock} clock @param {string} op @param {Args} args @param {number} at
 * @returns {Clock}
 */
export function operate(kind, clock, op, args, at) {
  const t = Math.max(Math.floor(at), clock.since);
  const side = args.side ?? 1;
  switch (op) {
    case 'start':
      return clock.running === side ? clock : { ...stopped(kind, clock, t, pause), running: side, since: t };
    case 'pause':
      return stopped(kind, clock, t, pause);
    case 'press':
      if (clock.running === 3 - side) return clock;
      return { ...stopped(kind, clock, t, press), running: 3 - side, since: t };
    case 'set':
      return whole(kind, { ...clock, initial: args.ms ?? 0, increment: args.increment ?? clock.increment });
    default: // reset
      return whole(kind, clock);
  }
}

/** The clock with all sides at its initial time, standing. @param {ClockKind} kind @param {Clock} clock @returns {Clock} */
function whole(kind, clock) {
  const { initial } = clock;
  return { ...clock, running: 0, since: 0, left1: initial, left2: kind.displays.length === 2 ? initial : 0 };
}

/**
 * A time as it is written: 1:02:03, 4:59, and below 20 seconds 9.8. A stopwatch that stands shows the tenths, however long it ran.
 * @param {number} ms @param {boolean} [exact] with tenths
 */
export function written(ms, exact = false) {
  const tenths = Math.floor(ms / 100) % 10;
  const seconds = Math.floor(ms / 1000);
  const s = seconds % 60;
  const m = Math.floor(seconds / 60) % 60;
  const h = Math.floor(seconds / 3600);
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const text = ms < TENTHS ? String(s) : h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
  return exact || ms < TENTHS ? `${text}.${tenths}` : text;
}

/**
 * How many ms it takes a running side until what is written changes; Infinity if it does not any more.
 * @param {ClockKind} kind @param {number} ms what it shows now
 */
export function untilChange(kind, ms) {
  const step = ms < TENTHS ? 100 : 1000;
  if (kind.counts === 'up') return ms >= MAX_VALUE ? Number.POSITIVE_INFINITY : step - (ms % step);
  if (ms <= 0) return Number.POSITIVE_INFINITY;
  // The flag falls when nothing is left, not when the last tenth begins.
  return ms < 100 ? ms : (ms % step) + 1;
}
