// Which pictures fill their shape, and at what cost that is found out.

import assert from 'node:assert/strict';
import test from 'node:test';
import { emptyCatalog, keepArt } from '../js/view/catalog.js';

/** @typedef {import('../js/view/catalog.js').Kind} Kind */
/** @typedef {import('../js/view/catalog.js').Layer} Layer */

test('a face on an area of one colour is solid, and nobody draws it for that', async (t) => {
  let drawn = 0;
  t.after(() => {
    for (const name of ['Image', 'document']) Reflect.deleteProperty(globalThis, name);
  });
  Object.assign(globalThis, {
    Image: class {
      decode() {
        return Promise.resolve();
      }
    },
    document: {
      createElement: () => {
        drawn++;
        return { getContext: () => null };
      },
    },
  });
  /** @type {[Layer[] | undefined, boolean][]} */
  const cases = [
    [[{ colour: '#112233' }, { text: 'Owl' }], true],
    [[{ colour: '' }, { text: 'Owl' }], false],
    [[{ text: 'Owl', colour: '#112233' }], false],
    [[{ colour: '#112233', x: 10, y: 10, width: 50, height: 50 }], false],
    [[{ art: 'a'.repeat(64) }], false],
    [undefined, false],
  ];
  for (const [layers, isSolid] of cases) {
    const c = emptyCatalog('');
    c.album.set('face', 'blob:1');
    const kind = /** @type {Kind} */ (/** @type {unknown} */ (
      { name: 'Card', shape: 'card', faces: [{ name: 'Card', art: 'face', layers }] }));
    drawn = 0;
    await keepArt(c, 'blob:1', kind);
    assert.equal(c.solid.has('blob:1'), isSolid, JSON.stringify(layers));
    assert.equal(drawn, isSolid ? 0 : 1, 'how often its picture is drawn');
  }
});
