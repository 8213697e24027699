import assert from 'node:assert/strict';
import test from 'node:test';
import { createHeartbeat } from '../js/net/heartbeat.js';
import { random } from './random.js';

/** How far the server's clock is ahead of the client's, in ms. */
const AHEAD = 1_700_000_000_000;

/**
 * A heartbeat, a line that delays and may lose what is sent over it, and time that passes only when
 * the test says so.
 */
class Line {
  /** @param {number} delay one way, in ms */
  constructor(delay) {
    this.delay = delay;
    this.wall = 0; // goes on while the machine sleeps
    this.stood = 0; // how long the client's own clock has stood still
    this.isBusy = false; // so much waits that nothing is sent
    /** @type {(nonce: number) => boolean} */
    this.loses = () => false;
    this.sent = /** @type {number[]} */ ([]);
    this.wakes = 0;
    /** @type {{ at: number, f: () => void }[]} */
    this.timers = [];
    const later = (/** @type {() => void} */ f, /** @type {number} */ ms) => {
      const timer = { at: this.ticks() + ms, f };
      this.timers.push(timer);
      return timer;
    };
    this.heart = createHeartbeat({
      deps: {
        now: () => this.wall,
        ticks: () => this.ticks(),
        setTimeout: later,
        clearTimeout: (timer) => {
          this.timers = this.timers.filter((t) => t !== timer);
        },
      },
      ping: (nonce) => {
        if (this.isBusy) return false;
        this.sent.push(this.wall);
        if (this.loses(nonce)) return true;
        later(() => {
          const server = Math.floor(this.wall + AHEAD);
          later(() => this.heart.hear(server, [nonce]), this.delay);
        }, this.delay);
        return true;
      },
      onWake: () => {
        this.wakes++;
        this.heart.wake();
      },
    });
  }

  ticks() {
    return this.wall - this.stood;
  }

  /** @param {number} ms */
  pass(ms) {
    const until = this.ticks() + ms;
    for (;;) {
      const [due] = this.timers.filter((t) => t.at <= until).sort((a, b) => a.at - b.at);
      if (!due) break;
      this.timers = this.timers.filter((t) => t !== due);
      this.wall += Math.max(0, due.at - this.ticks());
      due.f();
    }
    this.wall += until - this.ticks();
  }

  /**
   * The machine sleeps: no timer runs.
   *
   * @param {number} ms
   * @param {boolean} [still] whether its own clock stands still
   */
  sleep(ms, still = true) {
    this.wall += ms;
    if (still) this.stood += ms;
  }

  /** The error of the estimate. */
  get error() {
    return Math.abs(this.heart.serverNow() - (this.wall + AHEAD));
  }

  /** Checks that the true time lies within the stated doubt. @param {string} when */
  holds(when) {
    assert.ok(
      this.error <= this.heart.serverDoubt() + 1e-6,
      `${when}: ${this.error} off, ${this.heart.serverDoubt()} doubtful`,
    );
  }
}

test('S15.5, S15.6 three pings once synchronised, then one every 30 s to the end', () => {
  const line = new Line(20);
  line.pass(60_000);
  assert.deepEqual(line.sent, [], 'nobody can answer');
  line.heart.synchronised();
  line.pass(95_000);
  assert.deepEqual(line.sent, [60_000, 61_000, 63_000, 93_000, 123_000, 153_000]);
  line.heart.lost();
  line.pass(60_000);
  assert.equal(line.sent.length, 6);
  line.heart.synchronised();
  line.pass(0);
  assert.equal(line.sent.length, 7);
  line.heart.stop();
  assert.equal(line.timers.length, 1, 'only the ping is in flight');
});

test('K14 the server’s time is known within half a round trip', () => {
  const line = new Line(50);
  assert.equal(line.heart.serverNow(), line.wall, 'nothing is known');
  line.heart.hear(AHEAD - 80, []);
  line.heart.hear(AHEAD - 300, []);
  assert.deepEqual([line.error, line.heart.serverDoubt()], [80, Number.POSITIVE_INFINITY]);
  line.pass(10_000);
  assert.equal(line.error, 80, 'it goes on');
  line.heart.synchronised();
  line.pass(100);
  line.holds('after the first pong');
  assert.ok(line.heart.serverDoubt() < 51);
});

test('S15 lost pongs cost only accuracy', () => {
  const line = new Line(30);
  line.loses = (nonce) => nonce % 3 !== 0;
  line.heart.synchronised();
  line.pass(3100);
  line.holds('two of three are lost');
  assert.ok(line.heart.serverDoubt() < 32);
  line.loses = () => true;
  line.pass(300_000);
  line.holds('all are lost for five minutes');
  assert.ok(line.heart.serverDoubt() > 80, 'and it reports that');
});

test('S15 a busy stream gets no ping until it is free', () => {
  const line = new Line(30);
  line.isBusy = true;
  line.heart.synchronised();
  line.pass(10_000);
  assert.equal(line.heart.serverDoubt(), Number.POSITIVE_INFINITY);
  line.isBusy = false;
  line.pass(30_000);
  line.holds('asked again');
});

test('K14.8 a repeated or unasked pong has no effect', () => {
  const line = new Line(30);
  line.heart.synchronised();
  line.pass(5000);
  const before = line.heart.serverNow();
  line.heart.hear(7, [1, 2, 3, 99]);
  assert.equal(line.heart.serverNow(), before);
});

test('K15, S15.7 after sleep two pings restore the server’s time', () => {
  for (const still of [true, false]) {
    const line = new Line(20);
    line.heart.synchronised();
    line.pass(10_000);
    const before = line.sent.length;
    line.sleep(3_600_000, still);
    line.pass(3100);
    assert.equal(line.wakes, 1, 'a timer an hour late reveals the sleep');
    assert.equal(line.sent.length - before, 2);
    line.holds('awake');
    assert.ok(line.heart.serverDoubt() < 22);
  }
});

test('S15 a pong that was in flight during sleep is ignored', () => {
  const line = new Line(2000);
  line.heart.synchronised();
  line.pass(1000);
  line.sleep(600_000);
  line.heart.wake();
  line.pass(3500);
  assert.equal(
    line.heart.serverDoubt(), Number.POSITIVE_INFINITY, 'the first of the two is still in flight',
  );
  line.pass(2000);
  line.holds('both have arrived');
});

test('a slightly late timer does not count as sleep', () => {
  const line = new Line(20);
  line.heart.synchronised();
  for (let i = 0; i < 20; i++) {
    line.pass(1000);
    line.sleep(4000, false);
  }
  assert.equal(line.wakes, 0);
});

test('K14 K15 the true time stays within the uncertainty over cuts and sleeps', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const r = random(seed);
    const line = new Line(5);
    line.loses = () => r.chance(0.3);
    line.heart.synchronised();
    for (let i = 0; i < 40; i++) {
      line.delay = r.chance(0.2) ? r.next() * 3000 : r.next() * 60;
      switch (r.below(8)) {
        case 0:
          line.heart.lost();
          line.pass(r.next() * 60_000);
          line.heart.synchronised();
          break;
        case 1:
          line.sleep(60_000 + r.next() * 3_600_000);
          line.loses = () => false;
          line.pass(20_000);
          line.loses = () => r.chance(0.3);
          break;
        default:
          line.pass(r.next() * 60_000);
      }
      line.holds(`seed ${seed}, step ${i}`);
    }
  }
});
