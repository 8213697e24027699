// What goes through a door that is dropped on it (docs/protocol/object.md, O52).

import assert from 'node:assert/strict';
import test from 'node:test';
import { accepted, doorBelow, isSendable, sendThrough } from '../js/parts/doors/send.js';

const [YOU, OTHER] = [1, 2];
const [PLAIN, DECK, HAND, CARD, BACK] = [0, 1, 2, 3, 4];
const DOOR = 9;

/**
 * A table with a door at its middle, 20 mm wide and high.
 * @param {'host'|'player'|'spectator'} role
 * @param {object[]} pieces
 * @param {number} [door] the kind of the door
 */
function at(role, pieces, door = PLAIN) {
  const plain = { faces: [{}], w: 20, h: 20 };
  const kinds = [
    { ...plain, name: 'Pawn' }, { ...plain, name: 'Deck', container: { takes: BACK } },
    { ...plain, name: 'Hand', hand: true }, { ...plain, name: 'Ace', secret: true, mask: BACK },
    { ...plain, name: 'Card' },
  ];
  const all = [{ id: DOOR, kind: door }, ...pieces].map((p) => ({
    kind: PLAIN, face: 0, x: 0, y: 0, holder: 0, owner: 0, pinned: false, locked: false, set: 0,
    .../** @type {any} */ (p),
  }));
  const shown = { kind: door, w: 20, h: 20, angle: 0 };
  return /** @type {any} */ ({
    api: '/t',
    catalog: { kinds, masks: new Set([BACK]) },
    sync: {
      you: YOU, seats: new Map([[YOU, { role }]]), unsettled: () => false,
      pieces: new Map(all.map((p) => [p.id, p])),
      sets: new Map([[1, { by: YOU }], [2, { by: OTHER }]]),
    },
    view: { shown: new Map([[DOOR, shown]]) },
  });
}

/** Whether one of the pieces may go. @param {any} s */
const may = (s, id = 1) => isSendable(s, s.sync.pieces.get(id));

/** Carries pieces by keys; the first was taken at 0, 0. */
const carry = (/** @type {number} */ dx, /** @type {number} */ dy, ids = [1]) =>
  /** @type {any} */ ({
    by: 'keys', lead: ids[0], dx, dy, from: new Map(ids.map((id) => [id, { x: 0, y: 0, z: '' }])),
  });

const signs = new Map([[DOOR, /** @type {any} */ ({ el: { isConnected: false } })]]);

// Clauses: O52.19
test('O52.19 a door accepts what its person may send, and nothing else', () => {
  assert.equal(may(at('host', [{ id: 1 }])), true, 'a host: what belongs to the table');
  assert.equal(may(at('player', [{ id: 1 }])), false, 'not a player');
  assert.equal(may(at('player', [{ id: 1, set: 1 }])), true, 'what they have brought');
  assert.equal(may(at('player', [{ id: 1, set: 2 }])), false, 'not what others have brought');
  assert.equal(may(at('host', [{ id: 1, set: 2 }])), true, 'a host: that, too');
  assert.equal(may(at('spectator', [{ id: 1, set: 1 }])), false);
  assert.equal(may(at('host', [{ id: 1, kind: HAND }])), false);
  assert.equal(may(at('host', [{ id: 1, kind: BACK }])), false, 'a card that lies front down');
  assert.equal(may(at('host', [{ id: 1, kind: CARD }])), true);
  assert.equal(may(at('host', [{ id: 1, locked: true }])), false);
  assert.equal(may(at('host', [{ id: 1, holder: OTHER }])), false);
  const deck = [{ id: 1, kind: DECK, set: 1 }, { id: 2, kind: CARD, set: 1 }];
  assert.equal(may(at('player', deck)), true, 'a deck goes with its cards');
  assert.equal(may(at('player', deck), 2), false, 'a card does not go without its deck');
});

// Clauses: O52.19, O52.20
test('O52.19, O52.20 only the door accepts below which something is dragged', () => {
  const s = at('host', [{ id: 1 }, { id: 2, locked: true }]);
  assert.equal(doorBelow(s, carry(99, -99), signs), DOOR);
  assert.equal(doorBelow(s, carry(101, 0), signs), 0);
  assert.equal(doorBelow(s, carry(0, 101), signs), 0);
  assert.equal(doorBelow(s, carry(0, 0, [2]), signs), 0, 'nothing of it may go');
  assert.equal(doorBelow(s, carry(0, 0, [1, DOOR]), signs), 0, 'the door itself is dragged');
  assert.equal(doorBelow(at('player', [{ id: 1 }]), carry(0, 0), signs), 0);
  const names = (/** @type {any} */ t, /** @type {number[]} */ ids) =>
    accepted(t, DOOR, ids).map((p) => p.id);
  assert.deepEqual(names(s, [1, 2]), [1], 'the rest lies where it was dropped');
  const cards = [{ id: 1, kind: CARD }, { id: 2 }];
  assert.deepEqual(names(at('host', cards, DECK), [1, 2]), [2], 'a deck holds its cards');
  assert.deepEqual(names(at('host', cards, HAND), [1, 2]), [], 'a hand holds all');
});

// Clauses: O52.19
test('O52.19 one after the other is sent, and a refusal is heard', async (t) => {
  /** @type {any[]} */
  const asked = [];
  const why = 'That is fastened to the table.';
  t.mock.method(globalThis, 'fetch', async (/** @type {string} */ to, /** @type {any} */ how) => {
    asked.push([to, JSON.parse(how.body).piece]);
    return asked.length === 1
      ? Response.json({ title: 'Chess' })
      : Response.json({ code: 'refused', detail: why }, { status: 403 });
  });
  const s = at('host', [{ id: 1 }, { id: 2 }, { id: 3 }]);
  /** @type {string[]} */
  const said = [];
  const say = (/** @type {string} */ text) => said.push(text);
  const voice = /** @type {any} */ ({ notice: say, alarm: say });
  const pieces = [1, 2, 3].map((id) => s.sync.pieces.get(id));
  await sendThrough(s, DOOR, 'Chess', pieces, voice);
  assert.deepEqual(asked, [['/t/doors/9/send', 1], ['/t/doors/9/send', 2]]);
  assert.deepEqual(said, ['The pawn went through the door to Chess.', why]);
});
