import assert from 'node:assert/strict';
import test from 'node:test';
import { Tracks } from '../js/parts/motion/tracks.js';
import { looks, paces, watch } from './line.js';
import { random } from './random.js';

/** A hand that goes to the right for three seconds, a unit a millisecond. @param {number} t */
const straight = (t) => ({ x: Math.round(Math.min(t, 3000)), y: 0 });

/** A hand that goes in a circle, once in two seconds. @param {number} t */
const round = (t) => ({
  x: 800 * Math.cos((Math.PI * Math.min(t, 5000)) / 1000),
  y: 800 * Math.sin((Math.PI * Math.min(t, 5000)) / 1000),
});
const ROUND_SPEED = (800 * Math.PI) / 1000;

/**
 * A line that delays each direction by lo to hi ms.
 *
 * @param {import('./random.js').Random} f
 * @param {number} lo
 * @param {number} hi
 */
const line = (f, lo, hi) => ({
  up: () => lo + (hi - lo) * f.next(), down: () => lo + (hi - lo) * f.next(),
});

/**
 * Receives one segment of piece 1.
 *
 * @param {Tracks} tracks
 * @param {{time: number, lag: number, span: number, from: number, to: number}} s
 * @param {number} now
 */
const tell = (tracks, { time, lag, span, from, to }, now) =>
  tracks.take(
    { lag, span, ids: [1], x: [to], y: [0], dx: [from - to], dy: [0] }, time, now, () => 2,
  );

test('S12 on a good line a drag looks as it was', () => {
  const f = random(1);
  const { seen } = watch(straight, 3000, line(f, 1, 4));
  const steady = seen.filter((s) => s.at > 400 && s.at < 2900);
  assert.ok(looks(steady).jolt < 0.05, 'an even movement stays even');
  for (const s of steady) assert.ok(s.at - s.x < 110, `at ${s.at} it is ${s.at - s.x} ms behind`);
  assert.deepEqual([seen.at(-1)?.x, seen.at(-1)?.stage], [3000, 'still']);
});

test('S12 a bad line delays a drag, which stays smooth and never goes back', () => {
  for (let seed = 1; seed <= 25; seed++) {
    const f = random(seed);
    const { seen } = watch(straight, 3000, {
      up: () => 20 + 280 * f.next(), down: () => 20 + 80 * f.next(),
    });
    const whole = looks(seen);
    assert.ok(whole.back < 1e-6, `seed ${seed}: it never goes back`);
    assert.ok(
      whole.speed < 2, `seed ${seed}: it is never twice as fast as the hand, but ${whole.speed}`,
    );
    const steady = seen.filter((s) => s.at > 1800 && s.at < 2900);
    const { least, most } = paces(steady);
    assert.ok(
      least > 0.4 && most < 1.5,
      `seed ${seed}: its speed varies between ${least} and ${most}`,
    );
    for (const s of steady)
      assert.ok(s.at - s.x < 700, `seed ${seed}: it is ${s.at - s.x} ms behind`);
    assert.equal(seen.at(-1)?.x, 3000, `seed ${seed}: it ends where it was released`);
  }
});

test('S12 a circle stays a circle over a line of 20 to 300 ms', () => {
  for (let seed = 1; seed <= 25; seed++) {
    const { seen } = watch(round, 5000, line(random(seed), 20, 300));
    const steady = seen.filter((s) => s.at > 2000 && s.at < 5000);
    for (const { x, y, at } of steady) {
      const off = Math.abs(Math.hypot(x, y) - 800);
      assert.ok(off < 60, `seed ${seed}: at ${at} it is ${off} off its way`);
    }
    const { speed } = looks(steady);
    assert.ok(
      speed < ROUND_SPEED * 1.6, `seed ${seed}: ${speed} is not much faster than ${ROUND_SPEED}`,
    );
  }
});

test('S12.28 a stall of half a second stops the piece, which then goes on', () => {
  let cut = 0;
  const { seen } = watch(straight, 3000, { up: () => 10, down: () => (cut++ === 20 ? 500 : 10) });
  const { back, speed } = looks(seen);
  assert.ok(
    back < 1e-6 && speed < 1.7,
    `it goes back by ${back}, and on at ${speed} of the hand’s speed`,
  );
  const late = seen.filter((s) => s.at > 2800 && s.at < 3000);
  for (const s of late) assert.ok(s.at - s.x < 600, 'it is no further behind than the line');
  assert.equal(seen.at(-1)?.x, 3000);
});

test('K7, K9.4: loss, duplication and reordering of 5 % break nothing', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const f = random(seed);
    /** @type {import('./line.js').Frame|null} */
    let kept = null;
    const { seen } = watch(straight, 3000, {
      ...line(f, 10, 80),
      mangle(frame) {
        if (frame.x === 3000) return [frame]; // the frame in which it rests arrives
        const with_ = kept ? [frame, kept] : [frame];
        kept = null;
        if (f.chance(0.05)) return [];
        if (f.chance(0.05)) return [...with_, frame];
        if (f.chance(0.05)) {
          kept = frame;
          return with_.slice(1);
        }
        return with_;
      },
    });
    const { back, speed } = looks(seen);
    assert.ok(back < 25, `seed ${seed}: it goes back by ${back}`);
    assert.ok(speed < 3, `seed ${seed}: its speed is ${speed}`);
    assert.equal(seen.at(-1)?.x, 3000, `seed ${seed}`);
    assert.equal(seen.at(-1)?.stage, 'still');
  }
});

test('S12 a sender’s clock that is wrong by 200 ms changes nothing', () => {
  for (const skew of [-200, 200]) {
    const { seen } = watch(straight, 3000, { up: () => 20, down: () => 20, skew });
    const steady = seen.filter((s) => s.at > 600 && s.at < 2900);
    assert.ok(looks(steady).jolt < 0.4, `skew ${skew}: ${looks(steady).jolt}`);
    assert.equal(seen.at(-1)?.x, 3000);
  }
});

test('K9.4 a piece stays at the end of its motion and needs no more frames', () => {
  const tracks = new Tracks();
  const piece = { x: 0, y: 0 };
  tell(tracks, { time: 1000, lag: 20, span: 50, from: 0, to: 100 }, 5000);
  assert.equal(tracks.place(1, piece, 5000), 'soon');
  assert.equal(tracks.place(1, piece, 5045), 'moving');
  assert.ok(piece.x > 40 && piece.x < 60, `${piece.x}`);
  assert.equal(tracks.place(1, piece, 5200), 'still');
  assert.deepEqual(piece, { x: 100, y: 0 });
  assert.equal(tracks.hasData(1), true);
});

test('K2.1, K12.1, K12.3, K12.4 an update ends earlier motion, even if it arrives later', () => {
  const tracks = new Tracks();
  const piece = { x: 0, y: 0 };
  tell(tracks, { time: 1000, lag: 20, span: 50, from: 0, to: 100 }, 5000);
  tracks.endBefore(1, 1024);
  assert.equal(tracks.hasData(1), false);
  tell(tracks, { time: 1024, lag: 20, span: 50, from: 100, to: 200 }, 5024);
  assert.equal(tracks.hasData(1), false, 'it was made before');
  assert.equal(tracks.place(1, piece, 5100), 'none');
  assert.deepEqual(piece, { x: 0, y: 0 });
  tell(tracks, { time: 1075, lag: 20, span: 50, from: 0, to: 300 }, 5075);
  assert.equal(
    tracks.place(1, piece, 5500), 'moving',
    'what was made after it counts; where it was seen fades away',
  );
  assert.equal(tracks.place(1, piece, 6000), 'still');
  assert.deepEqual(piece, { x: 300, y: 0 });
});

test('S12 pieces carried together keep their arrangement in every frame', () => {
  const f = random(5);
  const tracks = new Tracks();
  const ids = [3, 7, 8, 400];
  const places = ids.map((_, i) => ({ x: 137 * i, y: -59 * i }));
  const shown = places.map((p) => ({ ...p }));
  let at = 0;
  for (let t = 50; t < 2000; t += 50) {
    const x = places.map((p) => p.x + t);
    const y = places.map((p) => p.y - 2 * t);
    const arrives = Math.max(at, t + 20 + 200 * f.next());
    for (; at < arrives; at += 16) {
      for (const [i, id] of ids.entries()) tracks.place(id, shown[i], at);
      for (const [i, p] of shown.entries()) {
        assert.ok(Math.abs(p.x - shown[0].x - places[i].x) <= 1, `at ${at}: ${p.x}`);
        assert.ok(Math.abs(p.y - shown[0].y - places[i].y) <= 1, `at ${at}: ${p.y}`);
      }
    }
    tracks.take(
      { lag: 20, span: 50, ids, x, y, dx: ids.map(() => -50), dy: ids.map(() => 100) }, t + 20,
      arrives, () => 2,
    );
  }
  assert.ok(shown[0].x > 1000, 'they have moved');
});

test('S12 each person has a delay of their own', () => {
  const tracks = new Tracks();
  for (let t = 50; t <= 1000; t += 50) {
    tracks.take(
      { lag: 0, span: 50, ids: [1], x: [t], y: [0], dx: [-50], dy: [0] }, t, t + 10, () => 1,
    );
    tracks.take(
      { lag: 300, span: 50, ids: [2], x: [t], y: [0], dx: [-50], dy: [0] }, t + 300, t + 310,
      () => 2,
    );
  }
  assert.ok(tracks.moment(1, 2000) > 2000 - 60);
  assert.ok(tracks.moment(2, 2000) < 2000 - 300);
});

test('S12 motion repeated after a full state does not change the delay', () => {
  const tracks = new Tracks();
  for (let t = 50; t <= 1000; t += 50)
    tell(tracks, { time: t, lag: 0, span: 50, from: t - 50, to: t }, t + 10);
  assert.deepEqual(tracks.forget(), [1]);
  assert.equal(tracks.hasData(1), false);
  tell(tracks, { time: 2000, lag: 950, span: 50, from: 950, to: 1000 }, 2010);
  const piece = { x: 500, y: 0 };
  assert.equal(tracks.place(1, piece, 2026), 'moving', 'it shows the way there');
  assert.equal(tracks.place(1, piece, 3000), 'still');
  assert.deepEqual(piece, { x: 1000, y: 0 });
  assert.ok(tracks.moment(2, 3000) > 3000 - 60, 'the delay is as before');
});

test('S12 reduced motion shows the piece at intervals', () => {
  const tracks = new Tracks();
  const piece = { x: 0, y: 0 };
  const places = new Set();
  for (let t = 50; t <= 2000; t += 50) {
    tell(tracks, { time: t, lag: 0, span: 50, from: t - 50, to: t }, t + 10);
    for (let at = t + 10; at < t + 60; at += 16) {
      tracks.place(1, piece, at, true);
      places.add(piece.x);
    }
  }
  assert.ok(
    places.size >= 6 && places.size <= 10, `it showed ${places.size} places in two seconds`,
  );
  tracks.place(1, piece, 3000, true);
  assert.equal(piece.x, 2000, 'and its end');
});

test('S12 reduced motion never goes back, even on a stalling line', () => {
  const tracks = new Tracks();
  const piece = { x: 0, y: 0 };
  let last = 0;
  let arrives = 0;
  for (let t = 50; t <= 3000; t += 50) {
    arrives = Math.max(arrives, t + (t % 700 === 0 ? 400 : 10));
    tell(tracks, { time: t, lag: 0, span: 50, from: t - 50, to: t }, arrives);
    for (let at = arrives; at < arrives + 50; at += 16) {
      tracks.place(1, piece, at, true);
      assert.ok(piece.x >= last, `at ${at} it goes back from ${last} to ${piece.x}`);
      last = piece.x;
    }
  }
  assert.ok(last > 2500);
});

test('K4.1 an invalid segment is ignored', () => {
  const tracks = new Tracks();
  tell(tracks, { time: 1000, lag: 20, span: 0, from: 0, to: 100 }, 5000);
  tell(tracks, { time: 1000, lag: 20, span: 50, from: 0, to: 2 ** 31 }, 5000);
  assert.equal(tracks.hasData(1), false);
});

test('D34.6, K12.3 motion that arrives after its end moves nothing', () => {
  const tracks = new Tracks();
  tracks.endBefore(1, 1024);
  tell(tracks, { time: 1024, lag: 20, span: 40, from: 0, to: 100 }, 5);
  assert.equal(tracks.hasData(1), false);
  tell(tracks, { time: 1025, lag: 20, span: 40, from: 0, to: 100 }, 10);
  assert.equal(tracks.hasData(1), true, 'the next motion is another');
  for (let id = 2; id < 3000; id++) tracks.endBefore(id, 2000);
  tracks.endBefore(1, 3000);
  tell(tracks, { time: 3000, lag: 20, span: 40, from: 0, to: 100 }, 15);
  assert.equal(tracks.hasData(1), false);
});

test('S12.23 the version of a segment is the time of its frame, whenever that arrives', () => {
  const earlier = { time: 1100, lag: 100, span: 100, from: 900, to: 900 };
  const later = { time: 1150, lag: 150, span: 100, from: 100, to: 100 };
  for (const order of [[earlier, later], [later, earlier]]) {
    const tracks = new Tracks();
    for (const segment of order) tell(tracks, segment, 5000);
    assert.equal(tracks.last(1)?.x, 100, `frames of ${order.map(({ time }) => time)}`);
  }
});
