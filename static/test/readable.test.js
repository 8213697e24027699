// How pictures are turned on their pieces, for whoever looks.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { pictureTurn } from '../js/view/piece.js';
import { emptyCatalog } from '../js/view/catalog.js';

const catalog = emptyCatalog('');
catalog.kinds = /** @type {import('../js/view/catalog.js').Kind[]} */ (/** @type {unknown} */ ([
  { name: 'Button', faces: [{ name: 'Button' }], readable: true },
  { name: 'Board', faces: [{ name: 'Board' }] },
  { name: 'Turn marker', faces: [{ name: 'Turn marker' }], upright: true },
]));

/** @param {number} kind @param {number} angle in degrees @param {number} turn of the view */
const turns = (kind, angle, turn) => pictureTurn(
  /** @type {import('../js/state.js').State} */ (/** @type {unknown} */ (
    { catalog, sync: { sets: new Map() }, view: { camera: { turn } } })),
  /** @type {import('../js/types.js').Piece} */ (/** @type {unknown} */ (
    { id: 1, kind, face: 0, angle: 100 * angle })));

test('G20.1 text is not upside down, whoever looks and however the piece lies', () => {
  /** @type {[number, number, boolean][]} */
  const cases = [
    [0, 0, false], [0, 90, false], [0, 180, true], [0, 270, false],
    [180, 0, true], [180, 180, false], [180, 90, false], [91, 0, true], [89, 0, false],
    [269, 0, true], [271, 0, false], [100, 270, false], [100, 90, true],
  ];
  for (const [angle, turn, want] of cases)
    assert.equal(turns(0, angle, turn), want ? 180 : 0, `at ${angle}, the view turned by ${turn}`);
  assert.equal(turns(1, 0, 180), 0, 'a board without text lies as it lies');
});

test('G20 the words of games and samples are upside down for nobody', () => {
  /** @type {[string, string[]][]} */
  const games = [
    ['../games/rummy.json', ['Melds']], ['../games/hanafuda.json', ['Month', 'Sign of the month']],
    ['../../docs/guides/samples/ask.json',
      ['Give cards', 'Score points', 'Choose weather', 'Switch a lamp']],
  ];
  for (const [file, names] of games) {
    const { kinds } = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
    for (const name of names) {
      const kind = kinds.find((/** @type {{name: string}} */ k) => k.name === name);
      assert.equal(kind?.readable, true, `${name} of ${file}`);
    }
  }
});

test('what is upright is turned against the view, at any angle', () => {
  for (const angle of [0, 45]) assert.equal(turns(2, angle, 90), 270);
});
