// Writing on a note or a label (T35), at its place, upright and large enough to read. Whatever
// closes the editor keeps the text: what somebody has written is not thrown away.

import { msg } from './msg.js';
import { all, el, on } from '../../view/dom.js';
import { clamp, toPage, UNITS } from '../../view/geometry.js';
import { change } from '../../input/ops.js';
import { boxOf } from '../../view/piece.js';
import { lower, nameOf } from '../../view/describe.js';
import { onRename } from '../../listeners.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */

/** The longest text of a piece, in bytes of UTF-8 (T35). */
const MOST = 2000;

/** The least size of the editor, and the free space to the edges of the window, in px. */
const LEAST = { w: 240, h: 150 };
const EDGE = 12;

/**
 * Opens the editor.
 * @param {State} s
 * @param {Piece} piece
 */
export function openEditor(s, piece) {
  s.page.main.querySelector('.editor')?.remove();
  const label = msg('dialogs.editor.label', { name: lower(nameOf(s, piece)) });
  const area = el('textarea', {
    'aria-label': label, 'aria-describedby': 'editor-hint', spellcheck: 'true',
  });
  area.value = piece.text ?? '';
  const hint = el('p', { class: 'editor-hint', id: 'editor-hint' }, msg('dialogs.editor.hint'));
  const problem = el(
    'p', { class: 'problem', role: 'alert', hidden: true }, msg('dialogs.editor.tooLong'),
  );
  const save = el('button', { class: 'primary' }, msg('dialogs.editor.save'));
  const sheet = el(
    'div', { class: 'editor', role: 'dialog', 'aria-label': label }, area,
    problem, el('div', { class: 'editor-foot' }, hint, save),
  );
  let { id } = piece;
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    const text = written(area.value);
    if (text === null) {
      problem.hidden = false;
      area.focus();
      return;
    }
    isOpen = false;
    stop();
    sheet.remove();
    const now = s.sync.pieces.get(id);
    if (now && text !== (now.text ?? '')) change(s, id, 'write', { text });
    if (document.activeElement === document.body)
      s.view.shown.get(id)?.el.focus({ preventScroll: true });
  };
  const key = (/** @type {KeyboardEvent} */ e) => {
    e.stopPropagation();
    if (e.key !== 'Escape' && !(e.key === 'Enter' && (e.ctrlKey || e.metaKey))) return;
    close();
    e.preventDefault();
  };
  const renamed = (/** @type {number} */ from, /** @type {number} */ to) => {
    if (id === from) id = to;
  };
  const stop = all(
    on(sheet, 'keydown', key),
    on(save, 'click', () => close()),
    on(s.page.window, 'pointerdown', () => close()),
    on(sheet, 'focusout', (/** @type {FocusEvent} */ e) => {
      if (e.relatedTarget && !sheet.contains(/** @type {Node} */ (e.relatedTarget))) close();
    }),
    onRename(s, renamed),
  );
  s.page.main.append(sheet);
  stand(s, sheet, piece);
  area.focus();
  area.setSelectionRange(area.value.length, area.value.length);
}

/**
 * Places the editor over the piece, within the window.
 * @param {State} s
 * @param {HTMLElement} sheet
 * @param {Piece} piece
 */
function stand(s, sheet, piece) {
  const box = boxOf(s, piece);
  const scale = s.view.camera.scale / UNITS;
  const sideways = s.view.camera.turn % 180 !== 0;
  const w = Math.max(LEAST.w, (sideways ? box.bottom - box.top : box.right - box.left) * scale);
  const h = Math.max(LEAST.h, (sideways ? box.right - box.left : box.bottom - box.top) * scale);
  const middle = toPage(s.view.camera, piece);
  const { left, top, w: wide, h: high } = s.view.camera;
  const width = Math.min(w, wide - 2 * EDGE);
  const height = Math.min(h, (high - 2 * EDGE) * 0.6);
  sheet.style.width = `${width}px`;
  sheet.style.minHeight = `${height}px`;
  // The note is at a place of the page, whichever way lines run.
  sheet.style.left = `${clamp(middle.x - width / 2, left + EDGE, left + wide - width - EDGE)}px`;
  // This is above what an on-screen keyboard covers.
  const lowest = Math.max(top + EDGE, top + high * 0.55 - height);
  sheet.style.top = `${clamp(middle.y - height / 2, top + EDGE, lowest)}px`;
}

/**
 * Returns a text as it is sent, null if it is too long. It drops control characters.
 * @param {string} value
 */
function written(value) {
  const text = value.replaceAll('\r\n', '\n').replaceAll('\t', ' ').replace(/[^\P{Cc}\n]/gu, '');
  return new TextEncoder().encode(text).length <= MOST ? text : null;
}
