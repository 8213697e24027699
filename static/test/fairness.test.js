// What a page does by itself for fairness: when it contributes, what it reveals, what it notes and
// keeps. Time passes only when the test says so.

import assert from 'node:assert/strict';
import test from 'node:test';
import { closingOf } from '../js/parts/fairness/draws.js';
import { fileOf, keepNotes, keptNotes } from '../js/parts/fairness/notes.js';
import { readNotes } from '../js/parts/fairness/files.js';
import { Dealer, MINUTE, NOBODY, Page, Store, TABLE } from './dealer.js';

test('S17.7, S17.13, S17.14 a page contributes when it comes, and reveals after the close', () => {
  const dealer = new Dealer();
  const page = new Page(dealer, 2).whole();
  assert.equal(page.said[0].hash.length, 64);
  assert.deepEqual(Object.keys(page.said[0]), ['type', 'round', 'mix', 'hash']);
  const { hash } = page.said[0];
  assert.deepEqual(page.ups, ['commit 1 1']);
  dealer.commit(3, 'd'.repeat(64));
  dealer.commit(2, hash);
  assert.deepEqual(page.ups, []);
  dealer.close();
  assert.equal(page.said[0].entropy, '21'.padStart(64, 'e'));
  assert.deepEqual(page.ups, ['reveal 1 1']);
  dealer.reveal(2, '21'.padStart(64, 'e'));
  dealer.mix();
  page.pass(10 * MINUTE);
  assert.deepEqual(page.ups, [], 'nothing was drawn');
});

test('S17.8 a page contributes to every round at once', () => {
  const dealer = new Dealer();
  const page = new Page(dealer, 2).whole();
  dealer.serve(page);
  dealer.open();
  assert.deepEqual(page.ups, ['commit 2 1']);
});

test('S17.9, S17.10, S17.12 a page contributes again after a draw, at most once a minute', () => {
  const dealer = new Dealer();
  const page = new Page(dealer, 2).whole();
  dealer.serve(page);
  page.pass(10_000);
  dealer.draw();
  dealer.draw();
  page.pass(MINUTE - 10_001);
  assert.deepEqual(page.ups, []);
  page.pass(1);
  assert.equal(page.said.length, 1);
  assert.notEqual(page.said[0].hash, page.kept.rounds[0].shares[0].entropy);
  dealer.serve(page);
  page.pass(2 * MINUTE);
  assert.deepEqual(page.ups, []);
  dealer.draw();
  assert.deepEqual(page.ups, ['commit 1 3'], 'at once, a minute has passed');
  const [{ shares }] = page.kept.rounds;
  assert.equal(new Set(shares.map((s) => s.entropy)).size, 2, 'with new bytes each time');
});

test('S17.11 a draw hidden in its own seat makes no page contribute', () => {
  const dealer = new Dealer();
  const page = new Page(dealer, 2).whole();
  dealer.serve(page);
  page.frame({
    facts: [{ round: 1, fact: 'drawn', audience: 2, number: 1, mix: 1, seal: 'b'.repeat(64) }],
  });
  page.pass(10 * MINUTE);
  assert.deepEqual(page.ups, [], 'finding S4');
  assert.equal(page.kept.rounds[0].seals.length, 1, 'it is noted');
  dealer.draw();
  assert.deepEqual(page.ups, ['commit 1 2'], 'after a draw for everybody');
});

test('S17.17 a spectator notes what it reads and sends nothing', () => {
  const dealer = new Dealer();
  const page = new Page(dealer, 2);
  page.plays = false;
  page.whole();
  dealer.commit(3, 'd'.repeat(64));
  dealer.close();
  dealer.mix();
  dealer.draw();
  dealer.open();
  page.pass(10 * MINUTE);
  assert.deepEqual(page.ups, []);
  const [one, two] = page.kept.rounds;
  assert.deepEqual(
    [one.closings.length, one.pools.length, one.seals.length, one.shares.length], [1, 1, 1, 0],
  );
  assert.equal(two.before, NOBODY);
});

test('S17.15 an unconfirmed commitment is sent again, at once on a new stream', () => {
  const dealer = new Dealer();
  const page = new Page(dealer, 2);
  page.isBehind = true;
  page.whole();
  assert.deepEqual(page.ups, []);
  page.isBehind = false;
  page.pass(5000);
  const [{ hash }] = page.said;
  assert.deepEqual(page.ups, ['commit 1 1']);
  dealer.draw();
  assert.deepEqual(page.ups, [], 'not with every frame');
  page.pass(5000);
  assert.equal(page.said[0].hash, hash, 'the same share');
  assert.deepEqual(page.ups, ['commit 1 1']);
  page.frame({ resumed: true });
  assert.deepEqual(page.ups, ['commit 1 1']);
  dealer.commit(2, hash);
  page.isBehind = true;
  dealer.close();
  page.isBehind = false;
  page.frame({ resumed: true });
  assert.deepEqual(page.ups, ['reveal 1 1']);
  page.whole();
  assert.deepEqual(page.ups, ['reveal 1 1'], 'also after a full state');
  dealer.reveal(1, '21'.padStart(64, 'e'));
  page.pass(MINUTE);
  assert.deepEqual(page.ups, []);
});

test('F4.9, F5.9, S17.16 a late commitment is replaced for the next mix, not revealed', () => {
  const dealer = new Dealer();
  const page = new Page(dealer, 2).whole();
  const [late] = page.said.splice(0);
  dealer.commit(3, 'd'.repeat(64));
  dealer.close();
  page.pass(20_000);
  assert.deepEqual(page.ups, []);
  dealer.mix();
  assert.notEqual(page.said[0].hash, late.hash);
  assert.deepEqual(page.ups, ['commit 1 2']);
});

test('F15.10, F15.11 a player is notified once when two shares in a row are left out', () => {
  const dealer = new Dealer();
  const page = new Page(dealer, 2).whole();
  const leftOut = () => page.news.filter((n) => n.type === 'leftOut').length;
  for (const [n, want] of [0, 1, 1].entries()) {
    dealer.commit(3, String(n).repeat(64));
    dealer.close();
    dealer.mix();
    assert.equal(leftOut(), want, `after ${n + 1} mixes`);
    page.said.splice(0, page.said.length - 1);
  }
  dealer.serve(page);
  dealer.draw();
  page.pass(MINUTE);
  dealer.commit(2, page.said[0].hash);
  page.said.splice(0);
  dealer.close();
  dealer.mix(); // its share was not taken
  assert.equal(leftOut(), 1, 'one more is a slow line');
});

test('F4.8, S17.14, S17.19, S17.20 a wrong close is reported and not answered', () => {
  const dealer = new Dealer();
  const page = new Page(dealer, 2).whole();
  dealer.commit(2, page.said.splice(0)[0].hash);
  page.frame({ facts: [{ round: 1, fact: 'closed', mix: 1, closing: 'c'.repeat(64) }] });
  assert.deepEqual(page.news, [{ type: 'contradiction' }]);
  page.frame({
    facts: [{ round: 1, fact: 'drawn', audience: 0, number: 1, mix: 0, seal: 'a'.repeat(64) }],
  });
  page.pass(10 * MINUTE);
  page.frame({ resumed: true });
  assert.deepEqual([page.ups, page.news.length], [[], 1]);
  const { fault } = page.kept;
  assert.deepEqual([fault?.fault, fault?.round, fault?.got], ['closing', 1, 'c'.repeat(64)]);
  page.whole();
  assert.deepEqual(page.ups, ['commit 1 1'], 'a full state is a new beginning');
  assert.equal(page.kept.fault?.got, 'c'.repeat(64), 'the contradiction is remembered');
});

test('F4.8 a full state with a wrong close is not answered either', () => {
  const dealer = new Dealer();
  const page = new Page(dealer, 2).whole();
  dealer.commit(2, page.said.splice(0)[0].hash);
  const standing = { ...dealer.standing(), revealing: true, closing: 'c'.repeat(64) };
  page.frame({ full: true, randomness: standing });
  page.pass(MINUTE);
  assert.deepEqual([page.ups, page.news], [[], [{ type: 'contradiction' }]]);
});

test('F4.13, S17.17 a reload between commitment and close keeps the share', () => {
  const dealer = new Dealer();
  const page = new Page(dealer, 2).whole();
  dealer.commit(2, page.said.splice(0)[0].hash);
  const again = page.reload().whole();
  assert.deepEqual(again.ups, [], 'its share is there');
  dealer.close();
  assert.equal(again.said[0].entropy, '21'.padStart(64, 'e'));
  assert.deepEqual(again.ups, ['reveal 1 1']);
  assert.deepEqual(again.kept.rounds[0].shares, [
    { mix: 1, seat: 2, entropy: '21'.padStart(64, 'e') },
  ]);
});

test('F4.13, F4.14, S17 a reload after the close reveals the share, then deletes it', () => {
  const dealer = new Dealer();
  const page = new Page(dealer, 2).whole();
  dealer.commit(2, page.said.splice(0)[0].hash);
  page.isBehind = true;
  dealer.close();
  const again = page.reload().whole();
  assert.equal(again.said[0].entropy, '21'.padStart(64, 'e'));
  assert.deepEqual(again.ups, ['reveal 1 1']);
  assert.equal(again.session?.length, 1, 'it may still be lost');
  dealer.reveal(1, '21'.padStart(64, 'e'));
  assert.equal(again.session?.length, 0);
  assert.deepEqual(again.reload().whole().ups, []);
  dealer.mix();
  assert.deepEqual(again.news, []);
});

test('S17 a commitment lost in a reload is sent again with the same share', () => {
  const dealer = new Dealer();
  const page = new Page(dealer, 2).whole();
  const [{ hash }] = page.said;
  const again = page.reload().whole();
  assert.equal(again.said[0].hash, hash);
});

test('F4.14, S17 a kept share of another mix, round, epoch or seat is deleted', () => {
  const dealer = new Dealer();
  /** @param {(page: Page) => Page} f @param {string} what */
  const forgets = (f, what) => {
    const page = new Page(dealer, 2).whole();
    const [{ hash }] = page.said;
    dealer.pages = [];
    const again = f(page);
    const [commit] = again.whole().said;
    assert.notEqual(commit.hash, hash, what);
    assert.ok(!again.session?.getItem(`holt.share.${TABLE}`)?.includes(hash), what);
  };
  forgets((page) => {
    dealer.commit(3, 'd'.repeat(64));
    dealer.close();
    dealer.mix();
    return page.again(page.session);
  }, 'another mix');
  forgets((page) => {
    dealer.open();
    return page.again(page.session);
  }, 'another round');
  forgets((page) => {
    dealer.epoch++;
    return page.again(page.session);
  }, 'another epoch');
  forgets((page) => new Page(dealer, 5, page.store, page.session), 'another seat');
  forgets((page) => {
    const key = `holt.share.${TABLE}`;
    page.session?.setItem(
      key, String(page.session.getItem(key)).replace(/"entropy":"e/, '"entropy":"f'),
    );
    return page.again(page.session);
  }, 'something else that was written there');
});

test('F4.15, S17 a duplicated tab reveals the same share; a new tab has its own', () => {
  const dealer = new Dealer();
  const page = new Page(dealer, 2).whole();
  dealer.commit(2, page.said.splice(0)[0].hash);
  const copied = new Store();
  copied.setItem(`holt.share.${TABLE}`, String(page.session?.getItem(`holt.share.${TABLE}`)));
  const twin = page.again(copied).whole();
  const other = page.again(new Store()).whole();
  const own = other.said.splice(0)[0].hash;
  assert.deepEqual([twin.ups, own === dealer.mixing.shares[0].hash], [[], false]);
  dealer.commit(2, own);
  dealer.close();
  assert.deepEqual(
    [page.said[0].entropy, twin.said[0].entropy], Array(2).fill('21'.padStart(64, 'e')),
  );
  assert.notEqual(other.said[0].entropy, page.said[0].entropy);
  dealer.reveal(1, page.said[0].entropy);
  assert.deepEqual([page, twin].map((p) => p.session?.length), [0, 0]);
});

test('S17 without session storage a reload loses only the share', () => {
  const dealer = new Dealer();
  for (const session of [null, Object.assign(new Store(), { room: 0 })]) {
    dealer.pages = [];
    const page = new Page(dealer, 2, new Store(), session).whole();
    dealer.commit(2, page.said.splice(0)[0].hash);
    dealer.close();
    const again = page.reload().whole();
    assert.deepEqual(again.ups, []);
    dealer.mix(); // names it as withheld
    assert.deepEqual(again.ups, [`commit 1 ${dealer.mixing.mixed + 1}`]);
    assert.deepEqual(again.news, []);
  }
});

test('F4.16 a share is kept only with notes and without a contradiction', () => {
  const dealer = new Dealer();
  const without = new Page(dealer, 2, null).whole();
  assert.equal(without.said.length, 1);
  assert.equal(without.session?.length, 0);
  const page = new Page(dealer, 2).whole();
  dealer.commit(2, page.said.splice(0)[0].hash);
  assert.equal(page.session?.length, 1);
  dealer.close();
  const more = [...dealer.mixing.shares, { seat: 1, hash: 'd'.repeat(64), entropy: '' }];
  const standing = { ...dealer.standing(), shares: more, closing: closingOf(TABLE, 1, 1, more) };
  page.said = [];
  const again = page.reload();
  again.frame({ full: true, randomness: standing });
  assert.deepEqual([again.ups, again.news], [[], [{ type: 'contradiction' }]]);
  assert.equal(again.session?.length, 0);
});

/** What a page has said of tables that lie as they were set up. @param {Page} page */
const untouched = (page) => page.news.flatMap((n) => (n.type === 'untouched' ? [n.is] : []));

test('F5.10 the host learns that a shared pool is unused, and when it is used', () => {
  const dealer = new Dealer();
  const host = new Page(dealer, 1).whole();
  dealer.serve(host);
  assert.deepEqual(untouched(host), [], 'the host is alone');
  const friend = new Page(dealer, 2).whole();
  dealer.serve(friend);
  assert.deepEqual(untouched(host), [true]);
  assert.deepEqual(untouched(friend), [], 'latecomers may have missed something');
  dealer.draw();
  assert.deepEqual(untouched(host), [true, false]);
  host.pass(MINUTE);
  dealer.serve(host);
  assert.deepEqual(untouched(host), [true, false]);
});

test('F5 withheld shares and other tabs of the host do not count', () => {
  const dealer = new Dealer();
  const host = new Page(dealer, 1).whole();
  dealer.serve(host);
  const tab = new Page(dealer, 1).whole();
  dealer.serve(tab);
  dealer.commit(2, 'd'.repeat(64));
  dealer.close();
  dealer.mix();
  assert.deepEqual(untouched(host), []);
});

test('F5 a reloaded page remembers its share and past draws', () => {
  const dealer = new Dealer();
  const host = new Page(dealer, 1).whole();
  dealer.serve(host);
  const again = host.reload().whole();
  const friend = new Page(dealer, 2).whole();
  again.said = [];
  dealer.serve(friend);
  assert.deepEqual(untouched(again), [true]);
  dealer.draw();
  again.pass(2000);
  assert.deepEqual(untouched(again.reload().whole()), []);
});

test('F5.10 later rounds make no suggestion: the host has seen pieces', () => {
  const dealer = new Dealer();
  const host = new Page(dealer, 1).whole();
  const friend = new Page(dealer, 2).whole();
  dealer.serve(host, friend);
  dealer.open();
  dealer.serve(host, friend);
  assert.deepEqual(untouched(host), [true, false]);
});

test('F14 notes survive a reload and expose a contradiction', () => {
  const dealer = new Dealer();
  const page = new Page(dealer, 2).whole();
  dealer.serve(page);
  dealer.draw();
  page.fairness.stop();
  dealer.pages = [];
  const again = new Page(dealer, 2, page.store).whole();
  assert.deepEqual(again.ups, ['commit 1 2'], 'another client has another share');
  const [{ seals, shares, pools }] = again.kept.rounds;
  assert.deepEqual([seals.length, shares.length, pools.length], [1, 1, 1]);
  assert.deepEqual(again.news, []);
  readNotes(fileOf(TABLE, again.kept.rounds));

  const liar = new Page(dealer, 2, page.store);
  liar.frame({ full: true, randomness: { ...dealer.standing(), pool: 'b'.repeat(64) } });
  assert.deepEqual(liar.news, [{ type: 'contradiction' }]);
  assert.equal(liar.kept.fault?.fault, 'pool');
});

test('F14 draws are noted together after a moment, or when the page goes', () => {
  const dealer = new Dealer();
  const page = new Page(dealer, 2).whole();
  dealer.draw();
  dealer.draw();
  assert.equal(page.kept.rounds[0].seals.length, 0);
  page.pass(1000);
  assert.equal(page.kept.rounds[0].seals.length, 2);
  dealer.draw();
  page.fairness.keep();
  assert.equal(page.kept.rounds[0].seals.length, 3);
  dealer.draw();
  page.fairness.stop();
  assert.equal(page.kept.rounds[0].seals.length, 4);
});

test('F14 two tabs share notes and discover contradictions', () => {
  const dealer = new Dealer();
  const store = new Store();
  const page = new Page(dealer, 2, store).whole();
  const tab = new Page(dealer, 2, store).whole();
  dealer.serve(page);
  dealer.pages = [tab];
  dealer.draw();
  dealer.pages = [page];
  dealer.draw();
  page.fairness.keep();
  tab.fairness.keep();
  assert.deepEqual(page.kept.rounds[0].seals.map((s) => s.number).sort(), [1, 2]);
  const { fault: none } = page.kept;
  assert.equal(none, null);
  page.frame({
    facts: [{ round: 1, fact: 'drawn', audience: 0, number: 1, mix: 1, seal: 'f'.repeat(64) }],
  });
  page.fairness.keep();
  assert.equal(page.kept.fault?.fault, 'seal');
});

test('F14 without a store a page does everything but keep notes', () => {
  const dealer = new Dealer();
  const page = new Page(dealer, 2, null).whole();
  dealer.serve(page);
  dealer.draw();
  page.pass(MINUTE);
  assert.deepEqual(page.ups, ['commit 1 2']);
});

test('F14 notes are bounded: derivable seals go first, then the oldest rounds', () => {
  const store = new Store();
  /** @param {number} round @param {number} seals */
  const round = (round, seals) => ({
    round,
    commitment: 'c'.repeat(64),
    closings: [],
    pools: [],
    seals: Array.from({ length: seals }, (_, i) => ({
      audience: i % 2 ? 4 : 0, number: 1 + (i >> 1), seal: 'a'.repeat(64),
    })),
    shares: [{ mix: 1, seat: 1, entropy: 'e'.repeat(64) }],
  });
  const keep = (/** @type {any[]} */ rounds) =>
    keepNotes(store, TABLE, { epoch: 1, from: 0, fault: null, rounds }, 1);
  keep([round(1, 1000), round(2, 4000), round(3, 10)]);
  const [thinned] = keptNotes(store, TABLE);
  assert.deepEqual(
    thinned.rounds.map((r) => r.seals.length), [2, 2, 10],
    'the last draw of each audience is enough',
  );
  assert.deepEqual(
    thinned.rounds[0].seals.map((s) => s.number), [500, 500],
  );
  assert.equal(thinned.from, 0, 'that loses nothing');
  keep([round(4, 6000)]);
  assert.equal(keptNotes(store, TABLE)[0].rounds[3].seals.length, 800);
  for (let n = 5; n < 2000; n += 100) keep(Array.from({ length: 100 }, (_, i) => round(n + i, 2)));
  const [{ from, rounds }] = keptNotes(store, TABLE);
  assert.ok(
    from > 4 && from === rounds[0].round && rounds.at(-1)?.round === 2004,
    `nothing remains of rounds before ${from}`,
  );
  assert.ok((store.getItem(`holt.fair.${TABLE}`) ?? '').length <= 2 ** 18);
  keep([round(2, 1)]);
  assert.equal(keptNotes(store, TABLE)[0].rounds[0].round, from, 'what was dropped stays dropped');
});

test('F14 a full store drops the notes of the tables not used for longest', () => {
  const store = new Store();
  const tables = ['1', '2', '3'].map((digit) => digit.repeat(32));
  const rounds = [
    { round: 1, commitment: 'c'.repeat(64), closings: [], pools: [], seals: [], shares: [] },
  ];
  tables.forEach((table, i) => {
    keepNotes(store, table, { epoch: 1, from: 0, fault: null, rounds }, [20, 10, 30][i]);
  });
  const size = `holt.fair.${TABLE}`.length + (store.getItem(`holt.fair.${tables[0]}`) ?? '').length;
  store.setItem('other', '');
  store.room = 3 * size + 'other'.length;
  assert.ok(keepNotes(store, TABLE, { epoch: 1, from: 0, fault: null, rounds }, 40));
  assert.deepEqual([...tables, TABLE].map((t) => keptNotes(store, t).length), [1, 0, 1, 1]);
  assert.equal(store.getItem('other'), '', 'other entries of the store stay');
  store.room = 10;
  assert.equal(keepNotes(store, TABLE, { epoch: 1, from: 0, fault: null, rounds }, 50), false);
});

test('F2 and T19 notes of an undone history are kept apart', () => {
  const dealer = new Dealer();
  const page = new Page(dealer, 2).whole();
  dealer.serve(page);
  dealer.draw();
  dealer.open();
  dealer.epoch = 6;
  dealer.round = 1;
  dealer.open();
  assert.deepEqual(page.news.length, 2, 'a second round 2 on one stream is invalid');
  const other = new Page(dealer, 2, page.store).whole();
  assert.deepEqual(other.news, []);
  const kept = keptNotes(page.store, TABLE);
  assert.deepEqual(
    kept.map((h) => [h.epoch, h.rounds.map((r) => r.round)]),
    [
      [5, [1, 2]],
      [6, [2]],
    ],
  );
  for (let epoch = 7; epoch < 10; epoch++) {
    dealer.epoch = epoch;
    dealer.open();
    other.whole();
  }
  assert.deepEqual(keptNotes(page.store, TABLE).map((h) => h.epoch), [7, 8, 9], 'the last ones');
});

test('F10 and F11 new rounds and revealed seeds are announced once a frame', () => {
  const dealer = new Dealer();
  const page = new Page(dealer, 2).whole();
  dealer.draw();
  dealer.open();
  dealer.draw();
  dealer.open(true);
  assert.deepEqual(page.news, [
    { type: 'rounds', opened: 2, told: [] },
    { type: 'rounds', opened: 3, told: [2] },
  ]);
  dealer.tell({ fact: 'told', round: 1, seed: dealer.seed(1) });
  assert.deepEqual(page.news.at(-1), { type: 'rounds', opened: 0, told: [1] });
  dealer.tell({ fact: 'told', round: 2, seed: dealer.seed(1) });
  assert.deepEqual(page.news.at(-1), { type: 'contradiction' }, 'a seed without a commitment');
});

test('nothing is said of a round in which nothing was drawn', () => {
  const dealer = new Dealer();
  const page = new Page(dealer, 2).whole();
  dealer.open();
  dealer.draw();
  dealer.open(true);
  dealer.tell({ fact: 'told', round: 1, seed: dealer.seed(1) });
  assert.deepEqual(page.news, [{ type: 'rounds', opened: 3, told: [2] }]);
});

test('F14 unreadable notes count as none', () => {
  const store = new Store();
  for (const text of [
    '', '{', '[]', 'null', '{"format":"holt.fair.kept/1"}',
    '{"format":"holt.fair.kept/1","histories":[{"epoch":1,"rounds":[{}]}]}', '{"format":"another"}',
  ]) {
    store.setItem(`holt.fair.${TABLE}`, text);
    assert.deepEqual(keptNotes(store, TABLE), []);
    const page = new Page(new Dealer(), 2, store).whole();
    assert.equal(page.kept.rounds.length, 1);
  }
});
