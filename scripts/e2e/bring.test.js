// Games of one's own: uploaded on the first page, played, and forgotten.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { barriers } from './axe.js';
import { ask, deck } from './cards.js';
import { arrive, phone } from './party.js';
import { named } from './pieces.js';
import { binary, Server } from './server.js';
import { shoot } from './shots.js';

const sample = fileURLToPath(new URL('../../docs/guides/samples/spells.json', import.meta.url));

test('G11 a game is brought, played by two, and forgotten; its table goes on', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'holt-e2e-game-'));
  const server = await Server.start();
  t.after(async () => {
    await server.discard();
    rmSync(folder, { recursive: true, force: true });
  });
  const file = join(folder, 'spells.holt');
  execFileSync(binary(), ['game', 'pack', sample, '-o', file]);
  const rubbish = join(folder, 'rubbish.holt');
  writeFileSync(rubbish, 'This is no game.');

  const { page, watch } = await arrive('Ada', {});
  await page.goto(server.url);
  await page.getByText('Bring a game').waitFor();

  await t.test('what is no game is refused in place, with the reason', async () => {
    await page.setInputFiles('[data-file]', rubbish);
    await page.getByRole('alert').filter({ hasText: 'it is no packed game' }).waitFor();
    watch.expect(/status of 422/);
  });

  await t.test('the game is there, chosen, for this browser alone', async () => {
    await page.setInputFiles('[data-file]', file);
    const card = page.getByRole('radio', { name: 'Spells' });
    await card.waitFor();
    assert.ok(await card.isChecked());
    const item = page.locator('.shelf-item').filter({ has: card });
    await item.getByText('2–4 players', { exact: true }).waitFor();
    const outside = await item.evaluate((e) => {
      const frame = e.getBoundingClientRect();
      const { borderTopWidth } = getComputedStyle(e);
      return [
        ...(borderTopWidth === '0px' ? ['there is no frame around all of it'] : []),
        ...[...e.querySelectorAll('.shelf-fact, [data-forget]')]
          .filter((part) => part.getBoundingClientRect().right > frame.right)
          .map((part) => part.textContent),
      ];
    });
    assert.deepEqual(outside, []);
    assert.deepEqual(await barriers(page), []);
    await shoot(page, 'bring-home');
    const other = await arrive('Ben', { context: phone });
    await other.page.goto(server.url);
    await other.page.getByText('Bring a game').waitFor();
    assert.equal(await other.page.getByRole('radio', { name: 'Spells' }).count(), 0);
    await shoot(other.page, 'bring-phone');
    await other.page.context().close();
  });

  await page.getByLabel('Your name').fill('Ada');
  await page.getByRole('button', { name: 'Start a table' }).click();
  await page.locator('main#table[data-ready]').waitFor();

  await t.test('its faces have their pictures and texts, also for a screen reader', async () => {
    const spark = await named(page, 'Spark');
    const card = page.locator(`[data-piece="${spark.id}"]`);
    assert.match((await card.getAttribute('aria-label')) ?? '', /^Spark, 1, Deal 1 damage/);
    const art = card.locator('img.art');
    assert.match((await art.getAttribute('src')) ?? '', /^blob:/);
    assert.ok(await art.evaluate(async (img) => {
      await /** @type {HTMLImageElement} */ (img).decode();
      return /** @type {HTMLImageElement} */ (img).naturalWidth > 0;
    }));
    await ask(page, { op: 'draw', piece: (await deck(page)).id });
    await page.locator('[data-piece][aria-label*=" in your hand"]').first().waitFor();
    await shoot(page, 'bring-table');
  });

  const table = page.url();
  await t.test('it is forgotten after a question; the table outlives that and a kill', async () => {
    await page.goto(server.url);
    await page.getByRole('button', { name: 'Forget Spells' }).click();
    await page.getByText('Tables that play it stay.').waitFor();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('button', { name: 'Forget Spells' }).click();
    await page.getByRole('button', { name: 'Forget', exact: true }).click();
    await page.getByRole('radio', { name: 'Spells' }).waitFor({ state: 'detached' });
    await server.kill();
    await server.start();
    await page.goto(table);
    await page.locator('main#table[data-ready]').waitFor();
    const spark = await named(page, 'Spark');
    const art = page.locator(`[data-piece="${spark.id}"] img.art`);
    assert.match((await art.getAttribute('src')) ?? '', /^blob:/);
  });
});
