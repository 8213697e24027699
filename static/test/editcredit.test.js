// What the editor says of who made pictures (G27).

import assert from 'node:assert/strict';
import test from 'node:test';
import { tidy } from '../js/parts/edit/credit.js';
import { packKinds } from '../js/parts/edit/pack.js';

const document = (/** @type {Uint8Array} */ file) => {
  const text = Buffer.from(file).toString('latin1');
  return JSON.parse(text.slice(text.indexOf('{"'), text.lastIndexOf('}') + 1));
};

test('G27.1 what is said of pictures has the form that a game file can have', () => {
  assert.deepEqual(tidy({ author: ' Ada\n\tB\u200d ', licence: '', more: 'x' }),
    { author: 'Ada  B' });
  assert.deepEqual(tidy({ author: null, source: 'x'.repeat(400) }), { source: 'x'.repeat(300) });
  assert.equal([...(tidy({ licence: '😀'.repeat(101) }).licence ?? '')].length, 100);
});

test('G27.5 it is said once of all pictures that are sent', () => {
  const pictures = new Map(['b', 'a'].map((one) => [one.repeat(64), new Uint8Array(1)]));
  const { credits } = document(packKinds([], pictures, { author: 'Ada', licence: 'CC0-1.0' }));
  assert.deepEqual(credits,
    [{ art: ['a'.repeat(64), 'b'.repeat(64)], author: 'Ada', licence: 'CC0-1.0' }]);
  for (const nothing of [packKinds([], pictures, {}), packKinds([], new Map(), { author: 'Ada' })])
    assert.equal(document(nothing).credits, undefined);
});
