/**
 * What a client knows of a table, as the modules of this folder share it. sync/sync.js creates it;
 * the rest of the client reads its public side only, `view`. No DOM, no socket, no clock.
 *
 * @module
 */

import { Outbox } from './outbox.js';

/** @typedef {import('../types.js').Piece} Piece */
/** @typedef {import('../types.js').Sync} Sync */
/** @typedef {import('./outbox.js').PendingUpdate} PendingUpdate */

/**
 * A piece that the server has sent, and the pending updates for it.
 *
 * @typedef {object} Entry
 * @property {Piece} confirmed the confirmed state, with own acknowledged updates in it
 * @property {PendingUpdate[]} pending own updates without an outcome, in the order in which they
 *   were made
 */

/**
 * What settles the pending updates at the end of a frame with a full state (S5).
 *
 * @typedef {object} Settlement
 * @property {Map<number, { mark: number, pending: PendingUpdate[] }>} before of each piece with
 *   pending updates: these, and the version that the client had
 * @property {Map<number, number>} foreign by piece, the version in the full state: that of the
 *   latest update that this client did not make
 */

/**
 * @typedef {object} SyncState
 * @property {Sync} view the side that the rest of the client reads; its `pieces` are the displayed
 *   states
 * @property {Map<number, Entry>} entries by the names of the pieces
 * @property {Outbox} outbox
 * @property {number} lastKey counts the updates that were made here
 * @property {boolean} synchronised whether the open stream has brought a full state or `Resumed`
 * @property {Set<number>} acked the sequences that the frame acknowledges that is being processed
 * @property {Settlement | null} settlement set while a frame with a full state is being processed
 */

/**
 * @param {Sync} view
 * @returns {SyncState} without any piece
 */
export function createState(view) {
  return {
    view,
    entries: new Map(),
    outbox: new Outbox(),
    lastKey: 0,
    synchronised: false,
    acked: new Set(),
    settlement: null,
  };
}
