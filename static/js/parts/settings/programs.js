// Whether other programs may keep things of their own at the table, in its dialog
// (docs/protocol/component.md, C21). Everybody can read there that they may.

import { el, setText } from '../../view/dom.js';
import { of, set } from './components.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */

/** Returns whether programs may keep things here. @param {State} s */
export const isOpenToPrograms = (s) => of(s, 'foreign')?.allowed ?? false;

/** What everybody reads in the dialog. @param {State} s @returns {import('./dialog.js').Group} */
export function programsNote(s) {
  const root = el('p', { class: 'quiet set-programs' });
  const refresh = () => {
    root.hidden = !isOpenToPrograms(s);
    setText(
      root,
      msg(of(s, 'foreign')?.shared ? 'settings.programsShared' : 'settings.programsAllowed'),
    );
  };
  return { root, refresh };
}

/** @param {State} s @returns {import('./dialog.js').Group} */
export function programsSet(s) {
  const about = el(
    'p', { class: 'quiet', id: 'table-programs-what' }, msg('settings.programsWhat'),
  );
  const allowed = el(
    'input', { type: 'checkbox', id: 'table-programs', 'aria-describedby': about.id },
  );
  const shared = el('input', { type: 'checkbox', id: 'table-programs-shared' });
  const write = () => set(
    s, 'foreign', allowed.checked ? { allowed: true, shared: shared.checked } : null,
  );
  allowed.addEventListener('change', write);
  shared.addEventListener('change', write);
  const refresh = () => {
    allowed.checked = isOpenToPrograms(s);
    shared.checked = of(s, 'foreign')?.shared ?? false;
    shared.disabled = !allowed.checked;
  };
  const check = (
    /** @type {HTMLInputElement} */ input,
    /** @type {string} */ text,
  ) => el('label', { class: 'check', for: input.id }, input, text);
  const root = el(
    'fieldset',
    { class: 'set' },
    el('legend', {}, msg('settings.programs')),
    check(allowed, msg('settings.allowPrograms')),
    check(shared, msg('settings.sharePrograms')),
    about,
  );
  return { root, refresh };
}
