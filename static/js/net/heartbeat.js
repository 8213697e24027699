/**
 * Pings, and what they tell: what the server's clock shows (S15, K14). It also notices when the machine was asleep. No
 * DOM, no socket; clocks and timers are handed to it.
 *
 *     still ──whole──▶ three quick pings ──▶ one every 30 s ◀── two pings ◀──wake        any ──lost──▶ still
 *
 * @module
 */

import { estimate, learn, MAX_ROUND_TRIP, unknown } from './servertime.js';

// All in milliseconds.
const QUICK = [0, 1000, 2000]; // pauses before pings when the stream has become whole
const WOKEN = [0, 1000]; // the same when the machine was asleep: two, as the first is doubted (K15)
const STEADY = 30_000;
const LOOK = 2000; // how often it is looked whether time has passed unnoticed
const LATE = 5000; // a look that comes so much too late was held up by sleep

/**
 * @typedef {object} HeartbeatOptions
 * @property {Pick<import('../types.js').NetDeps, 'now' | 'ticks' | 'setTimeout' | 'clearTimeout'>} deps
 * @property {(nonce: number) => boolean} ping sends one; returns whether it went
 * @property {() => void} onWake the machine was asleep
 */

/**
 * @typedef {object} Heartbeat
 * @property {() => void} whole a stream has become whole
 * @property {() => void} lost it is no more
 * @property {() => void} wake the page was asleep: its clock may have stood still
 * @property {(time: number, pongs: readonly number[]) => void} hear a frame made at `time` has just come, with these pongs
 * @property {() => number} serverNow what the server's clock shows now, in ms: by the estimate, before the first pong by
 *   the frames that have come. It may step back by as much as was doubtful.
 * @property {() => number} serverDoubt by how much that may be wrong, in ms; Infinity before the first pong
 * @property {() => void} stop
 */

/**
 * @param {HeartbeatOptions} options
 * @returns {Heartbeat}
 */
export function createHeartbeat({ deps, ping, onWake }) {
  let time = unknown();
  let nonce = 0;
  /** When the pings under way were sent, by nonce. @type {Map<number, number>} */
  const asked = new Map();
  /** By how much the server's clock is ahead at least, as the frames of this stream say. */
  let ahead = Number.NEGATIVE_INFINITY;
  /** @type {unknown} until the next ping */
  let pinging = null;
  /** @type {unknown} until the next look */
  let looking = null;
  look();

  return {
    whole: () => beat(QUICK),
    lost,
    wake() {
      asked.clear(); // their answers would be measured by a clock that has stood still
      if (pinging !== null) beat(WOKEN);
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
      deps.clearTimeout(looking);
    },
  };

  function lost() {
    deps.clearTimeout(pinging);
    pinging = null;
    asked.clear();
    ahead = Number.NEGATIVE_INFINITY;
  }

  /**
   * Pings after each of these pauses, and then steadily.
   *
   * @param {number[]} pauses
   */
  function beat([pause = STEADY, ...rest]) {
    deps.clearTimeout(pinging);
    pinging = deps.setTimeout(() => {
      send();
      beat(rest);
    }, pause);
  }

  function send() {
    const now = deps.ticks();
    for (const [old, at] of asked) if (now - at > MAX_ROUND_TRIP) asked.delete(old);
    asked.set(++nonce, now);
    if (!ping(nonce)) asked.delete(nonce);
  }

  /**
   * @param {number} server
   * @param {readonly number[]} pongs
   */
  function hear(server, pongs) {
    const received = deps.ticks();
    if (server > 0) ahead = Math.max(ahead, server - received);
    for (const pong of pongs) {
      const sent = asked.get(pong);
      if (sent === undefined) continue;
      asked.delete(pong);
      time = learn(time, { sent, received, server });
    }
  }

  /** Looks again and again whether timers come when they should. */
  function look() {
    const due = deps.now() + LOOK;
    looking = deps.setTimeout(() => {
      const late = deps.now() - due;
      look();
      if (late > LATE) onWake();
    }, LOOK);
  }
}
