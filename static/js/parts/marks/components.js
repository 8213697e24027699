// Reads and writes the labels, tints and remarks of pieces in the replica of components
// (docs/protocol/component.md, C14).

import { sharedOf } from '../../parts.js';

/** @typedef {import('../../state.js').State} State */

/**
 * The label, tint and remark of a piece.
 * @typedef {object} Written
 * @property {string} label empty: none
 * @property {number} tint 0xRRGGBB; -1: none
 * @property {string} remark empty: none
 * @property {boolean} unsent whether some of it has not been sent, because there is no connection
 */

/** @typedef {{label: {text: string}, tint: {colour: number}, remark: {text: string}}} Messages */

/** Their names in the registry. @type {(keyof Messages)[]} */
const KINDS = ['label', 'tint', 'remark'];

/**
 * @param {State} s
 * @param {number} id id of a piece
 * @returns {Written}
 */
export function writtenOn(s, id) {
  const { replica, COMPONENTS, entities } = sharedOf(s);
  const entity = entities.entityOfPiece(id);
  return {
    label: replica.get(entity, COMPONENTS.label)?.text ?? '',
    tint: replica.get(entity, COMPONENTS.tint)?.colour ?? -1,
    remark: replica.get(entity, COMPONENTS.remark)?.text ?? '',
    unsent:
      s.link.state !== 'online' && KINDS.some((kind) => replica.pending(entity, COMPONENTS[kind])),
  };
}

/**
 * Writes a label, tint or remark on a piece, or removes it.
 * @template {keyof Messages} K
 * @param {State} s
 * @param {number} id id of the piece
 * @param {K} kind
 * @param {Messages[K]|null} message null: remove it
 */
export function writeOn(s, id, kind, message) {
  const { replica, COMPONENTS, entities } = sharedOf(s);
  const entity = entities.entityOfPiece(id);
  const component = /** @type {import('../components/registry.js').Component<Messages[K]>} */ (
    /** @type {unknown} */ (COMPONENTS[kind])
  );
  if (message) replica.put(entity, component, message);
  else replica.remove(entity, component);
}

/**
 * Returns the pieces among entities that have changed.
 * @param {State} s
 * @param {Iterable<number>} changed
 * @returns {number[]}
 */
export function piecesIn(s, changed) {
  const { classOf, pieceOf } = sharedOf(s).entities;
  return [...changed].filter((entity) => classOf(entity) === 'piece').map(pieceOf);
}

/** Returns all pieces on which something is written. @param {State} s @returns {number[]} */
export function allWritten(s) {
  const { replica, entities: { entityOfPiece } } = sharedOf(s);
  return piecesIn(s, replica.entities(entityOfPiece(1), entityOfPiece(2 ** 21)));
}
