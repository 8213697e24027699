/**
 * What a replica does with what the stream says about components.
 *
 * @module
 */

import { entityOfPiece } from './entities.js';
import { changed, drop, dropped, dropUnseen, takeOver } from './pendingops.js';
import { attempt } from './shown.js';
import { decodeMessage, EMPTY } from './wire.js';

/** @typedef {import('./replica.js').Replica} Replica */
/** @typedef {import('./wire.js').Op} Op */
/** @typedef {import('../../types.js').ComponentNews} ComponentNews */

/** Reasons why an operation was refused (C11), by number. */
const REASONS = ['unspecified', 'not-allowed', 'gone', 'timestamp', 'full', 'unknown'];

/**
 * Processes what a frame says about components.
 *
 * @param {Replica} replica
 * @param {import('../../relay/components.js').News} told
 */
export function receive(replica, { full, resumed, components }) {
  const { deps, own } = replica;
  const before = own.all.size;
  for (const news of components) processNews(replica, news);
  // the answer to the last request was lost with the last stream
  if (resumed && replica.needsFull) deps.resync();
  if (full || resumed) {
    own.markAllDue();
    takeOver(replica);
  }
  if (before + own.all.size > 0) changed(replica);
}

/**
 * @param {Replica} replica
 * @param {ComponentNews} news
 */
function processNews(replica, news) {
  switch (news.type) {
    case 'full':
      replaceRoom(replica, news);
      break;
    case 'components':
      merge(replica, opsIn(news.components));
      break;
    case 'refused':
      dropped(replica, replica.own.refused(news), REASONS[news.reason] ?? REASONS[0]);
      break;
    case 'gone':
      dropLabels(replica, news.piece);
      break;
    case 'passed':
      ownerChanged(replica, news.piece, replica.deps.isPrivate(news.kind));
      break;
  }
}

/**
 * @param {Replica} replica
 * @param {Op[]} ops
 */
function merge(replica, ops) {
  for (const op of ops) {
    replica.shown.merge(op);
    replica.questions.look(op);
  }
  const deletes = ops.some(({ kind }) => kind === 'deleteEntity');
  settle(replica, deletes ? undefined : new Set(ops.map(({ entity }) => entity)));
}

/**
 * Replaces everything that is known of the room.
 *
 * @param {Replica} replica
 * @param {import('../../types.js').FullEvent} full
 */
function replaceRoom(replica, { epoch, components = EMPTY }) {
  const { own, questions, shown } = replica;
  if (replica.epoch !== 0 && epoch !== replica.epoch) drop(replica, [...own.all], 'epoch');
  replica.epoch = epoch;
  replica.needsFull = false;
  shown.renew(opsIn(components));
  questions.look();
  settle(replica);
  dropUnseen(replica);
}

/**
 * Drops the labels of a piece (C15).
 *
 * @param {Replica} replica
 * @param {number} piece
 */
function dropLabels(replica, piece) {
  const entity = entityOfPiece(piece);
  replica.shown.forget(entity);
  drop(replica, [...replica.own.of(entity)], 'gone');
}

/**
 * A piece has another owner or team. Drops its labels if it is private (C15). Asks for the full
 * state if it is unknown whether it is private.
 *
 * @param {Replica} replica
 * @param {number} piece
 * @param {boolean | null} isPrivate
 */
function ownerChanged(replica, piece, isPrivate) {
  if (isPrivate) dropLabels(replica, piece);
  if (isPrivate !== null) return;
  if (!replica.shown.room.entities.has(entityOfPiece(piece))) return;
  replica.needsFull = true;
  replica.deps.resync();
}

/**
 * Ends the pending operations that are in the room, or have lost there.
 *
 * @param {Replica} replica
 * @param {Iterable<number>} [entities] where something has changed; missing: everywhere
 */
function settle({ own, shown }, entities) {
  for (const { op } of own.settle(shown.room, entities)) shown.mark(op.entity, op.component);
}

/**
 * Decodes a message.
 *
 * @param {Uint8Array} message
 * @returns {Op[]} none if it is malformed
 */
function opsIn(message) {
  return attempt(() => decodeMessage(message).ops) ?? [];
}
