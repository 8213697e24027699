/**
 * The events of a frame. They are tables for net/protobuf.js, as server/proto/holt.proto defines
 * the messages.
 *
 * @module
 */

import { OPS, REASONS } from './enums.js';
import { HOLDS, PATCH, RANDOMNESS, SEAT, SET, TABLE, FULL_PIECE } from './messages.js';
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
  raw,
  sint32,
  string,
  uint32,
  uint53,
} from './protobuf.js';

/** @typedef {import('./protobuf.js').Message} Message */

/** @type {Message} */
const FULL = {
  fields: {
    1: number('epoch', uint53),
    2: number('you', uint32),
    3: one('table', TABLE),
    4: many('seats', SEAT),
    5: many('pieces', FULL_PIECE),
    6: many('holds', HOLDS),
    7: one('randomness', RANDOMNESS),
    8: bytes('components', raw),
    9: many('sets', SET),
    40: bytes('life', hex),
  },
  empty: () => ({ epoch: 0, you: 0, table: TABLE.empty(), seats: [], pieces: [] }),
};

/** @type {Message} */
const UPDATE = {
  fields: { 1: one('piece', PATCH), 2: number('by', uint32), 3: number('op', oneOf(OPS)) },
  empty: () => ({ piece: PATCH.empty(), by: 0, op: 'unspecified' }),
};

/** @type {Message} */
const ACK = {
  fields: { 1: number('seq', uint53), 2: one('piece', PATCH), 3: number('made', uint32) },
  empty: () => ({ seq: 0, piece: PATCH.empty(), made: 0 }),
};

/** @type {Message} */
const REJECT = {
  fields: {
    1: number('seq', uint53),
    2: number('reason', oneOf(REASONS)),
    3: one('piece', FULL_PIECE),
    4: number('by', uint32),
  },
  empty: () => ({ seq: 0, reason: 'unspecified', piece: FULL_PIECE.empty(), by: 0 }),
};

/** @type {Message} */
const GOING = {
  fields: {
    1: number('afterMs', uint32),
    2: number('final', bool),
    3: number('by', uint32),
    4: number('seat', uint32),
  },
  empty: () => ({ afterMs: 0, final: false, by: 0 }),
};

/** @type {Message} */
const SAVING = { fields: { 1: bytes('trouble', string) }, empty: () => ({ trouble: '' }) };

/** @type {Message} */
const SHUFFLED = {
  fields: { 1: number('by', uint32), 2: numbers('pieces', uint32) },
  empty: () => ({ by: 0, pieces: [] }),
};

/**
 * Columns, and not an object for each point, because paths come many times a second.
 *
 * @type {Message}
 */
const PATHS = {
  fields: {
    1: number('lag', uint32),
    2: number('span', uint32),
    3: numbers('ids', uint32),
    4: numbers('x', sint32),
    5: numbers('y', sint32),
    6: numbers('dx', sint32),
    7: numbers('dy', sint32),
  },
  empty: () => ({ lag: 0, span: 0, ids: [], x: [], y: [], dx: [], dy: [] }),
};

/** @type {Message} */
const NOTICE = {
  fields: {
    1: number('by', uint32),
    2: number('op', oneOf(OPS)),
    3: number('piece', uint32),
    4: number('count', uint32),
    5: number('seat', uint32),
  },
  empty: () => ({ by: 0, op: 'unspecified', piece: 0, count: 0, seat: 0 }),
};

/** @type {Message} */
const FACES = {
  fields: {
    1: number('by', uint32),
    2: number('op', oneOf(OPS)),
    3: number('piece', uint32),
    4: numbers('kinds', uint32),
    5: number('face', uint32),
  },
  empty: () => ({ by: 0, op: 'unspecified', piece: 0, kinds: [], face: 0 }),
};

/**
 * The field for one kind of fact about a round of randomness.
 *
 * @param {string} name of the kind
 * @param {Record<number, import('./protobuf.js').Field>} fields
 * @param {() => object} empty what a fact without fields means
 */
function fact(name, fields, empty) {
  const message = { fields, empty: () => ({ fact: name, ...empty() }) };
  return bytes('fact', (r, end) => nested(r, end, message));
}

const MIX = number('mix', uint32);

/** @type {Message} */
const FAIR = {
  fields: {
    1: number('round', uint32),
    2: fact('opened', { 1: bytes('commitment', hex), 2: bytes('before', hex) }, () => ({
      commitment: '',
      before: '',
    })),
    3: fact('committed', { 1: MIX, 2: number('seat', uint32), 3: bytes('hash', hex) }, () => ({
      mix: 0,
      seat: 0,
      hash: '',
    })),
    4: fact('closed', { 1: MIX, 2: bytes('closing', hex) }, () => ({ mix: 0, closing: '' })),
    5: fact('revealed', { 1: MIX, 2: number('share', uint32), 3: bytes('entropy', hex) }, () => ({
      mix: 0,
      share: 0,
      entropy: '',
    })),
    6: fact('mixed', { 1: MIX, 2: numbers('withheld', uint32), 3: bytes('pool', hex) }, () => ({
      mix: 0,
      withheld: [],
      pool: '',
    })),
    7: fact(
      'drawn',
      { 1: number('audience', uint32), 2: number('number', uint32), 3: MIX, 4: bytes('seal', hex) },
      () => ({ audience: 0, number: 0, mix: 0, seal: '' }),
    ),
    8: fact('told', { 1: bytes('seed', hex) }, () => ({ seed: '' })),
  },
  empty: () => ({ round: 0, fact: { fact: 'unspecified' } }),
};

/** @type {Message} */
const REFUSED = {
  fields: {
    1: number('entity', uint53),
    2: number('component', uint32),
    3: number('timestamp', uint32),
    4: number('reason', uint32),
  },
  empty: () => ({ entity: 0, component: 0, timestamp: 0, reason: 0 }),
};

/** @type {Message} */
const PONG = { fields: { 1: number('nonce', uint53) }, empty: () => ({ nonce: 0 }) };

/** @type {Message} */
const RESUMED = {
  fields: {
    1: many('seats', SEAT),
    2: many('sets', SET),
    3: bytes('catalog', hex),
    40: bytes('life', hex),
  },
  empty: () => ({ seats: [] }),
};

/** @type {Message} */
const SPACE = {
  fields: { 1: number('level', uint32), 2: number('dropped', uint32) },
  empty: () => ({ level: 0, dropped: 0 }),
};

/** @type {Message} */
const EVENT = {
  fields: {
    1: one('full', FULL),
    2: one('update', UPDATE),
    3: one('ack', ACK),
    4: one('reject', REJECT),
    5: one('seat', SEAT),
    6: one('table', TABLE),
    7: one('going', GOING),
    8: one('shuffled', SHUFFLED),
    9: one('motions', PATHS),
    10: one('cursors', PATHS),
    11: one('pong', PONG),
    12: one('resumed', RESUMED),
    13: one('holds', HOLDS),
    14: one('notice', NOTICE),
    15: one('faces', FACES),
    16: one('fair', FAIR),
    17: bytes('components', raw),
    18: one('refused', REFUSED),
    19: one('set', SET),
    20: one('space', SPACE),
    30: one('saving', SAVING),
  },
  empty: () => ({ type: '' }),
  oneof: true,
};

/** @type {Message} */
export const FRAME = {
  fields: { 1: number('time', uint53), 2: number('mark', uint53), 3: many('events', EVENT) },
  empty: () => ({ time: 0, mark: 0, events: [] }),
};
