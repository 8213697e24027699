// What is asked of the server about the game that is saved: what it says of itself (T105), its
// versions (T107), and the game itself (T102, T106).

import { firstMessage } from '../../messages.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./send.js').Refused} Refused */
/**
 * A seat of the game. `hand` and `pieces` are pieces on the table.
 * @typedef {{name: string, side: number, colour: string, hand?: number, pieces?: number[]}} Seat
 */
/** @typedef {[number, number]|[]} Span the least and the most */
/**
 * What the game says of itself.
 * @typedef {object} Draft
 * @property {string} name
 * @property {string} summary
 * @property {{players?: Span, minutes?: Span, genres?: string[], rules?: string,
 *   file?: string}} about
 * @property {Seat[]} seats
 * @property {{name?: string, players?: Span, own?: boolean}[]} setups
 * @property {string[]} [languages]
 */
/**
 * A version of the game.
 * @typedef {object} Version
 * @property {string} game
 * @property {string} name
 * @property {string} file
 * @property {number} saved ms since 1970
 * @property {string} [by]
 * @property {string} [note]
 */
/**
 * What is saved.
 * @typedef {object} Saving
 * @property {string} name
 * @property {string} [summary]
 * @property {string} [of] the game that it follows
 * @property {string} [note]
 * @property {object} [about]
 * @property {Seat[]} [seats]
 * @property {Record<string, string>} [languages]
 * @property {{name: string, players?: Span}} [setup]
 */

/**
 * Asks the server for something.
 * @param {string} path
 * @param {object|null} [body] null: a request without one; undefined: it is only read
 * @returns {Promise<any>} what it answers, or why it refuses
 */
async function ask(path, body) {
  try {
    const answer = await fetch(path, body === undefined ? {} : {
      method: 'POST', ...body && {
        headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
      },
    });
    const read = await answer.json().catch(() => ({}));
    if (answer.ok) return read;
    const { code = 'failed', detail = '' } = read;
    const text = code === 'impossible-value'
      ? msg('edit.unsaved', { detail: detail.replace(/\.$/, '') })
      : firstMessage([`edit.why.${code}`]) || msg('edit.failed');
    return { code, text };
  } catch {
    return { code: 'unreachable', text: msg('edit.unreachable') };
  }
}

/**
 * Returns what the game says of itself that is followed; without one, that of the table.
 * @param {State} s
 * @param {string} of
 * @returns {Promise<Draft|Refused>}
 */
export const draftOf = (s, of) => ask(`${s.api}/game${of && `?of=${of}`}`);

/**
 * Saves the game of the table among those of this browser.
 * @param {State} s
 * @param {Saving} saving
 * @returns {Promise<{game: string, file: string}|Refused>}
 */
export const save = (s, saving) => ask(`${s.api}/game`, saving);

/**
 * Returns the versions of a game of this browser, the newest first; none if it has no such game.
 * @param {string} game
 * @returns {Promise<Version[]>}
 */
export async function versionsOf(game) {
  const { versions = [] } = await ask(`/api/v1/games/${game}/versions`);
  return versions;
}

/**
 * Makes a version the newest one.
 * @param {string} game
 * @returns {Promise<Refused|{}>}
 */
export const bringBack = (game) => ask(`/api/v1/games/${game}/newest`, null);

/** @param {State} s */
const keyOf = (s) => `holt-game-${s.api.split('/').at(-1)}`;

/** Returns the game that was saved of this table last. @param {State} s */
export function lastSaved(s) {
  try {
    return localStorage.getItem(keyOf(s)) ?? '';
  } catch {
    return '';
  }
}

/** Keeps which game was saved of this table last. @param {State} s @param {string} game */
export function keepLast(s, game) {
  try {
    localStorage.setItem(keyOf(s), game);
  } catch {} // it is known until the page is left
}
