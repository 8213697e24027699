/**
 * Estimates how long a packet and its acknowledgement take, as RFC 6298 does, and how long to wait for one (D26). No clock; all in
 * milliseconds.
 *
 * @module
 */

const FIRST_PROBE = 200; // the probe time-out before the first measurement
const LONGEST_PROBE = 1000; // to which it is doubled
const ACK_DELAY = 10; // how long the other end may keep an acknowledgement (D24)
const LEAST = 1; // after which a packet counts as lost by time

export class RoundTrip {
  /** 0 before the first measurement. */
  smoothed = 0;
  #variation = 0;
  #latest = 0;
  /** How much later than the round trip packets have come that were taken for lost. */
  #slack = 0;

  /**
   * @param {number} took how long the acknowledgement took
   * @param {number} delay how long the other end says that it kept it: one that is longer than all of it is not believed
   */
  measure(took, delay) {
    this.#latest = Math.max(took - (delay <= took ? delay : 0), 0.001);
    if (this.smoothed === 0) {
      this.smoothed = this.#latest;
      this.#variation = this.#latest / 2;
      return;
    }
    this.#variation += (Math.abs(this.smoothed - this.#latest) - this.#variation) / 4;
    this.smoothed += (this.#latest - this.smoothed) / 8;
  }

  /** A packet has come that was taken for lost. @param {number} took */
  late(took) {
    this.#slack = Math.max(this.#slack, Math.min(took - this.smoothed, this.smoothed));
  }

  /** How long nothing may be acknowledged before probes are sent. @param {number} times that they were, in vain */
  probeAfter(times) {
    const wait = this.smoothed > 0 ? this.smoothed + 4 * this.#variation + ACK_DELAY : FIRST_PROBE;
    return Math.min(wait * 2 ** Math.min(times, 10), Math.max(wait, LONGEST_PROBE));
  }

  /** After how long a packet is lost when one that was sent later was acknowledged. */
  get lossAfter() {
    const longer = Math.max(this.smoothed, this.#latest);
    return Math.max(longer + Math.max(longer / 8, this.#slack), LEAST);
  }
}
