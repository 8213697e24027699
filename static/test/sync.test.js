import assert from 'node:assert/strict';
import test from 'node:test';
import { createSync } from '../js/sync/sync.js';
import { random } from './random.js';
import {
  ack, frame, full, OTHER, pieces, post, reject, shown, table, taken, update, YOU,
} from './table.js';

test('S5 the full state is applied', () => {
  const sync = createSync('c');
  assert.equal(sync.take(), null);
  const outcome = sync.receive(frame(full()));
  assert.deepEqual(
    [sync.epoch, sync.you, sync.mark, sync.info?.title, sync.seats.get(OTHER)?.nick],
    [7, YOU, 1000, 'Chess', 'Bob'],
  );
  assert.deepEqual([outcome.full, [...outcome.changed], [...outcome.gone]], [true, [1, 2, 3], []]);
  assert.equal(shown(sync, 2).z, '0.2');
});

test('T71.4 after going back, what lies in hands and decks is drawn again', () => {
  const sync = createSync('c');
  const first = sync.receive(frame(full({ holds: [{ piece: 3, kinds: [61], counts: [5] }] })));
  assert.deepEqual(first.events, []);
  const { events } = sync.receive(frame(full({
    epoch: 8,
    holds: [{ piece: 2, kinds: [61], counts: [1] }, { piece: 3, kinds: [61], counts: [5] }],
  })));
  assert.deepEqual(events, [{ type: 'holds', piece: 2, before: [] }]);
});

test('T1 a conflict on one piece discards nothing of another', () => {
  const sync = table();
  sync.update(1, 'move', { x: 5, y: 5 });
  sync.update(2, 'move', { x: 6, y: 6 });
  sync.receive(frame(update({ id: 1, mark: 1001, x: 9 })));
  assert.equal(shown(sync, 2).x, 6);
  assert.deepEqual(post(sync).map((u) => u.piece), [2]);
});

test('T5.3, T19.5 updates are sent without waiting for one another', () => {
  const sync = table();
  sync.update(1, 'grab', { z: '0.4' });
  assert.deepEqual(sync.take(), {
    client: 'q83vEjRWeJCrze8SNFZ4kA',
    epoch: 7,
    updates: [{ seq: 1, piece: 1, tag: 100, op: 'grab', z: '0.4' }],
  });
  sync.update(1, 'release', { x: 3, y: 4 });
  assert.deepEqual(post(sync), [{ seq: 2, piece: 1, tag: 100, op: 'release', x: 3, y: 4 }]);
});

test('T7.1, T7.2, T14.6 the tag is the last version of the piece', () => {
  const sync = table();
  sync.receive(frame(update({ id: 2, mark: 990, x: 1 })));
  sync.update(1, 'pin');
  sync.update(2, 'pin');
  assert.deepEqual(post(sync).map((u) => u.tag), [100, 990]);
  sync.receive(frame(reject(1, 'locked', { id: 1, mark: 1001, locked: true })));
  sync.update(1, 'unlock');
  assert.deepEqual(post(sync).map((u) => u.tag), [1001]);
});

test('T7 a floor above the latest entry stays the tag after a full state', () => {
  const sync = table();
  sync.update(1, 'pin');
  post(sync);
  sync.receive(frame(reject(1, 'locked', { id: 1, mark: 1001 })));
  sync.receive(frame(full()));
  sync.update(1, 'unlock');
  assert.deepEqual(post(sync).map((u) => u.tag), [1001]);
});

test('T8 a stored piece is never changed in place', () => {
  const sync = table();
  const before = shown(sync, 1);
  const kept = { ...before };
  sync.update(1, 'move', { x: 5, y: 5 });
  sync.receive(frame(update({ id: 1, mark: 1001, angle: 9 })));
  assert.deepEqual(before, kept);
});

test('T9.1, T9.2 one’s own update shows at once, a server update replaces it', () => {
  const sync = table();
  sync.update(1, 'move', { x: 5, y: 5 });
  assert.deepEqual([shown(sync, 1).x, sync.pending(1)], [5, true]);
  const outcome = sync.receive(frame(update({ id: 1, mark: 1001, y: 9 })));
  assert.deepEqual([shown(sync, 1).x, shown(sync, 1).y, sync.pending(1)], [0, 9, false]);
  assert.deepEqual([...outcome.changed], [1]);
});

test('T9 recording one’s own update moves nothing', () => {
  const sync = table();
  sync.update(1, 'grab');
  sync.update(1, 'move', { x: 5, y: 5 });
  post(sync);
  const outcome = sync.receive(frame(ack(1, { id: 1, mark: 1001 }), ack(2, { id: 1, mark: 1002 })));
  assert.deepEqual([[...outcome.changed], outcome.events], [[], []]);
  const { x, holder, mark } = shown(sync, 1);
  assert.deepEqual([x, holder, mark, sync.pending(1), sync.lowest()], [5, YOU, 1002, false, 0]);
});

test('T9 an update reports what was displayed before it', () => {
  const sync = table();
  const before = shown(sync, 1);
  const { events } = sync.receive(
    frame(update({ id: 1, mark: 1001, x: 5 }), update({ id: 9, mark: 1002, z: '0.5' }, 'add', 0)),
  );
  assert.deepEqual(events, [
    { type: 'update', piece: 1, by: OTHER, op: 'move', before },
    { type: 'update', piece: 9, by: 0, op: 'add', before: null },
  ]);
  assert.deepEqual(shown(sync, 9), { ...before, id: 9, mark: 1002, z: '0.5', zMark: 0 });
});

test('T10.1, T10.2 sequences rise strictly across pieces and batches', () => {
  const sync = table();
  sync.update(1, 'pin');
  sync.make('add', { kind: 3, x: 0, y: 0 });
  sync.update(2, 'pin');
  assert.deepEqual(post(sync).map((u) => u.seq), [1, 2, 3]);
  sync.update(1, 'unpin');
  assert.deepEqual(post(sync).map((u) => u.seq), [4]);
});

test('T10 values filled in by the server do not undo a later update', () => {
  const sync = table();
  sync.update(1, 'flip', { face: 1 });
  sync.update(1, 'setz', { z: '0.7' });
  sync.update(1, 'flip', { face: 2 });
  post(sync);
  sync.receive(frame(ack(1, { id: 1, mark: 1001, kind: 40, face: 1 })));
  assert.deepEqual([shown(sync, 1).kind, shown(sync, 1).face, shown(sync, 1).z], [40, 2, '0.7']);
  sync.receive(frame(ack(2, { id: 1, mark: 1002, zMark: 1002 })));
  assert.deepEqual([shown(sync, 1).zMark, shown(sync, 1).face], [1002, 2]);
});

test('T10 an ack says which face shows', () => {
  const sync = table();
  sync.update(1, 'flip', { face: 1 });
  post(sync);
  assert.equal(shown(sync, 1).face, 1);
  sync.receive(frame(ack(1, { id: 1, mark: 1001, kind: 60 })));
  assert.deepEqual(
    [shown(sync, 1).kind, shown(sync, 1).face], [60, 0], 'T22 a mask has one face',
  );
});

test('T10 a repeated answer is ignored', () => {
  const sync = table();
  sync.update(1, 'move', { x: 5, y: 5 });
  post(sync);
  const again = ack(1, { id: 1, mark: 1001 });
  sync.receive(frame(again));
  sync.receive(frame(update({ id: 1, mark: 1002, x: 8 })));
  sync.receive(frame(again));
  assert.deepEqual([shown(sync, 1).x, shown(sync, 1).mark], [8, 1002]);
  sync.receive(frame(reject(1, 'held', { id: 1, mark: 1000, x: 3 })));
  assert.equal(shown(sync, 1).x, 8);
});

test('T10, T11.2, T11.3 an ack ends its own update and leaves a later one', () => {
  const sync = table();
  sync.update(1, 'grab');
  sync.update(1, 'move', { x: 5, y: 5 });
  post(sync);
  sync.receive(frame(ack(1, { id: 1, mark: 1001 })));
  assert.deepEqual([sync.pending(1), sync.lowest()], [true, 2]);
  const { events } = sync.receive(
    frame(update({ id: 1, mark: 1002, x: 8, holder: OTHER }, 'wrest')),
  );
  assert.deepEqual(events.at(-1), {
    type: 'conflict', piece: 1, by: OTHER, op: 'wrest', lost: ['move'],
  });
});

test('T11.4, T11.5 a server update during a pending update is a conflict', () => {
  const sync = table();
  sync.update(1, 'grab');
  post(sync);
  sync.update(1, 'move', { x: 5, y: 5 });
  const { events } = sync.receive(frame(update({ id: 1, mark: 1001, holder: OTHER }, 'grab')));
  assert.deepEqual(
    events.map((e) => e.type), ['update', 'conflict'],
  );
  assert.deepEqual(events[1], {
    type: 'conflict', piece: 1, by: OTHER, op: 'grab', lost: ['grab', 'move'],
  });
  assert.deepEqual([shown(sync, 1).holder, post(sync).length, sync.lowest()], [OTHER, 0, 0]);
});

test('T12.1 100,000 own edits with up to a second of delay cause no conflict', () => {
  const r = random(12);
  const sync = table();
  let mark = 1000;
  let sent = 0;
  /** @type {{ at: number, frame: import('../js/types.js').Frame }[]} */
  const down = [];
  /**
   * @type {{ at: number, updates: import('../js/types.js').WireUpdate[],
   *   batch: import('../js/types.js').Batch } | null}
   */
  let up = null;
  for (let now = 0; sent < 100_000 || down.length > 0; now++) {
    if (sent < 100_000) {
      const id = 1 + r.below(3);
      if (r.chance(0.5)) sync.update(id, 'grab', { z: `0.${1 + r.below(9)}` });
      else sync.update(id, 'release', { x: r.below(100), y: r.below(100) });
      sent++;
    }
    if (up && up.at <= now) {
      for (const { piece = 0, tag, seq, z } of up.updates) {
        assert.equal(tag !== undefined && tag <= mark, true);
        mark++;
        const filled = z === undefined ? {} : { zMark: mark };
        const late = Math.max(now + r.below(60), down.at(-1)?.at ?? 0); // in order
        down.push({
          at: late, frame: { time: 0, mark, events: [ack(seq, { id: piece, mark, ...filled })] },
        });
      }
      sync.delivered(up.batch);
      up = null;
    }
    if (!up) {
      const batch = sync.take();
      if (batch) up = { at: now + r.below(60), updates: batch.updates, batch };
    }
    while (down.length > 0 && down[0].at <= now) {
      const next = /** @type {{ frame: import('../js/types.js').Frame }} */ (down.shift());
      assert.deepEqual(sync.receive(next.frame).events, []);
    }
  }
  assert.deepEqual([sync.lowest(), mark], [0, 101_000]);
});

test('T11.2, T14.7 a reject restores the state and drops later updates', () => {
  const sync = table();
  const key = sync.update(1, 'grab');
  sync.update(1, 'move', { x: 5, y: 5 });
  sync.update(2, 'pin');
  post(sync);
  sync.update(1, 'release', { x: 6, y: 6 });
  const { events, changed } = sync.receive(
    frame(reject(1, 'held', { id: 1, mark: 1001, x: 2, holder: OTHER }, OTHER)),
  );
  assert.deepEqual(events, [
    {
      type: 'reject', piece: 1, seq: key, reason: 'held', by: OTHER, op: 'grab',
      lost: ['move', 'release'],
    },
  ]);
  assert.deepEqual(
    [shown(sync, 1).x, shown(sync, 1).holder, [...changed], sync.pending(1)],
    [2, OTHER, [1], false],
  );
  assert.deepEqual([sync.pending(2), post(sync).length], [true, 0]);
});

test('T14 a reject of a piece that is gone removes it', () => {
  const sync = table();
  sync.update(1, 'grab');
  post(sync);
  const { gone, events } = sync.receive(
    frame(reject(1, 'gone', { id: 1, mark: 1001, gone: true })),
  );
  assert.deepEqual([[...gone], sync.pieces.has(1), events.length], [[1], false, 1]);
});

test('T14 a reject of an update without a piece', () => {
  const sync = table();
  const key = sync.make('add', { kind: 1, x: 0, y: 0 });
  post(sync);
  const { events } = sync.receive(frame(reject(1, 'table-full', { id: 0, mark: 0 })));
  assert.deepEqual(events, [
    { type: 'reject', piece: 0, seq: key, reason: 'table-full', by: 0, op: 'add', lost: [] },
  ]);
  assert.deepEqual([sync.lowest(), sync.pieces.has(0)], [0, false]);
});

test('T14.6 a floor without a pending update still makes lower tags stale', () => {
  const sync = table();
  sync.update(1, 'grab');
  post(sync);
  const { events } = sync.receive(frame(reject(99, 'held', { id: 1, mark: 1001, x: 4 })));
  assert.deepEqual(events, [
    { type: 'conflict', piece: 1, by: 0, op: 'unspecified', lost: ['grab'] },
  ]);
  assert.equal(shown(sync, 1).x, 4);
});

test('T15.15 a 4xx drops the batch and updates that depend on it', () => {
  const sync = table();
  sync.update(1, 'grab');
  sync.update(2, 'pin');
  sync.make('add', { kind: 999, x: 0, y: 0 });
  const batch = taken(sync);
  assert.equal(batch.updates.length, 3);
  sync.update(1, 'move', { x: 5, y: 5 });
  sync.update(3, 'pin');
  const problem = { status: 422, code: 'impossible-value', update: 2 };
  const changed = sync.refused(problem, batch);
  assert.deepEqual([...changed], [1, 2]);
  assert.deepEqual(
    [shown(sync, 1).x, shown(sync, 1).holder, shown(sync, 2).pinned, shown(sync, 3).pinned],
    [0, 0, false, true],
  );
  assert.deepEqual(post(sync), [{ seq: 4, piece: 3, tag: 300, op: 'pin' }]);
});

test('T18.1 an update from another tab of the same player is a server update', () => {
  const sync = table();
  sync.update(1, 'grab');
  post(sync);
  const { events } = sync.receive(
    frame(update({ id: 1, mark: 1001, x: 7, holder: YOU }, 'grab', YOU)),
  );
  assert.deepEqual(
    events.map((e) => e.type), ['update', 'conflict'],
  );
});

test('T20 deleting a piece ends its pending updates', () => {
  const sync = table();
  sync.update(1, 'grab');
  post(sync);
  const { gone, changed, events } = sync.receive(
    frame(update({ id: 1, mark: 1001, gone: true }, 'delete')),
  );
  assert.deepEqual(
    [[...gone], [...changed], sync.pieces.has(1), sync.lowest()], [[1], [], false, 0],
  );
  assert.deepEqual(events.at(-1), {
    type: 'conflict', piece: 1, by: OTHER, op: 'delete', lost: ['grab'],
  });
  assert.deepEqual(
    sync.receive(frame(update({ id: 1, mark: 1002, gone: true }, 'delete'))).events, [],
  );
});

test('T20 one’s own deletion is confirmed without a conflict', () => {
  const sync = table();
  sync.make('delete', { piece: 1 });
  assert.ok(sync.pieces.has(1), 'not predicted');
  assert.deepEqual(post(sync), [{ seq: 1, piece: 1, tag: 100, op: 'delete' }]);
  const { events } = sync.receive(
    frame(update({ id: 1, mark: 1001, gone: true }, 'delete', YOU), ack(1, { id: 1, mark: 1001 })),
  );
  assert.deepEqual(
    [events.map((e) => e.type), sync.pieces.has(1), sync.lowest()], [['update'], false, 0],
  );
});

test('T24.9 add and copy make a piece that the ack names', () => {
  const sync = table();
  const copy = sync.make('copy', { piece: 1, x: 5, y: 5 });
  const add = sync.make('add', { kind: 3, x: 6, y: 6 });
  assert.deepEqual(post(sync), [
    { seq: 1, piece: 1, tag: 100, op: 'copy', x: 5, y: 5 },
    { seq: 2, op: 'add', kind: 3, x: 6, y: 6 },
  ]);
  const { events } = sync.receive(
    frame(
      update({ id: 8, mark: 1001, x: 5, y: 5, z: '0.1' }, 'copy', YOU),
      ack(1, { id: 8, mark: 1001 }, 8),
      ack(2, { id: 9, mark: 1002, kind: 3, x: 6, y: 6, z: '0.6' }, 9), // or the ack has all of it
    ),
  );
  assert.deepEqual(events.slice(1), [
    { type: 'made', seq: copy, piece: 8 },
    { type: 'made', seq: add, piece: 9 },
  ]);
  assert.deepEqual([shown(sync, 8).x, shown(sync, 9).kind, sync.pending(1)], [5, 3, false]);
});

test('T26 a shuffle names its pieces and no tag', () => {
  const sync = table();
  sync.make('shuffle', { pieces: [1, 2] });
  assert.deepEqual(post(sync), [{ seq: 1, op: 'shuffle', pieces: [1, 2] }]);
  sync.receive(
    frame(update({ id: 1, mark: 1001, kind: 9 }, 'shuffle', YOU), ack(1, { id: 2, mark: 1002 })),
  );
  assert.deepEqual([sync.lowest(), shown(sync, 2).mark], [0, 200]);
});

test('T26 a shuffle is reported once, for visible pieces, and changes nothing', () => {
  const sync = table();
  const before = structuredClone([...sync.pieces]);
  sync.update(1, 'rotate', { angle: 100 });
  const { events, changed } = sync.receive(
    frame({ type: 'shuffled', by: OTHER, pieces: [1, 2, 9] }),
  );
  assert.deepEqual(events, [{ type: 'shuffled', by: OTHER, pieces: [1, 2] }]);
  assert.deepEqual([...changed], []);
  assert.equal(
    shown(sync, 1).angle, 100,
    'pending updates stay: those of a shuffle name what they replace',
  );
  assert.deepEqual([...sync.pieces].slice(1), before.slice(1));
});

test('S3 seats, the table and the announced stop of the server', () => {
  const sync = table();
  const before = sync.seats.get(OTHER);
  const gone = {
    id: OTHER, nick: 'Bob', colour: 2, role: /** @type {const} */ ('player'),
    presence: /** @type {const} */ ('gone'),
  };
  const info = { title: 'Go', width: 1, height: 2, surface: 'wood', catalog: 'ff' };
  const outcome = sync.receive(
    frame(
      { type: 'seat', ...gone }, { type: 'table', ...info },
      { type: 'going', afterMs: 500, final: false, by: 0 },
    ),
  );
  assert.deepEqual(outcome.events, [{ type: 'seat', id: OTHER, before }, { type: 'table' }]);
  assert.deepEqual(
    [sync.seats.get(OTHER), sync.info, outcome.going],
    [gone, info, { type: 'going', afterMs: 500, final: false, by: 0 }],
  );
});

test('impossible calls throw and change nothing', () => {
  const sync = table();
  const wrong = /** @type {any} */ (sync);
  for (const [call, message] of /** @type {[() => void, RegExp][]} */ ([
    [() => sync.update(9, 'grab'), /no piece 9/],
    [() => sync.grabLoose(9), /no piece 9/],
    [() => sync.make('copy', { piece: 9, x: 0, y: 0 }), /no piece 9/],
    [() => wrong.update(1, 'explode'), /no operation explode/],
    [() => wrong.update(1, 'copy', { x: 1, y: 1 }), /no operation copy to predict/],
    [() => wrong.make('grab', { piece: 1 }), /grab is not an operation to make/],
    [() => sync.update(1, 'move', { x: 1 }), /move lacks y/],
    [() => sync.update(1, 'release', { x: 1 }), /release lacks x or y/],
    [() => sync.update(1, 'pin', { x: 1, y: 1 }), /pin takes no x/],
  ])) {
    assert.throws(call, { name: 'RangeError', message });
  }
  assert.deepEqual([...sync.pieces.values()], pieces().map(({ gone: _, ...piece }) => piece));
  assert.equal(sync.take(), null);
});

test('D35.3 an update with an old version of its piece is ignored', () => {
  const sync = table();
  sync.receive(frame(update({ id: 1, mark: 1010, x: 7 })));
  sync.update(1, 'pin');
  for (const mark of [1005, 1010]) {
    const outcome = sync.receive(frame(update({ id: 1, mark, x: 3 })));
    assert.deepEqual([[...outcome.changed], [...outcome.placed], outcome.events], [[], [], []]);
  }
  assert.deepEqual([shown(sync, 1).x, shown(sync, 1).pinned], [7, true], 'nothing is in conflict');
  assert.deepEqual(post(sync).map(({ tag }) => tag), [1010]);
});

test('D35 replaying a stream from any version leads to the same state', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const dice = random(seed);
    const told = Array.from({ length: 30 }, (_, i) =>
      update({
        id: 1 + dice.below(3), mark: 1001 + i, [dice.pick(['x', 'y', 'angle'])]: dice.below(100),
      }),
    );
    const [once, twice] = [table(), table()];
    for (const event of told) once.receive(frame(event));
    // Messages about this piece were not executed before the connection was lost.
    const late = dice.below(4);
    for (const event of told)
      if (event.type === 'update' && event.piece.id !== late) twice.receive(frame(event));
    for (const event of told) twice.receive(frame(event));
    assert.deepEqual(twice.pieces, once.pieces, `seed ${seed}`);
  }
});

test('T63.19 a question is open until it ends, or a full state comes without it', () => {
  const sync = table();
  /** @type {import('../js/types.js').QuestionEvent} */
  const open = {
    type: 'question', id: 7, by: 2, op: 'draw', pieces: [3], ends: 9, asked: [1], agreed: [],
    state: 0, refusedBy: 0, ghosts: [],
  };
  assert.deepEqual(sync.receive(frame(open)).events, [open]);
  assert.deepEqual(sync.question, open);
  const refused = { ...open, state: 2, refusedBy: 1 };
  assert.deepEqual(sync.receive(frame(refused)).events, [refused]);
  assert.equal(sync.question, null);
  sync.receive(frame(open));
  sync.receive(frame(full({ pieces: pieces() }), { ...open, id: 8 }));
  const { id } = /** @type {{id: number}} */ (/** @type {unknown} */ (sync.question));
  assert.equal(id, 8);
  sync.receive(frame(full({ pieces: pieces() })));
  assert.equal(sync.question, null);
});

test('T63.28 the last update that was made has its number when it is sent', () => {
  const sync = table();
  assert.equal(sync.lastMade()(), 0);
  sync.update(1, 'pin');
  const pinned = sync.lastMade();
  assert.equal(pinned(), 0, 'it was not sent yet');
  post(sync);
  assert.equal(pinned(), 1);
  const again = sync.lastMade();
  sync.update(2, 'pin');
  sync.update(3, 'pin');
  const last = sync.lastMade();
  post(sync);
  assert.deepEqual([pinned(), again(), last()], [1, 1, 3]);
});

test('S19.6 a storage fault holds until the server reports its end', () => {
  const sync = table();
  const outcome = sync.receive(frame({ type: 'saving', trouble: 'its disk is full' }));
  assert.deepEqual([sync.trouble, outcome.saving], ['its disk is full', true]);
  assert.equal(sync.receive(frame(update({ id: 1, mark: 990 }))).saving, false);
  assert.equal(sync.trouble, 'its disk is full');
  const again = sync.receive(frame(full({ pieces: pieces() })));
  assert.deepEqual([sync.trouble, again.saving], ['', true]);
});

test('T64.4, T64.10 lines of the chat are events', () => {
  const sync = table();
  const said = { type: 'said', line: 2 ** 50, by: OTHER, at: 5, text: 'hello', to: 0 };
  const unsaid = { type: 'unsaid', line: 2 ** 50, by: OTHER };
  const both = /** @type {any[]} */ ([said, unsaid]);
  const { events, changed } = sync.receive(frame(...both));
  assert.deepEqual(events, [said, unsaid]);
  assert.equal(changed.size, 0);
});

test('T64.5 a line waits for its ack, is sent again, and names no piece', () => {
  const sync = table();
  const key = sync.make('say', { text: 'hello', seat: OTHER });
  assert.deepEqual(post(sync), [{ seq: 1, op: 'say', text: 'hello', seat: OTHER }]);
  sync.make('unsay', { line: 2 ** 50 });
  assert.deepEqual(post(sync), [{ seq: 2, op: 'unsay', line: 2 ** 50 }]);
  const outcome = sync.receive(frame(ack(1, /** @type {any} */ ({ id: 0, mark: 0 }))));
  assert.deepEqual(outcome.acked, [
    { type: 'acked', seq: key, piece: 0, op: 'say', before: undefined, after: undefined },
  ]);
  assert.equal(sync.lowest(), 2);
  const rejected = sync.receive(frame(reject(2, 'gone', { id: 0, mark: 0 })));
  assert.deepEqual(
    rejected.events.map((e) => [e.type, /** @type {any} */ (e).op]),
    [['reject', 'unsay']],
  );
});

test('T10 an ack says what the update has changed', () => {
  const sync = table();
  const was = { ...shown(sync, 1) };
  const key = sync.update(1, 'move', { x: 5, y: 6 });
  post(sync);
  const { acked } = sync.receive(frame(ack(1, { id: 1, mark: 1001 })));
  assert.equal(acked.length, 1);
  const [done] = /** @type {any[]} */ (acked);
  assert.deepEqual([done.type, done.seq, done.piece, done.op], ['acked', key, 1, 'move']);
  assert.deepEqual([done.before.x, done.before.y], [was.x, was.y]);
  assert.deepEqual([done.after.x, done.after.y, done.after.mark], [5, 6, 1001]);
});
