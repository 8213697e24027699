import assert from 'node:assert/strict';
import test from 'node:test';
import { Piles } from '../js/view/piles.js';
import { random } from './random.js';

/** @typedef {import('../js/view/piles.js').PilePiece} Lying */

/**
 * A card, or another piece of that size.
 *
 * @param {number} id
 * @param {number} x
 * @param {number} y
 * @param {number} [rank]
 * @param {number} [w]
 * @returns {Lying}
 */
function card(id, x, y, rank = id, w = 635) {
  return { id, x, y, w, h: 889, rank };
}

/**
 * The heights that result from looking at the whole table: pieces of one size that lie close to
 * another one of the pile.
 *
 * @param {Lying[]} cards
 */
function heightsOf(cards) {
  const near = (/** @type {Lying} */ a, /** @type {Lying} */ b) =>
    a.w === b.w &&
    a.h === b.h &&
    Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) <= 0.2 * Math.min(a.w, a.h);
  /** @type {Map<number, number>} */
  const heights = new Map();
  for (const c of cards) {
    if (heights.has(c.id)) continue;
    const pile = new Set([c]);
    for (const p of pile) for (const q of cards) if (near(p, q)) pile.add(q);
    const top = [...pile].reduce((a, b) => (a.rank > b.rank ? a : b));
    for (const p of pile) heights.set(p.id, p === top ? pile.size : 0);
  }
  return heights;
}

test('cards on top of one another form a pile; its top has the count', () => {
  const piles = new Piles();
  for (let i = 1; i <= 5; i++) piles.put(card(i, 1000 + i, -20));
  piles.put(card(6, 2000, -20));
  assert.deepEqual(
    [...piles.changed()].sort(([a], [b]) => a - b),
    [[1, 0], [2, 0], [3, 0], [4, 0], [5, 5], [6, 1]],
  );
  assert.deepEqual(piles.of(3), [5, 4, 3, 2, 1]);
  assert.equal(piles.changed().size, 0, 'told once');
});

test('a pile may lean', () => {
  const piles = new Piles();
  for (let i = 1; i <= 20; i++) piles.put(card(i, 0, -60 * i));
  assert.equal(piles.changed().get(20), 20);
});

test('a row of cards or pieces of different sizes form no pile', () => {
  const piles = new Piles();
  piles.put(card(1, 0, 0));
  piles.put(card(2, 0, 0, 2, 700));
  piles.put(card(3, 190, 0, 3));
  assert.deepEqual(piles.of(1), [1]);
  assert.deepEqual(piles.of(3), [3]);
});

test('removing a piece that joined two piles separates them', () => {
  const piles = new Piles();
  for (const [id, x] of [[1, 0], [2, 120], [3, 240]]) piles.put(card(id, x, 0));
  assert.equal(piles.changed().get(3), 3);
  piles.take(2);
  assert.deepEqual(
    [...piles.changed()].sort(([a], [b]) => a - b).filter(([id]) => id !== 2),
    [
      [1, 1],
      [3, 1],
    ],
  );
});

test('piles by single changes equal those of a full scan', () => {
  for (let seed = 0; seed < 30; seed++) {
    const r = random(seed);
    const piles = new Piles();
    /** @type {Map<number, Lying>} */
    const cards = new Map();
    /** @type {Map<number, number>} */
    const told = new Map();
    for (let step = 0; step < 150; step++) {
      const id = 1 + r.below(40);
      if (r.chance(0.2)) {
        piles.take(id);
        cards.delete(id);
      } else {
        const c = card(
          id, r.below(1500) - 750, r.below(1500) - 750, 100 * (1 + r.below(1000)) + id,
          r.chance(0.8) ? 635 : 400,
        );
        piles.put(c);
        cards.set(id, c);
      }
      for (const [changed, height] of piles.changed()) told.set(changed, height);
      for (const [c, height] of heightsOf([...cards.values()]))
        assert.equal(told.get(c), height, `seed ${seed} step ${step} card ${c}`);
    }
  }
});
