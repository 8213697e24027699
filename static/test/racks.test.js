// Racks (T96): what lies there belongs to no hand of the page, whose it is, and what takes a piece.

import assert from 'node:assert/strict';
import test from 'node:test';
import { refusal } from '../js/input/ops.js';
import { outside } from '../js/parts/abilities/container.js';
import { hindrance } from '../js/parts/abilities/offers.js';
import { handTag, saysOnRack } from '../js/parts/cards/handnames.js';
import { bindRacks } from '../js/parts/cards/holdings.js';
import { drawBars, invalidateBars } from '../js/bars/state.js';
import { snapped } from '../js/parts/boards/boards.js';
import { createSync } from '../js/sync/sync.js';
import { answerForKinds, layerOf, takerOf } from '../js/sync/kinds.js';
import { LIGHT } from '../js/sync/predict.js';
import { fullPiece } from '../js/net/wire.js';
import { isInMyHand, isOnRack } from '../js/rights.js';
import { emptyCatalog, readCatalog } from '../js/view/catalog.js';
import { Order } from '../js/view/order.js';
import { frame, full, OTHER, YOU } from './table.js';

/** The names of the pieces. */
const [MINE, THEIRS, HAND, ACE, THEIR_CARD, FREE, CHIP, BAG] = [1, 2, 3, 4, 5, 6, 7, 8];

const STOW = { op: 'stow', label: '', asks: [{ name: 'into', label: '' }] };

/** A page with two racks, a hand, and something on each rack. */
function page() {
  const sync = createSync('q83vEjRWeJCrze8SNFZ4kA');
  const face = (/** @type {string} */ name) => ({ name, art: '' });
  const light = {
    width: 100, height: 200, shape: /** @type {const} */ ('card'),
    weight: /** @type {const} */ ('light'), secret: false,
  };
  const heavy = {
    ...light, width: 1000, height: 400, weight: /** @type {const} */ ('heavy'), hand: true,
  };
  const catalog = readCatalog(emptyCatalog('/art/'), '', {
    kinds: [
      { ...light, name: 'Ace', secret: true, mask: 1, faces: [face('Ace'), face('Back')] },
      { ...light, name: 'Back', faces: [face('Back')], offers: [STOW] },
      { ...heavy, name: 'Rack', rack: true, faces: [face('Rack')] },
      { ...heavy, name: 'Hand', faces: [face('Hand')] },
      { ...light, name: 'Chip', private: true, faces: [face('Chip')] },
      { ...light, name: 'Bag', container: { draws: 'random', takes: 1 }, faces: [face('Bag')] },
    ],
  }, new Map());
  const seats = [YOU, OTHER].map((id) => ({
    id, nick: id === YOU ? 'Ada' : 'Ben', colour: 1, role: /** @type {const} */ ('host'),
    presence: /** @type {const} */ ('here'),
  }));
  const s = /** @type {import('../js/state.js').State} */ (
    /** @type {unknown} */ ({
      sync, catalog,
      view: { order: new Order((/** @type {any} */ piece) => sync.layer(piece)) },
    })
  );
  answerForKinds(s);
  const make = (/** @type {any} */ fields) => fullPiece({ mark: fields.id, ...fields });
  sync.receive(frame(full({
    seats, pieces: [
      make({ id: MINE, kind: 2, owner: YOU, z: '0.01' }),
      make({ id: THEIRS, kind: 2, x: 2000, owner: OTHER, z: '0.02' }),
      make({ id: HAND, kind: 3, x: 4000, owner: YOU, z: '0.03' }),
      make({ id: ACE, kind: 0, x: 10, owner: YOU, z: '0.5' }),
      make({ id: THEIR_CARD, kind: 1, x: 2010, owner: OTHER, z: '0.6' }),
      make({ id: FREE, kind: 1, x: 8000, z: '0.7' }),
      make({ id: CHIP, kind: 4, x: 8000, z: '0.8' }),
      make({ id: BAG, kind: 5, x: 12000, z: '0.9' }),
    ],
  })));
  s.view.order.reset(sync.pieces.values());
  const piece = (/** @type {number} */ id, /** @type {object} */ at = {}) => {
    const found = sync.pieces.get(id);
    assert.ok(found);
    return { ...found, ...at };
  };
  return { s, piece };
}

test('T96.10 a page says who sees the front of a piece on a rack', () => {
  const { s, piece } = page();
  assert.deepEqual(saysOnRack(s, piece(ACE)), ['on your rack, only you see its front']);
  assert.deepEqual(saysOnRack(s, piece(THEIR_CARD)), ['on Ben’s rack']);
  assert.deepEqual(saysOnRack(s, piece(FREE)), []);
  assert.deepEqual(saysOnRack(s, piece(MINE)), [], 'the rack itself');
});

test('T96.10 a page says of no rack that only its owner sees it while there is a referee', (t) => {
  const { s, piece } = page();
  Object.assign(s, { ready: true, bars: { draw: [], dirty: false }, redraw() {} });
  const dirty = s.view.dirty = new Set();
  bindRacks(s);
  const become = (/** @type {'referee'|'spectator'} */ role) => {
    const seat = s.sync.seats.get(OTHER);
    assert.ok(seat);
    seat.role = role;
    dirty.clear();
    invalidateBars(s);
    drawBars(s);
    return [...dirty];
  };
  const inWindow = (/** @type {boolean} */ isSmall) =>
    Object.assign(globalThis, { matchMedia: () => ({ matches: isSmall }) });
  t.after(() => Reflect.deleteProperty(globalThis, 'matchMedia'));
  inWindow(true);
  assert.match(handTag(s, piece(MINE)), /only you$/, 'what fits on a phone');
  inWindow(false);
  assert.match(handTag(s, piece(MINE)), /only you see the fronts/);
  assert.deepEqual(become('referee'), [MINE, HAND, ACE], 'what is said again');
  assert.deepEqual(saysOnRack(s, piece(ACE)), ['on your rack']);
  assert.doesNotMatch(handTag(s, piece(MINE)), /only you/);
  assert.deepEqual(become('referee'), []);
  assert.deepEqual(become('spectator'), [MINE, HAND, ACE]);
  assert.deepEqual(saysOnRack(s, piece(ACE)), ['on your rack, only you see its front']);
});

test('T96.3 what lies on a rack lies in no hand, and among all other pieces', () => {
  const { s, piece } = page();
  assert.ok(isOnRack(s, piece(ACE)) && !isInMyHand(s, piece(ACE)));
  assert.equal(layerOf(s, piece(ACE)), LIGHT);
  const inHand = piece(ACE, { x: 4000 });
  assert.ok(!isOnRack(s, inHand) && isInMyHand(s, inHand));
});

test('T30 a recall counts what lies on an own rack as own, and on the others’ as theirs', () => {
  const { s, piece } = page();
  assert.deepEqual(outside(s, piece(BAG)), { others: 1, own: 1, table: 1 });
});

test('T96.1, T96.6 a rack takes secret pieces, which stay in sight and keep their level', () => {
  const { s, piece } = page();
  const taken = (/** @type {number} */ id, /** @type {number} */ x) =>
    takerOf(s, piece(id, { x }), 'release');
  assert.deepEqual(taken(FREE, 0), { into: 0, owner: YOU, team: [], z: '' });
  assert.deepEqual(taken(FREE, 2000), { into: 0, owner: OTHER, team: [], z: '' });
  assert.equal(taken(CHIP, 0), null);
  assert.equal(taken(CHIP, 4000)?.owner, YOU, 'a hand takes the chip');
});

test('T96.5 nobody else moves what lies on a rack, not even a host', () => {
  const { s, piece } = page();
  assert.equal(refusal(s, piece(THEIR_CARD), 'grab')?.reason, 'othersRack');
  assert.equal(hindrance(s, piece(THEIR_CARD), STOW)?.reason, 'othersRack');
  assert.equal(refusal(s, piece(THEIR_CARD), 'copy')?.reason, 'hidden');
  assert.equal(refusal(s, piece(ACE), 'grab'), null);
  assert.equal(refusal(s, piece(THEIRS), 'grab'), null, 'a host moves the rack itself');
});

test('T96.11 a tile snaps to the cells of a rack, and to no others under a hand', () => {
  const { s, piece } = page();
  const { kinds } = s.catalog;
  Object.assign(kinds[2], {
    grid: { x: 200, y: 200, stepX: 150, stepY: 300, columns: 5, rows: 1 },
  });
  Object.assign(s.view, { boards: new Set([MINE, THEIRS]) });
  const drop = (/** @type {number} */ id, /** @type {object} */ at) =>
    snapped(s, piece(id), { ...piece(id), ...at });
  assert.deepEqual(drop(ACE, { x: -170, y: 30 }), { x: -150, y: 0 }, 'within the own rack');
  assert.deepEqual(drop(FREE, { x: 160, y: -90 }), { x: 150, y: 0 }, 'onto the own rack');
  assert.deepEqual(drop(FREE, { x: 1990, y: 50 }), { x: 2000, y: 0 }, 'onto that of another');
  assert.deepEqual(drop(CHIP, { x: 290, y: 50 }), { x: 300, y: 0 }, 'what it does not take');
  assert.equal(drop(ACE, { x: 480, y: 0 }), null, 'beside the cells');
  assert.equal(drop(ACE, { x: 8000, y: 0 }), null, 'off the rack');
  const rack = piece(MINE);
  Object.assign(kinds[2], { rack: undefined });
  assert.ok(rack.owner === YOU);
  assert.equal(drop(FREE, { x: 160, y: -90 }), null, 'a hand has no cells');
});
