/**
 * Replicas of components: values that have no single owner and merge (docs/protocol/component.md,
 * C1 to C7). Replicas that have merged the same operations, in any order and any number of times,
 * hold the same state.
 *
 * It does the same as the server's package crdt: the same state and outcomes
 * (docs/protocol/vectors/crdt.json tests both). This module makes and changes replicas;
 * parts/components/crdtread.js reads them. It has no DOM, no clock, no socket, and does not check
 * rights.
 *
 * @module
 */

import { EMPTY, MAX_DATA, MAX_TIMESTAMP } from './wire.js';
import { compareBytes, entityOp, timestampOf, valueOp } from './crdtread.js';

/** @typedef {import('./wire.js').Op} Op */

/**
 * The value under a key, whose `data` is null if it is deleted; or an element of a set. It never
 * changes.
 * @typedef {{ timestamp: number, data: Uint8Array | null }} Entry
 */

/**
 * The components of an entity: values, and sets, whose elements ascend.
 * @typedef {{ values: Map<number, Entry>, sets: Map<number, Entry[]> }} Components
 */

/**
 * @typedef {object} Replica
 * @property {(a: Uint8Array, b: Uint8Array) => number} compare orders the data of equal timestamps;
 *   a total order (C3)
 * @property {(component: number) => number} limitOf returns how many elements a set keeps; 0: the
 *   component is a value (C6)
 * @property {Map<number, Components>} entities
 * @property {Map<number, number>} versions the greatest deleted version of each number of an entity
 *   (C5)
 * @property {Set<number>} named deleted entities from 2^32 on
 * @property {Set<number>} timed deleted entities from 2^52 on, above `floor`
 * @property {number} floor all entities from 2^52 up to it are deleted; 0: none
 */

/**
 * The outcome of merging an operation (C2 to C6). `applied`: the replica has changed. `same`: it
 * had the operation already. `stale`: it has something greater, which is the correction of a value.
 * `ignored`: it ignores the operation.
 *
 * @typedef {object} Result
 * @property {'applied' | 'same' | 'stale' | 'ignored'} outcome
 * @property {Op} [correction] missing: there is nothing to answer
 */

const NUMBERS = 2 ** 16; // numbers of entities that have versions
const FIRST_NAMED = 2 ** 32;
const FIRST_TIMED = 2 ** 52;
const STROKES_PER_TIME = 2 ** 20; // numbers of one time; number 0 stands for all earlier times

/**
 * Makes an empty replica.
 *
 * @param {{ limitOf?: Replica['limitOf'], compare?: Replica['compare'] }} [config] what all
 *   replicas of a group have in common: which components are sets, by default none; and the
 *   comparator, by default that of bytes
 * @returns {Replica}
 */
export function replica({ limitOf = () => 0, compare = compareBytes } = {}) {
  const deleted = { versions: new Map(), named: new Set(), timed: new Set(), floor: 0 };
  return { compare, limitOf, entities: new Map(), ...deleted };
}

// ---- merging ----

/**
 * Merges an operation that parts/components/wire.js has read or a replica has written (C2 to C6).
 * It keeps a copy of the data.
 *
 * @param {Replica} r
 * @param {Op} op
 * @returns {Result}
 */
export function merge(r, op) {
  if (op.kind === 'deleteEntity') return markDeleted(r, op.entity);
  const limit = r.limitOf(op.component);
  if (isDeleted(r, op.entity) || limit > 0 !== (op.kind === 'append'))
    return { outcome: 'ignored' };
  return op.kind === 'append' ? add(r, op, limit) : assign(r, op);
}

/** @param {Replica} r @param {Op} op @returns {Result} */
function assign(r, op) {
  const before = r.entities.get(op.entity)?.values.get(op.component);
  const entry = entryOf(op);
  const order = before ? compareEntries(r, entry, before) : 1;
  if (order === 0) return { outcome: 'same' };
  if (before && order < 0)
    return { outcome: 'stale', correction: valueOp(op.entity, op.component, before) };
  componentsOf(r, op.entity).values.set(op.component, entry);
  return { outcome: 'applied' };
}

/** @param {Replica} r @param {Op} op @param {number} limit @returns {Result} */
function add(r, op, limit) {
  const elements = r.entities.get(op.entity)?.sets.get(op.component) ?? [];
  const entry = entryOf(op);
  let i = elements.length;
  while (i > 0 && compareEntries(r, entry, elements[i - 1]) < 0) i--;
  if (i > 0 && compareEntries(r, entry, elements[i - 1]) === 0) return { outcome: 'same' };
  if (i === 0 && elements.length >= limit) return { outcome: 'stale' };
  componentsOf(r, op.entity).sets.set(op.component, elements.toSpliced(i, 0, entry).slice(-limit));
  return { outcome: 'applied' };
}

/**
 * Returns whether merging an operation would change nothing: it has been merged, has lost, or is
 * ignored.
 *
 * @param {Replica} r
 * @param {Op} op
 */
export function covers(r, op) {
  if (isDeleted(r, op.entity)) return true;
  if (op.kind === 'deleteEntity') return false;
  const limit = r.limitOf(op.component);
  if (limit > 0 !== (op.kind === 'append')) return true;
  const { values, sets } = r.entities.get(op.entity) ?? NOTHING;
  if (limit === 0) {
    const before = values.get(op.component);
    return (
      before !== undefined &&
      compareEntries(r, op.kind === 'delete' ? { ...op, data: null } : op, before) <= 0
    );
  }
  const elements = sets.get(op.component) ?? [];
  if (elements.length >= limit && compareEntries(r, op, elements[0]) < 0) return true;
  return elements.some((element) => compareEntries(r, op, element) === 0);
}

/** @type {Components} */
const NOTHING = { values: new Map(), sets: new Map() };

/** @param {Op} op @returns {Entry} */
function entryOf({ kind, timestamp, data }) {
  return { timestamp, data: kind === 'delete' ? null : new Uint8Array(data) };
}

/**
 * Compares by timestamp, then deleted before data, then by data (C2, C3, C6).
 * @param {Replica} r
 * @param {Entry} a
 * @param {Entry} b
 */
function compareEntries(r, a, b) {
  if (a.timestamp !== b.timestamp) return a.timestamp - b.timestamp;
  if (a.data && b.data) return r.compare(a.data, b.data);
  return (a.data ? 1 : 0) - (b.data ? 1 : 0);
}

/**
 * Returns the components of an entity. Creates an empty bag if there is none.
 * @param {Replica} r
 * @param {number} entity
 * @returns {Components}
 */
function componentsOf(r, entity) {
  let found = r.entities.get(entity);
  if (!found) {
    found = { values: new Map(), sets: new Map() };
    r.entities.set(entity, found);
  }
  return found;
}

// ---- deleted entities ----

/**
 * Returns whether an entity has been deleted. A replica ignores every operation for such an entity
 * (C5).
 *
 * @param {Replica} r
 * @param {number} entity
 */
export function isDeleted(r, entity) {
  if (entity < FIRST_NAMED) return entity <= (r.versions.get(entity % NUMBERS) ?? -1);
  if (entity < FIRST_TIMED) return r.named.has(entity);
  return entity <= r.floor || r.timed.has(entity);
}

/** @param {Replica} r @param {number} entity @returns {Result} */
function markDeleted(r, entity) {
  if (isDeleted(r, entity)) return { outcome: 'same' };
  if (entity < FIRST_NAMED) {
    r.versions.set(entity % NUMBERS, entity);
    forgetIf(r, (e) => e <= entity && e % NUMBERS === entity % NUMBERS);
  } else if (entity < FIRST_TIMED) {
    r.named.add(entity);
    forget(r, entity);
  } else if (entity % STROKES_PER_TIME !== 0) {
    r.timed.add(entity);
    forget(r, entity);
  } else {
    r.floor = entity;
    for (const e of r.timed) if (e <= entity) r.timed.delete(e);
    forgetIf(r, (e) => e >= FIRST_TIMED && e <= entity);
  }
  return { outcome: 'applied' };
}

/** @param {Replica} r @param {(entity: number) => boolean} gone */
function forgetIf(r, gone) {
  for (const entity of r.entities.keys()) if (gone(entity)) r.entities.delete(entity);
}

/**
 * Drops the components of an entity without a tombstone, for entities for which nothing will come
 * again (C7). This is not an operation.
 *
 * @param {Replica} r
 * @param {number} entity
 */
export function forget(r, entity) {
  r.entities.delete(entity);
}

// ---- local writes ----

/**
 * Sets a value (C1).
 *
 * @param {Replica} r
 * @param {number} entity
 * @param {number} component
 * @param {Uint8Array} data
 * @returns {Op | undefined} the operation to send; undefined if nothing could be written, because
 *   the entity is deleted, the component is a set, or its timestamps are used up
 * @throws {RangeError} if data has more than MAX_DATA bytes
 */
export function put(r, entity, component, data) {
  return write(r, { kind: 'put', entity, component, timestamp: 0, data });
}

/**
 * Deletes a value (C1).
 *
 * @param {Replica} r
 * @param {number} entity
 * @param {number} component
 * @returns {Op | undefined} as for `put`
 */
export function remove(r, entity, component) {
  return write(r, { kind: 'delete', entity, component, timestamp: 0, data: EMPTY });
}

/**
 * Adds an element to a set, with a timestamp above all others in it (C1, C6).
 *
 * @param {Replica} r
 * @param {number} entity
 * @param {number} component
 * @param {Uint8Array} data
 * @returns {Op | undefined} as for `put`
 * @throws {RangeError} if data has more than MAX_DATA bytes
 */
export function append(r, entity, component, data) {
  return write(r, { kind: 'append', entity, component, timestamp: 0, data });
}

/**
 * Deletes an entity permanently (C5).
 *
 * @param {Replica} r
 * @param {number} entity
 * @returns {Op} the operation to send
 */
export function deleteEntity(r, entity) {
  markDeleted(r, entity);
  return entityOp(entity);
}

/** @param {Replica} r @param {Op} wish @returns {Op | undefined} */
function write(r, wish) {
  if (wish.data.length > MAX_DATA) throw new RangeError(`${wish.data.length} bytes of data`);
  const last = timestampOf(r, wish.entity, wish.component);
  if (last === MAX_TIMESTAMP) return undefined;
  const op = { ...wish, timestamp: last + 1 };
  return merge(r, op).outcome === 'applied' ? op : undefined;
}
