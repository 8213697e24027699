// Turning a group about its common centre (T60): which pieces turn, where they come to lie, and
// that rounding does not add up.

import assert from 'node:assert/strict';
import test from 'node:test';
import { createBars } from '../js/bars/state.js';
import { createPending } from '../js/input/pending.js';
import { pivoting } from '../js/parts/controls/pivot.js';
import { createListeners } from '../js/listeners.js';
import { emptyCatalog } from '../js/view/catalog.js';
import { middleOf } from '../js/view/geometry.js';
import { random } from './random.js';
import { ack, frame, full, OTHER, pieces, post, reject, table, update, YOU } from './table.js';

/** @typedef {import('../js/types.js').PiecePatch} PiecePatch */

const CARD = 1;
const HAND = 2;

/**
 * The page of a host at a table of 2000 by 1000 units.
 *
 * @param {...PiecePatch} changed instead of the pieces 1 to 3
 */
function page(...changed) {
  const sync = table();
  sync.receive(frame(full({ pieces: pieces(...changed) })));
  const face = (/** @type {string} */ name) => ({ name, art: '' });
  const size = {
    width: 100, height: 200, shape: /** @type {const} */ ('card'),
    weight: /** @type {const} */ ('light'), secret: false,
  };
  const kinds = [
    { ...size, name: 'Token', faces: [face('Token')] },
    { ...size, name: 'Card', private: true, faces: [face('Card')] },
    {
      ...size, name: 'Hand', weight: /** @type {const} */ ('heavy'), hand: true,
      faces: [face('Hand')],
    },
  ];
  const s = /** @type {import('../js/state.js').State} */ (
    /** @type {unknown} */ ({
      sync, catalog: { ...emptyCatalog('/art/'), kinds }, input: { carry: null },
      view: { camera: { turn: 0, width: 2000, height: 1000 }, dirty: new Set() },
      pending: createPending(), bars: createBars(), net: { flush() {} }, redraw() {}, parts: {},
      listeners: createListeners(),
    })
  );
  /** @type {string[]} */
  const whispered = [];
  /** @type {string[]} */
  const notices = [];
  const voice = /** @type {import('../js/bars/say.js').Voice} */ (
    /** @type {unknown} */ ({
      whisper: (/** @type {string} */ text) => whispered.push(text),
      notice: (/** @type {string} */ text) => notices.push(text),
    })
  );
  const [forth, back] = pivoting;
  const turn = (/** @type {number[]} */ ids, action = forth) => {
    const group = action.fits(s, ids.flatMap((id) => sync.pieces.get(id) ?? []));
    if (group.length > 0) action.run(s, group, voice);
    return group.map(({ id }) => id);
  };
  return { s, sync, turn, back, whispered, notices };
}

/** The places and angles of some pieces. @param {import('../js/types.js').Sync} sync
 * @param {number[]} ids */
function places(sync, ids) {
  return ids.map((id) => {
    const { x, y, angle } = sync.pieces.get(id) ?? assert.fail(`no piece ${id}`);
    return [x, y, angle];
  });
}

const ALL = [1, 2, 3];

/** Three pieces whose mean is no whole number. */
const APART = [
  { id: 1, mark: 501, x: 0, y: 0 }, { id: 2, mark: 502, x: 301, y: 7, angle: 9000 },
  { id: 3, mark: 503, x: -50, y: 123, angle: 35_000 },
];

test('T60.7 a quarter turn of a pair', () => {
  const { sync, turn } = page(
    { id: 1, mark: 1, x: -100 }, { id: 2, mark: 2, x: 100, angle: 33_000 });
  for (let i = 0; i < 6; i++) assert.deepEqual(turn([1, 2]), [1, 2]);
  assert.deepEqual(places(sync, [1, 2]), [[0, -100, 9000], [0, 100, 6000]]);
});

test('T60.7 all pieces turn by one angle about the mean of their centres', () => {
  const { sync, turn } = page(...APART);
  const before = places(sync, ALL);
  const middle = middleOf(before.map(([x, y]) => ({ x, y })));
  turn(ALL);
  const [cos, sin] = [Math.cos(Math.PI / 12), Math.sin(Math.PI / 12)];
  places(sync, ALL).forEach(([x, y, angle], i) => {
    const [dx, dy] = [before[i][0] - middle.x, before[i][1] - middle.y];
    assert.equal(x, Math.round(middle.x + dx * cos - dy * sin), `x of ${i}`);
    assert.equal(y, Math.round(middle.y + dx * sin + dy * cos), `y of ${i}`);
    assert.equal(angle, (before[i][2] + 1500) % 36_000, `angle of ${i}`);
  });
});

test('T60.7 back turns the other way', () => {
  const { sync, turn, back } = page(
    { id: 1, mark: 1, x: -100 }, { id: 2, mark: 2, x: 100 });
  for (let i = 0; i < 6; i++) turn([1, 2], back);
  assert.deepEqual(places(sync, [1, 2]), [[0, 100, 27_000], [0, -100, 27_000]]);
});

test('T60.9 turns come back to the first places, however they are mixed', () => {
  const r = random(7);
  for (let run = 0; run < 50; run++) {
    const { sync, turn, back } = page(...ALL.map((id) => ({
      id, mark: id, x: r.below(501) - 250, y: r.below(501) - 250, angle: r.below(36_000),
    })));
    const before = places(sync, ALL);
    let n = 0;
    for (let i = 0; i < 40; i++) {
      const forth = r.chance(0.6);
      turn(ALL, forth ? undefined : back);
      n += forth ? 1 : -1;
    }
    while (n % 24 !== 0) {
      turn(ALL);
      n++;
    }
    assert.deepEqual(places(sync, ALL), before, `run ${run}`);
  }
});

test('T60.9 the order of the selection does not matter, and outcomes come between', () => {
  const { sync, turn } = page(...APART);
  const before = places(sync, ALL);
  for (let i = 0; i < 24; i++) {
    turn(i % 2 === 0 ? ALL : [3, 1, 2]);
    if (i % 5 !== 0) continue;
    const sent = post(sync);
    sync.receive(frame(...sent.map(({ seq, piece = 0, angle = 0 }) =>
      ack(seq, { id: piece, mark: 1000 + seq, angle }))));
  }
  assert.deepEqual(places(sync, ALL), before);
});

test('T60.9 after a change by somebody else the turn begins where the pieces lie', () => {
  const { sync, turn } = page(
    { id: 1, mark: 1, x: -100 }, { id: 2, mark: 2, x: 100 });
  for (let i = 0; i < 6; i++) turn([1, 2]);
  post(sync);
  sync.receive(frame(update({ id: 2, mark: 2000, x: 400, y: 300, angle: 0 })));
  const [[x, y]] = places(sync, [1]);
  for (let i = 0; i < 12; i++) turn([1, 2]);
  // Half a turn changes places.
  assert.deepEqual(places(sync, [1, 2]).map(([a, b]) => [a, b]), [[400, 300], [x, y]]);
});

test('T60.9 after a reject the turn begins where the pieces lie', () => {
  const { sync, turn } = page(
    { id: 1, mark: 1, x: -100 }, { id: 2, mark: 2, x: 100 });
  turn([1, 2]);
  const [one, two] = post(sync);
  assert.deepEqual([one.piece, two.piece], [1, 2]);
  const before = sync.pieces.get(1);
  assert.notEqual(before?.angle, 0);
  sync.receive(frame(
    reject(one.seq, 'held', { id: 1, mark: 2000, x: -100, z: '0.1' }, OTHER),
    ack(two.seq, { id: 2, mark: 2001, angle: 1500 }),
  ));
  assert.deepEqual(places(sync, [1]), [[-100, 0, 0]], 'the rejected pivot is undone');
  const [two2] = places(sync, [2]);
  for (let i = 0; i < 24; i++) turn([1, 2]);
  assert.deepEqual(places(sync, [1, 2]), [[-100, 0, 0], two2]);
});

test('T60.5 a group is one batch of pivots, and turns that wait are joined', () => {
  const { sync, turn, whispered } = page(...APART);
  turn(ALL);
  turn(ALL);
  const sent = post(sync);
  assert.deepEqual(sent.map(({ op, piece, tag }) => [op, piece, tag]), [
    ['pivot', 1, 501], ['pivot', 2, 502], ['pivot', 3, 503],
  ]);
  assert.deepEqual(sent.map(({ x, y, angle }) => [x, y, angle]), places(sync, ALL));
  assert.deepEqual(sent.map(({ seq }) => seq), [1, 2, 3]);
  assert.deepEqual(whispered, ['You turned 3 pieces together.', 'You turned 3 pieces together.']);
});

test('T60.6 what may not turn stays, and the rest turns about its own centre', () => {
  for (const [what, fields] of Object.entries({
    held: { holder: OTHER }, pinned: { pinned: true }, locked: { locked: true },
    'in a hand': { kind: CARD, owner: YOU }, 'a hand': { kind: HAND, owner: YOU },
  })) {
    const { sync, turn } = page(
      { id: 1, mark: 1, x: -100 }, { id: 2, mark: 2, x: 100 },
      { id: 3, mark: 3, x: 500, y: 77, ...fields },
    );
    for (let i = 0; i < 12; i++) assert.deepEqual(turn(ALL), [1, 2], what);
    assert.deepEqual(
      places(sync, ALL), [[100, 0, 18_000], [-100, 0, 18_000], [500, 77, 0]], what,
    );
    assert.deepEqual(post(sync).map(({ piece }) => piece), [1, 2], what);
  }
});

test('T60.6 one piece is no group, nor are pieces that are carried', () => {
  const { s, turn, sync } = page(...APART, { id: 3, mark: 503, pinned: true });
  assert.deepEqual(turn([1]), []);
  assert.deepEqual(turn([1, 3]), []);
  s.input.carry = /** @type {any} */ ({});
  assert.deepEqual(turn([1, 2]), []);
  assert.deepEqual(post(sync), []);
});

test('T60.6 a piece that this seat holds turns', () => {
  const { turn } = page({ id: 1, mark: 1, holder: YOU }, { id: 2, mark: 2, x: 100 });
  assert.deepEqual(turn([1, 2]), [1, 2]);
});

test('T60.8 a group that would reach over the edge stays', () => {
  const { sync, turn, notices, whispered } = page(
    { id: 1, mark: 1, x: -800 }, { id: 2, mark: 2, x: 800 }, { id: 3, mark: 3, x: 10 },
  );
  const before = places(sync, ALL);
  turn(ALL);
  turn(ALL);
  const there = places(sync, ALL);
  assert.notDeepEqual(there, before);
  turn(ALL); // by 45 degrees one would lie beyond y 500
  assert.deepEqual(places(sync, ALL), there);
  assert.equal(post(sync).length, 3);
  assert.equal(notices.length, 1);
  assert.match(notices[0], /fall off the table/);
  assert.equal(whispered.length, 2);
});

test('T60.8 a centre on the edge lies on the table', () => {
  const { sync, turn } = page({ id: 1, mark: 1, x: -500 }, { id: 2, mark: 2, x: 500 });
  for (let i = 0; i < 6; i++) turn([1, 2]);
  assert.deepEqual(places(sync, [1, 2]), [[0, -500, 9000], [0, 500, 9000]]);
});
