/**
 * What others do, and the server itself: updates of pieces, seats, shuffles, and the numbers of
 * pieces in hands and containers.
 *
 * @module
 */

import { called } from '../bars/names.js';
import { fullPiece } from '../net/wire.js';
import { displayed, show } from './display.js';
import { dropDeleted, dropStale } from './pending.js';
import { adoptName } from './renaming.js';

/** @typedef {import('../types.js').Outcome} Outcome */
/** @typedef {import('../types.js').Piece} Piece */
/** @typedef {import('../types.js').PiecePatch} PiecePatch */
/** @typedef {import('./state.js').SyncState} SyncState */

/**
 * A server update: somebody else's, or one of the server's own (T9, T11).
 *
 * @param {SyncState} state
 * @param {import('../types.js').UpdateEvent} update
 * @param {Outcome} outcome
 */
export function onUpdate(state, { piece: patch, by, op }, outcome) {
  const { entries } = state;
  // An update may come ahead of the version up to which a stream is complete (D35).
  if (patch.mark <= (entries.get(patch.id)?.confirmed.mark ?? 0)) return;
  const { gone, ...fields } = adoptName(state, patch, outcome);
  const { id } = fields;
  const entry = entries.get(id);
  if (!entry && gone) return;
  if ('x' in fields || 'y' in fields || 'holder' in fields) outcome.placed.add(id);
  const before = displayed(state, id);
  /** @type {string[]} */
  let lost = [];
  if (gone) {
    lost = dropDeleted(state, entry?.pending ?? []);
    removePiece(state, id, outcome);
    state.view.holds.delete(id);
  } else if (entry) {
    lost = dropStale(state, entry);
    const { confirmed } = entry;
    entry.confirmed = { ...confirmed, ...fields };
    reportPassed(confirmed, entry.confirmed, outcome);
  } else {
    entries.set(id, { confirmed: newPiece(fields), pending: [] });
  }
  show(state, id, outcome);
  outcome.events.push({ type: 'update', piece: id, by, op, before });
  if (lost.length > 0) outcome.events.push({ type: 'conflict', piece: id, by, op, lost });
}

/**
 * Removes the entry of a piece that was deleted, or that went out of this view.
 *
 * @param {SyncState} state
 * @param {number} piece
 * @param {Outcome} outcome
 */
export function removePiece({ entries }, piece, outcome) {
  entries.delete(piece);
  outcome.components.push({ type: 'gone', piece });
}

/**
 * The state of a piece that was not known: its patch is complete.
 *
 * @param {PiecePatch} patch
 * @returns {Piece}
 */
export function newPiece(patch) {
  const { gone: _, ...piece } = fullPiece(patch);
  return piece;
}

/**
 * Reports that a piece has come into a hand, out of one, or from one into another: its labels may
 * have been dropped (C15).
 *
 * @param {Piece} before
 * @param {Piece} after
 * @param {Outcome} outcome
 */
export function reportPassed(before, { id, kind, owner, team }, outcome) {
  if (owner === before.owner && `${team ?? ''}` === `${before.team ?? ''}`) return;
  outcome.components.push({ type: 'passed', piece: id, kind });
}

/**
 * A seat has come, or has changed.
 *
 * @param {SyncState} state
 * @param {import('../types.js').SeatEvent} event
 * @param {Outcome} outcome
 */
export function onSeat({ view: { seats } }, { type: _, ...seat }, outcome) {
  const before = seats.get(seat.id) ?? null;
  seats.set(seat.id, called(seat));
  outcome.events.push({ type: 'seat', id: seat.id, before });
}

/**
 * Somebody else has shuffled (T26). This changes no piece: updates do.
 *
 * @param {SyncState} state
 * @param {import('../types.js').ShuffledEvent} event
 * @param {Outcome} outcome
 */
export function onShuffled({ entries }, { by, pieces }, outcome) {
  outcome.events.push({ type: 'shuffled', by, pieces: pieces.filter((id) => entries.has(id)) });
}

/**
 * The number of pieces in a hand or a container has changed (T29).
 *
 * @param {SyncState} state
 * @param {import('../types.js').HoldsEvent} event
 * @param {Outcome} outcome
 */
export function onHolds({ view: { holds } }, event, outcome) {
  const before = holds.get(event.piece) ?? [];
  const after = holdings(event);
  if (after.length > 0) holds.set(event.piece, after);
  else holds.delete(event.piece);
  outcome.events.push({ type: 'holds', piece: event.piece, before });
}

/**
 * @param {import('../types.js').Holds} holds
 * @returns {import('../types.js').Holding[]} those of which there are some
 */
export function holdings({ kinds, counts }) {
  const all = kinds.map((kind, i) => ({ kind: kind - 1, count: counts[i] }));
  return all.filter(({ count }) => count > 0);
}
