// A table for tests of sync/sync.js: a client that has its first full state, and short functions
// that make frames.

import { createSync } from '../js/sync/sync.js';
import { fullPiece } from '../js/net/wire.js';

/** @typedef {import('../js/types.js').FrameEvent} FrameEvent */
/** @typedef {import('../js/types.js').PiecePatch} PiecePatch */
/** @typedef {import('../js/types.js').Sync} Sync */

/** The seat of the client, and that of somebody else. */
export const YOU = 1;
export const OTHER = 2;

/**
 * A client at a table with three pieces: 1 to 3, of kind 0, with marks 100, 200 and 300 and levels
 * 0.1 to 0.3.
 *
 * @returns {Sync}
 */
export function table() {
  const sync = createSync('q83vEjRWeJCrze8SNFZ4kA');
  sync.receive(frame(full()));
  return sync;
}

/**
 * The pieces of a full state.
 *
 * @param {...PiecePatch} changed instead of those that table() has
 */
export function pieces(...changed) {
  const all = new Map(
    [1, 2, 3].map((id) => [id, fullPiece({ id, mark: 100 * id, z: `0.${id}`, zMark: id })]),
  );
  for (const piece of changed)
    all.set(piece.id, { ...fullPiece({ z: '0.5', ...all.get(piece.id), ...piece }) });
  return [...all.values()];
}

/**
 * @param {Partial<import('../js/types.js').FullEvent>} [fields]
 * @returns {FrameEvent}
 */
export function full(fields) {
  const info = { title: 'Chess', width: 2000, height: 1000, surface: 'felt', catalog: '00' };
  const seats = [
    {
      id: YOU, nick: 'Ada', colour: 1, role: /** @type {const} */ ('host'),
      presence: /** @type {const} */ ('here'),
    },
    {
      id: OTHER, nick: 'Bob', colour: 2, role: /** @type {const} */ ('player'),
      presence: /** @type {const} */ ('here'),
    },
  ];
  return { type: 'full', epoch: 7, you: YOU, table: info, seats, pieces: pieces(), ...fields };
}

/**
 * @param {...FrameEvent} events
 * @returns {import('../js/types.js').Frame}
 */
export function frame(...events) {
  return { time: 0, mark: 1000, events };
}

/**
 * An update by somebody else.
 *
 * @param {PiecePatch} piece
 * @param {import('../js/types.js').Op} [op]
 * @param {number} [by]
 * @returns {FrameEvent}
 */
export function update(piece, op = 'move', by = OTHER) {
  return { type: 'update', piece, by, op };
}

/**
 * @param {number} seq
 * @param {PiecePatch} [piece]
 * @param {number} [made]
 * @returns {FrameEvent}
 */
export function ack(seq, piece = { id: 0, mark: 0 }, made = 0) {
  return { type: 'ack', seq, piece, made };
}

/**
 * @param {number} seq
 * @param {import('../js/types.js').Reason} reason
 * @param {PiecePatch} piece
 * @param {number} [by]
 * @returns {FrameEvent}
 */
export function reject(seq, reason, piece, by = 0) {
  return { type: 'reject', seq, reason, piece: fullPiece(piece), by };
}

/**
 * Posts what waits: the updates of the next batch, which the server accepts.
 *
 * @param {Sync} sync
 */
export function post(sync) {
  const batch = taken(sync);
  sync.delivered(batch);
  return batch.updates;
}

/**
 * The next batch; an empty one if there is none.
 *
 * @param {Sync} sync
 */
export const taken = (sync) =>
  sync.take() ?? { client: sync.client, epoch: sync.epoch, updates: [] };

/**
 * The displayed state of a piece.
 *
 * @param {Sync} sync
 * @param {number} id
 */
export function shown(sync, id) {
  const piece = sync.pieces.get(id);
  if (!piece) throw new Error(`no piece ${id} is shown`);
  return piece;
}
