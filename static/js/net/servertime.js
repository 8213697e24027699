/**
 * What the server's clock shows, estimated from pings, and how uncertain that is (K14, K15). No clock of its own:
 * times come in as arguments.
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
 * What is known of the server's clock: `samples` agree with each other, `doubt` is a newer one that does not agree with them.
 * @typedef {{samples: Sample[], doubt: Sample | null}} ServerTime
 */

/** @typedef {{offset: number, uncertainty: number}} Estimate the server's time is the client's plus offset, ± uncertainty */

/** The number of samples that are kept. */
export const MAX_SAMPLES = 16;
/** The longest round trip that is believed, in ms. A client that sleeps in between measures a longer one. */
export const MAX_ROUND_TRIP = 10_000;
/** How far two clocks may drift apart, as a fraction: 200 ppm, four times what quartz is sold with. */
export const DRIFT = 0.0002;
/** How far off a whole millisecond of the server may be. */
const RESOLUTION = 1;

/** @returns {ServerTime} */
export function unknown() {
  return { samples: [], doubt: null };
}

/**
 * What is known after one more sample. One that contradicts the others is doubted; if the next one agrees with
 * it and not with the others, a clock has jumped, and these two count alone (K15).
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
 * The estimate at a time of the client's clock, null before the first sample. While a sample is doubted the uncertainty covers it, too.
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
 * The least uncertain estimate that one of the samples gives; the latest of equals.
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
 * What one sample tells (K14): the answer was made at some time between sending and receiving.
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
 * Whether both can be right.
 * @param {Estimate} a
 * @param {Estimate} b
 */
function agree(a, b) {
  return Math.abs(a.offset - b.offset) <= a.uncertainty + b.uncertainty;
}
