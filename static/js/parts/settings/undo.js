// Whose consent it needs to take something back, in the dialog of the table
// (docs/protocol/table.md, T63.22). Without this setting all are asked.

import { el } from '../../view/dom.js';
import { set } from './components.js';
import { UNDO_CONSENTS, undoConsent } from '../../rights.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */

/** @param {State} s @returns {import('./dialog.js').Group} */
export function undoSet(s) {
  const choice = el(
    'select',
    { id: 'table-undo' },
    ...UNDO_CONSENTS.map((n) => el('option', { value: String(n) }, msg(`settings.undo.${n}`))),
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
