// Cleans drawings in SVG before they are looked at and sent: the server takes only what draws
// (docs/guides/games.md).

import { library } from './vendor.js';

/** What draws, as in server/play/game/svg.go. */
const TAGS = [
  'svg', 'g', 'defs', 'symbol', 'use', 'title', 'desc', 'switch', 'path', 'rect', 'circle',
  'ellipse', 'line', 'polyline', 'polygon', 'text', 'tspan', 'textPath', 'linearGradient',
  'radialGradient', 'stop', 'pattern', 'clipPath', 'mask', 'marker', 'filter', 'feBlend',
  'feColorMatrix', 'feComponentTransfer', 'feComposite', 'feConvolveMatrix', 'feDiffuseLighting',
  'feDisplacementMap', 'feDistantLight', 'feDropShadow', 'feFlood', 'feFuncA', 'feFuncB',
  'feFuncG', 'feFuncR', 'feGaussianBlur', 'feMerge', 'feMergeNode', 'feMorphology', 'feOffset',
  'fePointLight', 'feSpecularLighting', 'feSpotLight', 'feTile', 'feTurbulence',
];

/** What a value may not have: what fetches, and what could hide that. */
const FETCHES = /[\\@]|\/\*|javascript:|image\(|image-set\(|src\(/i;
const URLS = /url\s*\(\s*(["']?#[^"'()\s]+["']?\s*\))?/gi;

/**
 * Returns whether a value of an attribute leads nowhere.
 * @param {string} name
 * @param {string} value
 */
export function isLocal(name, value) {
  if (/^(xlink:)?href$/i.test(name)) return /^\s*#\S/.test(value);
  return !FETCHES.test(value) &&
    [...value.matchAll(URLS)].every(([whole, inside]) => inside && !/url\s+\(/i.test(whole));
}

/** The most elements that are drawn, each counted as often as it is drawn, and their depth. */
const MOST_DRAWN = 100_000;
const MOST_DEEP = 64;

/** The most rules of style sheets that are written on elements. */
const MOST_RULES = 500;

const SVG = 'http://www.w3.org/2000/svg';

/**
 * The name that style attributes have while a drawing is cleaned. The policy of the page forbids
 * inline styles, and the browser would report each of them, also where nothing is shown.
 */
const STYLE = 'data-style';

/**
 * Returns a drawing without what does not draw; null if nothing is left of it, or if it would take
 * too long to draw.
 * @param {string} text
 * @returns {Promise<string|null>}
 */
export async function cleanSvg(text) {
  const { default: purify } = await library('svg');
  let sheets = '';
  const bare = text
    .replace(/<style\b[^>]*>([\s\S]*?)<\/style\s*>/gi, (_, css) => {
      sheets += css.replace(/<!\[CDATA\[|\]\]>|<!--|-->|@import[^;]*;?/gi, '');
      return '';
    })
    .replace(/([\s"'/])style(?=\s*=)/gi, `$1${STYLE}`)
    .replace(/([\s"'/])on[a-z]+(?=\s*=)/gi, '$1data-on');
  /** @type {HTMLElement} */
  const body = purify.sanitize(bare, {
    ALLOWED_TAGS: ['#text', ...TAGS.map((tag) => tag.toLowerCase())],
    ADD_ATTR: ['href', 'xlink:href'], RETURN_DOM: true,
  });
  const svg = body.querySelector('svg');
  if (!svg) return null;
  inlineStyles(svg, sheets);
  const ids = new Set();
  for (const e of [svg, ...svg.querySelectorAll('*')]) {
    if (e.namespaceURI !== SVG || !TAGS.includes(e.localName)) {
      e.remove();
      continue;
    }
    for (const { name, value } of [...e.attributes]) {
      const isForeign = name.includes(':') &&
        !['xmlns:xlink', 'xlink:href', 'xml:space', 'xml:lang'].includes(name);
      const isTwice = name === 'id' && ids.has(value);
      const isNote = name.startsWith('data-') && name !== STYLE;
      if (isForeign || isTwice || isNote || !isLocal(name, value)) e.removeAttribute(name);
      else if (name === 'id') ids.add(value);
    }
  }
  if (!isSmall(svg)) return null;
  return new XMLSerializer().serializeToString(svg).replaceAll(` ${STYLE}="`, ' style="');
}

/**
 * Writes what style sheets in a drawing say on its elements: the server takes no style sheets.
 * @param {Element} svg
 * @param {string} css
 */
function inlineStyles(svg, css) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  for (const rule of [...sheet.cssRules].slice(0, MOST_RULES))
    if (rule instanceof CSSStyleRule)
      for (const e of chosen(svg, rule.selectorText))
        e.setAttribute(STYLE, `${rule.style.cssText} ${e.getAttribute(STYLE) ?? ''}`.trim());
}

/** @param {Element} svg @param {string} selector @returns {Iterable<Element>} */
function chosen(svg, selector) {
  try {
    return svg.querySelectorAll(selector);
  } catch {
    return []; // of a later version of CSS
  }
}

/** Returns whether a drawing does not draw too much by references. @param {Element} svg */
function isSmall(svg) {
  /** How many elements each draws; -1: it is being counted. @type {Map<Element, number>} */
  const known = new Map();
  const byId = new Map([...svg.querySelectorAll('[id]')].map((e) => [e.id, e]));
  const count = (/** @type {Element} */ e, /** @type {number} */ deep) => {
    const before = known.get(e);
    if (before !== undefined) return before < 0 ? Infinity : before;
    if (deep > MOST_DEEP) return Infinity;
    known.set(e, -1);
    let total = 1;
    const refs = [...e.attributes].flatMap(({ name, value }) => (/href$/.test(name)
      ? [value.trim().slice(1)]
      : [...value.matchAll(/url\(\s*["']?#([^"'()\s]+)/gi)].map(([, id]) => id)));
    for (const id of refs) {
      const to = byId.get(id);
      if (to && total < MOST_DRAWN) total += count(to, deep + 1);
    }
    for (const child of e.children) if (total < MOST_DRAWN) total += count(child, deep + 1);
    known.set(e, total);
    return total;
  };
  return count(svg, 0) < MOST_DRAWN;
}
