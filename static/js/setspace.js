// Making room at a table whose log fills up (T44, T48), in the dialog of the table: old moves are dropped. It asks once more, and says
// what is lost and what is not.

import { el, setText } from './dom.js';
import { tablewords } from './tablewords.js';

/** @typedef {import('./state.js').State} State */

const t = tablewords.space;

/**
 * @param {State} s @param {import('./parts.js').Part<'dialogs'>} dialogs
 * @returns {import('./settings.js').Group}
 */
export function spaceSet(s, dialogs) {
  const how = el('p', { class: 'quiet', role: 'status' });
  const button = el('button', { type: 'button', class: 'secondary', onclick: () => askDrop(s, dialogs) }, t.door);
  const root = el('fieldset', { class: 'set' }, el('legend', {}, t.legend), how, button);
  const refresh = () => setText(how, t.levels[s.sync.space?.level ?? 0] ?? '');
  return { root, refresh };
}

/** Asks whether it is meant. @param {State} s @param {import('./parts.js').Part<'dialogs'>} dialogs */
function askDrop(s, dialogs) {
  const failed = el('p', { class: 'problem', role: 'alert', hidden: true });
  const keep = el('button', { type: 'button', class: 'secondary', onclick: () => d.close() }, t.keep);
  const go = el('button', { type: 'button', class: 'primary danger' }, t.go);
  go.addEventListener('click', async () => {
    go.disabled = true;
    failed.hidden = true;
    const why = await drop(s);
    if (!why) {
      d.close();
      return;
    }
    go.disabled = false;
    failed.hidden = false;
    setText(failed, why);
  });
  const lost = el('section', {}, el('h3', {}, t.lostTitle), el('p', {}, t.lost));
  const kept = el('section', {}, el('h3', {}, t.keptTitle), el('p', {}, t.kept));
  const d = dialogs.openDialog(s.page.main, 'discard', t.title, tablewords.close, lost, kept, failed, el('div', { class: 'discard-doors' }, keep, go));
  keep.focus();
}

/** Drops what was played until now. @param {State} s @returns {Promise<string>} why not; '' if it has */
async function drop(s) {
  try {
    const answer = await fetch(`${s.api}/history`, { method: 'DELETE' });
    if (answer.ok) return '';
    return { 409: t.sealed, 429: t.often }[answer.status] ?? t.failed;
  } catch {
    return t.failed;
  }
}
