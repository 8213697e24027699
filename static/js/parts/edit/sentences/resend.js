// Changes a kind of the table (T104), unless somebody else has changed it meanwhile.

import { waitWhile } from '../../../wait.js';
import { addKinds } from '../send.js';
import { msg } from './msg.js';

/** @typedef {import('../../../state.js').State} State */

/** For how long the catalogue with a change may take to come, in ms. */
const SOON = 5000;

/** How often it is sent again because other kinds have changed. */
const TIMES = 4;

/** Returns what a kind is now, to compare it later. @param {State} s @param {number} number */
export const stateOf = ({ catalog }, number) => JSON.stringify(catalog.kinds[number]);

/**
 * Gives a kind another definition, and waits until this page has it.
 * @param {State} s
 * @param {number} number
 * @param {string} was its state, of which it is thought
 * @param {object} kind as in a game file
 * @param {Map<string, Uint8Array>} pictures by their hashes
 * @returns {Promise<import('../send.js').Refused|null>} why that failed; null: it is done
 */
export async function changeKind(s, number, was, kind, pictures) {
  for (let i = 0; i < TIMES; i++) {
    const { hash } = s.catalog;
    if (stateOf(s, number) !== was) break;
    const answer = await addKinds(s, [kind], pictures, `?change=${number}&was=${hash}`);
    const isLate = !Array.isArray(answer) && answer.code === 'kinds-changed';
    if (!Array.isArray(answer) && !isLate) return answer;
    await waitWhile(() => s.catalog.hash === hash, SOON);
    if (!isLate) return null;
  }
  return { code: 'kinds-changed', text: msg('sentences.meanwhile') };
}
