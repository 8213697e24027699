/**
 * The header of a guaranteed message: its number and the numbers of the messages on which it
 * depends (D6). Inside the page, numbers do not wrap; in packets they have 15 bits. No DOM.
 *
 * @module
 */

import {
  broken,
  DEPENDENCY_COST,
  exceeded,
  MAX_DEPENDENCIES,
  MESSAGE_COST,
  WINDOW,
} from './graph.js';

/**
 * The number of a message, and the lower numbers on which it depends.
 *
 * @typedef {{ number: number, deps: number[] }} Header
 */

/** Bytes that are read from the front. @typedef {{ bytes: Uint8Array, at: number }} Cursor */

const ANOTHER = 0x8000; // the highest bit of a number in a packet: another one follows
const MODULUS = 0x8000; // of numbers in packets
const WITHIN = MODULUS - 1; // the bits of a number

/** Returns the size of a header in bytes. @param {Header} header */
const headerSize = ({ deps }) => 2 + 2 * deps.length;

/**
 * Returns what a waiting message costs, in bytes: its own, those of its header, and what keeping it
 * and its dependencies takes (D14).
 *
 * @param {Header} header
 * @param {number} size size of the message, without its header
 */
export const costOf = (header, size) =>
  size + headerSize(header) + MESSAGE_COST + DEPENDENCY_COST * header.deps.length;

/**
 * @param {Header} header
 * @returns {Uint8Array}
 */
export function encodeHeader({ number, deps }) {
  const list = [number, ...deps];
  return Uint8Array.from(
    list.flatMap((n, i) => [
      ((n & WITHIN) >> 8) | (i < list.length - 1 ? ANOTHER >> 8 : 0),
      n & 0xff,
    ]),
  );
}

/**
 * Reads a header. The dependencies come in the order of the packet; some may be there twice.
 *
 * @param {Cursor} from the call moves it past the header
 * @param {number} floor floor of the receiver
 * @returns {Header}
 * @throws {import('./graph.js').CloseError}
 */
export function readHeader(from, floor) {
  let w = uint16(from);
  const number = inWindow(w, floor);
  /** @type {number[]} */
  const deps = [];
  while (w & ANOTHER) {
    if (deps.length === MAX_DEPENDENCIES) throw exceeded('too many dependencies');
    w = uint16(from);
    const back = (number - w) & WITHIN;
    if (back === 0 || back >= WINDOW || back > number)
      throw broken(`message ${number} depends on what is ${back} below`);
    deps.push(number - back);
  }
  return { number, deps };
}

/**
 * Reads the dependencies of an unguaranteed message, which has no number of its own (D23). There is
 * at least one.
 *
 * @param {Cursor} from the call moves it past them
 * @param {number} floor floor of the receiver
 * @returns {number[]}
 * @throws {import('./graph.js').CloseError}
 */
export function readDeps(from, floor) {
  /** @type {number[]} */
  const deps = [];
  for (let w = ANOTHER; w & ANOTHER; ) {
    if (deps.length === MAX_DEPENDENCIES) throw exceeded('too many dependencies');
    w = uint16(from);
    deps.push(inWindow(w, floor));
  }
  return deps;
}

/** @param {Cursor} from */
export function uint16(from) {
  if (from.bytes.length - from.at < 2) throw broken('it ends in the middle');
  return from.bytes[from.at++] * 256 + from.bytes[from.at++];
}

/** Returns the number of a message, or a floor, as packets carry it. @param {number} number */
export const wrap = (number) => number & WITHIN;

/**
 * Returns the full number of a message that a sender may send or has sent.
 *
 * @param {number} w the number in the packet
 * @param {number} floor floor of the receiver
 */
function inWindow(w, floor) {
  const ahead = (w - floor) & WITHIN;
  const number = floor + (ahead < MODULUS / 2 ? ahead : ahead - MODULUS);
  if (number < 0 || number >= floor + WINDOW) throw broken(`message ${number} at floor ${floor}`);
  return number;
}
