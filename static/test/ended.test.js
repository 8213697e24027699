// What a browser keeps of a table is removed when the table is deleted or the seat has ended.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { bindBanner } from '../js/bars/banner.js';
import { ownTable } from '../js/bars/ended.js';

const TABLE = '0123456789abcdef0123456789abcdef';
const OTHER = 'fedcba9876543210fedcba9876543210';

/** A store of a browser: its keys are its own properties, as those of Storage are. */
class Store {
  /** @param {string} key */
  removeItem(key) {
    delete (/** @type {any} */ (this)[key]);
  }
}

/** An element that takes everything and shows nothing. */
class Inert extends EventTarget {
  hidden = false;
  textContent = '';
  classList = { toggle() {}, add() {} };
  append() {}
  setAttribute() {}
  removeAttribute() {}
  hasAttribute() {
    return false;
  }
  getAttribute() {
    return null;
  }
  querySelector() {
    return null;
  }
  dataset = {};
}

const GLOBALS = /** @type {any} */ (globalThis);

beforeEach(() => {
  GLOBALS.document = { createElement: () => new Inert(), createElementNS: () => new Inert() };
  for (const name of ['localStorage', 'sessionStorage']) {
    const value = Object.assign(new Store(), {
      [`holt.written.${TABLE}.1`]: 'a', [`${TABLE}`]: 'b', [`holt.written.${OTHER}.1`]: 'c',
      'holt.hint': '1',
    });
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
});

afterEach(() => {
  for (const name of ['document', 'localStorage', 'sessionStorage']) delete GLOBALS[name];
});

/**
 * What is left in both stores of a browser whose connection has this status.
 *
 * @param {import('../js/types.js').Status} status
 */
function leftAfter(status) {
  const s = /** @type {any} */ ({
    table: TABLE, page: { main: new Inert(), banner: new Inert() }, net: { status },
    bars: { draw: [], dirty: false },
    connection: { going: null }, sync: { seats: new Map(), you: 1 }, pending: { late: new Set() },
    redraw() {},
  });
  bindBanner(s, /** @type {any} */ ({ warn() {}, notice() {}, alarm() {} })).onStatus(status);
  return [GLOBALS.localStorage, GLOBALS.sessionStorage].map((store) => Object.keys(store).sort());
}

const KEPT = ['holt.hint', `holt.written.${OTHER}.1`];

for (const [what, reason] of [
  ['S16.9 when the table is deleted', 'table-closed'],
  ['S20.6 when the seat has ended', 'seat-withdrawn'],
]) {
  // Clauses: S16.9, S20.6
  test(`${what}, what is stored of the table is removed, and nothing else`, () => {
    assert.deepEqual(leftAfter({ state: 'closed', reason, retryMs: 0 }), [KEPT, KEPT]);
  });
}

test('S16, S20 a stream that ends otherwise removes nothing', () => {
  for (const reason of ['taken-over', 'protocol', 'damaged']) {
    for (const left of leftAfter({ state: 'closed', reason, retryMs: 0 }))
      assert.equal(left.length, 4, reason);
  }
});

test('O39.10 whose table others have deleted is shown the way to a table of their own', () => {
  const way = (/** @type {string} */ reason, /** @type {number} */ by, home = '') => ownTable(
    /** @type {any} */ ({
      net: { status: { reason } }, sync: { you: 1 }, connection: { going: by ? { by } : null },
      page: { main: { dataset: home ? { home } : {} } },
    }),
  );
  assert.equal(way('table-closed', 2), '/?gone=1');
  assert.equal(way('table-closed', 0), '/?gone=1', 'it is not known who has deleted it');
  assert.equal(way('table-closed', 2, 'https://ada.net/?away=12'), 'https://ada.net/?gone=1');
  assert.equal(way('table-closed', 1), '', 'they have deleted it');
  assert.equal(way('seat-withdrawn', 2), '', 'the table is there');
  assert.equal(way('damaged', 0), '');
});
