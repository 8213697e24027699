// The texts of a game in the language of whoever looks (game.md, G13).

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { barriers } from './axe.js';
import { arrive, atTable, phone } from './party.js';
import { binary, Server } from './server.js';
import { shoot } from './shots.js';

const samples = fileURLToPath(new URL('../../docs/guides/samples', import.meta.url));

/** The German texts. @type {Record<string, string>} */
const texts = {
  Spells: 'Zauber', Board: 'Brett', Deck: 'Stapel', Hand: 'Hand', Card: 'Karte', Spark: 'Funke',
};

/** Packs the sample with German texts. @param {string} folder @returns {string} the file */
function packed(folder) {
  cpSync(samples, folder, { recursive: true });
  const game = JSON.parse(readFileSync(join(folder, 'spells.json'), 'utf8'));
  const written = JSON.stringify(game);
  const known = Object.entries(texts).filter(([from]) => written.includes(`"${from}"`));
  game.languages = { de: 'de.json' };
  writeFileSync(join(folder, 'de.json'), JSON.stringify({ texts: Object.fromEntries(known) }));
  writeFileSync(join(folder, 'spells.json'), JSON.stringify(game));
  const file = join(folder, 'spells.holt');
  execFileSync(binary(), ['game', 'pack', join(folder, 'spells.json'), '-o', file]);
  return file;
}

test('G13 each person reads and hears the pieces in their language', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'holt-e2e-language-'));
  const server = await Server.start();
  t.after(async () => {
    await server.discard();
    rmSync(folder, { recursive: true, force: true });
  });
  const ada = await arrive('Ada', { context: { ...phone, locale: 'de-AT' } });
  const { page } = ada;
  await page.goto(server.url);
  await page.setInputFiles('[data-file]', packed(folder));
  await page.getByRole('radio', { name: 'Zauber' }).waitFor();
  await page.getByLabel('Your name').fill('Ada');
  await page.getByRole('button', { name: 'Start a table' }).click();
  await atTable(page);
  const names = (/** @type {import('playwright-core').Page} */ p) => p.locator('[data-piece]')
    .evaluateAll((all) => all.map((e) => e.getAttribute('aria-label') ?? '').join('\n'));
  const german = await names(page);
  assert.match(german, /Funke/);
  assert.doesNotMatch(german, /Spark/);
  assert.deepEqual(await barriers(page), []);
  await shoot(page, 'language-phone');

  const api = (await page.locator('main#table').getAttribute('data-api')) ?? '';
  const links = await (await page.request.get(`${server.url}${api}/invites`)).json();
  const ben = await arrive('Ben', { context: { locale: 'en-GB' } });
  await ben.page.goto(links.player);
  await ben.page.locator('[name="nick"]').fill('Ben');
  await ben.page.locator('form [type="submit"], form button:not([type="button"])').first().click();
  await atTable(ben.page);
  const english = await names(ben.page);
  assert.match(english, /Spark/);
  assert.doesNotMatch(english, /Funke/);

  await t.test('a replay, and one that is saved as a file', async () => {
    await page.goto(`${page.url()}/replay`);
    await page.locator('[data-piece][aria-label*="Funke"]').first().waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as file' }).click();
    const text = readFileSync(await (await download).path(), 'utf8');
    assert.ok(text.includes('Funke') && !text.includes('"Spark"'));
  });
  await ben.page.context().close();
  await page.context().close();
});
