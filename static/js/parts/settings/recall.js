// Whether players recall cards out of the hands of others, in the dialog of the table
// (docs/protocol/table.md, T30.33). Without this setting only hosts do.

import { el } from '../../view/dom.js';
import { of, set } from './components.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */

/** Returns whether players recall as hosts do. @param {State} s */
export const playersRecall = (s) => of(s, 'recall')?.players ?? false;

/** @param {State} s @returns {import('./dialog.js').Group} */
export function recallSet(s) {
  const players = el('input', { type: 'checkbox', id: 'table-recall' });
  players.addEventListener('change', () =>
    set(s, 'recall', players.checked ? { players: true } : null));
  const refresh = () => {
    players.checked = playersRecall(s);
  };
  const root = el(
    'fieldset',
    { class: 'set' },
    el('legend', {}, msg('settings.recall')),
    el('label', { class: 'check', for: players.id }, players, msg('settings.playersRecall')),
  );
  return { root, refresh };
}
