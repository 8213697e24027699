// When the order is computed in which screen readers come to the pieces of a table with a board.

import assert from 'node:assert/strict';
import test from 'node:test';
import { createListeners } from '../js/listeners.js';
import { bind } from '../js/parts/boards/boards.js';

/** @typedef {import('../js/state.js').State} State */
/** @typedef {import('../js/bars/say.js').Voice} Voice */

test('the reading order is computed again only when pieces or the turn have changed', () => {
  let ordered = 0;
  const sync = {
    get pieces() {
      ordered++;
      return new Map();
    },
  };
  const pieces = { hasAttribute: () => false };
  /** @type {Array<(now: number) => boolean>} */
  const frames = [];
  const view = {
    frames, shown: new Map(), boards: new Set(), moving: new Set(), drawn: 0, camera: { turn: 0 },
  };
  const s = /** @type {State} */ (/** @type {unknown} */ ({
    sync, view, input: { carry: null }, page: { pieces }, redraw: () => {},
    listeners: createListeners(),
  }));
  bind(s, /** @type {Voice} */ (/** @type {unknown} */ ({ whisper: () => {} })));
  const frame = () => {
    ordered = 0;
    for (const step of frames) step(0);
    return ordered;
  };
  assert.equal(frame(), 1, 'at first');
  assert.equal(frame(), 0, 'the view is only moved');
  view.drawn++;
  s.input.carry = /** @type {State['input']['carry']} */ (/** @type {unknown} */ ({}));
  assert.equal(frame(), 0, 'a piece is carried');
  s.input.carry = null;
  assert.equal(frame(), 1, 'it was put down');
  view.camera.turn = 90;
  assert.equal(frame(), 1, 'the table is turned');
  assert.equal(frame(), 0);
});
