// The bitmaps of a crowded table: which pictures, and how large.

import assert from 'node:assert/strict';
import test from 'node:test';
import { MOST_PIXELS, planBitmaps, resolutionFor } from '../js/parts/bitmaps/plan.js';
import { emptyCatalog } from '../js/view/catalog.js';

/** A catalogue with kinds of these sizes and pictures. */
function catalogOf(/** @type {{width: number, height: number, art: string[]}[]} */ ...kinds) {
  const catalog = emptyCatalog('/art/');
  catalog.kinds = kinds.map(({ width, height, art }) => ({
    name: '', width, height, shape: 'rect', weight: 'light', secret: false,
    faces: art.map((a) => ({ name: '', art: a })),
  }));
  return catalog;
}

test('a bitmap is never enlarged, and has at most twice the pixels that are needed', () => {
  for (let needed = 0.05; needed < 40; needed *= 1.01) {
    const resolution = resolutionFor(needed);
    assert.ok(resolution >= needed * (1 - 1e-9), `${needed}: ${resolution}`);
    assert.ok(resolution ** 2 < 2.0001 * needed ** 2, `${needed}: ${resolution}`);
  }
});

test('resolutions come in steps, so a small zoom needs no other bitmaps', () => {
  assert.equal(resolutionFor(1), 1);
  assert.equal(resolutionFor(1.5), 2);
  assert.equal(resolutionFor(1.9), 2);
  assert.equal(resolutionFor(2), 2);
  assert.equal(resolutionFor(Math.SQRT2), Math.SQRT2);
});

test('a bitmap has the size of its kind on the screen, of the largest of several kinds', () => {
  const catalog = catalogOf(
    { width: 600, height: 900, art: ['a', 'b'] },
    { width: 300, height: 450, art: ['a'] },
    { width: 1205, height: 1805, art: ['b', ''] },
  );
  catalog.album.set('a', 'blob:a');
  assert.deepEqual(planBitmaps(catalog, 2), [
    { art: 'blob:a', width: 120, height: 180 },
    { art: '/art/b', width: 241, height: 361 },
  ]);
});

test('there are none beyond the most pixels', () => {
  const side = Math.sqrt(MOST_PIXELS);
  const catalog = catalogOf({ width: side * 10, height: side * 10, art: ['a'] });
  assert.equal(planBitmaps(catalog, 1).length, 1);
  assert.deepEqual(planBitmaps(catalog, 1.01), []);
});
