// The focus does not get lost with what had it, for whoever uses keys.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { refocus } from '../js/input/select.js';

const GLOBALS = /** @type {any} */ (globalThis);

beforeEach(() => {
  const body = {};
  GLOBALS.document = { body, activeElement: body };
});

afterEach(() => {
  delete GLOBALS.document;
});

/**
 * Returns which piece gets the focus; 0 if none does.
 *
 * @param {{ byKeys?: boolean, focus?: number }} input
 */
function focusedAfter({ byKeys = true, focus = 1 }) {
  let got = 0;
  const pieces = new Map([1, 2].map((id) => [id, { id, kind: 0, x: -id, y: -id }]));
  refocus(/** @type {any} */ ({
    sync: { pieces }, input: { byKeys, focus },
    catalog: { kinds: [{ weight: 'light', faces: [{}] }] },
    view: {
      camera: { turn: 0 }, dirty: new Set(),
      shown: new Map([1, 2].map((id) => [id, { el: { focus: () => (got = id) } }])),
    },
    redraw() {},
  }));
  return got;
}

test('the piece that Tab reaches gets the focus if nothing has it', () => {
  assert.equal(focusedAfter({}), 1);
  assert.equal(focusedAfter({ focus: 9 }), 2, 'the first one if that piece is gone');
});

test('nothing takes the focus from an element, or from whoever uses a pointer', () => {
  assert.equal(focusedAfter({ byKeys: false }), 0);
  GLOBALS.document.activeElement = {};
  assert.equal(focusedAfter({}), 0);
});
