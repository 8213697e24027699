// The ruler on the table: a line between two spots, equally thick at every zoom, and the distance
// beside its end, upright and within the window.

import { el, setAttr, setText } from '../../view/dom.js';
import { toPage, turned, UNITS } from '../../view/geometry.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./measuring.js').Measuring} Measuring */

const SVG = 'http://www.w3.org/2000/svg';

/** Thickness of the line and of its edge, its dashes, and the radius of its ends, in px. */
const LINE = 3;
const EDGE = 6;
const DASH = '9 7';
const END = 6;

/** Distance of the label from the end of the line, in px. A finger covers more than a mouse. */
const ABOVE = 44;
const ABOVE_FINGER = 62;

/** Least distance of the middle of the label from the edges of the window, in px. */
const CLEAR = { side: 70, top: 96, bottom: 40 };

/** Makes the line. It lies above the pieces, and screen readers ignore it. @param {State} s */
export function createLine(s) {
  const svg = element('svg', { class: 'ruler-art' });
  const edge = element('line', { stroke: '#000', 'stroke-opacity': '0.62' });
  const line = element('line', { stroke: '#fff' });
  const ends = [0, 1].map(() =>
    element('circle', { fill: '#fff', stroke: '#000', 'stroke-opacity': '0.62' }),
  );
  svg.append(edge, line, ...ends);
  const number = el('span', { class: 'ruler-number' });
  const note = el('span', { class: 'ruler-note' });
  const label = el('div', { class: 'ruler-label' }, number, note);
  const root = el('div', { class: 'ruler', hidden: true }, svg, label);
  s.page.arrows.append(root);

  /**
   * Shows a measurement in the current view.
   * @param {Measuring} m
   * @param {{phase: string, label: {number: string, note: string}}} says
   */
  const draw = (m, says) => {
    const { from } = m;
    const to = m.to ?? from;
    root.hidden = from === null;
    if (!from || !to) return;
    const { turn, scale, live } = s.view.camera;
    const px = 1 / (scale * (live?.factor ?? 1)); // one px of the screen, in the layer's own
    setAttr(root, 'data-ruler', says.phase);
    for (const l of [edge, line]) {
      place(l, { x1: from.x, y1: from.y, x2: to.x, y2: to.y });
      setAttr(l, 'stroke-width', (l === edge ? EDGE : LINE) * px);
    }
    // A line whose distance the table has not measured is dashed, so that words are not the only
    // sign of that.
    setAttr(
      line,
      'stroke-dasharray',
      m.isEstimate
        ? DASH.split(' ')
            .map((n) => Number(n) * px)
            .join(' ')
        : null,
    );
    ends.forEach((end, i) => {
      const { x, y } = i === 0 ? from : to;
      place(end, { cx: x, cy: y });
      setAttr(end, 'r', END * px);
      setAttr(end, 'stroke-width', 1.5 * px);
    });
    setText(number, says.label.number);
    setText(note, says.label.note);
    label.hidden = m.to === null;
    if (m.to)
      label.style.transform =
        `translate(${to.x / UNITS}px, ${to.y / UNITS}px) ` +
        `rotate(${-turn}deg) scale(${px}) ${beside(s, from, to)}`;
  };
  return { draw, remove: () => root.remove() };
}

/**
 * Returns the place of the label from the end of the line, in px. It lies on the side away from the
 * line and within the window, so that it covers neither the line nor the spot.
 * @param {State} s
 * @param {import('../../view/geometry.js').Point} from
 * @param {import('../../view/geometry.js').Point} to
 */
function beside(s, from, to) {
  const { camera } = s.view;
  const far = s.input.touch ? ABOVE_FINGER : ABOVE;
  const at = toPage(camera, to);
  const down = turned(to.x - from.x, to.y - from.y, camera.turn).y > 0 && !s.input.touch;
  const clamp = (
    /** @type {number} */ n,
    /** @type {number} */ least,
    /** @type {number} */ most,
  ) => Math.min(Math.max(n, least), most);
  const x = clamp(at.x, camera.left + CLEAR.side, camera.left + camera.w - CLEAR.side);
  const y = clamp(
    at.y + (down ? far : -far),
    camera.top + CLEAR.top,
    camera.top + camera.h - CLEAR.bottom,
  );
  return `translate(${Math.round(x - at.x)}px, ${Math.round(y - at.y)}px) translate(-50%, -50%)`;
}

/**
 * Sets attributes that are given in units.
 * @param {Element} e
 * @param {Record<string, number>} where
 */
function place(e, where) {
  for (const [name, units] of Object.entries(where)) setAttr(e, name, units / UNITS);
}

/**
 * @template {'svg'|'line'|'circle'} K
 * @param {K} name @param {Record<string, string>} attributes
 */
function element(name, attributes) {
  const e = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  return /** @type {SVGElementTagNameMap[K]} */ (e);
}
