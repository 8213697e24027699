// Whether the motion of pieces is recorded, in the dialog of the table (docs/protocol/curve.md,
// K17). Everybody can read there that it is.

import { el, setText } from '../../view/dom.js';
import { of, set } from './components.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */

/** Returns whether motion is recorded. @param {State} s */
export const isRecorded = (s) => of(s, 'recording')?.on ?? false;

/** What everybody reads in the dialog. @param {State} s @returns {import('./dialog.js').Group} */
export function recordingNote(s) {
  const root = el('p', { class: 'quiet set-recorded' });
  const refresh = () => {
    root.hidden = !isRecorded(s);
    setText(root, msg('settings.recorded'));
  };
  return { root, refresh };
}

/** @param {State} s @returns {import('./dialog.js').Group} */
export function recordingSet(s) {
  const on = el('input', { type: 'checkbox', id: 'table-recording' });
  on.addEventListener('change', () => set(s, 'recording', on.checked ? { on: true } : null));
  const refresh = () => {
    on.checked = isRecorded(s);
  };
  const root = el(
    'fieldset',
    { class: 'set' },
    el('legend', {}, msg('settings.recording')),
    el('label', { class: 'check', for: on.id }, on, msg('settings.record')),
    el('p', { class: 'quiet' }, msg('settings.recordWhat')),
  );
  return { root, refresh };
}
