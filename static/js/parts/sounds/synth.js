// The sounds, computed: no file is loaded. Each is an array of samples from -1 to 1 that begins and
// ends in silence, and is the same for everybody.

/** Samples in a second. The highest tones below are well under half of it. */
export const RATE = 22050;

/** @typedef {'card'|'flip'|'shuffle'|'wood'|'die'|'chip'|'bell'} Sound */

/**
 * How long each sound is, in milliseconds. No two are equally long.
 * @type {Record<Sound, number>}
 */
export const LENGTHS = {
  card: 130, flip: 80, shuffle: 340, wood: 150, die: 360, chip: 140, bell: 1200,
};

/** Milliseconds in which a sound fades out at its end, so that it does not click. */
const FADE = 8;

/**
 * Computes a sound.
 * @param {Sound} name
 * @returns {Float32Array<ArrayBuffer>}
 */
export function synthesise(name) {
  const out = new Float32Array(Math.round((LENGTHS[name] * RATE) / 1000));
  MAKERS[name](out, noiseFrom(out.length));
  return levelled(out);
}

/** @typedef {() => number} Noise */

/** What each sound consists of. @type {Record<Sound, (out: Float32Array, noise: Noise) => void>} */
const MAKERS = {
  // paper slides over felt, and comes to lie
  card(out, noise) {
    brush(out, noise, { at: 0, rise: 22, fall: 26, level: 0.5, bright: 0.55 });
    brush(out, noise, { at: 58, rise: 1, fall: 9, level: 0.9, bright: 0.8 });
  },
  flip(out, noise) {
    brush(out, noise, { at: 0, rise: 10, fall: 8, level: 0.5, bright: 0.75 });
    brush(out, noise, { at: 26, rise: 0.5, fall: 6, level: 1, bright: 0.9 });
  },
  shuffle(out, noise) {
    for (let i = 0; i < 17; i++) {
      const at = 8 + 300 * Math.sqrt(i / 17); // faster towards the end
      brush(out, noise, { at, rise: 0.5, fall: 5, level: 0.5 + 0.4 * noise(), bright: 0.85 });
    }
  },
  // felt under a chessman, and the board under the felt
  wood(out, noise) {
    tone(out, { at: 0, hertz: 215, fall: 24, level: 0.9 });
    tone(out, { at: 0, hertz: 540, fall: 12, level: 0.5 });
    brush(out, noise, { at: 0, rise: 0.4, fall: 4, level: 0.35, bright: 0.3 });
  },
  die(out, noise) {
    for (const [at, level] of [[0, 1], [95, 0.7], [165, 0.5], [215, 0.35], [250, 0.25]]) {
      tone(out, { at, hertz: 1150 + 500 * noise(), fall: 9, level: 0.7 * level });
      tone(out, { at, hertz: 390, fall: 14, level: 0.5 * level });
      brush(out, noise, { at, rise: 0.3, fall: 3, level: 0.4 * level, bright: 0.5 });
    }
  },
  chip(out) {
    for (const [at, level] of [[0, 1], [34, 0.55]]) {
      tone(out, { at, hertz: 2650, fall: 13, level: 0.5 * level });
      tone(out, { at, hertz: 4130, fall: 8, level: 0.35 * level });
      tone(out, { at, hertz: 880, fall: 7, level: 0.3 * level });
    }
  },
  bell(out) {
    for (const [hertz, fall, level] of [[784, 300, 0.6], [1572, 180, 0.25], [2360, 90, 0.12]])
      tone(out, { at: 0, hertz, fall, level });
    tone(out, { at: 170, hertz: 1046.5, fall: 330, level: 0.6 });
  },
};

/**
 * Adds a tone that fades by itself.
 * @param {Float32Array} out
 * @param {{at: number, hertz: number, fall: number, level: number}} tone times in milliseconds
 */
function tone(out, { at, hertz, fall, level }) {
  const begin = Math.round((at * RATE) / 1000);
  for (let i = begin; i < out.length; i++) {
    const ms = ((i - begin) * 1000) / RATE;
    const rise = Math.min(1, ms / 1.5);
    out[i] += level * rise * Math.exp(-ms / fall) * Math.sin((2 * Math.PI * hertz * ms) / 1000);
  }
}

/**
 * Adds noise that rises and falls.
 * @param {Float32Array} out
 * @param {Noise} noise
 * @param {{at: number, rise: number, fall: number, level: number, bright: number}} brush times in
 *   milliseconds; bright: how much of the low tones is left out, 0 to 1
 */
function brush(out, noise, { at, rise, fall, level, bright }) {
  const begin = Math.round((at * RATE) / 1000);
  let low = 0;
  for (let i = begin; i < out.length; i++) {
    const ms = ((i - begin) * 1000) / RATE;
    const now = noise();
    low += 0.12 * (now - low);
    out[i] += level * Math.min(1, ms / rise) * Math.exp(-Math.max(0, ms - rise) / fall) *
      (now - bright * low - (1 - bright) * 0.6 * now);
  }
}

/** Brings the loudest sample to 0.9, and fades the end. @param {Float32Array<ArrayBuffer>} out */
function levelled(out) {
  const loudest = out.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  const fade = (FADE * RATE) / 1000;
  return out.map((v, i) => ((v * 0.9) / loudest) * Math.min(1, (out.length - 1 - i) / fade));
}

/** Returns a generator of noise from -1 to 1, the same for equal seeds. @param {number} seed */
function noiseFrom(seed) {
  let a = seed >>> 0;
  return () => {
    a = (Math.imul(a, 1664525) + 1013904223) >>> 0;
    return a / 2147483648 - 1;
  };
}
