/**
 * Clocks: what an operation does to them and to their curves (T27, K13), whether a flag has fallen,
 * and how a time is written. No DOM. It reads no clock: the server's time is an argument, in ms.
 *
 * @module
 */

import { leftAt, MAX_VALUE, pause, press } from './clockside.js';
import { SIDE, sideAt, TURN } from './curves.js';

/** @typedef {import('../types.js').Clock} Clock */
/** @typedef {import('../types.js').Curves} Curves */
/** @typedef {import('../types.js').Piece} Piece */
/** @typedef {import('../types.js').Args} Args */

/**
 * What the catalogue says about the clocks of a kind (http.md).
 *
 * @typedef {object} ClockKind
 * @property {'down' | 'up'} counts
 * @property {number} initial
 * @property {number} increment
 * @property {{x: number, y: number, width: number, height: number}[]} displays one for each side,
 *   in table units from the upper left corner of the piece at angle 0
 */

/** Below so many ms a clock shows tenths of a second. */
const TENTHS = 20_000;

/** A clock whose state is not known. @type {Clock} */
export const UNSET = { running: 0, since: 0, left1: 0, left2: 0, initial: 0, increment: 0 };

/**
 * Whether players get an increment for each press.
 *
 * @param {ClockKind} kind
 */
export function increments(kind) {
  return kind.displays.length === 2 && kind.counts === 'down';
}

/**
 * What a side had at `since`.
 *
 * @param {Clock} clock
 * @param {number} side
 */
function had(clock, side) {
  return side === 1 ? clock.left1 : clock.left2;
}

/**
 * The curves of a clock (K13, K16), as the server sends them with this state. The page foresees
 * them together with the state; what it shows follows from them.
 *
 * @param {ClockKind} kind
 * @param {Clock} clock
 * @returns {Curves}
 */
export function curvesOf(kind, clock) {
  const curves = kind.displays.map((_, i) => {
    const start = had(clock, i + 1);
    const curve = { property: SIDE + i, start, rate: 0, max: start };
    if (clock.running !== i + 1) return curve;
    return kind.counts === 'up' ? { ...curve, rate: 1, max: MAX_VALUE } : { ...curve, rate: -1 };
  });
  if (curves.length === 2)
    curves.push({ property: TURN, start: clock.running, rate: 0, max: 0 });
  return { from: clock.running === 0 ? 0 : clock.since, curves };
}

/**
 * What a side has at a time, in ms, as the state of the clock says.
 *
 * @param {ClockKind} kind
 * @param {Clock} clock
 * @param {number} side
 * @param {number} t
 */
function reading(kind, clock, side, t) {
  const { running, since } = clock;
  const atSince = had(clock, side);
  if (running !== side) return atSince;
  const isUp = kind.counts === 'up';
  const left = isUp ? MAX_VALUE - atSince : atSince;
  const now = leftAt({ left, increment: 0, running: true, since }, Math.floor(t));
  return isUp ? MAX_VALUE - now : now;
}

/**
 * Whether the flag of a side has fallen: it had time, and nothing is left.
 *
 * @param {ClockKind} kind
 * @param {Piece} piece
 * @param {number} side
 * @param {number} t
 */
export function fallen(kind, piece, side, t) {
  const hadTime = kind.counts === 'down' && (piece.clock?.initial ?? 0) > 0;
  return hadTime && sideAt(piece, side, t) === 0;
}

/**
 * The clock when the side that runs has been stopped.
 *
 * @param {ClockKind} kind
 * @param {Clock} clock
 * @param {number} t
 * @param {typeof pause} end how: press() or pause() of sync/clockside.js
 * @returns {Clock}
 */
function stopped(kind, clock, t, end) {
  const { running: side, increment, since } = clock;
  const still = { ...clock, running: 0, since: 0 };
  if (side === 0) return still;
  if (kind.counts === 'up') return { ...still, [`left${side}`]: reading(kind, clock, side, t) };
  const { left } = end({ left: had(clock, side), increment, running: true, since }, t);
  return { ...still, [`left${side}`]: left };
}

/**
 * The clock after an operation. The server comes to the same if the client knows its time exactly
 * (T27). An operation that the server would reject changes nothing.
 *
 * @param {ClockKind} kind
 * @param {Clock} clock
 * @param {string} op
 * @param {Args} args
 * @param {number} at the server's time
 * @returns {Clock}
 */
export function operate(kind, clock, op, args, at) {
  const t = Math.max(Math.floor(at), clock.since);
  const side = args.side ?? 1;
  switch (op) {
    case 'start':
      if (clock.running === side) return clock;
      return { ...stopped(kind, clock, t, pause), running: side, since: t };
    case 'pause':
      return stopped(kind, clock, t, pause);
    case 'press':
      if (clock.running === 3 - side) return clock;
      return { ...stopped(kind, clock, t, press), running: 3 - side, since: t };
    case 'set':
      return atInitial(kind, {
        ...clock,
        initial: args.ms ?? 0,
        increment: args.increment ?? clock.increment,
      });
    default: // reset
      return atInitial(kind, clock);
  }
}

/**
 * The clock, stopped, with its initial time on all sides.
 *
 * @param {ClockKind} kind
 * @param {Clock} clock
 * @returns {Clock}
 */
function atInitial(kind, clock) {
  const { initial } = clock;
  const left2 = kind.displays.length === 2 ? initial : 0;
  return { ...clock, running: 0, since: 0, left1: initial, left2 };
}

/**
 * A time as text: 1:02:03, 4:59, and below 20 seconds 9.8.
 *
 * @param {number} ms
 * @param {boolean} [exact] with tenths in any case: for a stopwatch that has stopped
 */
export function written(ms, exact = false) {
  const tenths = Math.floor(ms / 100) % 10;
  const seconds = Math.floor(ms / 1000);
  const s = seconds % 60;
  const m = Math.floor(seconds / 60) % 60;
  const h = Math.floor(seconds / 3600);
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  let text = `${m}:${two(s)}`;
  if (ms < TENTHS) text = String(s);
  else if (h > 0) text = `${h}:${two(m)}:${two(s)}`;
  return exact || ms < TENTHS ? `${text}.${tenths}` : text;
}

/**
 * After how many ms the text of a running side changes; Infinity if it does not change any more.
 *
 * @param {ClockKind} kind
 * @param {number} ms what the side shows now
 */
export function untilChange(kind, ms) {
  const step = ms < TENTHS ? 100 : 1000;
  if (kind.counts === 'up') return ms >= MAX_VALUE ? Number.POSITIVE_INFINITY : step - (ms % step);
  if (ms <= 0) return Number.POSITIVE_INFINITY;
  // The flag falls when no time is left, and not when the last tenth begins.
  return ms < 100 ? ms : (ms % step) + 1;
}
