// Pressing near a piece (finding 7): which piece a press means that misses all of them, and what is
// said of how many a drag takes along.

import assert from 'node:assert/strict';
import test from 'node:test';
import { nearPiece, REACH_MOUSE, REACH_TOUCH } from '../js/parts/controls/near.js';
import { createInput } from '../js/input/state.js';
import { tallyOf } from '../js/parts/controls/tally.js';
import { isPut } from '../js/parts/motion/pulse.js';
import { emptyCatalog } from '../js/view/catalog.js';
import { frame, full, OTHER, pieces, table } from './table.js';

/** @typedef {import('../js/types.js').PiecePatch} PiecePatch */

const ROUND = 1;
const BOARD = 2;

/**
 * A page whose table has its middle at 500, 500 of the page, with ten units to a pixel.
 *
 * @param {...PiecePatch} changed instead of the pieces 1 to 3
 */
function page(...changed) {
  const sync = table();
  sync.receive(frame(full({ pieces: pieces(...changed) })));
  const size = { width: 200, height: 400, secret: false, faces: [{ name: '', art: '' }] };
  const kinds = [
    { ...size, name: 'Card', shape: 'card', weight: 'light' },
    { ...size, name: 'Counter', shape: 'round', weight: 'light', height: 200 },
    { ...size, name: 'Board', shape: 'rect', weight: 'heavy' },
  ];
  const shown = new Map(
    [...sync.pieces.values()].map(({ id, kind }) => [id, { heavy: kind === BOARD, height: 1 }]),
  );
  const camera = {
    width: 10000, height: 10000, scale: 1, turn: 0, left: 0, top: 0, w: 1000, h: 1000,
    sx: 500, sy: 500, live: null,
  };
  return /** @type {import('../js/state.js').State} */ (
    /** @type {unknown} */ ({
      sync, catalog: { ...emptyCatalog('/art/'), kinds }, input: createInput(),
      view: { camera, shown, order: { rank: (/** @type {number} */ id) => id } },
    })
  );
}

/** @param {number} x in units @param {number} y */
const at = (x, y) => [500 + x / 10, 500 + y / 10];

/** @param {ReturnType<typeof page>} s @param {number} x @param {number} y @param {boolean} touch */
const near = (s, x, y, touch = false) => nearPiece(s, at(x, y)[0], at(x, y)[1], touch);

/** A free piece. @param {number} id @param {number} x @param {number} y @param {number} [kind] */
const lying = (id, x, y, kind = 0) => ({
  id, mark: 100 * id, kind, x, y, holder: 0, pinned: false, locked: false,
});

const FAR = [lying(2, 4000, 4000), lying(3, 4500, 4500)];

test('finding 7: a press within reach of a piece means that piece', () => {
  const s = page(lying(1, 0, 0), ...FAR);
  const edge = 100; // the card is 200 wide
  assert.equal(near(s, edge + (REACH_MOUSE - 1) * 10, 0), 1);
  assert.equal(near(s, edge + (REACH_MOUSE + 1) * 10, 0), 0);
  assert.equal(near(s, edge + (REACH_TOUCH - 1) * 10, 0, true), 1);
  assert.equal(near(s, edge + (REACH_TOUCH + 1) * 10, 0, true), 0);
});

test('finding 7: the nearest piece is meant, and of equals the uppermost', () => {
  const s = page(lying(1, 0, 0), lying(2, 300, 0), lying(3, 300, 0));
  assert.equal(near(s, 120, 0, true), 1);
  assert.equal(near(s, 180, 0, true), 3);
});

test('finding 7: the shape and the angle of a piece count', () => {
  const turned = page({ ...lying(1, 0, 0), angle: 9000 }, ...FAR);
  assert.equal(near(turned, 230, 0), 1, 'it lies across');
  assert.equal(near(turned, 0, 230), 0);
  const round = page(lying(1, 0, 0, ROUND), ...FAR);
  assert.equal(near(round, 110, 110), 0, 'its box has a corner there');
  assert.equal(near(round, 120, 0), 1);
});

test('finding 7: what cannot be moved, boards and buried pieces are not meant', () => {
  for (const change of [
    { locked: true }, { pinned: true }, { holder: OTHER }, { kind: BOARD },
  ]) {
    const s = page({ ...lying(1, 0, 0), ...change }, ...FAR);
    assert.equal(near(s, 120, 0), 0, JSON.stringify(change));
  }
  const s = page(lying(1, 0, 0), ...FAR);
  Object.assign(s.view.shown.get(1) ?? {}, { height: 0 });
  assert.equal(near(s, 120, 0), 0, 'in a pile the top is meant');
});

test('finding 7: the number at the pointer counts what a drag takes along', () => {
  const s = page(lying(1, 0, 0), lying(2, 300, 0), lying(3, 600, 0));
  assert.equal(tallyOf(s), null);
  s.input.poised = { n: 3, x: 10, y: 20 };
  assert.deepEqual(tallyOf(s), { n: 3, x: 10, y: 20 });
  s.input.poised = null;
  const carry = (/** @type {number[]} */ ...ids) => ({
    by: /** @type {const} */ ('pointer'), lead: ids[0], dx: 0, dy: 0, px: 30, py: 40,
    from: new Map(ids.map((id) => [id, { x: 0, y: 0, z: '' }])), start: { x: 0, y: 0 },
  });
  s.input.carry = carry(1, 2);
  assert.deepEqual(tallyOf(s), { n: 2, x: 30, y: 40 });
  s.input.carry = carry(1);
  assert.equal(tallyOf(s), null, 'one piece needs no number');
  s.input.carry = null;
  s.input.band = { x0: 0, y0: 0, x1: 50, y1: 60, before: new Set() };
  assert.deepEqual(tallyOf(s), { n: 0, x: 50, y: 60 }, 'a frame has its number from the beginning');
});

test('what another has put elsewhere is marked, and not what stays where it was', () => {
  const s = page(lying(1, 0, 0), lying(2, 300, 0), lying(3, 0, 0, BOARD));
  const now = s.sync.pieces.get(1) ?? assert.fail();
  const put = (/** @type {object} */ before, /** @type {object} */ event = {}) =>
    isPut(s, {
      type: 'update', piece: 1, by: OTHER, op: 'release', before: { ...now, ...before }, ...event,
    });
  assert.equal(put({ x: 50 }), true);
  assert.equal(put({ face: 1 }, { op: 'flip' }), true);
  assert.equal(put({}), false, 'it lies where it lay');
  assert.equal(put({ x: 50 }, { by: 0 }), false, 'the server itself');
  assert.equal(put({ x: 50 }, { by: s.sync.you }), false, 'this person');
  assert.equal(put({ x: 50 }, { op: 'grab' }), false);
  assert.equal(put({ x: 50 }, { piece: 3 }), false, 'a board');
  s.sync.pieces.set(1, { ...now, holder: OTHER });
  assert.equal(put({ x: 50 }, { op: 'move' }), false, 'somebody still holds it');
});
