import assert from 'node:assert/strict';
import test from 'node:test';
import {
  boundsOf, middleOf, nextAngle, normalAngle, padding, scrollFor, toPage, toTable, turned,
} from '../js/view/geometry.js';
import { random } from './random.js';

/** @typedef {import('../js/view/geometry.js').Camera} View */

/**
 * A random view of a random table.
 *
 * @param {import('./random.js').Random} r
 * @returns {View}
 */
function anyView(r) {
  return {
    width: 1000 + r.below(20_000),
    height: 1000 + r.below(20_000),
    scale: 0.1 + r.next() * 4,
    turn: r.pick(/** @type {const} */ ([0, 90, 180, 270])),
    left: r.below(20),
    top: r.below(80),
    w: 300 + r.below(2000),
    h: 300 + r.below(1200),
    sx: r.below(900),
    sy: r.below(900),
    live: r.chance(0.5)
      ? { factor: 0.3 + 2 * r.next(), x: r.below(400) - 200, y: r.below(400) - 200 }
      : null,
  };
}

/**
 * @param {{x: number, y: number}} a
 * @param {{x: number, y: number}} b
 * @param {string} hint
 */
function same(a, b, hint) {
  assert.ok(
    Math.hypot(a.x - b.x, a.y - b.y) < 1e-6 * (1 + Math.hypot(a.x, a.y)),
    `${hint}: ${a.x},${a.y} and ${b.x},${b.y}`,
  );
}

test('page and table coordinates convert both ways, in any view', () => {
  for (let seed = 0; seed < 300; seed++) {
    const r = random(seed);
    const view = anyView(r);
    const p = { x: r.below(10_000) - 5000, y: r.below(10_000) - 5000 };
    const at = toPage(view, p);
    same(toTable(view, at.x, at.y), p, `seed ${seed}`);
  }
});

test('a settled zoom shows what the gesture showed', () => {
  for (let seed = 0; seed < 300; seed++) {
    const r = random(seed);
    const view = {
      ...anyView(r), live: { factor: 0.5 + r.next(), x: r.below(100) - 50, y: r.below(100) - 50 },
    };
    const settled = {
      ...view, scale: view.scale * view.live.factor, sx: view.sx - view.live.x,
      sy: view.sy - view.live.y, live: null,
    };
    const p = { x: r.below(9000) - 4500, y: r.below(9000) - 4500 };
    same(toPage(settled, p), toPage(view, p), `seed ${seed}`);
  }
});

test('scrolling brings a point to its place unless the end is reached', () => {
  let reached = 0;
  for (let seed = 0; seed < 300; seed++) {
    const r = random(seed);
    const view = { ...anyView(r), live: null };
    const p = { x: (r.next() - 0.5) * view.width, y: (r.next() - 0.5) * view.height };
    const to = { x: view.left + view.w / 2, y: view.top + view.h / 2 };
    const scale = 0.1 + r.next() * 4;
    const scroll = scrollFor(view, p, to.x, to.y, scale);
    assert.ok(scroll.x >= 0 && scroll.y >= 0);
    const pad = padding(view);
    assert.ok(pad.x * 2 >= view.w - 1, 'every point of the table can be brought to the middle');
    const at = toPage({ ...view, scale, sx: scroll.x, sy: scroll.y }, p);
    if (Math.hypot(at.x - to.x, at.y - to.y) < 1.5) reached++;
  }
  assert.equal(reached, 300);
});

test('the middle of points is not rounded', () => {
  assert.deepEqual(middleOf([{ x: -1, y: 4 }, { x: 2, y: 5 }]), { x: 0.5, y: 4.5 });
  assert.deepEqual(middleOf([{ x: 7, y: -3 }]), { x: 7, y: -3 });
});

test('quarter turns are exact, and four of them are the identity', () => {
  assert.deepEqual(turned(3, -4, 90), { x: 4, y: 3 });
  assert.deepEqual(turned(3, -4, -90), turned(3, -4, 270));
  let v = { x: 3, y: -4 };
  for (let i = 0; i < 4; i++) v = turned(v.x, v.y, 90);
  assert.deepEqual(v, { x: 3, y: -4 });
});

test('T24 angles snap to the next step and stay within 0 to 35999', () => {
  assert.equal(nextAngle(0, 1500), 1500);
  assert.equal(nextAngle(100, 1500), 1500);
  assert.equal(nextAngle(100, -1500), 0);
  assert.equal(nextAngle(0, -1500), 34_500);
  assert.equal(nextAngle(35_999, 1500), 0);
  assert.equal(normalAngle(-1), 35_999);
  assert.equal(normalAngle(72_000), 0);
  for (let a = 0; a < 36_000; a += 137) {
    const b = nextAngle(a, 1500);
    assert.ok(b >= 0 && b < 36_000 && b % 1500 === 0 && b !== a);
  }
});

test('a turned rectangle has a bounding box', () => {
  assert.deepEqual(boundsOf(30, 10, 0), { w: 30, h: 10 });
  const quarter = boundsOf(30, 10, 9000);
  assert.ok(Math.abs(quarter.w - 10) < 1e-9 && Math.abs(quarter.h - 30) < 1e-9);
});
