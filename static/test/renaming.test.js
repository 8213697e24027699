// Pieces that are renamed or hidden, and come back under other names (T20, T21).

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  ack, frame, full, OTHER, pieces, post, reject, shown, table, update, YOU,
} from './table.js';

const NEW = 70_000;

/**
 * A client that has put piece 1 into its own hand and grabbed it again at once: sequences 1 to 3.
 */
function regrabbed() {
  const sync = table();
  sync.update(1, 'grab');
  sync.update(1, 'release', { x: 50, y: 0 });
  const key = sync.grabLoose(1);
  const updates = post(sync);
  return { sync, key, updates };
}

/** The server's answer: the piece has another name now, and is revealed in its hand. */
const honoured = [
  ack(1, { id: 1, mark: 1001 }),
  ack(2, { id: 1, mark: 1002, renamed: NEW, owner: YOU, z: '0.7', zMark: 1002 }),
  update({ id: NEW, mark: 1003, kind: 40, face: 0 }, 'reveal', YOU),
  update({ id: NEW, mark: 1004, holder: YOU }, 'grab', YOU),
  ack(3, { id: NEW, mark: 1004 }),
];

test('T21 an update moves state and pending updates to the new name', () => {
  const sync = table();
  sync.update(1, 'move', { x: 5, y: 5 });
  const outcome = sync.receive(
    frame(update({ id: 1, mark: 1001, renamed: NEW, owner: OTHER, team: [YOU] }, 'release')),
  );
  assert.deepEqual(outcome.renamed, [{ from: 1, to: NEW }]);
  assert.deepEqual(
    outcome.events.map((e) => 'piece' in e && [e.type, e.piece]),
    [
      ['update', NEW],
      ['conflict', NEW],
    ],
  );
  assert.deepEqual(
    [[...outcome.changed], [...outcome.gone], sync.pieces.has(1)], [[NEW], [], false],
  );
  const { id, x, team, mark } = shown(sync, NEW);
  assert.deepEqual([id, x, team, mark], [NEW, 0, [YOU], 1001]);
  sync.update(NEW, 'grab');
  assert.deepEqual(post(sync), [{ seq: 1, piece: NEW, tag: 1001, op: 'grab' }]);
  assert.throws(() => sync.update(1, 'grab'), /no piece 1/);
});

test('T21 an ack renames pending updates; the display does not change', () => {
  const sync = table();
  sync.update(1, 'release', { x: 50, y: 0 });
  post(sync);
  sync.update(1, 'move', { x: 60, y: 0 });
  sync.make('shuffle', { pieces: [1, 2] });
  sync.update(3, 'stow', { into: 1 });
  const outcome = sync.receive(frame(ack(1, { id: 1, mark: 1001, renamed: NEW, owner: YOU })));
  assert.deepEqual([outcome.renamed, outcome.events], [[{ from: 1, to: NEW }], []]);
  assert.deepEqual(
    [shown(sync, NEW).x, shown(sync, NEW).owner, sync.pending(NEW), sync.pending(1)],
    [60, YOU, true, false],
  );
  assert.deepEqual(post(sync), [
    { seq: 2, piece: NEW, tag: 1001, op: 'move', x: 60, y: 0 },
    { seq: 3, op: 'shuffle', pieces: [NEW, 2] },
    { seq: 4, piece: 3, tag: 300, op: 'stow', into: NEW },
  ]);
});

test('T17 T21 a card put into one’s own hand can be grabbed under its new name', () => {
  const { sync } = regrabbed();
  for (const event of honoured) {
    const { events } = sync.receive(frame(event));
    assert.ok(events.every((e) => e.type === 'update'), JSON.stringify(events));
    const piece = sync.pieces.get(NEW) ?? shown(sync, 1);
    assert.deepEqual([piece.holder, piece.x], [YOU, 50]);
  }
  assert.deepEqual(
    [shown(sync, NEW).kind, shown(sync, NEW).z, sync.pending(NEW), sync.lowest()],
    [40, '0.7', false, 0],
  );
  sync.update(NEW, 'release', { x: 9, y: 9 });
  assert.deepEqual(post(sync), [{ seq: 4, piece: NEW, tag: 1004, op: 'release', x: 9, y: 9 }]);
});

test('T10 T21 a sent update is repeated under the old name; either name ends it', () => {
  for (const id of [1, NEW]) {
    const { sync, updates } = regrabbed();
    sync.receive(frame(...honoured.slice(0, 3)));
    sync.reconnected();
    sync.receive(frame({ type: 'resumed', seats: [] }));
    assert.deepEqual(post(sync), updates.slice(2));
    const { events } = sync.receive(
      frame(reject(3, 'held', { id, mark: 1005, holder: OTHER, x: 50 }, OTHER)),
    );
    assert.deepEqual(
      events.map((e) => 'piece' in e && [e.type, e.piece]), [['reject', NEW]],
    );
    assert.deepEqual(
      [shown(sync, NEW).holder, shown(sync, NEW).mark, sync.pieces.size], [OTHER, 1005, 3],
    );
  }
});

test('T21 an old name removes nothing that has a new one', () => {
  const { sync } = regrabbed();
  sync.receive(frame(...honoured.slice(0, 3)));
  const { gone, events } = sync.receive(
    frame(reject(3, 'gone', { id: 1, mark: 1005, gone: true })),
  );
  assert.deepEqual(
    [[...gone], events.map((e) => e.type), sync.pieces.has(NEW), sync.lowest()],
    [[], ['reject'], true, 0],
  );
  assert.equal(shown(sync, NEW).mark, 1003, 'the tag is the version of the piece');
});

test('T21 a reject may carry the new name', () => {
  const sync = table();
  const key = sync.update(1, 'grab');
  post(sync);
  const { renamed, events } = sync.receive(
    frame(reject(1, 'held', { id: 1, mark: 1001, renamed: NEW, holder: OTHER }, OTHER)),
  );
  assert.deepEqual(renamed, [{ from: 1, to: NEW }]);
  assert.deepEqual(events, [
    { type: 'reject', piece: NEW, seq: key, reason: 'held', by: OTHER, op: 'grab', lost: [] },
  ]);
  assert.deepEqual([shown(sync, NEW).holder, 'renamed' in shown(sync, NEW)], [OTHER, false]);
});

test('T21 all events of a frame use the name that the frame leaves', () => {
  const sync = table();
  const outcome = sync.receive(
    frame(
      update({ id: 1, mark: 1001, x: 5 }),
      { type: 'shuffled', by: OTHER, pieces: [1, 2] },
      {
        type: 'motions', lag: 0, span: 50, ids: [1, 1], x: [1, 2], y: [0, 0], dx: [0, 0],
        dy: [0, 0],
      },
      { type: 'holds', piece: 1, kinds: [61], counts: [3] },
      { type: 'notice', by: OTHER, op: 'peek', piece: 1, count: 1, seat: 0 },
      update({ id: 1, mark: 1002, renamed: NEW }),
      update({ id: NEW, mark: 1003, renamed: NEW + 1, pinned: true }),
    ),
  );
  assert.deepEqual(outcome.renamed, [
    { from: 1, to: NEW },
    { from: NEW, to: NEW + 1 },
  ]);
  for (const event of outcome.events)
    assert.ok(
      'pieces' in event ? event.pieces[0] === NEW + 1 : 'piece' in event && event.piece === NEW + 1,
    );
  assert.deepEqual(
    [[...outcome.placed], [...outcome.changed], outcome.motions[0].ids],
    [[NEW + 1], [NEW + 1], [NEW + 1, 2]],
  );
  assert.deepEqual(
    [sync.holds.get(NEW + 1), sync.holds.has(1), sync.pieces.size],
    [[{ kind: 60, count: 3 }], false, 3],
  );
});

test('T21 a new name for an unknown piece is a new piece', () => {
  const sync = table();
  const { events } = sync.receive(frame(update({ id: 9, mark: 1001, renamed: NEW, z: '0.5' })));
  assert.deepEqual(events, [{ type: 'update', piece: NEW, by: OTHER, op: 'move', before: null }]);
  assert.equal(shown(sync, NEW).z, '0.5');
});

test('T20.2 hiding a piece by one’s own update is not a conflict', () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const sync = table();
    sync.update(1, 'grab');
    sync.update(1, 'release', { x: 5, y: 5 });
    post(sync);
    sync.receive(frame(ack(1, { id: 1, mark: 1001 })));
    const said = [update({ id: 1, mark: 1002, gone: true }, 'release', YOU), ack(2)];
    const outcome = sync.receive(frame(...order.map((i) => said[i])));
    assert.deepEqual(outcome.events.map((e) => e.type), ['update']);
    assert.deepEqual([[...outcome.gone], sync.lowest(), sync.pieces.has(1)], [[1], 0, false]);
  }
});

test('T11.8 an update in the frame of its ack is not a conflict', () => {
  const sync = table();
  sync.update(1, 'release', { x: 5, y: 5 });
  post(sync);
  const { events } = sync.receive(
    frame(update({ id: 1, mark: 1001, x: 5, y: 5, angle: 100 }, 'release', YOU), ack(1)),
  );
  assert.deepEqual(
    events.map((e) => e.type), ['update'],
  );
  assert.deepEqual(
    [shown(sync, 1).x, shown(sync, 1).angle, shown(sync, 1).mark, sync.lowest()], [5, 100, 1001, 0],
  );
});

test('T20 updates of a hidden piece are dropped and reported', () => {
  const sync = table();
  sync.update(1, 'release', { x: 5, y: 5 });
  sync.update(1, 'grab');
  post(sync);
  const { events } = sync.receive(
    frame(update({ id: 1, mark: 1002, gone: true }, 'release', YOU), ack(1)),
  );
  assert.deepEqual(events.at(-1), {
    type: 'conflict', piece: 1, by: YOU, op: 'release', lost: ['grab'],
  });
  assert.deepEqual(
    sync.receive(frame(reject(2, 'gone', { id: 1, mark: 1003, gone: true }))).events, [],
  );
  assert.equal(sync.lowest(), 0);
});

test('T20 a piece that somebody else hides is a conflict', () => {
  const sync = table();
  sync.update(1, 'move', { x: 5, y: 5 });
  const { events, gone } = sync.receive(
    frame(update({ id: 1, mark: 1001, gone: true }, 'release')),
  );
  assert.deepEqual(events.at(-1), {
    type: 'conflict', piece: 1, by: OTHER, op: 'release', lost: ['move'],
  });
  assert.deepEqual([[...gone], post(sync)], [[1], []]);
});

test('T21.10 a revealed piece is another piece, with its full state', () => {
  const sync = table();
  sync.receive(frame(update({ id: 1, mark: 1001, gone: true }, 'release')));
  sync.receive(
    frame(update({ id: NEW, mark: 1002, kind: 9, x: 7, z: '0.9', zMark: 1002 }, 'release')),
  );
  assert.deepEqual(shown(sync, NEW), {
    id: NEW,
    mark: 1002,
    kind: 9,
    x: 7,
    y: 0,
    angle: 0,
    face: 0,
    z: '0.9',
    zMark: 1002,
    pinned: false,
    locked: false,
    holder: 0,
    owner: 0,
  });
});

test('S5.19, T21 after a full state an ack gives the new name of pending updates', () => {
  const { sync, updates } = regrabbed();
  sync.reconnected();
  const state = [
    ...pieces().slice(1), ...pieces({ id: NEW, mark: 100, x: 50, owner: YOU }).slice(-1),
  ];
  const outcome = sync.receive(
    frame(full({ pieces: state }), ack(1), ack(2, { id: NEW, mark: 1002 })),
  );
  assert.deepEqual(
    [outcome.renamed, outcome.events, outcome.needsFull], [[{ from: 1, to: NEW }], [], false],
  );
  assert.deepEqual([shown(sync, NEW).holder, sync.pieces.has(1)], [YOU, false]);
  assert.deepEqual(post(sync), updates.slice(2));
  sync.receive(frame(ack(3, { id: NEW, mark: 1003 })));
  assert.deepEqual([shown(sync, NEW).holder, shown(sync, NEW).mark, sync.lowest()], [YOU, 1003, 0]);
});
