import assert from 'node:assert/strict';
import test from 'node:test';
import { Playout } from '../js/parts/motion/playout.js';
import { random } from './random.js';

/**
 * A clock that has received segments, one every 50 ms, that were late by these times.
 *
 * @param {number[]} lates
 */
function heard(...lates) {
  const clock = new Playout();
  for (const [i, late] of lates.entries()) clock.learn(50 * i - late, 50 * i);
  return { clock, now: 50 * (lates.length - 1) };
}

/** The delay that the clock settles at. @param {Playout} clock @param {number} now */
const delay = (clock, now) => now + 10_000 - clock.at(now + 10_000);

test('S12 without segments the clock is at the end of all motion', () => {
  assert.equal(new Playout().at(1000), Infinity);
});

test('S12.27 the delay covers nearly all late segments', () => {
  const even = heard(...Array.from({ length: 80 }, () => 70));
  assert.equal(delay(even.clock, even.now), 90, 'with a margin');
  const lates = Array.from({ length: 80 }, (_, i) => (i % 20 === 7 ? 900 : 50 + (i % 5) * 20));
  const odd = heard(...lates);
  assert.equal(delay(odd.clock, odd.now), 130, 'one of twenty may come too late');
});

test('S12 the delay is bounded and forgets what is older than four seconds', () => {
  const wild = heard(...Array.from({ length: 60 }, (_, i) => (i % 2 ? 1500 : 100)));
  assert.equal(delay(wild.clock, wild.now), 700, '600 ms above the least');
  const { clock, now } = wild;
  for (let i = 1; i <= 90; i++) clock.learn(now + 50 * i - 100, now + 50 * i);
  assert.equal(delay(clock, now + 4500), 120);
});

test('S12 the displayed time never goes back and approaches its delay', () => {
  const f = random(11);
  for (let run = 0; run < 200; run++) {
    const clock = new Playout();
    let now = 0;
    clock.learn(-50, 0);
    let shown = clock.at(now);
    for (let i = 0; i < 300; i++) {
      const passed = 1 + f.below(40);
      now += passed;
      if (f.chance(0.3)) clock.learn(now - 20 - f.below(400), now);
      const next = clock.at(now);
      const speed = (next - shown) / passed;
      assert.ok(
        speed >= 0.5 - 1e-9 && speed <= 1.5 + 1e-9,
        `seed 11, run ${run}: it runs at ${speed} of time`,
      );
      shown = next;
    }
  }
});

test('S12 time goes on from a recent segment', () => {
  const { clock, now } = heard(50, 50, 50, 50);
  const shown = clock.at(now);
  clock.rewind(shown - 120, now);
  assert.equal(clock.at(now), shown - 120);
  assert.ok(clock.at(now + 16) >= shown - 120, 'from there');
  clock.rewind(shown - 5000, now + 16);
  assert.equal(clock.at(now + 16), now + 16 - 650, 'at most as far back as allowed');
});

test('S12 a clock that jumps resets the delay', () => {
  const { clock, now } = heard(50, 60, 50, 60);
  clock.learn(now - 3_600_000, now + 10);
  assert.equal(now + 26 - clock.at(now + 26), 3_600_010 + 20);
});

test('S12 repeated motion resets the clock only after a jump', () => {
  const { clock, now } = heard(50, 60, 50, 60);
  const shown = clock.at(now);
  clock.begin(now - 300, now);
  assert.equal(clock.at(now), shown, 'it may be repeated late');
  clock.begin(now - 12_000, now);
  assert.equal(clock.at(now), now - 12_020);
});
