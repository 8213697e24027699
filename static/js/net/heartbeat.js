/**
 * Pings the server and learns from the pongs what its clock shows (S15, K14). It also notices when
 * the machine was asleep. No DOM, no socket; clocks and timers are arguments.
 *
 *     idle ──synchronised──▶ three quick pings ──▶ one every 30 s ◀── two pings ◀──wake
 *
 *     any ──lost──▶ idle
 *
 * @module
 */

import { estimate, learn, MAX_ROUND_TRIP, unknown } from './servertime.js';

// All in milliseconds.
const QUICK = [0, 1000, 2000]; // pauses before pings when the stream has become synchronised
const WOKEN = [0, 1000]; // after a sleep: two pings, because the first one is doubted (K15)
const STEADY = 30_000; // the pause between the pings after those
const LOOK = 2000; // how often the heartbeat looks whether the machine was asleep
const LATE = 5000; // a look that comes so much too late was delayed by a sleep

/** @typedef {import('../types.js').NetDeps} NetDeps */

/**
 * @typedef {object} HeartbeatOptions
 * @property {Pick<NetDeps, 'now' | 'ticks' | 'setTimeout' | 'clearTimeout'>} deps
 * @property {(nonce: number) => boolean} ping sends a ping; returns whether it was sent
 * @property {() => void} onWake the machine was asleep
 */

/**
 * @typedef {object} Heartbeat
 * @property {() => void} synchronised a stream has become synchronised
 * @property {() => void} lost that stream has ended
 * @property {() => void} wake the page was asleep: its clock may have stood still
 * @property {(time: number, pongs: readonly number[]) => void} hear a frame made at `time` has just
 *   come, with these pongs
 * @property {() => number} serverNow what the server's clock shows now, in ms: by the estimate, or
 *   before the first pong by the frames that have come. It may step back by as much as
 *   `serverDoubt`.
 * @property {() => number} serverDoubt by how much `serverNow` may be wrong, in ms; Infinity before
 *   the first pong
 * @property {() => void} stop
 */

/**
 * @param {HeartbeatOptions} options
 * @returns {Heartbeat}
 */
export function createHeartbeat({ deps, ping, onWake }) {
  let time = unknown();
  let nonce = 0;
  /** When the pings without a pong were sent, by nonce. @type {Map<number, number>} */
  const unanswered = new Map();
  /** How far the server's clock is ahead at least, as the frames of this stream say. */
  let ahead = Number.NEGATIVE_INFINITY;
  /** @type {unknown} runs until the next ping */
  let pingTimer = null;
  /** @type {unknown} runs until the next look */
  let lookTimer = null;
  look();

  return {
    synchronised: () => beat(QUICK),
    lost,
    wake() {
      unanswered.clear(); // a clock that has stood still would measure their pongs
      if (pingTimer !== null) beat(WOKEN);
    },
    hear,
    serverNow() {
      const now = deps.ticks();
      const known = estimate(time, now);
      if (known) return now + known.offset;
      return Number.isFinite(ahead) ? now + ahead : deps.now();
    },
    serverDoubt: () => estimate(time, deps.ticks())?.uncertainty ?? Number.POSITIVE_INFINITY,
    stop() {
      lost();
      deps.clearTimeout(lookTimer);
    },
  };

  function lost() {
    deps.clearTimeout(pingTimer);
    pingTimer = null;
    unanswered.clear();
    ahead = Number.NEGATIVE_INFINITY;
  }

  /**
   * Pings after each of these pauses, and every 30 s from then on.
   *
   * @param {number[]} pauses
   */
  function beat([pause = STEADY, ...rest]) {
    deps.clearTimeout(pingTimer);
    pingTimer = deps.setTimeout(() => {
      send();
      beat(rest);
    }, pause);
  }

  function send() {
    const now = deps.ticks();
    for (const [old, at] of unanswered) if (now - at > MAX_ROUND_TRIP) unanswered.delete(old);
    unanswered.set(++nonce, now);
    if (!ping(nonce)) unanswered.delete(nonce);
  }

  /**
   * @param {number} server the time of the frame
   * @param {readonly number[]} pongs
   */
  function hear(server, pongs) {
    const received = deps.ticks();
    if (server > 0) ahead = Math.max(ahead, server - received);
    for (const pong of pongs) {
      const sent = unanswered.get(pong);
      if (sent === undefined) continue;
      unanswered.delete(pong);
      time = learn(time, { sent, received, server });
    }
  }

  /** Looks every 2 s whether timers come when they should. */
  function look() {
    const due = deps.now() + LOOK;
    lookTimer = deps.setTimeout(() => {
      const late = deps.now() - due;
      look();
      if (late > LATE) onWake();
    }, LOOK);
  }
}
