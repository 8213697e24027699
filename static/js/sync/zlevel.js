/**
 * Z levels (T13): decimals strictly between 0 and 1, written as `0.` and up to 1,024 digits, of
 * which the last is not `0`. They are ordered as their texts: compare them with `<`. The empty text
 * is not a level. To the functions here it is the open end of the scale.
 *
 * The server's package zlevel computes the same, with a decimal library. This module uses digits
 * and BigInt. Both have the vectors of docs/protocol/vectors/zlevel.json in common. No DOM, no
 * state.
 *
 * @module
 */

/** The greatest number of digits behind the point. */
const MAX_DIGITS = 1024;

const POINT = '0.';
const FORM = /^0\.[0-9]*[1-9]$/;

/**
 * Whether a text is a level.
 *
 * @param {string} s
 */
export function isLevel(s) {
  return s.length <= POINT.length + MAX_DIGITS && FORM.test(s);
}

/**
 * The shortest level strictly between `lo` and `hi`. Of several it is the one nearest to their
 * middle, and the lower one of two that are equally near. Insertions into the newest gap cost at
 * most a third of a digit each.
 *
 * @param {string} lo `''` for 0
 * @param {string} hi `''` for 1
 * @returns {string}
 * @throws {RangeError} if a text is not a level, if `lo` is not below `hi`, or if all levels
 *   between them are too long
 */
export function between(lo, hi) {
  const a = digitsOf(lo);
  const b = digitsOf(hi);
  if (hi !== '' && lo >= hi) throw new RangeError(`${brief(lo)} is not below ${brief(hi)}`);
  const width = shortest(a, hi === '' ? null : b);
  if (width > MAX_DIGITS) throw new RangeError(`no room between ${brief(lo)} and ${brief(hi)}`);

  // The unit is that of the last of `full` digits. All is doubled, so the middle is an integer,
  // too.
  const full = Math.max(a.length, b.length, width);
  const below = BigInt(2) * integer(a, full);
  const above = BigInt(2) * (hi === '' ? BigInt(10) ** BigInt(full) : integer(b, full));
  const middle = (below + above) / BigInt(2);
  const step = BigInt(2) * BigInt(10) ** BigInt(full - width);
  let z = middle / step;
  if ((middle - z * step) * BigInt(2) > step) z++;
  // It is between them: the middle is less than half a step beyond the first and the last level
  // that are.
  return level(z, width);
}

/**
 * A level above `hi` that stays short when each call gets the result of the one before. A level
 * with r nines behind the point is cut to 2r+4 digits, and the last of them is incremented. So the
 * number of digits grows with the logarithm of the number of calls.
 *
 * @param {string} hi `''` gives the middle of the scale
 * @returns {string}
 * @throws {RangeError} if `hi` is not a level, or is the greatest one
 */
export function above(hi) {
  if (hi === '') return between('', '');
  const digits = digitsOf(hi);
  const width = counterWidth(digits, '9');
  const z = integer(digits.slice(0, width), width) + BigInt(1);
  if (z === BigInt(10) ** BigInt(width)) throw new RangeError(`no room above ${brief(hi)}`);
  return level(z, width);
}

/**
 * A level below `lo`. It counts down as `above` counts up, with zeros in place of nines.
 *
 * @param {string} lo `''` gives the middle of the scale
 * @returns {string}
 * @throws {RangeError} if `lo` is not a level, or is the smallest one
 */
export function below(lo) {
  if (lo === '') return between('', '');
  const digits = digitsOf(lo);
  const width = counterWidth(digits, '0');
  // The last digit that is cut off is not 0, so the cut alone makes the level lower.
  const cut = integer(digits.slice(0, width), width);
  const z = digits.length > width ? cut : cut - BigInt(1);
  if (z === BigInt(0)) throw new RangeError(`no room below ${brief(lo)}`);
  return level(z, width);
}

/**
 * `n` levels in ascending order, spaced evenly between 0.1 and 0.9, and as short as that allows.
 *
 * @param {number} n at most a million
 * @returns {string[]}
 */
export function spread(n) {
  let width = 1;
  let unit = 1; // 0.1 is `unit` in the last of `width` digits
  while (8 * unit < n + 1) {
    width++;
    unit *= 10;
  }
  const levels = [];
  for (let i = 1; i <= n; i++) {
    levels.push(level(BigInt(unit + Math.floor((8 * unit * i) / (n + 1))), width));
  }
  return levels;
}

/**
 * The digits behind the point; `''` for the empty text.
 *
 * @param {string} s
 */
function digitsOf(s) {
  if (s === '') return '';
  if (!isLevel(s)) throw new RangeError(`${brief(s)} is not a Z level`);
  return s.slice(POINT.length);
}

/**
 * The number of digits of the shortest level between two others: the least n for which the first n
 * digits of the lower one, incremented, are still below the upper one.
 *
 * @param {string} a digits of the lower one
 * @param {string | null} b digits of the upper one, null for 1
 */
function shortest(a, b) {
  let n = 0;
  if (b !== null) {
    // Where both are equal, the lower one would not be below the upper one when incremented.
    while (n < b.length && (a[n] ?? '0') === b[n]) n++;
    n++;
    const step = Number(b[n - 1]) - Number(a[n - 1] ?? '0');
    if (step > 1 || b.length > n) return n;
    // Incremented here, the lower one equals the upper one: the digits behind decide.
  }
  while (a[n] === '9') n++;
  return n + 1;
}

/**
 * Returns to how many digits `above` and `below` look when they add or subtract one: more when the
 * level begins with many digits `end`, so that there is room for more levels.
 *
 * @param {string} digits
 * @param {string} end the digit of the end towards which they count
 */
function counterWidth(digits, end) {
  let run = 0;
  while (digits[run] === end) run++;
  return Math.min(2 * run + 4, MAX_DIGITS);
}

/**
 * The digits as an integer, in units of the last of `width` digits.
 *
 * @param {string} digits at most `width`
 * @param {number} width
 */
function integer(digits, width) {
  return BigInt(digits.padEnd(width, '0'));
}

/**
 * @param {bigint} z above 0, below 10^width
 * @param {number} width
 */
function level(z, width) {
  return POINT + z.toString().padStart(width, '0').replace(/0+$/, '');
}

/**
 * A text as an error quotes it.
 *
 * @param {string} s
 */
function brief(s) {
  return JSON.stringify(s.length > 24 ? `${s.slice(0, 24)}…` : s);
}
