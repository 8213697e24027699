// The large picture of a card shows no more than the page does.

import assert from 'node:assert/strict';
import test from 'node:test';
import { shrinkIfChanged } from '../js/parts/cards/enlarge.js';

/** A page that shows card 1 large. */
function page() {
  let removed = false;
  const large = { id: 1, kind: 7, el: { remove: () => (removed = true) } };
  const faces = [{}, {}];
  /** @type {any} */
  const s = {
    catalog: { kinds: { 3: { faces: [{}] }, 7: { secret: true, mask: 3, faces } } },
    sync: { pieces: new Map([[1, { id: 1, kind: 7, face: 0 }]]) },
    partState: { cards: { large } },
  };
  const isShown = () => {
    shrinkIfChanged(s);
    assert.equal(s.partState.cards.large === null, removed);
    return !removed;
  };
  return { isShown, pieces: s.sync.pieces };
}

test('a card that stays as it is stays large', () => {
  const { isShown, pieces } = page();
  assert.ok(isShown());
  pieces.set(1, { id: 1, kind: 7, face: 0, x: 100, holder: 2 });
  assert.ok(isShown(), 'it was only moved');
});

test('the large picture goes when its card is turned over, concealed or gone', () => {
  for (const now of [{ id: 1, kind: 7, face: 1 }, { id: 1, kind: 3, face: 0 }, null]) {
    const { isShown, pieces } = page();
    if (now) pieces.set(1, now);
    else pieces.delete(1);
    assert.ok(!isShown(), JSON.stringify(now));
    assert.ok(!isShown(), 'once more');
  }
});
