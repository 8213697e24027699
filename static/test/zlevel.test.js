import assert from 'node:assert/strict';
import test from 'node:test';
import { above, below, between, isLevel, spread } from '../js/sync/zlevel.js';
import { random } from './random.js';
import { vectors } from './vectors.js';

const shared = vectors('zlevel');

/**
 * What f returns, or '' if it throws RangeError: the vectors write an error in this way.
 *
 * @param {() => string} f
 */
function orNone(f) {
  try {
    return f();
  } catch (error) {
    assert.ok(error instanceof RangeError, String(error));
    return '';
  }
}

test('T13 the form of a level, by the vectors', () => {
  assert.ok(shared.parse.length > 20);
  for (const { text, ok } of shared.parse) assert.equal(isLevel(text), ok, text.slice(0, 40));
});

test('T13 between, by the vectors', () => {
  assert.ok(shared.between.length > 500);
  for (const { lo, hi, want } of shared.between)
    assert.equal(
      orNone(() => between(lo, hi)), want, `${lo} ${hi}`,
    );
});

test('T13 above and below, by the vectors', () => {
  assert.ok(shared.above.length > 100);
  for (const { from, want } of shared.above) assert.equal(orNone(() => above(from)), want, from);
  for (const { from, want } of shared.below) assert.equal(orNone(() => below(from)), want, from);
});

test('T13 spread, by the vectors', () => {
  for (const want of shared.spread) assert.deepEqual(spread(want.length), want);
});

test('T13 ten thousand raises take 6 digits', () => {
  let z = '';
  for (let i = 0; i < 10_000; i++) {
    const next = above(z);
    assert.ok(next > z && isLevel(next));
    z = next;
  }
  assert.equal(z.length, '0.'.length + 6);
});

test('T13 insertions into the newest gap cost a third of a digit', () => {
  const r = random(7);
  let [lo, hi] = ['', ''];
  for (let i = 0; i < 1_500; i++) {
    const z = between(lo, hi);
    assert.ok(z > lo && (hi === '' || z < hi) && isLevel(z));
    assert.ok(z.length <= '0.'.length + 1 + i / 3, `insertion ${i + 1}`);
    if (r.chance(0.5)) hi = z;
    else lo = z;
  }
});
