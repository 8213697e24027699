// Finds the size at which a text fits into a rectangle, and its line breaks. Pure: the caller
// passes the function that measures.

/**
 * Returns the width of a text at size 1.
 * @typedef {(text: string) => number} Measure
 */

/** The height of a line at size 1. */
const LINE = 1.22;

/**
 * Breaks a text into lines. Words that are too long are broken.
 * @param {string} text
 * @param {number} width of a line, at size 1
 * @param {Measure} measure
 * @returns {string[]}
 */
export function wrap(text, width, measure) {
  const lines = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(/\s+/)) {
      const longer = line ? `${line} ${word}` : word;
      if (measure(longer) <= width) {
        line = longer;
        continue;
      }
      if (line) lines.push(line);
      line = word;
      while (measure(line) > width && [...line].length > 1) {
        const head = headOf(line, width, measure);
        lines.push(head);
        line = line.slice(head.length);
      }
    }
    lines.push(line);
  }
  return lines;
}

/**
 * Returns as much of a word as fits, at least one character.
 * @param {string} word
 * @param {number} width
 * @param {Measure} measure
 */
function headOf(word, width, measure) {
  let head = '';
  for (const c of word) {
    if (head && measure(head + c) > width) break;
    head += c;
  }
  return head;
}

/**
 * Returns the greatest size at which a text fits into a rectangle, and its lines at that size. If
 * the text does not fit at the least size, its end is cut off and replaced by an ellipsis.
 * @param {string} text
 * @param {number} width
 * @param {number} height
 * @param {Measure} measure
 * @param {{least: number, most: number}} sizes
 * @returns {{size: number, lines: string[]}}
 */
export function fitText(text, width, height, measure, { least, most }) {
  const at = (/** @type {number} */ size) => wrap(text, width / size, measure);
  const fits = (/** @type {number} */ size) => {
    const words = text.split(/\s+/);
    return words.every((w) => measure(w) * size <= width) &&
      at(size).length * LINE * size <= height;
  };
  let lo = least;
  let hi = most;
  if (fits(most)) return { size: most, lines: at(most) };
  for (let i = 0; i < 8; i++) {
    const mid = (lo + hi) / 2;
    if (fits(mid)) lo = mid;
    else hi = mid;
  }
  const lines = at(lo);
  const room = Math.max(1, Math.floor(height / (LINE * lo)));
  if (lines.length <= room) return { size: lo, lines };
  return {
    size: lo, lines: [...lines.slice(0, room - 1), `${lines[room - 1].replace(/\s*\S?$/, '')}…`],
  };
}

/**
 * Returns the greatest size at which a short text fits into a rectangle on one line.
 * @param {string} text
 * @param {number} width
 * @param {number} height
 * @param {Measure} measure
 */
export function fitLine(text, width, height, measure) {
  return Math.min(height / 1.05, width / Math.max(0.01, measure(text)));
}
