// Asks before something is done that cannot be undone: a plain question, what it would change, and
// two buttons. The focus is on the one that changes nothing.

import { openDialog } from './dialog.js';
import { msg } from './msg.js';
import { refocus } from '../../input/select.js';
import { el } from '../../view/dom.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../kinds/ability.js').Question} Question */

/**
 * Asks. Escape means no.
 * @param {State} s
 * @param {Question} question
 * @param {() => void} run does it
 * @param {() => void} [closed] called when the question is closed, whatever the answer is
 */
export function confirm(s, { title, text, yes }, run, closed) {
  const before = /** @type {HTMLElement|null} */ (document.activeElement);
  const cancel = el(
    'button', { class: 'secondary', onclick: () => d.close() }, msg('dialogs.confirm.cancel'),
  );
  const go = () => {
    d.close();
    run();
  };
  const d = openDialog(
    s.page.main, 'confirm', title, msg('dialogs.confirm.close'),
    el('p', { id: 'confirm-text' }, text),
    el(
      'div', { class: 'answers' }, cancel,
      el('button', { class: 'primary danger', 'data-yes': true, onclick: go }, yes),
    ),
  );
  d.setAttribute('role', 'alertdialog');
  d.setAttribute('aria-describedby', 'confirm-text');
  d.addEventListener('close', () => {
    if (before?.isConnected) before.focus({ preventScroll: true });
    refocus(s);
    closed?.();
  });
  cancel.focus();
}
