import assert from 'node:assert/strict';
import { test } from 'node:test';

import { asideOf, bind, watch, whereOf } from '../js/parts/bag/bag.js';

/**
 * A page that watches its server.
 * @param {import('node:test').TestContext} t
 */
function watched(t) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const s = /** @type {any} */ ({ net: { status: { state: 'online' } }, bars: { draw: [] } });
  const did = { left: 0, asked: 0, hushed: 0, stay: () => {}, go: () => {} };
  const stop = watch(s, () => did.left++, (go, stay) => {
    did.asked++;
    Object.assign(did, { go, stay });
    return () => did.hushed++;
  });
  const is = (/** @type {string} */ state) => {
    s.net.status = { state };
    for (const draw of s.bars.draw) draw();
  };
  return { did, is, stop };
}

// Clauses: O39.1, O39.5
test('O39.1, O39.5 without its server the page asks after 30 s and goes 20 s later', (t) => {
  const { did, is, stop } = watched(t);
  is('waiting');
  t.mock.timers.tick(20_000);
  is('connecting');
  t.mock.timers.tick(9_999);
  assert.equal(did.asked, 0);
  is('online');
  t.mock.timers.tick(60_000);
  assert.equal(did.asked, 0, 'it was back in time');
  is('waiting');
  t.mock.timers.tick(30_000);
  assert.deepEqual([did.asked, did.left], [1, 0]);
  t.mock.timers.tick(19_999);
  assert.equal(did.left, 0, 'nobody leaves before they could stay');
  t.mock.timers.tick(1);
  assert.equal(did.left, 1);
  is('online');
  is('waiting');
  stop();
  t.mock.timers.tick(60_000);
  assert.deepEqual([did.asked, did.left], [1, 1], 'a stopped page goes nowhere');
});

test('O39.5 who stays is not sent home, nor who is asked while the server comes back', (t) => {
  const { did, is } = watched(t);
  is('waiting');
  t.mock.timers.tick(30_000);
  did.stay();
  is('connecting');
  is('waiting');
  t.mock.timers.tick(120_000);
  assert.deepEqual([did.asked, did.hushed, did.left], [1, 1, 0], 'they are not asked again');
  is('online');
  is('waiting');
  t.mock.timers.tick(35_000);
  assert.equal(did.asked, 2, 'it is another outage');
  is('online');
  t.mock.timers.tick(120_000);
  assert.deepEqual([did.hushed, did.left], [2, 0]);
  is('waiting');
  t.mock.timers.tick(30_000);
  did.go();
  assert.equal(did.left, 1, 'they can go at once');
});

test('O39.4 a closed table does not count as an unreachable server', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const s = /** @type {any} */ ({ net: { status: { state: 'closed' } }, bars: { draw: [] } });
  watch(s, () => assert.fail('it went home'));
  t.mock.timers.tick(60_000);
});

test('O53.18 sets that come onto the table together lie beside each other', () => {
  for (const all of [1, 2, 3, 4, 5, 8]) {
    const places = Array.from({ length: all }, (_, n) => asideOf(n, all));
    for (const [i, a] of places.entries())
      for (const b of places.slice(i + 1))
        assert.ok(Math.abs(a.x - b.x) >= 1000 || Math.abs(a.y - b.y) >= 1300, `${all}: ${i}`);
    const [left, right] = [Math.min, Math.max].map((f) => f(...places.map(({ x }) => x)));
    const [top, bottom] = [Math.min, Math.max].map((f) => f(...places.map(({ y }) => y)));
    assert.deepEqual([left + right, top + bottom], [0, 0], `${all}: about the middle`);
  }
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
    'away: it does not answer; trying again in 5 min',
  );
});

/**
 * Returns what a page says about a set that its person carried through a door.
 * @param {import('node:test').TestContext} t
 * @param {string[]} places where the set is, each time the bag is asked; the last one for good
 */
async function afterCarrying(t, places) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(globalThis, 'fetch', async () => {
    const place = places.length > 1 ? places.shift() : places[0];
    return Response.json({ known: true, sets: [{ set: 'a', name: 'Deck', place }] });
  });
  /** @type {string[]} */
  const said = [];
  const say = (/** @type {string} */ text) => said.push(text);
  const s = /** @type {any} */ ({
    api: '', net: { status: { state: 'online' } },
    page: { main: { dataset: { carry: 'a', pieces: '1' } } },
    sync: { you: 1, seats: new Map([[1, { role: 'spectator' }]]) },
  });
  bind(s, /** @type {any} */ ({ alarm: say, notice: say }));
  for (let n = 0; n < 40; n++) {
    await new Promise((f) => setImmediate(f));
    await new Promise((f) => setImmediate(f));
    t.mock.timers.tick(1000);
  }
  return said;
}

test('O51.5 the page says that a set is in the bag only if it is there', async (t) => {
  const not = 'What you brought could not be put on this table.';
  for (const [places, said] of /** @type {[string[], string[]][]} */ ([
    [['other', 'other', 'home'], [`${not} It is in your bag.`]],
    [['here'], [`${not} It is in your bag.`]],
    [['other'], [not]], // the first table has not given it back
    [['away'], [not]],
    [['table'], []],
  ])) {
    await t.test(places.join(), async (each) => {
      assert.deepEqual(await afterCarrying(each, [...places]), said);
    });
  }
});
