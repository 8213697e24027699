// Parts of the page are loaded when they are needed. When a part cannot be had the page says so,
// and loads it later.

import assert from 'node:assert/strict';
import test from 'node:test';
import { bringBack, cutOff } from './outage.js';
import { atTable, party } from './party.js';
import { drag, eventually, focus, named, said } from './pieces.js';

/** @typedef {import("playwright-core").Page} Page */

/** The names of the scripts and styles that a page has, except its own. @param {Page} page */
async function partsOf(page) {
  const names = await page.evaluate(() =>
    performance.getEntriesByType('resource').map((e) => new URL(e.name).pathname),
  );
  return [
    ...new Set(names.flatMap((name) => /^\/assets\/([a-z]+)-[^/]*\.js$/.exec(name)?.[1] ?? [])),
  ]
    .filter((name) => name !== 'main')
    .sort();
}

/**
 * Checks that a page has these parts and no other. A part that the page needs may come after the
 * table is shown: a busy server does not wait to learn which parts the table needs.
 *
 * @param {Page} page
 * @param {string[]} wanted
 */
async function assertParts(page, wanted) {
  /** @type {string[]} */
  let there = [];
  await eventually(page, async () => {
    there = await partsOf(page);
    return wanted.every((name) => there.includes(name));
  });
  assert.deepEqual(there, wanted);
}

/**
 * Two people at a table. The page of the first one cannot load a part until `back` is called, from
 * its arrival on: a page may load parts ahead.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} name
 */
async function withoutPart(t, name) {
  const pattern = new RegExp(`/assets/${name}-`);
  const onArrival = async (/** @type {import('./party.js').Person} */ { nick, page, watch }) => {
    if (nick !== 'Ada') return;
    await page.route(pattern, (route) => route.abort('connectionrefused'));
    watch.expect(/ERR_CONNECTION_REFUSED/);
  };
  const { host } = await party(t, { onArrival });
  return { page: host.page, back: () => host.page.unroute(pattern) };
}

test('chess loads clocks, but no cards, dice, dialogs or witness', async (t) => {
  const { host } = await party(t);
  await assertParts(host.page, ['clocks', 'controls']);
});

test('draughts loads the part for boards, and that for clocks when one is added', async (t) => {
  const { host, friend } = await party(t, { game: 'draughts' });
  await assertParts(friend.page, ['boards', 'controls']);
  await host.page.keyboard.press('n');
  await host.page.getByRole('dialog').getByRole('button', { name: 'Add Stopwatch' }).click();
  for (const { page } of [host, friend]) await page.locator('.dial').waitFor();
  // sounds, because a key was pressed
  await assertParts(host.page, ['boards', 'clocks', 'controls', 'dialogs', 'sounds']);
  await assertParts(friend.page, ['boards', 'clocks', 'controls']);
});

test('cards load the parts for cards and dice; dialogs load on demand', async (t) => {
  const { host } = await party(t, { game: 'cards' });
  await assertParts(host.page, ['abilities', 'cards', 'controls', 'fairness']);
  await host.page.getByRole('button', { name: 'Help' }).hover();
  await host.page.waitForFunction(() =>
    performance.getEntriesByType('resource').some((e) => e.name.includes('/dialogs-')),
  );
  await host.page.keyboard.press('h');
  await host.page.getByRole('dialog', { name: 'How to play here' }).waitFor();
});

test('with what one plays comes after the table is shown, and so does the font', async (t) => {
  for (const [game, later] of /** @type {const} */ ([
    ['cards', ['bree-serif', 'controls', 'fairness']],
    ['draughts', ['boards', 'bree-serif', 'controls']],
  ])) {
    const { friend } = await party(t, { game });
    const after = await friend.page.evaluate(() => {
      const shown = performance.getEntriesByName('holt.shown')[0].startTime;
      const names = performance.getEntriesByType('resource').flatMap((e) =>
        (e.startTime >= shown && /\/assets\/([a-z-]+)-[^/]*\.(js|woff2)$/.exec(e.name)?.[1]) || []);
      return [...new Set(names)].sort();
    });
    assert.deepEqual(after, later, game);
  }
});

test('S17.18 without random pieces the witness loads with the first round', async (t) => {
  const { server, host, friend, table } = await party(t);
  await assertParts(friend.page, ['clocks', 'controls']);
  const { status } = await host.page.evaluate(async (api) => {
    const answer = await fetch(`${api}/rounds`, { method: 'POST' });
    return { status: answer.status };
  }, `${server.url}/api/v1/tables/${table}`);
  assert.ok(status < 300, `a round is opened: ${status}`);
  await assertParts(friend.page, ['clocks', 'controls', 'fairness']);
  for (const { page } of [host, friend])
    assert.doesNotMatch(await said(page), /round/, 'nothing was drawn in the last one');
});

test('a failed load is announced, and a retry works', async (t) => {
  const { page, back } = await withoutPart(t, 'dialogs');
  await page.keyboard.press('h');
  await page.getByText('That could not be loaded. Please try again in a moment.').first().waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  await focus(page, (await named(page, 'White pawn')).id);
  await page.keyboard.press('x'); // the table goes on
  await page.locator('.piece.selected').waitFor();
  await back();
  await page.keyboard.press('h');
  await page.getByRole('dialog', { name: 'How to play here' }).waitFor();
});

test('a part that needs another one works when both are loaded', async (t) => {
  const { page, back } = await withoutPart(t, 'components');
  await page.keyboard.press('Shift+D');
  await page.getByText('That could not be loaded. Please try again in a moment.').first().waitFor();
  await back();
  await page.keyboard.press('Shift+D');
  await page.locator('.penbar').waitFor();
  await page.keyboard.press('Escape');
});

/** Parts that people may want to open without a connection. */
const AHEAD = ['dialogs', 'drawing', 'marks', 'profiles', 'components', 'sheet', 'settings'];

test('an idle page prefetches what play without a connection needs', async (t) => {
  const { host, friend } = await party(t, { links: true });
  const { page } = friend;
  await drag(page, (await named(page, 'White pawn')).id, { x: 0, y: -100 });
  await page.waitForFunction(
    (all) =>
      all.every((part) =>
        performance
          .getEntriesByType('resource')
          .some((e) => e.name.includes(`/assets/${part}-`) && e.name.endsWith('.js')),
      ),
    AHEAD,
  );
  // A part is loaded when its style sheet is, too.
  const styled = AHEAD.filter((part) => part !== 'components');
  await page.waitForFunction(
    (all) => {
      const sheets = [...document.styleSheets].map(({ href }) => href ?? '');
      return all.every((part) => sheets.some((href) => href.includes(`/assets/${part}-`)));
    },
    styled,
  );
  await cutOff(friend);
  const there = await partsOf(host.page);
  assert.deepEqual(
    AHEAD.filter((part) => there.includes(part)), [], 'a spectator prefetches nothing',
  );

  await page.keyboard.press('Shift+S');
  await page.getByRole('grid').waitFor();
  await page.keyboard.type('9'); // in an empty sheet: two columns and a row come with it
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.locator('.banner', { hasText: '4 changes are waiting to be sent.' }).waitFor();
  await page.keyboard.press('Shift+D');
  await page.mouse.move(400, 300);
  await page.mouse.down();
  await page.mouse.move(500, 360, { steps: 5 });
  await page.mouse.up();
  await page.locator('.banner', { hasText: '5 changes are waiting to be sent.' }).waitFor();
  await page.keyboard.press('Control+z');
  await page.locator('.banner', { hasText: '4 changes are waiting to be sent.' }).waitFor();
  await page.keyboard.press('Escape');
  await focus(page, (await named(page, 'White knight')).id);
  await page.keyboard.press('Shift+L');
  await page.getByRole('dialog').getByLabel('Label').fill('Guard');
  await page.keyboard.press('Enter');
  await page.locator('.mark.unsent', { hasText: 'Guard' }).waitFor();
  await page.keyboard.press(',');
  await page.getByRole('dialog', { name: 'Plain chess' }).waitFor();
  await page.keyboard.press('Escape');

  await bringBack(friend);
  await host.page.locator('.mark', { hasText: 'Guard' }).waitFor();
  await page.locator('.banner').waitFor({ state: 'hidden' });
});

test('on a metered connection nothing is prefetched', async (t) => {
  const { friend } = await party(t, { clocks: true });
  const { page } = friend;
  /** @type {string[]} */
  const fetched = [];
  page.on('request', (request) =>
    fetched.push(...(/\/assets\/([a-z]+)-[^/]*\.js$/.exec(request.url())?.slice(1) ?? [])),
  );
  await page.evaluate(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  );
  await drag(page, (await named(page, 'White pawn')).id, { x: 0, y: -100 });
  await page.clock.runFor(10_000);
  // Sounds come when they are first heard: that is no prefetch.
  assert.deepEqual(fetched.filter((part) => part !== 'sounds'), []);
  // The clock of the page runs by itself, so the page may request it during the next drag.
  const coming = page.waitForRequest(/\/assets\/components-/);
  await page.evaluate(() =>
    Object.assign(/** @type {any} */ (navigator).connection, { saveData: false }),
  );
  await drag(page, (await named(page, 'Black pawn')).id, { x: 0, y: 100 });
  await page.clock.runFor(10_000);
  await coming;
});

test('a page reloads for a new server version when nothing is pending', async (t) => {
  const { host } = await party(t);
  const { page } = host;
  host.watch.expect(/404/);
  let old = true;
  await page.route(/\/assets\/dialogs-/, (route) =>
    old ? route.fulfill({ status: 404 }) : route.fallback(),
  );
  await page.route(/\/t\/[0-9a-f]+$/, async (route) => {
    if (route.request().isNavigationRequest()) {
      old = false;
      await route.fallback();
      return;
    }
    const answer = await route.fetch();
    await route.fulfill({
      response: answer, body: (await answer.text()).replaceAll('dialogs-', 'dialogs-0'),
    });
  });
  await focus(page, (await named(page, 'White pawn')).id);
  await page.keyboard.press('Enter'); // it is held
  await page.keyboard.press('?');
  await page.getByText('There is a newer version of this page.').first().waitFor();
  assert.equal(
    await page.locator('.piece.lifted').count(), 1, 'the page stays while something is held',
  );
  await page.keyboard.press('ArrowUp');
  const loaded = page.waitForEvent('load');
  await page.keyboard.press('Enter');
  await loaded;
  await atTable(page);
  await page.keyboard.press('h');
  await page.getByRole('dialog', { name: 'How to play here' }).waitFor();
});
