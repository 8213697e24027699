// Keeps the faces that are shown to this person (T31) until the part for cards shows them.

import { invalidateBars } from '../bars/state.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('./state.js').Seen} Seen */

/** @param {State} s @param {Seen} event */
export function keepFaces(s, { by, op, piece, kinds, face }) {
  s.relay.faces.push({ by, op, piece, kinds, face });
  invalidateBars(s);
}

/**
 * Returns the faces that are not shown yet, and forgets them.
 * @param {State} s
 * @returns {Seen[]}
 */
export function takeFaces(s) {
  return s.relay.faces.splice(0);
}

/**
 * A piece has another identifier (T21).
 * @param {State} s
 * @param {number} from
 * @param {number} to
 */
export function renameFaces(s, from, to) {
  for (const seen of s.relay.faces) if (seen.piece === from) seen.piece = to;
}
