// Pieces that show nothing cannot be reached (G23).

import assert from 'node:assert/strict';
import test from 'node:test';
import { firstPiece, nextInDirection, stackAt } from '../js/input/select.js';
import { orderPieces } from '../js/parts/boards/reading.js';
import { emptyCatalog, isUnseen } from '../js/view/catalog.js';
import { isFixed } from '../js/view/piece.js';
import { Order } from '../js/view/order.js';

/** @typedef {import('../js/state.js').State} State */
/** @typedef {import('../js/types.js').Piece} Piece */
/** @typedef {import('../js/view/catalog.js').Kind} Kind */

const kind = (/** @type {object} */ more) => /** @type {Kind} */ (/** @type {unknown} */ ({
  name: 'Thing', width: 100, height: 100, weight: 'light',
  faces: [{ name: 'Thing', art: '', layers: [{ colour: '' }] }], ...more,
}));
const faces = (/** @type {object[]} */ ...layers) => ({ faces: [{ name: '', art: '', layers }] });

// Clauses: G23.1
test('a kind shows nothing if all layers are empty, and nothing is written on it', () => {
  assert.equal(isUnseen(kind({})), true);
  assert.equal(isUnseen(kind({ zone: { lay: 'row' } })), true);
  assert.equal(isUnseen(kind(faces({ art: '' }, { text: '', colour: '#000000' }))), true);
  assert.equal(isUnseen(kind(faces({ colour: '' }, { colour: '#ffffff' }))), false);
  assert.equal(isUnseen(kind(faces({ text: 'Start' }))), false);
  assert.equal(isUnseen(kind({ faces: [{ name: '', art: 'ab' }] })), false);
  assert.equal(isUnseen(kind({ zone: { lay: 'row', count: true } })), false);
  for (const more of ['display', 'hand', 'container', 'clock', 'button', 'supply', 'text'])
    assert.equal(isUnseen(kind({ [more]: {} })), false, more);
});

test('G23.1 keys, frames, fingers and screen readers pass over what shows nothing', () => {
  const catalog = {
    ...emptyCatalog(''), kinds: [kind({}), kind({ faces: [{ name: 'Pawn', art: 'ab' }] })],
  };
  const pieces = new Map([[1, 0, 0], [2, 1, 0], [3, 0, 100], [4, 1, 200]].map(([id, of, x]) =>
    [id, { id, kind: of, x, y: 0, angle: 0, owner: 0, holder: 0, pinned: false, locked: false }]));
  const owns = { value: '' };
  const el = { getAttribute: () => null, setAttribute() {} };
  const s = /** @type {State} */ (/** @type {unknown} */ ({
    catalog, parts: {},
    sync: { pieces, you: 1, seats: new Map([[1, { id: 1, role: 'host' }]]) },
    view: {
      camera: { turn: 0 }, shown: new Map([1, 2, 3, 4].map((id) => [id, { height: 1, el }])),
      boards: new Set(), order: new Order(() => 1),
    },
    page: {
      pieces: {
        getAttribute: () => null, removeAttribute() {},
        setAttribute: (/** @type {string} */ _name, /** @type {string} */ v) => { owns.value = v; },
      },
    },
  }));
  s.view.order.reset(s.sync.pieces.values());
  assert.equal(firstPiece(s), 2);
  assert.equal(nextInDirection(s, 2, 1, 0), 4);
  assert.deepEqual(stackAt(s, 2), [2]);
  orderPieces(s, () => true);
  assert.equal(owns.value, 'piece-2 piece-4');
  const [unseen, pawn] = [1, 2].map((id) => /** @type {Piece} */ (s.sync.pieces.get(id)));
  assert.deepEqual([isFixed(s, unseen), isFixed(s, pawn)], [true, false]);
});
