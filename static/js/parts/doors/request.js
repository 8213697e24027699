// Asks the server about doors (docs/protocol/http.md).

/** @typedef {import('../../state.js').State} State */

/**
 * Sends a request. The error has a sentence for the player, or none.
 * @param {State} s
 * @param {'GET'|'POST'|'DELETE'} method
 * @param {string} path behind the address of the doors
 * @param {object} [body]
 * @returns {Promise<any>}
 */
export async function request(s, method, path, body) {
  const answer = await fetch(`${s.api}/doors${path}`, {
    method,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Error(''); // the browser's own words are not for players
  });
  const said = await answer.json().catch(() => ({}));
  if (answer.ok) return said;
  const isSentence = said.code === 'refused' || said.code === 'away' || said.code === 'hidden';
  throw new Error(isSentence ? said.detail : '');
}
