/**
 * The displayed state of components (docs/protocol/component.md): what the room has, with pending
 * operations on top (C17). No DOM.
 *
 * @module
 */

import { limitOf } from './registry.js';
import * as crdt from './crdt.js';
import { compareBytes, elements, get } from './crdtread.js';
import { MalformedError } from '../../net/protobuf.js';

/** @typedef {import('./wire.js').Op} Op */
/** @typedef {import('./crdt.js').Entry} Entry */
/** @typedef {import('./ownops.js').OwnOps} OwnOps */
/** @template V @typedef {import('./registry.js').Component<V>} Component */

/**
 * The entities that are shown differently from before, and which of their components.
 * @typedef {Map<number, Set<number>>} Changes
 */

export class Shown {
  /**
   * @param {OwnOps} own
   * @param {(f: () => void) => void} frame calls a function once, when the next frame is drawn
   */
  constructor(own, frame) {
    this.own = own;
    this.frame = frame;
    /** What the stream has published. */
    this.room = crdt.replica({ limitOf });
    /** Entities with pending operations, as they are shown. @type {Map<number, crdt.Replica>} */
    this.views = new Map();
    /** Decoded data; null: this page does not understand it. @type {WeakMap<Uint8Array, any>} */
    this.decodedValues = new WeakMap();
    /** @type {Changes} */
    this.changes = new Map();
    /** @type {Set<(changes: Changes) => void>} */
    this.listeners = new Set();
  }

  // ---- reading ----

  /** Returns whether an entity is permanently deleted, as it is shown. @param {number} entity */
  isDeleted(entity) {
    return crdt.isDeleted(this.of(entity), entity);
  }

  /** Returns the data of a value. @param {number} entity @param {number} component */
  data(entity, component) {
    return get(this.of(entity), entity, component);
  }

  /**
   * @template V
   * @param {number} entity
   * @param {Component<V>} component
   * @param {number} n
   * @returns {V | null}
   */
  value(entity, component, n) {
    const data = this.data(entity, component.number + n);
    return data ? this.decoded(component, data) : null;
  }

  /** @template V @param {number} entity @param {Component<V>} component @returns {V[]} */
  elements(entity, component) {
    return elements(this.of(entity), entity, component.number).flatMap(
      ({ data }) => this.decoded(component, data) ?? [],
    );
  }

  /**
   * Returns the entities of which anything is shown, from `from` on and below `below`, ascending.
   * @param {number} from
   * @param {number} below
   */
  entities(from, below) {
    const all = new Set([...this.room.entities.keys(), ...this.own.byEntity.keys()]);
    return [...all]
      .filter((entity) => entity >= from && entity < below && this.isThere(entity))
      .sort((a, b) => a - b);
  }

  /** @private @param {number} entity */
  isThere(entity) {
    const bag = this.of(entity).entities.get(entity);
    if (!bag) return false;
    for (const { data } of bag.values.values()) if (data) return true;
    return bag.sets.size > 0;
  }

  /**
   * Returns the replica that has an entity as it is shown.
   *
   * @private
   * @param {number} entity
   * @returns {crdt.Replica}
   */
  of(entity) {
    const { room, own } = this;
    const view = this.views.get(entity);
    if (view) return view;
    if (crdt.isDeleted(own.deletions, entity)) return own.deletions;
    if (!own.byEntity.has(entity)) return room;
    const made = crdt.replica({ limitOf });
    const bag = room.entities.get(entity);
    if (bag) made.entities.set(entity, { values: new Map(bag.values), sets: new Map(bag.sets) });
    for (const { op } of own.of(entity)) crdt.merge(made, op);
    this.views.set(entity, made);
    return made;
  }

  /** @template V @param {Component<V>} component @param {Uint8Array} data @returns {V | null} */
  decoded(component, data) {
    if (!this.decodedValues.has(data))
      this.decodedValues.set(data, attempt(() => component.decode(data)));
    return this.decodedValues.get(data);
  }

  // ---- the room's state ----

  /** Merges an operation that the stream has published. @param {Op} op */
  merge(op) {
    if (op.kind === 'deleteEntity') this.markWithin(op);
    if (crdt.merge(this.room, op).outcome === 'applied') this.mark(op.entity, op.component);
  }

  /**
   * Replaces everything that is known of the room. What does not change stays the same object.
   * @param {Op[]} ops
   */
  renew(ops) {
    const before = this.room;
    this.room = crdt.replica({ limitOf });
    this.views.clear();
    for (const op of ops) crdt.merge(this.room, op);
    for (const [entity, bag] of before.entities) {
      const now = this.room.entities.get(entity);
      for (const component of bag.values.keys())
        if (!now?.values.has(component)) this.mark(entity, component);
      for (const component of bag.sets.keys())
        if (!now?.sets.has(component)) this.mark(entity, component);
    }
    for (const [entity, bag] of this.room.entities) {
      const known = before.entities.get(entity);
      for (const [component, entry] of bag.values) {
        const old = known?.values.get(component);
        if (old && isSame(old, entry)) bag.values.set(component, old);
        else this.mark(entity, component);
      }
      for (const [component, list] of bag.sets) {
        const old = known?.sets.get(component) ?? [];
        const kept = list.map((entry) => find(old, entry) ?? entry);
        bag.sets.set(component, kept);
        if (old.length !== kept.length || old.some((entry, i) => entry !== kept[i]))
          this.mark(entity, component);
      }
    }
  }

  /** Drops the labels of an entity that the room has dropped (C15). @param {number} entity */
  forget(entity) {
    this.markAll(entity);
    crdt.forget(this.room, entity);
  }

  // ---- changes ----

  /** @param {number} entity @param {number} component */
  mark(entity, component) {
    this.views.delete(entity);
    if (this.changes.size === 0) this.frame(() => this.notify());
    const components = this.changes.get(entity) ?? new Set();
    this.changes.set(entity, components.add(component));
  }

  /** Marks all components of an entity as changed. @param {number} entity */
  markAll(entity) {
    const bag = this.room.entities.get(entity);
    for (const component of [...(bag?.values.keys() ?? []), ...(bag?.sets.keys() ?? [])])
      this.mark(entity, component);
    for (const { op } of this.own.of(entity)) this.mark(entity, op.component);
  }

  /** Marks all components of the entities that an operation deletes as changed. @param {Op} op */
  markWithin(op) {
    const dead = crdt.replica();
    crdt.merge(dead, op);
    for (const entity of [...this.room.entities.keys(), ...this.own.byEntity.keys()])
      if (crdt.isDeleted(dead, entity)) this.markAll(entity);
  }

  /** @private */
  notify() {
    const { changes } = this;
    this.changes = new Map();
    for (const listener of this.listeners) listener(changes);
  }
}

/**
 * Finds the element of a set that equals another one.
 *
 * @param {Entry[]} list ascending
 * @param {Entry} entry
 */
function find(list, entry) {
  let from = 0;
  for (let to = list.length; from < to; ) {
    const middle = (from + to) >> 1;
    if (list[middle].timestamp < entry.timestamp) from = middle + 1;
    else to = middle;
  }
  while (
    from < list.length &&
    list[from].timestamp === entry.timestamp &&
    !isSame(list[from], entry)
  )
    from++;
  return list[from]?.timestamp === entry.timestamp ? list[from] : undefined;
}

/** @param {Entry} a @param {Entry} b */
function isSame(a, b) {
  if (a.timestamp !== b.timestamp) return false;
  return a.data && b.data ? compareBytes(a.data, b.data) === 0 : a.data === b.data;
}

/**
 * @template T
 * @param {() => T} f
 * @returns {T | null} null if the data is malformed
 */
export function attempt(f) {
  try {
    return f();
  } catch (error) {
    if (error instanceof MalformedError) return null;
    throw error;
  }
}
