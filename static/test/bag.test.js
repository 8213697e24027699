import assert from 'node:assert/strict';
import { test } from 'node:test';

import { watch, whereOf } from '../js/parts/bag/bag.js';

test('O39.1 the page goes home when the server was out of reach for 30 s, and not before', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const s = /** @type {any} */ ({ link: { state: 'online' }, bars: [] });
  let left = 0;
  const stop = watch(s, () => left++);
  const is = (/** @type {string} */ state) => {
    s.link = { state };
    for (const draw of s.bars) draw();
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
  assert.equal(left, 1, 'a page that is stopped goes nowhere');
});

test('O39.4 a table that is closed is no server out of reach', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const s = /** @type {any} */ ({ link: { state: 'closed' }, bars: [] });
  watch(s, () => assert.fail('it went home'));
  t.mock.timers.tick(60_000);
});

test('O38, O39.3 where a set is, in words', () => {
  const s = { serverNow: () => 1000 };
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
