import assert from 'node:assert/strict';
import test from 'node:test';
import { HEAVY, LIGHT } from '../js/sync/predict.js';
import { ack, frame, full, pieces, post, shown, table, YOU } from './table.js';

/** @typedef {import('../js/types.js').PieceOp} PieceOp */

for (const [op, args, want] of /** @type {[PieceOp, object, object][]} */ ([
  ['grab', {}, { holder: YOU }],
  ['grab', { z: '0.7' }, { holder: YOU, z: '0.7', zMark: Number.POSITIVE_INFINITY }],
  ['wrest', {}, { holder: YOU }],
  ['release', {}, { holder: 0 }],
  ['release', { x: 1, y: 2, angle: 3, z: '0.7' }, { holder: 0, x: 1, y: 2, angle: 3, z: '0.7' }],
  ['move', { x: -1, y: 2 }, { x: -1, y: 2, zMark: 1 }],
  ['rotate', { angle: 9000 }, { angle: 9000 }],
  ['pivot', { x: 5, y: -6, angle: 1500 }, { x: 5, y: -6, angle: 1500 }],
  ['flip', { face: 1 }, { face: 1, kind: 0 }],
  ['setz', { z: '0.15' }, { z: '0.15' }],
  ['raise', { z: '0.9' }, { z: '0.9' }],
  ['lower', { z: '0.01' }, { z: '0.01' }],
  ['pin', {}, { pinned: true }],
  ['unpin', {}, { pinned: false }],
  ['lock', {}, { locked: true }],
  ['unlock', {}, { locked: false }],
])) {
  test(`T24 ${op} ${JSON.stringify(args)} shows at once and survives its ack`, () => {
    const sync = table();
    const before = shown(sync, 1);
    sync.update(1, op, args);
    assert.deepEqual(shown(sync, 1), { ...before, zMark: shown(sync, 1).zMark, ...want });
    const [sent] = post(sync);
    assert.deepEqual(sent, { seq: 1, piece: 1, tag: 100, op, ...args });
    const filled = 'z' in args ? { z: /** @type {string} */ (args.z), zMark: 1001 } : {};
    const face = 'face' in args ? { face: 1 } : {};
    sync.receive(frame(ack(1, { id: 1, mark: 1001, ...filled, ...face })));
    assert.deepEqual(shown(sync, 1), {
      ...before, ...want, mark: 1001, zMark: 'z' in args ? 1001 : before.zMark,
    });
  });
}

test('T13 a predicted level lies above equal ones until the ack', () => {
  const sync = table();
  sync.update(1, 'setz', { z: '0.3' });
  assert.equal(shown(sync, 1).zMark, Number.POSITIVE_INFINITY);
  post(sync);
  sync.receive(frame(ack(1, { id: 1, mark: 1001 })));
  assert.equal(shown(sync, 1).zMark, 1001, 'the version of the ack, by default');
});

/** A table with heavy pieces 1 and 2 below the light ones 3 and 4. Kind 1 is heavy. */
function weighty() {
  const sync = table();
  const light = { id: 4, mark: 400, z: '0.4' };
  sync.receive(
    frame(
      full({ pieces: pieces({ id: 1, mark: 1, kind: 1 }, { id: 2, mark: 2, kind: 1 }, light) }),
    ),
  );
  sync.layer = ({ kind }) => (kind === 1 ? HEAVY : LIGHT);
  return sync;
}

for (const [op, id, lo, hi] of /** @type {[PieceOp, number, string, string][]} */ ([
  ['raise', 3, '0.4', '1'],
  ['lower', 4, '0.2', '0.3'],
  ['raise', 1, '0.2', '0.3'],
  ['lower', 2, '0', '0.1'],
])) {
  test(`T25 ${op} keeps a piece in its layer: piece ${id}`, () => {
    const sync = weighty();
    sync.update(id, op);
    const { z } = shown(sync, id);
    assert.ok(lo < z && z < hi, z);
    assert.equal(post(sync)[0].z, z);
  });
}

test('T25 the only piece of its layer, and the only one at all', () => {
  const sync = weighty();
  for (const id of [2, 4])
    sync.receive(
      frame({ type: 'update', piece: { id, mark: 1001, gone: true }, by: 0, op: 'delete' }),
    );
  sync.update(1, 'raise');
  assert.ok(shown(sync, 1).z < '0.3');
  sync.update(3, 'lower');
  assert.ok(shown(sync, 3).z > shown(sync, 1).z);
  sync.receive(
    frame({ type: 'update', piece: { id: 1, mark: 1002, gone: true }, by: 0, op: 'delete' }),
  );
  sync.update(3, 'raise');
  assert.equal(shown(sync, 3).z, '0.5');
});

test('T13 without room the server chooses the level', () => {
  const sync = table();
  sync.receive(frame(full({ pieces: pieces({ id: 3, mark: 1001, z: `0.${'9'.repeat(1024)}` }) })));
  sync.update(1, 'raise');
  assert.deepEqual(post(sync), [{ seq: 1, piece: 1, tag: 100, op: 'raise' }]);
  assert.equal(shown(sync, 1).z, '0.1');
  sync.receive(frame(ack(1, { id: 1, mark: 1002, z: '0.95', zMark: 1002 })));
  assert.deepEqual([shown(sync, 1).z, shown(sync, 1).zMark], ['0.95', 1002]);
});

test('T13 ten thousand raises keep levels short', () => {
  const sync = table();
  for (let i = 0; i < 10_000; i++) sync.update(1 + (i % 3), 'raise');
  const levels = [1, 2, 3].map((id) => shown(sync, id).z);
  assert.ok(Math.max(...levels.map((z) => z.length)) <= '0.'.length + 6, String(levels));
});
