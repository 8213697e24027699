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

/** A word and its width. @typedef {{word: string, width: number}} Word */

/**
 * Returns the lines of a text and the size of its letters: the largest one at which it fits into
 * the place, unless `most` is less. A text that does not fit at all has the smallest size. Each
 * word is measured once, because that takes a browser long.
 * @param {string} text
 * @param {{width: number, height: number}} place
 * @param {number|undefined} most
 * @param {Measure} measure
 */
export function layOut(text, { width, height }, most, measure) {
  let size = Math.min(most ?? height / LEADING, height / LEADING);
  if (text.trim() === '') return { size, lines: [] };
  const space = measure(' ');
  const paragraphs = text.split('\n').map((paragraph) =>
    paragraph.split(' ').map((word) => ({ word, width: measure(word) })));
  const widest = Math.max(...paragraphs.flat().map((word) => word.width));
  size = Math.min(size, Math.max(width / widest, SMALLEST));
  for (;;) {
    const lines = paragraphs.flatMap((words) => breakLine(words, width / size, space));
    if (lines.length * LEADING * size <= height + 1e-6 || size * SHRINK < SMALLEST)
      return { size: Math.floor(size * 10) / 10, lines };
    size *= SHRINK;
  }
}

/**
 * Breaks words into lines.
 * @param {Word[]} words
 * @param {number} most the width of a line, in heights of letters
 * @param {number} space the width between words
 * @returns {string[]}
 */
function breakLine(words, most, space) {
  const lines = [words[0].word];
  let [{ width }] = words;
  for (const next of words.slice(1)) {
    width += space + next.width;
    if (width <= most + 1e-9) {
      lines[lines.length - 1] += ` ${next.word}`;
    } else {
      lines.push(next.word);
      ({ width } = next);
    }
  }
  return lines;
}
