import assert from 'node:assert/strict';
import test from 'node:test';
import { COMPONENTS } from '../js/parts/components/registry.js';
import { encodeMessage } from '../js/parts/components/wire.js';
import {
  clearing, entityOfPiece, entityOfStroke, FIRST_ROW, SHEET, TABLE,
} from '../js/parts/components/entities.js';
import { EPOCH, MARK, YOU } from './pages.js';
import { erased, gone, labelOf, page, PIECE, put, refused, STROKE } from './replicas.js';

const { label, remark, tint, title, cell, row, column, stroke, points, ping } = COMPONENTS;

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

test('S21.5 operations are posted with the server life and the version of the stream', () => {
  const p = page();
  const life = '0123456789abcdeffedcba9876543210';
  Object.assign(p.sync, { life });
  p.replica.put(PIECE, label, { text: 'mine' });
  const { searchParams } = new URL(p.way.path(p.source.take()), 'https://holt.example');
  assert.deepEqual([searchParams.get('life'), searchParams.get('mark')], [life, `${MARK}`]);
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
  p.replica.append(TABLE, ping, { seat: YOU, x: 1, y: 1, time: 1, word: '' });
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
