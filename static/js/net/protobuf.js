/**
 * A reader of protobuf messages, driven by tables that describe them. It has what the stream needs and no
 * more: varints up to 2^53-1 and lists of them, texts, bytes, messages. It takes one step per byte at most,
 * whatever the bytes are. No DOM, no state.
 *
 * A number that a JavaScript number cannot hold exactly is an error and not another number.
 *
 * @module
 */

/** What is not in protobuf encoding, or beyond the bounds of this reader. */
export class MalformedError extends Error {
  /** @override */
  name = 'MalformedError';
}

/**
 * Reads a message.
 *
 * @param {Uint8Array} bytes all of it
 * @param {Message} message
 * @returns {any}
 * @throws {MalformedError}
 */
export function decode(bytes, message) {
  return readMessage({ bytes, at: 0 }, bytes.length, message, message.empty());
}

/** @typedef {{ bytes: Uint8Array, at: number }} Reader */

// Wire types.
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const GROUP = 3;
const GROUP_END = 4;
const FIXED32 = 5;

/** How deep unknown groups may lie in each other. */
const MAX_DEPTH = 16;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A field of a message. `message` is set if it is one itself; then `read` is not used.
 *
 * @typedef {object} Field
 * @property {string} name
 * @property {number} wire
 * @property {(r: Reader, end: number) => unknown} [read]
 * @property {Message} [message]
 * @property {boolean} [many] whether each occurrence is one more
 * @property {boolean} [list] whether it is a list of numbers; they come packed, or each as a field of its own
 */

/**
 * @typedef {object} Message
 * @property {Record<number, Field>} fields by their numbers
 * @property {() => any} empty what a message without fields means
 * @property {boolean} [oneof] whether it holds one of its fields; `type` says which
 */

/**
 * Reads a message that ends at `end` into `target`.
 *
 * @param {Reader} r
 * @param {number} end
 * @param {Message} message
 * @param {any} target
 */
function readMessage(r, end, message, target) {
  while (r.at < end) {
    const tag = uint(r, end, 2 ** 32 - 1);
    const wire = tag & 7;
    const number = tag >>> 3;
    if (number === 0) throw new MalformedError('field number 0');
    const field = message.fields[number];
    if (!field || (field.wire !== wire && !(field.list && wire === VARINT))) skip(r, end, wire, number, 0);
    else if (message.oneof) target = readMember(r, end, field, target);
    else if (field.list) readNumbers(r, end, wire, field, target[field.name]);
    else readField(r, end, field, target);
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
  if (!field.message) {
    target[field.name] = /** @type {NonNullable<Field['read']>} */ (field.read)(r, end);
    return;
  }
  const to = lengthPrefix(r, end);
  if (field.many) {
    target[field.name] ??= [];
    target[field.name].push(readMessage(r, to, field.message, field.message.empty()));
  } else target[field.name] = readMessage(r, to, field.message, target[field.name] ?? field.message.empty());
}

/**
 * Reads more numbers of a list: one, or all that are packed together.
 *
 * @param {Reader} r
 * @param {number} end
 * @param {number} wire
 * @param {Field} field
 * @param {unknown[]} list
 */
function readNumbers(r, end, wire, field, list) {
  const read = /** @type {NonNullable<Field['read']>} */ (field.read);
  if (wire === VARINT) {
    list.push(read(r, end));
    return;
  }
  const to = lengthPrefix(r, end);
  while (r.at < to) list.push(read(r, to));
}

/**
 * Reads a member of a oneof: the last one counts, and parts of the same one are put together. Objects are
 * made anew because `type` comes first in them. A member that is no message is the only field of the object, beside `type`.
 *
 * @param {Reader} r
 * @param {number} end
 * @param {Field} field
 * @param {any} before
 */
function readMember(r, end, field, before) {
  const { message, name, read } = field;
  if (!message) return { type: name, [name]: read?.(r, end) };
  const to = lengthPrefix(r, end);
  const start = before.type === field.name ? before : { type: field.name, ...message.empty() };
  return readMessage(r, to, message, start);
}

/**
 * Skips a value of a field that is not known here.
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
 * Reads the length of what follows and returns where it ends.
 *
 * @param {Reader} r
 * @param {number} end
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
 * Reads a varint of up to 64 bits; one above 2^53 is only nearly the number that it returns.
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

// ---- readers of a value: each leaves `r.at` behind it, at most at `end` ----

/** @type {(r: Reader, end: number) => number} */
export const uint32 = (r, end) => uint(r, end, 2 ** 32 - 1);

/** @type {(r: Reader, end: number) => number} */
export const uint53 = (r, end) => uint(r, end, Number.MAX_SAFE_INTEGER);

/** @type {(r: Reader, end: number) => number} */
export const sint32 = (r, end) => {
  const zigzag = uint32(r, end);
  return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
};

/** @type {(r: Reader, end: number) => boolean} */
export const bool = (r, end) => varint(r, end) !== 0;

/** @type {(r: Reader, end: number) => Uint8Array} part of the bytes that are read */
export const raw = (r, end) => {
  const to = lengthPrefix(r, end);
  const bytes = r.bytes.subarray(r.at, to);
  r.at = to;
  return bytes;
};

/** @type {(r: Reader, end: number) => string} */
export const string = (r, end) => {
  try {
    return UTF8.decode(raw(r, end));
  } catch (error) {
    if (error instanceof MalformedError) throw error;
    throw new MalformedError('a text that is not UTF-8');
  }
};

/** @type {(r: Reader, end: number, message: Message) => any} a message that stands for something simpler */
export const nested = (r, end, message) => readMessage(r, lengthPrefix(r, end), message, message.empty());

/** @type {(r: Reader, end: number) => string} */
export const hex = (r, end) => Array.from(raw(r, end), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * @param {Record<number, string>} names
 * @param {string} [other] what an enumerator means that has no name here
 * @returns {(r: Reader, end: number) => string} an enumerator by its name
 */
export const oneOf =
  (names, other = 'unspecified') =>
  (r, end) =>
    names[varint(r, end)] ?? other;

// ---- fields, for the tables ----

/** @type {(name: string, read: NonNullable<Field['read']>) => Field} */
export const number = (name, read) => ({ name, wire: VARINT, read });

/** @type {(name: string, read: NonNullable<Field['read']>) => Field} */
export const bytes = (name, read) => ({ name, wire: BYTES, read });

/** @type {(name: string, read: NonNullable<Field['read']>) => Field} */
export const numbers = (name, read) => ({ name, wire: BYTES, read, list: true });

/** @type {(name: string, message: Message) => Field} */
export const one = (name, message) => ({ name, wire: BYTES, message });

/** @type {(name: string, message: Message) => Field} */
export const many = (name, message) => ({ name, wire: BYTES, message, many: true });
