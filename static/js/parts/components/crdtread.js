/**
 * Reads replicas of components (docs/protocol/component.md): their values and sets, and the
 * operations that they consist of. parts/components/crdt.js makes and changes replicas. No DOM, no
 * state.
 *
 * @module
 */

import { EMPTY } from './wire.js';

/** @typedef {import('./wire.js').Op} Op */
/** @typedef {import('./crdt.js').Entry} Entry */
/** @typedef {import('./crdt.js').Replica} Replica */

// ---- values and sets ----

/**
 * Returns a value; undefined if there is none or it is deleted. It belongs to the replica: do not
 * change it.
 *
 * @param {Replica} r
 * @param {number} entity
 * @param {number} component
 * @returns {Uint8Array | undefined}
 */
export function get(r, entity, component) {
  return r.entities.get(entity)?.values.get(component)?.data ?? undefined;
}

/**
 * Returns the timestamp under a key; of a set the greatest one; 0 if there is nothing.
 *
 * @param {Replica} r
 * @param {number} entity
 * @param {number} component
 */
export function timestampOf(r, entity, component) {
  const found = r.entities.get(entity);
  return (found?.values.get(component) ?? found?.sets.get(component)?.at(-1))?.timestamp ?? 0;
}

/**
 * Returns the elements of a set, ascending by timestamp and then by data. They belong to the
 * replica: do not change them.
 *
 * @param {Replica} r
 * @param {number} entity
 * @param {number} component
 * @returns {readonly { timestamp: number, data: Uint8Array }[]}
 */
export function elements(r, entity, component) {
  const found = r.entities.get(entity)?.sets.get(component) ?? [];
  return /** @type {{ timestamp: number, data: Uint8Array }[]} */ (found);
}

/**
 * Returns the entities from one to another, ascending, that have components, deleted ones included.
 *
 * @param {Replica} r
 * @param {number} from
 * @param {number} to included
 */
export function entities(r, from, to) {
  return ascending(r.entities.keys()).filter((e) => e >= from && e <= to);
}

/**
 * Returns the operations that make the components of an entity.
 *
 * @param {Replica} r
 * @param {number} entity
 * @returns {Op[]} its values, then its sets, ascending
 */
export function opsOf(r, entity) {
  const found = r.entities.get(entity);
  if (!found) return [];
  const values = ascending(found.values.keys()).map((component) =>
    valueOp(entity, component, /** @type {Entry} */ (found.values.get(component))),
  );
  const elements = ascending(found.sets.keys()).flatMap((component) =>
    (found.sets.get(component) ?? []).map(({ timestamp, data }) =>
      /** @type {Op} */ ({ kind: 'append', entity, component, timestamp, data: data ?? EMPTY }),
    ),
  );
  return [...values, ...elements];
}

/**
 * Returns the operations that a replica consists of. Merged into an empty replica, they make it
 * equal.
 *
 * @param {Replica} r
 * @returns {Op[]} the deletions of entities, then the components of entities, ascending
 */
export function ops(r) {
  return [...deletions(r), ...ascending(r.entities.keys()).flatMap((e) => opsOf(r, e))];
}

/** Returns the operations that delete entities, ascending. @param {Replica} r */
function deletions(r) {
  const floor = r.floor > 0 ? [r.floor] : [];
  return ascending([...r.versions.values(), ...r.named, ...r.timed, ...floor]).map(entityOp);
}

/**
 * Returns the operation that makes the entry under a key.
 * @param {number} entity
 * @param {number} component
 * @param {Entry} entry
 * @returns {Op}
 */
export function valueOp(entity, component, { timestamp, data }) {
  return { kind: data ? 'put' : 'delete', entity, component, timestamp, data: data ?? EMPTY };
}

/** Returns the operation that deletes an entity. @param {number} entity @returns {Op} */
export function entityOp(entity) {
  return { kind: 'deleteEntity', entity, component: 0, timestamp: 0, data: EMPTY };
}

/** @param {Iterable<number>} numbers */
function ascending(numbers) {
  return Array.from(numbers).sort((a, b) => a - b);
}

/** Compares bytewise; a prefix is smaller. @param {Uint8Array} a @param {Uint8Array} b */
export function compareBytes(a, b) {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}
