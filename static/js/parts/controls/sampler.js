/**
 * Turns the places at which something was seen into places at regular times, which a client sends
 * as motion (S12). The times are multiples of a beat, so they are the same for all clients. Their
 * places say how fast a hand moved, whenever the page happened to run.
 *
 * A page draws a frame when something moves. Between two frames the sampler assumes a straight
 * line. No DOM, no clock.
 *
 * @module
 */

/**
 * An earlier frame does not say how something came here: it stood still until a moment ago. In
 * milliseconds.
 */
const STALE = 50;
const MOMENT = 17;

/** @typedef {{at: number, x: number, y: number}} Point */

export class Sampler {
  /** Where it was seen last. @type {Point|null} */
  #seen = null;
  /** The last place that see() returned. @type {{x: number, y: number}|null} */
  #sent;
  #beat = -Infinity;

  /** @param {{x: number, y: number}|null} known the place that the others know already */
  constructor(known = null) {
    this.#sent = known;
  }

  /**
   * Adds a place.
   *
   * @param {Point} now
   * @param {number} every the beat, in ms
   * @returns {Point|null} the place to send, in whole units; null if the beat or the place is still
   *   the last one
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
    if (this.#sent?.x === x && this.#sent.y === y) return null;
    this.#sent = { x, y };
    return { at: beat, x, y };
  }

  /** Whether the last place was sent. If not, the caller adds it again in another frame. */
  get isSent() {
    if (!this.#seen) return true;
    return this.#sent?.x === Math.round(this.#seen.x) && this.#sent.y === Math.round(this.#seen.y);
  }

  /** It is not seen any more. When it is seen again, its way there is unknown. */
  lose() {
    this.#seen = null;
  }

  /**
   * A place not long before now.
   *
   * @param {Point} now
   * @returns {Point}
   */
  #before(now) {
    const seen = this.#seen;
    if (!seen) return now;
    if (now.at < seen.at) {
      this.#beat = -Infinity; // somebody has set the clock back
      return now;
    }
    return now.at - seen.at <= STALE ? seen : { ...seen, at: now.at - MOMENT };
  }
}
