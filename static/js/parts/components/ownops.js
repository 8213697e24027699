/**
 * Own operations on components that the room has not answered (docs/protocol/component.md, C17): what is to be posted, and what was
 * posted and has neither come back nor been overtaken or refused. No DOM, no socket, no clock.
 *
 *     made ──take──▶ in flight ──delivered──▶ waits for the stream ──settled──▶ (gone)
 *      ▲                 │ failed                │ another stream
 *      └─────────────────┴───────────────────────┘
 *
 * As long as nobody else has one it may be changed. After that it is as it is, and may be posted any number of times, by any page: all
 * that does is to merge it again (C4).
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
 * @property {boolean} shared whether somebody else may have it: it was posted, or another page has taken it over
 * @property {boolean} due whether it is to be posted
 * @property {number} batch the last one with which it was posted
 * @property {number} until when it is not worth posting any more; Infinity: always
 * @property {number} above its timestamp has to be greater
 * @property {number | null} mark up to where the view was complete when another page made it, of what was taken over from that; null: this page has
 *   made it, and drops it when it is told that it is not to be (C15)
 * @property {Op | null} saved as the browser keeps it
 */

/** The greatest number of operations in a message (C17). */
export const MAX_BATCH = 1000;

/** The greatest size of a message in bytes (C17). */
const MAX_BYTES = 256 * 1024;

/** How many own operations may wait, and how many bytes: what a browser keeps is bounded. */
const MOST = 10_000;
const MOST_BYTES = 512 * 1024;

/** What an operation takes in a message beside its data: more than its numbers and lengths need. */
const HEAD = 48;

export class OwnOps {
  constructor() {
    /** In the order of their making. @type {Set<Own>} */
    this.all = new Set();
    /** By entity, in the same order. @type {Map<number, Set<Own>>} */
    this.byEntity = new Map();
    /** Has merged the deletions among them, and nothing else. */
    this.dead = replica();
    /** What they take, with their data. */
    this.bytes = 0;
    /** The batch in flight. @type {Own[] | null} */
    this.flying = null;
    /** Counts batches. */
    this.batch = 0;
  }

  /** Whether there is no room for another one. @param {number} bytes of data */
  isFull(bytes) {
    return this.all.size >= MOST || this.bytes + bytes + HEAD > MOST_BYTES;
  }

  /** @param {Op} op @param {{ until?: number, mark?: number }} [how] with a mark it is taken over from another page @returns {Own} */
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
    if (op.kind === 'deleteEntity') merge(this.dead, op);
    this.bytes += op.data.length + HEAD;
    const others = this.byEntity.get(op.entity);
    if (others) others.add(made);
    else this.byEntity.set(op.entity, new Set([made]));
    return made;
  }

  /** Lets one be another operation on the same key, worth posting until then. @param {Own} own @param {Op} op @param {number} until */
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
    if (kind === 'deleteEntity') this.bury();
  }

  /** @private */
  bury() {
    this.dead = replica();
    for (const { op } of this.all) if (op.kind === 'deleteEntity') merge(this.dead, op);
  }

  /** Those on an entity, its deletion included. @param {number} entity @returns {Iterable<Own>} */
  of(entity) {
    return this.byEntity.get(entity) ?? [];
  }

  /** Those on a key. @param {number} entity @param {number} component */
  on(entity, component) {
    return [...this.of(entity)].filter(
      ({ op }) => op.kind !== 'deleteEntity' && op.component === component,
    );
  }

  // ---- on their way ----

  /** Drops what is not worth posting any more. @param {number} now @returns {Own[]} */
  expire(now) {
    const done = [...this.all].filter(
      (own) => own.due && (own.until <= now || this.isOutdone(own)),
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
   * The next batch, of operations with the same mark; null if one is in flight or there is nothing to post.
   *
   * @returns {{ ops: Op[], mark: number | null } | null}
   */
  take() {
    if (this.flying) return null;
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
    this.flying = batch;
    return { ops: batch.map(({ op }) => op), mark: batch[0].mark };
  }

  /** Whether a later one sets the same value. @private @param {Own} own */
  isOutdone({ op: { kind, entity, component, timestamp } }) {
    if (kind === 'append' || kind === 'deleteEntity') return false;
    return this.on(entity, component).some(({ op }) => op.timestamp > timestamp);
  }

  /** The batch in flight was judged: what came of it is told on the stream. */
  delivered() {
    this.flying = null;
  }

  /** Nobody knows whether the batch in flight was judged: it is posted again. */
  failed() {
    for (const own of this.flying ?? []) own.due = true;
    this.flying = null;
  }

  /**
   * The batch in flight was refused whole.
   *
   * @param {number} [because] the index of the operation because of which; missing: all of them
   * @returns {Own[]} those that came to nothing; the others are posted again
   */
  refusedWhole(because) {
    const batch = this.flying ?? [];
    this.failed();
    const lost = (because !== undefined && batch[because] ? [batch[because]] : batch).filter(
      (own) => this.all.has(own),
    );
    for (const own of lost) this.drop(own);
    return lost;
  }

  /** What became of what was posted may have been lost with a stream: all is posted again (C17). */
  again() {
    for (const own of this.all) own.due = true;
  }

  // ---- what becomes of them ----

  /**
   * Drops those that are in the room, or can have no effect there any more.
   *
   * @param {Replica} room
   * @param {Iterable<number>} [entities] where something has changed; missing: anywhere
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
   * One was refused. Of a message each key is answered once (C11), so this holds for all on that key in the same one, from there on.
   *
   * @param {{ entity: number, component: number, timestamp: number }} which
   * @returns {Own[]} those that came to nothing, none if that one does not wait any more
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

  /** What is worth being kept. @returns {Own[]} */
  lasting() {
    return [...this.all].filter(({ until }) => until === Number.POSITIVE_INFINITY);
  }

  /** These are kept now, and nothing else. @param {Own[]} kept */
  saved(kept) {
    for (const own of kept) own.saved = own.op;
  }

  /** Another page has taken over what was kept, and may post it: what has been changed since is to win against that. */
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
