// Asks the server for something about somebody, and shows why that failed.

import { msg } from './msg.js';
import { el, setText } from '../../view/dom.js';

/** @typedef {import('../../state.js').State} State */

/**
 * Asks the server to do something.
 * @param {State} s
 * @param {string} path behind the address of the table
 * @param {object|null} body
 * @param {(code: string) => string} why says why it failed, by the code of the problem; '' if there
 *   is no text for it
 * @returns {Promise<string|null>} why that failed; null: it is done
 */
export async function post(s, path, body, why) {
  const json = body && {
    headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
  };
  try {
    const answer = await fetch(s.api + path, { method: 'POST', ...json });
    if (answer.ok) return null;
    const { code = '' } = await answer.json().catch(() => ({}));
    return why(code) || msg('dialogs.roles.failed');
  } catch {
    return msg('dialogs.roles.failed');
  }
}

/**
 * Makes a line of a dialog that shows why something failed.
 * @param {() => void} done called when something has not failed
 */
export function failures(done) {
  const failed = el('p', { class: 'problem', role: 'alert', hidden: true });
  /** Waits for what was asked for. @param {Promise<string|null>} asked the problem, if any */
  const wait = async (asked) => {
    failed.hidden = true;
    const problem = await asked;
    if (problem === null) {
      done();
      return;
    }
    setText(failed, problem);
    failed.hidden = false;
  };
  return { failed, wait };
}
