// What the page keeps under the name of a piece moves to its new name (T21).

import assert from 'node:assert/strict';
import test from 'node:test';
import { Order } from '../js/view/order.js';
import { Piles } from '../js/view/piles.js';
import { renamePiece } from '../js/rename.js';
import { Tracks } from '../js/parts/motion/tracks.js';

const NEW = 70_000;

/** A page that keeps everything possible for pieces 1 and 2. @returns {any} */
function page() {
  const both = (/** @type {any} */ value) => new Map([[1, value], [2, value]]);
  const order = new Order(() => 1);
  order.reset([1, 2].map((id) => ({ id, z: `0.${id}`, zMark: 1 })));
  const piles = new Piles();
  for (const id of [1, 2]) piles.put({ id, x: 0, y: 0, w: 100, h: 100, rank: order.rank(id) });
  const tracks = new Tracks();
  const motion = { lag: 0, span: 50, ids: [1, 2], x: [5, 5], y: [0, 0], dx: [0, 0], dy: [0, 0] };
  tracks.take(motion, 1000, 1000, () => 2);
  const element = (/** @type {number} */ id) => ({
    id,
    el: {
      names: [id],
      setAttribute(/** @type {string} */ _n, /** @type {string} */ v) {
        this.names.push(Number(v));
      },
    },
  });
  return {
    selection: new Set([1, 2]),
    focus: 1,
    hover: 1,
    carry: { lead: 1, from: both({ x: 1, y: 2, z: '' }) },
    faces: [{ piece: 1 }, { piece: 2 }],
    dirty: new Set(),
    shuffling: new Set([1]),
    led: new Set([1]),
    waiting: new Set([1]),
    fresh: new Set([1]),
    pace: both(1),
    sent: both(1),
    throws: both({}),
    dials: { all: both({}), last: both(1) },
    shown: new Map([
      [1, element(1)],
      [2, element(2)],
    ]),
    order,
    piles,
    tracks,
    renames: [(/** @type {number} */ from, /** @type {number} */ to) => tracks.rename(from, to)],
  };
}

test('T21 all of it goes over, and what is kept of other pieces stays', () => {
  const s = page();
  const rank = s.order.rank(1);
  const { el } = s.shown.get(1);
  /** @type {number[][]} */
  const heard = [];
  s.renames.push((/** @type {number[]} */ ...names) => heard.push(names));
  renamePiece(s, 1, NEW);
  for (const name of ['shuffling', 'led', 'waiting', 'fresh'])
    assert.deepEqual([...s[name]], [NEW], name);
  for (const map of [s.pace, s.sent, s.throws, s.dials.all, s.dials.last, s.carry.from, s.shown])
    assert.deepEqual([...map.keys()].sort(), [2, NEW]);
  assert.deepEqual(
    [[...s.selection], s.focus, s.hover, s.carry.lead], [[NEW, 2], NEW, NEW, NEW],
    'the selection in its order',
  );
  assert.deepEqual(s.faces, [{ piece: NEW }, { piece: 2 }]);
  assert.deepEqual([s.order.rank(NEW), s.order.rank(1), s.piles.of(2)], [rank, 0, [2, NEW]]);
  assert.deepEqual(
    [s.tracks.leads(NEW), s.tracks.leads(1), s.tracks.leads(2)], [true, false, true],
  );
  assert.deepEqual(
    [s.shown.get(NEW).id, s.shown.get(NEW).el === el, el.names, [...s.dirty]],
    [NEW, true, [1, NEW], [NEW]],
  );
  assert.deepEqual(heard, [[1, NEW]]);
});

test('T21 one name after another in one frame, and of a piece of which nothing is kept', () => {
  const s = page();
  s.carry = null;
  renamePiece(s, 1, NEW);
  renamePiece(s, NEW, NEW + 1);
  assert.deepEqual([s.focus, s.shown.get(NEW + 1).id, [...s.dirty]], [NEW + 1, NEW + 1, [NEW + 1]]);
  const before = structuredClone([...s.selection]);
  renamePiece(s, 99, 98);
  assert.deepEqual(
    [[...s.selection], [...s.shown.keys()].sort(), s.order.rank(98)], [before, [2, NEW + 1], 0],
  );
});
