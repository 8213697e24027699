/**
 * Estimates from pings what the server's clock shows, and how uncertain that is (K14, K15). It
 * reads no clock: times are arguments.
 *
 * @module
 */

/**
 * A ping and its answer.
 * @typedef {object} Sample
 * @property {number} sent      by the client's clock, in ms
 * @property {number} received  by the client's clock
 * @property {number} server    the server's time that the answer carried, in whole ms
 */

/**
 * The knowledge of the server's clock: `samples` agree with each other; `doubt` is a newer sample
 * that does not agree with them.
 *
 * @typedef {{samples: Sample[], doubt: Sample | null}} ServerTime
 */

/**
 * The server's time is that of the client plus offset, ± uncertainty, in ms.
 *
 * @typedef {{offset: number, uncertainty: number}} Estimate
 */

/** The number of samples that are kept. */
export const MAX_SAMPLES = 16;
/**
 * The longest round trip that counts, in ms. A client that sleeps meanwhile measures a longer one.
 */
export const MAX_ROUND_TRIP = 10_000;
/**
 * How fast two clocks may drift apart, as a fraction: 200 ppm, four times the tolerance of common
 * quartz crystals.
 */
const DRIFT = 0.0002;
/** The resolution of the server's time, in ms. */
const RESOLUTION = 1;

/** @returns {ServerTime} */
export function unknown() {
  return { samples: [], doubt: null };
}

/**
 * The knowledge after one more sample. A sample that contradicts the others is doubted. If the next
 * one agrees with it and not with the others, a clock has jumped: only these two count then (K15).
 *
 * @param {ServerTime} time
 * @param {Sample} sample
 * @returns {ServerTime}
 */
export function learn(time, sample) {
  const trip = sample.received - sample.sent;
  if (!(trip >= 0 && trip <= MAX_ROUND_TRIP) || !Number.isFinite(sample.server)) return time;
  const now = sample.received;
  const known = best(time.samples, now);
  if (!known || agree(known, measured(sample, now))) {
    return { samples: [...time.samples, sample].slice(-MAX_SAMPLES), doubt: null };
  }
  if (time.doubt && agree(measured(time.doubt, now), measured(sample, now))) {
    return { samples: [time.doubt, sample], doubt: null };
  }
  return { samples: time.samples, doubt: sample };
}

/**
 * The estimate at a time of the client's clock, null before the first sample. While a sample is
 * doubted, the uncertainty covers it, too.
 *
 * @param {ServerTime} time
 * @param {number} now
 * @returns {Estimate | null}
 */
export function estimate(time, now) {
  const known = best(time.samples, now);
  if (!known || !time.doubt) return known;
  const doubted = measured(time.doubt, now);
  const far = Math.abs(doubted.offset - known.offset) + doubted.uncertainty;
  return { offset: known.offset, uncertainty: Math.max(known.uncertainty, far) };
}

/**
 * The least uncertain estimate that one of the samples gives. Of equal ones it is the latest.
 * @param {readonly Sample[]} samples
 * @param {number} now
 */
function best(samples, now) {
  /** @type {Estimate | null} */
  let found = null;
  for (const sample of samples) {
    const e = measured(sample, now);
    if (!found || e.uncertainty <= found.uncertainty) found = e;
  }
  return found;
}

/**
 * The estimate that one sample gives (K14): the server answered at some time between sending and
 * receiving.
 * @param {Sample} sample
 * @param {number} now
 * @returns {Estimate}
 */
function measured({ sent, received, server }, now) {
  return {
    offset: server + RESOLUTION / 2 - (sent + received) / 2,
    uncertainty: (received - sent) / 2 + RESOLUTION / 2 + DRIFT * Math.abs(now - received),
  };
}

/**
 * Whether both estimates can be right.
 * @param {Estimate} a
 * @param {Estimate} b
 */
function agree(a, b) {
  return Math.abs(a.offset - b.offset) <= a.uncertainty + b.uncertainty;
}
