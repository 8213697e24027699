// A phone at the table: fingers drag pieces, scroll and zoom.

import assert from 'node:assert/strict';
import test from 'node:test';
import { swipe } from './fingers.js';
import { party, phone } from './party.js';
import {
  agree, away, frame, middle, named, piece, pieces, same, scale, seen, still, until,
} from './pieces.js';

test('a finger drags a piece, and the other player sees it', async (t) => {
  const { host, friend } = await party(t, { friend: phone });
  const mine = await named(friend.page, 'White pawn');
  const theirs = await same(host.page, mine);
  await still(friend.page);
  const from = await middle(friend.page, mine.id);
  await swipe(friend.page, [{ from, to: await away(friend.page, from, { x: 0, y: -500 }) }]);
  await friend.page.waitForFunction(
    ({ id, y }) =>
      Number(document.querySelector(`[data-piece="${id}"]`)?.getAttribute('data-y')) < y - 300,
    mine,
  );
  const put = await until(friend.page, mine.id, { holder: 0 });
  await until(host.page, theirs.id, { x: put.x, y: put.y, holder: 0 });
});

test('the hint goes when somebody on a phone has done something, and stays away', async (t) => {
  const { friend } = await party(t, { friend: phone });
  const { page } = friend;
  const hint = page.getByRole('button', { name: 'Got it' });
  await hint.waitFor();
  const mine = await named(page, 'White pawn');
  await still(page);
  const from = await middle(page, mine.id);
  await page.touchscreen.tap(from.x, from.y);
  assert.ok(await hint.isVisible(), 'a tap that selects a piece changes nothing');
  await swipe(page, [{ from, to: { x: from.x, y: from.y - 80 } }]);
  await hint.waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByRole('button', { name: 'Everything' }).waitFor();
  assert.equal(await hint.count(), 0);
});

test('a finger on the empty table scrolls it and moves no piece', async (t) => {
  const { friend } = await party(t, { friend: phone });
  const { page } = friend;
  const before = await pieces(page);
  await pinch(page, 40, 80);
  await still(page);
  const place = await middle(page, before[0].id);
  await swipe(page, [{ from: { x: 195, y: 422 }, to: { x: 195, y: 300 } }]);
  await page.waitForFunction(
    ({ id, y }) => {
      const r = document.querySelector(`[data-piece="${id}"]`)?.getBoundingClientRect();
      return r !== undefined && r.top + r.height / 2 < y - 40;
    },
    { id: before[0].id, y: place.y },
  );
  assert.deepEqual(
    (await pieces(page)).map((p) => [p.id, p.x, p.y]),
    before.map((p) => [p.id, p.x, p.y]),
  );
});

test('T24 a finger on another’s hand scrolls the table and shows the reason', async (t) => {
  const { host, friend } = await party(t, { game: 'cards', friend: phone });
  const { page } = friend;
  const mine = await piece(
    host.page, Number(await host.page.locator('[data-piece].hand.own').getAttribute('data-piece')),
  );
  const theirs = await same(page, mine);
  await host.page.locator(`[data-piece="${mine.id}"]`).focus();
  await host.page.keyboard.press('p');
  await page.locator(`[data-piece="${theirs.id}"]:not([aria-label*="pinned"])`).waitFor();
  await page.getByRole('button', { name: 'Got it' }).tap();
  await page.getByRole('button', { name: 'Show everything' }).tap(); // all of the table
  await still(page);
  const from = await middle(page, theirs.id);
  await swipe(page, [{ from, to: { x: from.x, y: from.y + 120 } }]);
  await page.waitForFunction(
    ({ id, y }) => {
      const r = document.querySelector(`[data-piece="${id}"]`)?.getBoundingClientRect();
      return r !== undefined && r.top + r.height / 2 > y + 40;
    },
    { id: theirs.id, y: from.y },
  );
  await seen(page, /Ada’s hand\. Only Ada or a host can move it/);
  const { x, y, holder } = await piece(page, theirs.id);
  assert.deepEqual([x, y, holder], [theirs.x, theirs.y, 0]);
});

test('two fingers zoom about the point between them', async (t) => {
  const { friend } = await party(t, { friend: phone });
  const { page } = friend;
  await still(page);
  const before = await scale(page);
  await pinch(page, 40, 100);
  await page.waitForFunction(
    (k) => Number(document.querySelector('main#table')?.getAttribute('data-scale')) / 10 > k * 1.5,
    before,
  );
  await frame(page); // everything that the fingers did is drawn
  const wide = await scale(page);
  assert.ok(
    Math.abs(wide / before - 200 / 80) < 0.4,
    `fingers went 2.5 times as far apart, the table became ${wide / before} times as large`,
  );
  await pinch(page, 100, 40);
  await page.waitForFunction(
    (k) => Number(document.querySelector('main#table')?.getAttribute('data-scale')) / 10 < k * 0.7,
    wide,
  );
});

test('a tap selects and shows buttons that fit a finger', async (t) => {
  const { host, friend } = await party(t, { friend: phone });
  const { page } = friend;
  const mine = await named(page, 'White pawn');
  const theirs = await same(host.page, mine);
  const at = await middle(page, mine.id);
  await page.touchscreen.tap(at.x, at.y);
  const tools = page.getByRole('toolbar', { name: 'What to do with the selection' });
  await tools.waitFor();
  for (const button of await tools.getByRole('button').all()) {
    if (!(await button.isVisible())) continue;
    const box = await button.boundingBox();
    assert.ok(
      box && box.width >= 40 && box.height >= 40,
      `${await button.getAttribute('aria-label')} is large enough: ${box?.width} × ${box?.height}`,
    );
  }
  await tools.getByRole('button', { name: 'More', exact: true }).tap();
  await page.getByRole('menuitem', { name: /^Rotate$/ }).tap();
  await until(host.page, theirs.id, { angle: 1500 });
});

test('two kinds of device show the same table after many gestures', async (t) => {
  const { host, friend } = await party(t, { friend: phone });
  for (const name of ['White pawn', 'Black pawn', 'White knight']) {
    const mine = await named(friend.page, name);
    await still(friend.page);
    const from = await middle(friend.page, mine.id);
    await swipe(friend.page, [{ from, to: await away(friend.page, from, { x: 250, y: 750 }) }]);
    await friend.page.waitForFunction(
      ({ id, y }) =>
        Number(document.querySelector(`[data-piece="${id}"]`)?.getAttribute('data-y')) > y + 300,
      mine,
    );
    await frame(friend.page);
    assert.equal((await piece(friend.page, mine.id)).holder, 0);
  }
  await agree(host.page, friend.page);
});

/**
 * Two fingers in the middle of the phone, each as far from it as given.
 *
 * @param {import('playwright-core').Page} page
 * @param {number} from
 * @param {number} to in px
 */
function pinch(page, from, to) {
  const at = (/** @type {number} */ dx) => ({ x: 195 + dx, y: 422 });
  return swipe(page, [
    { from: at(-from), to: at(-to) },
    { from: at(from), to: at(to) },
  ]);
}

test('a phone first shows what its player needs beside the board', async (t) => {
  const needs = [
    ['go', ['White stones']], ['ur', ['Dark’s discs', 'Throw']],
    ['ask', ['Give cards', 'Score points', 'Choose weather', 'Switch a lamp']],
    ['house', ['Stairs']],
  ];
  for (const [game, names] of needs) {
    const { friend: { page } } = await party(t, { game: String(game), friend: phone });
    await still(page);
    for (const name of names) {
      const { x } = await middle(page, (await named(page, name)).id);
      assert.ok(x > 10 && x < 380, `${name} of ${game} lies in the window, at ${x}`);
    }
  }
});

test('a phone first shows dice in the own hand above the bars, also selected', async (t) => {
  const { friend: { page } } = await party(t, { game: 'liars-dice', friend: phone });
  await page.getByRole('button', { name: 'Got it' }).tap();
  await still(page);
  const own = page.locator('[data-piece][aria-label*="in your hand"]');
  assert.equal(await own.count(), 5);
  const lowest = () => own.evaluateAll((all) =>
    Math.max(...all.map((e) => e.getBoundingClientRect().bottom)));
  const bar = async () => (await page.locator('.toolbar').boundingBox())?.y ?? 0;
  const bars = () => page.locator('.toolbar, .viewbar, .tablebar').evaluateAll((all) =>
    Math.min(...all.map((e) => e.getBoundingClientRect()).filter(({ height }) => height > 0)
      .map(({ top }) => top)));
  assert.ok(await lowest() < await bars(), `${await lowest()} px, bars ${await bars()}`);
  await own.first().tap();
  await page.getByRole('button', { name: 'Done' }).waitFor();
  await still(page);
  assert.ok(await lowest() < await bar(), `${await lowest()} px, bar ${await bar()}`);
});

test('a tap on a button beside a die presses the button', async (t) => {
  const { friend: { page } } = await party(t, { game: 'goose', friend: phone });
  await page.getByRole('button', { name: 'Got it' }).tap();
  await still(page);
  const { id } = await named(page, 'Roll');
  const box = await page.locator(`[data-piece="${id}"]`).boundingBox();
  assert.ok(box);
  for (let i = 0; i < 2; i++) await page.touchscreen.tap(box.x + 3, box.y + box.height / 2);
  await seen(page, /You rolled/);
});
