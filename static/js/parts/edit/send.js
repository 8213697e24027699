// Sends kinds to the table (T100), and puts a piece of a new one there.

import { waitWhile } from '../../wait.js';
import { picturesOf } from '../../view/catalog.js';
import { firstMessage } from '../../messages.js';
import { msg } from './msg.js';
import { packKinds } from './pack.js';
import { isGivenUp } from './progress.js';
import { sendKinds } from './upload.js';

/** @typedef {import('../../state.js').State} State */

/** For how long the catalogue with new kinds may take to come, in ms. */
const LATE = 20_000;

/** Where the server says what is wrong with a picture: before it stands where the picture is. */
const OF_PICTURE = / art "[0-9a-f]{64}": /;

/**
 * Why the server did not take kinds. `code` is that of the problem, '' if there was no answer;
 * `detail` is what the server says.
 * @typedef {{code: string, text: string, detail?: string}} Refused
 */

/**
 * Adds kinds to those of the table, or gives kinds of the table other definitions (T104). Pictures
 * that the table has are not sent again (T108). Rejects with an AbortError if it is given up.
 * @param {State} s
 * @param {object[]} kinds as in a game file
 * @param {Map<string, Uint8Array>} pictures by their hashes
 * @param {object} [more]
 * @param {import('./credit.js').Credit} [more.credit] who made the pictures
 * @param {import('./upload.js').Watching} [more.watching]
 * @param {{numbers: number[], was: string}} [more.change] in the place of which kinds of which
 *   catalogue the first ones come
 * @returns {Promise<number[]|Refused>} the numbers of the kinds
 */
export async function addKinds(s, kinds, pictures, { credit, watching = {}, change } = {}) {
  const query = change ? `?change=${change.numbers.join()}&was=${change.was}` : '';
  const how = { ...watching, query };
  const known = picturesOf(s.catalog.kinds);
  const missing = new Map([...pictures].filter(([hash]) => !known.has(hash)));
  try {
    let answer = await sendKinds(s, packKinds(kinds, missing, credit), how);
    // the table has gone back to a time before it had them
    if (answer.status === 422 && missing.size < pictures.size)
      answer = await sendKinds(s, packKinds(kinds, pictures, credit), how);
    const { status, body } = answer;
    if (status === 200) return body.kinds;
    const { code = '', detail = '' } = body;
    const [, picture = ''] = detail.split(OF_PICTURE);
    if (code === 'kind-unlike') return { code, text: msg('edit.unlike', { detail }) };
    const text = code === 'game' && picture
      ? msg('edit.refused', { detail: picture.replace(/\.$/, '') })
      : firstMessage([`edit.why.${code}`]) || msg('edit.failed');
    return { code, text, detail };
  } catch (error) {
    if (isGivenUp(error)) throw error;
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
