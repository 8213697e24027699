// Texts on pieces: as large as they fit, broken into lines, and cut off where they do not fit.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fitLine, fitText, wrap } from '../js/parts/abilities/fit.js';

/**
 * Every character is half as wide as it is high.
 *
 * @type {import('../js/parts/abilities/fit.js').Measure}
 */
const measure = (text) => [...text].length * 0.5;
const SIZES = { least: 4, most: 20 };

test('lines break between words, at line feeds and in long words', () => {
  assert.deepEqual(wrap('one two three', 4, measure), ['one two', 'three']);
  assert.deepEqual(wrap('one\n\ntwo', 10, measure), ['one', '', 'two']);
  assert.deepEqual(wrap('abcdefgh ij', 2, measure), ['abcd', 'efgh', 'ij']);
  assert.deepEqual(wrap('', 5, measure), ['']);
  assert.deepEqual(wrap('🂡🂢🂣', 1, measure), ['🂡🂢', '🂣'], 'no character is broken');
});

test('a long text shrinks until all of it fits', () => {
  assert.equal(fitText('Ada', 100, 50, measure, SIZES).size, SIZES.most);
  const long = 'Trumps are hearts, and nobody may pass twice in a row.';
  const { size, lines } = fitText(long, 100, 60, measure, SIZES);
  assert.ok(size >= SIZES.least && size < SIZES.most);
  assert.equal(lines.join(' '), long);
  assert.ok(lines.length * size * 1.22 <= 60);
  for (const line of lines) assert.ok(measure(line) * size <= 100);
});

test('text that does not fit at the least size ends in an ellipsis', () => {
  const { size, lines } = fitText('word '.repeat(400).trim(), 100, 60, measure, SIZES);
  assert.ok(Math.abs(size - SIZES.least) < 0.1);
  assert.equal(lines.length, Math.floor(60 / (1.22 * size)));
  assert.match(lines.at(-1) ?? '', /…$/);
});

test('a line is as large as its display allows', () => {
  assert.ok(Math.abs(fitLine('1', 100, 21, measure) - 20) < 1e-9);
  assert.equal(fitLine('1000000', 35, 100, measure), 10);
});
