// The size of the table, in the dialog of its settings. Before a change it says which pieces would
// lie beyond the edge. The change moves them in.

import { el, setText } from '../../view/dom.js';
import { clamp } from '../../view/geometry.js';
import { change, refusal } from '../../input/ops.js';
import { set } from './components.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../components/registry.js').Size} Size */

/**
 * Table units in a centimetre, and the least and greatest size of a table (C14), in centimetres.
 */
const CM = 100;
const LEAST = 10;
const MOST = 1000;

/**
 * @param {State} s @param {import('../../bars/say.js').Voice} voice
 * @returns {import('./dialog.js').Group}
 */
export function sizeSet(s, voice) {
  const field = (/** @type {string} */ id) =>
    el('input', {
      type: 'number',
      id,
      min: LEAST,
      max: MOST,
      step: 0.1,
      required: true,
      inputmode: 'decimal',
    });
  const width = field('table-width');
  const height = field('table-height');
  const note = el('p', { class: 'quiet', role: 'status' });
  const button = el('button', { type: 'submit', class: 'secondary' }, msg('settings.resize'));
  let known = '';
  const asked = () => ({
    width: Math.round(Number(width.value) * CM),
    height: Math.round(Number(height.value) * CM),
  });
  const announce = () => {
    const size = asked();
    const same = size.width === s.view.camera.width && size.height === s.view.camera.height;
    button.disabled = same;
    setText(
      note,
      same || !width.checkValidity() || !height.checkValidity() ? '' : sentence(s, size),
    );
  };
  const submit = (/** @type {Event} */ e) => {
    e.preventDefault();
    const size = asked();
    bringIn(s, size);
    set(s, 'size', size);
    voice.whisper(msg('settings.sized', { width: width.value, height: height.value }));
    known = '';
    announce();
  };
  const refresh = () => {
    const now = `${s.view.camera.width} ${s.view.camera.height}`;
    if (now !== known) {
      known = now;
      width.value = String(s.view.camera.width / CM);
      height.value = String(s.view.camera.height / CM);
    }
    announce();
  };
  for (const input of [width, height]) input.addEventListener('input', announce);
  const fields = el(
    'div',
    { class: 'fields' },
    labelled(msg('settings.width'), width),
    labelled(msg('settings.height'), height),
    button,
  );
  const root = el(
    'fieldset',
    { class: 'set' },
    el('legend', {}, msg('settings.size')),
    el('form', { onsubmit: submit }, fields, note),
  );
  return { root, refresh };
}

/** @param {string} label @param {HTMLInputElement} input */
function labelled(label, input) {
  return el('div', { class: 'field' }, el('label', { for: input.id }, label), input);
}

/**
 * Describes what happens to the pieces on a table of that size.
 * @param {State} s
 * @param {Size} size
 */
function sentence(s, size) {
  const out = outside(s, size);
  if (out.length === 0) return msg('settings.allInside');
  const stuck = out.filter((p) => refusal(s, p, 'move') !== null).length;
  const moved = out.length - stuck;
  return [
    moved > 0 && msg('settings.outside', { n: moved }),
    stuck > 0 && msg('settings.stuck', { n: stuck }),
  ].filter(Boolean).join(' ');
}

/**
 * Returns the pieces whose centre lies beyond the edge of a table of that size.
 * @param {State} s
 * @param {Size} size
 * @returns {Piece[]}
 */
function outside(s, { width, height }) {
  return [...s.sync.pieces.values()].filter(
    (p) => Math.abs(p.x) > width / 2 || Math.abs(p.y) > height / 2,
  );
}

/**
 * Moves these pieces to the edge. Pieces that this person may not move stay.
 * @param {State} s
 * @param {Size} size
 */
function bringIn(s, size) {
  const w = Math.floor(size.width / 2);
  const h = Math.floor(size.height / 2);
  for (const p of outside(s, size)) {
    if (!refusal(s, p, 'move'))
      change(s, p.id, 'move', { x: clamp(p.x, -w, w), y: clamp(p.y, -h, h) });
  }
}
