// Whose consent it needs to take something back, in the dialog of the table
// (docs/protocol/table.md, T63.22). Without this setting all are asked.

import { el } from '../../view/dom.js';
import { of, set } from './components.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */

/** @type {(0 | 1 | 2)[]} all, a host, nothing is undone */
const CHOICES = [0, 1, 2];

/** Returns whose consent an undo needs. @param {State} s */
export const undoConsent = (s) => CHOICES.find((n) => n === of(s, 'undo')?.consent) ?? 0;

/** @param {State} s @returns {import('./dialog.js').Group} */
export function undoSet(s) {
  const choice = el(
    'select',
    { id: 'table-undo' },
    ...CHOICES.map((n) => el('option', { value: String(n) }, msg(`settings.undo.${n}`))),
  );
  choice.addEventListener('change', () =>
    set(s, 'undo', choice.value === '0' ? null : { consent: Number(choice.value) }));
  const refresh = () => {
    choice.value = String(undoConsent(s));
  };
  const root = el(
    'fieldset',
    { class: 'set' },
    el('legend', {}, msg('settings.undo')),
    el('label', { for: choice.id }, msg('settings.undoWho'), ' ', choice),
  );
  return { root, refresh };
}
