/**
 * How what components are of is numbered (docs/protocol/component.md, C13), as server/components/schema has it. Numbers go up to
 * 2^53 - 1. No DOM, no state.
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
const LOT = 2 ** 20;

/** When the seconds of strokes began: 2020-01-01 UTC, in milliseconds. */
const START = 1_577_836_800_000;

/** @param {number} entity @returns {Class} what an entity is, by its number alone */
export function classOf(entity) {
  if (entity === TABLE) return 'table';
  if (entity === SHEET) return 'sheet';
  if (entity >= FIRST_ROW && entity <= LAST_ROW) return 'row';
  if (entity > SEATS && entity <= SEATS + MAX_SEATS) return 'seat';
  if (entity > PIECES && entity <= PIECES + MAX_NAME) return 'piece';
  return entity >= STROKES && entity % LOT !== 0 ? 'stroke' : 'nothing';
}

/** @param {number} seat */
export const entityOfSeat = (seat) => SEATS + seat;

/** @param {number} entity of a seat */
export const seatOf = (entity) => entity - SEATS;

/** @param {number} name of a piece, as it is called now (T21) */
export const entityOfPiece = (name) => PIECES + name;

/** @param {number} entity of a piece */
export const pieceOf = (entity) => entity - PIECES;

/** @param {number} ms the server's time, in milliseconds since the Unix epoch @returns {number} in seconds since 2020 */
export const secondAt = (ms) => Math.min(Math.max(Math.floor((ms - START) / 1000), 0), 2 ** 32 - 1);

/** @param {number} second in which a stroke is made @param {number} lot drawn by lot, from 1 to 2^20 - 1 */
export const entityOfStroke = (second, lot) => STROKES + second * LOT + lot;

/** @param {number} entity of a stroke @returns {number} the second in which it was made, as its maker says */
export const secondOf = (entity) => Math.floor((entity - STROKES) / LOT);

/** Whether an entity is one by whose deletion all strokes go that were made before a second (C16). @param {number} entity */
export const isClearing = (entity) => entity >= STROKES && entity % LOT === 0;

/** The entity by whose deletion all strokes go that were made before a second (C16). @param {number} second */
export const clearing = (second) => entityOfStroke(second, 0);
