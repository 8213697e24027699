// Colours of holders and directions of shadows, as rules of a style sheet. Pieces refer to them by
// class. They are not styles of the pieces: with a custom property on a piece, the browser
// recomputes the whole style of the piece and its children at each step of a motion. Without one it
// takes only the new transform, in a quarter of the time.

import { css, inkOn } from './colour.js';
import { turned } from './geometry.js';

/** Number of directions of shadows in a full turn: steps of 15 degrees, which nobody notices. */
const DIRECTIONS = 24;

export class Tints {
  #sheet = new CSSStyleSheet();
  /** @type {Map<number, {colour: number, rule: CSSStyleRule}>} by seat */
  #seats = new Map();

  /** Creates the rules for light, and adds the sheet to the page. @param {Document} page */
  constructor(page) {
    for (let i = 0; i < DIRECTIONS; i++) {
      const { x, y } = turned(0, 1, (-360 * i) / DIRECTIONS);
      this.#insert(`.lit-${i} { --sx: ${x.toFixed(3)}; --sy: ${y.toFixed(3)}; }`);
    }
    page.adoptedStyleSheets.push(this.#sheet);
  }

  /**
   * Returns the class of pieces that a seat holds. The class sets --holder and --holder-ink.
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
   * Returns the class of a piece at an angle, as this person sees it. The class sets --sx and --sy,
   * so that the light comes from above.
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
 * Gives a piece one of these classes and removes the previous one.
 * @param {import('../state.js').Shown} p
 * @param {'held'|'lit'} which
 * @param {string} name '' for none
 */
export function tint(p, which, name) {
  if (p[which] === name) return;
  if (p[which]) p.el.classList.remove(p[which]);
  if (name) p.el.classList.add(name);
  p[which] = name;
}
