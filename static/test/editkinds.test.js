// What the editor of the game makes: packed games of a few kinds, and what pictures say of
// themselves. The server reads the same bytes (TestPackedByPage in server/play/game).

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import test from 'node:test';
import { headerOf } from '../js/parts/edit/header.js';
import {
  RECIPES, faultOf, kindsOf, readSides, startOf, wellFormed, withSides,
} from '../js/parts/edit/kinds.js';
import { canonical, crc32, packKinds, zip } from '../js/parts/edit/pack.js';
import { sentence } from '../js/parts/edit/sentences/model.js';
import { sha256 } from '../js/parts/fairness/sha256.js';

const FILE = new URL('../../server/play/game/testdata/packed-by-page.json', import.meta.url);

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg' +
    'gg==',
  'base64',
);

const hex = (/** @type {Uint8Array} */ bytes) => Buffer.from(bytes).toString('hex');
const text = (/** @type {string} */ of) => new TextEncoder().encode(of);

test('CRC-32 is that of zip', () => {
  assert.equal(crc32(text('123456789')), 0xcbf43926);
  assert.equal(crc32(text('')), 0);
});

test('JSON is canonical (RFC 8785)', () => {
  const value = {
    peach: 'This sorting', '\u20ac': 'Euro', '\r': '\u000f\n', '1': 1, '\u{1f600}': null,
    '\ufb33': [4.5, 1e30, 2e-3, 1e-27, undefined].slice(0, 4), left: undefined, '\u00f6': true,
  };
  assert.equal(canonical(value),
    '{"\\r":"\\u000f\\n","1":1,"peach":"This sorting","ö":true,"€":"Euro","😀":null,' +
    '"\ufb33":[4.5,1e+30,0.002,1e-27]}');
});

test('G3 a zip has its entries, the directory in the same order, and the end', () => {
  const bytes = zip([['a', text('one')], ['b', text('')]]);
  const at = (/** @type {number} */ from, /** @type {number} */ to) =>
    hex(bytes.subarray(from, to));
  assert.equal(bytes.length, 2 * (30 + 1) + 3 + 2 * (46 + 1) + 22);
  assert.deepEqual([at(0, 4), at(34, 38), at(65, 69), at(112, 116), at(159, 163)],
    ['504b0304', '504b0304', '504b0102', '504b0102', '504b0506']);
  assert.equal(at(8, 10), '0000', 'stored');
});

test('what each form makes is what the server reads', () => {
  const art = hex(sha256(PIXEL));
  const pixel = new Map([[art, new Uint8Array(PIXEL)]]);
  /** @type {Record<string, string>} */
  const made = {};
  for (const recipe of RECIPES)
    for (const pictured of recipe.asks.includes('picture') ? [false, true] : [false]) {
      const v = startOf(recipe, `My ${recipe.id}`);
      if (pictured) v.front = { ...v.front, art, isExact: recipe.id === 'board' };
      else v.front.text = 'Über 😀';
      v.note = 'Read this.';
      v.does.sentences.push(sentence('rotate', { kind: v.name, by: 90 }));
      assert.equal(faultOf(recipe, v), null, recipe.id);
      const kinds = kindsOf(recipe, v, { rest: 'Token', back: 'Back' });
      const bytes = packKinds(kinds, pictured ? pixel : new Map());
      made[pictured ? `${recipe.id} with a picture` : recipe.id] =
        Buffer.from(bytes).toString('base64');
    }
  const found = `${JSON.stringify(made, null, 1)}\n`;
  if (process.env.HOLT_WRITE_VECTORS) writeFileSync(FILE, found);
  assert.equal(found, readFileSync(FILE, 'utf8'),
    'run it with HOLT_WRITE_VECTORS=1, and then the test of the server');
});

test('what is as small as can be has places on which something can be written', () => {
  for (const recipe of RECIPES) {
    const v = { ...startOf(recipe, 'Small'), width: 4, height: 4 };
    v.front.text = 'Small';
    assert.equal(faultOf(recipe, v), null);
    const [kind] = kindsOf(recipe, v, { rest: 'Token', back: 'Back' });
    for (const { x, y, width, height } of kind.clock?.displays ?? [kind.display].filter(Boolean)) {
      assert.ok(width >= 10 && height >= 10, recipe.id);
      assert.ok(x + width <= kind.width && y + height <= kind.height, recipe.id);
    }
  }
});

test('a form says what is wrong', () => {
  const wrong = (/** @type {string} */ id, /** @type {object} */ values) => {
    const recipe = /** @type {typeof RECIPES[number]} */ (RECIPES.find((r) => r.id === id));
    return faultOf(recipe, { ...startOf(recipe, 'One'), ...values });
  };
  assert.equal(wrong('token', {}), null);
  assert.equal(wrong('token', { name: ' ' }), 'name');
  assert.equal(wrong('token', { name: 'x'.repeat(81) }), 'name');
  assert.equal(wrong('token', { width: 3.9 }), 'size');
  assert.equal(wrong('token', { height: Number.NaN }), 'size');
  assert.equal(wrong('board', { width: 2001 }), 'size');
  assert.equal(wrong('die', { sides: ['1'] }), 'sides');
  assert.equal(wrong('die', { sides: Array.from({ length: 65 }, String) }), 'sides');
  assert.equal(wrong('counter', { from: 5, to: 5, start: 5 }), 'range');
  assert.equal(wrong('counter', { start: 100 }), 'range');
  assert.equal(wrong('counter', { from: 0.5 }), 'range');
  assert.equal(wrong('zone', { gap: 0 }), 'gap');
  assert.equal(wrong('zone', { lay: 'pile', gap: 0 }), null, 'a pile has no distance');
  assert.equal(wrong('clock', { minutes: 0 }), 'time');
});

test('the sides of a die follow their number', () => {
  assert.deepEqual(withSides(['a', 'b'], 4), ['a', 'b', '3', '4']);
  assert.deepEqual(withSides(['a', 'b', 'c'], 2), ['a', 'b']);
  assert.deepEqual(readSides(' a, b c ,,d'), ['a', 'b c', 'd']);
});

test('a text has nothing that a game file cannot have', () => {
  assert.equal(wellFormed(' a\u0007b\ud800c😀 '), 'a b\ufffdc😀');
});

test('the header of a picture says what it is and how large', () => {
  const bytes = (/** @type {string} */ of) => new Uint8Array(Buffer.from(of, 'hex'));
  const is = (/** @type {Uint8Array} */ of) => {
    const header = headerOf(of);
    return header && [header.type, header.width, header.height];
  };
  assert.deepEqual(is(new Uint8Array(PIXEL)), ['png', 1, 1]);
  assert.deepEqual(is(bytes('474946383961100020000000')), ['gif', 16, 32]);
  // an EXIF segment before the frame
  assert.deepEqual(is(bytes('ffd8ffe1000845786966' + '0000' + 'ffc0001108002000' + '1003012200')),
    ['jpeg', 16, 32]);
  assert.deepEqual(is(bytes('524946460000000057454250565038580a000000' + '000000000f00001f0000')),
    ['webp', 16, 32]);
  assert.deepEqual(is(text('<?xml version="1.0"?><svg xmlns="…">')), ['svg', 0, 0]);
  for (const none of [text(''), text('Hello, this is a text.'), bytes('ffd8ffe0'), bytes('8950')])
    assert.equal(is(none), null);
});
