// Deletes the table (T42), in the dialog of the table. It asks once more, and says what is lost and
// what is not.

import { el, setText } from '../../view/dom.js';
import { tablewords } from './words.js';

/** @typedef {import('../../state.js').State} State */

const t = tablewords.discard;

/**
 * @param {State} s @param {import('../../parts.js').Part<'dialogs'>} dialogs
 * @returns {import('./dialog.js').Group}
 */
export function discardSet(s, dialogs) {
  const button = el(
    'button',
    { type: 'button', class: 'secondary danger', onclick: () => askDiscard(s, dialogs) },
    t.door,
  );
  const root = el(
    'fieldset',
    { class: 'set' },
    el('legend', {}, t.legend),
    el('p', { class: 'quiet' }, t.about),
    button,
  );
  return { root, refresh: () => {} };
}

/**
 * Asks for confirmation.
 * @param {State} s
 * @param {import('../../parts.js').Part<'dialogs'>} dialogs
 */
function askDiscard(s, dialogs) {
  const guests = s.sync.sets.size;
  const failed = el('p', { class: 'problem', role: 'alert', hidden: true });
  const keep = el(
    'button',
    { type: 'button', class: 'secondary', onclick: () => d.close() },
    t.keep,
  );
  const go = el('button', { type: 'button', class: 'primary danger' }, t.go);
  go.addEventListener('click', async () => {
    go.disabled = true;
    failed.hidden = true;
    if (await discard(s)) return;
    go.disabled = false;
    failed.hidden = false;
    setText(failed, t.failed);
  });
  const lost = el('section', {}, el('h3', {}, t.lostTitle), el('p', {}, t.lost));
  const kept = el(
    'section',
    {},
    el('h3', {}, t.keptTitle),
    el('p', {}, guests > 0 ? t.guests(guests) : t.kept),
  );
  const name = s.sync.info?.title ?? tablewords.title;
  const d = dialogs.openDialog(
    s.page.main,
    'discard',
    t.title(name),
    tablewords.close,
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
async function discard(s) {
  try {
    const answer = await fetch(s.api, { method: 'DELETE' });
    if (!answer.ok && answer.status !== 410) return false;
  } catch {
    return false; // it may be deleted all the same; then the stream says so
  }
  s.page.window.ownerDocument.location.assign('/');
  return true;
}
