// Which set-up of the game a rematch begins with unless the host chooses another one (T78).

import assert from 'node:assert/strict';
import test from 'node:test';
import { lastSetup } from '../js/parts/saves/setup.js';
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
