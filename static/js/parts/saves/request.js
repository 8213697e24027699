// What the part asks of the server (http.md): the list, a new save point, and going back.

/** @typedef {import('../../state.js').State} State */

/**
 * A save point (http.md).
 * @typedef {object} Save
 * @property {number} id
 * @property {'named'|'set-up'|'auto'|'before'} kind
 * @property {string} [name]
 * @property {number} at
 * @property {number} [by]
 * @property {number} [moves]
 * @property {boolean} [known]
 * @property {[number, number]} [players] for how many a set-up is: the fewest and the most
 */

/** How often a request without an answer is sent again, and after how many ms. */
const TRIES = 4;
const PAUSE = 700;

/** Returns a token, which says that a request that is sent again is the same one. */
const newToken = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) =>
  b.toString(16).padStart(2, '0')).join('');

/**
 * Sends a request, again if there is no answer.
 * @param {string} url
 * @param {RequestInit} init
 * @returns {Promise<{status: number, said: any}|null>} null if there was no answer
 */
async function send(url, init) {
  for (let i = 0; i < TRIES; i++) {
    if (i > 0) await new Promise((again) => setTimeout(again, PAUSE));
    try {
      const answer = await fetch(url, init);
      const said = await answer.json().catch(() => ({}));
      if (answer.status !== 503) return { status: answer.status, said };
    } catch {
      // it is sent again
    }
  }
  return null;
}

/** @param {string} url @param {object} body */
const post = (url, body) => send(url, {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
});

/**
 * Returns the save points, the oldest first; null if there was no answer.
 * @param {State} s
 * @returns {Promise<Save[]|null>}
 */
export async function list(s) {
  const answer = await send(`${s.api}/saves`, {});
  return answer?.status === 200 ? answer.said.saves : null;
}

/** @param {State} s @param {string} name */
export const save = (s, name) => post(`${s.api}/saves`, { name, token: newToken() });

/** @param {State} s @param {number} id */
export const remove = (s, id) => send(`${s.api}/saves/${id}`, { method: 'DELETE' });

/** @param {State} s @param {number} id */
export const goBack = (s, id) =>
  post(`${s.api}/rewind`, { save: id, token: newToken(), epoch: s.sync.epoch });

/** @param {State} s @param {boolean} swap @param {number} setup */
export const startAgain = (s, swap, setup) => post(`${s.api}/rewind`, {
  rematch: true, save: setup, swap, token: newToken(), epoch: s.sync.epoch,
});
