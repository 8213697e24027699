/**
 * The numbers of entities (docs/protocol/component.md, C13), as in server/components/schema.
 * Numbers go up to 2^53 - 1. No DOM, no state.
 *
 * @module
 */

/** @typedef {'nothing'|'table'|'sheet'|'row'|'seat'|'piece'|'stroke'} Class */

export const TABLE = 0;
export const SHEET = 512;
export const FIRST_ROW = 513;
export const LAST_ROW = 768;

const SEATS = 1024;
const MAX_SEATS = 2048;
const PIECES = 2 ** 32;
const MAX_NAME = 2 ** 21 - 1;
const STROKES = 2 ** 52;
const STROKES_PER_TIME = 2 ** 20;

/** The start of the seconds of strokes: 2020-01-01 UTC, in milliseconds since the Unix epoch. */
const START = 1_577_836_800_000;

/**
 * @param {number} entity
 * @returns {Class} the class of an entity, from its number alone
 */
export function classOf(entity) {
  if (entity === TABLE) return 'table';
  if (entity === SHEET) return 'sheet';
  if (entity >= FIRST_ROW && entity <= LAST_ROW) return 'row';
  if (entity > SEATS && entity <= SEATS + MAX_SEATS) return 'seat';
  if (entity > PIECES && entity <= PIECES + MAX_NAME) return 'piece';
  return entity >= STROKES && entity % STROKES_PER_TIME !== 0 ? 'stroke' : 'nothing';
}

/** @param {number} seat */
export const entityOfSeat = (seat) => SEATS + seat;

/** @param {number} entity the entity of a seat */
export const seatOf = (entity) => entity - SEATS;

/** @param {number} name the current identifier of a piece (T21) */
export const entityOfPiece = (name) => PIECES + name;

/** @param {number} entity the entity of a piece */
export const pieceOf = (entity) => entity - PIECES;

/**
 * @param {number} ms the server's time, in milliseconds since the Unix epoch
 * @returns {number} seconds since 2020
 */
export const secondAt = (ms) => Math.min(Math.max(Math.floor((ms - START) / 1000), 0), 2 ** 32 - 1);

/**
 * @param {number} second the second in which the stroke is made
 * @param {number} lot a random number from 1 to 2^20 - 1
 */
export const entityOfStroke = (second, lot) => STROKES + second * STROKES_PER_TIME + lot;

/**
 * Chooses the entity of a new stroke. A host may just have cleared all strokes up to now, with a
 * clock that is a little ahead. Then the stroke gets a later second.
 * @param {number} ms the server's time, in milliseconds since the Unix epoch
 * @param {(entity: number) => boolean} isDeleted
 * @param {() => number} [random]
 * @returns {number} 0 if there is none
 */
export function newStroke(ms, isDeleted, random = Math.random) {
  const now = secondAt(ms);
  for (let later = 0; later < 3600; later = later * 2 + 1) {
    const lot = 1 + Math.floor(random() * (STROKES_PER_TIME - 1));
    const entity = entityOfStroke(Math.min(now + later, 2 ** 32 - 1), lot);
    if (!isDeleted(entity)) return entity;
  }
  return 0;
}

/**
 * @param {number} entity the entity of a stroke
 * @returns {number} the second in which its author says that it was made
 */
export const secondOf = (entity) => Math.floor((entity - STROKES) / STROKES_PER_TIME);

/**
 * Returns whether deleting an entity deletes all strokes from before a second (C16).
 * @param {number} entity
 */
export const isClearing = (entity) => entity >= STROKES && entity % STROKES_PER_TIME === 0;

/**
 * Returns the entity whose deletion deletes all strokes from before a second (C16).
 * @param {number} second
 */
export const clearing = (second) => entityOfStroke(second, 0);
