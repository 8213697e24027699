// Two servers that are linked: Ada takes a deck from her own server to a table on Ben's, and home again (O37 to O39).

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './barriers.js';
import { ask } from './cards.js';
import { arrive, desktop, phone } from './party.js';
import { focus, pieces } from './pieces.js';
import { Server } from './server.js';

/** @typedef {import('playwright-core').Page} Page */

const RIGHTS = 'visit,bring,keep';

/** Two servers, linked by their operators on the command line. @param {import('node:test').TestContext} t */
async function neighbours(t) {
  const home = await Server.start(false, ['--name', 'Ada’s']);
  t.after(() => home.discard());
  const away = await Server.start(false, ['--name', 'Ben’s']);
  t.after(() => away.discard());
  const invitation = away.operate('peer', 'invite', '--rights', RIGHTS).trim();
  assert.match(home.operate('peer', 'accept', invitation, '--rights', RIGHTS, '--yes'), /Linked with/);
  return { home, away };
}

/** @param {Server} server @param {import('playwright-core').BrowserContextOptions} context */
async function ada(server, context) {
  const person = await arrive('Ada', { context });
  const { page } = person;
  const { table } = await seated(page, server, 'cards');
  return { ...person, table };
}

/** Makes a table on the first page. @param {Page} page @param {Server} server @param {string} game */
async function seated(page, server, game) {
  const answer = await page.context().request.post(`${server.url}/tables`, { form: { game, nick: 'Ada', colour: '#c0392b' }, maxRedirects: 0 });
  const path = answer.headers().location;
  await page.goto(server.url + path);
  await atTable(page);
  return { table: path.split('/').at(-1) ?? '' };
}

/** @param {Page} page */
async function atTable(page) {
  await page.locator('main#table[data-status="online"] [data-piece]').first().waitFor();
}

/** The deck, once it lies there. @param {Page} page */
async function deckOf(page) {
  const found = page.locator('[data-piece][aria-label^="Deck"]');
  await found.first().waitFor();
  return (await pieces(page)).filter((p) => p.label.startsWith('Deck'));
}

/** Opens the bag by its key, and returns the dialog. @param {Page} page */
async function openBag(page) {
  await page.locator('.surface, main').first().press('Shift+B');
  const dialog = page.locator('[data-dialog="bag"]');
  await dialog.locator('.bag-foot button').waitFor();
  return dialog;
}

/** Puts the deck of one's own table into the bag. @param {Page} page */
async function pack(page) {
  const [deck] = await deckOf(page);
  const bag = await openBag(page);
  await page.keyboard.press('Escape');
  await bag.waitFor({ state: 'detached' });
  await focus(page, deck.id);
  await page.keyboard.press('x');
  await page.locator('[data-action="stow-bag"]').first().click();
  await page.locator(`[data-piece="${deck.id}"]`).waitFor({ state: 'detached' });
}

for (const [device, context] of /** @type {const} */ ([['a desktop', desktop], ['a phone', phone]])) {
  test(`O37, O38 with ${device} Ada takes her deck to a table of Ben’s and home again, though her server is killed in between`, async (t) => {
    const { home, away } = await neighbours(t);
    const { page } = await ada(home, context);
    await pack(page);

    const made = await away.createTable('chess', 'Ben');
    await page.goto(home.url);
    await page.getByLabel('An invite link of another server').fill(made.invites.player);
    assert.deepEqual(await barriers(page), []);
    await page.getByRole('button', { name: 'See where it leads' }).click();
    assert.deepEqual(await barriers(page), []);
    await page.getByRole('button', { name: 'Go there' }).click();
    await page.getByRole('button', { name: 'Sit down as Ada of Ada’s' }).waitFor();
    assert.deepEqual(await barriers(page), []);
    await page.getByRole('button', { name: 'Sit down as Ada of Ada’s' }).click();
    await atTable(page);
    const { seats } = await away.read(made.table, made.token);
    assert.deepEqual(seats.map((/** @type {any} */ s) => [s.nick, s.home ?? '']), [['Ben', ''], ['Ada', 'Ada’s']]);

    const bag = await openBag(page);
    assert.deepEqual(await barriers(page), []);
    await bag.getByRole('button', { name: /^Put on the table: / }).click();
    const [deck] = await deckOf(page);

    await home.kill();
    await ask(page, { op: 'shuffle', piece: deck.id }); // only the owner can
    await page.locator(`[data-piece="${deck.id}"].away`).waitFor();
    assert.match(await page.locator(`[data-piece="${deck.id}"]`).getAttribute('aria-label') ?? '', /away: the server to which it belongs does not answer/);
    await home.start();
    await page.locator(`[data-piece="${deck.id}"]:not(.away)`).waitFor();

    await ask(page, { op: 'draw', piece: deck.id, n: 1, face: 0, x: 0, y: -1500 });
    await page.locator(`[data-piece="${deck.id}"][aria-label*="53 cards"]`).waitFor();
    await page.locator('[data-piece][data-x="0"][data-y="-1500"]:not([aria-label^="Deck"])').waitFor();
    await ask(page, { op: 'take', piece: deck.id });
    await page.locator(`[data-piece="${deck.id}"]`).waitFor({ state: 'detached' });
    const after = await openBag(page);
    await after.locator('li[data-place="home"]').waitFor();
    assert.deepEqual(await barriers(page), []);
  });
}

test('O39 when Ben’s server stays away for 30 s the page goes home, and says why', async (t) => {
  const { home, away } = await neighbours(t);
  const { page } = await arrive('Ada', { clock: true });
  const made = await away.createTable('chess', 'Ben');
  await page.goto(`${home.url}/go?link=${encodeURIComponent(made.invites.player)}`);
  await page.getByLabel('Your name').fill('Ada');
  await page.getByRole('button', { name: 'Go there' }).click();
  await page.getByRole('button', { name: 'Sit down as Ada of Ada’s' }).click();
  await atTable(page);
  await page.waitForFunction(() => document.querySelector('main#table')?.hasAttribute('data-home'));
  await away.kill();
  await page.locator('.banner:not([hidden])').waitFor();
  await page.clock.fastForward(31_000);
  await page.getByText('Ben’s could not be reached any more').waitFor();
  assert.ok(page.url().startsWith(home.url));
  assert.deepEqual(await barriers(page), []);
});

test('who runs a server links it by its page, without a script', async (t) => {
  const home = await Server.start(false, ['--name', 'Ada’s']);
  t.after(() => home.discard());
  const { page } = await arrive('Ada', { context: { ...phone, javaScriptEnabled: false } });
  await page.goto(home.operate('peer', 'page').trim());
  await page.getByRole('button', { name: 'Make an invitation' }).click();
  assert.match(await page.getByLabel('The invitation, good once and for 24 hours').inputValue(), /^\S.{20,}$/);
});
