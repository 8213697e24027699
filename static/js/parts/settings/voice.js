// Where the people of the table talk, in the dialog of the table (docs/protocol/table.md, T69).

import { el } from '../../view/dom.js';
import { addressOf } from './links.js';
import { of, set } from './components.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */

/** The greatest number of characters of the address (C14). */
const ADDRESS = 500;

/** Returns the address at which people talk; empty: nobody has set one. @param {State} s */
export const voiceOf = (s) => addressOf(of(s, 'voice')?.address ?? '') ?? '';

/** @param {State} s @returns {import('./dialog.js').Group} */
export function voiceSet(s) {
  const input = el('input', {
    type: 'url', id: 'table-voice', maxlength: ADDRESS, autocomplete: 'off', inputmode: 'url',
    placeholder: 'https://', 'aria-describedby': 'table-voice-problem',
  });
  const problem = el('p', { class: 'problem', id: 'table-voice-problem', role: 'alert' });
  input.addEventListener('change', () => {
    const typed = input.value.trim();
    const address = typed === '' ? '' : addressOf(typed);
    problem.textContent = address === null ? msg('settings.voice.bad') : '';
    problem.hidden = address !== null;
    if (address === null || address === voiceOf(s)) return;
    set(s, 'voice', address === '' ? null : { address });
  });
  problem.hidden = true;
  const refresh = () => {
    if (document.activeElement !== input && problem.hidden) input.value = voiceOf(s);
  };
  return {
    root: el(
      'fieldset', { class: 'set' }, el('legend', {}, msg('settings.voice')),
      el('label', { for: input.id }, msg('settings.voice.where')), input, problem,
    ),
    refresh,
  };
}
