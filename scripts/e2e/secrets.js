// What must not leak: secret kinds, and what was sent to a person.

import assert from 'node:assert/strict';
import { decodeFrame, idsOf } from '../../static/js/net/wire.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./party.js').Person} Person */

/**
 * The kinds of the table's catalogue that are secret.
 *
 * @param {Page} page
 * @returns {Promise<number[]>}
 */
export async function secretKinds(page) {
  const found = await page.evaluate(async () => {
    const hash = document.querySelector('main#table')?.getAttribute('data-catalog');
    const catalog = await (await fetch(`/art/${hash}`)).json();
    return catalog.kinds.flatMap((/** @type {any} */ kind, /** @type {number} */ i) =>
      kind.secret ? [i] : [],
    );
  });
  assert.ok(found.length >= 52, 'there are cards');
  return found;
}

/** Every kind that a person's stream has brought. @param {Person} person */
export function kindsReceived(person) {
  const kinds = new Set();
  for (const event of eventsReceived(person)) {
    if (event.type === 'faces') for (const kind of event.kinds) kinds.add(kind);
    const patches =
      event.type === 'full'
        ? event.pieces
        : 'piece' in event && typeof event.piece === 'object'
          ? [event.piece]
          : [];
    for (const patch of patches) if (patch.kind !== undefined) kinds.add(patch.kind);
  }
  return [...kinds];
}

/** Every event that a person's stream has brought, in order. @param {Person} person */
export function eventsReceived({ watch }) {
  assert.ok(watch.frames.length > 0, 'something was received');
  return watch.frames.flatMap((message) => decodeFrame(message).events);
}

/**
 * Every name of a piece that a person's stream has brought.
 *
 * @param {Person} person
 * @returns {Set<number>}
 */
export function namesReceived(person) {
  const names = new Set();
  for (const event of eventsReceived(person)) for (const name of namesIn(event)) names.add(name);
  return names;
}

/**
 * The names of pieces in an event.
 *
 * @param {import('../../static/js/types.js').FrameEvent} event
 * @returns {number[]}
 */
function namesIn(event) {
  switch (event.type) {
    case 'full':
      return [...event.pieces.map((p) => p.id), ...(event.holds ?? []).map((h) => h.piece)];
    case 'update':
      return [event.piece.id, event.piece.renamed ?? 0];
    case 'ack':
      return [event.piece.id, event.piece.renamed ?? 0, event.made];
    case 'reject':
      return [event.piece.id];
    case 'shuffled':
      return event.pieces;
    case 'motions':
      return idsOf(event);
    case 'holds':
    case 'notice':
    case 'faces':
      return [event.piece];
    default: // it names no piece
      return [];
  }
}

/** Every body of an HTTP answer that a person's browser gets from now on. */
export class Answers {
  /** @type {Promise<{path: string, body: Buffer}>[]} */
  #coming = [];

  /** @param {Person} person */
  constructor({ page }) {
    page.on('response', (response) => {
      const { pathname: path } = new URL(response.url());
      this.#coming.push(
        response.body().then(
          (body) => ({ path, body }), () => ({ path, body: Buffer.alloc(0) }),
        ),
      ); // broken off: nobody has it
    });
  }

  all() {
    return Promise.all(this.#coming);
  }
}

/**
 * Every number in a message in protobuf encoding, at any depth, known or not. A field with a length
 * is read as a message and as a list of numbers, if it can be either.
 *
 * @param {Uint8Array} message
 * @returns {Set<number>}
 */
export function numbersIn(message) {
  /** @type {Set<number>} */
  const found = new Set();
  const walk = (/** @type {Uint8Array} */ bytes) => {
    const fields = fieldsOf(bytes) ?? [];
    for (const value of fields) {
      if (typeof value === 'number') found.add(value);
      else {
        walk(value);
        for (const n of packedIn(value) ?? []) found.add(n);
      }
    }
  };
  walk(message);
  return found;
}

/**
 * The values of a message's fields; null if these bytes are not a message.
 *
 * @param {Uint8Array} bytes
 * @returns {(number|Uint8Array)[]|null}
 */
function fieldsOf(bytes) {
  const values = [];
  for (let at = 0; at < bytes.length; ) {
    const key = varint(bytes, at);
    if (!key || key.value < 8) return null;
    at = key.next;
    const type = key.value % 8;
    if (type === 0 || type === 2) {
      const read = varint(bytes, at);
      if (!read) return null;
      at = read.next;
      if (type === 0) values.push(read.value);
      else {
        if (at + read.value > bytes.length) return null;
        values.push(bytes.subarray(at, at + read.value));
        at += read.value;
      }
    } else if (type === 1 || type === 5) at += type === 1 ? 8 : 4;
    else return null;
    if (at > bytes.length) return null;
  }
  return values;
}

/** A list of numbers without keys; null if these bytes are not one. @param {Uint8Array} bytes */
function packedIn(bytes) {
  const values = [];
  for (let at = 0; at < bytes.length; ) {
    const read = varint(bytes, at);
    if (!read) return null;
    values.push(read.value);
    at = read.next;
  }
  return values;
}

/** @param {Uint8Array} bytes @param {number} at */
function varint(bytes, at) {
  let value = 0;
  for (let i = 0; i < 10 && at + i < bytes.length; i++) {
    value += (bytes[at + i] & 0x7f) * 2 ** (7 * i);
    if (bytes[at + i] < 0x80) return { value, next: at + i + 1 };
  }
  return null;
}
