/**
 * What events consist of: pieces, seats, the table, sets, numbers of pieces and rounds of
 * randomness. They are tables for net/protobuf.js, as server/proto/holt.proto defines the messages.
 *
 * @module
 */

import { ABSENCES, PRESENCES, ROLES } from './enums.js';
import {
  bool,
  bytes,
  hex,
  many,
  nested,
  number,
  numbers,
  one,
  oneOf,
  sint32,
  string,
  uint32,
  uint53,
} from './protobuf.js';

/** @typedef {import('./protobuf.js').Message} Message */

/** @type {Message} */
const CLOCK = {
  fields: {
    1: number('running', uint32),
    2: number('since', uint53),
    3: number('left1', uint32),
    4: number('left2', uint32),
    5: number('initial', uint32),
    6: number('increment', uint32),
  },
  empty: () => ({ running: 0, since: 0, left1: 0, left2: 0, initial: 0, increment: 0 }),
};

/** @type {Message} */
const TEAM = { fields: { 1: numbers('seats', uint32) }, empty: () => ({ seats: [] }) };

const PIECE_FIELDS = {
  1: number('id', uint32),
  2: number('mark', uint53),
  3: number('kind', uint32),
  4: number('x', sint32),
  5: number('y', sint32),
  6: number('angle', uint32),
  7: number('face', uint32),
  8: bytes('z', string),
  9: number('zMark', uint53),
  10: number('pinned', bool),
  11: number('locked', bool),
  12: number('holder', uint32),
  13: number('owner', uint32),
  14: number('gone', bool),
  15: one('clock', CLOCK),
  16: number('renamed', uint32),
  17: number('value', sint32),
  18: bytes('text', string),
  19: bytes('team', (r, end) => nested(r, end, TEAM).seats),
  20: number('set', uint32),
};

/** What has changed of a piece. @type {Message} */
export const PATCH = { fields: PIECE_FIELDS, empty: () => ({ id: 0, mark: 0 }) };

/**
 * A piece with every field. Only some pieces have `clock`, `value`, `text`, `team` and `set`.
 *
 * @type {Message}
 */
export const FULL_PIECE = { fields: PIECE_FIELDS, empty: () => fullPiece({ id: 0, mark: 0 }) };

/**
 * The piece that a complete patch describes: what it leaves out is zero, empty or false.
 *
 * @param {import('../types.js').PiecePatch} patch
 * @returns {import('../types.js').FullPiece}
 */
export function fullPiece(patch) {
  return {
    kind: 0,
    x: 0,
    y: 0,
    angle: 0,
    face: 0,
    z: '',
    zMark: 0,
    pinned: false,
    locked: false,
    holder: 0,
    owner: 0,
    gone: false,
    ...patch,
  };
}

/** @type {Message} */
export const TABLE = {
  fields: {
    1: bytes('title', string),
    2: number('width', uint32),
    3: number('height', uint32),
    4: bytes('surface', string),
    5: bytes('catalog', hex),
  },
  empty: () => ({ title: '', width: 0, height: 0, surface: '', catalog: '' }),
};

/** @type {Message} */
export const SEAT = {
  fields: {
    1: number('id', uint32),
    2: bytes('nick', string),
    3: number('colour', uint32),
    4: number('role', oneOf(ROLES)),
    6: number('presence', oneOf(PRESENCES, 'gone')),
    7: bytes('home', string),
    8: number('number', uint32),
    9: number('left', uint32),
    10: number('linkBy', uint32),
    11: number('linkAt', uint53),
    12: number('linkUsed', uint53),
  },
  empty: () => ({ id: 0, nick: '', colour: 0, role: 'unspecified', presence: 'gone' }),
};

/** @type {Message} */
export const SET = {
  fields: {
    1: number('id', uint32),
    2: number('by', uint32),
    3: number('away', oneOf(ABSENCES, 'lost')),
    4: number('until', uint53),
    5: number('gone', bool),
  },
  empty: () => ({ id: 0, by: 0, away: '', until: 0, gone: false }),
};

/** @type {Message} */
export const HOLDS = {
  fields: { 1: number('piece', uint32), 2: numbers('kinds', uint32), 3: numbers('counts', uint32) },
  empty: () => ({ piece: 0, kinds: [], counts: [] }),
};

/** @type {Message} */
const SHARE = {
  fields: { 1: number('seat', uint32), 2: bytes('hash', hex), 3: bytes('entropy', hex) },
  empty: () => ({ seat: 0, hash: '', entropy: '' }),
};

/** @type {Message} */
export const RANDOMNESS = {
  fields: {
    1: number('round', uint32),
    2: bytes('commitment', hex),
    3: number('mix', uint32),
    4: number('revealing', bool),
    5: bytes('closing', hex),
    6: bytes('pool', hex),
    7: many('shares', SHARE),
  },
  empty: () => ({
    round: 0,
    commitment: '',
    mix: 0,
    revealing: false,
    closing: '',
    pool: '',
    shares: [],
  }),
};
