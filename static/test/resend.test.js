import assert from 'node:assert/strict';
import test from 'node:test';
import { MAX_BATCH, REMEMBERED } from '../js/sync/outbox.js';
import {
  ack, frame, full, pieces, post, reject, shown, table, taken, update, YOU,
} from './table.js';

test('T10.2, T10.17 a batch without an answer is sent again unchanged', () => {
  const sync = table();
  sync.update(1, 'grab');
  sync.update(2, 'pin');
  const batch = taken(sync);
  sync.failed(batch);
  sync.update(3, 'pin');
  const again = taken(sync);
  assert.deepEqual(again, batch);
  sync.delivered(again);
  assert.deepEqual(post(sync).map((u) => [u.seq, u.piece]), [[3, 3]]);
});

test('T10 an update that was answered is not sent again', () => {
  const sync = table();
  sync.update(1, 'grab');
  sync.update(2, 'pin');
  const batch = taken(sync);
  sync.receive(frame(ack(1, { id: 1, mark: 1001 })));
  sync.failed(batch);
  assert.deepEqual(post(sync).map((u) => u.seq), [2]);
});

test('S5 nothing is sent between two streams before the full state', () => {
  const sync = table();
  sync.update(1, 'grab');
  sync.reconnected();
  assert.equal(sync.take(), null);
  sync.receive(frame(full()));
  assert.deepEqual(post(sync).map((u) => u.seq), [1]);
});

test('S5.25, S5.26 pending updates show again and are sent again alone, in order', () => {
  const sync = table();
  sync.update(2, 'pin');
  sync.update(1, 'grab');
  sync.update(1, 'move', { x: 5, y: 5 });
  const sent = post(sync);
  sync.update(3, 'pin');
  assert.equal(sync.lowest(), 1);
  sync.reconnected();
  const { events } = sync.receive(frame(full()));
  assert.deepEqual(
    [events, shown(sync, 1).x, shown(sync, 2).pinned, shown(sync, 3).pinned], [[], 5, true, true],
  );
  assert.deepEqual(post(sync), sent);
  assert.deepEqual(post(sync).map((u) => u.piece), [3]);
});

test('S5.17 an update acknowledged in the frame of the full state is done', () => {
  const sync = table();
  sync.update(1, 'grab');
  sync.update(1, 'move', { x: 5, y: 5 });
  post(sync);
  sync.reconnected();
  const state = pieces({ id: 1, mark: 100, holder: YOU });
  const { events } = sync.receive(frame(full({ pieces: state }), ack(1, { id: 1, mark: 1001 })));
  assert.deepEqual([events, sync.lowest(), shown(sync, 1).x], [[], 2, 5]);
  assert.deepEqual(post(sync), [{ seq: 2, piece: 1, tag: 100, op: 'move', x: 5, y: 5 }]);
});

test('S5 the version of an earlier ack is not a conflict', () => {
  const sync = table();
  sync.update(1, 'grab');
  post(sync);
  sync.update(1, 'move', { x: 5, y: 5 });
  post(sync);
  sync.receive(frame(ack(1, { id: 1, mark: 1001 })));
  sync.reconnected();
  const { events } = sync.receive(
    frame(full({ pieces: pieces({ id: 1, mark: 100, holder: YOU }) })),
  );
  assert.deepEqual([events, shown(sync, 1).x], [[], 5]);
});

test('S5.16, S5.22 the version of another’s update is a conflict after the frame', () => {
  const sync = table();
  sync.update(1, 'grab');
  sync.update(1, 'move', { x: 5, y: 5 });
  post(sync);
  sync.update(1, 'rotate', { angle: 9000 });
  sync.reconnected();
  const state = pieces({ id: 1, mark: 1002, x: 8 });
  const outcome = sync.receive(frame(full({ pieces: state }), ack(1, { id: 1, mark: 1001 })));
  assert.deepEqual(outcome.events, [
    { type: 'conflict', piece: 1, by: 0, op: 'unspecified', lost: ['move', 'rotate'] },
  ]);
  assert.deepEqual([shown(sync, 1).x, shown(sync, 1).angle, post(sync)], [8, 0, []]);
  assert.deepEqual([...outcome.changed], [1]);
});

test('S5 after all acks, an update by somebody else is not a conflict', () => {
  const sync = table();
  sync.update(1, 'move', { x: 5, y: 5 });
  post(sync);
  sync.reconnected();
  const { events } = sync.receive(
    frame(full({ pieces: pieces({ id: 1, mark: 1002, x: 8 }) }), ack(1, { id: 1, mark: 1001 })),
  );
  assert.deepEqual([events, shown(sync, 1).x], [[], 8]);
});

test('S5.15 a piece missing in the full state is gone', () => {
  const sync = table();
  sync.update(1, 'grab');
  sync.make('delete', { piece: 2 });
  post(sync);
  sync.reconnected();
  const { events, gone } = sync.receive(frame(full({ pieces: pieces().slice(2) })));
  assert.deepEqual(events, [
    { type: 'conflict', piece: 1, by: 0, op: 'unspecified', lost: ['grab'] },
  ]);
  assert.deepEqual([[...gone], sync.lowest()], [[1, 2], 0]);
});

test('S5 sending again recovers a reject that was lost', () => {
  const sync = table();
  sync.update(1, 'grab');
  post(sync);
  sync.reconnected();
  sync.receive(frame(full()));
  assert.deepEqual(post(sync).map((u) => u.seq), [1]);
  const { events } = sync.receive(frame(reject(1, 'pinned', { id: 1, mark: 1001, pinned: true })));
  assert.deepEqual([events[0].type, sync.lowest()], ['reject', 0]);
});

test('S5 an answer may come after the interruption of its stream', () => {
  const sync = table();
  sync.update(1, 'grab');
  const batch = taken(sync);
  sync.reconnected();
  sync.receive(frame(full()));
  sync.delivered(batch);
  assert.deepEqual(sync.take(), batch, 'its outcome may have been lost with the stream');
});

test('S7 a full state amid a stream loses nothing', () => {
  const sync = table();
  sync.update(1, 'grab');
  sync.make('add', { kind: 1, x: 0, y: 0 });
  post(sync);
  const { events, changed } = sync.receive(frame(full()));
  assert.deepEqual([events, [...changed], shown(sync, 1).holder], [[], [], YOU]);
  assert.deepEqual(post(sync).map((u) => u.seq), [1, 2]);
});

test('S7 an ack does not create a deleted piece again', () => {
  const sync = table();
  const key = sync.make('add', { kind: 1, x: 0, y: 0 });
  post(sync);
  sync.reconnected();
  const { events } = sync.receive(frame(full(), ack(1, { id: 9, mark: 900, z: '0.5' }, 9)));
  assert.deepEqual([events, sync.pieces.has(9)], [[{ type: 'made', seq: key, piece: 9 }], false]);
});

test('T19 in a new epoch all pending updates are lost and reported', () => {
  const sync = table();
  sync.update(1, 'grab');
  sync.make('add', { kind: 1, x: 0, y: 0 });
  const batch = taken(sync);
  sync.update(2, 'pin');
  const { events } = sync.receive(frame(full({ epoch: 8, pieces: pieces({ id: 1, mark: 50 }) })));
  assert.deepEqual(events, [{ type: 'lost', ops: ['grab', 'add', 'pin'] }]);
  assert.deepEqual([shown(sync, 1).holder, shown(sync, 2).pinned, sync.lowest()], [0, false, 0]);
  assert.deepEqual([...sync.refused({ status: 409, code: 'epoch' }, batch)], []);
  sync.update(1, 'grab');
  assert.deepEqual(sync.take(), {
    client: sync.client,
    epoch: 8,
    updates: [{ seq: 3, piece: 1, tag: 50, op: 'grab' }],
  });
});

test('unsent moves and rotations merge', () => {
  const sync = table();
  const key = sync.update(1, 'move', { x: 1, y: 1, z: '0.7' });
  sync.update(2, 'move', { x: 9, y: 9 });
  assert.equal(sync.update(1, 'move', { x: 2, y: 2 }), key);
  assert.notEqual(sync.update(1, 'rotate', { angle: 100 }), key);
  sync.update(1, 'rotate', { angle: 200 });
  assert.deepEqual([shown(sync, 1).x, shown(sync, 1).angle], [2, 200]);
  assert.deepEqual(
    post(sync).map(({ seq, tag: _, ...rest }) => ({ seq, ...rest })),
    [
      { seq: 1, piece: 1, op: 'move', x: 2, y: 2, z: '0.7' },
      { seq: 2, piece: 2, op: 'move', x: 9, y: 9 },
      { seq: 3, piece: 1, op: 'rotate', angle: 200 },
    ],
  );
  assert.notEqual(sync.update(1, 'move', { x: 3, y: 3 }), key, 'sent updates stay unchanged');
  assert.deepEqual(post(sync).map((u) => [u.seq, u.x]), [[4, 3]]);
});

test('T10 pending updates are limited to what the server remembers', () => {
  const sync = table();
  for (let i = 0; i < 600; i++) sync.update(1, i % 2 === 0 ? 'pin' : 'unpin');
  assert.equal(post(sync).length, MAX_BATCH);
  assert.equal(post(sync).length, REMEMBERED - MAX_BATCH);
  assert.equal(post(sync).length, 0, 'until some are answered');
  sync.receive(
    frame(...Array.from({ length: 100 }, (_, i) => ack(i + 1, { id: 1, mark: 1001 + i }))),
  );
  assert.equal(post(sync).length, 600 - REMEMBERED);
});

test('a batch stays within the server’s limit of bytes', () => {
  const sync = table();
  const z = `0.${'5'.repeat(1024)}`;
  for (let i = 0; i < 300; i++) sync.update(2, 'setz', { z });
  const batch = sync.take();
  assert.ok(JSON.stringify(batch).length <= 256 * 1024);
  assert.ok((batch?.updates.length ?? 0) > 200);
});

test('S5 more than one batch is sent again in order', () => {
  const sync = table();
  for (let i = 0; i < 300; i++) sync.update(1, i % 2 === 0 ? 'pin' : 'unpin');
  post(sync);
  post(sync);
  sync.reconnected();
  sync.receive(frame(full()));
  const seqs = [...post(sync), ...post(sync)].map((u) => u.seq);
  assert.deepEqual(seqs, Array.from({ length: 300 }, (_, i) => i + 1));
  sync.receive(frame(update({ id: 1, mark: 1001 })));
  assert.equal(sync.lowest(), 0);
});
