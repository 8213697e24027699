/**
 * The outcomes of own updates: acks and rejects.
 *
 * @module
 */

import { show } from './display.js';
import { newPiece, removePiece, reportPassed } from './others.js';
import { confirm, dropStale, dropWhere } from './pending.js';
import { adoptName, rename } from './renaming.js';

/** @typedef {import('../types.js').Outcome} Outcome */
/** @typedef {import('../types.js').PiecePatch} PiecePatch */
/** @typedef {import('../types.js').FullPiece} WholePiece */
/** @typedef {import('./outbox.js').PendingUpdate} PendingUpdate */
/** @typedef {import('./state.js').Entry} Entry */
/** @typedef {import('./state.js').Settlement} Settlement */
/** @typedef {import('./state.js').SyncState} SyncState */

/**
 * An own update is recorded: its effect becomes part of the confirmed state (T10).
 *
 * @param {SyncState} state
 * @param {import('../types.js').AckEvent} ack
 * @param {Outcome} outcome
 */
export function onAck(state, { seq, piece, made }, outcome) {
  const { entries, outbox, settlement } = state;
  const own = outbox.sent.get(seq);
  const patch = answerName(state, own, piece, outcome);
  if (!own) return; // a repeated ack, or one of an update that the client has dropped
  if (settlement && made === 0) adoptNameOfFull(state, settlement, own, patch.id, outcome);
  outbox.drop(own);
  const entry = entries.get(own.piece);
  const before = entry?.confirmed;
  if (entry && before) {
    const wereDiscarded = confirm(state, entry, own, patch, settlement !== null);
    reportPassed(before, entry.confirmed, outcome);
    // A reject that was lost with an earlier stream has raised the floor (T14). The client does not
    // know by how much.
    if (wereDiscarded && !settlement) outcome.needsFull = true;
    show(state, own.piece, outcome);
  }
  const { key, lost, op } = own;
  outcome.acked.push({
    type: 'acked', seq: key, piece: own.piece, op, before, after: entry?.confirmed,
  });
  if (lost.length > 0) {
    outcome.events.push({ type: 'conflict', piece: own.piece, by: 0, op: 'unspecified', lost });
  }
  if (made !== 0) {
    addMade(state, patch, outcome);
    outcome.events.push({ type: 'made', seq: key, piece: made });
  }
}

/**
 * Adopts the new name in an answer. An answer may call the piece by the name under which the update
 * was sent (T21).
 *
 * @param {SyncState} state
 * @param {PendingUpdate | undefined} own
 * @param {PiecePatch} answer
 * @param {Outcome} outcome
 * @returns {PiecePatch} the rest, by the name that the piece has now
 */
function answerName(state, own, answer, outcome) {
  const patch = adoptName(state, answer, outcome);
  return own && patch.id === own.sentFor ? { ...patch, id: own.piece } : patch;
}

/**
 * Learns from an ack behind a full state that its piece went out of the view of others meanwhile,
 * and has the name in the ack since then (T21).
 *
 * @param {SyncState} state
 * @param {Settlement} settlement
 * @param {PendingUpdate} own
 * @param {number} to the name in the ack
 * @param {Outcome} outcome
 */
function adoptNameOfFull(state, { before }, own, to, outcome) {
  const { entries, outbox } = state;
  const from = own.piece;
  const entry = entries.get(to);
  const left = before.get(from);
  if (!entry || !left || to === from || entries.has(from)) return;
  before.delete(from);
  before.set(to, left);
  // An earlier ack of the frame may have ended a blind update, without a name (T10.14).
  const pending = left.pending.filter((other) => outbox.has(other));
  entries.set(from, { confirmed: entry.confirmed, pending });
  rename(state, from, to, outcome);
}

/**
 * Adds the piece that the ack of `add` or `copy` describes, if the ack does so and no update has
 * brought the piece before.
 *
 * @param {SyncState} state
 * @param {PiecePatch} patch
 * @param {Outcome} outcome
 */
function addMade(state, { gone, ...fields }, outcome) {
  const isComplete = fields.z !== undefined; // every piece has a level
  if (!isComplete || gone || state.settlement || state.entries.has(fields.id)) return;
  state.entries.set(fields.id, { confirmed: newPiece(fields), pending: [] });
  show(state, fields.id, outcome);
}

/**
 * An own update was inapplicable (T14).
 *
 * @param {SyncState} state
 * @param {import('../types.js').RejectEvent} reject
 * @param {Outcome} outcome
 */
export function onReject(state, { seq, reason, piece: answer, by }, outcome) {
  const { entries, outbox } = state;
  const own = outbox.sent.get(seq);
  if (own) outbox.drop(own);
  const named = /** @type {WholePiece} */ (answerName(state, own, answer, outcome));
  const { gone: isGone, ...piece } = named;
  const id = own?.piece || piece.id;
  const entry = entries.get(id);
  // A piece that was renamed is gone by its old name. An update says whether it is gone indeed.
  const gone = isGone && answer.id === id;
  const isNews = !isGone && piece.id === id && piece.mark > (entry?.confirmed.mark ?? 0);
  const lost = entry ? lostByReject(state, entry, own, { gone, isNews, floor: piece.mark }) : [];
  if (gone) {
    removePiece(state, id, outcome);
  } else if (isNews && id !== 0) {
    if (entry) reportPassed(entry.confirmed, piece, outcome);
    entries.set(id, { confirmed: piece, pending: entry?.pending ?? [] });
  }
  show(state, id, outcome);
  const { events } = outcome;
  if (own) {
    const { op, key } = own;
    events.push({ type: 'reject', piece: own.piece, seq: key, reason, by, op, lost });
  } else if (lost.length > 0) {
    events.push({ type: 'conflict', piece: id, by, op: 'unspecified', lost });
  }
}

/**
 * Drops a rejected update and those made behind it for the same piece: their tags are below the
 * floor, so the server discards them. A Loose grab behind it stays, because it has an outcome of
 * its own. The reject of a Loose grab also drops the updates that the grab held back (T17). The
 * reject of a blind update has no version and drops nothing else (T28). A repeated reject may come
 * after the ack of a blind update. Updates made after that ack have its version as their tag, so
 * they stay.
 *
 * @param {SyncState} state
 * @param {Entry} entry
 * @param {PendingUpdate | undefined} own the rejected update, if it was still pending
 * @param {{ gone: boolean, isNews: boolean, floor: number }} reject
 * @returns {string[]} the operations that were lost besides
 */
function lostByReject(state, entry, own, { gone, isNews, floor }) {
  entry.pending = entry.pending.filter((other) => other !== own);
  if (gone) return [...(own?.lost ?? []), ...dropWhere(state, entry, () => true)];
  if (own?.loose) return [...own.lost, ...dropWhere(state, entry, (other) => !other.blind)];
  if (isNews) return dropStale(state, entry);
  return own ? dropStale(state, entry, floor) : [];
}
