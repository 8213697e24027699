// The kinds of the table as their game has them: the page has them in its own language, and what
// refers to kinds by name must have the names of the game. So with its set-ups.

import { unfold } from '../../../view/catalog.js';

/** @typedef {import('../../../state.js').State} State */

/**
 * Returns the kinds, in the order of the page.
 * @param {State} s
 * @returns {Promise<import('../../../view/catalog.js').Kind[]>}
 */
export async function fetchKinds({ catalog }) {
  if (!document.getElementById('table')?.dataset.words) return catalog.kinds;
  const answer = await fetch(catalog.base + catalog.hash);
  if (!answer.ok) throw new Error(`catalogue: status ${answer.status}`);
  return unfold(await answer.json());
}

/**
 * Returns the names of the set-ups of the table, without the first one if it has none.
 * @param {State} s
 * @returns {Promise<string[]>}
 */
export async function fetchSetups({ api }) {
  const answer = await fetch(`${api}/saves`);
  if (!answer.ok) throw new Error(`save points: status ${answer.status}`);
  const { saves } = await answer.json();
  return saves.flatMap((/** @type {{kind: string, name?: string}} */ { kind, name }) =>
    (kind === 'set-up' && name ? name : []));
}
