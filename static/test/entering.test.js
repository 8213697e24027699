// Where pieces come that are put down, before the server has answered (T23, T29): into containers
// and hands of others, where they are hidden; and into one's own hands and out of them, on top.

import assert from 'node:assert/strict';
import test from 'node:test';
import { emptyCatalog } from '../js/view/catalog.js';
import { answerForKinds, boundsOf, layerOf, takerOf } from '../js/sync/kinds.js';
import { levelsBelow, levelsOnTop } from '../js/view/levels.js';
import { grab } from '../js/input/ops.js';
import { Order } from '../js/view/order.js';
import { HEAVY, IN_HAND, LIGHT } from '../js/sync/predict.js';
import { countIn } from '../js/rights.js';
import { createBars } from '../js/bars/state.js';
import { createListeners } from '../js/listeners.js';
import { createPending } from '../js/input/pending.js';
import {
  ack, frame, full, OTHER, pieces, post, reject, shown, table, update, YOU,
} from './table.js';

/** @typedef {import('../js/types.js').PiecePatch} PiecePatch */

// The kinds of the table: an ace and its back, a chip, a hand, a deck of those cards, a bag, a deck
// of others.
const ACE = 0;
const BACK = 1;
const CHIP = 2;
const HAND = 3;
const DECK = 4;
const BAG = 5;
const OTHER_DECK = 6;
const TOKEN = 7;

const MINE = 10;
const THEIRS = 11;
const THE_DECK = 12;

/**
 * The page of a player at a table with a card (1), their hand at x 0, another player's hand at 2000
 * and a deck at 4000.
 *
 * @param {...PiecePatch} more
 */
function page(...more) {
  const sync = table();
  const face = (/** @type {string} */ name) => ({ name, art: '' });
  const light = {
    width: 100, height: 200, shape: /** @type {const} */ ('card'),
    weight: /** @type {const} */ ('light'), secret: false,
  };
  const heavy = { ...light, width: 1000, height: 400, weight: /** @type {const} */ ('heavy') };
  /** @type {import('../js/view/catalog.js').Kind[]} */
  const kinds = [
    { ...light, name: 'Ace', secret: true, mask: BACK, faces: [face('Ace'), face('Back')] },
    { ...light, name: 'Back', faces: [face('Back')] },
    { ...light, name: 'Chip', private: true, currency: { initial: 100 }, faces: [face('Chip')] },
    { ...heavy, name: 'Hand', hand: true, faces: [face('Hand')] },
    { ...heavy, name: 'Deck', container: { draws: 'top', takes: BACK }, faces: [face('Deck')] },
    { ...heavy, name: 'Bag', counted: false, container: { draws: 'random' }, faces: [face('Bag')] },
    {
      ...heavy, name: 'Other deck', container: { draws: 'top', takes: TOKEN },
      faces: [face('Deck')],
    },
    { ...light, name: 'Token', counter: { min: 0, max: 9, initial: 0 }, faces: [face('Token')] },
  ];
  const catalog = { ...emptyCatalog('/art/'), kinds, masks: new Set([BACK]) };
  const s = /** @type {import('../js/state.js').State} */ (
    /** @type {unknown} */ ({
      sync, catalog,
      view: {
        order: new Order((/** @type {any} */ piece) => sync.layer(piece)),
        dirty: new Set(),
      },
      pending: createPending(), bars: createBars(), net: { flush() {} }, redraw() {},
      listeners: createListeners(),
    })
  );
  answerForKinds(s);
  const all = pieces(
    { id: 1, mark: 100, kind: ACE, x: 9000, z: '0.6' },
    { id: MINE, mark: 1, kind: HAND, owner: YOU, z: '0.01' },
    { id: THEIRS, mark: 2, kind: HAND, x: 2000, owner: OTHER, z: '0.02' },
    { id: THE_DECK, mark: 3, kind: DECK, x: 4000, z: '0.03' },
    ...more,
  ).filter(({ id }) => id !== 2 && id !== 3);
  sync.receive(
    frame(full({ pieces: all, holds: [{ piece: THE_DECK, kinds: [BACK + 1], counts: [5] }] })),
  );
  s.view.order.reset(sync.pieces.values());
  return { s, sync };
}

test('T29 a card released over a deck disappears and is counted there', () => {
  const { s, sync } = page();
  sync.update(1, 'grab');
  sync.update(1, 'release', { x: 4100, y: 50 });
  assert.deepEqual(
    [sync.pieces.has(1), sync.pending(1), sync.entering.get(1)?.into], [false, true, THE_DECK],
  );
  assert.equal(sync.entering.get(1)?.piece.x, 4100);
  assert.equal(countIn(s, shown(sync, THE_DECK)), 6);
  post(sync);
  const outcome = sync.receive(
    frame(
      ack(1, { id: 1, mark: 1001 }),
      update({ id: 1, mark: 1002, gone: true }, 'release', YOU),
      { type: 'holds', piece: THE_DECK, kinds: [BACK + 1], counts: [6] },
      ack(2),
    ),
  );
  assert.deepEqual(
    outcome.events.map((e) => e.type), ['update', 'holds'],
  );
  assert.deepEqual(outcome.events[0], {
    ...outcome.events[0], before: { ...shownBefore(outcome.events[0]), x: 4100, holder: 0 },
  });
  assert.deepEqual(
    [[...outcome.gone], sync.entering.size, countIn(s, shown(sync, THE_DECK))], [[1], 0, 6],
  );
});

/** @param {import('../js/types.js').SyncEvent} event */
function shownBefore(event) {
  assert.ok(event.type === 'update' && event.before);
  return event.before;
}

test('T29 a rejected release shows the card again and reports the change', () => {
  const { s, sync } = page();
  sync.update(1, 'grab');
  sync.update(1, 'release', { x: 4000, y: 0 });
  post(sync);
  const { changed, events } = sync.receive(
    frame(
      ack(1, { id: 1, mark: 1001 }),
      reject(2, 'not-held', { id: 1, mark: 1002, x: 7, holder: OTHER }),
    ),
  );
  assert.deepEqual(
    [[...changed], events.map((e) => e.type), shown(sync, 1).x, sync.entering.size],
    [[1], ['reject'], 7, 0],
  );
  assert.equal(countIn(s, shown(sync, THE_DECK)), 5);
});

test('T29 the card shows where it was released if the server left it there', () => {
  const { sync } = page();
  sync.update(1, 'grab');
  sync.update(1, 'release', { x: 4000, y: 0 });
  post(sync);
  const { changed, gone } = sync.receive(
    frame(ack(1, { id: 1, mark: 1001 }), ack(2, { id: 1, mark: 1002 })),
  );
  assert.deepEqual([[...changed], [...gone], shown(sync, 1).x], [[1], [], 4000]);
});

test('T29 the card stays hidden through other updates and a full state', () => {
  const { sync } = page({ id: 20, mark: 20, kind: CHIP, z: '0.7' });
  sync.update(1, 'release', { x: 4000, y: 0 });
  const updates = post(sync);
  sync.receive(frame(update({ id: 20, mark: 1001, x: 5 })));
  assert.equal(sync.pieces.has(1), false);
  sync.reconnected();
  const again = full({
    pieces: [
      ...sync.pieces.values(),
      /** @type {import('../js/types.js').Entering} */ (sync.entering.get(1)).piece,
    ].map((p) => ({ ...p, mark: 100, gone: false })),
  });
  const { changed, gone } = sync.receive(frame(again));
  assert.deepEqual(
    [sync.pieces.has(1), changed.has(1), gone.has(1), sync.entering.get(1)?.into],
    [false, false, false, THE_DECK],
  );
  assert.deepEqual(post(sync), updates);
});

test('T29 the card shows again after a conflict', () => {
  const { sync } = page();
  sync.update(1, 'release', { x: 4000, y: 0 });
  const { events } = sync.receive(frame(update({ id: 1, mark: 1001, holder: OTHER }, 'wrest')));
  assert.deepEqual(events.map((e) => e.type), ['update', 'conflict']);
  assert.deepEqual([shown(sync, 1).holder, shown(sync, 1).x, sync.entering.size], [OTHER, 9000, 0]);
});

test('T30 a stowed piece disappears wherever it lay', () => {
  const { sync } = page();
  sync.update(1, 'stow', { into: THE_DECK, at: -1 });
  assert.deepEqual([sync.pieces.has(1), sync.entering.get(1)?.into], [false, THE_DECK]);
  assert.deepEqual(post(sync), [
    { seq: 1, piece: 1, tag: 100, op: 'stow', into: THE_DECK, at: -1 },
  ]);
});

test('T23, T60.2 a card put into another’s hand disappears by release, move or pivot', () => {
  for (const op of /** @type {const} */ (['release', 'move', 'pivot'])) {
    const { s, sync } = page();
    if (op === 'release') sync.update(1, 'grab');
    sync.update(1, op, { x: 2000, y: 0, ...(op === 'pivot' ? { angle: 1500 } : {}) });
    assert.deepEqual([sync.pieces.has(1), sync.entering.get(1)?.into], [false, THEIRS], op);
    assert.equal(countIn(s, shown(sync, THEIRS)), 1);
  }
});

test('T60.2 a card that pivots over a deck stays on the table', () => {
  const { sync } = page();
  sync.update(1, 'pivot', { x: 4000, y: 0, angle: 1500 });
  assert.deepEqual([shown(sync, 1).x, shown(sync, 1).angle, sync.entering.size], [4000, 1500, 0]);
});

test('T23 a card carried over a hand is not in it', () => {
  const { sync } = page();
  sync.update(1, 'grab');
  sync.update(1, 'move', { x: 2000, y: 0 });
  sync.update(1, 'move', { x: 4000, y: 0 });
  assert.equal(shown(sync, 1).x, 4000);
});

test('T23 the last of merged moves decides where the card is', () => {
  const { sync } = page();
  sync.update(1, 'move', { x: 2000, y: 0 });
  assert.ok(sync.entering.has(1));
  sync.update(1, 'move', { x: 3000, y: 0 });
  assert.deepEqual([shown(sync, 1).x, sync.entering.size], [3000, 0]);
  sync.update(1, 'move', { x: 2000, y: 0 });
  assert.deepEqual([sync.pieces.has(1), post(sync).length], [false, 1]);
});

test('T23 a card enters one’s own hand at once, on top, at the server’s level', () => {
  const { s, sync } = page({ id: 20, mark: 20, kind: ACE, owner: YOU, z: '0.95' });
  sync.update(1, 'grab');
  sync.update(1, 'release', { x: 30, y: 0 });
  const { owner, z } = shown(sync, 1);
  assert.ok(owner === YOU && z > '0.95', `${owner} ${z}`);
  assert.equal(layerOf(s, shown(sync, 1)), IN_HAND);
  assert.deepEqual(post(sync).at(-1), { seq: 2, piece: 1, tag: 100, op: 'release', x: 30, y: 0 });
  sync.receive(
    frame(
      ack(1, { id: 1, mark: 1001 }),
      ack(2, { id: 1, mark: 1002, renamed: 70_000, owner: YOU, z: '0.97', zMark: 1002 }),
    ),
  );
  assert.deepEqual(
    [shown(sync, 70_000).owner, shown(sync, 70_000).z, shown(sync, 70_000).zMark],
    [YOU, '0.97', 1002],
  );
});

test('T23 a card leaves a hand at once, on top of the table', () => {
  const { s, sync } = page(
    { id: 20, mark: 20, kind: ACE, owner: YOU, z: '0.1' },
    { id: 21, mark: 21, kind: CHIP, x: 9000, z: '0.9' },
  );
  sync.update(20, 'grab');
  assert.equal(shown(sync, 20).owner, YOU, 'not before the release');
  sync.update(20, 'release', { x: 9000, y: 0 });
  assert.ok(shown(sync, 20).owner === 0 && shown(sync, 20).z > '0.9');
  assert.equal(layerOf(s, shown(sync, 20)), LIGHT);
  post(sync);
  sync.receive(
    frame(
      ack(1, { id: 20, mark: 1001 }),
      ack(2, { id: 20, mark: 1002, owner: 0, z: '0.91', zMark: 1002 }),
    ),
  );
  assert.deepEqual([shown(sync, 20).owner, shown(sync, 20).z], [0, '0.91']);
});

test('T23 a level in the update is kept', () => {
  const { sync } = page({ id: 20, mark: 20, kind: ACE, owner: YOU, z: '0.1' });
  sync.update(20, 'release', { x: 9000, y: 0, z: '0.2' });
  assert.equal(shown(sync, 20).z, '0.2');
});

test('T23 a player sees into a shared hand', () => {
  const { s, sync } = page({
    id: THEIRS, mark: 2, kind: HAND, x: 2000, owner: OTHER, team: [YOU], z: '0.02',
  });
  sync.update(1, 'release', { x: 2000, y: 0 });
  assert.deepEqual([shown(sync, 1).owner, shown(sync, 1).team], [OTHER, [YOU]]);
  assert.equal(layerOf(s, shown(sync, 1)), IN_HAND);
});

/**
 * @type {[string, Partial<PiecePatch>, 'release' | 'move', PiecePatch[], { into: number,
 *   owner: number } | null][]}
 */
const cases = [
  [
    'a card back, which stands for a card, in another\'s hand', { kind: BACK, x: 2000 }, 'release',
    [], { into: THEIRS, owner: OTHER },
  ],
  [
    'chips that are hidden in hands', { kind: CHIP, x: 2000 }, 'release', [],
    { into: THEIRS, owner: OTHER },
  ],
  ['a token, which is visible', { kind: TOKEN, x: 2000 }, 'release', [], null],
  ['its centre beside the hand', { kind: BACK, x: 2501 }, 'release', [], null],
  [
    'its centre on the edge', { kind: BACK, x: 2500, y: 200 }, 'release', [],
    { into: THEIRS, owner: OTHER },
  ],
  [
    'a hand without an owner', { kind: ACE, x: 2000 }, 'release',
    [{ id: THEIRS, mark: 2, kind: HAND, x: 2000, owner: 0, z: '0.02' }], null,
  ],
  [
    'a hand that stands on its side', { kind: ACE, x: 2000, y: 450 }, 'release',
    [{ id: THEIRS, mark: 2, kind: HAND, x: 2000, angle: 9000, owner: OTHER, z: '0.02' }],
    { into: THEIRS, owner: OTHER },
  ],
  [
    'a hand comes before a deck under it', { kind: ACE, x: 2000 }, 'release',
    [{ id: 20, mark: 1, kind: DECK, x: 2000, z: '0.025' }], { into: THEIRS, owner: OTHER },
  ],
  [
    'its own hand before one that lies over it', { kind: ACE, x: 0, owner: YOU }, 'move',
    [{ id: 20, mark: 1, kind: HAND, owner: OTHER, z: '0.025' }], { into: 0, owner: YOU },
  ],
  [
    'otherwise the uppermost', { kind: ACE, x: 0 }, 'move',
    [{ id: 20, mark: 1, kind: HAND, owner: OTHER, z: '0.025' }], { into: 20, owner: OTHER },
  ],
  ['out of a hand', { kind: ACE, x: 9000, owner: YOU }, 'move', [], { into: 0, owner: 0 }],
  ['a deck takes released pieces, not moved ones', { kind: ACE, x: 4000 }, 'move', [], null],
  ['a deck takes its own cards only', { kind: TOKEN, x: 4000 }, 'release', [], null],
  [
    'and another deck not these', { kind: ACE, x: 6000 }, 'release',
    [{ id: 20, mark: 1, kind: OTHER_DECK, x: 6000, z: '0.025' }], null,
  ],
  [
    'a bag takes everything light', { kind: TOKEN, x: 6000 }, 'release',
    [{ id: 20, mark: 1, kind: BAG, x: 6000, z: '0.025' }], { into: 20, owner: 0 },
  ],
  [
    'but no heavy piece', { kind: DECK, x: 6000 }, 'release',
    [{ id: 20, mark: 1, kind: BAG, x: 6000, z: '0.025' }], null,
  ],
  [
    'the uppermost container that takes it',
    { kind: ACE, x: 4000 },
    'release',
    [
      { id: 20, mark: 1, kind: BAG, x: 4000, z: '0.025' },
      { id: 21, mark: 1, kind: OTHER_DECK, x: 4000, z: '0.04' },
    ],
    { into: THE_DECK, owner: 0 },
  ],
];
for (const [what, fields, op, more, want] of cases) {
  test(`T23 T29 where a piece arrives: ${what}`, () => {
    const { s, sync } = page(...more);
    const taken = takerOf(s, { ...shown(sync, 1), ...fields, id: 1 }, op);
    assert.deepEqual(taken && { into: taken.into, owner: taken.owner }, want);
  });
}

test('T29 the number of pieces in a bag with hidden counts is unknown', () => {
  const { s, sync } = page({ id: 20, mark: 1, kind: BAG, x: 6000, z: '0.025' });
  sync.update(1, 'stow', { into: 20 });
  assert.deepEqual(
    [countIn(s, shown(sync, 20)), countIn(s, shown(sync, MINE)), sync.entering.size], [null, 0, 1],
  );
});

test('T33 T34 values have bounds', () => {
  const { s } = page();
  assert.deepEqual(boundsOf(s.catalog.kinds[TOKEN]), { min: 0, max: 9 });
  assert.deepEqual(boundsOf(s.catalog.kinds[CHIP]), { min: 1, max: 2 ** 30 });
  assert.equal(boundsOf(s.catalog.kinds[ACE]), null);
});

test('T25 raised and lowered pieces stay in their layer', () => {
  const card = (/** @type {number} */ id, /** @type {string} */ z, owner = 0) => ({
    id, mark: id, kind: ACE, owner, z,
  });
  const { s, sync } = page(card(20, '0.3'), card(21, '0.001', YOU), card(22, '0.002', YOU));
  const layers = [MINE, 1, 21].map((id) => layerOf(s, shown(sync, id)));
  assert.deepEqual(layers, [HEAVY, LIGHT, IN_HAND]);
  const some = [MINE, 20, 21].map((id) => shown(sync, id));
  const top = levelsOnTop(s, some);
  assert.ok(inside(top.get(MINE), '0.03', '0.3'), 'above the deck, below the cards');
  assert.ok(inside(top.get(20), '0.6', '1') && inside(top.get(21), '0.002', '0.6'));
  const bottom = levelsBelow(
    s, [THE_DECK, 1, 22].map((id) => shown(sync, id)),
  );
  assert.ok(
    inside(bottom.get(THE_DECK), '0', '0.01') &&
      inside(bottom.get(1), '0.03', '0.3') &&
      inside(bottom.get(22), '0', '0.001'),
  );
  for (const [op, id, lo, hi] of /** @type {const} */ ([
    ['raise', MINE, '0.03', '0.3'],
    ['lower', 1, '0.03', '0.3'],
    ['raise', 21, '0.002', '1'],
    ['raise', 22, '0.002', '1'],
    ['lower', 22, '0', '0.01'],
  ])) {
    sync.update(id, op);
    assert.ok(inside(shown(sync, id).z, lo, hi), `${op} ${id}: ${shown(sync, id).z}`);
  }
});

/** @param {string | undefined} z @param {string} lo @param {string} hi */
function inside(z, lo, hi) {
  return z !== undefined && lo < z && z < hi;
}

test('T17 T28 a grab is loose after a sent release, not after a blind update', () => {
  const { s, sync } = page({ id: 20, mark: 20, kind: TOKEN, x: 9000, value: 3, z: '0.7' });
  sync.blind(20, 'count', { n: 1 });
  grab(s, 20);
  sync.update(20, 'release', { x: 9000, y: 0 });
  grab(s, 20);
  assert.deepEqual(
    post(sync).map(({ op, loose }) => [op, loose]),
    [
      ['count', undefined],
      ['grab', undefined],
      ['release', undefined],
      ['grab', true],
    ],
  );
});
