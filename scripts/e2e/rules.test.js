// The rules of a game, read at the table (game.md, G12).

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { desktop, party, phone } from './party.js';
import { readPdf } from './pdf.js';
import { middle, named } from './pieces.js';
import { shoot } from './shots.js';

/** @param {import('playwright-core').Page} page */
const panel = (page) => page.getByRole('complementary', { name: 'Rules' });

/** Opens the rules as people do. @param {import('playwright-core').Page} page */
async function openRules(page) {
  await page.locator('.title-button').click();
  await page.getByRole('button', { name: 'Rules of the game' }).click();
  await panel(page).waitFor();
}

/** Returns where an element lies. @param {import('playwright-core').Locator} of */
async function boxOf(of) {
  const box = await of.boundingBox();
  assert.ok(box);
  return box;
}

for (const [device, context] of Object.entries({ desktop, phone })) {
  test(`G12.5 players and spectators read the rules at the table: ${device}`, async (t) => {
    const { host, invites, join } = await party(t, { game: 'hearts', host: context });
    const { page } = host;
    const watcher = await join('Wim', invites.spectator, { context });

    await t.test('by touch, from the dialog of the table', async () => {
      await openRules(page);
      const rules = panel(page);
      await rules.getByRole('heading', { name: 'Passing', level: 3 }).waitFor();
      assert.equal(await page.getByRole('dialog').count(), 0);
      assert.deepEqual(await barriers(page), []);
      await shoot(page, `rules-${device}`);
      const fits = await rules.evaluate((e) => e.scrollWidth <= e.clientWidth);
      assert.ok(fits, 'the panel is wider than what it shows');
      const table = rules.getByRole('table');
      await table.getByRole('columnheader', { name: 'Points' }).scrollIntoViewIfNeeded();
      await shoot(page, `rules-table-${device}`);
    });

    await t.test('beside the table, which people use meanwhile', async () => {
      const beside = await boxOf(panel(page));
      const table = await boxOf(page.locator('#table'));
      const [end, begin] = device === 'phone'
        ? [table.y + table.height, beside.y] : [table.x + table.width, beside.x];
      assert.ok(end <= begin + 1, 'it covers the table');
      const deck = await named(page, 'Deal');
      const at = await middle(page, deck.id);
      await page.mouse.click(at.x, at.y, { button: 'right' });
      await page.keyboard.press('Escape');
      assert.ok(await panel(page).isVisible(), 'they stay open');
      if (device === 'phone') {
        await panel(page).getByRole('button', { name: 'Over the whole height' }).click();
        assert.ok((await boxOf(panel(page))).height > 1.8 * beside.height);
      }
      await panel(page).getByRole('button', { name: 'Close rules' }).click();
      await panel(page).waitFor({ state: 'hidden' });
      const wide = await boxOf(page.locator('#table'));
      assert.deepEqual([wide.width, wide.height],
        [context.viewport.width, context.viewport.height]);
    });

    await t.test('a spectator, by keys alone, from the help', async () => {
      const other = watcher.page;
      await other.keyboard.press('?');
      await other.getByRole('dialog').waitFor();
      const door = other.getByRole('button', { name: 'Rules of the game' });
      for (let i = 0; i < 5; i++) {
        if (await door.evaluate((b) => b === document.activeElement)) break;
        await other.keyboard.press('Tab');
      }
      await other.keyboard.press('Enter');
      await other.getByRole('heading', { name: 'Tricks', level: 3 }).waitFor();
      const inside = await panel(other).evaluate((e) => e.contains(document.activeElement));
      assert.ok(inside, 'the rules have no focus');
      await other.keyboard.press('Escape');
      await panel(other).waitFor({ state: 'hidden' });
    });
  });
}

test('G12.5 the log and the rules take turns beside the table', async (t) => {
  const { host: { page } } = await party(t, { game: 'hearts', host: desktop });
  const log = page.getByRole('complementary', { name: 'Chat and log' });
  await openRules(page);
  await page.getByRole('button', { name: /^Chat/ }).click();
  await log.waitFor();
  assert.ok(await panel(page).isHidden());
  await openRules(page);
  assert.ok(await log.isHidden());
  await page.keyboard.press('Escape');
  assert.equal((await boxOf(page.locator('#table'))).width, 1280);
  assert.ok(await page.locator('.title-button').evaluate((b) => b === document.activeElement));
});

test('G12.6 the open rules are printed alone and to their end', async (t) => {
  const { host: { page } } = await party(t, { game: 'skat', host: desktop });
  await openRules(page);
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await panel(page).getByRole('button', { name: 'Print' }).click();
  assert.equal(await page.locator('body[data-printed]').count(), 1);

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const looks = await panel(page).evaluate((e) => {
    const { color, backgroundColor } = getComputedStyle(e);
    return { color, backgroundColor };
  });
  assert.deepEqual(looks, { color: 'rgb(0, 0, 0)', backgroundColor: 'rgb(255, 255, 255)' });
  assert.ok(await page.locator('#table').isHidden());
  const end = await panel(page).evaluate((e) => {
    const last = e.querySelector('.prose > :last-child');
    return { last: last?.textContent, bottom: last?.getBoundingClientRect().bottom };
  });
  assert.match(end.last ?? '', /Press Deal when all four sit at the table\.$/);
  const high = await page.evaluate(() => document.documentElement.scrollHeight);
  assert.ok(high >= (end.bottom ?? Infinity), 'the end is cut off');
  const { pages, text } = readPdf(await page.pdf({ format: 'A4' }));
  assert.ok(pages >= 3 && pages <= 8, `${pages} pages`);
  assert.ok(text.startsWith('SkatForthreeplayers.'), `it begins with ${text.slice(0, 60)}`);
  assert.ok(text.endsWith('PressDealwhenallfoursitatthetable.'), `its end: ${text.slice(-60)}`);
});

test('G12 a game without rules has no door to them', async (t) => {
  const { host } = await party(t, { game: 'plain', host: desktop });
  await host.page.locator('.title-button').click();
  await host.page.getByRole('dialog').waitFor();
  await host.page.getByRole('button', { name: /save points/ }).waitFor();
  assert.equal(await host.page.getByRole('button', { name: 'Rules of the game' }).count(), 0);
});

test('G12 what does not come is said, and comes the next time', async (t) => {
  const { host } = await party(t, { game: 'draughts', host: desktop });
  const { page, watch } = host;
  await page.route('**/rules', (route) => route.abort());
  watch.expect(/rules|ERR_FAILED/);
  await page.keyboard.press('?');
  await page.getByRole('button', { name: 'Rules of the game' }).click();
  await page.getByRole('alert').filter({ hasText: 'The rules did not come.' }).waitFor();
  await page.unroute('**/rules');
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'hidden' });
  await page.keyboard.press('?');
  await page.getByRole('button', { name: 'Rules of the game' }).click();
  await page.getByRole('heading', { name: 'Turkish draughts' }).waitFor();
});
