import assert from 'node:assert/strict';
import test from 'node:test';
import { COMPONENTS } from '../js/parts/components/registry.js';
import {
  boxAround, distanceTo, lengthOf, pathOf, pointsOf, simplified, stretchesOf,
} from '../js/parts/drawing/lines.js';
import { random } from './random.js';

/** @typedef {import('../js/view/geometry.js').Point} Point */

/**
 * A line with random turns.
 *
 * @param {number} seed
 * @param {number} n
 * @param {number} [step]
 * @returns {Point[]}
 */
function wander(seed, n, step = 40) {
  const { next } = random(seed);
  const points = [{ x: 0, y: 0 }];
  let angle = next() * 6;
  while (points.length < n) {
    const { x, y } = points[points.length - 1];
    angle += (next() - 0.5) * 1.2;
    points.push({
      x: Math.round(x + Math.cos(angle) * step * next()),
      y: Math.round(y + Math.sin(angle) * step * next()),
    });
  }
  return points;
}

test('a simplified line stays within tolerance and keeps its ends', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const points = wander(seed, 300);
    const few = simplified(points, 10);
    assert.ok(few.length < points.length / 2, `seed ${seed}: ${few.length} of ${points.length}`);
    assert.deepEqual([few[0], few.at(-1)], [points[0], points.at(-1)], `seed ${seed}`);
    for (const p of points)
      assert.ok(distanceTo(few, p) <= 10, `seed ${seed}: ${JSON.stringify(p)}`);
  }
});

test('a straight line keeps two points, a corner three, a dot one', () => {
  const straight = Array.from({ length: 100 }, (_, i) => ({ x: i * 7, y: i * 3 }));
  assert.deepEqual(simplified(straight, 1), [straight[0], straight[99]]);
  const corner = [
    ...straight, ...Array.from({ length: 50 }, (_, i) => ({ x: 693 - i * 9, y: 297 + i })),
  ];
  assert.equal(simplified(corner, 2).length, 3);
  assert.deepEqual(simplified([{ x: 3, y: 4 }], 1), [{ x: 3, y: 4 }]);
  assert.equal(simplified([{ x: 3, y: 4 }, { x: 3, y: 4 }], 1).length, 2);
});

test('distance is measured to the line, not to its points', () => {
  const line = [{ x: 0, y: 0 }, { x: 100, y: 0 }, { x: 100, y: 100 }];
  assert.equal(distanceTo(line, { x: 50, y: 7 }), 7);
  assert.equal(distanceTo(line, { x: -3, y: -4 }), 5);
  assert.equal(distanceTo(line, { x: 130, y: 50 }), 30);
  assert.equal(distanceTo([{ x: 1, y: 1 }], { x: 4, y: 5 }), 5);
  assert.equal(distanceTo([], { x: 0, y: 0 }), Infinity);
  assert.equal(lengthOf(line), 200);
  assert.deepEqual(boxAround(line), { left: 0, top: 0, right: 100, bottom: 100 });
});

/** The points of a path: its ends, and sixteen between each two. @param {string} d */
function along(d) {
  const numbers = (/** @type {string} */ part) => part.trim().split(/[ ,]+/).map(Number);
  const [start, ...curves] = d.slice(1).split('C').map(numbers);
  let [x0, y0] = start;
  const places = [{ x: x0, y: y0 }];
  for (const [x1, y1, x2, y2, x3, y3] of curves) {
    for (let i = 1; i <= 16; i++) {
      const t = i / 16;
      const u = 1 - t;
      const at = (/** @type {number[]} */ [a, b, c, e]) =>
        u ** 3 * a + 3 * u * u * t * b + 3 * u * t * t * c + t ** 3 * e;
      places.push({ x: at([x0, x1, x2, x3]), y: at([y0, y1, y2, y3]) });
    }
    [x0, y0] = [x3, y3];
  }
  return places;
}

test('the curve passes smoothly through every point without overshooting', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const points = simplified(wander(seed, 200), 12);
    const places = along(pathOf(points));
    points.forEach((p, i) => {
      const q = places[i * 16];
      assert.ok(Math.hypot(p.x - q.x, p.y - q.y) < 0.1, `seed ${seed}: point ${i}`);
    });
    const stray = Math.max(...places.map((p) => distanceTo(points, p)));
    assert.ok(stray < 40, `seed ${seed}: it strays by ${stray}`);
  }
});

test('uneven points leave the curve’s direction continuous', () => {
  const places = along(
    pathOf([
      { x: 0, y: 0 },
      { x: 40, y: 10 },
      { x: 400, y: 300 },
      { x: 420, y: 310 },
    ]),
  );
  for (const i of [16, 32]) {
    const [a, b, c] = [places[i - 1], places[i], places[i + 1]];
    const turn = Math.abs(Math.atan2(b.y - a.y, b.x - a.x) - Math.atan2(c.y - b.y, c.x - b.x));
    assert.ok(turn < 0.25, `it turns by ${turn}`);
  }
});

test('a single point is a dot, and repeated points do no harm', () => {
  assert.equal(pathOf([{ x: 5, y: -6 }]), 'M5 -6h0');
  assert.doesNotMatch(
    pathOf([
      { x: 5, y: 5 },
      { x: 5, y: 5 },
      { x: 5, y: 5 },
      { x: 9, y: 5 },
    ]),
    /NaN|Infinity/,
  );
});

test('C14 parts of a line decode unchanged and fit into messages', () => {
  const { next } = random(7);
  const far = () => Math.round((next() - 0.5) * 2_000_000);
  for (const points of [
    [{ x: 12, y: -7 }], wander(3, 400), Array.from({ length: 500 }, () => ({ x: far(), y: far() })),
  ]) {
    const stretches = stretchesOf(points);
    const sent = stretches.map((s) => COMPONENTS.points.encode(s));
    for (const data of sent)
      assert.ok(data.length <= COMPONENTS.points.size, `${data.length} bytes`);
    assert.deepEqual(pointsOf(sent.map((data) => COMPONENTS.points.decode(data))), points);
  }
});
