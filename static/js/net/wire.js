/**
 * The messages of the stream: reads a Frame and writes an Up, as server/tables/wire/holt.proto defines them, in
 * protobuf encoding. No DOM, no state. docs/protocol/vectors/frames.json holds it to the server's types.
 *
 * @module
 */

import {
  bool,
  bytes,
  decode,
  hex,
  MalformedError,
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
import { Writer } from './writer.js';

/** @typedef {import('../types.js').Frame} Frame */
/** @typedef {import('../types.js').Up} Up */
/** @typedef {import('./protobuf.js').Message} Message */

export { MalformedError };

/** The greatest frame that is read, in bytes. The full state of 10,000 pieces takes less than a tenth. */
export const MAX_FRAME = 16 * 2 ** 20;

/**
 * Reads a frame (S3). Unknown fields and events are skipped, absent optional fields of a patch stay absent.
 *
 * @param {Uint8Array} message one message of the stream
 * @returns {Frame}
 * @throws {MalformedError} if the bytes are not a frame
 */
export function decodeFrame(message) {
  if (message.length > MAX_FRAME) throw new MalformedError(`a frame of ${message.length} bytes`);
  const frame = decode(message, FRAME);
  frame.events = frame.events.filter((/** @type {any} */ e) => e.type !== '').map(flattened); // without unknown ones
  for (const event of frame.events) {
    if (event.ids) sameLength(event.ids, event.x, event.y, event.dx, event.dy);
    if (event.type === 'holds') sameLength(event.kinds, event.counts);
    for (const { kinds, counts } of event.holds ?? []) sameLength(kinds, counts);
  }
  return frame;
}

/** What a fact is about stands beside what it is. @param {any} event */
function flattened(event) {
  if (event.type !== 'fair') return event;
  const { fact, ...rest } = event;
  return { ...rest, ...fact };
}

/** @param {number[][]} columns */
function sameLength(...columns) {
  if (columns.some(({ length }) => length !== columns[0].length)) throw new MalformedError('columns of different lengths');
}

/**
 * The ids of paths: a frame has each less the one before it.
 *
 * @param {import('../types.js').Paths} paths
 * @returns {number[]} ascending
 */
export function idsOf({ ids }) {
  let last = 0;
  return ids.map((step) => (last += step));
}

/**
 * Writes a message to the server (S9).
 *
 * @param {Up} up its numbers within the bounds that holt.proto sets
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function encodeUp(up) {
  const w = new Writer();
  switch (up.type) {
    case 'resync':
      break;
    case 'ping':
      w.uint(1, up.nonce);
      break;
    case 'motion':
      w.uint(1, up.at);
      w.uints(2, up.pieces);
      w.sints(3, up.x);
      w.sints(4, up.y);
      break;
    case 'cursor':
      w.uint(1, up.at);
      w.sint(2, up.x);
      w.sint(3, up.y);
      break;
    case 'away':
      w.uint(1, up.away ? 1 : 0);
      break;
    case 'commit':
      w.uint(1, up.round);
      w.uint(2, up.mix);
      w.hex(3, up.hash);
      break;
    case 'reveal':
      w.uint(1, up.round);
      w.uint(2, up.mix);
      w.hex(3, up.entropy);
      break;
  }
  return new Writer().message(UPS[up.type], w).bytes();
}

// ---- the messages, as in holt.proto ----

/** The members of Up. */
const UPS = { resync: 1, ping: 2, motion: 3, cursor: 4, away: 5, commit: 6, reveal: 7 };

const ROLES = { 1: 'host', 2: 'player', 3: 'spectator', 4: 'player', 5: 'spectator' }; // S20

const REASONS = {
  1: 'held',
  2: 'pinned',
  3: 'locked',
  4: 'off-table',
  5: 'gone',
  6: 'hidden',
  7: 'table-full',
  8: 'stale-loose',
  9: 'not-held',
  10: 'not-allowed',
  11: 'forgotten',
  12: 'clock',
  13: 'owned',
  14: 'not-empty',
  15: 'empty',
  16: 'range',
  17: 'cooling',
  18: 'scattered',
  19: 'away',
  20: 'log-full',
  21: 'too-much',
};

const ABSENCES = { 0: '', 1: 'creator', 2: 'owner', 3: 'frozen', 4: 'stranger', 5: 'lost' };

const PRESENCES = { 0: 'gone', 1: 'here', 2: 'away', 3: 'lost' };

const OPS = {
  1: 'grab',
  2: 'wrest',
  3: 'release',
  4: 'move',
  5: 'rotate',
  6: 'flip',
  7: 'raise',
  8: 'lower',
  9: 'setz',
  10: 'pin',
  11: 'unpin',
  12: 'lock',
  13: 'unlock',
  14: 'copy',
  15: 'delete',
  16: 'add',
  17: 'shuffle',
  18: 'start',
  19: 'pause',
  20: 'press',
  21: 'set',
  22: 'reset',
  32: 'reveal',
  33: 'respread',
  34: 'settle',
  35: 'claim',
  37: 'renew',
  38: 'merge',
  40: 'draw',
  41: 'deal',
  42: 'recall',
  43: 'cut',
  44: 'peek',
  45: 'stow',
  46: 'show',
  47: 'leave',
  48: 'give',
  49: 'share',
  50: 'unshare',
  51: 'roll',
  52: 'count',
  53: 'split',
  54: 'write',
  55: 'assign',
  56: 'pass',
  57: 'take',
  58: 'place',
};

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
const PATCH = { fields: PIECE_FIELDS, empty: () => ({ id: 0, mark: 0 }) };

/**
 * A piece with every field that it has: `clock`, `value`, `text`, `team` and `set` only some have.
 *
 * @type {Message}
 */
const WHOLE = { fields: PIECE_FIELDS, empty: () => wholePiece({ id: 0, mark: 0 }) };

/**
 * The piece that a patch describes when nothing is known of it: what is left out is zero, empty or false.
 *
 * @param {import('../types.js').PiecePatch} patch
 * @returns {import('../types.js').WholePiece}
 */
export function wholePiece(patch) {
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
const TABLE = {
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
const SEAT = {
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
const SET = {
  fields: { 1: number('id', uint32), 2: number('by', uint32), 3: number('away', oneOf(ABSENCES, 'lost')), 4: number('until', uint53), 5: number('gone', bool) },
  empty: () => ({ id: 0, by: 0, away: '', until: 0, gone: false }),
};

/** @type {Message} */
const HOLDS = {
  fields: { 1: number('piece', uint32), 2: numbers('kinds', uint32), 3: numbers('counts', uint32) },
  empty: () => ({ piece: 0, kinds: [], counts: [] }),
};

/** @type {Message} */
const SHARE = {
  fields: { 1: number('seat', uint32), 2: bytes('hash', hex), 3: bytes('entropy', hex) },
  empty: () => ({ seat: 0, hash: '', entropy: '' }),
};

/** @type {Message} */
const RANDOMNESS = {
  fields: {
    1: number('round', uint32),
    2: bytes('commitment', hex),
    3: number('mix', uint32),
    4: number('revealing', bool),
    5: bytes('closing', hex),
    6: bytes('pool', hex),
    7: many('shares', SHARE),
  },
  empty: () => ({ round: 0, commitment: '', mix: 0, revealing: false, closing: '', pool: '', shares: [] }),
};

/** @type {Message} */
const FULL = {
  fields: {
    1: number('epoch', uint53),
    2: number('you', uint32),
    3: one('table', TABLE),
    4: many('seats', SEAT),
    5: many('pieces', WHOLE),
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
    3: one('piece', WHOLE),
    4: number('by', uint32),
  },
  empty: () => ({ seq: 0, reason: 'unspecified', piece: WHOLE.empty(), by: 0 }),
};

/** @type {Message} */
const GOING = {
  fields: { 1: number('afterMs', uint32), 2: number('final', bool), 3: number('by', uint32), 4: number('seat', uint32) },
  empty: () => ({ afterMs: 0, final: false, by: 0 }),
};

/** @type {Message} */
const SAVING = { fields: { 1: bytes('trouble', string) }, empty: () => ({ trouble: '' }) };

/** @type {Message} */
const SHUFFLED = {
  fields: { 1: number('by', uint32), 2: numbers('pieces', uint32) },
  empty: () => ({ by: 0, pieces: [] }),
};

/** Columns, and no object for each point: they come many times a second. @type {Message} */
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
 * A fact of a round of randomness, by its name.
 *
 * @param {string} name
 * @param {Record<number, import('./protobuf.js').Field>} fields
 * @param {() => object} empty what it says without fields
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
    2: fact('opened', { 1: bytes('commitment', hex), 2: bytes('before', hex) }, () => ({ commitment: '', before: '' })),
    3: fact('committed', { 1: MIX, 2: number('seat', uint32), 3: bytes('hash', hex) }, () => ({ mix: 0, seat: 0, hash: '' })),
    4: fact('closed', { 1: MIX, 2: bytes('closing', hex) }, () => ({ mix: 0, closing: '' })),
    5: fact('revealed', { 1: MIX, 2: number('share', uint32), 3: bytes('entropy', hex) }, () => ({ mix: 0, share: 0, entropy: '' })),
    6: fact('mixed', { 1: MIX, 2: numbers('withheld', uint32), 3: bytes('pool', hex) }, () => ({ mix: 0, withheld: [], pool: '' })),
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
  fields: { 1: many('seats', SEAT), 2: many('sets', SET), 3: bytes('catalog', hex), 40: bytes('life', hex) },
  empty: () => ({ seats: [] }),
};

/** @type {Message} */
const SPACE = { fields: { 1: number('level', uint32), 2: number('dropped', uint32) }, empty: () => ({ level: 0, dropped: 0 }) };

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
const FRAME = {
  fields: { 1: number('time', uint53), 2: number('mark', uint53), 3: many('events', EVENT) },
  empty: () => ({ time: 0, mark: 0, events: [] }),
};
