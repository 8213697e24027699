/**
 * The registry of the components of a table (docs/protocol/component.md, C14) with the messages
 * that they hold, as in server/components/schema. docs/protocol/vectors/components.json tests both.
 * No DOM, no state.
 *
 * This module does not check bounds: the server checks data in both directions.
 *
 * @module
 */

import {
  bool,
  bytes,
  decode,
  MalformedError,
  many,
  number,
  numbers,
  one,
  sint32,
  string,
  uint32,
  uint53,
} from '../../net/protobuf.js';
import { Writer } from '../../net/writer.js';

/** @typedef {import('../../net/protobuf.js').Field} Field */
/** @typedef {import('../../net/protobuf.js').Message} Message */
/** @typedef {import('./entities.js').Class} Class */
/**
 * Who may write a component, beside the server.
 * @typedef {'host'|'player'|'self'|'author'|'server'} Who
 */

/** @typedef {{text: string}} Text */
/**
 * The name is empty for a colour, or for the surface of the game.
 * @typedef {{name: string, colour?: number}} Surface
 */
/** @typedef {{width: number, height: number}} Size */
/** @typedef {{form: number, pitch: number, x: number, y: number, snap: boolean}} Grid */
/** @typedef {{links: {text: string, address: string}[]}} Links */
/** @typedef {{nick: string, colour: number, pronoun: string, away: boolean}} Profile */
/** Only for pieces on bridges of flat form (C19). @typedef {{piece: number}} Identity */
/** @typedef {{colour: number}} Tint */
/** @typedef {{colour: number, width: number}} Stroke */
/**
 * The first place, then differences. Both lists have the same length.
 * @typedef {{x: number[], y: number[]}} Points
 */
/** @typedef {{seat: number}} Seat */
/** @typedef {{seat: number, x: number, y: number, time: number}} Ping */
/** @typedef {{}} Nothing */
/**
 * Without a face there is a reason (T14).
 * @typedef {{of: number, face?: number, reason: number}} RollResult
 */
/** Reason 0: it was shuffled. @typedef {{of: number, reason: number}} ShuffleResult */
/** @typedef {{x: number, y: number}} HitTest */
/** The uppermost first. @typedef {{of: number, pieces: number[]}} HitTestResult */
/** A place, if `piece` is 0. @typedef {{piece: number, x: number, y: number}} Spot */
/** @typedef {{from: Spot, to: Spot}} Measure */
/**
 * Without a distance there is a reason (T14).
 * @typedef {{of: number, distance?: number, reason: number}} MeasureResult
 */

/** The forms of a grid, by number. */
export const FORMS = ['none', 'squares', 'hexagons'];

/**
 * A sort of field: how it is read and written, and its value if it is missing. Without `none` a
 * missing field stays missing.
 *
 * @typedef {object} Sort
 * @property {(name: string) => Field} read
 * @property {(w: Writer, field: number, value: any) => void} write
 * @property {() => unknown} [none]
 */

/**
 * @template V
 * @typedef {{ message: Message, write: (value: V) => Writer }} Schema
 */

const UTF8 = new TextEncoder();

/** @type {Sort} */
const uint = {
  read: (name) => number(name, uint32),
  write: (w, n, v) => w.uint(n, v),
  none: () => 0,
};

/** @type {Sort} */
const long = { ...uint, read: (name) => number(name, uint53) };

/** @type {Sort} */
const sint = {
  read: (name) => number(name, sint32),
  write: (w, n, v) => w.sint(n, v),
  none: () => 0,
};

/** @type {Sort} */
const yes = {
  read: (name) => number(name, bool),
  write: (w, n, v) => w.uint(n, v ? 1 : 0),
  none: () => false,
};

/** @type {Sort} an optional number: 0 differs from missing */
const maybe = { read: (name) => number(name, uint32), write: writeMaybe };

/** @type {Sort} */
const text = { read: (name) => bytes(name, string), write: writeText, none: () => '' };

/** @type {Sort} */
const uints = {
  read: (name) => numbers(name, uint32),
  write: (w, n, v) => w.uints(n, v),
  none: () => [],
};

/** @type {Sort} */
const sints = {
  read: (name) => numbers(name, sint32),
  write: (w, n, v) => w.sints(n, v),
  none: () => [],
};

/** @param {Writer} w @param {number} field @param {number|undefined} value */
function writeMaybe(w, field, value) {
  if (value === 0) w.out.push(field * 8, 0);
  else if (value !== undefined) w.uint(field, value);
}

/** @param {Writer} w @param {number} field @param {string} value */
function writeText(w, field, value) {
  if (value === '') return;
  const inner = new Writer();
  for (const byte of UTF8.encode(value)) inner.out.push(byte);
  w.message(field, inner);
}

/** A message inside a message. @param {Schema<any>} of @returns {Sort} */
const nested = (of) => ({
  read: (name) => one(name, of.message),
  write: (w, n, v) => void w.message(n, of.write(v)),
});

/** A list of messages inside a message. @param {Schema<any>} of @returns {Sort} */
const list = (of) => ({
  read: (name) => many(name, of.message),
  write: (w, n, all) => {
    for (const v of all) w.message(n, of.write(v));
  },
  none: () => [],
});

/**
 * Makes a schema from the fields of a message, in the order of their numbers, which count from 1.
 *
 * @template V
 * @param {[name: string, sort: Sort][]} fields
 * @returns {Schema<V>}
 */
function schema(...fields) {
  return {
    message: {
      fields: Object.fromEntries(fields.map(([name, { read }], i) => [i + 1, read(name)])),
      empty: () =>
        Object.fromEntries(fields.flatMap(([name, { none }]) => (none ? [[name, none()]] : []))),
    },
    write(/** @type {any} */ value) {
      const w = new Writer();
      for (const [i, [name, { write }]] of fields.entries()) write(w, i + 1, value[name]);
      return w;
    },
  };
}

const TEXT = /** @type {Schema<Text>} */ (schema(['text', text]));
const SURFACE = /** @type {Schema<Surface>} */ (schema(['name', text], ['colour', maybe]));
const SIZE = /** @type {Schema<Size>} */ (schema(['width', uint], ['height', uint]));
const GRID = /** @type {Schema<Grid>} */ (
  schema(['form', uint], ['pitch', uint], ['x', sint], ['y', sint], ['snap', yes])
);
const LINKS = /** @type {Schema<Links>} */ (
  schema(['links', list(schema(['text', text], ['address', text]))])
);
const PROFILE = /** @type {Schema<Profile>} */ (
  schema(['nick', text], ['colour', uint], ['pronoun', text], ['away', yes])
);
const IDENTITY = /** @type {Schema<Identity>} */ (schema(['piece', uint]));
const TINT = /** @type {Schema<Tint>} */ (schema(['colour', uint]));
const STROKE = /** @type {Schema<Stroke>} */ (schema(['colour', uint], ['width', uint]));
const POINTS = /** @type {Schema<Points>} */ (schema(['x', sints], ['y', sints]));
const SEAT = /** @type {Schema<Seat>} */ (schema(['seat', uint]));
const PING = /** @type {Schema<Ping>} */ (
  schema(['seat', uint], ['x', sint], ['y', sint], ['time', long])
);
const NOTHING = /** @type {Schema<Nothing>} */ (schema());
const ROLLED = /** @type {Schema<RollResult>} */ (
  schema(['of', uint], ['face', maybe], ['reason', uint])
);
const SHUFFLED = /** @type {Schema<ShuffleResult>} */ (schema(['of', uint], ['reason', uint]));
const PLACE = /** @type {Schema<HitTest>} */ (schema(['x', sint], ['y', sint]));
const HITS = /** @type {Schema<HitTestResult>} */ (schema(['of', uint], ['pieces', uints]));
const SPOT = nested(schema(['piece', uint], ['x', sint], ['y', sint]));
const MEASURE = /** @type {Schema<Measure>} */ (schema(['from', SPOT], ['to', SPOT]));
const MEASURED = /** @type {Schema<MeasureResult>} */ (
  schema(['of', uint], ['distance', maybe], ['reason', uint])
);

/**
 * What the registry says of a component, or of a run of components that differ only by number.
 *
 * @template V the message that it holds
 */
export class Component {
  /**
   * @param {number} number
   * @param {Class} of
   * @param {Who} who
   * @param {number} size
   * @param {Schema<V>} schema
   * @param {{last?: number, set?: number, answer?: number, personal?: boolean}} [more]
   */
  constructor(
    number,
    of,
    who,
    size,
    schema,
    { last = number, set = 0, answer = 0, personal = false } = {},
  ) {
    this.number = number;
    /** The last number of a run; the number of the component itself if there is no run. */
    this.last = last;
    this.of = of;
    this.who = who;
    /** The greatest size in bytes; of a set that of each element. */
    this.size = size;
    /** The number of elements that a set keeps; 0: it is a value. */
    this.set = set;
    /** The component in which the server answers; 0: it is not a question (C18). */
    this.answer = answer;
    /** Whether only the seat to which it belongs receives it. */
    this.personal = personal;
    /** @private */
    this.schema = schema;
  }

  /** @param {V} value @returns {Uint8Array<ArrayBuffer>} */
  encode(value) {
    return this.schema.write(value).bytes();
  }

  /**
   * @param {Uint8Array} data
   * @returns {V}
   * @throws {MalformedError}
   */
  decode(data) {
    const value = decode(data, this.schema.message);
    if (this.schema.message === POINTS.message && value.x.length !== value.y.length)
      throw new MalformedError('columns of different lengths');
    return value;
  }
}

/** The registry. The number of an answer is that of its question plus 1. */
export const COMPONENTS = {
  title: new Component(3001, 'table', 'host', 384, TEXT),
  surface: new Component(3002, 'table', 'host', 64, SURFACE),
  size: new Component(3003, 'table', 'host', 16, SIZE),
  grid: new Component(3004, 'table', 'host', 32, GRID),
  links: new Component(3005, 'table', 'host', 4096, LINKS),
  profile: new Component(3010, 'seat', 'self', 288, PROFILE),
  identity: new Component(3015, 'piece', 'server', 8, IDENTITY),
  label: new Component(3020, 'piece', 'player', 192, TEXT),
  tint: new Component(3021, 'piece', 'player', 8, TINT),
  remark: new Component(3022, 'piece', 'player', 4096, TEXT),
  sheet: new Component(3030, 'sheet', 'player', 384, TEXT),
  row: new Component(3031, 'row', 'player', 192, TEXT),
  stroke: new Component(3040, 'stroke', 'author', 32, STROKE),
  points: new Component(3041, 'stroke', 'author', 1024, POINTS, { set: 256 }),
  author: new Component(3042, 'stroke', 'server', 8, SEAT),
  ping: new Component(3050, 'table', 'player', 32, PING, { set: 32 }),
  roll: new Component(3060, 'piece', 'player', 32, NOTHING, { answer: 3061 }),
  rollResult: new Component(3061, 'piece', 'server', 32, ROLLED),
  shuffle: new Component(3062, 'piece', 'player', 32, NOTHING, { answer: 3063 }),
  shuffleResult: new Component(3063, 'piece', 'server', 32, SHUFFLED),
  hitTest: new Component(3064, 'seat', 'self', 64, PLACE, { answer: 3065, personal: true }),
  hitTestResult: new Component(3065, 'seat', 'server', 4096, HITS, { personal: true }),
  measure: new Component(3066, 'seat', 'self', 64, MEASURE, { answer: 3067, personal: true }),
  measureResult: new Component(3067, 'seat', 'server', 64, MEASURED, { personal: true }),
  column: new Component(3100, 'sheet', 'player', 192, TEXT, { last: 3131 }),
  cell: new Component(3100, 'row', 'player', 192, TEXT, { last: 3131 }),
};

/**
 * Returns the number of elements that a set keeps; 0 for a value (C6).
 * @param {number} component
 */
export function limitOf(component) {
  return Object.values(COMPONENTS).find((c) => c.number === component)?.set ?? 0;
}
