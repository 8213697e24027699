// What becomes of components when their pieces are gone (C15), and of data that cannot be read.

import assert from 'node:assert/strict';
import test from 'node:test';
import { COMPONENTS } from '../js/parts/components/registry.js';
import { encodeMessage } from '../js/parts/components/wire.js';
import { Browser, EPOCH, Page, PRIVATE } from './pages.js';
import { labelOf, page, PIECE, put } from './replicas.js';

/** @typedef {import('../js/parts/components/wire.js').Op} Op */

const { label, tint } = COMPONENTS;

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

test('C15.11 hands, labels and markers keep their writing when they are given to a seat', () => {
  const operations = ['claim', 'leave', 'give', 'share', 'unshare', 'assign', 'pass'];
  for (const [i, op] of operations.entries()) {
    const p = page(put(PIECE, label, 9, { text: op }));
    p.replica.put(PIECE, tint, { colour: i });
    // only pieces of kinds that are not private have these operations
    p.hear({ type: 'passed', piece: 5, kind: PRIVATE + 1 + i });
    assert.equal(labelOf(p), op);
    assert.deepEqual(p.refusals, [], 'nor are pending writes dropped');
  }
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
