import assert from 'node:assert/strict';
import test from 'node:test';
import * as curves from '../js/parts/motion/curve.js';
import { random } from './random.js';
import { vectors } from './vectors.js';

/** @typedef {import('../js/parts/motion/curve.js').Curve} Curve */
/** @typedef {import('../js/parts/motion/curve.js').Segment} Segment */

const shared = vectors('curves');

/** @param {Segment[]} segments */
function of(...segments) {
  const curve = curves.empty();
  for (const s of segments) curves.add(curve, s);
  return curve;
}

/**
 * @param {Curve} curve
 * @param {{t: number, at: number[] | null, hold: number[] | null}[]} want
 */
function gives(curve, want) {
  for (const { t, at, hold } of want) {
    assert.deepEqual(curves.at(curve, t), at, `at ${t}`);
    assert.deepEqual(curves.hold(curve, t), hold, `held at ${t}`);
  }
}

test('K1.7, K3.2, K4.1 to K4: valid segments, by the vectors', () => {
  assert.ok(shared.check.length > 30);
  for (const { name, segment, ok } of shared.check) {
    assert.equal(curves.isSegment(segment), ok, name);
    const curve = curves.empty();
    if (ok) curves.add(curve, segment);
    else assert.throws(() => curves.add(curve, segment), RangeError, name);
    assert.equal(curve.stretches.length, ok ? 1 : 0, name);
  }
});

test('K4.1 fractions and values other than numbers are refused', () => {
  const [{ segment }] = shared.evaluate;
  for (const wrong of [0.5, Number.NaN, Number.POSITIVE_INFINITY, '7']) {
    assert.equal(curves.isSegment({ ...segment, from: wrong }), false);
    assert.equal(curves.isSegment({ ...segment, start: [wrong, 0, 0] }), false);
    assert.equal(curves.isSegment({ ...segment, rate: wrong }), false);
  }
});

test('K3.1, K5.1, K5.3 evaluation, by the vectors', () => {
  assert.ok(shared.evaluate.length >= 60);
  for (const { segment, want } of shared.evaluate) gives(of(segment), want);
});

test('K5.4 between two milliseconds the earlier value counts', () => {
  for (const { segment } of shared.evaluate) {
    assert.deepEqual(
      curves.at(of(segment), segment.from + 0.75), curves.at(of(segment), segment.from),
    );
  }
});

// Clauses: K6.1, K6.2, K9.1, K9.2, K9.3, K10.2, K11.1, K11.2, K12.1, K12.2
test('K6, K9, K10, K11 and K12: merging and forgetting, by the vectors', () => {
  assert.ok(shared.curves.length > 60);
  for (const { operations, floor, dead, pieces, want } of shared.curves) {
    const curve = curves.empty();
    for (const op of operations) {
      if (op.add) curves.add(curve, op.add);
      else if (op.merge) curves.merge(curve, of(...op.merge));
      else if (op.prune !== undefined) curves.prune(curve, op.prune);
      else curves.endMotion(curve, op.after);
    }
    assert.deepEqual(curve, { floor, endedAt: dead, stretches: pieces, recording: false });
    gives(curve, want);
  }
});

// Clauses: K2.5, K7.1, K7.2, K7.3, K8.1
test('K7 and K8: any order, grouping and duplication give one normal form', () => {
  const segments = shared.curves.flatMap((/** @type {any} */ c) =>
    c.operations.flatMap((/** @type {any} */ op) => op.add ?? op.merge ?? []),
  );
  const r = random(11);
  for (let round = 0; round < 300; round++) {
    const chosen = Array.from({ length: r.below(15) }, () => r.pick(segments));
    const want = of(...chosen);
    const got = curves.empty();
    const again = chosen.concat(chosen).sort(() => r.next() - 0.5);
    while (again.length > 0) {
      const group = of(...again.splice(0, 1 + r.below(4)));
      const before = structuredClone(group);
      curves.merge(got, group);
      assert.deepEqual(group, before, 'merging does not change its input');
    }
    assert.deepEqual(got, want, `seed 11, round ${round}`);
  }
});

test('K10.5, K11.4 a recording forgets nothing', () => {
  const [{ segment }] = shared.evaluate;
  const recording = curves.empty(true);
  for (let i = 0; i < 200; i++) {
    curves.add(recording, {
      ...segment, version: { tick: i + 1, seq: 0 }, from: 10 * i, to: 10 * i + 5,
    });
  }
  assert.equal(recording.stretches.length, 200);
  assert.equal(recording.floor, 0);
});

// Clauses: K13.1, K13.6, K13.7, K13.8, K13.10, K13.11, K13.12, K13.13
test('K13 the sides of a chess clock, by the vectors', () => {
  assert.ok(shared.sides.length > 20);
  for (const { side, t, left, start, press, pause, segment } of shared.sides) {
    assert.equal(curves.leftAt(side, t), left);
    assert.deepEqual(curves.start(side, t), start);
    assert.deepEqual(curves.press(side, t), press);
    assert.deepEqual(curves.pause(side, t), pause);
    assert.deepEqual(curves.segmentOf(side, { tick: 1, seq: 0 }), segment);
  }
});
