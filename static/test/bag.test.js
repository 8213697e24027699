import assert from 'node:assert/strict';
import { test } from 'node:test';

import { watch, whereOf } from '../js/parts/bag/bag.js';

test('O39.1 the page goes home after 30 s without the server, not sooner', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const s = /** @type {any} */ ({ net: { status: { state: 'online' } }, bars: { draw: [] } });
  let left = 0;
  const stop = watch(s, () => left++);
  const is = (/** @type {string} */ state) => {
    s.net.status = { state };
    for (const draw of s.bars.draw) draw();
  };
  is('waiting');
  t.mock.timers.tick(20_000);
  is('connecting');
  t.mock.timers.tick(9_999);
  assert.equal(left, 0);
  is('online');
  t.mock.timers.tick(60_000);
  assert.equal(left, 0, 'it was back in time');
  is('waiting');
  t.mock.timers.tick(30_000);
  assert.equal(left, 1);
  is('online');
  is('waiting');
  stop();
  t.mock.timers.tick(60_000);
  assert.equal(left, 1, 'a stopped page goes nowhere');
});

test('O39.4 a closed table does not count as an unreachable server', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const s = /** @type {any} */ ({ net: { status: { state: 'closed' } }, bars: { draw: [] } });
  watch(s, () => assert.fail('it went home'));
  t.mock.timers.tick(60_000);
});

test('O38, O39.3 a message says where a set is', () => {
  const s = { net: { serverNow: () => 1000 } };
  const say = (/** @type {object} */ item) =>
    whereOf(s, /** @type {any} */ ({ set: '', name: '', ...item }));
  assert.equal(say({ place: 'home' }), 'in your bag');
  assert.equal(say({ place: 'home', server: 'Ada’s' }), 'at home, on Ada’s');
  assert.equal(say({ place: 'other', server: 'Ben’s' }), 'on a table on Ben’s');
  assert.equal(say({ place: 'other', server: 'Ben’s', table: 'Skat' }), 'on the table “Skat”');
  assert.equal(say({ place: 'elsewhere', server: 'Ben’s' }), 'on Ben’s');
  assert.equal(say({ place: 'away', reason: 'it does not answer' }), 'away: it does not answer');
  assert.equal(
    say({ place: 'away', reason: 'it does not answer', until: 301_000 }),
    'away: it does not answer; it is asked again in 5 min',
  );
});
