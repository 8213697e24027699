import assert from 'node:assert/strict';
import test from 'node:test';
import { Sampler } from '../js/parts/controls/sampler.js';
import { beatFor, pointsOf } from '../js/parts/controls/sendmotion.js';
import { random } from './random.js';

test('S12.3 points of an even movement are even at any frame rate', () => {
  const f = random(3);
  const sampler = new Sampler({ x: 0, y: 0 });
  const points = [];
  for (let at = 10_007; at < 12_000; at += 5 + f.below(40)) {
    const point = sampler.see({ at, x: (at - 10_007) * 2, y: 0 }, 50);
    if (point) points.push(point);
  }
  assert.ok(points.length >= 36, `${points.length} points in two seconds`);
  for (const { at, x } of points) {
    assert.equal(at % 50, 0, 'at a multiple of the beat');
    assert.ok(Math.abs(x - (at - 10_007) * 2) <= 1, `at ${at} it is at ${x}`);
  }
});

test('S12.4 no points at rest but one at the end', () => {
  const sampler = new Sampler({ x: 5, y: 5 });
  let said = 0;
  for (let at = 0; at < 500; at += 16) if (sampler.see({ at, x: 5, y: 5 }, 50)) said++;
  assert.equal(said, 0);
  assert.equal(sampler.isSent, true);

  sampler.see({ at: 505, x: 40, y: 5 }, 50);
  assert.equal(sampler.isSent, false, 'the change is sent');
  let last;
  for (let at = 521; !sampler.isSent; at += 16) last = sampler.see({ at, x: 40, y: 5 }, 50) ?? last;
  assert.deepEqual(last, { at: 550, x: 40, y: 5 });
  for (let at = 700; at < 900; at += 16) assert.equal(sampler.see({ at, x: 40, y: 5 }, 50), null);
});

test('S12 a piece that starts after a rest did not move during it', () => {
  const sampler = new Sampler({ x: 0, y: 0 });
  sampler.see({ at: 1000, x: 0, y: 0 }, 50);
  const point = sampler.see({ at: 5005, x: 300, y: 0 }, 50);
  assert.ok(
    point && point.at === 5000 && point.x > 150, 'it has moved most of the way in the last moment',
  );
});

test('S12 a lost piece does not interpolate from its old place', () => {
  const sampler = new Sampler();
  sampler.see({ at: 1000, x: 0, y: 0 }, 50);
  sampler.lose();
  assert.deepEqual(sampler.see({ at: 1056, x: 900, y: 7 }, 50), { at: 1050, x: 900, y: 7 });
});

test('S12 a corrected clock stops nothing', () => {
  const sampler = new Sampler({ x: 0, y: 0 });
  sampler.see({ at: 9000, x: 10, y: 0 }, 50);
  sampler.see({ at: 8000, x: 20, y: 0 }, 50);
  const points = [];
  for (let at = 8016; at < 8200; at += 16) points.push(sampler.see({ at, x: at, y: 0 }, 50));
  assert.ok(points.filter(Boolean).length >= 3);
});

test('S12 more pieces lower the rate to the server’s limit', () => {
  assert.equal(beatFor(1), 50);
  assert.equal(beatFor(54), 100, 'ten points a second for a pack of cards');
  for (let n = 1; n <= 3000; n++) {
    assert.ok((n * 1000) / beatFor(n) <= 540, `${n} pieces`);
    assert.equal(beatFor(n) % 50, 0);
  }
});

test('S12 a message holds at most 200 pieces of one time', () => {
  const from = new Map(Array.from({ length: 450 }, (_, i) => [i + 1, { x: i, y: -i, z: '' }]));
  const carry = {
    by: /** @type {const} */ ('pointer'), lead: 1, from, dx: 0, dy: 0, px: 0, py: 0,
    start: { x: 0, y: 0 },
  };
  const messages = pointsOf(carry, { at: 150, x: 10, y: 20 });
  assert.deepEqual(
    messages.map((m) =>
      m.type === 'motion' ? [m.at, m.pieces.length, m.x.length, m.y.length] : [],
    ),
    [
      [150, 200, 200, 200],
      [150, 200, 200, 200],
      [150, 50, 50, 50],
    ],
  );
  const [first] = messages;
  assert.ok(first.type === 'motion');
  assert.deepEqual([first.pieces[3], first.x[3], first.y[3]], [4, 13, 17]);
});
