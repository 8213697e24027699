/**
 * Where something was seen at regular instants, out of where it was seen at any: what goes up as motion (S12). The instants are
 * multiples of a beat, so that those of all people meet, and their distances say how fast a hand moved, undisturbed by when
 * a page gets to run.
 *
 * A page draws a frame when something moves. Between two frames the way is taken as straight. No DOM, no clock.
 *
 * @module
 */

/** A frame further back says nothing of how something came here: it stood still until a moment ago. In ms. */
const STALE = 50;
const MOMENT = 17;

/** @typedef {{at: number, x: number, y: number}} Point */

export class Sampler {
  /** Where it was seen last. @type {Point|null} */
  #seen = null;
  /** What was said last. @type {{x: number, y: number}|null} */
  #said;
  #beat = -Infinity;

  /** @param {{x: number, y: number}|null} known what the others know without being told */
  constructor(known = null) {
    this.#said = known;
  }

  /**
   * Takes in where something is seen.
   * @param {Point} now @param {number} every the beat, in ms
   * @returns {Point|null} what is to be said, in whole units: it has moved since the last time
   */
  see(now, every) {
    const before = this.#before(now);
    this.#seen = now;
    const beat = Math.floor(now.at / every) * every;
    if (beat <= this.#beat) return null;
    this.#beat = beat;
    const part = now.at > before.at ? Math.max(0, (beat - before.at) / (now.at - before.at)) : 1;
    const x = Math.round(before.x + (now.x - before.x) * part);
    const y = Math.round(before.y + (now.y - before.y) * part);
    if (this.#said?.x === x && this.#said.y === y) return null;
    this.#said = { x, y };
    return { at: beat, x, y };
  }

  /** Whether the others know where it was seen last: if not, it is to be seen again. */
  get isSaid() {
    if (!this.#seen) return true;
    return this.#said?.x === Math.round(this.#seen.x) && this.#said.y === Math.round(this.#seen.y);
  }

  /** It is not seen any more. When it is again, nobody knows how it came there. */
  lose() {
    this.#seen = null;
  }

  /** Where it was, not long before now. @param {Point} now @returns {Point} */
  #before(now) {
    const seen = this.#seen;
    if (!seen) return now;
    if (now.at < seen.at) {
      this.#beat = -Infinity; // the clock was put right
      return now;
    }
    return now.at - seen.at <= STALE ? seen : { ...seen, at: now.at - MOMENT };
  }
}
