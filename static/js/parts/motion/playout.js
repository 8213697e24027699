/**
 * Decides which moment of another person's motion is shown now. Segments arrive at uneven
 * intervals. So motion is shown behind the server's time by a delay (S12). The delay is long enough
 * that nearly every segment has arrived when it is needed, and no longer.
 *
 * - The lateness of a segment is the time from its beginning to its arrival. The delay is the
 *   greatest lateness of the earliest 95 of 100 segments of the last four seconds. It is at least
 *   20 ms and at most 600 ms above the least lateness.
 * - If a segment arrives too late, the piece has stood still meanwhile. Then time continues from
 *   there, so that the piece moves on and does not jump. So the delay rises at once.
 * - The shown moment returns to its delay by running a little faster or slower than time, never by
 *   a jump. So the delay falls slowly.
 *
 * The clock that callers pass in is the page's own. Its offset from the server's clock does not
 * matter: it is the same for all segments, and only differences count. No DOM, no clock of its own.
 *
 * @module
 */

import { clamp } from '../../view/geometry.js';

// All in milliseconds.
const MEMORY = 4000; // how long a segment counts
const LEAST = 20; // margin, so that nothing has to arrive just in time
const MOST = 600; // waiting longer than this is not worthwhile
const BROKEN = 2000; // if the offset changes by more, a clock has jumped or the machine has slept
const PAUSE = 250; // if `at` was not called for longer, nobody has seen motion

/** The part of the segments that the delay covers. */
const SHARE = 0.95;

/**
 * How fast the shown moment returns to its delay. In CATCH_UP ms (when it is behind) or FALL_BACK
 * ms (when it is ahead) nearly two thirds of the gap close. OFF_BEAT is the most by which it runs
 * faster or slower than time, as a part of it.
 */
const CATCH_UP = 1000;
const FALL_BACK = 250;
const OFF_BEAT = 0.5;

export class Playout {
  /**
   * When segments arrived and how late they were, by the clock of this page.
   * @type {{at: number, late: number}[]}
   */
  #heard = [];
  /** How far the shown moment lies behind the clock of this page, and the least lateness. */
  #delay = Infinity;
  #least = Infinity;
  /** The moment that was shown last, and when. */
  #shown = Infinity;
  #at = 0;

  /**
   * Learns from a segment that has arrived.
   * @param {number} from its beginning, in server time
   * @param {number} now
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
   * Sets the delay by one segment if nothing is known yet, or if a clock has jumped since.
   * Otherwise it changes nothing.
   * @param {number} from
   * @param {number} now
   */
  begin(from, now) {
    if (Math.abs(now - from - this.#delay) <= BROKEN) return;
    this.#heard = [];
    this.#least = now - from;
    this.#delay = this.#least + LEAST;
  }

  /**
   * Goes back to a moment that arrived too late, unless that is too long ago.
   * @param {number} moment in server time
   * @param {number} now
   */
  rewind(moment, now) {
    this.#shown = Math.min(this.at(now), Math.max(moment, now - this.#least - MOST));
  }

  /**
   * Returns the moment to show, in server time; Infinity while nothing is known. While it is called
   * at least every PAUSE ms, it goes back only by `rewind` or when a clock has jumped.
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
