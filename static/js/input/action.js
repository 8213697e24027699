// What an action is: something that players can do with pieces, with name, picture, key, condition
// and effect. The toolbar, the menu and the keys run actions (parts/controls/perform.js).

import { refusal } from './ops.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Piece} Piece */
/** @typedef {import('../bars/say.js').Voice} Voice */

/**
 * @typedef {object} Action
 * @property {string} id
 * @property {string} icon
 * @property {string} key the key as the page shows it
 * @property {string} [keys] the key for aria-keyshortcuts, if it differs
 * @property {boolean} [asks] it opens a dialog
 * @property {boolean} [isOffer] kinds offer it (T36)
 * @property {boolean} [aside] of an offer: the bar leaves it to the menu
 * @property {(s: State, pieces: Piece[]) => import('./ops.js').Refusal|null} [why] returns why it
 *   cannot be done now; without it, refusal() of `op` says so
 * @property {(s: State, pieces: Piece[]) => string} label
 * @property {(s: State, pieces: Piece[]) => Piece[]} fits returns the pieces for which the action
 *   can be done
 * @property {string} op operation that refusal() checks if the action fits no piece
 * @property {string} [none] the reason to show if refusal() returns none
 * @property {(s: State, pieces: Piece[], voice: Voice) => void} run
 */

/** Returns a filter for the pieces for which an operation is allowed. @param {string} op */
export const allowed = (op) => (/** @type {State} */ s, /** @type {Piece[]} */ pieces) =>
  pieces.filter((p) => !refusal(s, p, /** @type {any} */ (op)));
