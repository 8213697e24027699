// How the small server for tests judges ordinary updates, and what they change.

import { DECK, DOWN, isCard } from './board.js';

/** @typedef {import('../js/types.js').PiecePatch} PiecePatch */
/** @typedef {import('../js/types.js').Reason} Reason */
/** @typedef {import('../js/types.js').WireUpdate} WireUpdate */
/** @typedef {import('./board.js').State} State */

/** Half the width of the table. */
export const EDGE = 1000;

/**
 * A piece that is released beyond this x lies in the hand of the seat that released it (T23). On
 * the other side, beyond -HAND, it lies in the deck (T29).
 */
export const HAND = 600;

/** What a pinned piece allows. */
const WHEN_PINNED = new Set(['pin', 'unpin', 'raise', 'lower', 'setz', 'release', 'wrest', 'copy']);

/**
 * Why an ordinary update is inapplicable (T14, T24).
 *
 * @param {number} seat
 * @param {WireUpdate} update
 * @param {State} state
 * @returns {Reason | null}
 */
export function refusedBy(seat, { op, x = 0 }, state) {
  if (state.pinned && !WHEN_PINNED.has(op)) return 'pinned';
  if ((op === 'copy' || op === 'delete' || op === 'stow') && state.kind === DECK)
    return 'not-allowed';
  if (op === 'release' && state.holder !== seat) return 'not-held';
  if (
    op !== 'release' &&
    op !== 'copy' &&
    op !== 'wrest' &&
    state.holder !== 0 &&
    state.holder !== seat
  )
    return 'held';
  if (op === 'stow' && !isCard(state.kind)) return 'not-allowed';
  return Math.abs(x) > EDGE ? 'off-table' : null;
}

/**
 * The state of a piece after an ordinary update.
 *
 * @param {State} state
 * @param {WireUpdate} update
 * @param {number} seat
 * @returns {State}
 */
export function changed(state, { op, x, y, angle, face, z }, seat) {
  const after = { ...state };
  if (x !== undefined && y !== undefined) Object.assign(after, { x, y });
  if (angle !== undefined) after.angle = angle;
  if (face !== undefined) after.face = face;
  // Set where the generation is known.
  if (z !== undefined) Object.assign(after, { z, zGen: Number.NaN });
  if (op === 'grab' || op === 'wrest') after.holder = seat;
  if (op === 'pin' || op === 'unpin') after.pinned = op === 'pin';
  if (op === 'release') {
    after.holder = 0;
    after.owner = isCard(state.kind) && after.x > HAND ? seat : 0;
  }
  if (op === 'stow' || (op === 'release' && isCard(state.kind) && after.x < -HAND)) {
    Object.assign(after, {
      x: 0, y: 0, face: DOWN, holder: 0, owner: 0, inside: true, zGen: Number.NaN,
    });
  }
  return after;
}

/**
 * The part of an own update that an ack carries: the fields that the server fills in (T10).
 *
 * @param {PiecePatch} patch
 * @returns {PiecePatch}
 */
export function filled(patch) {
  const fields = ['id', 'mark', 'kind', 'face', 'z', 'zMark', 'owner', 'value', 'renamed'];
  return /** @type {PiecePatch} */ (
    Object.fromEntries(Object.entries(patch).filter(([field]) => fields.includes(field)))
  );
}
