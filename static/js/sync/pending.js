/**
 * The pending updates of each piece: when they begin, wait, and end. sync/outbox.js numbers and
 * sends them.
 *
 * A Loose grab (T17) stays pending when a server update comes, and is replayed on top of it. The
 * updates behind it are held back, without a number and a tag, until its outcome. If updates before
 * it are lost, they are reported with its outcome. A blind update (T28) stays pending, too. It is
 * not held back, and holds nothing back.
 *
 * @module
 */

import { effect, show, showLatest } from './display.js';
import { LAST_COUNTS } from './operations.js';

/** @typedef {import('../types.js').Args} Args */
/** @typedef {import('../types.js').PiecePatch} PiecePatch */
/** @typedef {import('./outbox.js').PendingUpdate} PendingUpdate */
/** @typedef {import('./state.js').Entry} Entry */
/** @typedef {import('./state.js').SyncState} SyncState */

/** Operations of which only the last one counts while none of them has been sent. */
const COALESCING = new Set([...LAST_COUNTS, 'write', 'assign']);

/**
 * Adds an update and displays it. It may become part of one that has not been sent yet.
 *
 * @param {SyncState} state
 * @param {number} piece
 * @param {string} op
 * @param {Args} args
 * @param {{ loose?: boolean, blind?: boolean }} [how]
 * @returns {number} the key of the update
 */
export function add(state, piece, op, args, { loose = false, blind = false } = {}) {
  const entry = state.entries.get(piece);
  const last = entry?.pending.at(-1);
  if (last?.op === op && last.seq === 0 && COALESCING.has(op)) {
    last.args = { ...last.args, ...args };
    showLatest(state, last);
    return last.key;
  }
  /** @type {PendingUpdate} */
  const own = {
    key: ++state.lastKey,
    piece,
    sentFor: 0,
    op,
    args,
    at: state.view.now(),
    loose,
    blind,
    taken: null,
    seq: 0,
    tag: 0,
    due: false,
    lost: [],
  };
  entry?.pending.push(own);
  state.outbox.add(own);
  showLatest(state, own);
  return own.key;
}

/**
 * Whether an update has to wait for the outcome of a Loose grab before it (T17).
 *
 * @param {SyncState} state
 * @param {PendingUpdate} own
 */
export function isHeldBack({ entries }, own) {
  if (own.blind) return false;
  for (const other of entries.get(own.piece)?.pending ?? []) {
    if (other === own) return false;
    if (other.loose) return true;
  }
  return false;
}

/**
 * Moves the effect of an acknowledged update into the confirmed state, with what the server filled
 * in. An ordinary update that is still pending before it was discarded, because the server answers
 * in order. An ack of a blind update does not say that, because no earlier reject makes it stale.
 *
 * @param {SyncState} state
 * @param {Entry} entry
 * @param {PendingUpdate} own
 * @param {PiecePatch} patch
 * @param {boolean} isFull whether the same frame has brought a full state, which has the effect
 * @returns {boolean} whether updates before it were discarded
 */
export function confirm(state, entry, own, patch, isFull) {
  const earlier = own.blind ? [] : entry.pending.slice(0, entry.pending.indexOf(own));
  const discarded = earlier.filter((other) => !other.blind);
  entry.pending = entry.pending.filter((other) => other !== own && !discarded.includes(other));
  const lost = drop(state, discarded);
  own.lost.push(...lost);
  const isNews = patch.id === own.piece && patch.mark > entry.confirmed.mark;
  if (isNews) entry.confirmed = confirmedAfter(state, entry, own, patch, isFull);
  return lost.length > 0;
}

/**
 * The confirmed state of a piece after an ack with a new version.
 *
 * @param {SyncState} state
 * @param {Entry} entry
 * @param {PendingUpdate} own
 * @param {PiecePatch} patch
 * @param {boolean} isFull
 */
function confirmedAfter(state, entry, own, { gone: _, ...filled }, isFull) {
  const before = entry.confirmed;
  if (isFull) return { ...before, mark: filled.mark };
  const level = own.args.z === undefined || own.blind ? {} : { zMark: filled.mark };
  // Only the server decides about these. The ack has them if they have changed.
  const { face: _f, owner: _o, team: _t, value: _v, ...after } = effect(state, before, own);
  return { ...before, ...after, ...level, ...filled };
}

/**
 * Drops the updates that a server update makes stale (T6): all but Loose grabs, those that are held
 * back behind them, blind updates, and those that the same frame acknowledges (T11). While a Loose
 * grab is pending there is no conflict: lost updates are reported with the outcome of the grab
 * (T17).
 *
 * @param {SyncState} state
 * @param {Entry} entry
 * @param {number} [floor] if given, only updates that were sent with a tag below it are dropped
 * @returns {string[]} the operations that were lost in a conflict
 */
export function dropStale(state, entry, floor) {
  const { pending } = entry;
  const loose = pending.find((own) => own.loose);
  const exposed = loose ? pending.slice(0, pending.indexOf(loose)) : pending;
  const stale = exposed.filter((own) => {
    const isBelow = floor === undefined || (own.seq !== 0 && own.tag < floor);
    return isBelow && !own.blind && !state.acked.has(own.seq);
  });
  entry.pending = pending.filter((own) => !stale.includes(own));
  const lost = drop(state, stale);
  if (!loose) return lost;
  loose.lost.push(...lost);
  return [];
}

/**
 * Drops the updates of a piece that was deleted, or that went out of this view.
 *
 * @param {SyncState} state
 * @param {PendingUpdate[]} pending
 * @returns {string[]} the operations that were lost. A deletion was not: it has come true. What the
 *   same frame acknowledges was not either (T20).
 */
export function dropDeleted(state, pending) {
  const unanswered = pending.filter((own) => !state.acked.has(own.seq));
  return drop(state, unanswered).filter((op) => op !== 'delete');
}

/**
 * Drops those updates of a piece that a test chooses.
 *
 * @param {SyncState} state
 * @param {Entry} entry
 * @param {(own: PendingUpdate) => boolean} isChosen
 * @returns {string[]} the operations that were lost
 */
export function dropWhere(state, entry, isChosen) {
  const chosen = entry.pending.filter(isChosen);
  entry.pending = entry.pending.filter((own) => !chosen.includes(own));
  return drop(state, chosen);
}

/**
 * Drops updates from the outbox. The caller removes them from their entries.
 *
 * @param {SyncState} state
 * @param {PendingUpdate[]} updates
 * @returns {string[]} the operations of those that were still pending
 */
export function drop({ outbox }, updates) {
  const pending = updates.filter((own) => outbox.has(own));
  for (const own of pending) outbox.drop(own);
  return pending.flatMap((own) => [...own.lost, own.op]);
}

/**
 * Drops an update of a batch that was refused (T15), and those made on top of it.
 *
 * @param {SyncState} state
 * @param {PendingUpdate} refused
 * @param {Set<number>} changed collects the pieces that look different now
 */
export function dropRefused(state, refused, changed) {
  state.outbox.drop(refused);
  const entry = state.entries.get(refused.piece);
  const at = entry?.pending.indexOf(refused) ?? -1;
  if (!entry || at < 0) return;
  const lost = entry.pending.filter((own, i) => {
    return own === refused || (i > at && !refused.blind && !own.blind);
  });
  entry.pending = entry.pending.filter((own) => !lost.includes(own));
  drop(state, lost);
  show(state, refused.piece, { changed });
}
