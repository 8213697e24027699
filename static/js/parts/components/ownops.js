/**
 * Pending operations on components (docs/protocol/component.md, C17): those that have to be posted,
 * and those that were posted and have not come back, been overtaken or been refused. No DOM, no
 * socket, no clock.
 *
 *     made ──take──▶ in flight ──delivered──▶ waits for the stream ──settled──▶ (removed)
 *      ▲                 │ failed                │ another stream
 *      └─────────────────┴───────────────────────┘
 *
 * While nobody else has an operation, it may be changed. After that it never changes, and any page
 * may post it any number of times: the room only merges it again (C4).
 *
 * @module
 */

import { encodeOperation } from './wire.js';
import { covers, merge, replica } from './crdt.js';

/** @typedef {import('./wire.js').Op} Op */
/** @typedef {import('./crdt.js').Replica} Replica */

/**
 * @typedef {object} Own
 * @property {Op} op
 * @property {boolean} shared whether somebody else may have it: it was posted, or another page has
 *   taken it over
 * @property {boolean} due whether it has to be posted
 * @property {number} batch number of the last batch with which it was posted
 * @property {number} until time after which posting it is useless; Infinity: never
 * @property {number} above its timestamp has to be greater than this
 * @property {number | null} mark of an operation taken over from another page: the version up to
 *   which that page's view was complete. Null: this page has made it, and drops it when the stream
 *   says that its labels were dropped (C15)
 * @property {Op | null} saved the operation as the browser keeps it; null: not kept
 */

/** The greatest number of operations in a message (C17). */
const MAX_BATCH = 1000;

/** The greatest size of a message in bytes (C17). */
const MAX_BYTES = 256 * 1024;

/**
 * The greatest number of pending operations and their greatest size in bytes: what a browser keeps
 * is bounded.
 */
const MOST = 10_000;
const MOST_BYTES = 512 * 1024;

/**
 * The size of an operation in a message without its data, in bytes. It is more than the numbers and
 * lengths need.
 */
const HEAD = 48;

export class OwnOps {
  constructor() {
    /** In the order in which they were made. @type {Set<Own>} */
    this.all = new Set();
    /** By entity, in the same order. @type {Map<number, Set<Own>>} */
    this.byEntity = new Map();
    /** A replica that has merged the deletions among them, and nothing else. */
    this.deletions = replica();
    /** Their size in bytes, with their data. */
    this.bytes = 0;
    /** The batch in flight. @type {Own[] | null} */
    this.inFlight = null;
    /** Number of batches so far. */
    this.batch = 0;
  }

  /**
   * Returns whether there is no room for another operation.
   * @param {number} bytes size of its data
   */
  isFull(bytes) {
    return this.all.size >= MOST || this.bytes + bytes + HEAD > MOST_BYTES;
  }

  /**
   * Adds an operation.
   * @param {Op} op
   * @param {{ until?: number, mark?: number }} [how] with a mark, the operation is taken over from
   *   another page
   * @returns {Own}
   */
  add(op, { until = Number.POSITIVE_INFINITY, mark } = {}) {
    const made = {
      op,
      shared: mark !== undefined,
      due: true,
      batch: 0,
      until,
      above: 0,
      mark: mark ?? null,
      saved: null,
    };
    this.all.add(made);
    if (op.kind === 'deleteEntity') merge(this.deletions, op);
    this.bytes += op.data.length + HEAD;
    const others = this.byEntity.get(op.entity);
    if (others) others.add(made);
    else this.byEntity.set(op.entity, new Set([made]));
    return made;
  }

  /**
   * Replaces an operation by another one on the same key. Posting it is useful until `until`.
   * @param {Own} own
   * @param {Op} op
   * @param {number} until
   */
  change(own, op, until) {
    this.bytes += op.data.length - own.op.data.length;
    own.op = op;
    own.until = until;
  }

  /** @param {Own} own */
  drop(own) {
    if (!this.all.delete(own)) return;
    const { kind, entity, data } = own.op;
    this.bytes -= data.length + HEAD;
    const others = this.byEntity.get(entity);
    others?.delete(own);
    if (others?.size === 0) this.byEntity.delete(entity);
    if (kind === 'deleteEntity') this.rebuildDeletions();
  }

  /** Computes `dead` again. @private */
  rebuildDeletions() {
    this.deletions = replica();
    for (const { op } of this.all) if (op.kind === 'deleteEntity') merge(this.deletions, op);
  }

  /**
   * Returns the operations on an entity, including its deletion.
   * @param {number} entity
   * @returns {Iterable<Own>}
   */
  of(entity) {
    return this.byEntity.get(entity) ?? [];
  }

  /** Returns the operations on a key. @param {number} entity @param {number} component */
  on(entity, component) {
    return [...this.of(entity)].filter(
      ({ op }) => op.kind !== 'deleteEntity' && op.component === component,
    );
  }

  // ---- posting ----

  /**
   * Drops and returns the operations that need not be posted any more.
   * @param {number} now
   * @returns {Own[]}
   */
  expire(now) {
    const done = [...this.all].filter(
      (own) => own.due && (own.until <= now || this.isOvertaken(own)),
    );
    for (const own of done) {
      this.drop(own);
      if (own.shared)
        for (const later of this.on(own.op.entity, own.op.component))
          later.above = Math.max(later.above, own.op.timestamp);
    }
    return done;
  }

  /**
   * Takes the next batch: operations with the same version. Null if a batch is in flight or there
   * is nothing to post.
   *
   * @returns {{ ops: Op[], mark: number | null } | null}
   */
  take() {
    if (this.inFlight) return null;
    /** @type {Own[]} */
    const batch = [];
    let bytes = 0;
    for (const own of this.all) {
      if (!own.due || (batch.length > 0 && own.mark !== batch[0].mark)) continue;
      bytes += encodeOperation(own.op).length + 6;
      if (batch.length === MAX_BATCH || bytes > MAX_BYTES) break;
      batch.push(own);
    }
    if (batch.length === 0) return null;
    this.batch++;
    for (const own of batch) Object.assign(own, { due: false, shared: true, batch: this.batch });
    this.inFlight = batch;
    return { ops: batch.map(({ op }) => op), mark: batch[0].mark };
  }

  /** Returns whether a later operation sets the same value. @private @param {Own} own */
  isOvertaken({ op: { kind, entity, component, timestamp } }) {
    if (kind === 'append' || kind === 'deleteEntity') return false;
    return this.on(entity, component).some(({ op }) => op.timestamp > timestamp);
  }

  /** The room has judged the batch in flight. The stream brings the outcome. */
  delivered() {
    this.inFlight = null;
  }

  /** It is unknown whether the room has judged the batch in flight, so it is posted again. */
  failed() {
    for (const own of this.inFlight ?? []) own.due = true;
    this.inFlight = null;
  }

  /**
   * The batch in flight was refused whole.
   *
   * @param {number} [because] index of the operation that caused the refusal; missing: all of them
   *   did
   * @returns {Own[]} the dropped operations; the others are posted again
   */
  refusedBatch(because) {
    const batch = this.inFlight ?? [];
    this.failed();
    const lost = (because !== undefined && batch[because] ? [batch[because]] : batch).filter(
      (own) => this.all.has(own),
    );
    for (const own of lost) this.drop(own);
    return lost;
  }

  /**
   * Outcomes of posted operations may have been lost with a stream, so all are posted again (C17).
   */
  markAllDue() {
    for (const own of this.all) own.due = true;
  }

  // ---- outcomes ----

  /**
   * Drops and returns the operations that the room has, or that can have no effect there any more.
   *
   * @param {Replica} room
   * @param {Iterable<number>} [entities] where something has changed; missing: everywhere
   * @returns {Own[]}
   */
  settle(room, entities = this.byEntity.keys()) {
    const done = [...entities].flatMap((entity) =>
      [...this.of(entity)].filter(({ op }) => covers(room, op)),
    );
    for (const own of done) this.drop(own);
    return done;
  }

  /**
   * An operation was refused. The room answers each key once for a message (C11), so the refusal
   * holds for all later operations of the same message on that key, too.
   *
   * @param {{ entity: number, component: number, timestamp: number }} which
   * @returns {Own[]} the dropped operations; none if the refused one is not pending any more
   */
  refused({ entity, component, timestamp }) {
    const same = [...this.of(entity)].filter(
      ({ op, shared }) => shared && op.component === component && op.timestamp >= timestamp,
    );
    const first = same.find(({ op }) => op.timestamp === timestamp);
    const lost = first ? same.filter(({ batch }) => batch === first.batch) : [];
    for (const own of lost) this.drop(own);
    return lost;
  }

  // ---- kept in the browser ----

  /**
   * Returns the operations that are kept in the browser: those that are always worth posting.
   * @returns {Own[]}
   */
  lasting() {
    return [...this.all].filter(({ until }) => until === Number.POSITIVE_INFINITY);
  }

  /** The browser now keeps these operations and no others. @param {Own[]} kept */
  saved(kept) {
    for (const own of kept) own.saved = own.op;
  }

  /**
   * Another page has taken over the kept operations and may post them. An operation that was
   * changed since gets a greater timestamp, so that it wins over the kept one.
   */
  takenOver() {
    for (const own of this.all) {
      const { saved, op } = own;
      if (!saved) continue;
      own.saved = null;
      if (saved === op) own.shared = true;
      else if (!own.shared) {
        own.above = Math.max(own.above, saved.timestamp);
        if (op.timestamp <= saved.timestamp) own.op = { ...op, timestamp: saved.timestamp + 1 };
      }
    }
  }
}
