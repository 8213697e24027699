// The page that checks the shuffles and rolls of a table. It fetches the export, checks it in the
// browser, and says in sentences what agrees, or what the first difference is.

import { el } from '../view/dom.js';
import { browserStore } from '../parts/fairness/participant.js';
import { check } from './check.js';
import { fileOf, keptNotes } from '../parts/fairness/notes.js';
import { bindRounds } from './rounds.js';
import { showVerdict } from './verdict.js';
import { msg } from './msg.js';

/**
 * Starts the page in the element that the server has rendered.
 * @param {HTMLElement} root
 */
function start(root) {
  const { table = '', api = '' } = root.dataset;
  const find = (/** @type {string} */ name) =>
    /** @type {HTMLElement} */ (root.querySelector(`[data-part="${name}"]`));
  const buttons = /** @type {Record<'export'|'notes'|'again', HTMLButtonElement>} */ (
    Object.fromEntries(['export', 'notes', 'again'].map((name) => [name, find(name)]))
  );
  /** The export that was fetched last. */
  let exported = '';
  let round = 0; // counts the checks, so that only the last one is shown

  const run = async () => {
    const current = ++round;
    const verdict = find('verdict');
    const progress = el('progress', { max: 1, 'aria-label': msg('fairnesspage.checking') });
    const proof = verdict.querySelector('details.proof');
    if (proof) verdict.dataset.open = String(proof.hasAttribute('open'));
    verdict.replaceChildren(el('p', { class: 'checking' }, msg('fairnesspage.checking')), progress);
    verdict.setAttribute('aria-busy', 'true');
    buttons.again.disabled = true;
    const histories = keptNotes(browserStore(), table);
    buttons.notes.disabled = histories.length === 0;
    const show = await outcome(`${api}/fairness`, table, histories, (text) => {
      exported = text;
      buttons.export.disabled = false;
    }, (done) => {
      progress.value = done;
    });
    if (current !== round) return;
    verdict.removeAttribute('aria-busy');
    buttons.again.disabled = false;
    showVerdict(verdict, show);
  };

  buttons.again.addEventListener('click', run);
  buttons.export.addEventListener('click', () => save(fileName(table, 'export'), exported));
  buttons.notes.addEventListener('click', () => {
    const last = keptNotes(browserStore(), table).at(-1);
    if (last) save(fileName(table, 'notes'), fileOf(table, last.rounds));
  });
  const rounds = root.querySelector('[data-part="rounds"]');
  if (rounds instanceof HTMLElement) bindRounds(rounds, api, run);
  void run();
}

/**
 * Fetches an export and checks it.
 * @param {string} url
 * @param {string} table
 * @param {import('../parts/fairness/notes.js').History[]} histories
 * @param {(text: string) => void} fetched
 * @param {(done: number) => void} progress
 * @returns {Promise<import('./verdict.js').Outcome>}
 */
async function outcome(url, table, histories, fetched, progress) {
  let text;
  try {
    const answer = await fetch(url, { headers: { Accept: 'application/json' }, cache: 'no-cache' });
    if (!answer.ok) return { failed: true };
    text = await answer.text();
  } catch {
    return { failed: true };
  }
  fetched(text);
  try {
    const deps = {
      ticks: () => performance.now(),
      pause: () => new Promise((/** @type {(v?: any) => void} */ go) => setTimeout(go)), progress,
    };
    return { checked: await check(table, text, histories, deps), histories };
  } catch (error) {
    if (error instanceof SyntaxError) return { unreadable: error.message };
    throw error;
  }
}

/** Names a file of a table. @param {string} table @param {string} what */
function fileName(table, what) {
  return `holt-${table.slice(-8)}-${what}.json`;
}

/** Lets the browser save a file. @param {string} name @param {string} text */
function save(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = el('a', { href: url, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000); // the browser may not have read it yet
}

const root = document.getElementById('fairness');
if (root) start(root);
