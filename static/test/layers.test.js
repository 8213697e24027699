// Faces that are put together from layers, and catalogues that have templates.

import assert from 'node:assert/strict';
import test from 'node:test';
import { artOf, emptyCatalog, picturesOf, readCatalog, unfold } from '../js/view/catalog.js';
import { saysOf } from '../js/parts/layers/layers.js';
import { layOut } from '../js/parts/layers/lines.js';
import { svgOf } from '../js/parts/layers/svg.js';
import { withPictures } from '../js/parts/replay/file.js';
import { partsFor } from '../js/parts.js';

/** The same as the server writes of it (docs/protocol/http.md). */
const doc = () => ({
  format: 'holt.catalog/2',
  templates: [{
    name: 0, width: 600, height: 900, shape: 'card', weight: 'light', secret: true, mask: 0,
    faces: [
      { name: 0, layers: [{ colour: 1 }, { art: 2, x: 50, width: 500, height: 400 }, { text: 0 }] },
      { name: 'Back', art: 'bb' },
    ],
  }],
  kinds: [
    {
      name: 'Back', width: 600, height: 900, shape: 'card', weight: 'light', secret: false,
      faces: [{ name: 'Back', art: 'bb' }],
    },
    { template: 0, values: ['Spark', '#aa2200', 'aa'] },
    { template: 0, values: ['Blaze', '#aa2200', ''] },
  ],
});

test('a kind of a template has the values of its row', () => {
  const [back, spark, blaze] = unfold(doc());
  assert.equal(back.faces[0].art, 'bb');
  assert.equal(spark.name, 'Spark');
  assert.equal(spark.faces[0].name, 'Spark');
  assert.equal(spark.width, 600);
  assert.equal(spark.mask, 0);
  assert.deepEqual(spark.faces[0].layers, [
    { colour: '#aa2200' }, { art: 'aa', x: 50, width: 500, height: 400 }, { text: 'Spark' },
  ]);
  assert.deepEqual(spark.faces[1], { name: 'Back', art: 'bb' });
  assert.equal(blaze.faces[0].layers?.[1].art, '');
  assert.notEqual(spark.faces[0].art, blaze.faces[0].art, 'what looks otherwise is another face');
});

test('the pictures of a catalogue are those of faces and layers, each once and in order', () => {
  assert.deepEqual([...picturesOf(unfold(doc()))], ['bb', 'aa']);
});

test('a face with layers has no address until it is drawn', () => {
  const kinds = unfold(doc());
  const c = readCatalog(emptyCatalog('/art/'), 'c0', { kinds }, new Map());
  assert.equal(artOf(c, kinds[1].faces[0]), '');
  assert.equal(artOf(c, kinds[1].faces[1]), '/art/bb');
  c.album.set(kinds[1].faces[0].art, 'blob:1');
  assert.equal(artOf(c, kinds[1].faces[0]), 'blob:1');
});

test('a screen reader says what stands on a face, once', () => {
  const kinds = unfold(doc());
  kinds[1].faces[0].layers?.push({ text: 'Deal\n1 damage.' }, { text: ' ' }, { text: '3' });
  const s = /** @type {any} */ ({
    catalog: readCatalog(emptyCatalog('/art/'), 'c0', { kinds }, new Map()),
    sync: { seats: new Map() },
  });
  const says = (/** @type {number} */ kind, /** @type {number} */ face) => saysOf(
    s, /** @type {any} */ ({ kind, face, holder: 0, owner: 0 }),
  );
  assert.deepEqual(says(1, 0), ['Deal 1 damage., 3']);
  assert.deepEqual(says(1, 1), []);
  assert.deepEqual(says(0, 0), []);
});

test('the part for layers comes with the first kind that has some', () => {
  assert.ok(partsFor(unfold(doc()), []).includes('layers'));
  assert.ok(!partsFor(unfold({ kinds: doc().kinds.slice(0, 1) }), []).includes('layers'));
});

test('a saved replay has the pictures of layers, and no others', () => {
  const kinds = unfold(doc());
  const saved = withPictures({ format: '', kinds }, { aa: 'data:' }).kinds;
  assert.deepEqual(saved[1].faces[0], kinds[1].faces[0]);
  assert.equal(saved[1].faces[1].art, '');
  assert.equal(withPictures({ format: '', kinds }, {}).kinds[1].faces[0].layers[1].art, '');
});

/** Letters that are half as wide as they are high. @param {string} text */
const measure = (text) => text.length / 2;

test('long lines are broken at spaces, and line breaks stay', () => {
  const lines = (/** @type {string} */ text, /** @type {number} */ width) =>
    layOut(text, { width, height: 1000 }, 10, measure).lines;
  assert.deepEqual(lines('draw two\ncards then stop', 50), ['draw two', 'cards then', 'stop']);
  assert.deepEqual(lines('a\n\nb', 50), ['a', '', 'b']);
  assert.deepEqual(lines('unbreakable', 40), ['unbreakable']);
});

test('each word is measured once', () => {
  let calls = 0;
  layOut('one two three four five six', { width: 100, height: 50 }, undefined, (text) => {
    calls++;
    return measure(text);
  });
  assert.equal(calls, 7, 'six words and a space');
});

test('letters are as large as fits, and no larger than they may be', () => {
  const place = { width: 100, height: 60 };
  assert.deepEqual(layOut('ab', place, undefined, measure), { size: 50, lines: ['ab'] });
  assert.deepEqual(layOut('ab', place, 20, measure), { size: 20, lines: ['ab'] });
  assert.deepEqual(layOut(' ', place, 20, measure).lines, []);
  const { size, lines } = layOut('several words in a small place', place, undefined, measure);
  assert.ok(size < 50 && lines.length > 1);
  assert.ok(lines.length * size * 1.2 <= 60.001);
  assert.ok(lines.every((line) => measure(line) * size <= 100.001));
});

test('a text that does not fit at all is small, and the search ends', () => {
  const { size, lines } = layOut('word '.repeat(500), { width: 10, height: 10 }, 5000, measure);
  assert.ok(size >= 7 && size < 10, String(size));
  assert.ok(lines.length > 100);
});

test('a face becomes a picture with all of its layers', () => {
  const svg = svgOf({ width: 600, height: 900, shape: 'card' }, [
    { colour: '#aa2200' },
    { colour: '' },
    { art: 'aa', x: 50, y: 120, width: 500, height: 400, fit: 'cover' },
    { art: '' },
    { text: '<all> & "more"', x: 40, y: 500, width: 520, height: 300, size: 60, bold: true },
    { text: '1', x: 0, y: 800, width: 100, height: 100, angle: 18000, align: 'left' },
  ], new Map([['aa', 'data:image/svg+xml,%3Csvg%3E']]), () => measure);
  assert.match(svg, /^<svg xmlns="[^"]+" width="60" height="90" viewBox="0 0 600 900"/);
  assert.match(svg, /<rect x="0" y="0" width="600" height="900" fill="#aa2200"\/>/);
  assert.equal(svg.match(/<rect/g)?.length, 2, 'the shape and one area: the other one is empty');
  assert.match(svg, /<clipPath id="s"><rect width="600" height="900" rx="33"\/>/);
  assert.match(svg, /<image x="50" [^>]+preserveAspectRatio="xMidYMid slice" href="data:image/);
  assert.equal(svg.match(/<image/g)?.length, 1);
  assert.ok(svg.includes('&lt;all&gt; &amp; &quot;more&quot;'));
  assert.match(svg, /font-size="60"[^>]+font-weight="700"[^>]+fill="#2c221a"/);
  assert.match(svg, /<g transform="rotate\(180 50 850\)"><text[^>]+text-anchor="start"/);
});

test('nothing in a layer becomes an element of its own', () => {
  const bad = '"/><script>alert(1)</script>';
  const svg = svgOf({ width: 600, height: 900, shape: 'card' }, [
    { text: bad, colour: bad }, { colour: bad }, { art: 'aa' },
  ], new Map([['aa', bad]]), () => measure);
  assert.ok(!svg.includes('<script'));
});
