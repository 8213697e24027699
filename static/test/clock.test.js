import assert from 'node:assert/strict';
import test from 'node:test';
import { curvesOf, fallen, operate, UNSET, untilChange, written } from '../js/sync/clock.js';
import { sideAt } from '../js/sync/curves.js';
import { MAX_VALUE } from '../js/parts/motion/curve.js';
import { createSync } from '../js/sync/sync.js';
import { ack, frame, full, pieces, post, reject, shown, update, YOU } from './table.js';

/** @typedef {import('../js/types.js').Clock} Clock */
/** @typedef {import('../js/types.js').Piece} Piece */
/** @typedef {import('../js/types.js').PieceOp} PieceOp */
/** @typedef {import('../js/sync/clock.js').ClockKind} ClockKind */

const display = { x: 0, y: 0, width: 100, height: 100 };
/** @type {ClockKind} */
const CHESS = {
  counts: 'down', initial: 300_000, increment: 2000, displays: [display, { ...display, y: 200 }],
};
/** @type {ClockKind} */
const WATCH = { counts: 'up', initial: 0, increment: 0, displays: [display] };

/** @type {Clock} */
const START = {
  running: 0, since: 0, left1: 300_000, left2: 300_000, initial: 300_000, increment: 2000,
};
const T0 = 5_000_000;

for (const [
  name, kind, clock, op, args, at, want,
] of /** @type {[string, ClockKind, Clock, string, object, number, Partial<Clock>][]} */ ([
  [
    'a press of a paused clock starts the other side',
    CHESS,
    START,
    'press',
    { side: 2 },
    T0,
    { running: 1, since: T0 },
  ],
  [
    'the side that presses gets the increment',
    CHESS,
    { ...START, running: 1, since: T0 },
    'press',
    { side: 1 },
    T0 + 5000.7,
    { running: 2, since: T0 + 5000, left1: 297_000 },
  ],
  [
    'not when the flag has fallen', CHESS, { ...START, running: 2, since: T0 }, 'press',
    { side: 2 }, T0 + 300_000, { running: 1, since: T0 + 300_000, left2: 0 },
  ],
  [
    'a press of the waiting side changes nothing', CHESS, { ...START, running: 1, since: T0 },
    'press', { side: 2 }, T0 + 5, { running: 1, since: T0 },
  ],
  [
    'start adds no increment', CHESS, { ...START, running: 1, since: T0 }, 'start',
    { side: 2 }, T0 + 1000, { running: 2, since: T0 + 1000, left1: 299_000 },
  ],
  [
    'start without a side starts side 1', CHESS, START, 'start', {}, T0,
    { running: 1, since: T0 },
  ],
  [
    'a running side runs on', CHESS, { ...START, running: 1, since: T0 }, 'start', {}, T0 + 9,
    { running: 1, since: T0 },
  ],
  ['pause', CHESS, { ...START, running: 2, since: T0 }, 'pause', {}, T0 + 300, { left2: 299_700 }],
  [
    'set', CHESS, { ...START, running: 2, since: T0 }, 'set', { ms: 60_000, increment: 0 }, T0,
    { left1: 60_000, left2: 60_000, initial: 60_000, increment: 0 },
  ],
  [
    'set without increment keeps it', CHESS, START, 'set', { ms: 1 }, T0,
    { left1: 1, left2: 1, initial: 1 },
  ],
  ['reset', CHESS, { ...START, left1: 5, running: 1, since: T0 }, 'reset', {}, T0 + 9, {}],
  [
    'a time before the last start subtracts nothing', CHESS, { ...START, running: 1, since: T0 },
    'pause', {}, T0 - 500, {},
  ],
  [
    'a stopwatch counts up', WATCH, { ...UNSET, running: 1, since: T0, left1: 200 }, 'pause', {},
    T0 + 1000, { left1: 1200, left2: 0, initial: 0, increment: 0 },
  ],
  [
    'a stopwatch is set on its one side', WATCH, UNSET, 'set', { ms: 7000 }, T0,
    { left1: 7000, left2: 0, initial: 7000, increment: 0 },
  ],
])) {
  test(`T27 ${name}`, () => {
    const before = structuredClone(clock);
    assert.deepEqual(operate(kind, clock, op, args, at), { ...START, ...want });
    assert.deepEqual(clock, before, 'the old state is unchanged');
  });
}

/** @type {(kind: ClockKind, clock: Clock) => Piece} */
const pieceOf = (kind, clock) => /** @type {Piece} */ (
  /** @type {unknown} */ ({ id: 1, clock, curves: curvesOf(kind, clock) })
);

test('K13.14, K16.11 the curves of a clock give what a side displays', () => {
  const runs = pieceOf(CHESS, { ...START, running: 1, since: T0 });
  assert.equal(sideAt(runs, 1, T0 + 1234.9), 298_766);
  assert.equal(sideAt(runs, 2, T0 + 1234), 300_000);
  assert.equal(sideAt(runs, 1, T0 - 40), 300_000, 'a server’s time that went back');
  assert.equal(sideAt(runs, 1, T0 + 1e9), 0);
  const watch = pieceOf(WATCH, { ...UNSET, running: 1, since: T0, left1: 100 });
  assert.equal(sideAt(watch, 1, T0 + 900), 1000);
  assert.equal(sideAt(watch, 1, T0 + 2 ** 31), MAX_VALUE);
});

test('T27 a flag falls only on a side that had time', () => {
  const runs = pieceOf(CHESS, { ...START, running: 1, since: T0 });
  assert.equal(fallen(CHESS, runs, 1, T0 + 299_999), false);
  assert.equal(fallen(CHESS, runs, 1, T0 + 300_000), true);
  assert.equal(fallen(CHESS, runs, 2, T0 + 300_000), false);
  const paused = pieceOf(CHESS, { ...START, left2: 0 });
  assert.equal(fallen(CHESS, paused, 2, T0), true, 'also when the clock is paused');
  assert.equal(fallen(CHESS, pieceOf(CHESS, UNSET), 1, T0), false, 'a clock that was never set');
  assert.equal(fallen(WATCH, pieceOf(WATCH, UNSET), 1, T0), false);
});

for (const [ms, text, exact] of /** @type {[number, string, string][]} */ ([
  [0, '0.0', '0.0'],
  [99, '0.0', '0.0'],
  [1234, '1.2', '1.2'],
  [19_999, '19.9', '19.9'],
  [20_000, '0:20', '0:20.0'],
  [59_999, '0:59', '0:59.9'],
  [60_000, '1:00', '1:00.0'],
  [3_599_999, '59:59', '59:59.9'],
  [3_600_000, '1:00:00', '1:00:00.0'],
  [45_296_000, '12:34:56', '12:34:56.0'],
])) {
  test(`${ms} ms are written ${text}, and ${exact} to the tenth`, () => {
    assert.equal(written(ms), text);
    assert.equal(written(ms, true), exact);
  });
}

test('a displayed time changes exactly when it was due', () => {
  for (const kind of [CHESS, WATCH]) {
    const way = kind.counts === 'up' ? 1 : -1;
    let changes = 0;
    for (let ms = kind.counts === 'up' ? 0 : 61_000; ms >= 0 && ms <= 61_000; changes++) {
      const wait = untilChange(kind, ms);
      if (wait === Number.POSITIVE_INFINITY) break;
      const next = ms + way * wait;
      const down = kind.counts === 'down' && next === 0;
      assert.ok(wait >= 1, `${ms}`);
      assert.ok(down || written(ms) !== written(next), `${ms} to ${next}`);
      assert.equal(written(ms), written(next - way), `${ms} to ${next}`);
      ms = next;
    }
    assert.ok(changes > 200 && changes < 260, `${changes} changes in a minute`);
  }
  assert.equal(untilChange(CHESS, 0), Number.POSITIVE_INFINITY);
  assert.equal(untilChange(WATCH, MAX_VALUE), Number.POSITIVE_INFINITY);
});

/** A table whose piece 1 is a chess clock, with a server time that the test sets. */
function clocked() {
  const sync = createSync('q83vEjRWeJCrze8SNFZ4kA');
  const time = { now: T0 };
  sync.now = () => time.now;
  sync.clockKind = (kind) => (kind === 9 ? CHESS : null);
  sync.receive(frame(full({ pieces: pieces({ id: 1, mark: 100, kind: 9, clock: START }) })));
  return { sync, time };
}

test('T27 a press shows at once, from its own time, until the ack', () => {
  const { sync, time } = clocked();
  sync.update(1, 'press', { side: 2 });
  const guess = { ...START, running: 1, since: T0 };
  assert.deepEqual(shown(sync, 1).clock, guess);
  assert.deepEqual(shown(sync, 1).curves, curvesOf(CHESS, guess), 'K16.14');
  assert.deepEqual(post(sync), [{ seq: 1, piece: 1, tag: 100, op: 'press', side: 2 }]);
  time.now += 400;
  sync.receive(frame(update({ id: 2, mark: 1001, x: 5 })));
  sync.receive(frame(full({ pieces: pieces({ id: 1, mark: 100, kind: 9, clock: START }) })));
  assert.deepEqual(shown(sync, 1).clock, guess, 'it does not restart');
  const is = { ...START, running: 1, since: T0 + 21 };
  sync.receive(frame(ack(1, { id: 1, mark: 1002, clock: is })));
  assert.deepEqual(shown(sync, 1).clock, is);
});

test('T27 two presses can be pending at once', () => {
  const { sync, time } = clocked();
  sync.update(1, 'press', { side: 2 });
  time.now += 1000;
  sync.update(1, 'press', { side: 1 });
  assert.deepEqual(shown(sync, 1).clock, {
    ...START, running: 2, since: T0 + 1000, left1: 301_000,
  });
  post(sync);
  sync.receive(
    frame(ack(1, { id: 1, mark: 1001, clock: { ...START, running: 1, since: T0 + 30 } })),
  );
  assert.deepEqual(
    shown(sync, 1).clock, { ...START, running: 2, since: T0 + 1000, left1: 301_030 },
    'the second builds on the first',
  );
});

test('T6, T27 a late press gives way to the earlier one', () => {
  const { sync } = clocked();
  sync.update(1, 'press', { side: 2 });
  post(sync);
  const is = { ...START, running: 2, since: T0 - 5 };
  const { events } = sync.receive(frame(update({ id: 1, mark: 1001, clock: is }, 'press')));
  assert.deepEqual(shown(sync, 1).clock, is);
  assert.deepEqual(events.at(-1), {
    type: 'conflict', piece: 1, by: 2, op: 'press', lost: ['press'],
  });
});

test('T14, T27 a rejected operation leaves the clock as the server has it', () => {
  const { sync } = clocked();
  const key = sync.update(1, 'pause');
  post(sync);
  const { events } = sync.receive(
    frame(reject(1, 'clock', { ...shown(sync, 1), mark: 1001, clock: START })),
  );
  assert.deepEqual(shown(sync, 1).clock, START);
  assert.deepEqual(events, [
    { type: 'reject', piece: 1, seq: key, reason: 'clock', by: 0, op: 'pause', lost: [] },
  ]);
});

test('T27 other pieces and wrong arguments change nothing', () => {
  const { sync } = clocked();
  const before = shown(sync, 2);
  sync.update(2, 'start');
  assert.deepEqual(shown(sync, 2), before);
  for (const [op, args] of /** @type {[PieceOp, object][]} */ ([
    ['press', {}],
    ['set', { increment: 1 }],
    ['pause', { side: 1 }],
    ['reset', { ms: 1 }],
    ['start', { ms: 1 }],
  ])) {
    assert.throws(() => sync.update(1, op, args), RangeError, op);
  }
  assert.equal(sync.you, YOU);
});
