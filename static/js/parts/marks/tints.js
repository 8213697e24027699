// The tints that a piece can get. Each has a name and a pattern besides its colour, so that nobody
// has to tell colours apart.

/**
 * @typedef {object} Hue
 * @property {string} id its CSS class tint-… draws the pattern
 * @property {number} colour 0xRRGGBB
 */

/** @type {Hue[]} */
export const HUES = [
  { id: 'red', colour: 0xd5303e },
  { id: 'orange', colour: 0xe8871e },
  { id: 'yellow', colour: 0xf2cf1d },
  { id: 'green', colour: 0x2f9e4f },
  { id: 'blue', colour: 0x2c6fd6 },
  { id: 'violet', colour: 0x8b46c1 },
  { id: 'white', colour: 0xf7f3ea },
  { id: 'black', colour: 0x2a2623 },
];

/**
 * Returns the tint that is nearest to a colour. Another client may write any colour.
 * @param {number} colour
 */
export function hueOf(colour) {
  let best = HUES[0];
  for (const hue of HUES) if (apart(hue.colour, colour) < apart(best.colour, colour)) best = hue;
  return best;
}

/**
 * Returns roughly how different two colours look: green counts most, blue least.
 * @param {number} a
 * @param {number} b
 */
function apart(a, b) {
  const d = (/** @type {number} */ shift) => ((a >> shift) & 255) - ((b >> shift) & 255);
  return 3 * d(16) ** 2 + 4 * d(8) ** 2 + 2 * d(0) ** 2;
}
