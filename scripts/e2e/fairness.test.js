// Shuffles and rolls that anybody can verify: pages contribute and take notes by themselves, and a
// page verifies all of it when a round is over.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { barriers } from './axe.js';
import { choose, sayYes } from './bar.js';
import { networkErrors, Watch } from './browser.js';
import { deck } from './cards.js';
import { atTable, party, phone } from './party.js';
import { eventually, focus, named, said, seen } from './pieces.js';
import { binary } from './server.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./party.js').Person} Person */
/** @typedef {import('./party.js').Party} Party */

const run = promisify(execFile);

test('S17 and F14 a revealed round verifies in both browsers and the program', async (t) => {
  const p = await party(t, { game: 'cards', friend: { colorScheme: 'dark' } });
  const { host, friend } = p;
  const began = performance.now();
  for (const { page } of [host, friend]) await contributed(page, p.table, 1);
  await play(p);

  const adas = await open(host);
  await adas.page.locator('[data-verdict="early"]').waitFor();
  await t.test('finding 14: the page first says what a player wants to know', async () => {
    const { page } = adas;
    await page.getByRole('heading', { name: 'Nothing looks wrong so far.' }).waitFor();
    await page.getByText('Your browser and the others’ took part').waitFor();
    assert.equal(await page.locator('.proof > .findings').isVisible(), false, 'the rest is folded');
  });
  // After a minute, which a busy machine may take for this, pages contribute again (S17).
  const isQuick = performance.now() - began < 60_000;
  const [all, own] = isQuick ? ['2', '1'] : ['\\d+', '\\d+'];
  const put = `Players’ browsers added ${all} secret numbers`;
  await sentence(adas.page, new RegExp(`${put}, ${own} from this browser\\.`));
  await sentence(adas.page, /Round 1 goes on, with 3 draws so far/);
  assert.deepEqual(await barriers(adas.page), []);

  await t.test('F10 the host opens a new round after a confirmation', async () => {
    const { page } = adas;
    await page.getByRole('button', { name: 'Open a new round' }).click();
    assert.ok(
      await page
        .getByRole('button', { name: 'Not now' })
        .evaluate((e) => e === document.activeElement),
    );
    await page.keyboard.press('Escape');
    assert.ok(
      await page
        .getByRole('button', { name: 'Open a new round' })
        .evaluate((e) => e === document.activeElement),
    );
    await page.keyboard.press('Enter');
    assert.deepEqual(await barriers(page), []);
    await page.getByRole('button', { name: 'Yes, open it' }).click();
    await page.getByText('Round 2 is open.').waitFor();
    await seen(
      friend.page,
      /A new round .* has begun\. The last one can be checked once nothing from it is hidden/,
    );
    await sentence(page, /Round 1 is over and still sealed: something that went out of sight/);
  });

  await t.test('F12 a round is revealed when none of its results is hidden', async () => {
    await gather(host.page);
    for (const { page } of [host, friend]) await seen(page, /Round 1 can be checked now/);
    assert.equal(
      (await said(friend.page)).match(/can be checked now/g)?.length, 1, 'it is announced once',
    );
  });

  const bens = await open(friend);
  await t.test('F14 both pages verify the round', async () => {
    await adas.page.getByRole('button', { name: 'Check again' }).click();
    for (const { page } of [adas, bens]) {
      await page.locator('[data-verdict="agrees"]').waitFor();
      await page.getByRole('heading', { name: /that can be checked was fair/ }).waitFor();
      await sentence(page, /^2 shuffles and 1 roll in one revealed round: all came out/);
      // When the table was set up, at least.
      await sentence(page, /made before any player’s number was in/);
      await sentence(
        page,
        /Everything this browser noted .* is still the same: [1-9]\d* seals of draws and [1-9]/,
      );
      await sentence(page, /Round 2 goes on/);
      assert.deepEqual(await barriers(page), []);
    }
    assert.equal(
      await bens.page.getByRole('button', { name: 'Open a new round' }).count(), 0,
      'Ben is not a host',
    );
  });

  await t.test('F14 the program verifies it with the pages’ saved files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holt-e2e-fair-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    for (const { page } of [adas, bens]) {
      const file = await saved(page, 'Save the export', folder);
      const notes = await saved(page, 'Save this browser’s notes', folder);
      assert.match((await run(binary(), ['verify', file])).stdout, /The file agrees with itself/);
      const { stdout } = await run(binary(), ['verify', file, '--noted', notes]);
      assert.match(stdout, /Everything agrees, and is about the game that was noted/);
      assert.match(stdout, /[1-9] shares? of your own/);
    }
  });

  await t.test('F14 a new browser says what its check is worth', async () => {
    const watcher = await p.join('Cleo', p.invites.spectator, { context: phone });
    await forget(watcher.page, p.table);
    const cleos = await open(watcher);
    await cleos.page.locator('[data-verdict="agrees"]').waitFor();
    assert.deepEqual(await barriers(cleos.page), []);
    const { scrolls, width } = await cleos.page.evaluate(() => ({
      scrolls: document.documentElement.scrollWidth, width: innerWidth,
    }));
    assert.ok(scrolls <= width, 'it fits a phone');
    for (const { watch } of [adas, bens, cleos]) assert.deepEqual(watch.unexpected, []);
  });
});

test('F9.2, F14 the page reports each difference clearly', async (t) => {
  const p = await party(t, { game: 'cards', friend: { viewport: { width: 690, height: 900 } } });
  const { host, friend, table } = p;
  for (const { page } of [host, friend]) await contributed(page, table, 1);
  await play(p);
  const newRound = await p.server.call('POST', `/api/v1/tables/${table}/rounds`, null);
  assert.equal(newRound.status, 401, 'not without a seat');
  friend.watch.expect(/status of 403/);
  assert.equal(await friend.page.evaluate(openRound, table), 403, 'not by a player');
  assert.equal(await host.page.evaluate(openRound, table), 201);
  await gather(host.page);
  await seen(host.page, /Round 1 can be checked now/);
  const hears = async () => (await said(friend.page)).includes('Round 1 can be checked now');
  assert.ok(await eventually(friend.page, hears), 'it is spoken in a small window');
  const covers = await friend.page.locator('.notice').textContent();
  assert.doesNotMatch(covers ?? '', /round/i, 'and covers nothing there');
  const bens = await open(friend);
  await bens.page.locator('[data-verdict="agrees"]').waitFor();

  /** @type {Array<[string, (file: any) => void, RegExp[]]>} */
  const changes = [
    [
      'another face of the die',
      (file) => {
        const roll = draws(file, 0).find((f) => f.what === 'roll');
        roll.outputs[0] = (roll.outputs[0] + 1) % 6;
      },
      [
        /^The result should have been different\.$/,
        /^It is in round 1, in draw \d+, a roll by Ada\.$/,
      ],
    ],
    [
      'a card in another place',
      (file) => {
        const { outputs } = draws(file, 0).find((f) => f.what === 'shuffle' && f.seat === 1);
        [outputs[0], outputs[1]] = [outputs[1], outputs[0]];
      },
      [
        /^The result should have been different\.$/,
        /a shuffle by Ada\. In place 1 of what came out\.$/,
      ],
    ],
    [
      'a missing draw',
      (file) => {
        const { facts } = file.rounds[0];
        facts.splice(facts.findLastIndex((/** @type {any} */ f) => f.fact === 'draw'), 1);
      },
      [/^A round did not end the way the next one says/, /^It is in round 1\.$/],
    ],
    [
      'another seed',
      (file) => {
        file.rounds[0].seed = 'a'.repeat(64);
      },
      [/^The server’s secret number is not the one it promised\.$/],
    ],
    [
      'another seal of a sealed round: only notes show it',
      (file) => {
        draws(file, 1)[0].seal = 'b'.repeat(64);
      },
      [
        /^The server sent this browser a different seal of a draw\.$/,
        /^It is in round 2, in draw 1\.$/,
      ],
    ],
    [
      'another table',
      (file) => {
        file.table = '0'.repeat(32);
      },
      [/./],
    ],
  ];
  for (const [name, change, expected] of changes) {
    await t.test(name, async () => {
      await serve(bens.page, (text) => {
        const file = JSON.parse(text);
        change(file);
        return JSON.stringify(file);
      });
      await bens.page.getByRole('button', { name: 'Check again' }).click();
      const verdict = bens.page.locator('[data-verdict="differs"][role="alert"]');
      await verdict.getByRole('heading', { name: 'Something is wrong.' }).waitFor();
      assert.equal(await verdict.locator('svg.icon-alarm').count(), 1, 'a picture shows it, too');
      for (const text of expected) await verdict.locator('p', { hasText: text }).first().waitFor();
      assert.deepEqual(await barriers(bens.page), []);
    });
  }

  await t.test('a file that is not an export', async () => {
    await serve(bens.page, () => '{"format":"holt.fair/1"}');
    await bens.page.getByRole('button', { name: 'Check again' }).click();
    await bens.page.getByRole('heading', { name: 'The export cannot be read.' }).waitFor();
  });

  await t.test('no export at all', async () => {
    await bens.page.unrouteAll();
    await bens.page.route(EXPORT, (route) => route.abort());
    await bens.page.getByRole('button', { name: 'Check again' }).click();
    await bens.page.getByRole('heading', { name: 'The export could not be loaded.' }).waitFor();
    await bens.page.unrouteAll();
    await bens.page.getByRole('button', { name: 'Check again' }).click();
    await bens.page.locator('[data-verdict="agrees"]').waitFor();
  });
});

test('S17 pages contribute again with their notes after reloads and cuts', async (t) => {
  const p = await party(t, { game: 'cards', links: true });
  const { host, friend, table } = p;
  for (const { page } of [host, friend]) await contributed(page, table, 1);
  const before = await sharesOf(friend.page, table);
  await friend.page.reload();
  await contributed(friend.page, table, before + 1);
  host.watch.expect(networkErrors);
  host.link?.cut();
  await host.page.locator('main#table[data-status="offline"]').waitFor();
  host.link?.mend();
  await atTable(host.page);
  assert.equal(await host.page.evaluate(openRound, table), 201);
  for (const { page } of [host, friend]) await contributed(page, table, 1, 2);
  const adas = await open(host);
  await sentence(adas.page, /from this browser/);
  await adas.page.locator('[data-verdict]:not([data-verdict="differs"])').waitFor();
});

// --- what people do

/** The export, as pages request it. */
const EXPORT = /\/api\/v1\/tables\/[0-9a-f]+\/fairness$/;

/** A shuffle, a deal, a roll. @param {Party} party */
async function play({ host, friend }) {
  const { page } = host;
  await focus(page, (await deck(page)).id);
  await page.keyboard.press('s');
  await seen(friend.page, /Ada shuffled the deck/);
  await page.keyboard.press('e');
  await page.getByRole('dialog').getByRole('spinbutton').fill('5');
  await page.keyboard.press('Enter');
  await seen(friend.page, /dealt 5 each/);
  await focus(page, (await named(page, 'Six-sided die')).id);
  await page.keyboard.press('o');
  await friend.page
    .locator('[data-live="polite"]', { hasText: /Ada rolled/ })
    .waitFor({ state: 'attached' });
}

/** Recalls all cards and shuffles them: nobody knows any of them from before. @param {Page} page */
async function gather(page) {
  await focus(page, (await deck(page)).id);
  await page.keyboard.press('x');
  await choose(page, /^Recall all cards$/);
  await sayYes(page);
  await seen(page, /You recalled .* to/);
  await page.keyboard.press('Escape');
  await focus(page, (await deck(page)).id);
  await page.keyboard.press('s');
  await page
    .locator('[data-live="polite"]', { hasText: /You shuffled the deck/ })
    .waitFor({ state: 'attached' }); // sighted people may see more text after it
}

/**
 * Waits until shares of this browser were used in a round.
 *
 * @param {Page} page
 * @param {string} table
 * @param {number} n how many
 * @param {number} [round]
 */
async function contributed(page, table, n, round = 1) {
  await page.waitForFunction(
    ([table, n, round]) => {
      const kept = JSON.parse(localStorage.getItem(`holt.fair.${table}`) ?? 'null');
      const noted = kept?.histories.at(-1).rounds.find((/** @type {any} */ r) => r.round === round);
      const used = (/** @type {any} */ s) =>
        noted.pools.some((/** @type {any} */ p) => p.mix === s.mix);
      return noted !== undefined && noted.shares.filter(used).length >= n;
    },
    /** @type {[string, number, number]} */ ([table, n, round]),
  );
}

/**
 * How many shares of this browser the notes of the last round have.
 *
 * @param {Page} page
 * @param {string} table
 * @returns {Promise<number>}
 */
function sharesOf(page, table) {
  return page.evaluate(
    (table) =>
      JSON.parse(localStorage.getItem(`holt.fair.${table}`) ?? '')
        .histories.at(-1)
        .rounds.at(-1).shares.length,
    table,
  );
}

/** Opens a round from a page, without the button. @param {string} table */
async function openRound(table) {
  return (await fetch(`/api/v1/tables/${table}/rounds`, { method: 'POST' })).status;
}

/**
 * Follows the link in the list of people.
 *
 * @param {Person} person
 * @returns {Promise<{page: Page, watch: Watch}>}
 */
async function open({ page }) {
  if (!(await page.locator('#people').isVisible())) await page.locator('.crowd').click();
  assert.deepEqual(await barriers(page), []);
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'), page.getByRole('link', { name: 'Is it fair?' }).click(),
  ]);
  await page.keyboard.press('Escape');
  const watch = new Watch(opened);
  await opened.locator('[data-part="verdict"]').waitFor();
  await opened.locator('.experts > summary').click(); // the files are there
  return { page: opened, watch };
}

/** Waits for a sentence among the findings. @param {Page} page @param {RegExp} text */
async function sentence(page, text) {
  const details = page.locator('[data-part="verdict"] > details.proof');
  await details.evaluate((e) => e.setAttribute('open', ''));
  await details.locator('> .findings > li', { hasText: text }).first().waitFor();
}

/** The draws of a round. @param {any} file @param {number} at @returns {any[]} */
const draws = (file, at) =>
  file.rounds[at].facts.filter((/** @type {any} */ f) => f.fact === 'draw');

/**
 * Gives the page another export than the server's.
 *
 * @param {Page} page
 * @param {(text: string) => string} change
 */
async function serve(page, change) {
  await page.unrouteAll();
  await page.route(EXPORT, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: change(await answer.text()) });
  });
}

/**
 * Saves a file as a person does.
 *
 * @param {Page} page
 * @param {string} button
 * @param {string} folder
 * @returns {Promise<string>} its path
 */
async function saved(page, button, folder) {
  const [download] = await Promise.all([
    page.waitForEvent('download'), page.getByRole('button', { name: button }).click(),
  ]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

/** Deletes a browser's notes. @param {Page} page @param {string} table */
async function forget(page, table) {
  await page.evaluate((table) => localStorage.removeItem(`holt.fair.${table}`), table);
}
