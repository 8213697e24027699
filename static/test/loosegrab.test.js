import assert from 'node:assert/strict';
import test from 'node:test';
import {
  ack, frame, full, OTHER, pieces, post, reject, shown, table, update, YOU,
} from './table.js';

/**
 * A client that has released piece 1 into a hand and grabbed it again at once: sequences 1 to 3.
 */
function regrabbed() {
  const sync = table();
  sync.update(1, 'grab');
  sync.update(1, 'release', { x: 50, y: 0 });
  const key = sync.grabLoose(1, { z: '0.9' });
  const updates = post(sync);
  return { sync, key, updates };
}

/** The events after the server has honoured the grab: released, revealed, grabbed. */
const honoured = [
  ack(1, { id: 1, mark: 1001 }),
  ack(2, { id: 1, mark: 1002 }),
  update({ id: 1, mark: 1003, kind: 40, owner: YOU }, 'reveal', YOU),
  update({ id: 1, mark: 1004, holder: YOU, z: '0.9', zMark: 1004 }, 'grab', YOU),
  ack(3, { id: 1, mark: 1004 }),
];

test('T17 a Loose grab follows the release with the same tag', () => {
  const { updates } = regrabbed();
  assert.deepEqual(updates.at(-1), {
    seq: 3, piece: 1, tag: 100, op: 'grab', loose: true, z: '0.9',
  });
});

test('T11.1, T17.8, T17.9 server updates leave a Loose grab, which shows on top of them', () => {
  const { sync } = regrabbed();
  for (const event of honoured) {
    const { events } = sync.receive(frame(event));
    assert.ok(events.every((e) => e.type !== 'conflict'));
    const { holder, x, z } = shown(sync, 1);
    assert.deepEqual([holder, x, z], [YOU, 50, '0.9']);
  }
  assert.deepEqual(
    [shown(sync, 1).kind, shown(sync, 1).mark, sync.pending(1), sync.lowest()],
    [40, 1004, false, 0],
  );
});

test('T17 an up-to-date Loose grab is acknowledged like any other', () => {
  const { sync } = regrabbed();
  sync.receive(
    frame(...honoured.slice(0, 2), ack(3, { id: 1, mark: 1003, zMark: 1003, z: '0.9' })),
  );
  const { holder, x, zMark, mark } = shown(sync, 1);
  assert.deepEqual([holder, x, zMark, mark, sync.pending(1)], [YOU, 50, 1003, 1003, false]);
});

test('T17.10, T17.11 later updates wait for its answer, then take the new tag', () => {
  const { sync } = regrabbed();
  sync.update(1, 'release', { x: 70, y: 7 });
  sync.update(2, 'pin');
  assert.deepEqual(
    post(sync), [{ seq: 4, piece: 2, tag: 200, op: 'pin' }], 'other pieces do not wait',
  );
  assert.deepEqual([shown(sync, 1).x, shown(sync, 1).holder], [70, 0]);
  sync.receive(frame(...honoured));
  assert.deepEqual([shown(sync, 1).x, shown(sync, 1).holder, shown(sync, 1).kind], [70, 0, 40]);
  assert.deepEqual(post(sync), [{ seq: 5, piece: 1, tag: 1004, op: 'release', x: 70, y: 7 }]);
});

test('T17 its reject drops and reports the updates that waited', () => {
  const { sync, key } = regrabbed();
  sync.receive(frame(...honoured.slice(0, 2)));
  sync.update(1, 'move', { x: 70, y: 7 });
  sync.grabLoose(1);
  const { events } = sync.receive(
    frame(reject(3, 'stale-loose', { id: 1, mark: 1009, x: 3, holder: OTHER }, OTHER)),
  );
  const lost = ['move', 'grab'];
  assert.deepEqual(events, [
    { type: 'reject', piece: 1, seq: key, reason: 'stale-loose', by: OTHER, op: 'grab', lost },
  ]);
  assert.deepEqual([shown(sync, 1).x, shown(sync, 1).holder, post(sync)], [3, OTHER, []]);
});

test('T11.1, T17 an earlier conflict is reported with its answer', () => {
  for (const [answer, type] of /** @type {const} */ ([
    [reject(3, 'stale-loose', { id: 1, mark: 1003, x: 9 }), 'reject'],
    [ack(3, { id: 1, mark: 1003 }), 'conflict'],
  ])) {
    const { sync } = regrabbed();
    const first = sync.receive(frame(update({ id: 1, mark: 1001, x: 9 })));
    assert.deepEqual(first.events.map((e) => e.type), ['update']);
    assert.deepEqual([shown(sync, 1).x, shown(sync, 1).holder], [9, YOU]);
    const [event] = sync.receive(frame(answer)).events;
    assert.ok(event.type === type);
    assert.deepEqual(event.lost, ['grab', 'release']);
  }
});

test('T17 a reject of the release leaves the grab to its own answer', () => {
  const { sync } = regrabbed();
  const { events } = sync.receive(
    frame(
      ack(1, { id: 1, mark: 1001 }), reject(2, 'off-table', { id: 1, mark: 1002, holder: YOU }),
    ),
  );
  assert.deepEqual(
    events.map((e) => e.type), ['reject'],
  );
  assert.deepEqual([sync.pending(1), sync.lowest(), shown(sync, 1).holder], [true, 3, YOU]);
});

test('T17 Loose grabs can follow one another', () => {
  const { sync } = regrabbed();
  sync.update(1, 'release', { x: 60, y: 0 });
  sync.grabLoose(1);
  sync.update(1, 'release', { x: 80, y: 0 });
  assert.deepEqual(post(sync), []);
  sync.receive(frame(...honoured));
  assert.deepEqual(
    post(sync).map(({ seq, tag, op, loose }) => [seq, tag, op, loose]),
    [
      [4, 1004, 'release', undefined],
      [5, 1004, 'grab', true],
    ],
  );
  assert.equal(shown(sync, 1).x, 80);
});

test('T17 S5 a full state keeps a Loose grab, which is sent again unchanged', () => {
  const { sync, updates } = regrabbed();
  sync.update(1, 'release', { x: 70, y: 7 });
  sync.reconnected();
  const { events } = sync.receive(
    frame(
      full({ pieces: pieces({ id: 1, mark: 1003, x: 50, kind: 40 }) }), ...honoured.slice(0, 2),
    ),
  );
  assert.deepEqual(events, []);
  assert.equal(shown(sync, 1).x, 70);
  assert.deepEqual(post(sync), updates.slice(2));
  assert.deepEqual(post(sync), [], 'the release still waits');
});

test('T17 S5 its ack shows that earlier updates were discarded', () => {
  const { sync } = regrabbed();
  sync.reconnected();
  const state = pieces({ id: 1, mark: 1004, x: 50, holder: YOU });
  const { events } = sync.receive(
    frame(full({ pieces: state }), ack(1, { id: 1, mark: 1001 }), ack(3, { id: 1, mark: 1004 })),
  );
  assert.deepEqual(events, [
    { type: 'conflict', piece: 1, by: 0, op: 'unspecified', lost: ['release'] },
  ]);
  assert.deepEqual([sync.lowest(), sync.pending(1), shown(sync, 1).holder], [0, false, YOU]);
});

test('T20 a deleted piece ends the grab and the updates that waited', () => {
  const { sync } = regrabbed();
  sync.update(1, 'move', { x: 70, y: 7 });
  const { events } = sync.receive(frame(update({ id: 1, mark: 1003, gone: true }, 'delete')));
  assert.deepEqual(events.at(-1), {
    type: 'conflict',
    piece: 1,
    by: OTHER,
    op: 'delete',
    lost: ['grab', 'release', 'grab', 'move'],
  });
  assert.equal(sync.lowest(), 0);
});
