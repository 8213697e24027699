// What a page does by itself for fairness besides contributing. It suggests to shuffle a new
// table's deck when everybody's share counts, and reveals its share although it was loaded again in
// between.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { deck } from './cards.js';
import { atTable, party, phone } from './party.js';
import { eventually, seen } from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
const suggestion = (page) => page.getByRole('group', { name: 'A suggestion' });

/** Reads the hint for newcomers, and says so. @param {Page} page */
const readHint = (page) => page.getByRole('button', { name: 'Got it' }).click();

test('F5.10, F5.11 the host is asked once to shuffle, when others have shares', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const { page } = host;
  for (const p of [page, friend.page]) await readHint(p);
  await suggestion(page).waitFor();
  assert.deepEqual(await barriers(page), []);
  const polite = page.locator('[data-live="polite"]');
  assert.match(await polite.innerText(), /Shuffle the deck once more/);
  assert.equal(await suggestion(friend.page).isVisible(), false, 'Ben is not a host');

  const button = page.getByRole('button', { name: 'Shuffle the deck' });
  for (let tabs = 0; !(await button.evaluate((e) => e === document.activeElement)); tabs++) {
    assert.ok(tabs < 30, 'Tab reaches it');
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await seen(friend.page, /Ada shuffled the deck/);
  await suggestion(page).waitFor({ state: 'hidden' });
  const { id } = await deck(page);
  assert.equal(
    await page.evaluate(() => Number(document.activeElement?.getAttribute('data-piece'))), id,
    'the focus is on the deck',
  );

  await page.reload();
  await atTable(host.page);
  assert.equal(await suggestion(page).isVisible(), false);
});

test('F5.11 a host who declines or shuffles is asked no more; it fits a phone', async (t) => {
  const { host, join, invites, table } = await party(t, { game: 'cards', host: phone });
  const { page } = host;
  await readHint(page);
  await suggestion(page).waitFor();
  const { scrolls, width } = await page.evaluate(() => ({
    scrolls: document.documentElement.scrollWidth, width: innerWidth,
  }));
  assert.ok(scrolls <= width);
  assert.deepEqual(await barriers(page), []);
  await page.getByRole('button', { name: 'Not now' }).click();
  await suggestion(page).waitFor({ state: 'hidden' });
  const cleo = await join('Cleo', invites.player);
  await cleo.page.waitForFunction((table) => {
    const kept = JSON.parse(localStorage.getItem(`holt.fair.${table}`) ?? 'null');
    return kept?.histories.at(-1)?.rounds.at(-1)?.pools.length > 0;
  }, table);
  assert.equal(await suggestion(page).isVisible(), false);
});

test('F5 a draw withdraws the question', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  await readHint(host.page);
  await suggestion(host.page).waitFor();
  const { id } = await deck(friend.page);
  await friend.page.locator(`[data-piece="${id}"]`).focus();
  await friend.page.keyboard.press('s');
  await suggestion(host.page).waitFor({ state: 'hidden' });
});

/** Milliseconds that the server waits for a share that was committed to (F4). */
const REVEAL = 5000;

/** In so many rounds the page may be loaded too late for that: a busy machine takes as long. */
const LATE = 5;

test('S17 a reload between commitment and close keeps the share', async (t) => {
  const p = await party(t, { game: 'cards' });
  for (let round = 2; ; round++) {
    const { first, entropy, ms } = await loadedBetween(p, round);
    const isLate = ms > REVEAL && first.at(-1).withheld.length > 0;
    if (isLate && round < 2 + LATE) continue;
    assert.ok(first.some((/** @type {any} */ f) => f.entropy === entropy), 'the share is there');
    assert.deepEqual(first.at(-1).withheld, [], `after ${ms} ms`);
    const noted = await p.friend.page.evaluate((table) => {
      const kept = JSON.parse(localStorage.getItem(`holt.fair.${table}`) ?? '');
      return kept.histories.at(-1).rounds.at(-1).shares;
    }, p.table);
    const isOwn = (/** @type {any} */ s) => s.mix === 1 && s.entropy === entropy;
    assert.ok(noted.some(isOwn), 'it is noted as one’s own');
    return;
  }
});

/**
 * Opens a round, and reloads a page as soon as it has committed to a share.
 *
 * @param {import('./party.js').Party} party
 * @param {number} round its number
 * @returns {Promise<{first: any[], entropy: string, ms: number}>} the facts about its first mix,
 *   the share, and how long it took to load
 */
async function loadedBetween({ host, friend, table }, round) {
  const { page } = friend;
  const share = page.waitForFunction(
    ({ table, round }) => {
      const kept = JSON.parse(sessionStorage.getItem(`holt.share.${table}`) ?? 'null');
      return kept?.round === round && kept.entropy;
    },
    { table, round },
    { polling: 20 },
  );
  assert.equal(
    await host.page.evaluate(
      async (table) => (await fetch(`/api/v1/tables/${table}/rounds`, { method: 'POST' })).status,
      table,
    ),
    201,
  );
  const entropy = await (await share).jsonValue();
  const since = performance.now();
  await page.reload();
  await atTable(friend.page);
  const ms = performance.now() - since;
  await page.waitForFunction(
    ({ table, round }) => {
      const kept = sessionStorage.getItem(`holt.share.${table}`);
      return !kept?.includes(`"round":${round},"mix":1,`);
    },
    { table, round },
  );
  const allFacts = () => host.page.evaluate(async (table) => {
    const { rounds } = await (await fetch(`/api/v1/tables/${table}/fairness`)).json();
    return rounds.at(-1).facts;
  }, table);
  const isMix = (/** @type {any} */ f) => f.fact === 'mix';
  assert.ok(await eventually(host.page, async () => (await allFacts()).some(isMix)));
  const first = (await allFacts()).filter((/** @type {any} */ f) => f.mix === 1);
  return { first, entropy, ms };
}
