// Who may come to the table and who may move, in the dialog of the table
// (docs/protocol/table.md, T67). Without this setting everybody with a link comes, and all who play
// move.

import { el, setAttr, setText } from '../../view/dom.js';
import { icon } from '../../view/icons.js';
import { of, set } from './components.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */

/** The greatest number of characters of a password (T68). */
const MOST = 100;

/** Returns who may come and who may move. @param {State} s */
export const accessOf = (s) => of(s, 'access') ?? { closed: false, frozen: false };

/** @param {State} s @returns {import('./dialog.js').Group} */
export function accessSet(s) {
  const closed = el('input', { type: 'checkbox', id: 'table-closed' });
  const frozen = el('input', { type: 'checkbox', id: 'table-frozen' });
  const change = () => {
    const rules = { closed: closed.checked, frozen: frozen.checked };
    set(s, 'access', rules.closed || rules.frozen ? rules : null);
  };
  closed.addEventListener('change', change);
  frozen.addEventListener('change', change);
  const refresh = () => {
    const rules = accessOf(s);
    closed.checked = rules.closed;
    frozen.checked = rules.frozen;
  };
  const root = el(
    'fieldset',
    { class: 'set' },
    el('legend', {}, msg('settings.access')),
    el('label', { class: 'check', for: closed.id }, closed, msg('settings.access.closed')),
    el('label', { class: 'check', for: frozen.id }, frozen, msg('settings.access.frozen')),
    passwordForm(s),
  );
  return { root, refresh };
}

/**
 * Makes the form in which hosts set the password of the table (T68). The page never learns a
 * password that was set before.
 * @param {State} s
 */
function passwordForm(s) {
  const input = el('input', {
    type: 'text', id: 'table-password', maxlength: MOST, autocomplete: 'off', spellcheck: false,
  });
  const note = el('p', { class: 'quiet set-note', role: 'status' });
  const remove = el(
    'button', { class: 'secondary', type: 'button', hidden: true }, msg('settings.password.remove'),
  );
  const show = (/** @type {boolean} */ has, /** @type {string} */ text) => {
    setText(note, text);
    remove.hidden = !has;
  };
  let isAsked = false;
  const send = async (/** @type {string} */ password) => {
    isAsked = true;
    try {
      const answer = await fetch(`${s.api}/password`, {
        method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ password }),
      });
      if (!answer.ok) throw new Error(String(answer.status));
      input.value = '';
      show(password !== '', msg(password ? 'settings.password.done' : 'settings.password.removed'));
    } catch {
      setText(note, msg('settings.password.failed'));
    }
  };
  remove.addEventListener('click', () => void send(''));
  void hasPassword(s).then((has) => {
    if (!isAsked) show(has, has ? msg('settings.password.is') : '');
  });
  return el(
    'form',
    {
      class: 'password-form',
      onsubmit: (/** @type {SubmitEvent} */ e) => {
        e.preventDefault();
        if (input.value !== '') void send(input.value);
      },
    },
    el('label', { for: input.id }, msg('settings.password')), input,
    el('button', { class: 'secondary', type: 'submit' }, msg('settings.password.set')), remove,
    note,
  );
}

/** Returns whether the table has a password. @param {State} s */
async function hasPassword(s) {
  try {
    const answer = await fetch(`${s.api}/invites`, { headers: { Accept: 'application/json' } });
    return answer.ok && (await answer.json()).password === true;
  } catch {
    return false;
  }
}

/** Shows beside the title that the table is frozen or closed. @param {State} s */
export function drawAccess(s) {
  const button = s.page.title.querySelector('button');
  const { closed, frozen } = accessOf(s);
  const state = frozen ? 'frozen' : closed ? 'closed' : '';
  const old = button?.querySelector('.title-access');
  if (!button || state === '') {
    old?.remove();
    return;
  }
  if (old?.getAttribute('data-access') === state) return;
  old?.remove();
  const chip = el(
    'span', { class: 'title-links title-access' }, icon('lock'),
    el(
      'span', { class: 'title-word' },
      msg(state === 'frozen' ? 'settings.access.isFrozen' : 'settings.access.isClosed'),
    ),
  );
  setAttr(chip, 'data-access', state);
  button.append(chip);
}

/** Says who may come and who may move. @param {State} s */
export function accessSentence(s) {
  const { closed, frozen } = accessOf(s);
  const come = msg(closed ? 'settings.told.closed' : 'settings.told.open');
  return `${msg(frozen ? 'settings.told.frozen' : 'settings.told.moves')} ${come}`;
}
