// What the page keeps under the name of a piece moves to its new name (T21).

import assert from 'node:assert/strict';
import test from 'node:test';
import { createListeners, onRename } from '../js/listeners.js';
import { createAbilities, perPiece, renameKept } from '../js/parts/abilities/state.js';
import { createClocks, renameClock } from '../js/parts/clocks/state.js';
import { createMotion, renameMotion } from '../js/parts/motion/state.js';
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
  const paths = { lag: 0, span: 50, ids: [1, 2], x: [5, 5], y: [0, 0], dx: [0, 0], dy: [0, 0] };
  tracks.take(paths, 1000, 1000, () => 2);
  const element = (/** @type {number} */ id) => ({
    id,
    el: {
      names: [id],
      setAttribute(/** @type {string} */ _n, /** @type {string} */ v) {
        this.names.push(Number(v));
      },
    },
  });
  const abilities = { stores: new Map([[{}, both({})], [{}, both({})]]) };
  const clocks = { ...createClocks(), dials: both({}), last: both(1) };
  const motion = { ...createMotion(), tracks, starting: new Set([1]) };
  /** @type {any} */
  const s = {
    input: {
      selection: new Set([1, 2]),
      focus: 1,
      hover: 1,
      carry: { lead: 1, from: both({ x: 1, y: 2, z: '' }) },
    },
    pending: {
      since: both(1), late: new Set([1]), making: new Map(), fresh: new Set([1]), own: new Set([1]),
    },
    relay: { faces: [{ piece: 1 }, { piece: 2 }] },
    view: {
      dirty: new Set(),
      shuffling: new Set([1]),
      pace: both(1),
      shown: new Map([
        [1, element(1)],
        [2, element(2)],
      ]),
      order,
      piles,
    },
    partState: { abilities, clocks, motion },
    listeners: createListeners(),
  };
  onRename(s, (from, to) => renameKept(abilities, from, to));
  onRename(s, (from, to) => renameClock(clocks, from, to));
  onRename(s, (from, to) => renameMotion(motion, from, to));
  return s;
}

test('T21 each module moves its entry; other pieces keep theirs', () => {
  const s = page();
  const { input, pending, relay, view } = s;
  const { abilities, clocks, motion } = s.partState;
  const rank = view.order.rank(1);
  const { el } = view.shown.get(1);
  /** @type {number[][]} */
  const heard = [];
  onRename(s, (/** @type {number[]} */ ...names) => heard.push(names));
  renamePiece(s, 1, NEW);
  for (const set of [
    view.shuffling, motion.starting, pending.late, pending.fresh, pending.own,
  ])
    assert.deepEqual([...set], [NEW]);
  for (const map of [
    view.pace, pending.since, ...abilities.stores.values(), clocks.dials, clocks.last,
    input.carry.from, view.shown,
  ])
    assert.deepEqual([...map.keys()].sort(), [2, NEW]);
  assert.deepEqual(
    [[...input.selection], input.focus, input.hover, input.carry.lead], [[NEW, 2], NEW, NEW, NEW],
    'the selection in its order',
  );
  assert.deepEqual(relay.faces, [{ piece: NEW }, { piece: 2 }]);
  assert.deepEqual(
    [view.order.rank(NEW), view.order.rank(1), view.piles.of(2)], [rank, 0, [2, NEW]],
  );
  assert.deepEqual(
    [motion.tracks.hasData(NEW), motion.tracks.hasData(1), motion.tracks.hasData(2)],
    [true, false, true],
  );
  assert.deepEqual(
    [view.shown.get(NEW).id, view.shown.get(NEW).el === el, el.names, [...view.dirty]],
    [NEW, true, [1, NEW], [NEW]],
  );
  assert.deepEqual(heard, [[1, NEW]]);
});

test('T21 a stopped listener gets no new names', () => {
  const s = page();
  /** @type {number[][]} */
  const heard = [];
  const stop = onRename(s, (/** @type {number[]} */ ...names) => heard.push(names));
  renamePiece(s, 1, NEW);
  stop();
  renamePiece(s, NEW, NEW + 1);
  assert.deepEqual(heard, [[1, NEW]]);
  assert.ok(s.partState.motion.tracks.hasData(NEW + 1), 'the others still get it');
});

test('T21 several renames in one frame, and of unknown pieces', () => {
  const s = page();
  s.input.carry = null;
  renamePiece(s, 1, NEW);
  renamePiece(s, NEW, NEW + 1);
  assert.deepEqual(
    [s.input.focus, s.view.shown.get(NEW + 1).id, [...s.view.dirty]],
    [NEW + 1, NEW + 1, [NEW + 1]],
  );
  const before = structuredClone([...s.input.selection]);
  renamePiece(s, 99, 98);
  assert.deepEqual(
    [[...s.input.selection], [...s.view.shown.keys()].sort(), s.view.order.rank(98)],
    [before, [2, NEW + 1], 0],
  );
});

test('each module of the part abilities has a store of its own in each page', () => {
  const [one, other] = [0, 1].map(() => /** @type {import('../js/state.js').State} */ (
    /** @type {unknown} */ ({ partState: { abilities: createAbilities() } })
  ));
  const [dice, glasses] = [perPiece(), perPiece()];
  dice(one).set(1, 'a die');
  assert.deepEqual([...dice(one)], [[1, 'a die']]);
  for (const store of [glasses(one), dice(other), glasses(other)]) assert.equal(store.size, 0);
});
