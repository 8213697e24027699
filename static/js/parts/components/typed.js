// Cleans text that people type before it is sent. A line has only printable characters and no
// spaces around it; a text has no control characters except line feeds (docs/protocol/component.md,
// C14).

/** Returns a line of at most `most` characters. @param {string} typed @param {number} most */
export function lineOf(typed, most) {
  const plain = typed.replace(/\s+/gu, ' ').replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '');
  return [...plain.trim()].slice(0, most).join('').trim();
}

/**
 * Returns a text of at most `most` characters; empty if only spaces were typed.
 * @param {string} typed
 * @param {number} most
 */
export function textOf(typed, most) {
  const plain = typed
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', ' ')
    .replace(/[^\P{Cc}\n]/gu, '')
    .trimEnd();
  return [...plain].slice(0, most).join('');
}
