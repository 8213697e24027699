// Every interleaving of small tables: two clients with the page's own sync.js, and the real table.
// HOLT_EXPLORE=all explores the large ones, too, which takes minutes.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Explorer } from './explorer.js';
import { buildTableStates } from './tablestates.js';

/** @typedef {import('./pagestates.js').Move} Move */

const ONE = 1;
const TWO = 2;
const COUNTER = 3;

/** @type {Record<string, Move>} */
const MOVES = {
  moveOne: { op: 'move', piece: ONE, places: true },
  moveTwo: { op: 'move', piece: TWO, places: true },
  grabOne: { op: 'grab', piece: ONE },
  releaseOne: { op: 'release', piece: ONE, places: true },
  loosely: { op: 'grab', piece: ONE, how: 'loose' },
  pinOne: { op: 'pin', piece: ONE },
  deleteOne: { op: 'delete', piece: ONE, how: 'made' },
  count: { op: 'count', piece: COUNTER, how: 'blind', args: { n: 2 } },
  away: { op: 'move', piece: ONE, args: { x: 99_000, y: 0 } },
};

/** The large ones: three updates each, and a bound that has room for them. */
const ALL = { updates: 3, most: 40_000_000 };

const { path, remove } = buildTableStates();
test.after(remove);

/**
 * @param {string} name
 * @param {import('./explorer.js').Plan} plan
 */
function explore(name, plan) {
  test(name, async (t) => {
    const explorer = new Explorer(path, plan);
    const began = performance.now();
    await explorer.run();
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const pages = explorer.pages.map(({ states }) => states.length);
    t.diagnostic(
      `${explorer.states.size} states, ${explorer.transitions} transitions, ` +
        `${explorer.atRest} at rest; ${explorer.views.length} of the table, ` +
        `${pages.join(' and ')} of the pages; ${seconds} s`,
    );
  });
}

const { moveOne, moveTwo, grabOne, releaseOne, loosely, pinOne, away, deleteOne, count } = MOVES;
/** What the player does to put a piece down, grab it again at once, and move it. */
const regrab = [grabOne, releaseOne, loosely, moveOne].map((move, i) => ({ ...move, nth: 1 + i }));
const both = (/** @type {Move[]} */ ...moves) => [moves, moves];

// Clauses: T5.2, T6.1, T7.1, T8.1, T8.2, T8.3, T8.4, T8.5, T8.6, T8.7, T9.1, T9.2, T10.18, T11.2,
// T11.4, T11.5, T11.7, T12.1
explore('T8 two pieces are moved', { moves: both(moveOne, moveTwo), updates: 2 });
explore('T7, T8, D33 two pieces are moved, and frames overtake others', {
  moves: both(moveOne, moveTwo), updates: 2, byDatagrams: true,
});
explore('T8, D35, S5 frames overtake others, and a stream breaks', {
  moves: [[count, moveTwo], [count]], updates: [2, 1], byDatagrams: true, cuts: 1,
});
explore('T7, T8, T10, D39 two requests are under way, and a stream breaks', {
  moves: [[moveOne, moveTwo], [moveOne]], updates: [3, 1], underWay: 2, cuts: 1,
});
explore('T8, T10, D39 two requests are under way, and the server restarts', {
  moves: [[moveOne, moveTwo], [moveOne]], updates: [2, 1], underWay: 2, restarts: 1,
});
explore('T8, T14 moves are rejected, and requests are lost or late', {
  moves: [[moveOne, away], [moveOne]], updates: 2, losses: 1,
});
explore('T8, T17 a piece is released and grabbed loosely', {
  moves: [regrab, [moveOne, grabOne]], updates: [4, 2],
});
explore('T8, S5 streams break, resume, and begin again', {
  moves: both(moveOne), updates: 2, cuts: 1,
});
explore('T8, T14, S5 a reject is lost with its stream', {
  moves: [[moveOne, away], [moveOne]], updates: 2, cuts: 1,
});
explore('T8, T19 the server restarts', { moves: both(moveOne), updates: 2, restarts: 1 });
explore('T8, T18 two tabs of one player', {
  moves: [[moveOne, grabOne], [moveOne]], updates: 2, seats: [1, 1],
});
explore('T8, T20, T28 a piece is deleted, pinned and counted', {
  moves: [[moveOne, deleteOne, count], [pinOne, moveOne, count]], updates: 2,
});

test('a walk with too many states ends the program of the table', async () => {
  const explorer = new Explorer(path, { moves: both(moveOne), updates: 2, most: 10 });
  await assert.rejects(explorer.run(), /more than 10 states/);
  assert.ok(explorer.server.child.stdin.writableEnded);
});

if (process.env.HOLT_EXPLORE === 'all') {
  explore('T8 two pieces, three updates each', { ...ALL, moves: both(moveOne, moveTwo) });
  explore('T8, T14 three updates each, and a request is lost', {
    ...ALL, moves: [[moveOne, away], [moveOne]], losses: 1,
  });
  explore('T8, S5 three updates each, and a stream breaks', {
    ...ALL, moves: both(moveOne), cuts: 1,
  });
  explore('T8, T19 three updates each, and the server restarts', {
    ...ALL, moves: both(moveOne), restarts: 1,
  });
  explore('T8, T17, S5 Loose grabs, and a stream breaks', {
    ...ALL, moves: [regrab, [moveOne, grabOne]], updates: [4, 2], cuts: 1,
  });
  explore('T8, T19, S5 a stream breaks, and the server restarts', {
    ...ALL, moves: both(moveOne), updates: 2, cuts: 1, restarts: 1,
  });
  explore('T8, T10, T19 a request is lost, and the server restarts', {
    ...ALL, moves: both(moveOne), updates: 2, losses: 1, restarts: 1,
  });
  explore('T8, T10, S5 a request is lost, and a stream breaks', {
    ...ALL, moves: both(moveOne), updates: 2, losses: 1, cuts: 1,
  });
}
