// The host's button that opens a new round. That cannot be undone, so the page asks for
// confirmation.

import { el } from '../view/dom.js';
import { words } from './words.js';

/**
 * Binds the button.
 * @param {HTMLElement} root with the buttons `open`, `yes` and `no`, the question `confirm`, and
 *   the status `said`
 * @param {string} api the path of the table's resources
 * @param {() => void} opened called when a round was opened
 */
export function bindRounds(root, api, opened) {
  const find = (/** @type {string} */ name) =>
    /** @type {HTMLElement} */ (root.querySelector(`[data-part="${name}"]`));
  const [ask, question, yes, no, said] = ['open', 'confirm', 'yes', 'no', 'said'].map(find);
  const asking = (/** @type {boolean} */ is) => {
    ask.hidden = is;
    question.hidden = !is;
    (is ? no : ask).focus();
  };
  ask.addEventListener('click', () => {
    said.replaceChildren();
    asking(true);
  });
  no.addEventListener('click', () => asking(false));
  question.addEventListener('keydown', (e) => {
    if (e.key === 'Escape') asking(false);
  });
  yes.addEventListener('click', async () => {
    asking(false);
    said.replaceChildren(words.opening);
    const { round, why } = await open(`${api}/rounds`);
    if (!round) {
      said.replaceChildren(el('span', { class: 'problem', role: 'alert' }, why));
      return;
    }
    said.replaceChildren(words.opened(round));
    opened();
  });
}

/**
 * Opens a round.
 * @param {string} url
 * @returns {Promise<{ round: number, why: string }>} round 0: it was not opened, and why
 */
async function open(url) {
  /** @type {Record<string, string>} */
  const refused = words.refused;
  try {
    const answer = await fetch(url, { method: 'POST', headers: { Accept: 'application/json' } });
    const body = await answer.json();
    if (answer.ok) return { round: body.round, why: '' };
    return { round: 0, why: refused[body.code] ?? words.refused.failed };
  } catch {
    return { round: 0, why: words.refused.failed };
  }
}
