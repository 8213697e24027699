/**
 * Keeps pending operations in the browser, for the next page or for another one that is open. Each
 * page has an entry of its own, under the table, the seat and the page. No DOM.
 *
 * A page that finds the entry of another page takes it over: it adds the operations to its own
 * entry and removes the other. So nothing is lost, in whatever order pages close. If two pages have
 * the same operations, both post them, which does no harm (C4). A page whose entry is gone knows
 * that another page has the operations.
 *
 * @module
 */

import { decodeMessage, encodeMessage } from './wire.js';
import { KEPT } from '../../relay/components.js';

/** @typedef {import('./wire.js').Op} Op */

/**
 * An operation, and the version up to which its writer's view was complete.
 * @typedef {{ op: Op, mark: number }} Kept
 */

/**
 * The functions of a browser's store that this module uses.
 * @typedef {Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>} Store
 */

/**
 * @typedef {object} Keep
 * @property {(seat: number, epoch: number, kept: Kept[]) => boolean} save keeps operations; returns
 *   whether that worked
 * @property {() => boolean} isTaken returns whether another page has taken over the operations that
 *   were saved last
 * @property {(seat: number, epoch: number) => { kept: Kept[], lost: number, done: () => void }}
 *   findOthers returns the operations that other pages have left. `lost` counts the operations of
 *   another epoch (T19), which are not returned. The caller calls `done` when it has saved the
 *   rest.
 */

/**
 * Creates the entry of a page.
 * @param {{ storage: () => Store, table: string, page: string }} where `storage` and everything
 *   that it returns may throw
 * @returns {Keep}
 */
export function createKeep({ storage, table, page }) {
  let last = ''; // name of this page's entry, as far as is known; empty: none
  return { save, isTaken, findOthers };

  /** @type {Keep['save']} */
  function save(seat, epoch, kept) {
    const key = nameOf(seat) + page;
    try {
      if (kept.length > 0) storage().setItem(key, write(epoch, kept));
      else if (last) storage().removeItem(last);
      last = kept.length > 0 ? key : '';
      return true;
    } catch {
      return false; // there is no store, or it is full; this page still has the operations
    }
  }

  function isTaken() {
    try {
      return last !== '' && storage().getItem(last) === null;
    } catch {
      return false;
    }
  }

  /** @type {Keep['findOthers']} */
  function findOthers(seat, epoch) {
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
        // it will be found again, which does no harm
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

/**
 * Encodes an entry: the epoch, then each version with a message of the operations made at it.
 * @param {number} epoch
 * @param {Kept[]} kept
 */
function write(epoch, kept) {
  const marks = new Set(kept.map(({ mark }) => mark));
  const messages = Array.from(marks, (mark) => {
    const ops = kept.filter((k) => k.mark === mark).map(({ op }) => op);
    return `${mark} ${toText(encodeMessage({ ops }))}`;
  });
  return [epoch, ...messages].join(' ');
}

/**
 * Decodes an entry; returns nothing if it is damaged.
 * @param {string} entry
 * @returns {{ epoch: number, kept: Kept[] }}
 */
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

/**
 * @param {string} text
 * @throws {RangeError} if it is not a possible version or epoch
 */
function numberIn(text) {
  const n = Number(text);
  if (text === '' || !Number.isSafeInteger(n) || n < 0) throw new RangeError(text);
  return n;
}

/**
 * @param {Uint8Array} bytes
 * @returns {string} base64
 */
function toText(bytes) {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** @param {string} text */
function fromText(text) {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}
