/**
 * Which moment of what somebody else does is shown now. What comes over a line comes unevenly: it is shown behind the
 * server's time by a delay (S12), long enough that nearly everything is here when its turn comes, and no longer.
 *
 *  - A segment is late by the time from its beginning to its arrival. The delay is the time that 95 of 100 segments of the
 *    last four seconds were late at most; at least 20 ms and at most 600 ms above the least of them.
 *  - When something comes after its turn all the same, the piece has stood still meanwhile: time goes on from there, so that
 *    it moves on and does not jump. That is how the delay rises at once.
 *  - What is shown comes back to its delay by running a little faster or slower than time, never by a jump. That is how it
 *    falls slowly.
 *
 * The clock that is handed in is the page's own. How far it is from the server's does not matter, nor how well that is
 * known: it is the same for all segments, and only how they differ says anything. No DOM, no clock of its own.
 *
 * @module
 */

import { clamp } from '../../view/geometry.js';

// All in milliseconds.
const MEMORY = 4000; // for so long a segment counts
const LEAST = 20; // that nothing has to be just in time
const MOST = 600; // more is not worth waiting for
const BROKEN = 2000; // if off by more, a clock has jumped or the machine has slept
const PAUSE = 250; // if asked no more often than that, nothing was seen to move

/** The part of the segments that the delay covers. */
const SHARE = 0.95;

/** How fast it comes back to its delay: the time in which nearly two thirds are made up for, and the most that it may run off beat. */
const CATCH_UP = 1000;
const FALL_BACK = 250;
const OFF_BEAT = 0.5;

export class Playout {
  /** When segments came, and by how much they were late, by the clock of this page. @type {{at: number, late: number}[]} */
  #heard = [];
  /** How far behind the clock of this page is shown, and the least that it could be. */
  #delay = Infinity;
  #least = Infinity;
  /** The moment that was shown last, and when that was. */
  #shown = Infinity;
  #at = 0;

  /**
   * Learns from a segment that has come.
   * @param {number} from its beginning, in server time @param {number} now
   */
  learn(from, now) {
    const late = now - from;
    if (Math.abs(late - this.#delay) > BROKEN) this.#heard = [];
    this.#heard.push({ at: now, late });
    while (this.#heard[0].at < now - MEMORY) this.#heard.shift();
    const sorted = this.#heard.map((h) => h.late).sort((a, b) => a - b);
    this.#least = sorted[0];
    this.#delay = clamp(
      sorted[Math.ceil(SHARE * sorted.length) - 1],
      this.#least + LEAST,
      this.#least + MOST,
    );
  }

  /**
   * Makes do with the first segment until more is known, or if what was known is of before a clock has jumped.
   * @param {number} from @param {number} now
   */
  begin(from, now) {
    if (Math.abs(now - from - this.#delay) <= BROKEN) return;
    this.#heard = [];
    this.#least = now - from;
    this.#delay = this.#least + LEAST;
  }

  /**
   * Goes back to a moment that has come after its turn, unless that is too long ago.
   * @param {number} moment in server time @param {number} now
   */
  rewind(moment, now) {
    this.#shown = Math.min(this.at(now), Math.max(moment, now - this.#least - MOST));
  }

  /**
   * The moment to be shown, in server time; Infinity as long as nothing is known. It never goes back by itself.
   * @param {number} now
   */
  at(now) {
    const goal = now - this.#delay;
    if (goal === -Infinity) return Infinity;
    const passed = Math.max(0, now - this.#at);
    const gap = goal - (this.#shown + passed);
    if (passed > PAUSE || Math.abs(gap) > BROKEN) this.#shown = goal;
    else
      this.#shown +=
        passed * (1 + clamp(gap / (gap > 0 ? CATCH_UP : FALL_BACK), -OFF_BEAT, OFF_BEAT));
    this.#at = Math.max(this.#at, now);
    return this.#shown;
  }
}
