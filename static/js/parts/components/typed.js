// What people type, as it is sent: a line has printable characters only and no spaces around it, a text no control characters but line
// feeds (docs/protocol/component.md, C14).

/**
 * A line of at most so many characters.
 * @param {string} typed @param {number} most
 */
export function lineOf(typed, most) {
  const plain = typed.replace(/\s+/gu, ' ').replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '');
  return [...plain.trim()].slice(0, most).join('').trim();
}

/**
 * A text of at most so many characters; empty if nothing but spaces was typed.
 * @param {string} typed @param {number} most
 */
export function textOf(typed, most) {
  const plain = typed
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', ' ')
    .replace(/[^\P{Cc}\n]/gu, '')
    .trimEnd();
  return [...plain].slice(0, most).join('');
}
