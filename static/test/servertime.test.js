import assert from 'node:assert/strict';
import test from 'node:test';
import { estimate, learn, MAX_ROUND_TRIP, MAX_SAMPLES, unknown } from '../js/net/servertime.js';
import { random } from './random.js';

/** @typedef {import('../js/net/servertime.js').ServerTime} ServerTime */

/**
 * @param {ServerTime} time
 * @param {[number, number, number][]} samples sent, received, server
 */
function after(time, ...samples) {
  return samples.reduce(
    (known, [sent, received, server]) => learn(known, { sent, received, server }), time,
  );
}

test('K14 nothing is known before the first sample', () => {
  assert.equal(estimate(unknown(), 5), null);
});

test('K14.1, K14.2 the time is that of half the round trip, give or take half', () => {
  const time = after(unknown(), [1000, 1100, 5000]);
  assert.deepEqual(estimate(time, 1100), { offset: 3950.5, uncertainty: 50.5 });
});

test('K14.2, K14.3 uncertainty grows with age, either way', () => {
  const time = after(unknown(), [1000, 1100, 5000]);
  for (const now of [101_100, -98_900]) {
    assert.deepEqual(estimate(time, now), { offset: 3950.5, uncertainty: 70.5 });
  }
});

test('K14.5 the best round trip counts until it is old', () => {
  const time = after(unknown(), [0, 20, 1010], [1000, 1100, 2050]);
  assert.equal(estimate(time, 1100)?.offset, 1000.5);
  assert.ok((estimate(time, 1100)?.uncertainty ?? 99) < 11);
  // Both grow alike, so only a later one can be better.
  assert.equal(estimate(after(time, [300_000, 300_030, 301_020]), 300_030)?.offset, 1005.5);
});

test('K14.6, K14.7 an implausible round trip is ignored', () => {
  const time = after(unknown(), [0, 20, 1010]);
  assert.equal(after(time, [50, 40, 9]), time);
  assert.equal(after(time, [0, MAX_ROUND_TRIP + 1, 9]), time);
  assert.equal(after(time, [0, Number.NaN, 9]), time);
  assert.equal(after(time, [50, 60, Number.NaN]), time);
});

test('K14.4 the number of samples is bounded', () => {
  let time = unknown();
  for (let i = 0; i < 100; i++) time = after(time, [i * 1000, i * 1000 + 50, i * 1000 + 7025]);
  assert.equal(time.samples.length, MAX_SAMPLES);
  assert.equal(time.samples.at(-1)?.sent, 99_000);
});

test('K15.1, K15.2, K15.4 one contradiction widens the uncertainty', () => {
  const time = after(unknown(), [0, 20, 1010], [1000, 1020, 9010]);
  const doubtful = estimate(time, 1020);
  assert.equal(doubtful?.offset, 1000.5);
  assert.ok(doubtful.uncertainty >= 7000 && doubtful.uncertainty < 7020);
  const cleared = estimate(after(time, [2000, 2020, 3010]), 2020);
  assert.equal(cleared?.offset, 1000.5);
  assert.ok(cleared.uncertainty < 12);
});

test('K15.3 two contradictions that agree replace all samples', () => {
  const hour = 3_600_000;
  let time = after(unknown(), [0, 20, 1010], [1000, 1020, 2010]);
  time = after(time, [2000, 2030, 3015 + hour], [2100, 2120, 3110 + hour]);
  assert.equal(time.samples.length, 2);
  assert.equal(estimate(time, 2120)?.offset, 1000.5 + hour);
  assert.ok((estimate(time, 2120)?.uncertainty ?? 99) < 11);
});

test('K15.5 two contradictions that disagree replace nothing', () => {
  const time = after(unknown(), [0, 20, 1010], [1000, 1020, 9010], [1100, 1120, 70_000]);
  assert.equal(estimate(time, 1120)?.offset, 1000.5);
  assert.equal(time.doubt?.server, 70_000);
});

test('K14 and K15: the true time stays within the uncertainty under any delay', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const r = random(seed);
    let offset = r.next() * 1e12;
    let now = 0;
    let time = unknown();
    for (let i = 0; i < 60; i++) {
      now += 1000 + r.next() * 15_000;
      const jumped = r.chance(0.02);
      if (jumped) offset += 60_000 + r.next() * 1e6; // slept
      for (let ping = jumped ? 0 : 1; ping < 2; ping++) {
        const out = r.next() * (r.chance(0.2) ? 2000 : 40);
        const back = r.next() * (r.chance(0.2) ? 2000 : 40);
        // It drifts, and is cut to whole milliseconds.
        const server = Math.floor(now + out + offset);
        time = learn(time, { sent: now, received: now + out + back, server });
        now += out + back;
      }
      offset += (r.next() - 0.5) * 1e-4 * 1000;
      const e = estimate(time, now);
      assert.ok(
        e && Math.abs(e.offset - offset) <= e.uncertainty + 1e-3, `seed ${seed}, ping ${i}`,
      );
    }
  }
});
