// What the part asks of the server (http.md).

import { firstMessage } from '../../messages.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/**
 * Sends a request, and says why it failed.
 * @param {State} s
 * @param {Voice} voice
 * @param {string} path
 * @param {object} body
 * @returns {Promise<boolean>} whether it was done
 */
async function post(s, voice, path, body) {
  try {
    const answer = await fetch(`${s.api}/round${path}`, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
    });
    if (answer.ok) return true;
    const { code = '' } = await answer.json().catch(() => ({}));
    voice.alarm(firstMessage([`rounds.why.${code}`]) || msg('rounds.failed'));
  } catch {
    voice.alarm(msg('rounds.offline'));
  }
  return false;
}

/** @param {State} s @param {Voice} voice @param {string} title @param {number[]} asked */
export const begin = (s, voice, title, asked) =>
  post(s, voice, '', title ? { title, asked } : { asked });

/**
 * @param {State} s
 * @param {Voice} voice
 * @param {number} round
 * @param {number[]} pieces
 * @param {string} text
 */
export const choose = (s, voice, round, pieces, text) =>
  post(s, voice, `/${round}`, { ready: true, pieces, text });

/** @param {State} s @param {Voice} voice @param {number} round */
export const unchoose = (s, voice, round) => post(s, voice, `/${round}`, { ready: false });

/** @param {State} s @param {Voice} voice @param {number} round @param {boolean} show */
export const end = (s, voice, round, show) => post(s, voice, `/${round}/end`, { show });
