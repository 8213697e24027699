// Zips of pictures that people bring to the editor: hostile ones end in one word, and never take
// more memory than they say.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { isLocal } from '../js/parts/edit/cleansvg.js';
import { zip } from '../js/parts/edit/pack.js';
import { BadZip, entriesOf, isZip, plainName, unpack } from '../js/parts/edit/zipfiles.js';

/** @type {string} its types are of no interest */
const LIBRARY = '../js/vendor/fflate-0.8.3.mjs';
const fflate = await import(LIBRARY);

const text = (/** @type {string} */ of) => new TextEncoder().encode(of);

/** Says why something fails. @param {() => unknown} what */
const why = (what) => {
  try {
    what();
    return '';
  } catch (error) {
    return error instanceof BadZip ? error.why : String(error);
  }
};

/**
 * A zip with one deflated file, which says that it has so many bytes.
 * @param {Uint8Array} data
 * @param {number} [says]
 */
function deflated(data, says = data.length) {
  const packed = deflateRawSync(data);
  const bytes = zip([['a.png', packed]]);
  const view = new DataView(bytes.buffer);
  const directory = view.getUint32(bytes.length - 6, true);
  for (const [at, method] of [[8, 22], [directory + 10, directory + 24]]) {
    view.setUint16(at, 8, true);
    view.setUint32(method, says, true);
  }
  return bytes;
}

test('the files in a zip are found, stored and deflated', () => {
  const stored = zip([['one.png', text('first')], ['deep/er/two.svg', text('second')]]);
  assert.ok(isZip(stored));
  assert.deepEqual(entriesOf(stored).map((e) => [e.name, text('').constructor.name && e.size]),
    [['one.png', 5], ['two.svg', 6]]);
  assert.deepEqual(entriesOf(stored).map((e) => Buffer.from(unpack(e, fflate)).toString()),
    ['first', 'second']);
  const large = new Uint8Array(300_000).map((_, i) => i % 251);
  const [entry] = entriesOf(deflated(large));
  assert.deepEqual(unpack(entry, fflate), large);
});

test('names have no folders, and what systems add is left out', () => {
  assert.equal(plainName('../../etc/pass\u0000wd.png'), 'pass wd.png');
  assert.equal(plainName('C:\\pictures\\a.png'), 'a.png');
  for (const none of ['folder/', '__MACOSX/a.png', '.hidden', 'a/.DS_Store'])
    assert.equal(plainName(none), '', none);
});

test('a bomb, a locked, a cut and a false zip end in one word', () => {
  const good = zip([['a.png', text('picture')]]);
  const changed = (/** @type {(view: DataView, directory: number) => void} */ change) => {
    const bytes = good.slice();
    const view = new DataView(bytes.buffer);
    change(view, view.getUint32(bytes.length - 6, true));
    return bytes;
  };
  for (const [what, bytes, want] of /** @type {[string, Uint8Array, string][]} */ ([
    ['locked', changed((v, d) => v.setUint16(d + 8, 1, true)), 'locked'],
    ['another method', changed((v, d) => v.setUint16(d + 10, 14, true)), 'broken'],
    ['large', changed((v, d) => v.setUint32(d + 24, 65 << 20, true)), 'large'],
    ['many', changed((v) => v.setUint16(v.byteLength - 12, 5000, true)), 'many'],
    ['more than there are', changed((v) => v.setUint16(v.byteLength - 12, 2, true)), 'broken'],
    ['elsewhere', changed((v, d) => v.setUint32(d + 42, 9, true)), 'broken'],
    ['far away', changed((v, d) => v.setUint32(d + 42, 1 << 30, true)), 'broken'],
    ['beyond the end', changed((v, d) => v.setUint32(d + 20, 1 << 20, true)), 'broken'],
    ['cut', good.slice(0, 40), 'broken'],
    ['no end', good.slice(0, -1), 'broken'],
    ['only its beginning', text('PK\u0003\u0004'), 'broken'],
  ])) assert.equal(why(() => entriesOf(bytes)), want, what);
  const unpacked = (/** @type {Uint8Array} */ bytes) => () => unpack(entriesOf(bytes)[0], fflate);
  const bomb = new Uint8Array(32 << 20);
  assert.equal(why(unpacked(deflated(bomb, 1000))), 'broken', 'more than it says');
  assert.equal(why(unpacked(deflated(text('a'), 1000))), 'broken', 'less than it says');
  const noise = deflated(text('abcdefgh'));
  noise.fill(0xff, 35, 43);
  assert.equal(why(unpacked(noise)), 'broken', 'nothing that was deflated');
  const many = zip(Array.from({ length: 5 }, (_, i) => [`${i}.png`, text('x')]));
  const view = new DataView(many.buffer);
  let at = view.getUint32(many.length - 6, true);
  for (let i = 0; i < 5; i++, at += 46 + 5) view.setUint32(at + 24, 60 << 20, true);
  assert.equal(why(() => entriesOf(many)), 'large', 'all together');
});

test('values of a drawing lead nowhere', () => {
  for (const good of [['href', '#a'], ['fill', 'url(#a)'], ['style', "fill:url('#a');stroke:red"]])
    assert.ok(isLocal(good[0], good[1]), good.join());
  for (const bad of [
    ['href', 'https://example.org'], ['xlink:href', 'data:image/png;base64,x'], ['href', '#'],
    ['fill', 'url(http://example.org/a)'], ['fill', 'URL( "//a")'], ['style', '@import "a"'],
    ['style', 'fill:u\\72l(a)'], ['mask', 'image(a)'], ['fill', 'url(#a) url(b)'],
  ]) assert.ok(!isLocal(bad[0], bad[1]), bad.join());
});

test('the libraries of others are the files that npm has', () => {
  /** @type {{version: string, licence: string, files: {as: string, sha256: string}[]}[]} */
  const list = JSON.parse(readFileSync(new URL('../../scripts/js/vendor.json', import.meta.url),
    'utf8'));
  const folder = new URL('../js/vendor/', import.meta.url);
  const files = list.flatMap((one) => one.files);
  // that of Papa Parse is made of its file (csv.test.js)
  const names = readdirSync(folder).filter((name) => name !== 'papaparse.js');
  assert.deepEqual(names.sort(), files.map(({ as }) => as).sort());
  for (const { as, sha256 } of files)
    assert.equal(createHash('sha256').update(readFileSync(new URL(as, folder))).digest('hex'),
      sha256, `${as}: see scripts/vendor.mjs`);
});

test('the library for PDF neither evaluates text nor uses WASM', () => {
  const own = readFileSync(new URL('../js/parts/edit/pdfpages.js', import.meta.url), 'utf8');
  assert.match(own, /isEvalSupported: false/);
  for (const name of readdirSync(new URL('../js/vendor/', import.meta.url)))
    assert.doesNotMatch(readFileSync(new URL(`../js/vendor/${name}`, import.meta.url), 'utf8'),
      /WebAssembly/, name);
});
