/**
 * What becomes of the pending operations of a replica: they are kept in the browser, or dropped.
 *
 * @module
 */

import { covers } from './crdt.js';
import { compareBytes } from './crdtread.js';
import { classOf, pieceOf } from './entities.js';
import { COMPONENTS } from './registry.js';

/** @typedef {import('./ownops.js').Own} Own */
/** @typedef {import('./replica.js').Refusal} Refusal */
/** @typedef {import('./replica.js').Replica} Replica */
/** @typedef {import('./wire.js').Op} Op */

/**
 * Milliseconds after which a pending operation is kept in the browser. When the page is left it is
 * kept at once.
 */
const SOON = 250;

/**
 * Pending operations have changed: they have to be posted, and kept in the browser until they have
 * an outcome.
 *
 * @param {Replica} replica
 */
export function changed(replica) {
  replica.poster.flush();
  replica.saveTimer ??= replica.deps.setTimeout(() => save(replica), SOON);
}

// ---- kept in the browser ----

/**
 * Keeps the pending operations in the browser now.
 *
 * @param {Replica} replica
 */
export function save(replica) {
  const { deps } = replica;
  deps.clearTimeout(replica.saveTimer);
  replica.saveTimer = null;
  checkTakenOver(replica);
  if (deps.sync.you !== 0) keepLasting(replica);
}

/**
 * Keeps the lasting operations in the browser.
 *
 * @param {Replica} replica
 * @returns {boolean} whether that worked
 */
function keepLasting({ deps: { sync }, epoch, keep, own }) {
  const lasting = own.lasting();
  const kept = lasting.map(({ op, mark }) => ({ op, mark: mark ?? sync.mark }));
  const isKept = keep.save(sync.you, epoch, kept);
  if (isKept) own.saved(lasting);
  return isKept;
}

/**
 * Another page that has taken over the kept operations may have posted them.
 *
 * @param {Replica} replica
 */
export function checkTakenOver({ keep, own }) {
  if (keep.isTaken()) own.takenOver();
}

/**
 * Takes over what other pages of this seat have left.
 *
 * @param {Replica} replica
 */
export function takeOver(replica) {
  const { deps, epoch, keep, own, shown } = replica;
  const { kept, lost, done } = keep.findOthers(deps.sync.you, epoch);
  for (const { op, mark } of kept) {
    if (covers(shown.room, op) || isPending(own, op)) continue;
    if (own.isFull(op.data.length)) return; // it will be found again
    own.add(op, { mark });
    shown.mark(op.entity, op.component);
    if (op.kind === 'deleteEntity') shown.markWithin(op);
  }
  dropUnseen(replica);
  if (lost > 0) {
    const one = { entity: 0, component: 0, reason: 'epoch' };
    report(
      replica,
      Array.from({ length: lost }, () => one),
    );
  }
  // the entries of other pages stay
  if (kept.length > 0 && own.lasting().length > 0 && !keepLasting(replica)) return;
  done();
}

/**
 * @param {Replica['own']} own
 * @param {Op} op
 */
function isPending(own, { kind, entity, component, timestamp, data }) {
  const is = (/** @type {Own} */ { op }) =>
    op.kind === kind && op.component === component && op.timestamp === timestamp;
  return [...own.of(entity)].some((o) => is(o) && compareBytes(o.op.data, data) === 0);
}

// ---- dropped ----

/**
 * Drops pending operations.
 *
 * @param {Replica} replica
 * @param {Own[]} lost
 * @param {string} reason
 */
export function drop(replica, lost, reason) {
  for (const o of lost) replica.own.drop(o);
  dropped(replica, lost, reason);
}

/**
 * Drops operations on pieces that are gone or were renamed (C15).
 *
 * @param {Replica} replica
 */
export function dropUnseen(replica) {
  const { deps, own } = replica;
  const isUnseen = (/** @type {Own} */ { op }) =>
    classOf(op.entity) === 'piece' && !deps.sees(pieceOf(op.entity));
  drop(replica, [...own.all].filter(isUnseen), 'gone');
}

/**
 * Reports dropped operations. If a stroke was dropped, its other operations are dropped, too.
 *
 * @param {Replica} replica
 * @param {Own[]} lost
 * @param {string} reason
 */
export function dropped(replica, lost, reason) {
  const { own, questions, shown } = replica;
  if (lost.length === 0) return;
  for (const { op } of lost) {
    questions.refused(op);
    if (op.component === COMPONENTS.stroke.number)
      for (const o of [...own.of(op.entity)]) own.drop(o);
    if (op.kind === 'deleteEntity') shown.markWithin(op);
    shown.markAll(op.entity);
    shown.mark(op.entity, op.component);
  }
  report(
    replica,
    lost.map(({ op }) => refusal(op, reason)),
  );
  changed(replica);
}

/**
 * @param {Replica} replica
 * @param {Refusal[]} refusals
 */
export function report({ refusers }, refusals) {
  for (const refuser of refusers) refuser(refusals);
}

/**
 * @param {Op} op
 * @param {string} reason
 * @returns {Refusal}
 */
export function refusal({ entity, component }, reason) {
  return { entity, component, reason };
}
