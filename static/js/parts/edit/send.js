// Sends kinds to the table (T100), and puts a piece of a new one there.

import { waitWhile } from '../../wait.js';
import { firstMessage } from '../../messages.js';
import { msg } from './msg.js';
import { packKinds } from './pack.js';

/** @typedef {import('../../state.js').State} State */

/** For how long the catalogue with new kinds may take to come, in ms. */
const LATE = 20_000;

/** Where the server says what is wrong with a picture: before it stands where the picture is. */
const OF_PICTURE = / art "[0-9a-f]{64}": /;

/**
 * Why the server did not take kinds. `code` is that of the problem, '' if there was no answer.
 * @typedef {{code: string, text: string}} Refused
 */

/**
 * Adds kinds to those of the table.
 * @param {State} s
 * @param {object[]} kinds as in a game file
 * @param {Map<string, Uint8Array>} pictures by their hashes
 * @returns {Promise<number[]|Refused>} the numbers of the kinds
 */
export async function addKinds(s, kinds, pictures) {
  try {
    const answer = await fetch(`${s.api}/kinds`, {
      method: 'POST', headers: { 'Content-Type': 'application/zip' },
      body: packKinds(kinds, pictures),
    });
    const body = await answer.json().catch(() => ({}));
    if (answer.ok) return body.kinds;
    const { code = '', detail = '' } = body;
    const [, picture = ''] = detail.split(OF_PICTURE);
    const text = code === 'game' && picture
      ? msg('edit.refused', { detail: picture.replace(/\.$/, '') })
      : firstMessage([`edit.why.${code}`]) || msg('edit.failed');
    return { code, text };
  } catch {
    return { code: '', text: msg('edit.unreachable') };
  }
}

/**
 * Waits until the page knows a kind.
 * @param {State} s
 * @param {number} kind
 */
export const hasKind = (s, kind) => waitWhile(() => !s.catalog.kinds[kind], LATE);

/**
 * Lets this person edit the game, or ends that (T99).
 * @param {State} s
 * @param {boolean} edits
 * @returns {Promise<string|null>} why that failed; null: it is done
 */
export async function letEdit(s, edits) {
  try {
    const answer = await fetch(`${s.api}/seats/${s.sync.you}/edit`, {
      method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ edits }),
    });
    if (answer.ok) return null;
    const { code = '' } = await answer.json().catch(() => ({}));
    return firstMessage([`edit.why.${code}`]) || msg('edit.failed');
  } catch {
    return msg('edit.unreachable');
  }
}
