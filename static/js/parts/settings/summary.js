// What the hosts have set, in sentences: everybody else reads it in the dialog of the table.

import { el, setText } from '../../view/dom.js';
import { undoConsent } from '../../rights.js';
import { accessOf } from './access.js';
import { chatRules } from './chat.js';
import { playersRecall } from './recall.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */

/** Returns the sentences. @param {State} s */
function sentences(s) {
  const { closed, frozen } = accessOf(s);
  const { silent, days } = chatRules(s);
  const how = days === 1 ? msg('settings.chat.day')
    : days === 30 ? msg('settings.chat.month') : msg('settings.chat.always');
  return [
    frozen ? msg('settings.told.frozen') : msg('settings.told.moves'),
    closed ? msg('settings.told.closed') : msg('settings.told.open'),
    msg(`settings.is.undo.${undoConsent(s)}`),
    playersRecall(s) ? msg('settings.is.recall') : msg('settings.is.noRecall'),
    silent ? msg('settings.is.chatSilent') : msg('settings.is.chatOpen'),
    msg('settings.is.chatKept', { how }),
  ];
}

/** @param {State} s @returns {import('./dialog.js').Group} */
export function summary(s) {
  const items = sentences(s).map(() => el('li', {}));
  const root = el(
    'section', { class: 'set-summary' },
    el('h3', {}, msg('settings.is')), el('ul', {}, ...items),
  );
  const refresh = () => {
    for (const [i, text] of sentences(s).entries()) setText(items[i], text);
  };
  return { root, refresh };
}
