// A deck whose game file has a newer version: its person finds that in the bag, and uses it or does
// not (O30).

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { barriers } from './axe.js';
import { loadBag, openBag, stow } from './bag.js';
import { arrive, atTable, devices } from './party.js';
import { Server } from './server.js';

/** @typedef {import('playwright-core').Page} Page */

/** The picture that the deck has in the newer version. */
const NEWER = 'cards/discards.svg';

/**
 * Which pictures the decks on a table have, by the SHA-256 of the picture.
 *
 * @param {Page} page
 * @param {string} table
 * @returns {Promise<string[]>}
 */
const picturesOf = (page, table) => page.evaluate(async (path) => {
  const { info, pieces } = await (await fetch(path)).json();
  const { kinds } = await (await fetch(`/art/${info.catalog}`)).json();
  return pieces
    .map((/** @type {{kind: number}} */ p) => kinds[p.kind])
    .filter((/** @type {{name: string}} */ k) => k.name === 'Deck')
    .map((/** @type {{faces: {art: string}[]}} */ k) => k.faces[0].art);
}, `/api/v1/tables/${table}`);

for (const [device, context] of devices) {
  // Clauses: O30.13, O30.14, O30.19
  test(`O30 Ada has her deck redrawn when she wants it, with a ${device}`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'holt-e2e-static-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    cpSync(fileURLToPath(new URL('../../static', import.meta.url)), folder, { recursive: true });
    const server = await Server.start(false, ['--name', 'Ada’s', '--dev', folder]);
    t.after(() => server.discard());
    const { page } = await arrive('Ada', { context });
    const seated = async () => {
      const answer = await page.context().request.post(`${server.url}/tables`, {
        form: { game: 'cards', nick: 'Ada', colour: '#c0392b' }, maxRedirects: 0,
      });
      const path = answer.headers().location;
      await page.goto(server.url + path);
      await atTable(page);
      return path.split('/').at(-1) ?? '';
    };
    const first = await seated();
    const picture = (/** @type {string} */ name) =>
      createHash('sha256').update(readFileSync(join(folder, 'art', name))).digest('hex');
    assert.deepEqual(await picturesOf(page, first), [picture('cards/deck.svg')]);
    await loadBag(page);
    await stow(page, 'Deck');

    const old = await openBag(page);
    await old.locator('li[data-place="home"]').waitFor();
    assert.equal(await old.getByRole('button', { name: /^Use the newer pictures/ }).count(), 0);
    await page.keyboard.press('Escape');
    await old.waitFor({ state: 'detached' });

    const file = join(folder, 'games', 'cards.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"cards/deck.svg"', `"${NEWER}"`));
    assert.equal(await server.stop(), 0);
    await server.start();

    await page.goto(`${server.url}/bag`);
    await page.getByText('There is a newer version of its pictures.').waitFor();
    await page.getByRole('button', { name: 'Use the newer pictures: Deck' }).waitFor();
    assert.deepEqual(await barriers(page), []);
    if (process.env.HOLT_SHOTS)
      await page.screenshot({ path: join(process.env.HOLT_SHOTS, `newer-${device}-page.png`) });

    const table = await seated();
    const bag = await openBag(page);
    const use = bag.getByRole('button', { name: 'Use the newer pictures: Deck' });
    await use.waitFor();
    assert.deepEqual(await barriers(page), []);
    if (process.env.HOLT_SHOTS)
      await page.screenshot({ path: join(process.env.HOLT_SHOTS, `newer-${device}-bag.png`) });
    await use.click();
    await bag.getByText('Deck now has the newer pictures.').waitFor();
    assert.equal(await use.count(), 0);

    // The table of now has a deck of its own, with the newer picture.
    await bag.getByRole('button', { name: /^Put on the table: / }).click();
    await page.waitForFunction(
      () => document.querySelectorAll('[data-piece][aria-label^="Deck"]').length === 2,
    );
    assert.deepEqual(await picturesOf(page, table), [picture(NEWER), picture(NEWER)]);
  });
}
