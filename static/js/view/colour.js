// Colours of people: as CSS texts, and the text colour that is readable on them.

/** Returns "#rrggbb" for 0xRRGGBB. Returns a text unchanged. @param {number|string} colour */
export function css(colour) {
  return typeof colour === 'string' ? colour : `#${colour.toString(16).padStart(6, '0')}`;
}

/**
 * Returns black or white, whichever is easier to read on a colour (WCAG 2 relative luminance).
 * @param {number|string} colour
 */
export function inkOn(colour) {
  const n = typeof colour === 'string' ? Number.parseInt(colour.slice(1), 16) : colour;
  const [r, g, b] = [n >> 16, (n >> 8) & 255, n & 255].map((v) => {
    const c = v / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  // Above this luminance, black has more contrast than white.
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000' : '#fff';
}

/** Returns the letters that stand for a nick on a small disc, two at most. @param {string} nick */
export function initials(nick) {
  const words = nick.trim().split(/\s+/);
  const first = [...(words[0] ?? '')][0] ?? '?';
  // for “Ben (2)” it is the number
  const second = words.length > 1 ? ([...words[words.length - 1].replace('(', '')][0] ?? '') : '';
  return (first + second).toUpperCase();
}
