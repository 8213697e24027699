// What the tests of the replica of a page share.

import { COMPONENTS } from '../js/parts/components/registry.js';
import { entityOfPiece, entityOfStroke } from '../js/parts/components/entities.js';
import { Browser, Page } from './pages.js';

/** @typedef {import('../js/parts/components/wire.js').Op} Op */

const { label } = COMPONENTS;

export const PIECE = entityOfPiece(5);
export const STROKE = entityOfStroke(100, 7);
export const EMPTY = new Uint8Array();

/**
 * @template V
 * @param {number} entity
 * @param {import('../js/parts/components/registry.js').Component<V>} component
 * @param {number} timestamp
 * @param {V} value
 * @param {number} [n]
 * @returns {Op}
 */
export function put(entity, component, timestamp, value, n = 0) {
  return {
    kind: component.set > 0 ? 'append' : 'put', entity, component: component.number + n, timestamp,
    data: component.encode(value),
  };
}

/**
 * @param {number} entity
 * @param {import('../js/parts/components/registry.js').Component<any>} component
 * @param {number} timestamp
 * @returns {Op}
 */
export function gone(entity, component, timestamp) {
  return { kind: 'delete', entity, component: component.number, timestamp, data: EMPTY };
}

/** @param {number} entity @returns {Op} */
export function erased(entity) {
  return { kind: 'deleteEntity', entity, component: 0, timestamp: 0, data: EMPTY };
}

/** @param {Op} op @param {number} reason @returns {import('../js/types.js').RefusedEvent} */
export function refused({ entity, component, timestamp }, reason) {
  return { type: 'refused', entity, component, timestamp, reason };
}

/** @param {Page} page @param {number} [entity] */
export const labelOf = (page, entity = PIECE) => page.replica.get(entity, label)?.text;

/** A page that has its first full state. @param {Op[]} ops */
export function page(...ops) {
  const p = new Page(new Browser());
  p.whole(ops);
  return p;
}
