// The tiles of a rack in the strip at the lower edge of a small window.

import assert from 'node:assert/strict';
import test from 'node:test';
import { freeOn, nearest, tilesIn, tilesOn } from '../js/parts/cards/rackstrip.js';
import { emptyCatalog } from '../js/view/catalog.js';

/** @typedef {import('../js/state.js').State} State */
/** @typedef {import('../js/types.js').Piece} Piece */

const STRIP = { middle: 195, width: 390, height: 124 };

const catalog = emptyCatalog('');
catalog.racks = true;
catalog.kinds = /** @type {import('../js/view/catalog.js').Kind[]} */ (/** @type {unknown} */ ([
  {
    name: 'Rack', width: 1000, height: 600, hand: true, rack: true, faces: [{}],
    grid: { x: 100, y: 100, stepX: 200, stepY: 400, columns: 5, rows: 2 },
  },
  { name: 'Tile', width: 180, height: 300, secret: true, mask: 2, faces: [{}] },
  { name: 'Back', width: 180, height: 300, faces: [{}] },
]));
catalog.masks = new Set([2]);

/** A rack at the upper edge, whose owner reads it from there, with tiles. */
const at = (/** @type {[number, number][]} */ places) => {
  const rack = { id: 1, kind: 0, x: 0, y: -3000, angle: 18000, owner: 1, holder: 0 };
  const tiles = places.map(([x, y], i) => ({ ...rack, id: i + 2, kind: 1, x, y: y - 3000 }));
  const all = /** @type {Piece[]} */ (/** @type {unknown} */ ([rack, ...tiles]));
  const s = /** @type {State} */ (/** @type {unknown} */ ({
    catalog, sync: { you: 1, pieces: new Map(all.map((p) => [p.id, p])), kinds: {} },
  }));
  return { s, rack: all[0] };
};

test('T96.14 tiles are as large as the strip allows, inside it and side by side', () => {
  for (const tile of [{ width: 280, height: 560 }, { width: 280, height: 380 }])
    for (let n = 1; n <= 21; n++) {
      const { w, h, points } = tilesIn(n, tile, STRIP);
      assert.equal(points.length, n);
      assert.ok(w >= (n > 7 ? 24 : 45), `${n} tiles are ${w} px wide`);
      for (const [i, p] of points.entries()) {
        assert.ok(p.x - w / 2 >= 0 && p.x + w / 2 <= 390, `tile ${i} of ${n}`);
        assert.ok(p.y - h / 2 >= 0 && p.y + h / 2 <= 124, `tile ${i} of ${n}`);
        const covered = points.slice(0, i).some((q) =>
          Math.abs(q.x - p.x) < w && Math.abs(q.y - p.y) < h);
        assert.ok(!covered, `tile ${i} of ${n} is covered`);
      }
    }
});

test('T96.14 tiles are in the order in which their owner reads the rack', () => {
  const { s, rack } = at([[400, -200], [-400, 200], [400, 200], [0, 200]]);
  assert.deepEqual(tilesOn(s, rack).map(({ id }) => id), [4, 5, 3, 2]);
});

test('T96.14 a tile comes to the first free cell behind the others, or else before them', () => {
  const { s, rack } = at([[400, 200], [0, 200]]);
  assert.deepEqual(freeOn(s, rack), { x: -200, y: -2800 });
  const full = at([[400, 200], [-400, -200]]);
  assert.deepEqual(freeOn(full.s, full.rack), { x: 200, y: -2800 });
});

test('T96.14 a dragged tile goes to the place that is nearest', () => {
  const points = [{ x: 0, y: 0 }, { x: 40, y: 0 }, { x: 0, y: 50 }];
  assert.equal(nearest(points, { x: 30, y: 10 }), 1);
  assert.equal(nearest(points, { x: 10, y: 40 }), 2);
});
