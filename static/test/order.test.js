import assert from 'node:assert/strict';
import test from 'node:test';
import { compare, Order } from '../js/view/order.js';
import { above, between } from '../js/sync/zlevel.js';
import { random } from './random.js';

/** @typedef {import('../js/view/order.js').Levelled} Levelled */

/** An order in one layer. @returns {Order<Levelled>} */
const flat = () => new Order(() => 1);

/**
 * Checks that the ranks agree with the levels.
 *
 * @param {Order<Levelled>} order
 * @param {Map<number, Levelled>} keys
 * @param {string} hint
 */
function agrees(order, keys, hint) {
  const byRank = [...keys.keys()].sort((a, b) => order.rank(a) - order.rank(b));
  const byLevel = [...keys.values()].map((k) => order.keyOf(k)).sort(compare).map((k) => k.id);
  assert.deepEqual(byRank, byLevel, hint);
  assert.equal(
    new Set(byRank.map((id) => order.rank(id))).size, keys.size, `${hint}: ranks are different`,
  );
}

test('T13.6 pieces lie in the order of level, version of the level and id', () => {
  const order = flat();
  order.reset([
    { id: 4, z: '0.5', zMark: 2 },
    { id: 3, z: '0.5', zMark: 2 },
    { id: 2, z: '0.5', zMark: Number.POSITIVE_INFINITY },
    { id: 1, z: '0.51', zMark: 1 },
  ]);
  assert.ok(order.rank(3) < order.rank(4), 'by id');
  assert.ok(order.rank(4) < order.rank(2), 'by version, a pending one on top');
  assert.ok(order.rank(2) < order.rank(1), 'by level');
});

test('a raise changes the rank of one piece', () => {
  const order = flat();
  const keys = Array.from({ length: 3000 }, (_, i) => ({
    id: i + 1, z: `0.${String(i + 1).padStart(5, '0')}1`, zMark: i,
  }));
  order.reset(keys);
  let top = keys[keys.length - 1].z;
  for (let i = 0; i < 2000; i++) {
    top = above(top);
    assert.deepEqual(order.put({ id: 1 + (i % 700), z: top, zMark: 3000 + i }), [1 + (i % 700)]);
  }
});

test('a piece between the same neighbours keeps its rank', () => {
  const order = flat();
  order.reset([
    { id: 1, z: '0.1', zMark: 1 },
    { id: 2, z: '0.2', zMark: 1 },
    { id: 3, z: '0.3', zMark: 1 },
  ]);
  assert.deepEqual(order.put({ id: 2, z: '0.25', zMark: 5 }), []);
});

test('insertions into one gap change few ranks', () => {
  const order = flat();
  order.reset(
    Array.from({ length: 1000 }, (_, i) => ({
      id: i + 1, z: `0.${String(i + 1).padStart(4, '0')}1`, zMark: i,
    })),
  );
  const keys = new Map(order.list.map((k) => [k.id, /** @type {Levelled} */ (k)]));
  let written = 0;
  let hi = '0.05011';
  const lo = '0.05001';
  for (let i = 0; i < 1000; i++) {
    hi = between(lo, hi);
    const key = { id: 2000 + i, z: hi, zMark: 2000 + i };
    keys.set(key.id, key);
    written += order.put(key).length;
  }
  agrees(order, keys, 'after 1000 insertions');
  assert.ok(written < 20_000, `${written} ranks written`);
});

test('ranks and levels agree after any history of puts and removals', () => {
  for (let seed = 0; seed < 20; seed++) {
    const r = random(seed);
    const order = flat();
    /** @type {Map<number, Levelled>} */
    const keys = new Map();
    for (let step = 0; step < 400; step++) {
      const id = 1 + r.below(60);
      if (r.chance(0.15)) {
        order.take(id);
        keys.delete(id);
      } else {
        const key = { id, z: `0.${1 + r.below(r.chance(0.5) ? 9 : 999)}1`, zMark: r.below(50) };
        const before = new Map(order.ranks);
        const changed = new Set(order.put(key));
        keys.set(id, key);
        for (const other of keys.keys()) {
          if (!changed.has(other) && before.has(other))
            assert.equal(order.rank(other), before.get(other), `seed ${seed}`);
        }
      }
      agrees(order, keys, `seed ${seed}, step ${step}`);
    }
  }
});

test('ranks stay within the limits of z-index after many raises', () => {
  const order = flat();
  order.reset([1, 2, 3].map((id) => ({ id, z: `0.${id}`, zMark: 1 })));
  let z = '0.3';
  for (let i = 0; i < 300_000; i++) {
    z = i % 1000 === 0 ? '0.9' : above(z);
    order.put({ id: 1 + (i % 3), z, zMark: i });
    assert.ok(order.rank(1 + (i % 3)) < 2 ** 31);
  }
});

test('T13.7, T23, T25 heavy pieces lie below all others, one’s own hand above', () => {
  /** @type {Map<number, number>} */
  const layers = new Map([[1, 0], [2, 1], [3, 2], [4, 2]]);
  /** @type {Order<Levelled>} */
  const order = new Order(({ id }) => layers.get(id) ?? 1);
  order.reset([
    { id: 1, z: '0.9', zMark: 1 },
    { id: 2, z: '0.5', zMark: 1 },
    { id: 3, z: '0.2', zMark: 1 },
    { id: 4, z: '0.1', zMark: 1 },
  ]);
  assert.deepEqual(order.list.map((k) => k.id), [1, 2, 4, 3]);
  assert.deepEqual([...order.below(1)].map((k) => k.id), [1]);
  assert.deepEqual([...order.below(0)], []);
  layers.set(4, 1); // played: at the level that it had, under the other card of the table
  assert.deepEqual(order.put({ id: 4, z: '0.1', zMark: 1 }), [4]);
  assert.deepEqual(
    order.list.map((k) => k.id), [1, 4, 2, 3],
  );
  assert.deepEqual(
    order.list.map((k) => order.rank(k.id)),
    order.list.map((k) => order.rank(k.id)).sort((a, b) => a - b),
  );
});

test('T21 a renamed piece keeps its rank unless its level changes', () => {
  const order = flat();
  order.reset([1, 2, 3].map((id) => ({ id, z: `0.${id}`, zMark: 1 })));
  const rank = order.rank(2);
  order.rename(2, 70_000);
  assert.deepEqual([order.rank(70_000), order.rank(2)], [rank, 0]);
  assert.deepEqual(order.put({ id: 70_000, z: '0.25', zMark: 9 }), []);
  assert.equal(order.rank(70_000), rank);
  order.rename(1, 16_384);
  assert.deepEqual(order.put({ id: 16_384, z: '0.9', zMark: 9 }), [16_384]);
  assert.deepEqual(order.list.map((k) => k.id), [70_000, 3, 16_384]);
  order.rename(16_384, 16_385);
  order.take(16_385);
  assert.deepEqual(
    [order.list.length, order.keys.size, order.ranks.size], [2, 2, 2],
    'removed before it was drawn again',
  );
});
