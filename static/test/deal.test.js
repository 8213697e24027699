// What the dialog for dealing sends, if something has changed since it was opened (T30).

import assert from 'node:assert/strict';
import test from 'node:test';
import { dealTo, mostFor } from '../js/parts/dialogs/deal.js';

/** A table with a deck, piece 1, and the hands 11, 12 and 13 of the seats 1, 2 and 3. */
function table() {
  const seats = new Map(
    [1, 2, 3].map((id) => [id, { id, role: 'player', presence: 'here', left: false }]),
  );
  /** @type {Map<number, any>} */
  const pieces = new Map([[1, { id: 1, kind: 0, owner: 0 }]]);
  for (const id of seats.keys()) pieces.set(10 + id, { id: 10 + id, kind: 1, owner: id });
  const holds = new Map([[1, [{ count: 10 }]]]);
  return /** @type {any} */ ({
    sync: { you: 1, seats, pieces, holds, entering: new Map() },
    catalog: { kinds: [{ container: { draws: 'top' } }, { hand: true }] },
  });
}

test('T30 a deal to all players lists no hands', () => {
  assert.deepEqual(dealTo(table(), 5, [11, 12, 13]), { n: 5 });
});

test('T30 a deal to some players lists their hands', () => {
  assert.deepEqual(dealTo(table(), 5, [11, 13]), { n: 5, pieces: [11, 13] });
});

test('T30 who takes a hand while the dialog is open gets no cards', () => {
  const s = table();
  s.sync.pieces.get(13).owner = 0;
  assert.deepEqual(dealTo(s, 5, [11, 12]), { n: 5 });
  s.sync.pieces.get(13).owner = 3;
  assert.deepEqual(dealTo(s, 5, [11, 12]), { n: 5, pieces: [11, 12] });
});

test('T30 somebody else who comes for one who goes gets no cards', () => {
  const s = table();
  s.sync.pieces.get(13).owner = 0;
  s.sync.pieces.set(14, { id: 14, kind: 1, owner: 3 });
  assert.deepEqual(dealTo(s, 5, [11, 12, 13]), { n: 5, pieces: [11, 12, 13] });
});

test('T30 the dialog counts the cards that are in the deck now', () => {
  const s = table();
  const deck = s.sync.pieces.get(1);
  assert.equal(mostFor(s, deck, 3), 3);
  s.sync.holds.set(1, [{ count: 4 }]);
  assert.equal(mostFor(s, deck, 3), 1);
  assert.equal(mostFor(s, deck, 0), 4, 'nobody is ticked');
});
