/**
 * What was written at a table and is not answered yet, kept in the browser: for the next page, or another one that is open. Each page has an
 * entry of its own, under the table, the seat and the page. No DOM.
 *
 * Whoever finds the entry of another page takes it over: notes it under its own name, and removes it. So nothing is lost when pages close, in
 * whatever order; if two have the same, both post it, which does not matter (C4). A page whose entry is gone knows that
 * somebody else has what was in it.
 *
 * @module
 */

import { decodeMessage, encodeMessage } from './wire.js';
import { KEPT } from '../../relay/components.js';

/** @typedef {import('./wire.js').Op} Op */

/** An operation, and the mark up to which the view of who wrote it was complete. @typedef {{ op: Op, mark: number }} Kept */

/** What is used of a browser's store. @typedef {Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>} Store */

/**
 * @typedef {object} Keep
 * @property {(seat: number, epoch: number, kept: Kept[]) => boolean} save whether it could be kept
 * @property {() => boolean} isTaken whether somebody else has taken over what was saved last
 * @property {(seat: number, epoch: number) => { kept: Kept[], lost: number, done: () => void }} found what other pages have left; `lost` counts the
 *   operations of another epoch (T19), which are forgotten. `done` is to be called when the rest has been saved.
 */

/**
 * @param {{ storage: () => Store, table: string, page: string }} where `storage` may throw, and all that it returns
 * @returns {Keep}
 */
export function createKeep({ storage, table, page }) {
  let last = ''; // the entry that is there, as far as is known
  return { save, isTaken, found };

  /** @type {Keep['save']} */
  function save(seat, epoch, kept) {
    const key = nameOf(seat) + page;
    try {
      if (kept.length > 0) storage().setItem(key, write(epoch, kept));
      else if (last) storage().removeItem(last);
      last = kept.length > 0 ? key : '';
      return true;
    } catch {
      return false; // there is no store, or it is full: this page knows it still
    }
  }

  function isTaken() {
    try {
      return last !== '' && storage().getItem(last) === null;
    } catch {
      return false;
    }
  }

  /** @type {Keep['found']} */
  function found(seat, epoch) {
    /** @type {Kept[]} */
    const kept = [];
    let lost = 0;
    /** @type {string[]} */
    const keys = [];
    try {
      keys.push(...keysIn(storage(), nameOf(seat)).filter((key) => key !== nameOf(seat) + page));
      for (const key of keys) {
        const entry = read(storage().getItem(key) ?? '');
        if (entry.epoch === epoch) kept.push(...entry.kept);
        else lost += entry.kept.length;
      }
    } catch {
      return { kept, lost, done: () => {} };
    }
    const done = () => {
      try {
        for (const key of keys) storage().removeItem(key);
      } catch {
        // it is found again, which does not matter
      }
    };
    return { kept, lost, done };
  }

  /** @param {number} seat */
  function nameOf(seat) {
    return `${KEPT}${table}.${seat}.`;
  }
}

/** @param {Store} storage @param {string} prefix */
function keysIn(storage, prefix) {
  const keys = Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? '');
  return keys.filter((key) => key.startsWith(prefix));
}

/** An entry: the epoch, then each mark with a message of what was made then. @param {number} epoch @param {Kept[]} kept */
function write(epoch, kept) {
  const marks = new Set(kept.map(({ mark }) => mark));
  const messages = Array.from(marks, (mark) => {
    const ops = kept.filter((k) => k.mark === mark).map(({ op }) => op);
    return `${mark} ${toText(encodeMessage({ ops }))}`;
  });
  return [epoch, ...messages].join(' ');
}

/** What an entry says; nothing if somebody has spoilt it. @param {string} entry @returns {{ epoch: number, kept: Kept[] }} */
function read(entry) {
  const [epoch, ...rest] = entry.split(' ');
  /** @type {Kept[]} */
  const kept = [];
  try {
    for (let i = 0; i < rest.length; i += 2) {
      for (const op of decodeMessage(fromText(rest[i + 1])).ops)
        kept.push({ op, mark: numberIn(rest[i]) });
    }
    return { epoch: numberIn(epoch), kept };
  } catch {
    return { epoch: 0, kept: [] };
  }
}

/** @param {string} text @throws {RangeError} if it is no number that could be a mark or an epoch */
function numberIn(text) {
  const n = Number(text);
  if (text === '' || !Number.isSafeInteger(n) || n < 0) throw new RangeError(text);
  return n;
}

/** @param {Uint8Array} bytes @returns {string} base64 */
function toText(bytes) {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** @param {string} text */
function fromText(text) {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}
