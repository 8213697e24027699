// Sets that lie on a table as guests (T37 to T41), as far as the client knows of them.

import assert from 'node:assert/strict';
import test from 'node:test';
import { msg } from '../js/parts/guests/msg.js';
import { isLoaded } from '../js/messages.js';
import { takes } from '../js/sync/kinds.js';
import { frame, full, table } from './table.js';

/** @typedef {import('../js/types.js').Guest} Guest */
/** @typedef {import('../js/types.js').FrameEvent} FrameEvent */

/** @param {Partial<Guest>} [more] @returns {Guest} */
const guest = (more = {}) => ({ id: 1, by: 2, away: '', until: 0, gone: false, ...more });

/** @param {Partial<Guest>} [more] @returns {FrameEvent} */
const told = (more) => ({ type: 'set', ...guest(more) });

test('T37 T39 each change of a guest set is reported with its former state', () => {
  const sync = table();
  const hear = (/** @type {Partial<Guest>} */ more) =>
    sync.receive(frame(told(more))).events.map((e) => e.type === 'set' && [e.id, e.before?.away]);
  assert.deepEqual(hear({}), [[1, undefined]]);
  assert.deepEqual(hear({ away: 'owner', until: 5000 }), [[1, '']]);
  assert.deepEqual(sync.sets.get(1)?.until, 5000);
  assert.deepEqual(hear({ away: 'owner', until: 5000 }), []);
  assert.deepEqual(hear({}), [[1, 'owner']]);
  assert.deepEqual(hear({ gone: true }), [[1, '']]);
  assert.equal(sync.sets.size, 0);
});

test('T37 a full state replaces all guest sets', () => {
  const sync = table();
  sync.receive(
    frame(
      /** @type {any} */ ({ ...full({ pieces: [] }), sets: [guest({ id: 4, away: 'frozen' })] }),
    ),
  );
  assert.deepEqual(
    [...sync.sets.values()].map(({ id, away }) => [id, away]), [[4, 'frozen']],
  );
  sync.receive(frame(full({ pieces: [] })));
  assert.equal(sync.sets.size, 0);
});

test('S5.13, S18 a resumed stream brings the current sets and catalogue', () => {
  const sync = table();
  sync.receive(frame(told()));
  const { events } = sync.receive(
    frame({
      type: 'resumed', seats: [...sync.seats.values()], sets: [guest({ id: 2 })], catalog: 'ab',
    }),
  );
  assert.deepEqual([[...sync.sets.keys()], sync.info?.catalog], [[2], 'ab']);
  assert.deepEqual(
    events.map((e) => e.type), ['set', 'set', 'table'],
  );
  const again = sync.receive(
    frame({ type: 'resumed', seats: [...sync.seats.values()], sets: [guest({ id: 2 })] }),
  );
  assert.deepEqual(
    [again.events, sync.info?.catalog], [[], 'ab'],
    'a server that omits it has no other one',
  );
});

test('T37 a container takes only pieces of its own set', () => {
  const size = {
    name: '', width: 1, height: 1, shape: 'rect', weight: 'light', secret: false, faces: [],
  };
  const s = /** @type {any} */ ({
    catalog: { kinds: [size, { ...size, weight: 'heavy', container: { draws: 'top' } }] },
  });
  const piece = (/** @type {number} */ kind, /** @type {number} */ set) =>
    /** @type {any} */ ({ kind, ...(set ? { set } : {}) });
  for (const [c, p, want] of [
    [0, 0, true],
    [3, 3, true],
    [3, 0, false],
    [0, 3, false],
    [3, 4, false],
  ]) {
    assert.equal(takes(s, piece(1, Number(c)), piece(0, Number(p))), want, `${p} into ${c}`);
  }
});

test('T39 T14 each reason for an unreachable set has its messages', () => {
  for (const away of ['creator', 'owner', 'frozen', 'stranger', 'lost'])
    assert.ok(isLoaded(`guests.reasons.${away}`), away);
  assert.match(msg('guests.why.away', { what: 'the deck' }), /^The deck is away/);
  const scattered = msg('guests.why.scattered', { what: 'the deck' });
  assert.match(scattered, /Some pieces of the deck are missing/);
});
