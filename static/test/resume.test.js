// A stream that resumes.

import assert from 'node:assert/strict';
import test from 'node:test';
import { ack, frame, full, OTHER, pieces, post, shown, table, update, YOU } from './table.js';

/** @typedef {import('../js/types.js').FrameEvent} FrameEvent */
/** @typedef {import('../js/types.js').Presence} Presence */

/**
 * @param {Presence} [bob]
 * @returns {FrameEvent}
 */
function resumed(bob = 'here') {
  const you = {
    id: YOU, nick: 'Ada', colour: 1, role: /** @type {const} */ ('host'),
    presence: /** @type {const} */ ('here'),
  };
  const other = {
    id: OTHER, nick: 'Bob', colour: 2, role: /** @type {const} */ ('player'), presence: bob,
  };
  return { type: 'resumed', seats: [you, other] };
}

test('S5.11, S5.14 all state is kept and missed frames are applied', () => {
  const sync = table();
  sync.receive(frame(update({ id: 2, mark: 990, x: 7 })));
  sync.reconnected();
  assert.equal(sync.take(), null);
  const outcome = sync.receive({
    ...frame(resumed(), update({ id: 3, mark: 1001, x: 9 })), mark: 1001,
  });
  assert.deepEqual(
    [outcome.full, outcome.resumed, [...outcome.changed], [...outcome.gone]],
    [false, true, [3], []],
  );
  assert.deepEqual(
    [shown(sync, 2).x, shown(sync, 3).x, sync.mark, sync.info?.title, sync.epoch],
    [7, 9, 1001, 'Chess', 7],
  );
});

test('S5.12 a resumed stream lists the seats and reports the changed ones', () => {
  const sync = table();
  sync.seats.set(3, { id: 3, nick: 'Eve', colour: 3, role: 'spectator', presence: 'here' });
  const { events } = sync.receive(frame(resumed('lost')));
  assert.deepEqual([...sync.seats.keys()], [YOU, OTHER]);
  assert.deepEqual(
    events.map((e) => e.type === 'seat' && [e.id, e.before?.presence]), [[OTHER, 'here']],
  );
  assert.deepEqual(sync.receive(frame(resumed('lost'))).events, []);
});

test('S5.26 pending updates stay displayed and are sent again unchanged', () => {
  const sync = table();
  sync.update(1, 'grab');
  sync.update(1, 'move', { x: 5, y: 5 });
  const sent = post(sync);
  sync.update(2, 'pin');
  sync.reconnected();
  assert.equal(sync.lowest(), 1);
  const outcome = sync.receive(frame(resumed()));
  assert.deepEqual(
    [[...outcome.changed], outcome.events, shown(sync, 1).x, shown(sync, 2).pinned],
    [[], [], 5, true],
  );
  assert.deepEqual(post(sync), sent);
  assert.deepEqual(post(sync).map((u) => u.piece), [2]);
});

test('S5.24 a late ack ends its update and changes nothing else', () => {
  const sync = table();
  sync.update(1, 'wrest');
  post(sync);
  sync.reconnected();
  const outcome = sync.receive(
    frame(
      resumed(), update({ id: 1, mark: 1100, holder: OTHER }, 'wrest'),
      ack(1, { id: 1, mark: 1001 }),
    ),
  );
  assert.deepEqual(
    [shown(sync, 1).holder, sync.lowest(), outcome.events.filter((e) => e.type === 'conflict')],
    [OTHER, 0, []],
  );
});

test('S5 an ack may be repeated', () => {
  const sync = table();
  sync.update(1, 'grab', { z: '0.7' });
  sync.update(1, 'move', { x: 5, y: 5 });
  sync.update(1, 'rotate', { angle: 9000 });
  post(sync);
  sync.reconnected();
  const first = ack(1, { id: 1, mark: 1001, z: '0.7', zMark: 1001 });
  const outcome = sync.receive(
    frame(resumed(), first, ack(2, { id: 1, mark: 1002 }), ack(1, { id: 1, mark: 1001 })),
  );
  assert.deepEqual(
    [outcome.events, shown(sync, 1).x, shown(sync, 1).zMark, shown(sync, 1).angle],
    [[], 5, 1001, 9000],
  );
  assert.deepEqual(post(sync), [{ seq: 3, piece: 1, tag: 100, op: 'rotate', angle: 9000 }]);
});

test('S5 acks after a full state do not change what it says', () => {
  const sync = table();
  sync.update(1, 'move', { x: 5, y: 5 });
  post(sync);
  sync.reconnected();
  sync.receive(
    frame(full({ pieces: pieces({ id: 1, mark: 100, x: 9 }) }), ack(1, { id: 1, mark: 1001 })),
  );
  assert.deepEqual([shown(sync, 1).x, shown(sync, 1).mark, sync.lowest()], [9, 1001, 0]);
});

test('S5 T11 a missed update by somebody else is a conflict', () => {
  const sync = table();
  sync.update(1, 'move', { x: 5, y: 5 });
  post(sync);
  sync.reconnected();
  const { events } = sync.receive(frame(resumed(), update({ id: 1, mark: 1001, x: 8 }, 'wrest')));
  assert.deepEqual(events[1], {
    type: 'conflict', piece: 1, by: OTHER, op: 'wrest', lost: ['move'],
  });
  assert.deepEqual([shown(sync, 1).x, post(sync)], [8, []]);
});

test('S5 T14 a Loose grab honoured after a lost reject asks for a full state', () => {
  const sync = table();
  sync.update(1, 'grab');
  sync.update(1, 'release', { x: 1, y: 1 });
  post(sync);
  sync.receive(frame(ack(1, { id: 1, mark: 1001 }), ack(2, { id: 1, mark: 1002 })));
  sync.update(1, 'move', { x: 5000, y: 5 });
  sync.grabLoose(1);
  post(sync);
  sync.reconnected();
  const outcome = sync.receive(frame(resumed(), ack(4, { id: 1, mark: 1002 })));
  assert.deepEqual(
    [outcome.needsFull, outcome.events],
    [true, [{ type: 'conflict', piece: 1, by: 0, op: 'unspecified', lost: ['move'] }]],
  );
  sync.receive(frame(full({ pieces: pieces({ id: 1, mark: 1003, holder: YOU, x: 1, y: 1 }) })));
  sync.update(1, 'release', { x: 2, y: 2 });
  assert.deepEqual(post(sync).map((u) => u.tag), [1003], 'above the floor');
});

test('S4.4 a frame without a version keeps the old one', () => {
  const sync = table();
  sync.receive({ time: 5, mark: 0, events: [] });
  assert.equal(sync.mark, 1000);
  sync.receive({ time: 5, mark: 1001, events: [] });
  assert.equal(sync.mark, 1001);
});

test('S12 S13 S15 motion, cursors and pongs keep the time of their frame', () => {
  const sync = table();
  const columns = { x: [1, 2], y: [3, 4], dx: [5, 6], dy: [7, 8] };
  const outcome = sync.receive({
    time: 1_780_000_000_123,
    mark: 0,
    events: [
      { type: 'motions', lag: 18, span: 50, ids: [12, 288], ...columns },
      { type: 'cursors', lag: 0, span: 20, ids: [1, 1], ...columns },
      { type: 'pong', nonce: 3 },
      { type: 'pong', nonce: 4 },
    ],
  });
  assert.deepEqual(outcome.motions, [
    { type: 'motions', lag: 18, span: 50, ids: [12, 300], ...columns },
  ]);
  assert.deepEqual(outcome.cursors, [
    { type: 'cursors', lag: 0, span: 20, ids: [1, 2], ...columns },
  ]);
  assert.deepEqual(
    [outcome.time, outcome.pongs, [...outcome.changed]], [1_780_000_000_123, [3, 4], []],
  );
});

test('S12 pieces placed by an update are named to end their motion', () => {
  const sync = table();
  const { placed } = sync.receive(
    frame(
      update({ id: 1, mark: 1001, x: 0 }), update({ id: 2, mark: 1002, holder: OTHER }),
      update({ id: 3, mark: 1003, pinned: true }),
    ),
  );
  assert.deepEqual([...placed], [1, 2]);
});

test('T27 clocks are compared by what they display', () => {
  const sync = table();
  const clock = { running: 1, since: 5, left1: 6, left2: 7, initial: 8, increment: 9 };
  assert.deepEqual([...sync.receive(frame(update({ id: 1, mark: 1001, clock }))).changed], [1]);
  assert.deepEqual(
    [...sync.receive(frame(update({ id: 1, mark: 1002, clock: { ...clock } }))).changed], [],
  );
  assert.deepEqual(
    [...sync.receive(frame(update({ id: 1, mark: 1003, clock: { ...clock, since: 6 } }))).changed],
    [1],
  );
  assert.equal(shown(sync, 1).clock?.since, 6);
});
