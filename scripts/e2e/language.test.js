// The texts of a game in the language of whoever looks (game.md, G13).

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { barriers } from './axe.js';
import { arrive, atTable, party, phone } from './party.js';
import { focus, middle, named } from './pieces.js';
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

test('G13.1 each person is asked in their language', async (t) => {
  const { host, friend } = await party(t, { game: 'ask', host: { locale: 'de' } });
  const { page } = host;
  const button = await named(page, 'Punkte zählen');
  await focus(page, button.id);
  const does = await page.locator(`[data-piece="${button.id}"]`).getAttribute('aria-description');
  assert.match(does ?? '', /.Wer.: Wessen Punkte.*.Punkte./);
  await page.keyboard.press('o');
  const points = page.getByRole('dialog', { name: 'Punkte zählen' });
  await points.getByLabel('Wie viele Punkte?').waitFor();
  await page.keyboard.press('Escape');
  const at = await middle(page, (await named(page, 'Wetter wählen')).id);
  await page.mouse.dblclick(at.x, at.y);
  const weather = page.getByRole('dialog', { name: 'Wetter wählen' });
  await weather.getByRole('group', { name: 'Wie ist das Wetter?' }).waitFor();
  await shoot(page, 'language-ask');
  await weather.getByRole('button', { name: 'Sturm' }).click();
  await friend.page.locator('[data-piece][aria-label^="Weather, storm"]').waitFor();
  await page.locator('[data-piece][aria-label^="Wetter, Sturm" i]').waitFor();
});

test('G13.4 the score sheet of a game is in the language of each person', async (t) => {
  const { host, friend } = await party(t, { game: 'market', host: { locale: 'de' } });
  const both = [host.page, friend.page];
  const headings = (/** @type {import('playwright-core').Page} */ page) =>
    page.locator('.sheet-grid thead th').allTextContents();
  for (const page of both) {
    await page.keyboard.press('Shift+S');
    await page.getByRole('grid').waitFor();
  }
  assert.deepEqual((await headings(host.page)).slice(1), ['Karten', 'Münzen', 'Summe']);
  assert.deepEqual((await headings(friend.page)).slice(1), ['Cards', 'Coins', 'Total']);
  assert.equal(await host.page.locator('.sheet-title').inputValue(), 'Münzen am Ende');
  await shoot(host.page, 'language-sheet');
  // What a person writes there is the same for both, and all else stays as it is.
  await host.page.locator('.sheet-grid thead th', { hasText: 'Münzen' }).dblclick();
  await host.page.keyboard.type('Taler');
  await host.page.keyboard.press('Enter');
  for (const page of both)
    await page.locator('.sheet-grid thead th', { hasText: 'Taler' }).waitFor();
  assert.deepEqual((await headings(host.page)).slice(1), ['Karten', 'Taler', 'Summe']);
  assert.deepEqual((await headings(friend.page)).slice(1), ['Cards', 'Taler', 'Total']);
  assert.equal(await friend.page.locator('.sheet-title').inputValue(), 'Coins at the end');
});
