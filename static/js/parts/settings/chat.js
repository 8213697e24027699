// Who writes in the chat, and how long it is kept, in the dialog of the table
// (docs/protocol/table.md, T64.11, T64.14).

import { el } from '../../view/dom.js';
import { of, set } from './components.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */

/** Returns the rules of the chat. @param {State} s */
export const chatRules = (s) => of(s, 'chat') ?? { silent: false, days: 0 };

/** @param {State} s @returns {import('./dialog.js').Group} */
export function chatSet(s) {
  const write = el('input', { type: 'checkbox', id: 'table-chat' });
  const days = el(
    'select',
    { id: 'table-chat-days' },
    el('option', { value: '0' }, msg('settings.chat.always')),
    el('option', { value: '30' }, msg('settings.chat.month')),
    el('option', { value: '1' }, msg('settings.chat.day')),
  );
  const change = () => {
    const rules = { silent: !write.checked, days: Number(days.value) };
    set(s, 'chat', rules.silent || rules.days !== 0 ? rules : null);
  };
  write.addEventListener('change', change);
  days.addEventListener('change', change);
  const refresh = () => {
    const rules = chatRules(s);
    write.checked = !rules.silent;
    days.value = String(rules.days);
  };
  const root = el(
    'fieldset',
    { class: 'set' },
    el('legend', {}, msg('settings.chat')),
    el('label', { class: 'check', for: write.id }, write, msg('settings.chat.watchers')),
    el('label', { for: days.id }, msg('settings.chat.kept'), ' ', days),
  );
  return { root, refresh };
}
