// Where pieces snap to (C14), and how that depends on the edges of the cells.

import assert from 'node:assert/strict';
import test from 'node:test';
import { HEXAGONS, nearest, NONE, SQUARES, tileOf } from '../js/parts/settings/cells.js';

const wide = { width: 100_000, height: 100_000 };

/**
 * @param {number} form
 * @param {Partial<import('../js/parts/components/registry.js').Grid>} [more]
 */
const grid = (form, more = {}) => ({ form, pitch: 500, x: 0, y: 0, snap: true, ...more });

test('C14 squares: the grid’s origin is a corner, pieces snap to centres', () => {
  assert.deepEqual(nearest(grid(SQUARES), { x: 10, y: 490 }, wide), { x: 250, y: 250 });
  assert.deepEqual(nearest(grid(SQUARES), { x: -10, y: 510 }, wide), { x: -250, y: 750 });
  assert.deepEqual(nearest(grid(SQUARES, { x: 100, y: -50 }), { x: 0, y: 0 }, wide), {
    x: -150, y: 200,
  });
});

test('C14 hexagons: the grid’s origin is a centre, its neighbours a pitch away', () => {
  assert.deepEqual(nearest(grid(HEXAGONS), { x: 30, y: -40 }, wide), { x: 0, y: 0 });
  for (let i = 0; i < 6; i++) {
    const angle = (i * Math.PI) / 3;
    const at = { x: Math.cos(angle) * 500, y: Math.sin(angle) * 500 };
    const found = nearest(grid(HEXAGONS), { x: at.x + 60, y: at.y - 70 }, wide);
    assert.deepEqual(found, { x: Math.round(at.x), y: Math.round(at.y) }, `neighbour ${i}`);
  }
});

test('C14 a piece snaps to the nearest cell from anywhere', () => {
  for (const form of [SQUARES, HEXAGONS]) {
    const g = grid(form, { pitch: 370, x: 111, y: -77 });
    const high = form === HEXAGONS ? (370 * Math.sqrt(3)) / 2 : 370;
    const shift = form === HEXAGONS ? 0 : 0.5;
    for (let n = 0; n < 400; n++) {
      const at = { x: ((n * 7919) % 4001) - 2000, y: ((n * 104_729) % 4001) - 2000 };
      const found = nearest(g, at, wide);
      assert.ok(found);
      let least = Number.POSITIVE_INFINITY;
      for (let j = -12; j <= 12; j++) {
        for (let i = -12; i <= 12; i++) {
          const odd = form === HEXAGONS ? (j & 1) / 2 : 0;
          least = Math.min(
            least,
            Math.hypot(111 + (i + shift + odd) * 370 - at.x, -77 + (j + shift) * high - at.y),
          );
        }
      }
      assert.ok(
        Math.abs(Math.hypot(found.x - at.x, found.y - at.y) - least) < 1.5,
        `${form} ${at.x} ${at.y}`,
      );
    }
  }
});

test('C14 nothing snaps beyond the edge, without a grid or on a tiny table', () => {
  const table = { width: 1200, height: 1200 };
  assert.deepEqual(
    nearest(grid(SQUARES), { x: 599, y: 0 }, table)?.x, 250, 'the centre at 750 is off the table',
  );
  assert.deepEqual(nearest(grid(SQUARES, { pitch: 20_000 }), { x: 0, y: 0 }, table), null);
  assert.equal(nearest(grid(NONE, { pitch: 0 }), { x: 0, y: 0 }, wide), null);
});

test('C14 a tile of hexagons is three sides high with edges one side long', () => {
  const { width, height, path } = tileOf(grid(HEXAGONS));
  const side = 500 / Math.sqrt(3);
  assert.equal(width, 500);
  assert.ok(Math.abs(height - 3 * side) < 0.01);
  const [x0, y0, x1, y1] =
    /^M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)/.exec(path)?.slice(1).map(Number) ?? [];
  assert.ok(Math.abs(Math.hypot(x1 - x0, y1 - y0) - side) < 0.01);
  assert.deepEqual(tileOf(grid(SQUARES)), { width: 500, height: 500, path: 'M0 0H500V500H0Z' });
});
