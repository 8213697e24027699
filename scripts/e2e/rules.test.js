// The rules of a game, read at the table (game.md, G12).

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { desktop, devices, party } from './party.js';
import { shoot } from './shots.js';

for (const [device, context] of devices) {
  test(`G12 players and spectators read the rules at the table: ${device}`, async (t) => {
    const { host, invites, join } = await party(t, { game: 'hearts', host: context });
    const { page } = host;
    const watcher = await join('Wim', invites.spectator, { context });

    await t.test('by touch, from the dialog of the table', async () => {
      await page.locator('.title-button').click();
      await page.getByRole('button', { name: 'Rules of the game' }).click();
      const dialog = page.getByRole('dialog', { name: 'Rules' });
      await dialog.getByRole('heading', { name: 'Passing', level: 3 }).waitFor();
      assert.equal(await page.getByRole('dialog').count(), 1);
      assert.deepEqual(await barriers(page), []);
      await shoot(page, `rules-${device}`);
      const fits = await dialog.evaluate((d) => d.scrollWidth <= d.clientWidth);
      assert.ok(fits, 'the dialog is wider than what it shows');
      const table = dialog.getByRole('table');
      await table.getByRole('columnheader', { name: 'Points' }).scrollIntoViewIfNeeded();
      await shoot(page, `rules-table-${device}`);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.waitFor({ state: 'detached' });
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
      for (let i = 0; i < 5; i++) {
        await other.keyboard.press('Tab');
        const inside = await other.evaluate(() =>
          document.activeElement === document.body
            || document.activeElement?.closest('dialog') !== null);
        assert.ok(inside, 'the focus left the dialog');
      }
      await other.keyboard.press('Escape');
      await other.getByRole('dialog').waitFor({ state: 'detached' });
    });
  });
}

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
  await page.keyboard.press('?');
  await page.getByRole('button', { name: 'Rules of the game' }).click();
  await page.getByRole('heading', { name: 'Turkish draughts' }).waitFor();
});
