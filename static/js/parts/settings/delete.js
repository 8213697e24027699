// Deletes the table (T42), in the dialog of the table. It asks once more, and says what is lost and
// what is not.

import { el, setText } from '../../view/dom.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */


/**
 * @param {State} s @param {import('../../parts.js').Part<'dialogs'>} dialogs
 * @returns {import('./dialog.js').Group}
 */
export function deleteGroup(s, dialogs) {
  const button = el(
    'button',
    { class: 'secondary danger', onclick: () => askDelete(s, dialogs) },
    msg('settings.discard.door'),
  );
  const root = el(
    'fieldset',
    { class: 'set' },
    el('legend', {}, msg('settings.discard.legend')),
    el('p', { class: 'quiet' }, msg('settings.discard.about')),
    button,
  );
  return { root, refresh: () => {} };
}

/**
 * Asks for confirmation.
 * @param {State} s
 * @param {import('../../parts.js').Part<'dialogs'>} dialogs
 */
function askDelete(s, dialogs) {
  const guests = s.sync.sets.size;
  const failed = el('p', { class: 'problem', role: 'alert', hidden: true });
  const keep = el(
    'button',
    { class: 'secondary', onclick: () => d.close() },
    msg('settings.discard.keep'),
  );
  const go = el('button', { class: 'primary danger' }, msg('settings.discard.go'));
  go.addEventListener('click', async () => {
    go.disabled = true;
    failed.hidden = true;
    if (await deleteTable(s)) return;
    go.disabled = false;
    failed.hidden = false;
    setText(failed, msg('settings.discard.failed'));
  });
  const lost = el(
    'section', {}, el('h3', {}, msg('settings.discard.lostTitle')),
    el('p', {}, msg('settings.discard.lost')),
  );
  const kept = el(
    'section',
    {},
    el('h3', {}, msg('settings.discard.keptTitle')),
    el(
      'p', {},
      guests > 0 ? msg('settings.discard.guests', { n: guests }) : msg('settings.discard.kept'),
    ),
  );
  const name = s.sync.info?.title ?? msg('settings.title');
  const d = dialogs.openDialog(
    s.page.main,
    'discard',
    msg('settings.discard.title', { name }),
    msg('settings.close'),
    lost,
    kept,
    failed,
    el('div', { class: 'discard-doors' }, keep, go),
  );
  keep.focus();
}

/**
 * Deletes the table and leaves its page.
 * @param {State} s
 * @returns {Promise<boolean>} whether the table is deleted
 */
async function deleteTable(s) {
  try {
    const answer = await fetch(s.api, { method: 'DELETE' });
    if (!answer.ok && answer.status !== 410) return false;
  } catch {
    return false; // it may be deleted all the same; then the stream says so
  }
  s.page.window.ownerDocument.location.assign('/');
  return true;
}
