// Tints have names, whatever colour another client writes.

import assert from 'node:assert/strict';
import test from 'node:test';
import { HUES, hueOf } from '../js/parts/marks/tints.js';
import { msg } from '../js/parts/marks/msg.js';

test('C14 each tint has a name and a pattern, and is its own nearest', () => {
  for (const hue of HUES) {
    assert.equal(hueOf(hue.colour), hue);
    assert.ok(msg(`marks.hues.${hue.id}`) && msg(`marks.patterns.${hue.id}`), hue.id);
  }
  const patterns = HUES.map(({ id }) => msg(`marks.patterns.${id}`));
  assert.equal(new Set(patterns).size, HUES.length, 'no two have the same pattern');
});

test('C14 any colour gets the name of the nearest tint', () => {
  for (const [colour, id] of /** @type {[number, string][]} */ ([
    [0xff0000, 'red'],
    [0x00aa00, 'green'],
    [0x0000ff, 'blue'],
    [0x000000, 'black'],
    [0xffffff, 'white'],
    [0xffee00, 'yellow'],
  ])) {
    assert.equal(hueOf(colour).id, id, colour.toString(16));
  }
});
