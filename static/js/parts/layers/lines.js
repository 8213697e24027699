// Breaks a text into lines that fit into a place. Pure arithmetic; no DOM.

/**
 * Returns how wide a text is if its letters are 1 high.
 * @typedef {(text: string) => number} Measure
 */

/** How far lines are from each other, in heights of letters. */
export const LEADING = 1.2;

/** How much smaller letters become at each attempt, and the size below which there is none. */
const SHRINK = 0.94;
const SMALLEST = 8;

/**
 * Returns the lines of a text and the size of its letters: the largest one at which it fits into
 * the place, unless `most` is less. A text that does not fit at all has the smallest size.
 * @param {string} text
 * @param {{width: number, height: number}} place
 * @param {number|undefined} most
 * @param {Measure} measure
 */
export function layOut(text, { width, height }, most, measure) {
  let size = Math.min(most ?? height / LEADING, height / LEADING);
  if (text.trim() === '') return { size, lines: [] };
  for (;;) {
    const lines = breakLines(text, width / size, measure);
    const fits = lines.length * LEADING * size <= height + 1e-6 &&
      lines.every((line) => measure(line) * size <= width + 1e-6);
    if (fits || size * SHRINK < SMALLEST) return { size: Math.floor(size * 10) / 10, lines };
    size *= SHRINK;
  }
}

/**
 * Breaks a text at its line breaks and at spaces.
 * @param {string} text
 * @param {number} width in heights of letters
 * @param {Measure} measure
 * @returns {string[]}
 */
export function breakLines(text, width, measure) {
  return text.split('\n').flatMap((paragraph) => {
    const lines = [''];
    for (const word of paragraph.split(' ')) {
      const line = lines[lines.length - 1];
      const longer = line === '' ? word : `${line} ${word}`;
      if (line === '' || measure(longer) <= width) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  });
}
