// Attached pieces (T97): what is shown moving along amid a drag, and when it is shown where it is.

import assert from 'node:assert/strict';
import test from 'node:test';
import { attachedTo, letGo, saysOfAttached } from '../js/parts/controls/attached.js';

/** The names of the pieces: a map, a sign and supplies on it, and a flag on the supplies. */
const [MAP, SIGN, SUPPLIES, FLAG, CUP] = [1, 2, 3, 4, 5];

/** A page with these pieces. @param {Record<number, number>} [holders] who holds which */
function page(holders = {}) {
  const pieces = new Map([MAP, SIGN, SUPPLIES, FLAG, CUP].map((id) => [
    id, { id, x: 100 * id, y: -10 * id, holder: holders[id] ?? 0 },
  ]));
  /** @type {Set<number>} */
  const pending = new Set();
  const seen = { drawn: 0 };
  const s = /** @type {import('../js/state.js').State} */ (/** @type {unknown} */ ({
    sync: { pieces, pending: (/** @type {number} */ id) => pending.has(id) },
    catalog: {
      attached: [
        { piece: SIGN, to: MAP }, { piece: SUPPLIES, to: MAP }, { piece: FLAG, to: SUPPLIES },
      ],
    },
    view: { dirty: new Set() },
    redraw: () => seen.drawn++,
  }));
  const carry = (/** @type {number[]} */ ...ids) => {
    const from = new Map(ids.map((id) => [id, { x: 0, y: 0, z: '' }]));
    return /** @type {import('../js/input/state.js').Carry} */ (/** @type {unknown} */ ({
      by: 'pointer', lead: ids[0], from, along: attachedTo(s, from), dx: 40, dy: 0,
    }));
  };
  return { s, pending, seen, carry };
}

test('T97.10 all that is attached moves along, and what lies on that', () => {
  const along = (/** @type {Record<number, number>} */ holders, /** @type {number[]} */ ...ids) =>
    [...page(holders).carry(...ids).along?.keys() ?? []];
  assert.deepEqual(along({}, MAP), [SIGN, SUPPLIES, FLAG]);
  assert.deepEqual(along({}, SUPPLIES), [FLAG]);
  assert.deepEqual(along({}, CUP), []);
  assert.deepEqual(along({ [SUPPLIES]: 7 }, MAP), [SIGN], 'what is held stays, and what is on it');
  assert.deepEqual(along({}, MAP, SUPPLIES), [SIGN, FLAG], 'what is carried itself does not');
  const at = page().carry(MAP).along;
  assert.deepEqual(at?.get(FLAG), { x: 400, y: -40 }, 'from where it lies');
});

test('T97.10 it is drawn where the server has it as soon as that has answered', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { s, pending, seen, carry } = page();
  const c = carry(MAP);
  pending.add(MAP);
  letGo(s, c);
  assert.equal(c.along, undefined);
  t.mock.timers.tick(1000);
  assert.equal(seen.drawn, 0, 'it stays where it was put while the server has not answered');
  pending.delete(MAP); // it has rejected it, or moved all of them
  t.mock.timers.tick(100);
  assert.deepEqual([...s.view.dirty], [SIGN, SUPPLIES, FLAG]);
  assert.equal(seen.drawn, 1);
});

test('T97.10 it is drawn where the server has it if no answer comes, or nothing was moved', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { s, pending, seen, carry } = page();
  pending.add(MAP);
  letGo(s, carry(MAP));
  for (let n = 0; n < 29; n++) t.mock.timers.tick(100);
  assert.equal(seen.drawn, 0);
  t.mock.timers.tick(100);
  assert.equal(seen.drawn, 1);
  letGo(s, carry(MAP), 0);
  assert.equal(seen.drawn, 2, 'a drag that is broken off');
  letGo(s, { ...carry(MAP), dx: 0 });
  assert.equal(seen.drawn, 3, 'a press without a move');
  letGo(s, carry(CUP), 0);
  assert.equal(seen.drawn, 3, 'nothing is attached to it');
});

test('T97.10 a screen reader says how many pieces are attached', () => {
  const { s } = page();
  const says = (/** @type {number} */ id) => {
    const piece = /** @type {import('../js/types.js').Piece} */ (s.sync.pieces.get(id));
    return saysOfAttached(s, piece);
  };
  assert.match(says(MAP).join(), /2/);
  assert.equal(says(SUPPLIES).length, 1);
  assert.deepEqual(says(SIGN), []);
});
