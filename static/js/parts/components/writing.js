/**
 * Writes components (docs/protocol/component.md): pending operations with the next timestamp (C1),
 * shown at once. While nobody else has an operation, another write to the same value replaces it.
 * No DOM.
 *
 * @module
 */

import { COMPONENTS, limitOf } from './registry.js';
import { EMPTY, MAX_TIMESTAMP } from './wire.js';
import * as crdt from './crdt.js';
import { compareBytes, timestampOf } from './crdtread.js';
import { classOf, isClearing } from './entities.js';
import { PATIENCE } from './questions.js';

/** @typedef {import('./wire.js').Op} Op */
/** @typedef {import('./ownops.js').Own} Own */
/** @template V @typedef {import('./registry.js').Component<V>} Component */
/** @template A @typedef {import('./questions.js').Asked<A>} Asked */

/** Milliseconds for which posting a ping is useful: it shows where somebody points now. */
const FLEETING = 3000;

export class Writing {
  /**
   * @param {import('./shown.js').Shown} shown
   * @param {import('./questions.js').Questions} questions
   * @param {object} on
   * @param {() => number} on.now returns milliseconds
   * @param {() => void} on.written something has to be posted
   * @param {() => void} on.erasing operations that the browser keeps are about to be dropped;
   *   another page may have taken them over. Operations that are dropped before `erased` is called
   *   leave no trace
   * @param {() => void} on.erased
   * @param {(op: Op) => void} on.tooMany it could not be written, because too many operations are
   *   pending
   */
  constructor(shown, questions, on) {
    this.shown = shown;
    this.own = shown.own;
    this.questions = questions;
    this.on = on;
  }

  /**
   * @template V
   * @param {number} entity
   * @param {Component<V>} component
   * @param {V} message
   * @param {number} n
   */
  put(entity, component, message, n) {
    const data = encode(entity, component, message, n);
    const before = this.shown.data(entity, component.number + n);
    if (before && compareBytes(before, data) === 0) return true;
    return (
      this.write({ kind: 'put', entity, component: component.number + n, timestamp: 0, data }) !==
      null
    );
  }

  /** @param {number} entity @param {Component<any>} component @param {number} n */
  remove(entity, component, n) {
    const number = component.number + n;
    if (!this.shown.data(entity, number)) return true;
    return (
      this.write({ kind: 'delete', entity, component: number, timestamp: 0, data: EMPTY }) !== null
    );
  }

  /** @template V @param {number} entity @param {Component<V>} component @param {V} message */
  append(entity, component, message) {
    const data = encode(entity, component, message, 0);
    const until =
      component.number === COMPONENTS.ping.number
        ? this.on.now() + FLEETING
        : Number.POSITIVE_INFINITY;
    return (
      this.write(
        { kind: 'append', entity, component: component.number, timestamp: 0, data },
        until,
      ) !== null
    );
  }

  /** @param {number} entity */
  removeEntity(entity) {
    if (classOf(entity) !== 'stroke' && !isClearing(entity))
      throw new RangeError(`entity ${entity} is not deleted as a whole`);
    const { shown, own } = this;
    /** @type {Op} */
    const op = { kind: 'deleteEntity', entity, component: 0, timestamp: 0, data: EMPTY };
    if (shown.isDeleted(entity)) return true;
    const dead = crdt.replica();
    crdt.merge(dead, op);
    const given = [...own.all].filter(
      (o) => o.op.kind !== 'deleteEntity' && crdt.isDeleted(dead, o.op.entity),
    );
    const isKept = given.some(({ saved }) => saved);
    if (isKept) this.on.erasing();
    shown.markWithin(op);
    for (const o of given) if (!o.shared) own.drop(o);
    if (isKept) this.on.erased();
    if (!isClearing(entity) && !shown.room.entities.has(entity) && !own.byEntity.has(entity))
      return true; // nobody else knows of it
    if (own.isFull(0)) {
      this.on.tooMany(op);
      return false;
    }
    own.add(op);
    this.on.written();
    return true;
  }

  /**
   * @template Q, A
   * @param {number} entity
   * @param {Component<Q>} question
   * @param {Component<A>} answer
   * @param {Q} message
   * @returns {Promise<Asked<A>>}
   */
  ask(entity, question, answer, message) {
    const data = encode(entity, question, message, 0);
    const asked = this.write(
      { kind: 'put', entity, component: question.number, timestamp: 0, data },
      this.on.now() + PATIENCE,
    );
    if (!asked) return Promise.resolve({ state: 'refused' });
    const onExpired = () => {
      this.own.drop(asked);
      this.shown.mark(entity, question.number);
    };
    return this.questions.ask(
      asked.op,
      (bytes) => /** @type {any} */ (this.shown.decoded(answer, bytes)),
      onExpired,
    );
  }

  /**
   * @private
   * @param {Op} wish the operation without its timestamp
   * @param {number} [until] time after which posting it is useless
   * @returns {Own | null} null if it could not be written
   */
  write(wish, until = Number.POSITIVE_INFINITY) {
    const { own, shown } = this;
    const { entity, component, data } = wish;
    if (shown.isDeleted(entity)) return null;
    const others = own.on(entity, component);
    const draft = limitOf(component) > 0 ? undefined : others.find(({ shared }) => !shared);
    const settled = others.filter((o) => o !== draft).map(({ op }) => op.timestamp);
    const last = Math.max(
      timestampOf(shown.room, entity, component),
      draft?.above ?? 0,
      ...settled,
    );
    if (last >= MAX_TIMESTAMP) return null;
    const op = { ...wish, timestamp: last + 1 };
    if (!draft && own.isFull(data.length)) {
      this.on.tooMany(op);
      return null;
    }
    if (draft) own.change(draft, op, until);
    const made = draft ?? own.add(op, { until });
    shown.mark(entity, component);
    this.on.written();
    return made;
  }
}

/**
 * @template V
 * @param {number} entity
 * @param {Component<V>} component
 * @param {V} message
 * @param {number} n
 */
function encode(entity, component, message, n) {
  if (classOf(entity) !== component.of)
    throw new RangeError(`entity ${entity} has no component ${component.number}`);
  if (component.number + n > component.last)
    throw new RangeError(`there is no component ${component.number + n}`);
  const data = component.encode(message);
  if (data.length > component.size)
    throw new RangeError(`${data.length} bytes of component ${component.number}`);
  return data;
}
