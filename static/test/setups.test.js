// Which set-up of the game a rematch begins with unless the host chooses another one (T78).

import assert from 'node:assert/strict';
import test from 'node:test';
import { lastSetup, suggestedSetup } from '../js/parts/saves/setup.js';
import { createSync } from '../js/sync/sync.js';

const all = /** @type {import('../js/parts/saves/request.js').Save[]} */ ([
  { id: 1, kind: 'set-up', at: 5 }, { id: 2, kind: 'set-up', name: 'Without jokers', at: 5 },
]);

/** @param {number} kind @param {number} id */
const rewound = (kind, id) => ({ by: 1, at: 9, back: 3, to: { id, kind, name: '', at: 5, by: 0 } });

test('T78.2: a rematch begins with the set-up that was last chosen', () => {
  assert.equal(lastSetup(all, rewound(2, 2))?.id, 2);
  assert.equal(lastSetup(all, rewound(2, 1))?.id, 1);
});

test('a rematch begins with the first set-up if nobody knows which one is on the table', () => {
  assert.equal(lastSetup(all, null)?.id, 1, 'it never went back');
  assert.equal(lastSetup(all, rewound(4, 2))?.id, 1, 'a rematch was taken back');
  assert.equal(lastSetup(all, rewound(2, 7))?.id, 1, 'there is no such set-up');
  assert.equal(lastSetup([], rewound(2, 2)), undefined, 'an old table has none');
});

// Clauses: G14.2
test('G14.2: a rematch suggests the set-up that fits who sits at the table', () => {
  const [first, second] = all;
  const few = { ...first, players: /** @type {[number, number]} */ ([2, 2]) };
  const many = { ...second, players: /** @type {[number, number]} */ ([3, 4]) };
  const suggested = (/** @type {typeof all} */ of, /** @type {number} */ n, last = 1) =>
    suggestedSetup(of, rewound(2, last), n)?.id;
  assert.equal(suggested([few, many], 2), 1);
  assert.equal(suggested([few, many], 3), 2);
  assert.equal(suggested([few, many], 2, 2), 1);
  assert.equal(suggested([few, many], 5), 1, 'none fits: the last one stays');
  assert.equal(suggested([few, many], 5, 2), 2, 'none fits: the last one stays');
  assert.equal(suggested([first, many], 3), 1, 'the last one is for any number');
});

test('a page that comes later knows where the table last went back to', () => {
  const sync = createSync('q83vEjRWeJCrze8SNFZ4kA');
  const table = { title: '', width: 2, height: 2, surface: 'felt', catalog: '' };
  const full = { type: 'full', epoch: 4, you: 1, table, seats: [], pieces: [] };
  const hear = (/** @type {object} */ rest) => sync.receive(
    /** @type {any} */ ({ time: 0, mark: 1, events: [{ ...full, ...rest }] }),
  );
  hear({ rewound: rewound(2, 2) });
  assert.equal(sync.rewound?.to?.id, 2);
  hear({});
  assert.equal(sync.rewound, null, 'it has not gone back');
});
