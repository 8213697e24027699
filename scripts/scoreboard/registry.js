/**
 * The components that only bridges have (docs/protocol/component.md, C23), with the messages that
 * they hold. scripts/operations makes them from server/components/schema.
 *
 * @module
 */

export { DERIVED } from './schema.js';

/** @typedef {{title: string, width: number, height: number, surface: string}} About */
/**
 * @typedef {{name: string, colour: number, role: number, presence: number, home: string,
 *   number: number}} Person
 */
/** @typedef {{number: number, name: string, ability: string}} Kind */
/** @typedef {{x: number, y: number, angle: number, z: string, owner: number}} Place */
/** @typedef {{face: number, name: string, value: number, text: string}} Face */
/** @typedef {{count: number}} Contents */
/**
 * @typedef {{running: number, since: number, left1: number, left2: number, up: boolean,
 *   sides: number}} Clock
 */
/** @typedef {{seat: number}} Seat */
