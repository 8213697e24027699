// What the page does about the data of people: it saves all parts as one, and forgets the lines of
// somebody who has erased what identified them.

import assert from 'node:assert/strict';
import test from 'node:test';
import { readOwnData } from '../js/parts/dialogs/owndata.js';
import { afterErasure, happeningOf } from '../js/parts/log/history.js';
import { createLines } from '../js/parts/log/lines.js';
import { hasStart } from '../js/parts/saves/dialog.js';

/** @typedef {import('../js/types.js').Seat} Seat */

/** A server that answers one after another, and its requests. @param {[number, any][]} all */
function server(all) {
  /** @type {string[]} */
  const asked = [];
  /** @type {number[]} */
  const waited = [];
  const get = /** @type {typeof fetch} */ (
    /** @type {unknown} */ (async (/** @type {string} */ url) => {
      asked.push(url);
      const [status, body] = /** @type {[number, any]} */ (all.shift());
      return new Response(JSON.stringify(body), { status, headers: { 'Retry-After': '3' } });
    })
  );
  const wait = async (/** @type {number} */ ms) => void waited.push(ms);
  return { asked, waited, get, wait };
}

test('T79.3 all parts of the data of a seat become one', async () => {
  const { asked, waited, get, wait } = server([
    [200, { format: 'holt.seat/1', number: 2, entries: [{ at: 9 }], before: '8.1' }],
    [429, {}],
    [200, { format: 'holt.seat/1', number: 2, entries: [], before: '4.0' }],
    [200, { format: 'holt.seat/1', number: 2, entries: [{ at: 3 }], dropped: true }],
  ]);
  assert.deepEqual(await readOwnData('/api', get, wait), {
    format: 'holt.seat/1', number: 2, entries: [{ at: 9 }, { at: 3 }], dropped: true,
  });
  assert.deepEqual(asked.map((url) => url.replace('/api/seats/me/data', '')), [
    '', '?before=8.1', '?before=8.1', '?before=4.0',
  ]);
  assert.deepEqual(waited, [3000], 'it waits as long as the server says');
});

test('T79.3 a part that cannot be had is no file', async () => {
  const { asked, get, wait } = server([[200, { entries: [], before: '1.0' }], [500, {}]]);
  await assert.rejects(readOwnData('/api', get, wait));
  assert.equal(asked.length, 2);
  const busy = server([1, 2, 3, 4, 5, 6].map(() => [503, {}]));
  await assert.rejects(readOwnData('/api', busy.get, busy.wait));
  assert.equal(busy.asked.length, 5, 'it gives up');
});

test('T80.5 the log is read again when another seat is erased, and only then', () => {
  const seat = (/** @type {Partial<Seat>} */ more) => /** @type {Seat} */ ({
    id: 2, nick: 'Ben', colour: 1, role: 'player', presence: 'gone', ...more,
  });
  const erased = seat({ nick: 'Somebody', number: 2, left: 2, erased: true });
  const of = (/** @type {Seat} */ after, /** @type {Seat|null} */ before) =>
    afterErasure({ type: 'seat', id: 2, before }, { seats: new Map([[2, after]]), you: 1 });
  assert.equal(of(erased, seat({ left: 2 })), 'read');
  assert.equal(of(erased, null), 'read', 'it was erased before this page knew the seat');
  assert.equal(of(erased, erased), null);
  assert.equal(of(seat({ left: 2 }), seat({})), null);
  const seats = new Map([[2, erased]]);
  assert.equal(afterErasure(/** @type {any} */ ({ type: 'table' }), { seats, you: 1 }), null);
  const own = afterErasure({ type: 'seat', id: 2, before: seat({}) }, { seats, you: 2 });
  assert.equal(own, 'remove', 'the seat has ended: there is no log for it');
});

test('T80 an erasure is no second line of the log', () => {
  const { lines, add } = createLines({
    cell: () => '', zone: () => '', isHand: () => false, turnsUp: () => false,
    isButton: () => false,
  });
  const entry = (/** @type {object} */ seat) => add(happeningOf({
    at: 1, by: 2, op: 'seat',
    seat: { id: 2, nick: 'Somebody', role: 'player', erased: true, ...seat },
  }));
  entry({});
  entry({ left: 2 });
  entry({ left: 2 });
  assert.deepEqual(lines.map((line) => line.op), ['joined', 'left']);
});

test('T83.2 a table without a start says so', () => {
  const save = (/** @type {any} */ kind) => /** @type {any} */ ({ id: 1, kind, at: 0, moves: 0 });
  assert.equal(hasStart([save('auto'), save('named')]), false);
  assert.equal(hasStart([save('auto'), save('set-up')]), true);
});
