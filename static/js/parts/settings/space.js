// Makes room on a table whose log is nearly full, in the dialog of the table. It drops old moves
// (T44, T48), or copies the table into a new one (T57). It asks once more, and says what is lost
// and what is not.

import { el, setText } from '../../view/dom.js';
import { tablewords } from './words.js';

/** @typedef {import('../../state.js').State} State */

const t = tablewords.space;
const c = tablewords.copy;

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
    { type: 'button', class: 'secondary', onclick: () => ask(s, dialogs, dropping(s)) },
    t.door,
  );
  const copy = el(
    'button',
    { type: 'button', class: 'secondary', onclick: () => ask(s, dialogs, copying(s)) },
    c.door,
  );
  const root = el(
    'fieldset',
    { class: 'set' },
    el('legend', {}, t.legend),
    how,
    el('div', { class: 'set-doors' }, button, copy),
  );
  const refresh = () => setText(how, t.levels[s.sync.space?.level ?? 0] ?? '');
  return { root, refresh };
}

/** The question before history is dropped. @param {State} s @returns {Question} */
function dropping(s) {
  const run = async () => {
    const answer = await fetch(`${s.api}/history`, { method: 'DELETE' });
    return answer.ok ? '' : ({ 409: t.sealed, 429: t.often }[answer.status] ?? t.failed);
  };
  return {
    title: t.title,
    parts: [
      [t.lostTitle, t.lost],
      [t.keptTitle, t.kept],
    ],
    keep: t.keep,
    go: t.go,
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
        { hidden: c.hidden, guests: c.guests, create: c.create, 'too-fast': c.often }[
          /** @type {string} */ (code)
        ] ?? c.failed
      );
    s.page.window.ownerDocument.location.assign(url);
    return '';
  };
  return {
    title: c.title,
    parts: [
      [c.alongTitle, c.along],
      [c.staysTitle, c.stays],
    ],
    keep: c.keep,
    go: c.go,
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
    { type: 'button', class: 'secondary', onclick: () => d.close() },
    q.keep,
  );
  const go = el('button', { type: 'button', class: q.danger ? 'primary danger' : 'primary' }, q.go);
  go.addEventListener('click', async () => {
    go.disabled = true;
    failed.hidden = true;
    const why = await q.run().catch(() => t.failed);
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
    tablewords.close,
    ...parts,
    failed,
    el('div', { class: 'discard-doors' }, keep, go),
  );
  keep.focus();
}
