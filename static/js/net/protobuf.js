/**
 * Reads and writes protobuf messages by descriptions of them, which scripts/operations makes from
 * the files in server/proto. It knows what the page needs: varints up to 2^53-1 and lists of them,
 * texts, bytes, messages. Its work is proportional to the number of bytes, whatever they are. No
 * DOM, no state.
 *
 * A number that a JavaScript number cannot hold exactly is an error.
 *
 * @module
 */

import { Writer } from './writer.js';

/** The bytes are not in protobuf encoding, or beyond the bounds of this reader. */
export class MalformedError extends Error {
  /** @override */
  name = 'MalformedError';
}

/**
 * Reads a message.
 *
 * @template V
 * @param {Uint8Array} bytes all of it
 * @param {Message<V>} message
 * @returns {V}
 * @throws {MalformedError}
 */
export function decode(bytes, message) {
  return readMessage({ bytes, at: 0 }, bytes.length, message, message.empty());
}

/**
 * Writes a message.
 *
 * @template V
 * @param {V} value its numbers within the bounds of their fields
 * @param {Message<V>} message
 * @returns {Writer}
 */
export function encode(value, message) {
  const w = new Writer();
  for (const field of Object.values(message.fields)) {
    const own = ownValue(value, field);
    if (own !== undefined) field.write(w, field.number, own);
  }
  return w;
}

/**
 * What a field has of a value; undefined: nothing.
 *
 * @param {any} value
 * @param {Field} field
 */
function ownValue(value, { name, oneof, message }) {
  if (!oneof) return value[name];
  const member = value[oneof];
  if (member?.type !== name) return undefined;
  return message ? member : member[name];
}

/** @typedef {{ bytes: Uint8Array, at: number }} Reader */

// Wire types.
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const GROUP = 3;
const GROUP_END = 4;
const FIXED32 = 5;

/** How deep unknown groups may be nested. */
const MAX_DEPTH = 16;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A sort of field.
 *
 * @typedef {object} Sort
 * @property {number} wire
 * @property {(r: Reader, end: number, before?: any) => any} read reads a value, or an element of a
 *   list. `before` is what an earlier part of the same message said.
 * @property {(w: Writer, number: number, value: any) => void} write
 * @property {Message<any> | undefined} message what it holds
 * @property {boolean} many whether it is a list of values that are not packed
 * @property {boolean} packed whether it is a list of numbers, packed or each as a field of its own
 * @property {number} number of the field; 0: it follows the one before it
 */

/**
 * A field of a message. `oneof` is to which it belongs; empty: to none.
 *
 * @typedef {Sort & { name: string, oneof: string }} Field
 */

/**
 * @template V
 * @typedef {object} Message
 * @property {Record<number, Field>} fields by their numbers
 * @property {() => V} empty makes what a message without fields means
 */

/**
 * Reads a message that ends at `end` into `target`.
 *
 * @param {Reader} r
 * @param {number} end
 * @param {Message<any>} message
 * @param {any} target
 */
function readMessage(r, end, message, target) {
  while (r.at < end) {
    const tag = uint(r, end, 2 ** 32 - 1);
    const wire = tag & 7;
    const number = tag >>> 3;
    if (number === 0) throw new MalformedError('field number 0');
    const field = message.fields[number];
    if (field?.wire === wire) readField(r, end, field, target);
    else if (field?.packed && wire === VARINT) target[field.name].push(field.read(r, end));
    else skip(r, end, wire, number, 0);
  }
  return target;
}

/**
 * @param {Reader} r
 * @param {number} end
 * @param {Field} field
 * @param {any} target
 */
function readField(r, end, field, target) {
  const { name } = field;
  if (field.oneof) target[field.oneof] = readMember(r, end, field, target[field.oneof]);
  else if (field.packed) {
    const to = lengthPrefix(r, end);
    while (r.at < to) target[name].push(field.read(r, to));
  } else if (field.many) {
    target[name] ??= [];
    target[name].push(field.read(r, end));
  } else target[name] = field.read(r, end, field.message && target[name]);
}

/**
 * Reads a member of a oneof. The last member counts, and parts of the same one are merged. A member
 * that is not a message is the only field of the object, beside `type`.
 *
 * @param {Reader} r
 * @param {number} end
 * @param {Field} field
 * @param {any} before
 */
function readMember(r, end, { message, name, read }, before) {
  if (!message) return { type: name, [name]: read(r, end) };
  return read(r, end, before?.type === name ? before : { type: name, ...message.empty() });
}

/**
 * Skips a value of an unknown field.
 *
 * @param {Reader} r
 * @param {number} end
 * @param {number} wire
 * @param {number} number of the field
 * @param {number} depth
 */
function skip(r, end, wire, number, depth) {
  switch (wire) {
    case VARINT:
      varint(r, end);
      return;
    case FIXED64:
      forward(r, end, 8);
      return;
    case BYTES:
      r.at = lengthPrefix(r, end);
      return;
    case GROUP:
      skipGroup(r, end, number, depth + 1);
      return;
    case FIXED32:
      forward(r, end, 4);
      return;
    default:
      throw new MalformedError(`wire type ${wire}`);
  }
}

/**
 * @param {Reader} r
 * @param {number} end
 * @param {number} number of the group
 * @param {number} depth
 */
function skipGroup(r, end, number, depth) {
  if (depth > MAX_DEPTH) throw new MalformedError('groups too deep');
  for (;;) {
    const tag = uint(r, end, 2 ** 32 - 1);
    const inner = tag >>> 3;
    if (inner === 0) throw new MalformedError('field number 0');
    if ((tag & 7) !== GROUP_END) {
      skip(r, end, tag & 7, inner, depth);
      continue;
    }
    if (inner !== number) throw new MalformedError('the end of another group');
    return;
  }
}

/**
 * Reads the length of a value.
 *
 * @param {Reader} r
 * @param {number} end
 * @returns {number} where the value ends
 */
function lengthPrefix(r, end) {
  const length = uint(r, end, Number.MAX_SAFE_INTEGER);
  if (length > end - r.at) throw new MalformedError('cut short');
  return r.at + length;
}

/**
 * @param {Reader} r
 * @param {number} end
 * @param {number} n
 */
function forward(r, end, n) {
  if (n > end - r.at) throw new MalformedError('cut short');
  r.at += n;
}

/**
 * Reads a varint of up to 64 bits. What it returns for one above 2^53 is not exact.
 *
 * @param {Reader} r
 * @param {number} end
 */
function varint(r, end) {
  let value = 0;
  let weight = 1;
  for (let i = 0; i < 10; i++) {
    if (r.at >= end) throw new MalformedError('cut short');
    const byte = r.bytes[r.at++];
    value += (byte & 0x7f) * weight;
    weight *= 128;
    if (byte < 0x80) {
      if (i === 9 && byte > 1) break;
      return value;
    }
  }
  throw new MalformedError('a varint of more than 64 bits');
}

/**
 * @param {Reader} r
 * @param {number} end
 * @param {number} max at most 2^53-1
 */
function uint(r, end, max) {
  const value = varint(r, end);
  if (value > max) throw new MalformedError(`a number above ${max}`);
  return value;
}

// ---- sorts of fields ----

/**
 * All sorts have the same properties in the same order, because reading them is faster then.
 *
 * @param {number} wire
 * @param {Sort['read']} read
 * @param {Sort['write']} write
 * @param {Message<any>} [message]
 * @returns {Sort}
 */
const sort = (wire, read, write, message) => ({
  wire,
  read,
  write,
  message,
  many: false,
  packed: false,
  number: 0,
});

/** @type {(read: Sort['read'], write: Sort['write']) => Sort} */
const packed = (read, write) => ({ ...sort(BYTES, read, write), packed: true });

/** @type {(r: Reader, end: number) => number} */
export const readUint32 = (r, end) => uint(r, end, 2 ** 32 - 1);

/** @type {(r: Reader, end: number) => number} */
const readSint32 = (r, end) => {
  const zigzag = readUint32(r, end);
  return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
};

/** @type {(r: Reader, end: number) => Uint8Array} a view of the bytes of the message */
const readRaw = (r, end) => {
  const to = lengthPrefix(r, end);
  const bytes = r.bytes.subarray(r.at, to);
  r.at = to;
  return bytes;
};

/** @type {(r: Reader, end: number) => string} */
const readString = (r, end) => {
  const bytes = readRaw(r, end);
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new MalformedError('a text that is not UTF-8');
  }
};

/** @type {(r: Reader, end: number) => string} */
const readHex = (r, end) =>
  Array.from(readRaw(r, end), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @type {Sort['write']} */
const writeUint = (w, number, value) => w.uint(number, value);

export const uint32 = sort(VARINT, readUint32, writeUint);

export const uint53 = sort(VARINT, (r, end) => uint(r, end, Number.MAX_SAFE_INTEGER), writeUint);

export const sint32 = sort(VARINT, readSint32, (w, number, value) => w.sint(number, value));

export const bool = sort(
  VARINT,
  (r, end) => varint(r, end) !== 0,
  (w, number, value) => w.uint(number, value ? 1 : 0),
);

export const string = sort(BYTES, readString, (w, number, value) => w.string(number, value));

/** Bytes as hexadecimal digits. */
export const hex = sort(BYTES, readHex, (w, number, value) => w.hex(number, value));

/** Bytes as they are. */
export const raw = sort(BYTES, readRaw, (w, number, value) => w.raw(number, value));

export const uint32s = packed(readUint32, (w, number, value) => w.uints(number, value));

export const sint32s = packed(readSint32, (w, number, value) => w.sints(number, value));

/**
 * An enumerator that is read as its name. The page writes none.
 *
 * @param {Record<number, string>} names
 * @param {string} [other] the name of an unknown one
 * @returns {Sort}
 */
export const nameIn = (names, other = 'unspecified') => ({
  ...uint32,
  read: (r, end) => names[varint(r, end)] ?? other,
});

/** @type {(message: Message<any>) => Sort} */
export const one = (message) =>
  sort(
    BYTES,
    (r, end, before = message.empty()) =>
      readMessage(r, lengthPrefix(r, end), message, before),
    (w, n, value) => w.message(n, encode(value, message)),
    message,
  );

/** @type {(message: Message<any>) => Sort} */
export const many = (message) => ({
  ...one(message),
  write: (w, n, values) => {
    for (const value of values) w.message(n, encode(value, message));
  },
  many: true,
});

/**
 * The list in a message that has nothing else. It is sent in full: of several the last one counts.
 *
 * @param {Message<any>} message
 * @param {string} name
 * @returns {Sort}
 */
export const listIn = (message, name) => ({
  ...one(message),
  read: (r, end) => readMessage(r, lengthPrefix(r, end), message, message.empty())[name],
});

/** A number of which a 0 is written, too. @param {Sort} number @returns {Sort} */
export const maybe = (number) => ({
  ...number,
  write: (w, n, value) => (value === 0 ? w.zero(n) : number.write(w, n, value)),
});

/**
 * Returns a sort with the number of its field.
 *
 * @param {number} number
 * @param {Sort} sort
 * @returns {Sort}
 */
export const at = (number, sort) => ({ ...sort, number });

/**
 * Describes a message. A field has the number after that of the field before it, or that which `at`
 * says.
 *
 * @param {Record<string, Sort>} fields
 * @param {() => any} empty makes what a message without fields means
 * @param {Record<string, Record<string, Sort>>} [oneofs] alternatives, behind the other fields:
 *   each is read as an object with `type`
 * @returns {Message<any>}
 */
export function message(fields, empty, oneofs = {}) {
  /** @type {Message<any>['fields']} */
  const byNumber = {};
  let last = 0;
  for (const [oneof, members] of Object.entries({ '': fields, ...oneofs })) {
    for (const [name, sort] of Object.entries(members)) {
      last = sort.number || last + 1;
      byNumber[last] = { ...sort, number: last, name, oneof };
    }
  }
  return { fields: byNumber, empty };
}
