// The grid of the table, in the dialog of its settings.

import { HEXAGONS, NONE, SQUARES } from './cells.js';
import { el } from '../../view/dom.js';
import { clamp } from '../../view/geometry.js';
import { of, set } from './components.js';
import { tablewords as t } from './words.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../components/registry.js').Grid} Grid */

/** Three hexagons. */
const COMB = 'M10 2l7 4v8l-7 4-7-4V6zM24 2l7 4v8l-7 4-7-4V6zM17 14l7 4v8l-7 4-7-4v-8z';

const SVG = 'http://www.w3.org/2000/svg';

/** Table units in a millimetre, and the least and greatest size of a cell (C14), in millimetres. */
const MM = 10;
const LEAST = 1;
const MOST = 2000;

/** The grid that the dialog offers first. @type {Grid} */
const FIRST = { form: NONE, pitch: 500, x: 0, y: 0, snap: true };

/**
 * @param {State} s
 * @returns {import('./dialog.js').Group}
 */
export function gridSet(s) {
  const radios = [NONE, SQUARES, HEXAGONS].map((form) =>
    el('input', { type: 'radio', name: 'grid', value: form }),
  );
  const samples = radios.map((input) =>
    el(
      'label',
      { class: 'sample' },
      input,
      picture(Number(input.value)),
      t.forms[Number(input.value)],
    ),
  );
  const number = (/** @type {string} */ id, /** @type {number} */ min) =>
    el('input', {
      type: 'number',
      id,
      min,
      max: MOST,
      step: 0.1,
      required: true,
      inputmode: min < 0 ? 'text' : 'decimal',
    });
  const pitch = number('grid-pitch', LEAST);
  const x = number('grid-x', -MOST);
  const y = number('grid-y', -MOST);
  const snap = el('input', { type: 'checkbox', id: 'grid-snap' });
  const apply = () => {
    const form = Number(radios.find((r) => r.checked)?.value ?? NONE);
    if ([pitch, x, y].some((input) => !input.checkValidity())) return; // not a number yet
    const units = (/** @type {HTMLInputElement} */ input) => Math.round(Number(input.value) * MM);
    const none = { form: NONE, pitch: 0, x: 0, y: 0, snap: false };
    const size = clamp(units(pitch), LEAST * MM, MOST * MM);
    set(
      s,
      'grid',
      form === NONE ? none : { form, pitch: size, x: units(x), y: units(y), snap: snap.checked },
    );
  };
  const inputs = [...radios, pitch, x, y, snap];
  for (const input of inputs) input.addEventListener('change', apply);
  let last = FIRST;
  const refresh = () => {
    const now = of(s, 'grid');
    const form = now?.form ?? NONE;
    if (now && form !== NONE) last = now; // somebody who removes a grid can bring it back as it was
    for (const r of radios) r.checked = Number(r.value) === form;
    const show = (/** @type {HTMLInputElement} */ input, /** @type {number} */ units) => {
      if (document.activeElement !== input) input.value = String(units / MM);
    };
    show(pitch, last.pitch);
    show(x, last.x);
    show(y, last.y);
    snap.checked = last.snap;
    more.hidden = form === NONE;
  };
  const field = (/** @type {string} */ label, /** @type {HTMLInputElement} */ input) =>
    el('div', { class: 'field' }, el('label', { for: input.id }, label), input);
  const more = el(
    'div',
    {},
    el('div', { class: 'fields' }, field(t.pitch, pitch), field(t.offsetX, x), field(t.offsetY, y)),
    el('label', { class: 'check' }, snap, t.snap),
  );
  const root = el(
    'fieldset',
    { class: 'set' },
    el('legend', {}, t.grid),
    el('div', { class: 'samples' }, ...samples),
    more,
  );
  return { root, refresh };
}

/** Returns a picture of a form. @param {number} form */
function picture(form) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', 'form-art');
  svg.setAttribute('viewBox', '0 0 34 30');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute(
    'd',
    { [SQUARES]: 'M3 1h28v28H3zM17 1v28M3 15h28', [HEXAGONS]: COMB }[form] ?? 'M5 25 29 5',
  );
  svg.append(path);
  return svg;
}
