/**
 * Makes the updates of this client, and hands them out in batches.
 *
 * @module
 */

import { displayed } from './display.js';
import { add, dropRefused, isHeldBack } from './pending.js';
import { levelFor } from './predict.js';
import { argsOf, sentAs } from './shapes.js';

/** @typedef {import('../types.js').Args} Args */
/** @typedef {import('./state.js').SyncState} SyncState */

/**
 * Changes a piece, with a tag. The displayed state has the effect at once.
 *
 * @param {SyncState} state
 * @param {number} piece
 * @param {string} op
 * @param {Args} [args]
 * @returns {number} the key of the update
 */
export function update(state, piece, op, args = {}) {
  if (sentAs(op) !== 'tagged') throw new RangeError(`no operation ${op} to predict`);
  checkKnown(state, piece);
  const fields = argsOf(op, args, 'tagged');
  const shown = displayed(state, piece);
  if (shown && (op === 'raise' || op === 'lower') && fields.z === undefined) {
    const { pieces, layer } = state.view;
    const z = levelFor(pieces.values(), shown, op, layer);
    if (z !== '') fields.z = z;
  }
  return add(state, piece, op, fields);
}

/**
 * Grabs a piece before its release has an outcome (T17).
 *
 * @param {SyncState} state
 * @param {number} piece
 * @param {Args} [args]
 * @returns {number} the key of the update
 */
export function grabLoose(state, piece, args = {}) {
  checkKnown(state, piece);
  return add(state, piece, 'grab', argsOf('grab', args, 'tagged'), { loose: true });
}

/**
 * Asks for something that cannot be predicted.
 *
 * @param {SyncState} state
 * @param {string} op
 * @param {import('../types.js').MakeArgs} args
 * @returns {number} the key of the update
 */
export function make(state, op, { piece = 0, ...args }) {
  if (sentAs(op) !== 'made') throw new RangeError(`${op} is not an operation to make`);
  const fields = argsOf(op, args, 'made');
  const isOfPiece = op === 'copy' || op === 'delete';
  if (isOfPiece) checkKnown(state, piece);
  return add(state, isOfPiece ? piece : 0, op, fields);
}

/**
 * Changes a piece whatever this client has seen of it (T28).
 *
 * @param {SyncState} state
 * @param {number} piece
 * @param {string} op
 * @param {Args} [args]
 * @returns {number} the key of the update
 */
export function blind(state, piece, op, args = {}) {
  checkKnown(state, piece);
  return add(state, piece, op, argsOf(op, args, 'blind'), { blind: true });
}

/**
 * @param {SyncState} state
 * @param {number} piece
 * @throws {RangeError} if the server has not sent that piece
 */
function checkKnown({ entries }, piece) {
  if (!entries.has(piece)) throw new RangeError(`no piece ${piece}`);
}

/**
 * The next batch to send. An update that is sent for the first time is tagged with the version of
 * its piece: the last server update that the player has seen (T7). No server update has come since
 * the update was made, or the update would be gone. The exception is one that was held back: it
 * gets the version of now (T17).
 *
 * @param {SyncState} state
 * @param {number} [most] how many bytes the updates may have; the first one may have more
 * @returns {import('../types.js').Batch | null}
 */
export function take(state, most) {
  const { entries, outbox, synchronised, view } = state;
  if (!synchronised) return null;
  const updates = outbox.take(
    (own) => isHeldBack(state, own),
    (own) => entries.get(own.piece)?.confirmed.mark ?? 0,
    most,
  );
  return updates && { client: view.client, epoch: view.epoch, updates };
}

/**
 * A batch in flight was refused (T15): its updates are dropped, and those made on top of them.
 *
 * @param {SyncState} state
 * @param {import('../types.js').Batch} batch
 * @returns {Set<number>} the pieces that look different now
 */
export function refused(state, { updates }) {
  /** @type {Set<number>} */
  const changed = new Set();
  for (const own of state.outbox.refused(updates)) dropRefused(state, own, changed);
  return changed;
}
