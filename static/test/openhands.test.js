// Who has opened the hands that they had, and who can still do so (T73.17).

import assert from 'node:assert/strict';
import test from 'node:test';
import { sortHands } from '../js/parts/replay/hands.js';

/** @param {object} rest @returns {import('../js/types.js').Seat} */
const seat = (rest) => /** @type {any} */ ({
  nick: '', colour: '', role: 'player', presence: 'here', ...rest,
});

test('T73.17: who has left without opening their hands can do so no more', () => {
  const { open, may, stay } = sortHands([
    seat({ id: 1, role: 'host', opened: 7 }),
    seat({ id: 2 }),
    seat({ id: 3, left: 3 }),
    seat({ id: 4, left: 1, opened: 5 }),
    seat({ id: 5, role: 'spectator' }),
    seat({ id: 6, role: 'spectator', played: true }),
    seat({ id: 7, role: 'spectator', played: true, left: 7 }),
  ]);
  const ids = [open, may, stay].map((some) => some.map(({ id }) => id));
  assert.deepEqual(ids, [[1, 4], [2, 6], [3, 7]]);
});
