/**
 * Estimates the time from a packet to its acknowledgement as in RFC 6298, and from that how long to
 * wait for one (D26). No clock; all in milliseconds.
 *
 * @module
 */

const FIRST_PROBE = 200; // the probe timeout before the first measurement
const LONGEST_PROBE = 1000; // up to which it is doubled
const ACK_DELAY = 10; // how long the other end may delay an acknowledgement (D24)
const LEAST = 1; // the least time after which a packet counts as lost

export class RoundTrip {
  /** 0 before the first measurement. */
  smoothed = 0;
  #variation = 0;
  #latest = 0;
  /** How much later than the round-trip time packets were acknowledged that had counted as lost. */
  #slack = 0;

  /**
   * Takes in a measurement.
   * @param {number} took time until the acknowledgement came
   * @param {number} delay the delay that the other end reports; ignored if it is longer than `took`
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

  /** Notes a packet that was acknowledged after it had counted as lost. @param {number} took */
  late(took) {
    this.#slack = Math.max(this.#slack, Math.min(took - this.smoothed, this.smoothed));
  }

  /**
   * Returns the probe timeout: how long nothing may be acknowledged before probes are sent.
   * @param {number} times number of probe timeouts in a row so far
   */
  probeAfter(times) {
    const wait = this.smoothed > 0 ? this.smoothed + 4 * this.#variation + ACK_DELAY : FIRST_PROBE;
    return Math.min(wait * 2 ** Math.min(times, 10), Math.max(wait, LONGEST_PROBE));
  }

  /** The time after which a packet counts as lost when a later one was acknowledged. */
  get lossAfter() {
    const longer = Math.max(this.smoothed, this.#latest);
    return Math.max(longer + Math.max(longer / 8, this.#slack), LEAST);
  }
}
