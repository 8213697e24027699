// Blind updates, and what they cause (T28).

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  ack, frame, full, OTHER, pieces, post, reject, shown, table, taken, update, YOU,
} from './table.js';

/** What the container of these tables holds at first. */
const holds = [{ piece: 3, kinds: [61], counts: [5] }];

/**
 * A client at a table where piece 1 counts from -5 to 9, piece 2 is a heap of 100 and piece 3 a
 * deck of five cards.
 */
function things() {
  const sync = table();
  sync.receive(
    frame(
      full({
        pieces: pieces(
          { id: 1, mark: 100, kind: 1, value: 7 }, { id: 2, mark: 200, kind: 2, value: 100 },
        ),
        holds,
      }),
    ),
  );
  sync.bounds = (kind) =>
    kind === 1 ? { min: -5, max: 9 } : kind === 2 ? { min: 1, max: 2 ** 30 } : null;
  return sync;
}

test('T28.1 a blind update is sent without a tag after a server update', () => {
  const sync = things();
  sync.blind(1, 'count', { n: 1 });
  const { events } = sync.receive(frame(update({ id: 1, mark: 1001, value: 3 }, 'count')));
  assert.deepEqual(events.map((e) => e.type), ['update'], 'no conflict');
  assert.equal(shown(sync, 1).value, 4, 'it shows on top');
  assert.deepEqual(post(sync), [{ seq: 1, piece: 1, op: 'count', n: 1 }]);
});

test('T28 T33 several blind updates may be pending; each counts once', () => {
  const sync = things();
  for (let i = 0; i < 3; i++) sync.blind(1, 'count', { n: -1 });
  assert.deepEqual([shown(sync, 1).value, sync.pending(1), sync.unsettled(1)], [4, true, false]);
  assert.deepEqual(post(sync).map((u) => u.seq), [1, 2, 3]);
  sync.receive(frame(ack(1, { id: 1, mark: 1001, value: 6 })));
  assert.equal(shown(sync, 1).value, 4);
  sync.receive(
    frame(
      update({ id: 1, mark: 1002, value: 8 }, 'count'), ack(2, { id: 1, mark: 1003, value: 7 }),
    ),
  );
  assert.deepEqual([shown(sync, 1).value, shown(sync, 1).mark], [6, 1003]);
  sync.receive(frame(ack(3, { id: 1, mark: 1004, value: 6 })));
  assert.deepEqual([shown(sync, 1).value, sync.pending(1), sync.lowest()], [6, false, 0]);
});

test('T33 an update that leads out of bounds is sent, not shown', () => {
  const sync = things();
  const key = sync.blind(1, 'count', { n: 3 });
  assert.equal(shown(sync, 1).value, 7);
  post(sync);
  const { events } = sync.receive(frame(reject(1, 'range', { id: 0, mark: 0 })));
  assert.deepEqual(events, [
    { type: 'reject', piece: 1, seq: key, reason: 'range', by: 0, op: 'count', lost: [] },
  ]);
  assert.deepEqual([shown(sync, 1).value, shown(sync, 1).mark, sync.pending(1)], [7, 100, false]);
});

test('T28 a reject ends only the update that it answers', () => {
  const sync = things();
  sync.update(1, 'move', { x: 5, y: 5 });
  sync.blind(1, 'count', { n: 1 });
  sync.blind(1, 'count', { n: 1 });
  sync.update(1, 'pin');
  post(sync);
  const { events } = sync.receive(frame(reject(2, 'range', { id: 0, mark: 0 })));
  assert.deepEqual(events.map((e) => e.type === 'reject' && e.lost), [[]]);
  const { x, pinned, value, mark } = shown(sync, 1);
  assert.deepEqual([x, pinned, value, mark], [5, true, 8, 100]);
  sync.receive(
    frame(
      ack(1, { id: 1, mark: 1001 }), ack(3, { id: 1, mark: 1002, value: 8 }),
      ack(4, { id: 1, mark: 1003 }),
    ),
  );
  assert.deepEqual([shown(sync, 1).pinned, sync.lowest()], [true, 0]);
});

test('T28.4 rejects, conflicts and pending Loose grabs leave a blind update', () => {
  const sync = things();
  sync.update(1, 'move', { x: 5, y: 5 });
  sync.blind(1, 'count', { n: 1 });
  post(sync);
  sync.receive(
    frame(reject(1, 'held', { id: 1, mark: 1001, kind: 1, value: 7, holder: OTHER }, OTHER)),
  );
  assert.deepEqual([shown(sync, 1).value, sync.pending(1)], [8, true]);
  sync.receive(frame(ack(2, { id: 1, mark: 1002, value: 8 })));
  sync.update(1, 'release', { x: 1, y: 1 });
  sync.grabLoose(1);
  sync.update(1, 'move', { x: 7, y: 7 });
  sync.blind(1, 'count', { n: 1 });
  assert.deepEqual(
    post(sync).map((u) => u.op), ['release', 'grab', 'count'], 'it overtakes waiting updates',
  );
  const { events } = sync.receive(
    frame(ack(3, { id: 1, mark: 1003 }), ack(5, { id: 1, mark: 1004, value: 9 })),
  );
  assert.deepEqual([events, shown(sync, 1).value, shown(sync, 1).x], [[], 9, 7]);
  sync.receive(frame(ack(4, { id: 1, mark: 1005 })));
  assert.deepEqual(post(sync), [{ seq: 6, piece: 1, tag: 1005, op: 'move', x: 7, y: 7 }]);
});

test('T10 T28 an ack repeated after a full state counts once', () => {
  const sync = things();
  sync.blind(1, 'count', { n: 1 });
  sync.blind(1, 'count', { n: -3 });
  const updates = post(sync);
  sync.reconnected();
  const state = full({ pieces: pieces({ id: 1, mark: 1001, kind: 1, value: 8 }) });
  sync.receive(frame(state, ack(1, { id: 1, mark: 1001 })));
  assert.deepEqual([shown(sync, 1).value, post(sync)], [5, updates.slice(1)]);
});

test('S5 T28 a full state with updates of others only is not a conflict', () => {
  const sync = things();
  sync.update(1, 'move', { x: 5, y: 5 });
  sync.blind(1, 'count', { n: 1 });
  const updates = post(sync);
  sync.reconnected();
  const state = full({ pieces: pieces({ id: 1, mark: 100, kind: 1, value: 8 }), holds });
  const { events } = sync.receive(frame(state, ack(2, { id: 1, mark: 1001 })));
  assert.deepEqual([events, shown(sync, 1).x, shown(sync, 1).value], [[], 5, 8]);
  assert.deepEqual(post(sync), updates.slice(0, 1));
  sync.update(1, 'pin');
  assert.equal(post(sync)[0].tag, 1001, 'the version of the ack is known now');
});

test('S5 T28 the ack of a blind update does not hide a conflict after a full state', () => {
  const sync = things();
  sync.update(1, 'move', { x: 5, y: 5 });
  sync.blind(1, 'count', { n: 1 });
  post(sync);
  sync.reconnected();
  const state = full({ pieces: pieces({ id: 1, mark: 1000, kind: 1, value: 8 }), holds });
  const { events } = sync.receive(frame(state, ack(2, { id: 1, mark: 1001 })));
  assert.deepEqual(events, [
    { type: 'conflict', piece: 1, by: 0, op: 'unspecified', lost: ['move'] },
  ]);
});

test('T14 T28 a repeated reject leaves updates with a later tag', () => {
  const sync = things();
  sync.update(1, 'move', { x: 5000, y: 5 });
  sync.update(1, 'pin');
  sync.blind(1, 'count', { n: 1 });
  post(sync);
  // The reject was lost, and is repeated.
  sync.receive(frame(ack(3, { id: 1, mark: 1001, value: 8 })));
  sync.update(1, 'unpin');
  assert.equal(post(sync)[0].tag, 1001);
  const { events } = sync.receive(
    frame(reject(1, 'off-table', { id: 1, mark: 1001, kind: 1, value: 8 })),
  );
  assert.deepEqual(
    events.map((e) => e.type === 'reject' && e.lost), [['pin']],
  );
  assert.deepEqual([sync.pending(1), sync.lowest()], [true, 4]);
});

test('T34.1 a split reduces the heap at once; the ack names the new heap', () => {
  const sync = things();
  const key = sync.blind(2, 'split', { n: 30, x: 50, y: 0, z: '0.8', hold: true });
  assert.deepEqual(
    [shown(sync, 2).value, shown(sync, 2).x, shown(sync, 2).z, shown(sync, 2).holder],
    [70, 0, '0.2', 0],
  );
  assert.deepEqual(post(sync), [
    { seq: 1, piece: 2, op: 'split', n: 30, x: 50, y: 0, z: '0.8', hold: true },
  ]);
  const made = {
    id: 70_000, mark: 1002, kind: 2, x: 50, z: '0.8', zMark: 1002, holder: YOU, value: 30,
  };
  const { events } = sync.receive(
    frame(
      update({ id: 2, mark: 1001, value: 70 }, 'split', YOU), update(made, 'split', YOU),
      ack(1, undefined, 70_000),
    ),
  );
  assert.deepEqual(events.at(-1), { type: 'made', seq: key, piece: 70_000 });
  assert.deepEqual(
    [shown(sync, 2).value, shown(sync, 70_000).value, shown(sync, 70_000).holder, sync.pending(2)],
    [70, 30, YOU, false],
  );
});

test('T34 an ack of a split does not change the level of the heap', () => {
  const sync = things();
  sync.blind(2, 'split', { n: 30, x: 50, y: 0, z: '0.8' });
  post(sync);
  sync.receive(frame(ack(1, { id: 2, mark: 1001, value: 70 }, 70_000)));
  assert.deepEqual(
    [shown(sync, 2).value, shown(sync, 2).z, shown(sync, 2).zMark, shown(sync, 2).mark],
    [70, '0.2', 2, 1001],
  );
});

test('T34 a split of all, none or too much is not predicted', () => {
  const sync = things();
  for (const n of [100, 101, 0, -1]) sync.blind(2, 'split', { n, x: 0, y: 0 });
  assert.equal(shown(sync, 2).value, 100);
});

test('T30.13 a drawn piece can be released and grabbed at once', () => {
  const sync = things();
  const key = sync.blind(3, 'draw', { x: 40, y: 50, hold: true });
  assert.deepEqual(
    shown(sync, 3), { ...shown(sync, 3), x: 0, y: 0, holder: 0 }, 'nothing of it is the deck\'s',
  );
  assert.deepEqual(post(sync), [{ seq: 1, piece: 3, op: 'draw', x: 40, y: 50, hold: true }]);
  const card = {
    id: 16_384, mark: 1001, kind: 60, x: 40, y: 50, z: '0.9', zMark: 1001, holder: YOU,
  };
  const first = sync.receive(
    frame(
      update(card, 'draw', YOU), { type: 'holds', piece: 3, kinds: [61], counts: [4] },
      { type: 'notice', by: YOU, op: 'draw', piece: 3, count: 1, seat: 0 },
      ack(1, { id: 0, mark: 0 }, 16_384),
    ),
  );
  assert.deepEqual(first.events.map((e) => e.type), ['update', 'holds', 'notice', 'made']);
  assert.deepEqual(first.events.at(-1), { type: 'made', seq: key, piece: 16_384 });
  assert.deepEqual(sync.holds.get(3), [{ kind: 60, count: 4 }]);
  sync.update(16_384, 'release', { x: 900, y: 0 });
  sync.grabLoose(16_384);
  assert.deepEqual(post(sync), [
    { seq: 2, piece: 16_384, tag: 1001, op: 'release', x: 900, y: 0 },
    { seq: 3, piece: 16_384, tag: 1001, op: 'grab', loose: true },
  ]);
  const { events } = sync.receive(
    frame(
      ack(2, { id: 16_384, mark: 1002, renamed: 17_000, owner: YOU }),
      update({ id: 17_000, mark: 1003, kind: 12, face: 0 }, 'reveal', YOU),
      update({ id: 17_000, mark: 1004, holder: YOU }, 'grab', YOU),
      ack(3, { id: 17_000, mark: 1004 }),
    ),
  );
  assert.ok(events.every((e) => e.type === 'update'));
  assert.deepEqual(
    [shown(sync, 17_000).holder, shown(sync, 17_000).kind, sync.lowest()], [YOU, 12, 0],
  );
});

test('T30 an empty container rejects a draw and changes nothing else', () => {
  const sync = things();
  const key = sync.blind(3, 'draw', {});
  post(sync);
  const { events, changed } = sync.receive(frame(reject(1, 'empty', { id: 0, mark: 0 })));
  assert.deepEqual(events, [
    { type: 'reject', piece: 3, seq: key, reason: 'empty', by: 0, op: 'draw', lost: [] },
  ]);
  assert.deepEqual([[...changed], sync.pieces.size, shown(sync, 3).mark], [[], 3, 300]);
});

test('T23 the effect of updates of a hand is predicted', () => {
  const sync = table();
  sync.blind(1, 'claim');
  sync.blind(1, 'share', { seat: OTHER });
  assert.deepEqual([shown(sync, 1).owner, shown(sync, 1).team], [YOU, [OTHER]]);
  sync.blind(1, 'unshare', { seat: OTHER });
  assert.deepEqual(shown(sync, 1).team, []);
  sync.blind(1, 'give', { seat: OTHER });
  assert.equal(shown(sync, 1).owner, OTHER);
  sync.blind(1, 'claim');
  assert.equal(shown(sync, 1).owner, OTHER, 'it is somebody\'s');
  sync.blind(1, 'leave');
  assert.equal(shown(sync, 1).owner, 0);
  assert.deepEqual(
    post(sync).map((u) => [u.op, u.seat, u.tag]),
    [
      ['claim', undefined, undefined],
      ['share', OTHER, undefined],
      ['unshare', OTHER, undefined],
      ['give', OTHER, undefined],
      ['claim', undefined, undefined],
      ['leave', undefined, undefined],
    ],
  );
});

test('T23 the server decides who owns a hand', () => {
  const sync = table();
  const key = sync.blind(1, 'claim');
  post(sync);
  sync.receive(frame(update({ id: 1, mark: 1001, owner: OTHER }, 'claim')));
  assert.equal(shown(sync, 1).owner, OTHER, 'the first one owns it');
  const { events } = sync.receive(frame(reject(1, 'owned', { id: 0, mark: 0 })));
  assert.deepEqual(events, [
    { type: 'reject', piece: 1, seq: key, reason: 'owned', by: 0, op: 'claim', lost: [] },
  ]);
});

test('T35 writing and assigning show at once; the last unsent text counts', () => {
  const sync = table();
  sync.update(1, 'write', { text: 'Ada' });
  sync.update(1, 'write', { text: 'Ada leads\n' });
  sync.update(2, 'assign', { seat: OTHER });
  assert.deepEqual([shown(sync, 1).text, shown(sync, 2).owner], ['Ada leads\n', OTHER]);
  assert.deepEqual(post(sync), [
    { seq: 1, piece: 1, tag: 100, op: 'write', text: 'Ada leads\n' },
    { seq: 2, piece: 2, tag: 200, op: 'assign', seat: OTHER },
  ]);
  sync.receive(frame(ack(1, { id: 1, mark: 1001 }), ack(2, { id: 2, mark: 1002, owner: OTHER })));
  assert.deepEqual(
    [shown(sync, 1).text, shown(sync, 2).owner, sync.lowest()], ['Ada leads\n', OTHER, 0],
  );
});

test('T35 a turn marker passes to the next player, and from the last to the first', () => {
  const sync = table();
  const seat = (/** @type {number} */ id, /** @type {import('../js/types.js').Role} */ role) =>
    sync.seats.set(id, { id, nick: String(id), colour: 0, role, presence: 'here' });
  seat(3, 'spectator');
  seat(4, 'player');
  const went = [];
  for (let i = 0; i < 4; i++) {
    sync.blind(1, 'pass');
    went.push(shown(sync, 1).owner);
  }
  assert.deepEqual(went, [YOU, OTHER, 4, YOU]);
});

for (const op of /** @type {const} */ ([
  'roll', 'draw', 'deal', 'recall', 'shuffle', 'cut', 'peek',
])) {
  test(`T28 a random outcome is not predicted: ${op}`, () => {
    const sync = table();
    const before = shown(sync, 1);
    sync.blind(1, op);
    assert.deepEqual(shown(sync, 1), before);
    assert.deepEqual(post(sync), [{ seq: 1, piece: 1, op }]);
    sync.receive(frame(ack(1, { id: 1, mark: 1001, ...(op === 'roll' ? { face: 4 } : {}) })));
    assert.deepEqual(shown(sync, 1), { ...before, mark: 1001, face: op === 'roll' ? 4 : 0 });
  });
}

test('T36.2 an unknown operation is sent as it is', () => {
  const sync = table();
  const before = shown(sync, 1);
  const key = sync.blind(1, 'explode', { n: 3 });
  assert.deepEqual(
    [post(sync), shown(sync, 1)], [[{ seq: 1, piece: 1, op: 'explode', n: 3 }], before],
  );
  const { events } = sync.receive(frame(reject(1, 'not-allowed', { id: 0, mark: 0 })));
  assert.equal(events[0].type === 'reject' && events[0].seq, key);
});

test('T15.15 a refused batch drops its blind updates, not later ones', () => {
  const sync = things();
  sync.blind(1, 'count', { n: 1 });
  const first = taken(sync);
  assert.equal(first.updates.length, 1);
  sync.update(1, 'move', { x: 5, y: 5 });
  const changed = sync.refused({ status: 422, code: 'impossible-value' }, first);
  assert.deepEqual([[...changed], shown(sync, 1).value, shown(sync, 1).x], [[1], 7, 5]);
  sync.update(2, 'pin');
  const second = taken(sync);
  assert.equal(second.updates.length, 2);
  sync.blind(2, 'split', { n: 1, x: 0, y: 0 });
  sync.refused({ status: 422, code: 'impossible-value' }, second);
  assert.deepEqual(
    [shown(sync, 2).pinned, shown(sync, 2).value, post(sync).map((u) => u.op)],
    [false, 99, ['split']],
  );
});

test('T20 a blind update ends when its piece is gone; its answer is ignored', () => {
  const sync = things();
  sync.blind(2, 'split', { n: 1, x: 0, y: 0 });
  post(sync);
  const { events } = sync.receive(frame(update({ id: 2, mark: 1001, gone: true }, 'merge')));
  assert.deepEqual(events.at(-1), {
    type: 'conflict', piece: 2, by: OTHER, op: 'merge', lost: ['split'],
  });
  assert.deepEqual(
    [sync.receive(frame(reject(1, 'gone', { id: 0, mark: 0 }))).events, sync.lowest()], [[], 0],
  );
});

test('T29 each event replaces the counts of a container; a full state clears them', () => {
  const sync = things();
  assert.deepEqual(sync.holds.get(3), [{ kind: 60, count: 5 }]);
  const { events } = sync.receive(
    frame({ type: 'holds', piece: 3, kinds: [0, 61], counts: [2, 4] }),
  );
  assert.deepEqual(events, [{ type: 'holds', piece: 3, before: [{ kind: 60, count: 5 }] }]);
  assert.deepEqual(sync.holds.get(3), [{ kind: -1, count: 2 }, { kind: 60, count: 4 }]);
  sync.receive(frame({ type: 'holds', piece: 3, kinds: [], counts: [] }));
  assert.equal(sync.holds.size, 0);
  sync.receive(frame({ type: 'holds', piece: 1, kinds: [1], counts: [1] }, full()));
  assert.equal(sync.holds.size, 0);
  sync.receive(
    frame(
      { type: 'holds', piece: 1, kinds: [1], counts: [1] },
      update({ id: 1, mark: 1001, gone: true }, 'delete'),
    ),
  );
  assert.equal(sync.holds.size, 0, 'nor counts of a piece that is gone');
});

test('T28 T31 notices and faces are passed on and change nothing', () => {
  const sync = table();
  const before = structuredClone([...sync.pieces]);
  const notice = /** @type {const} */ ({
    type: 'notice', by: OTHER, op: 'show', piece: 1, count: 1, seat: YOU,
  });
  const faces = /** @type {const} */ ({
    type: 'faces', by: OTHER, op: 'show', piece: 1, kinds: [7], face: 0,
  });
  const { events, changed } = sync.receive(frame(notice, { ...faces, kinds: [7] }));
  assert.deepEqual([events, [...changed], [...sync.pieces]], [[notice, faces], [], before]);
});
