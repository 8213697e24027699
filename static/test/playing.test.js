// Where a card comes to lie that somebody plays from their hand without naming a place.

import assert from 'node:assert/strict';
import test from 'node:test';
import { createListeners, onDone } from '../js/listeners.js';
import { createPending } from '../js/input/pending.js';
import { createBars } from '../js/bars/state.js';
import { play } from '../js/parts/cards/hand.js';
import * as zones from '../js/parts/zones/zones.js';
import { createSync } from '../js/sync/sync.js';
import { answerForKinds } from '../js/sync/kinds.js';
import { fullPiece } from '../js/net/wire.js';
import { emptyCatalog, readCatalog } from '../js/view/catalog.js';
import { Order } from '../js/view/order.js';
import { frame, full, OTHER, YOU } from './table.js';

/** @typedef {import('../js/state.js').State} State */
/** @typedef {import('../js/kinds/zone.js').Zone} Zone */

const [CARD, BACK, HAND, TRICK, PASS, ROW] = [0, 1, 2, 3, 4, 5];
const [ACE, KING, MINE, THEIRS] = [1, 2, 3, 4];

/** @param {Partial<Zone>} more @returns {Zone} */
const zone = (more) => ({ lay: 'pile', takes: ['Back'], turns: 'up', ...more });

/**
 * A page that shows the middle of a table, 5760 by 6000 units, with a hand below it, and in the
 * hand an ace and a king. A card is played at (0, 1170) if nothing takes it.
 * @param {object[]} pieces more of them
 */
function page(...pieces) {
  const face = (/** @type {string} */ name) => ({ name, art: '' });
  const light = {
    width: 600, height: 900, shape: /** @type {const} */ ('card'),
    weight: /** @type {const} */ ('light'), secret: false,
  };
  const heavy = { ...light, weight: /** @type {const} */ ('heavy') };
  const catalog = readCatalog(emptyCatalog(''), '', {
    kinds: [
      { ...light, name: 'Ace', secret: true, mask: BACK, faces: [face('Ace'), face('Back')] },
      { ...light, name: 'Back', faces: [face('Back')] },
      { ...heavy, width: 4000, height: 1000, name: 'Hand', hand: true, faces: [face('Hand')] },
      {
        ...heavy, width: 3000, height: 3000, name: 'Trick', zone: zone({ lay: 'free' }),
        faces: [face('Trick')],
      },
      { ...heavy, name: 'Pass', zone: zone({ turns: 'down', most: 1 }), faces: [face('Pass')] },
      {
        ...heavy, width: 2000, name: 'Played', zone: zone({ lay: 'row', gap: 300 }),
        faces: [face('Played')],
      },
    ],
    seats: [
      { name: 'South', angle: 0, colour: '#000000', pieces: [MINE] },
      { name: 'North', angle: 18_000, colour: '#ffffff', pieces: [THEIRS] },
    ],
  }, new Map());
  const sync = createSync('q83vEjRWeJCrze8SNFZ4kA');
  const camera = { left: 0, top: 0, w: 600, h: 744, width: 9000, height: 9000, turn: 0 };
  const s = /** @type {State} */ (/** @type {unknown} */ ({
    sync, catalog, parts: { zones }, pending: createPending(), bars: createBars(),
    listeners: createListeners(), net: { flush() {} }, redraw() {}, ready: true,
    page: { handStrip: { hidden: true, offsetHeight: 0 } },
    view: {
      order: new Order((/** @type {any} */ p) => sync.layer(p)), dirty: new Set(), shown: new Map(),
      camera: { ...camera, scale: 1, sx: 450, sy: 454, live: null },
    },
  }));
  answerForKinds(s);
  const make = (/** @type {any} */ fields, /** @type {number} */ i) =>
    fullPiece({ mark: i + 1, z: `0.${i + 1}`, ...fields });
  const seats = [YOU, OTHER].map((id, i) => ({
    id, nick: id === YOU ? 'Ada' : 'Ben', colour: 1, side: i + 1,
    role: /** @type {const} */ ('host'), presence: /** @type {const} */ ('here'),
  }));
  sync.receive(frame(full({
    seats,
    pieces: [
      { id: 9, kind: HAND, y: 4000, owner: YOU },
      ...pieces,
      { id: ACE, kind: CARD, y: 4000, owner: YOU },
      { id: KING, kind: CARD, x: 300, y: 4000, owner: YOU },
    ].map(make),
  })));
  s.view.order.reset(sync.pieces.values());
  /** @type {{id: number, x: number, y: number}[]} */
  const moves = [];
  onDone(s, (id, op, { x, y }) => {
    if (op === 'move') moves.push({ id, x: Number(x), y: Number(y) });
  });
  const played = (/** @type {number[]} */ ids, down = false) => {
    play(s, ids.flatMap((id) => sync.pieces.get(id) ?? []), down);
    return moves.splice(0);
  };
  return { s, played };
}

const GOAL = { x: 0, y: 1170 };

// Clauses: T86.16
test('a card is played into the trick, also if that lies beside the middle of the view', () => {
  const { played } = page({ id: 5, kind: TRICK, x: 2100 });
  assert.deepEqual(played([ACE]), [{ id: ACE, x: 2100, y: 1050 }], 'with all of it inside');
});

test('T86.16 cards lie side by side in the trick, and cover no other card', () => {
  const { played } = page(
    { id: 5, kind: TRICK }, { id: 6, kind: BACK, x: 0, y: 1050 },
  );
  const [ace, king] = played([ACE, KING]);
  for (const { x, y } of [ace, king]) {
    assert.ok(Math.abs(x) <= 1200 && Math.abs(y) <= 1050, 'in the trick');
    assert.ok(Math.abs(x) >= 600 || y <= 150, 'beside what lies there');
  }
  assert.ok(Math.abs(ace.x - king.x) >= 600 || Math.abs(ace.y - king.y) >= 900);
});

test('T86.16 a zone that lays in order gets all cards at its beginning', () => {
  const { played } = page({ id: 5, kind: ROW, y: 1170 });
  const at = { x: -980, y: 1170 };
  assert.deepEqual(played([ACE, KING]), [{ id: ACE, ...at }, { id: KING, ...at }]);
});

test('T86.16 face down a card goes to the zone that keeps it so, as long as that has room', () => {
  const zones = [{ id: 5, kind: TRICK, y: -1000 }, { id: 6, kind: PASS, x: 700, y: 2000 }];
  assert.deepEqual(page(...zones).played([ACE], true), [{ id: ACE, x: 700, y: 2000 }]);
  const { y } = page(...zones).played([ACE])[0];
  assert.ok(y <= 50, 'face up into the trick');
  const [first, second] = page(...zones).played([ACE, KING], true);
  assert.deepEqual(first, { id: ACE, x: 700, y: 2000 });
  assert.notDeepEqual([second.x, second.y], [700, 2000], 'one card fills it');
});

test('T86.16 a card that is played face down does not come where it would be turned up', () => {
  const { x, y } = page({ id: 5, kind: TRICK }).played([ACE], true)[0];
  assert.ok(Math.abs(x) >= 1800 || Math.abs(y) >= 1950);
});

test('T86.16 a zone that is far, or of another player, is not where a card is played', () => {
  const far = { id: 5, kind: ROW, y: -1000 };
  assert.deepEqual(page(far).played([ACE]), [{ id: ACE, ...GOAL }]);
  const theirs = { id: THEIRS, kind: ROW, y: 1170 };
  const { x, y } = page(theirs).played([ACE])[0];
  assert.ok(Math.abs(x) >= 1300 || Math.abs(y - 1170) >= 900, 'nor does it lie on that');
  const mine = { id: MINE, kind: ROW, y: 1170 };
  assert.equal(page(mine).played([ACE])[0].x, -980);
});
