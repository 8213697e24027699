// Reads the doors in the replica of components (docs/protocol/component.md, C14).

import { sharedOf } from '../../parts.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {{title: string, server: string, why: Why}} Door */
/** @typedef {''|'refused'|'gone'|'unreachable'} Why */

/** Why a door is closed, by its state (O50). @type {Why[]} */
const STATES = ['', 'refused', 'gone', 'unreachable'];

/** Returns the door that a piece is. @param {State} s @param {number} id @returns {Door|null} */
export function doorOn(s, id) {
  const { replica, COMPONENTS, entities } = sharedOf(s);
  const door = replica.get(entities.entityOfPiece(id), COMPONENTS.door);
  return door ? { title: door.title, server: door.server, why: STATES[door.state] ?? '' } : null;
}

/** Returns the pieces among entities. @param {State} s @param {Iterable<number>} entities */
export function piecesAmong(s, entities) {
  const { classOf, pieceOf } = sharedOf(s).entities;
  return [...entities].filter((e) => classOf(e) === 'piece').map(pieceOf);
}

/** Returns all pieces that may be doors. @param {State} s */
export function allPieces(s) {
  const { replica, entities: { entityOfPiece } } = sharedOf(s);
  return piecesAmong(s, replica.entities(entityOfPiece(1), entityOfPiece(2 ** 21)));
}
