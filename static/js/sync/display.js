/**
 * The displayed state of a piece: its confirmed state with the effects of the pending updates on
 * top, in the order in which they were made (T9). It stands in `view.pieces`.
 *
 * A pending update may put a piece where this view does not see it. Such a piece stands in
 * `view.entering` and is not displayed until the outcome: then it is gone, or displayed again.
 *
 * @module
 */

import { isPlayer } from '../roles.js';
import { looksSame } from './compare.js';
import { PUTS_DOWN } from './operations.js';
import { predict } from './predict.js';

/** @typedef {import('../types.js').Piece} Piece */
/** @typedef {import('../types.js').Seat} Seat */
/** @typedef {import('./outbox.js').PendingUpdate} PendingUpdate */
/** @typedef {import('./state.js').SyncState} SyncState */

/**
 * Collects the pieces whose displayed state changes; null: nobody needs them.
 *
 * @typedef {{ changed: Set<number>, gone?: Set<number> } | null} Changes
 */

/** Operations that say where a piece is. */
const PLACING = new Set([...PUTS_DOWN, 'grab', 'wrest', 'stow']);

/**
 * The displayed state of a piece, also of one that is not displayed because a pending update puts
 * it out of this view.
 *
 * @param {SyncState} state
 * @param {number} id
 * @returns {Piece | null} null if the piece does not exist
 */
export function displayed({ view }, id) {
  return view.pieces.get(id) ?? view.entering.get(id)?.piece ?? null;
}

/**
 * Displays a piece by its confirmed state and all its pending updates.
 *
 * @param {SyncState} state
 * @param {number} id
 * @param {Changes} changes
 */
export function show(state, id, changes) {
  const entry = state.entries.get(id);
  if (!entry) {
    put(state, id, undefined, 0, changes);
    return;
  }
  let piece = entry.confirmed;
  for (const own of entry.pending) piece = putDown(effect(state, piece, own), own);
  put(state, id, piece, destination(entry.pending), changes);
}

/**
 * Displays the effect of the update that was made last, and decides whether it puts the piece out
 * of this view.
 *
 * @param {SyncState} state
 * @param {PendingUpdate} own
 */
export function showLatest(state, own) {
  const { view } = state;
  const { piece: id, op, args } = own;
  const before = displayed(state, id);
  if (!before) return;
  const after = effect(state, before, own);
  if (op === 'stow') own.taken = { into: args.into ?? 0, owner: 0, team: [], z: '' };
  if (PUTS_DOWN.has(op)) {
    own.taken = after.holder === 0 ? view.taker(after, op) : null;
  }
  const into = PLACING.has(op) ? own.taken?.into : view.entering.get(id)?.into;
  put(state, id, putDown(after, own), into ?? 0, null);
}

/**
 * @param {SyncState} state
 * @param {number} id
 * @param {Piece | undefined} after undefined: the piece does not exist
 * @param {number} into where a pending update puts it out of this view; 0: it stays in it
 * @param {Changes} changes
 */
function put({ view: { pieces, entering } }, id, after, into, changes) {
  const before = pieces.get(id);
  if (after && into === 0) {
    entering.delete(id);
    pieces.set(id, after);
    changes?.gone?.delete(id);
    if (!before || !looksSame(before, after)) changes?.changed.add(id);
    return;
  }
  const wasEntering = entering.delete(id);
  if (pieces.delete(id) || (wasEntering && !after)) changes?.gone?.add(id);
  if (after) entering.set(id, { into, piece: after });
  changes?.changed.delete(id);
}

/**
 * A piece with the effect of an update, but not yet in the hand that takes it: the server decides
 * that.
 *
 * @param {SyncState} state
 * @param {Piece} piece
 * @param {PendingUpdate} own
 */
export function effect({ view }, piece, { op, args, at }) {
  return predict(piece, op, args, {
    you: view.you,
    at,
    clock: view.clockKind(piece.kind),
    bounds: view.bounds(piece.kind),
    isMask: view.isMask(piece.kind),
    players: op === 'pass' ? players(view.seats.values()) : [],
  });
}

/**
 * A piece in the hand that takes it when it is put down.
 *
 * @param {Piece} piece
 * @param {PendingUpdate} own the update that puts it down
 * @returns {Piece}
 */
function putDown(piece, { taken, args }) {
  if (!taken) return piece;
  const after = { ...piece, owner: taken.owner, team: taken.team };
  if (taken.z === '' || args.z !== undefined) return after;
  return { ...after, z: taken.z, zMark: Number.POSITIVE_INFINITY };
}

/**
 * Where pending updates put a piece out of this view; 0 if it stays in it. The last one counts that
 * says where the piece is.
 *
 * @param {PendingUpdate[]} pending
 */
function destination(pending) {
  let into = 0;
  for (const { op, taken } of pending) {
    if (PLACING.has(op)) into = taken?.into ?? 0;
  }
  return into;
}

/** @param {Iterable<Seat>} seats */
function players(seats) {
  return [...seats].filter(isPlayer).map(({ id }) => id);
}
