/**
 * Encodes and decodes operations on components (docs/protocol/component.md, C8 and C10): a
 * WireMessage, as server/proto/component.proto defines it. docs/protocol/vectors/crdt.json tests it
 * against the server's. No DOM, no state.
 *
 * @module
 */

import {
  at,
  bool,
  decode,
  MalformedError,
  many,
  message,
  nameIn,
  one,
  raw,
  uint32,
  uint53,
} from '../../net/protobuf.js';
import { Writer } from '../../net/writer.js';

/** @typedef {'put' | 'delete' | 'deleteEntity' | 'append'} Kind */

/**
 * An operation. Only operations travel between replicas. What a kind does not use is 0 or empty.
 *
 * @typedef {object} Op
 * @property {Kind} kind
 * @property {number} entity up to 2^53-1
 * @property {number} component up to 2^32-1; of put, delete, append
 * @property {number} timestamp from 1, of an append from 0, up to 2^32-1; of put, delete, append
 * @property {Uint8Array} data at most MAX_DATA bytes; of put, append
 */

/**
 * A message.
 *
 * @typedef {object} WireMessage
 * @property {Op[]} ops
 * @property {Uint8Array} [digest] digest of the sender's replica: DIGEST_SIZE bytes (C20)
 * @property {boolean} [asks] whether the receiver is asked for its digest; missing: no
 */

/** The greatest length of data, in bytes. */
export const MAX_DATA = 65_536;
/** The greatest timestamp. */
export const MAX_TIMESTAMP = 2 ** 32 - 1;
/** The length of a digest, in bytes: 256 sums of 8. */
export const DIGEST_SIZE = 2048;
/** No data. */
export const EMPTY = new Uint8Array();

/** @type {Record<number, Kind>} */
const KINDS = { 1: 'put', 2: 'delete', 3: 'deleteEntity', 4: 'append' };
/** @type {Record<Kind, number>} */
const NUMBERS = { put: 1, delete: 2, deleteEntity: 3, append: 4 };

// ---- encoding ----

/**
 * Encodes a message.
 *
 * @param {WireMessage} message
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function encodeMessage({ ops, digest, asks = false }) {
  const w = new Writer();
  for (const op of ops) w.message(1, operation(op));
  if (digest) {
    const inner = new Writer().raw(1, digest);
    inner.uint(2, asks ? 1 : 0);
    w.message(15, inner);
  }
  return w.bytes();
}

/**
 * Encodes one operation as it stands in a message, without its length. Digests hash this (C20).
 *
 * @param {Op} op
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function encodeOperation(op) {
  return operation(op).bytes();
}

/** @param {Op} op */
function operation(op) {
  const w = new Writer();
  w.uint(1, NUMBERS[op.kind]);
  w.uint(2, op.entity);
  w.uint(3, op.component);
  w.uint(4, op.timestamp);
  if (hasData(op)) w.raw(5, op.data);
  return w;
}

/** @param {Op} op */
function hasData(op) {
  return op.kind === 'put' || op.kind === 'append';
}

// ---- decoding ----

/**
 * Decodes a message and checks all of it. It skips operations of unknown kinds; any other fault
 * makes the whole message malformed (C10). The data of operations shares the bytes of the message.
 *
 * @param {Uint8Array} message
 * @returns {WireMessage}
 * @throws {MalformedError}
 */
export function decodeMessage(message) {
  const { operations, digest } = decode(message, WIRE_MESSAGE);
  const read = { ops: operations.map(known).filter(Boolean) };
  if (!digest) return read;
  if (!digest.sums) throw new MalformedError('a digest without sums');
  return { ...read, digest: digest.sums, asks: digest.asks };
}

/**
 * Returns the operation that was read; undefined if its kind is unknown.
 *
 * @param {{kind: Kind | 'unspecified', entity: number, component: number, timestamp: number, data?:
 *   Uint8Array}} read
 * @returns {Op | undefined}
 */
function known({ kind, entity, component, timestamp, data }) {
  switch (kind) {
    case 'put':
    case 'delete':
      if (timestamp === 0) throw new MalformedError('a timestamp of 0');
      if (kind === 'put' && data) return { kind, entity, component, timestamp, data };
      return { kind: 'delete', entity, component, timestamp, data: EMPTY };
    case 'append':
      return { kind, entity, component, timestamp, data: data ?? EMPTY };
    case 'deleteEntity':
      return { kind, entity, component: 0, timestamp: 0, data: EMPTY };
    default:
      return undefined;
  }
}

/**
 * A field of bytes that may have some lengths only.
 *
 * @param {string} what
 * @param {(length: number) => boolean} isRight
 */
function bounded(what, isRight) {
  return {
    ...raw,
    read: (/** @type {[any, number]} */ ...at) => {
      const data = raw.read(...at);
      if (!isRight(data.length)) throw new MalformedError(`${data.length} bytes of ${what}`);
      return data;
    },
  };
}

const OPERATION = message(
  {
    kind: nameIn(KINDS),
    entity: uint53,
    component: uint32,
    timestamp: uint32,
    data: bounded('data', (length) => length <= MAX_DATA),
  },
  () => ({ kind: 'unspecified', entity: 0, component: 0, timestamp: 0 }),
);

const DIGEST = message(
  { sums: bounded('digest', (length) => length === DIGEST_SIZE), asks: bool },
  () => ({ asks: false }),
);

const WIRE_MESSAGE = message({ operations: many(OPERATION), digest: at(15, one(DIGEST)) }, () => ({
  operations: [],
}));
