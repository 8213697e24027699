// Which people are shown as here, away, lost or gone: what this page reports of itself, and what it
// shows of others.

import assert from 'node:assert/strict';
import test from 'node:test';
import { announcePresence } from '../js/bars/announcer.js';
import { bindPresence } from '../js/net/presence.js';

/** @typedef {import('../js/types.js').Presence} Presence */
/** @typedef {import('../js/state.js').State} State */

/** A page, its window and its connection, and time that passes only when the test says so. */
class Tab {
  /** @param {import('node:test').TestContext} t */
  constructor(t) {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    this.pass = (/** @type {number} */ ms) => t.mock.timers.tick(ms);
    this.page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
    this.win = new EventTarget();
    this.isBehind = false;
    /** @type {string[]} */
    this.did = [];
    const net = {
      kick: () => this.did.push('kick'),
      wake: () => this.did.push('wake'),
      send: (/** @type {any} */ { type, away }) => {
        if (!this.isBehind) this.did.push(`${type} ${away}`);
        return !this.isBehind;
      },
    };
    const s = /** @type {State} */ (/** @type {unknown} */ ({ net }));
    this.presence = bindPresence(
      s,
      /** @type {Document} */ (/** @type {unknown} */ (this.page)),
      this.win,
    );
  }

  /** @param {import('../js/types.js').Status['state']} state */
  status(state) {
    this.presence.onStatus({ state, reason: '', retryMs: 0 });
    return this;
  }

  /** @param {'visible' | 'hidden'} state */
  show(state) {
    this.page.visibilityState = state;
    this.page.dispatchEvent(new Event('visibilitychange'));
    return this;
  }

  /** What it did since the last call. */
  get news() {
    return this.did.splice(0);
  }
}

test('S6.11, S11.9, S11.10 a hidden page reports it after 1 s, its return at once', (t) => {
  const tab = new Tab(t).status('online');
  tab.show('hidden').pass(999);
  assert.deepEqual(tab.news, []);
  tab.pass(1);
  assert.deepEqual(tab.news, ['away true']);
  tab.show('visible');
  assert.deepEqual(tab.news, ['kick', 'away false']);
});

test('S11 a short glance elsewhere is no absence', (t) => {
  const tab = new Tab(t).status('online');
  tab.show('hidden').pass(900);
  tab.show('visible').pass(10_000);
  assert.deepEqual(tab.news, ['kick']);
});

test('S11 presence is sent again on each stream', (t) => {
  const tab = new Tab(t).show('hidden');
  tab.pass(5000);
  assert.deepEqual(tab.news, [], 'nobody listens');
  tab.status('online').status('online');
  assert.deepEqual(tab.news, ['away true'], 'once per stream');
  tab.status('offline').status('connecting').status('online');
  assert.deepEqual(tab.news, ['away true']);
  tab.status('offline').show('visible').status('online').pass(5000);
  assert.deepEqual(tab.news, ['kick'], 'a new stream assumes that everybody is here');
});

test('S11 presence that a busy stream did not take is sent again', (t) => {
  const tab = new Tab(t).status('online');
  tab.isBehind = true;
  tab.show('hidden').pass(1000);
  tab.pass(500);
  assert.deepEqual(tab.news, []);
  tab.isBehind = false;
  tab.pass(500);
  assert.deepEqual(tab.news, ['away true']);
});

test('S6 S11 a page that freezes reports it at once and wakes later', (t) => {
  const tab = new Tab(t).status('online').show('hidden');
  tab.page.dispatchEvent(new Event('freeze'));
  assert.deepEqual(tab.news, ['away true']);
  tab.page.dispatchEvent(new Event('resume'));
  assert.deepEqual(tab.news, ['wake']);
  tab.show('visible');
  assert.deepEqual(tab.news, ['kick', 'away false']);
});

test('S6.10 the connection wakes when the network or the page comes back', (t) => {
  const tab = new Tab(t);
  tab.win.dispatchEvent(new Event('online'));
  tab.win.dispatchEvent(new Event('pageshow'));
  assert.deepEqual(tab.news, ['kick', 'wake']);
  tab.presence.stop();
  tab.win.dispatchEvent(new Event('online'));
  tab.show('hidden').pass(5000);
  assert.deepEqual(tab.news, []);
});

/** @type {Array<[string, Presence[], string[]]>} */
const LIVES = [
  ['somebody sits down again', ['gone', 'here'], ['came']],
  ['somebody leaves', ['here', 'gone'], ['left']],
  ['somebody looks elsewhere and returns', ['here', 'away', 'here'], []],
  ['the connection is lost and restored', ['here', 'lost', 'here'], ['lost', 'back']],
  ['the connection is lost for good', ['away', 'lost', 'gone'], ['lost', 'left']],
];

for (const [name, life, told] of LIVES) {
  test(`S11 players hear of others: ${name}`, (t) => {
    assert.deepEqual(tell(t, life, 3000), told);
  });
}

test('S11 somebody who has just sat down is not announced again', (t) => {
  assert.deepEqual(tell(t, ['gone', 'here', 'gone', 'here'], 500, new Set([2])), ['left', 'came']);
});

test('S11 a short interruption is not announced', (t) => {
  assert.deepEqual(tell(t, ['here', 'lost', 'here', 'lost', 'away'], 500), []);
});

/**
 * The notices when somebody's presence takes a series of states.
 *
 * @param {import('node:test').TestContext} t
 * @param {Presence[]} life
 * @param {number} ms between two of them
 * @param {Set<number>} [joined] seats that were just taken
 */
function tell(t, life, ms, joined = new Set()) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  /** @type {string[]} */
  const told = [];
  const voice = {
    news: (/** @type {string} */ who, /** @type {string} */ what) =>
      told.push(who === 'Bob' ? what : who),
  };
  const bars = { lostTimers: new Map(), joined };
  const s = /** @type {State} */ (/** @type {unknown} */ ({ bars }));
  const bob = { id: 2, nick: 'Bob', colour: 2, role: /** @type {const} */ ('player') };
  life.forEach((presence, i) => {
    if (i > 0) announcePresence(s, { ...bob, presence }, { ...bob, presence: life[i - 1] }, voice);
    t.mock.timers.tick(ms);
  });
  t.mock.timers.tick(60_000);
  return told;
}
