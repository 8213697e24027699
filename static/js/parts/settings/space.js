// Makes room on a table whose log is nearly full, in the dialog of the table. It drops old moves
// (T44, T48), or copies the table into a new one (T57). It asks once more, and says what is lost
// and what is not.

import { el, setText } from '../../view/dom.js';
import { msg } from './msg.js';
import { firstMessage } from '../../messages.js';

/** @typedef {import('../../state.js').State} State */


/**
 * @typedef {{title: string, parts: [string, string][], keep: string, go: string, danger?: boolean,
 *   run: () => Promise<string>}} Question
 */

/**
 * @param {State} s @param {import('../../parts.js').Part<'dialogs'>} dialogs
 * @returns {import('./dialog.js').Group}
 */
export function spaceSet(s, dialogs) {
  const how = el('p', { class: 'quiet', role: 'status' });
  const button = el(
    'button',
    { class: 'secondary', onclick: () => ask(s, dialogs, dropping(s)) },
    msg('settings.space.door'),
  );
  const copy = el(
    'button',
    { class: 'secondary', onclick: () => ask(s, dialogs, copying(s)) },
    msg('settings.copy.door'),
  );
  const root = el(
    'fieldset',
    { class: 'set' },
    el('legend', {}, msg('settings.space.legend')),
    how,
    el('div', { class: 'set-doors' }, button, copy),
  );
  const refresh = () => setText(
    how, firstMessage([`settings.space.levels.${s.sync.space?.level ?? 0}`]),
  );
  return { root, refresh };
}

/** The question before history is dropped. @param {State} s @returns {Question} */
function dropping(s) {
  const run = async () => {
    const answer = await fetch(`${s.api}/history`, { method: 'DELETE' });
    if (answer.ok) return '';
    if (answer.status === 409) return msg('settings.space.sealed');
    return msg(answer.status === 429 ? 'settings.space.often' : 'settings.space.failed');
  };
  return {
    title: msg('settings.space.title'),
    parts: [
      [msg('settings.space.lostTitle'), msg('settings.space.lost')],
      [msg('settings.space.keptTitle'), msg('settings.space.kept')],
    ],
    keep: msg('settings.space.keep'),
    go: msg('settings.space.go'),
    danger: true,
    run,
  };
}

/** The question before the table is copied. @param {State} s @returns {Question} */
function copying(s) {
  const run = async () => {
    const answer = await fetch(`${s.api}/copy`, { method: 'POST' });
    const { url = '', code = '' } = await answer.json();
    if (!answer.ok)
      return (
        {
          hidden: msg('settings.copy.hidden'), guests: msg('settings.copy.guests'),
          create: msg('settings.copy.create'), 'too-fast': msg('settings.copy.often'),
        }[
          /** @type {string} */ (code)
        ] ?? msg('settings.copy.failed')
      );
    s.page.window.ownerDocument.location.assign(url);
    return '';
  };
  return {
    title: msg('settings.copy.title'),
    parts: [
      [msg('settings.copy.alongTitle'), msg('settings.copy.along')],
      [msg('settings.copy.staysTitle'), msg('settings.copy.stays')],
    ],
    keep: msg('settings.copy.keep'),
    go: msg('settings.copy.go'),
    run,
  };
}

/**
 * Asks for confirmation.
 * @param {State} s
 * @param {import('../../parts.js').Part<'dialogs'>} dialogs
 * @param {Question} q
 */
function ask(s, dialogs, q) {
  const failed = el('p', { class: 'problem', role: 'alert', hidden: true });
  const keep = el(
    'button',
    { class: 'secondary', onclick: () => d.close() },
    q.keep,
  );
  const go = el('button', { class: q.danger ? 'primary danger' : 'primary' }, q.go);
  go.addEventListener('click', async () => {
    go.disabled = true;
    failed.hidden = true;
    const why = await q.run().catch(() => msg('settings.space.failed'));
    if (!why) {
      d.close();
      return;
    }
    go.disabled = false;
    failed.hidden = false;
    setText(failed, why);
  });
  const parts = q.parts.map(([title, text]) =>
    el('section', {}, el('h3', {}, title), el('p', {}, text)),
  );
  const d = dialogs.openDialog(
    s.page.main,
    'discard',
    q.title,
    msg('settings.close'),
    ...parts,
    failed,
    el('div', { class: 'discard-doors' }, keep, go),
  );
  keep.focus();
}
