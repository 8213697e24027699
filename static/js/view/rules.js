// Colours of those who hold pieces, and directions of shadows, as rules of a style sheet that pieces refer to by class. Not as
// styles of the pieces: with a custom property there, a browser works out the whole style of a piece, and of all in it, at each
// step that it moves; without one it takes the new transform alone, in a quarter of the time.

import { css, inkOn } from './colour.js';
import { turned } from './geometry.js';

/** Directions in which shadows fall, in a full turn: steps of 15 degrees, which nobody sees. */
const DIRECTIONS = 24;

export class Tints {
  #sheet = new CSSStyleSheet();
  /** @type {Map<number, {colour: number, rule: CSSStyleRule}>} by seat */
  #seats = new Map();

  /** Makes the rules for light, and gives the sheet to the page. @param {Document} page */
  constructor(page) {
    for (let i = 0; i < DIRECTIONS; i++) {
      const { x, y } = turned(0, 1, (-360 * i) / DIRECTIONS);
      this.#insert(`.lit-${i} { --sx: ${x.toFixed(3)}; --sy: ${y.toFixed(3)}; }`);
    }
    page.adoptedStyleSheets.push(this.#sheet);
  }

  /**
   * The class of what a seat holds: it gives --holder and --holder-ink.
   * @param {{id: number, colour: number}} seat
   */
  held({ id, colour }) {
    const known = this.#seats.get(id);
    const rule = known?.rule ?? this.#insert(`.by-${id} {}`);
    if (known?.colour !== colour) {
      rule.style.setProperty('--holder', css(colour));
      rule.style.setProperty('--holder-ink', inkOn(colour));
      this.#seats.set(id, { colour, rule });
    }
    return `by-${id}`;
  }

  /**
   * The class of what is turned by an angle, as this person sees it: it gives --sx and --sy, so that the light stays above.
   * @param {number} angle in hundredths of a degree, any
   */
  lit(angle) {
    const step = Math.round((angle * DIRECTIONS) / 36000) % DIRECTIONS;
    return `lit-${(step + DIRECTIONS) % DIRECTIONS}`;
  }

  /** @param {string} text */
  #insert(text) {
    const at = this.#sheet.insertRule(text, this.#sheet.cssRules.length);
    return /** @type {CSSStyleRule} */ (this.#sheet.cssRules[at]);
  }
}

/**
 * Gives a piece one of these classes instead of the one that it has.
 * @param {import('../state.js').Shown} p @param {'held'|'lit'} which @param {string} name none: ''
 */
export function tint(p, which, name) {
  if (p[which] === name) return;
  if (p[which]) p.el.classList.remove(p[which]);
  if (name) p.el.classList.add(name);
  p[which] = name;
}
