// What a drag costs that is not over this person's hand at the lower edge of the window.

import assert from 'node:assert/strict';
import test from 'node:test';
import { placeOver } from '../js/parts/cards/handstrip.js';
import { createCards } from '../js/parts/cards/state.js';

/** @typedef {import('../js/state.js').State} State */

test('outside the strip no piece is looked at, and the strip is measured once', (t) => {
  t.after(() => Reflect.deleteProperty(globalThis, 'matchMedia'));
  Object.assign(globalThis, { matchMedia: () => ({ matches: false }) });
  let measured = 0;
  const getBoundingClientRect = () => {
    measured++;
    return { top: 650 };
  };
  const cards = createCards();
  const camera = { left: 0, top: 0, w: 1280, h: 800 };
  const s = /** @type {State} */ (/** @type {unknown} */ ({
    page: { handStrip: { hidden: false, getBoundingClientRect } },
    view: { camera },
    partState: { cards },
    sync: {
      get pieces() {
        return assert.fail('a piece is looked at');
      },
    },
  }));
  for (let y = 0; y < 650; y += 50) assert.equal(placeOver(s, 640, y), null, 'above it');
  assert.equal(placeOver(s, 20, 700), null, 'beside it');
  assert.equal(measured, 1);
  cards.edge.height = 56;
  placeOver(s, 640, 100);
  assert.equal(measured, 2, 'it has another height');
  camera.h = 700;
  placeOver(s, 640, 100);
  assert.equal(measured, 3, 'the window has another size');
  assert.throws(() => placeOver(s, 640, 700), /a piece is looked at/);
});
