// The sand of hourglasses (T59). The server sends nothing while it runs: the page draws it from the
// curves of the piece and the server's time (K16), and announces when it has run out.

import { addIcons } from '../../view/icons.js';
import { all, on, setAttr, wantsStill } from '../../view/dom.js';
import { drawLabel } from '../../view/piece.js';
import { eachFrame } from '../../view/state.js';
import { msg } from './msg.js';
import { nameOf, the } from '../../view/describe.js';
import { perPiece } from './state.js';
import { upperBulb } from '../../sync/curves.js';
import { sandOf } from '../../kinds/hourglass.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../view/state.js').Shown} Shown */
/** @typedef {import('../../types.js').Piece} Piece */

/**
 * The glass that is drawn on an hourglass.
 * @typedef {object} Glass
 * @property {Shown} p
 * @property {Piece} piece as it was drawn last: its curves say where the sand is
 * @property {number} upper the bulb above
 * @property {boolean} announced whether it was announced that the sand has run out
 * @property {SVGElement} svg
 * @property {SVGElement[]} scaled the sand above, and the air below
 * @property {SVGElement} stream
 */

addIcons({
  hourglass:
    'M6 3.5h12M6 20.5h12M8 3.5c0 5.5 3 6 3 8.5s-3 3-3 8.5M16 3.5c0 5.5-3 6-3 8.5s3 3 3 8.5',
});

/** Into how many steps a run is divided: the sand moves by less than a pixel with each. */
const STEPS = 600;

/** The shortest time between two drawings, in ms. */
const FRAME = 16;

/** How long a glass takes to turn over before the eyes, in ms. */
const TURN = 350;

/** @type {(s: State) => Map<number, Glass>} */
const glassesOf = perPiece();

/**
 * Draws the glass on an hourglass. Called by view/piece.js with each update of the piece.
 * @param {State} s
 * @param {Shown} p
 * @param {Piece} piece
 */
export function drawSand(s, p, piece) {
  if (!piece.clock) return;
  const known = glassesOf(s).get(piece.id);
  const glass = known?.p === p ? known : createGlass(p, piece);
  const before = glass.piece;
  glass.piece = piece;
  if (glass === known && before.clock === piece.clock && before.curves === piece.curves) return;
  glassesOf(s).set(piece.id, glass);
  const upper = upperBulb(piece);
  if (glass === known && glass.upper !== upper) turnOver(glass);
  glass.upper = upper;
  glass.announced = write(s, glass) === 0;
}

/**
 * Returns what a screen reader says of the sand of an hourglass.
 * @param {State} s
 * @param {Piece} piece
 */
export function saysSand(s, piece) {
  if (!piece.clock) return [];
  const { above } = sandOf(piece, s.net.serverNow());
  if (above === 0) return [msg('abilities.sand.stands')];
  const seconds = Math.ceil(above / 1000);
  return [
    seconds < 120
      ? msg('abilities.sand.seconds', { n: seconds })
      : msg('abilities.sand.minutes', { n: Math.round(seconds / 60) }),
  ];
}

/**
 * Lets the sand run, and announces when it has run out.
 * @param {State} s
 * @param {import('../../bars/say.js').Voice} voice
 * @returns {() => void} stops
 */
export function bindSand(s, voice) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const tick = () => {
    clearTimeout(timer);
    if (document.visibilityState === 'hidden') return;
    let wait = Number.POSITIVE_INFINITY;
    for (const [id, glass] of glassesOf(s)) {
      if (s.view.shown.get(id) !== glass.p) {
        glassesOf(s).delete(id);
        continue;
      }
      if (glass.announced) continue;
      const above = write(s, glass);
      if (above === 0) announce(s, glass, voice);
      else wait = Math.min(wait, above, Math.max(FRAME, lasts(glass) / STEPS));
    }
    if (wait < Number.POSITIVE_INFINITY) timer = setTimeout(tick, wait);
  };
  // A frame may have drawn a glass that has just been turned over.
  eachFrame(s, () => {
    tick();
    return false;
  });
  return all(
    // the frame draws the glasses as they are now, and only then does the sand run on
    on(document, 'visibilitychange', () => s.redraw()),
    on(s.page.outer, 'focusin', (/** @type {FocusEvent} */ { target }) => {
      const id = Number(/** @type {Element} */ (target).getAttribute('data-piece'));
      const glass = glassesOf(s).get(id);
      if (glass) drawLabel(s, glass.p, glass.piece);
    }),
    () => clearTimeout(timer),
  );
}

/** Returns how long a full bulb lasts, in ms. @param {Glass} glass */
const lasts = ({ piece }) => piece.clock?.initial ?? 0;

/** @param {State} s @param {Glass} glass @param {import('../../bars/say.js').Voice} voice */
function announce(s, glass, voice) {
  glass.announced = true;
  drawLabel(s, glass.p, glass.piece);
  voice.notice(msg('abilities.sand.out', { what: the(nameOf(s, glass.piece)) }));
}

/**
 * Draws the sand as it lies now. The picture of a bulb is a triangle that stands on its tip. So the
 * sand above and the air below are smaller triangles with the same tip, of equal size.
 * @param {State} s
 * @param {Glass} glass
 * @returns {number} how much sand is above, in ms
 */
function write(s, { piece, svg, scaled, stream }) {
  const { above, below } = sandOf(piece, s.net.serverNow());
  const size = Math.sqrt(above / (above + below)).toFixed(4);
  for (const e of scaled) setAttr(e, 'transform', `translate(50 80) scale(${size})`);
  setAttr(stream, 'visibility', above > 0 ? 'visible' : 'hidden');
  setAttr(svg, 'data-sand', above > 0 ? 'runs' : 'stands');
  return above;
}

/** @param {Glass} glass */
function turnOver({ p, svg }) {
  if (wantsStill()) return;
  for (const e of [p.img, svg])
    e?.animate({ rotate: ['-180deg', '0deg'] }, { duration: TURN, easing: 'ease-in-out' });
}

/** @param {Shown} p @param {Piece} piece @returns {Glass} */
function createGlass(p, piece) {
  for (const e of p.el.querySelectorAll(':scope > .sand')) e.remove();
  const bulb = (/** @type {Record<string, string>} */ props) =>
    shape('path', { 'stroke-linejoin': 'round', ...props });
  const sand = bulb({ d: 'M0 0L-28 -60H28Z', fill: SAND });
  const air = bulb({ d: 'M0 0L-32 70H32Z', fill: AIR });
  const stream = shape('path', { d: 'M50 78V148', stroke: SAND, 'stroke-width': '1.6' });
  const svg = shape(
    'svg',
    { viewBox: '0 0 100 160', class: 'art sand', 'aria-hidden': 'true', focusable: 'false' },
    bulb({ d: BULBS, fill: AIR, stroke: AIR, 'stroke-width': '5' }),
    bulb({ d: 'M50 80L80 148H20Z', fill: SAND }), air, sand, stream,
    bulb({ d: BULBS, fill: 'none', stroke: RIM, 'stroke-width': '2.4' }),
  );
  svg.style.position = 'absolute';
  svg.style.inset = '0';
  p.el.append(svg);
  return { p, piece, upper: upperBulb(piece), announced: true, svg, scaled: [sand, air], stream };
}

const SVG = 'http://www.w3.org/2000/svg';
const BULBS = 'M17 9H83L53 80L83 151H17L47 80Z';
const SAND = '#d8a03a';
const AIR = '#e6eff0';
const RIM = '#5d7077';

/**
 * @param {string} name
 * @param {Record<string, string>} props
 * @param {...SVGElement} children
 */
function shape(name, props, ...children) {
  const e = /** @type {SVGElement} */ (document.createElementNS(SVG, name));
  for (const [key, value] of Object.entries(props)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}
