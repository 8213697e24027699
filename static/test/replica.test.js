import assert from 'node:assert/strict';
import test from 'node:test';
import { COMPONENTS } from '../js/parts/components/registry.js';
import { encodeMessage } from '../js/parts/components/wire.js';
import {
  clearing, entityOfPiece, entityOfSeat, entityOfStroke, FIRST_ROW, SHEET, TABLE,
} from '../js/parts/components/entities.js';
import { Browser, EPOCH, full, MARK, Page, PRIVATE, YOU } from './pages.js';

/** @typedef {import('../js/parts/components/wire.js').Op} Op */

const {
  label, remark, tint, title, cell, row, column, stroke, points, ping, roll, rollResult, hitTest,
  hitTestResult,
} = COMPONENTS;
const PIECE = entityOfPiece(5);
const STROKE = entityOfStroke(100, 7);
const EMPTY = new Uint8Array();

/**
 * @template V
 * @param {number} entity
 * @param {import('../js/parts/components/registry.js').Component<V>} component
 * @param {number} timestamp
 * @param {V} value
 * @param {number} [n]
 * @returns {Op}
 */
function put(entity, component, timestamp, value, n = 0) {
  return {
    kind: component.set > 0 ? 'append' : 'put', entity, component: component.number + n, timestamp,
    data: component.encode(value),
  };
}

/**
 * @param {number} entity
 * @param {import('../js/parts/components/registry.js').Component<any>} component
 * @param {number} timestamp
 * @returns {Op}
 */
function gone(entity, component, timestamp) {
  return { kind: 'delete', entity, component: component.number, timestamp, data: EMPTY };
}

/** @param {number} entity @returns {Op} */
function erased(entity) {
  return { kind: 'deleteEntity', entity, component: 0, timestamp: 0, data: EMPTY };
}

/** @param {Op} op @param {number} reason @returns {import('../js/types.js').RefusedEvent} */
function refused({ entity, component, timestamp }, reason) {
  return { type: 'refused', entity, component, timestamp, reason };
}

/** @param {Page} page @param {number} [entity] */
const labelOf = (page, entity = PIECE) => page.replica.get(entity, label)?.text;

/** A page that has its first full state. @param {Op[]} ops */
function page(...ops) {
  const p = new Page(new Browser());
  p.whole(ops);
  return p;
}

// ---- reading and writing ----

test('C17.8 a write shows at once and is posted', () => {
  const p = page();
  assert.equal(p.replica.put(PIECE, label, { text: 'mine' }), true);
  assert.equal(labelOf(p), 'mine');
  assert.equal(p.replica.pending(PIECE, label), true);
  assert.equal(p.replica.pending(PIECE, tint), false);
  assert.ok(p.flushes > 0);
  assert.deepEqual(p.post(), [put(PIECE, label, 1, { text: 'mine' })]);
  assert.equal(p.replica.pending(PIECE), true, 'until its echo arrives');
  p.told(put(PIECE, label, 1, { text: 'mine' }));
  assert.equal(p.replica.pending(PIECE), false);
  assert.equal(labelOf(p), 'mine');
  assert.deepEqual(p.post(), []);
});

test('C17.17 a write is posted with epoch and version, and its echo is read', () => {
  const p = page();
  p.replica.put(PIECE, label, { text: 'mine' });
  const { path, type, taken } = p.way;
  assert.equal(path(p.source.take()), `components?epoch=${EPOCH}&mark=${MARK}&client=a`);
  assert.deepEqual({ type, taken }, { type: 'application/x-protobuf', taken: 204 });
});

test('C15, C17.17 a message has the version of when it is made', () => {
  const p = page();
  p.replica.put(PIECE, label, { text: 'mine' });
  p.replica.put(entityOfPiece(6), label, { text: 'theirs' });
  p.sync.mark = 2 * MARK;
  p.hear({ type: 'gone', piece: 6 });
  assert.deepEqual(p.message(), {
    ops: [put(PIECE, label, 1, { text: 'mine' })], epoch: EPOCH, mark: 2 * MARK,
  });
});

test('T19 a write refused for its epoch is dropped and reported once', () => {
  const p = page();
  p.replica.put(PIECE, label, { text: 'old' });
  p.take();
  p.whole([], EPOCH + 1);
  p.replica.put(PIECE, label, { text: 'new' });
  p.source.refused({ status: 409, code: 'epoch' });
  assert.deepEqual(
    p.refusals.map(({ reason }) => reason), ['epoch'],
  );
  assert.deepEqual(p.message(), {
    ops: [put(PIECE, label, 1, { text: 'new' })], epoch: EPOCH + 1, mark: MARK,
  });
});

test('T19 the same holds if the refusal precedes the new history', () => {
  const p = page();
  p.replica.put(PIECE, label, { text: 'old' });
  p.take();
  p.replica.put(SHEET, column, { text: 'Ada' });
  p.source.refused({ status: 409, code: 'epoch' });
  assert.equal(labelOf(p), undefined);
  p.whole([], EPOCH + 1);
  assert.deepEqual(p.refusals.map(({ reason }) => reason), ['epoch', 'epoch']);
  assert.deepEqual(p.post(), []);
});

test('C1.1 a write has the room’s timestamp plus 1', () => {
  const p = page(put(PIECE, label, 41, { text: 'a' }));
  p.replica.put(PIECE, label, { text: 'b' });
  assert.deepEqual(p.post(), [put(PIECE, label, 42, { text: 'b' })]);
});

test('C1.3 a key with the greatest timestamp is not written', () => {
  const p = page(put(PIECE, label, 2 ** 32 - 1, { text: 'a' }));
  assert.equal(p.replica.put(PIECE, label, { text: 'b' }), false);
  assert.equal(labelOf(p), 'a');
});

test('C17 the last of several unposted writes counts, with one timestamp', () => {
  const p = page(put(PIECE, label, 3, { text: 'old' }));
  for (const text of ['m', 'mi', 'mine']) p.replica.put(PIECE, label, { text });
  p.replica.put(PIECE, tint, { colour: 1 });
  assert.deepEqual(p.post(), [
    put(PIECE, label, 4, { text: 'mine' }), put(PIECE, tint, 1, { colour: 1 }),
  ]);
});

test('C17 a posted write is final: the next has a greater timestamp', () => {
  const p = page();
  p.replica.put(PIECE, label, { text: 'a' });
  p.take();
  p.replica.put(PIECE, label, { text: 'b' });
  p.replica.put(PIECE, label, { text: 'c' });
  p.source.delivered();
  assert.deepEqual(p.post(), [put(PIECE, label, 2, { text: 'c' })]);
  p.told(put(PIECE, label, 1, { text: 'a' }));
  assert.equal(labelOf(p), 'c', 'the later one is on top');
  p.told(put(PIECE, label, 2, { text: 'c' }));
  assert.equal(p.replica.pending(PIECE), false);
});

test('C17 a write of the displayed value is skipped', () => {
  const p = page(put(PIECE, label, 1, { text: 'a' }));
  assert.equal(p.replica.put(PIECE, label, { text: 'a' }), true);
  assert.equal(p.replica.remove(PIECE, tint), true);
  assert.deepEqual(p.post(), []);
});

test('C1 a value is deleted and written again', () => {
  const p = page(put(PIECE, label, 1, { text: 'a' }));
  p.replica.remove(PIECE, label);
  assert.equal(p.replica.get(PIECE, label), null);
  assert.deepEqual(p.replica.entities(PIECE, PIECE + 1), []);
  assert.deepEqual(p.post(), [gone(PIECE, label, 2)]);
  p.told(gone(PIECE, label, 2));
  p.replica.put(PIECE, label, { text: 'b' });
  assert.deepEqual(p.post(), [put(PIECE, label, 3, { text: 'b' })]);
});

test('C14 components of a run are written by their index', () => {
  const p = page();
  p.replica.put(SHEET, column, { text: 'Ada' }, 31);
  p.replica.put(FIRST_ROW, cell, { text: '12' }, 2);
  p.replica.put(FIRST_ROW, row, { text: 'First' });
  assert.equal(p.replica.get(SHEET, column, 31)?.text, 'Ada');
  assert.equal(p.replica.get(FIRST_ROW, cell, 1), null);
  assert.deepEqual(p.post(), [
    put(SHEET, column, 1, { text: 'Ada' }, 31), put(FIRST_ROW, cell, 1, { text: '12' }, 2),
    put(FIRST_ROW, row, 1, { text: 'First' }),
  ]);
  assert.equal(p.replica.pending(FIRST_ROW, cell, 2), true);
  assert.equal(p.replica.pending(FIRST_ROW, cell, 1), false);
});

test('C14 a wrong entity or oversized data is an error of the page', () => {
  const p = page();
  assert.throws(() => p.replica.put(TABLE, label, { text: 'a' }), RangeError);
  assert.throws(() => p.replica.put(FIRST_ROW, cell, { text: 'a' }, 32), RangeError);
  assert.throws(() => p.replica.put(PIECE, label, { text: 'a'.repeat(200) }), RangeError);
  assert.throws(() => p.replica.append(PIECE, points, { x: [], y: [] }), RangeError);
  assert.throws(() => p.replica.removeEntity(PIECE), RangeError);
  assert.deepEqual(p.post(), []);
});

test('C1.4, C6 elements of a set keep their order, each with its timestamp', () => {
  const p = page(
    put(STROKE, stroke, 1, { colour: 1, width: 2 }), put(STROKE, points, 4, { x: [1], y: [1] }),
  );
  p.replica.append(STROKE, points, { x: [2], y: [2] });
  p.replica.append(STROKE, points, { x: [3], y: [3] });
  assert.deepEqual(
    p.replica.elements(STROKE, points).map(({ x }) => x), [[1], [2], [3]],
  );
  assert.deepEqual(p.post(), [
    put(STROKE, points, 5, { x: [2], y: [2] }), put(STROKE, points, 6, { x: [3], y: [3] }),
  ]);
  p.told(put(STROKE, points, 5, { x: [2], y: [2] }));
  assert.deepEqual(p.replica.elements(STROKE, points).map(({ x }) => x), [[1], [2], [3]]);
  assert.equal(p.replica.pending(STROKE), true);
});

test('an unchanged value stays the same object after a full state', () => {
  const has = [
    put(PIECE, label, 1, { text: 'a' }), put(STROKE, stroke, 1, { colour: 1, width: 2 }),
    put(STROKE, points, 1, { x: [1], y: [1] }),
  ];
  const p = page(...has);
  const before = [p.replica.get(PIECE, label), ...p.replica.elements(STROKE, points)];
  p.replica.append(STROKE, points, { x: [2], y: [2] });
  p.replica.put(PIECE, tint, { colour: 7 });
  p.whole(has);
  const after = [p.replica.get(PIECE, label), ...p.replica.elements(STROKE, points)];
  assert.ok(before.every((value, i) => value === after[i]));
});

test('C17 pending writes count values and whole strokes', () => {
  const p = page();
  assert.equal(p.replica.waiting(), 0);
  for (const text of ['a', 'b']) p.replica.put(PIECE, label, { text });
  p.replica.put(PIECE, tint, { colour: 1 });
  p.replica.put(STROKE, stroke, { colour: 1, width: 2 });
  p.replica.append(STROKE, points, { x: [1], y: [1] });
  p.replica.append(STROKE, points, { x: [2], y: [2] });
  p.replica.append(TABLE, ping, { seat: YOU, x: 1, y: 1, time: 1 });
  assert.equal(p.replica.waiting(), 3);
  p.told(...p.post());
  assert.equal(p.replica.waiting(), 0);
});

test('listeners get the displayed changes once a frame', () => {
  const p = page(put(PIECE, label, 1, { text: 'a' }), put(PIECE, tint, 1, { colour: 3 }));
  p.draw();
  /** @type {Map<number, Set<number>>[]} */
  const heard = [];
  const stop = p.replica.listen((changes) => heard.push(changes));
  p.replica.put(TABLE, title, { text: 'Saturday' });
  p.told(put(PIECE, label, 2, { text: 'b' }));
  assert.deepEqual(heard, []);
  p.draw();
  assert.deepEqual(heard, [
    new Map([
      [TABLE, new Set([title.number])],
      [PIECE, new Set([label.number])],
    ]),
  ]);
  p.whole([put(PIECE, label, 2, { text: 'b' })]);
  p.draw();
  assert.deepEqual(
    heard.slice(1), [new Map([[PIECE, new Set([tint.number])]])],
    'only the changes of a full state',
  );
  stop();
  p.told(put(PIECE, label, 3, { text: 'c' }));
  p.draw();
  assert.equal(heard.length, 2);
});

// ---- strokes ----

test('C16 a stroke that was never posted is erased without a message', () => {
  const p = page();
  p.replica.put(STROKE, stroke, { colour: 1, width: 2 });
  p.replica.append(STROKE, points, { x: [1], y: [1] });
  assert.deepEqual(p.replica.entities(2 ** 52, 2 ** 53), [STROKE]);
  p.replica.removeEntity(STROKE);
  assert.deepEqual(p.replica.entities(2 ** 52, 2 ** 53), []);
  assert.deepEqual(p.post(), []);
});

test('C5 C16 a stroke is erased at once and stays erased', () => {
  const p = page(put(STROKE, stroke, 1, { colour: 1, width: 2 }));
  p.replica.append(STROKE, points, { x: [1], y: [1] });
  p.take();
  p.replica.removeEntity(STROKE);
  assert.equal(p.replica.get(STROKE, stroke), null);
  assert.equal(p.replica.append(STROKE, points, { x: [2], y: [2] }), false);
  p.told(put(STROKE, points, 1, { x: [1], y: [1] }));
  assert.deepEqual(p.replica.elements(STROKE, points), []);
  p.source.delivered();
  assert.deepEqual(p.post(), [erased(STROKE)]);
  p.told(erased(STROKE));
  assert.equal(p.replica.pending(STROKE), false);
  assert.deepEqual(p.replica.entities(2 ** 52, 2 ** 53), []);
});

test('C16 the layer is cleared up to a second, and restored on refusal', () => {
  const later = entityOfStroke(200, 9);
  const p = page(
    put(STROKE, stroke, 1, { colour: 1, width: 2 }), put(later, stroke, 1, { colour: 1, width: 2 }),
  );
  const all = () => p.replica.entities(2 ** 52, 2 ** 53);
  p.replica.removeEntity(clearing(150));
  assert.deepEqual(
    [149, 150].map((second) => p.replica.isDeleted(entityOfStroke(second, 7))), [true, false],
  );
  assert.deepEqual(all(), [later]);
  assert.deepEqual(p.post(), [erased(clearing(150))]);
  p.draw();
  p.hear(refused(erased(clearing(150)), 1));
  assert.deepEqual(all(), [STROKE, later]);
  assert.deepEqual(p.refusals, [{ entity: clearing(150), component: 0, reason: 'not-allowed' }]);
  p.replica.removeEntity(clearing(150));
  p.post();
  p.told(erased(clearing(150)));
  assert.deepEqual(all(), [later]);
  assert.equal(p.replica.pending(clearing(150)), false);
});

test('C11 a refused stroke is reported once and posts nothing else', () => {
  const p = page();
  p.replica.put(STROKE, stroke, { colour: 1, width: 2 });
  p.replica.append(STROKE, points, { x: [1], y: [1] });
  const [made] = p.post();
  p.replica.append(STROKE, points, { x: [2], y: [2] });
  p.hear(refused(made, 4), refused(put(STROKE, points, 1, { x: [1], y: [1] }), 2));
  assert.deepEqual(p.refusals, [{ entity: STROKE, component: stroke.number, reason: 'full' }]);
  assert.deepEqual(p.post(), []);
  assert.deepEqual(p.replica.entities(2 ** 52, 2 ** 53), []);
});

// ---- losing, and being refused ----

test('C2, C17.6 an overtaken write is dropped without a report', () => {
  const p = page();
  p.replica.put(PIECE, label, { text: 'mine' });
  p.told(put(PIECE, label, 2, { text: 'theirs' }));
  assert.equal(labelOf(p), 'theirs');
  assert.equal(p.replica.pending(PIECE), false);
  assert.deepEqual(p.post(), []);
  assert.deepEqual(p.refusals, []);
});

test('C3 of two equal timestamps the greater value stays', () => {
  const p = page();
  p.replica.put(PIECE, label, { text: 'b' });
  p.told(put(PIECE, label, 1, { text: 'a' }));
  assert.equal(labelOf(p), 'b');
  assert.equal(p.replica.pending(PIECE), true);
  p.told(put(PIECE, label, 1, { text: 'c' }));
  assert.equal(labelOf(p), 'c');
  assert.equal(p.replica.pending(PIECE), false);
});

for (const [number, reason] of [
  'unspecified', 'not-allowed', 'gone', 'timestamp', 'full', 'unknown', 'unspecified',
].entries()) {
  test(`C11, C17.6 refusal ${number}: a refused write is undone and reported: ${reason}`, () => {
    const p = page(put(PIECE, label, 1, { text: 'a' }));
    p.replica.put(PIECE, label, { text: 'b' });
    const [op] = p.post();
    p.hear(refused(op, number));
    assert.equal(labelOf(p), 'a');
    assert.deepEqual(p.refusals, [{ entity: PIECE, component: label.number, reason }]);
    p.hear(refused(op, number));
    assert.equal(p.refusals.length, 1, 'once');
  });
}

test('C11 a refusal applies to its key within its message only', () => {
  const p = page(put(STROKE, stroke, 1, { colour: 1, width: 2 }));
  const draw = (/** @type {number} */ at) => p.replica.append(STROKE, points, { x: [at], y: [at] });
  draw(1);
  draw(2);
  const [first] = p.post();
  draw(3);
  p.post();
  p.hear(refused(first, 1));
  assert.deepEqual(p.replica.elements(STROKE, points).map(({ x }) => x), [[3]]);
  assert.equal(p.refusals.length, 2);
});

test('C12 an invalid operation is removed from its message', () => {
  const p = page();
  for (const text of ['a', 'b', 'c'])
    p.replica.put(entityOfPiece(text.charCodeAt(0)), label, { text });
  assert.equal(p.take().length, 3);
  p.source.refused({ status: 422, code: 'impossible-value', update: 1 });
  assert.deepEqual(p.refusals, [
    { entity: entityOfPiece(98), component: label.number, reason: 'impossible-value' },
  ]);
  assert.deepEqual(
    p.post().map(({ entity }) => entity), [entityOfPiece(97), entityOfPiece(99)],
  );
});

test('C11 a spectator’s message is refused and not posted again', () => {
  const p = page();
  p.replica.put(PIECE, label, { text: 'a' });
  p.replica.put(PIECE, tint, { colour: 1 });
  p.take();
  p.source.refused({ status: 403, code: 'role' });
  assert.deepEqual(p.refusals.map(({ reason }) => reason), ['role', 'role']);
  assert.equal(p.replica.get(PIECE, label), null);
  p.whole();
  assert.deepEqual(p.post(), []);
});

// ---- another stream ----

test('C17 a message without an answer is posted again', () => {
  const p = page();
  p.replica.put(PIECE, label, { text: 'a' });
  const first = p.take();
  assert.deepEqual(p.take(), [], 'one at a time');
  p.source.failed();
  assert.deepEqual(p.post(), first);
});

test('C17.6, C17.9 an unconfirmed message is posted again on the next stream only', () => {
  const p = page();
  p.replica.put(PIECE, label, { text: 'a' });
  const first = p.post();
  p.hear();
  assert.deepEqual(p.post(), []);
  p.resume();
  assert.deepEqual(p.post(), first);
  p.whole();
  assert.deepEqual(p.post(), first);
  assert.equal(labelOf(p), 'a');
  p.whole(first);
  assert.deepEqual(p.post(), []);
});

test('C17 writes that the resumed stream confirms are not posted again', () => {
  const p = page();
  p.replica.put(PIECE, label, { text: 'a' });
  const first = p.post();
  p.replica.put(PIECE, tint, { colour: 1 });
  p.resume({ type: 'components', components: encodeMessage({ ops: first }) });
  assert.deepEqual(p.post(), [put(PIECE, tint, 1, { colour: 1 })]);
});

test('C17 only the last write of a value is posted again', () => {
  const p = page();
  p.replica.put(PIECE, label, { text: 'a' });
  p.post();
  p.replica.put(PIECE, label, { text: 'b' });
  p.post();
  p.resume();
  assert.deepEqual(p.post(), [put(PIECE, label, 2, { text: 'b' })]);
});

test('C17 a message has at most 1,000 operations and 256 KiB, in order', () => {
  const p = page();
  for (let i = 0; i < 1500; i++) p.replica.put(entityOfPiece(1 + i), label, { text: `${i}` });
  const [first, second] = [p.post(), p.post()];
  assert.deepEqual([first.length, second.length], [1000, 500]);
  assert.deepEqual(
    [...first, ...second].map(({ entity }) => entity),
    Array.from({ length: 1500 }, (_, i) => entityOfPiece(1 + i)),
  );
  const q = page();
  for (let i = 0; i < 200; i++)
    q.replica.put(entityOfPiece(1 + i), remark, { text: 'é'.repeat(1000) });
  const sizes = [];
  for (let batch = q.source.take(); batch; batch = q.source.take()) {
    sizes.push(q.way.body(batch).length);
    q.source.delivered();
  }
  assert.equal(sizes.length, 2);
  assert.ok(sizes.every((size) => size <= 256 * 1024) && sizes[0] > 250_000, `${sizes}`);
});

test('pending writes are bounded, and the player is notified', () => {
  const p = page();
  let written = 0;
  while (p.replica.put(entityOfPiece(1 + written), remark, { text: 'x'.repeat(1000) })) written++;
  assert.ok(written > 400 && written < 600, `${written}`);
  assert.deepEqual(p.refusals, [
    { entity: entityOfPiece(1 + written), component: remark.number, reason: 'too-many' },
  ]);
  assert.equal(p.replica.get(entityOfPiece(1 + written), remark), null);
  assert.equal(
    p.replica.put(entityOfPiece(1), remark, { text: 'y' }), true, 'pending ones can change',
  );
});

test('C17 an outdated ping is not posted', () => {
  const p = page();
  const at = { seat: YOU, x: 1, y: 2, time: 3 };
  p.replica.append(TABLE, ping, at);
  p.browser.pass(2999);
  assert.deepEqual(p.take(), [put(TABLE, ping, 1, at)]);
  p.browser.pass(1);
  p.source.failed();
  assert.deepEqual(p.take(), []);
  assert.deepEqual(p.replica.elements(TABLE, ping), []);
});

// ---- pieces that are gone (C15) ----

/**
 * Events of a frame that end the components of the piece.
 *
 * @type {[string, import('../js/types.js').ComponentNews][]}
 */
const ENDS = [
  ['is gone or renamed', { type: 'gone', piece: 5 }],
  ['enters or leaves a hand', { type: 'passed', piece: 5, kind: PRIVATE }],
];
for (const [what, news] of ENDS) {
  // Clauses: C15.3, C15.4, C15.5, C15.6, C15.12
  test(`C15 writing on a piece that ${what} is dropped, pending writes are reported`, () => {
    const p = page(put(PIECE, label, 9, { text: 'a' }), put(PIECE + 1, label, 1, { text: 'b' }));
    p.replica.put(PIECE, tint, { colour: 1 });
    p.draw();
    p.hear(news);
    assert.deepEqual(p.replica.entities(PIECE, PIECE + 2), [PIECE + 1]);
    assert.deepEqual(p.refusals, [{ entity: PIECE, component: tint.number, reason: 'gone' }]);
    assert.equal(p.frames.length, 1, 'it is drawn again');
    p.replica.put(PIECE, label, { text: 'new' });
    assert.deepEqual(p.post(), [put(PIECE, label, 1, { text: 'new' })], 'timestamps restart');
  });
}

test('C15 a public piece keeps its writing under any owner', () => {
  const p = page(put(PIECE, label, 9, { text: 'a' }));
  p.hear({ type: 'passed', piece: 5, kind: PRIVATE + 1 });
  assert.equal(labelOf(p), 'a');
  assert.equal(p.resyncs, 0);
});

test('C15 without a catalogue a new owner may require the full state', () => {
  const p = page(put(PIECE, label, 9, { text: 'a' }));
  p.catalogued = false;
  p.hear({ type: 'passed', piece: 6, kind: PRIVATE });
  assert.equal(p.resyncs, 0);
  p.hear({ type: 'passed', piece: 5, kind: PRIVATE });
  assert.equal(p.resyncs, 1);
  p.resume();
  assert.equal(p.resyncs, 2, 'the answer was lost with the stream');
  p.whole();
  p.resume();
  assert.equal(p.resyncs, 2);
});

test('C15 events of a frame act in their order', () => {
  const p = page(put(PIECE, label, 9, { text: 'a' }));
  const says = (/** @type {Op} */ op) => ({
    type: /** @type {const} */ ('components'), components: encodeMessage({ ops: [op] }),
  });
  p.hear(
    says(put(PIECE, tint, 1, { colour: 1 })), { type: 'gone', piece: 5 },
    says(put(PIECE, label, 1, { text: 'b' })),
  );
  assert.equal(labelOf(p), 'b');
  assert.equal(p.replica.get(PIECE, tint), null);
});

test('C15.13 after a full state writes for missing pieces are dropped and reported', () => {
  const p = new Page(new Browser(), { sees: (piece) => piece !== 5 });
  p.replica.put(PIECE, label, { text: 'a' });
  p.replica.put(PIECE + 1, label, { text: 'b' });
  p.whole();
  assert.deepEqual(p.refusals, [{ entity: PIECE, component: label.number, reason: 'gone' }]);
  assert.deepEqual(p.post(), [put(PIECE + 1, label, 1, { text: 'b' })]);
});

test('T19 in a new epoch earlier writes are dropped and reported', () => {
  const p = page(put(PIECE, label, 9, { text: 'a' }));
  p.replica.put(PIECE, tint, { colour: 1 });
  p.whole([], EPOCH + 1);
  assert.equal(labelOf(p), undefined);
  assert.deepEqual(p.refusals, [{ entity: PIECE, component: tint.number, reason: 'epoch' }]);
  assert.deepEqual(p.post(), []);
});

test('C8 an unreadable message changes nothing', () => {
  const p = page(put(PIECE, label, 9, { text: 'a' }));
  p.hear({ type: 'components', components: Uint8Array.of(10, 200) });
  assert.equal(labelOf(p), 'a');
});

test('C14 data without a meaning here is ignored', () => {
  const p = page({ ...put(PIECE, label, 1, { text: 'a' }), data: Uint8Array.of(10, 1, 255) });
  assert.equal(p.replica.get(PIECE, label), null);
});

// ---- questions (C18) ----

test('C18 a question is answered by its component', async () => {
  const p = page();
  const asked = p.replica.ask(PIECE, roll, rollResult, {});
  const [question] = p.post();
  assert.deepEqual(question, put(PIECE, roll, 1, {}));
  p.told(question, put(PIECE, rollResult, 1, { of: 1, face: 0, reason: 0 }));
  assert.deepEqual(await asked, { state: 'answered', answer: { of: 1, face: 0, reason: 0 } });
  p.told(put(PIECE, rollResult, 1, { of: 1, face: 0, reason: 0 }));
  assert.equal(p.replica.pending(PIECE), false);
});

test('C18 an answer to an earlier question is ignored', async () => {
  const p = page(put(PIECE, roll, 1, {}), put(PIECE, rollResult, 1, { of: 1, face: 3, reason: 0 }));
  const asked = p.replica.ask(PIECE, roll, rollResult, {});
  const [question] = p.post();
  p.told(question);
  p.told(put(PIECE, rollResult, 2, { of: 2, reason: 17 }));
  assert.deepEqual(await asked, { state: 'answered', answer: { of: 2, reason: 17 } });
});

test('C18.6 a question expires after 10 s without an answer', async () => {
  const p = page();
  const asked = p.replica.ask(PIECE, roll, rollResult, {});
  p.browser.pass(9999);
  assert.deepEqual(p.replica.get(PIECE, roll), {});
  p.browser.pass(1);
  assert.deepEqual(await asked, { state: 'expired' });
  assert.deepEqual(p.post(), []);
  assert.equal(p.replica.get(PIECE, roll), null);
  p.told(put(PIECE, roll, 1, {}), put(PIECE, rollResult, 1, { of: 1, face: 1, reason: 0 })); // late
  assert.equal(p.replica.get(PIECE, rollResult)?.face, 1);
});

test('C18 a new question replaces the former one', async () => {
  const p = page();
  const me = entityOfSeat(YOU);
  const first = p.replica.ask(me, hitTest, hitTestResult, { x: 1, y: 1 });
  const second = p.replica.ask(me, hitTest, hitTestResult, { x: 2, y: 2 });
  assert.deepEqual(await first, { state: 'replaced' });
  const [question] = p.post();
  p.told(question, put(me, hitTestResult, 1, { of: 1, pieces: [5] }));
  assert.deepEqual(await second, { state: 'answered', answer: { of: 1, pieces: [5] } });
});

test('C18 a question that replaces an unposted one has its own 10 s', async () => {
  const p = page();
  const me = entityOfSeat(YOU);
  void p.replica.ask(me, hitTest, hitTestResult, { x: 1, y: 1 });
  p.browser.pass(8000);
  const second = p.replica.ask(me, hitTest, hitTestResult, { x: 2, y: 2 });
  p.browser.pass(4000);
  const [question] = p.post(); // the connection is back
  assert.deepEqual(question, put(me, hitTest, 1, { x: 2, y: 2 }));
  p.told(question, put(me, hitTestResult, 1, { of: 1, pieces: [5] }));
  assert.deepEqual(await second, { state: 'answered', answer: { of: 1, pieces: [5] } });
});

test('C18 an answer to another’s question of the same time is ignored', async () => {
  const p = page();
  const me = entityOfSeat(YOU);
  const asked = p.replica.ask(me, hitTest, hitTestResult, { x: 1, y: 1 });
  const [question] = p.post();
  const other = put(me, hitTest, 1, { x: 0, y: 0 }); // of another page of this seat; it is smaller
  p.told(other, put(me, hitTestResult, 1, { of: 1, pieces: [6] }));
  p.told(question, put(me, hitTestResult, 2, { of: 1, pieces: [5] }));
  assert.deepEqual(await asked, { state: 'answered', answer: { of: 1, pieces: [5] } });
});

test('C18 an overtaken question is replaced, a refused one is refused', async () => {
  const p = page();
  const me = entityOfSeat(YOU);
  const asked = p.replica.ask(me, hitTest, hitTestResult, { x: 1, y: 1 });
  p.post();
  p.told(put(me, hitTest, 2, { x: 0, y: 0 }));
  assert.deepEqual(await asked, { state: 'replaced' });
  const again = p.replica.ask(PIECE, roll, rollResult, {});
  const [question] = p.post();
  p.hear(refused(question, 2));
  assert.deepEqual(await again, { state: 'refused' });
});

test('C18 the answer may come with a full state', async () => {
  const p = page();
  const asked = p.replica.ask(PIECE, roll, rollResult, {});
  p.post();
  p.hear(full([put(PIECE, roll, 1, {}), put(PIECE, rollResult, 7, { of: 1, face: 2, reason: 0 })]));
  assert.deepEqual(await asked, { state: 'answered', answer: { of: 1, face: 2, reason: 0 } });
});
