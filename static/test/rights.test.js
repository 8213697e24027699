// The page offers for a piece what the server would allow (T14, T24): by role, holder, pin and
// owner.

import assert from 'node:assert/strict';
import test from 'node:test';
import { emptyCatalog } from '../js/view/catalog.js';
import { refusal } from '../js/input/ops.js';
import { sideAt } from '../js/kinds/clock.js';
import { isFixed } from '../js/view/piece.js';
import { createSync } from '../js/sync/sync.js';
import { fullPiece } from '../js/net/wire.js';
import { frame, full, OTHER, YOU } from './table.js';

/** @typedef {import('../js/types.js').Role} Role */
/** @typedef {import('../js/types.js').PiecePatch} PiecePatch */

const CARD = 0;
const HAND = 2;
const CLOCK = 3;
const WATCH = 4;

/** Every operation that is tried on a piece. */
const OPS = /** @type {const} */ ([
  'grab',
  'wrest',
  'release',
  'move',
  'rotate',
  'pivot',
  'flip',
  'raise',
  'lower',
  'setz',
  'pin',
  'unpin',
  'delete',
]);

/**
 * The page of a player at a table with one piece.
 *
 * @param {Role} role
 * @param {Partial<PiecePatch>} fields
 */
function table(role, fields) {
  const sync = createSync('q83vEjRWeJCrze8SNFZ4kA');
  const seats = [
    { id: YOU, nick: 'Ada', colour: 1, role, presence: /** @type {const} */ ('here') },
    {
      id: OTHER, nick: 'Bob', colour: 2, role: /** @type {const} */ ('player'),
      presence: /** @type {const} */ ('here'),
    },
  ];
  sync.receive(
    frame(full({ seats, pieces: [fullPiece({ id: 1, mark: 1, z: '0.5', ...fields })] })),
  );
  const face = (/** @type {string} */ name) => ({ name, art: '' });
  const display = (/** @type {number} */ y) => ({ x: 100, y, width: 400, height: 200 });
  const size = {
    width: 600, height: 900, shape: /** @type {const} */ ('card'),
    weight: /** @type {const} */ ('light'), secret: false,
  };
  const catalog = {
    ...emptyCatalog('/art/'),
    kinds: [
      { ...size, name: 'Ace', secret: true, mask: 1, faces: [face('Ace'), face('Back')] },
      { ...size, name: 'Card', faces: [face('Back')] },
      {
        ...size, name: 'Hand', weight: 'heavy', hand: true,
        faces: [face('Hand'), face('Other side')],
      },
      {
        ...size, name: 'Clock',
        clock: { counts: 'down', initial: 0, increment: 0, displays: [display(300), display(0)] },
        faces: [face('Clock')],
      },
      {
        ...size, name: 'Stopwatch',
        clock: { counts: 'up', initial: 0, increment: 0, displays: [display(100)] },
        faces: [face('Stopwatch')],
      },
    ],
    masks: new Set([1]),
  };
  const s = /** @type {import('../js/state.js').State} */ (
    /** @type {unknown} */ ({ sync, catalog, view: { camera: { turn: 0 } } })
  ); // nothing is drawn here
  const piece = sync.pieces.get(1);
  assert.ok(piece);
  return { s, piece };
}

test('T24 a player may only copy another’s hand, or release it if held', () => {
  const { s, piece } = table('player', { kind: HAND, owner: OTHER });
  for (const op of OPS) {
    const no = op === 'release' ? null : { reason: 'othersHand', piece: 1, by: OTHER };
    assert.deepEqual(refusal(s, piece, op), no, op);
  }
  assert.equal(refusal(s, piece, 'copy'), null);
  assert.ok(isFixed(s, piece), 'a drag from there moves the table');
});

test('T24 a player may take their own hand or a free one, a host any', () => {
  const cases = [
    table('player', { kind: HAND, owner: YOU }),
    table('player', { kind: HAND, owner: 0 }),
    table('host', { kind: HAND, owner: OTHER }),
  ];
  for (const { s, piece } of cases) {
    for (const op of OPS) {
      if (op !== 'wrest')
        assert.equal(refusal(s, piece, op), null, `${op} of a hand of ${piece.owner}`);
    }
    assert.ok(!isFixed(s, piece));
  }
});

test('T23 a card seen in a shared hand is not a hand', () => {
  const { s, piece } = table('player', { kind: CARD, owner: OTHER });
  for (const op of /** @type {const} */ (['grab', 'flip', 'shuffle']))
    assert.equal(refusal(s, piece, op), null, op);
});

test('T14 held, pinned and locked pieces refuse, and spectators get nothing', () => {
  /** @type {Array<[Role, Partial<PiecePatch>, typeof OPS[number], string | null]>} */
  const cases = [
    ['player', { holder: OTHER }, 'grab', 'held'],
    ['player', { holder: OTHER }, 'wrest', null],
    ['player', { holder: YOU }, 'move', null],
    ['player', { pinned: true }, 'move', 'pinned'],
    ['player', { pinned: true }, 'pivot', 'pinned'],
    ['player', { holder: OTHER }, 'pivot', 'held'],
    ['host', { locked: true }, 'pivot', 'locked'],
    ['player', { pinned: true }, 'raise', null],
    ['player', { pinned: true }, 'unpin', null],
    ['host', { locked: true }, 'move', 'locked'],
    ['spectator', {}, 'move', 'spectator'],
  ];
  for (const [role, fields, op, reason] of cases) {
    const { s, piece } = table(role, fields);
    assert.equal(
      refusal(s, piece, op)?.reason ?? null, reason, `${role}, ${JSON.stringify(fields)}: ${op}`,
    );
  }
});

test('T27 any player operates a clock that is not locked', () => {
  const ops = /** @type {const} */ (['start', 'pause', 'press', 'set', 'reset']);
  for (const fields of [{}, { holder: OTHER }, { pinned: true }, { pinned: true, holder: OTHER }]) {
    const { s, piece } = table('player', { kind: CLOCK, ...fields });
    for (const op of ops)
      assert.equal(refusal(s, piece, op), null, `${op} ${JSON.stringify(fields)}`);
  }
  const reasons = (/** @type {Role} */ role, /** @type {Partial<PiecePatch>} */ fields) => {
    const { s, piece } = table(role, fields);
    return ops.map((op) => refusal(s, piece, op)?.reason);
  };
  assert.deepEqual(reasons('host', { kind: CLOCK, locked: true }), Array(5).fill('locked'));
  assert.deepEqual(reasons('spectator', { kind: CLOCK }), Array(5).fill('spectator'));
  assert.deepEqual(reasons('player', { kind: CARD }), Array(5).fill('noClock'));
  assert.deepEqual(reasons('player', { kind: WATCH }), [
    undefined, undefined, 'oneSide', undefined, undefined,
  ]);
});

test('T27 each half of a two-sided clock is pressed, its strip is held', () => {
  // 600 by 900: displays from 0 to 200 and from 300 to 500, so 450 above the middle is 0.
  const { s, piece } = table('player', { kind: CLOCK });
  /** @type {[number, number, number][]} x and y from the middle, and the side there */
  const cases = [
    [0, -350, 2], [0, -449, 2], [290, -350, 2], [0, -50, 1], [0, 449, 1], [-290, 400, 1],
    [0, -200, 0], [-150, -200, 0], [0, -225, 2], [0, -175, 1],
  ];
  for (const [x, y, side] of cases) {
    assert.equal(sideAt(s, piece, { x, y }), side, `${x}, ${y}`);
    assert.equal(
      sideAt(s, { ...piece, angle: 18_000 }, { x: -x, y: -y }), side, `upside down: ${x}, ${y}`,
    );
    s.view.camera.turn = 90;
    assert.equal(sideAt(s, piece, { x: -y, y: x }), side, `on a turned table: ${x}, ${y}`);
    s.view.camera.turn = 0;
  }
  const watch = table('player', { kind: WATCH });
  assert.deepEqual(
    [-350, -250, -449, -120, 200].map((y) => sideAt(watch.s, watch.piece, { x: 0, y })),
    [1, 1, 0, 1, 0], 'with one side only the display',
  );
  const card = table('player', { kind: CARD });
  assert.equal(sideAt(card.s, card.piece, { x: 0, y: 0 }), 0);
});
