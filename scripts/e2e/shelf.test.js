// The shelf of the first page (G19): finding a game by filters, by keys alone, on a phone, and
// without scripts.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { arrive, atTable, desktop, fileServer, phone } from './party.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** The names of the games that show. @param {Page} page */
const names = (page) => page.locator('.shelf-name:visible').allTextContents();

/** The name of the game that is chosen. @param {Page} page */
const chosen = (page) =>
  page.locator('.shelf-item:has(input:checked):not([hidden]) .shelf-name').textContent();

/**
 * Checks that the chosen game is in sight with its set-ups, and that the bar covers none of it.
 *
 * @param {Page} page
 */
async function inSight(page) {
  const game = await page.locator('.shelf-item:has(input:checked)').boundingBox();
  const bar = await page.locator('.start').boundingBox();
  assert.ok(game && bar);
  assert.ok(game.y >= 0, `the game begins at ${game.y}`);
  assert.ok(
    game.y + game.height <= bar.y, `it ends at ${game.y + game.height}, the bar is at ${bar.y}`,
  );
}

for (const [device, context] of Object.entries({ desktop, phone })) {
  // Clauses: G19.2, G19.4
  test(`G19.2 a game is found by filters on a ${device}`, async (t) => {
    const server = await fileServer();
    // Otherwise the page glides to a game, and the test would have to wait for its end.
    const { page, watch } = await arrive('Ada', {
      context: { ...context, reducedMotion: 'reduce' },
    });
    t.after(() => page.context().close());
    await page.goto(server.url);
    const all = await names(page);
    const status = page.getByRole('status').and(page.locator('[data-count]'));
    const words = page.getByRole('searchbox', { name: 'Search games' });
    const kind = page.getByRole('combobox', { name: 'Kind of game' });
    await page.locator('[data-chosen]', { hasText: all[0] }).waitFor();
    await shoot(page, `shelf-${device}`);

    await t.test('by words, as they are typed', async () => {
      await words.pressSequentially('CHÉSS');
      const found = await names(page);
      for (const name of ['Chess', 'Plain chess', 'Xiangqi']) assert.ok(found.includes(name), name);
      assert.ok(!found.includes('Draughts'));
      assert.equal(await status.textContent(), `${found.length} of ${all.length} games`);
      assert.equal(await chosen(page), 'Chess', 'a game that is hidden is not the chosen one');
      assert.equal(await page.locator('[data-chosen]').textContent(), 'Chess');
      await words.fill('');
      assert.deepEqual(await names(page), all);
      assert.equal(await chosen(page), all[0]);
      assert.equal(await status.textContent(), '');
    });

    await t.test('by kind, players and time, all at once', async () => {
      await kind.selectOption('Board games');
      await page.getByRole('combobox', { name: 'Number of players' }).selectOption('2 players');
      const some = await names(page);
      for (const name of ['Chess', 'Draughts', 'Reversi']) assert.ok(some.includes(name), name);
      assert.ok(!some.includes('Playing cards') && !some.includes('Plain chess'));
      const time = page.getByRole('combobox', { name: 'How long a game takes' });
      await time.selectOption('Up to 15 min');
      const quick = await names(page);
      assert.ok(quick.includes('Outposts') && !quick.includes('Chess'));
      assert.equal(await status.textContent(), `${quick.length} of ${all.length} games`);
      await shoot(page, `shelf-found-${device}`);
      assert.deepEqual(await barriers(page), []);
    });

    await t.test('by words that are not shown', async () => {
      for (const field of await page.locator('select.filter').all()) await field.selectOption('');
      for (const [wish, name] of [
        ['crazy eights', 'Colours'], ['patience', 'Solitaire'], ['memory', 'Pairs'],
        ['checkers', 'Draughts'],
      ]) {
        await words.fill(wish);
        assert.ok((await names(page)).includes(name), wish);
      }
      assert.equal(await page.getByText('crazy eights').count(), 0);
      await words.fill('');
    });

    await t.test('all that finds games is in sight, and no fact is cut off', async () => {
      const { width } = page.viewportSize() ?? { width: 0 };
      for (const filter of await page.locator('.filter').all()) {
        const box = await filter.boundingBox();
        assert.ok(box && box.x >= 0 && box.x + box.width <= width, JSON.stringify(box));
      }
      const cut = await page.locator('.shelf-facts').evaluateAll((all) =>
        all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent));
      assert.deepEqual(cut, []);
    });

    // Clauses: G14.3
    await t.test('G14.3 a number of players chooses a set-up for as many', async () => {
      const players = page.getByRole('combobox', { name: 'Number of players' });
      for (const field of await page.locator('select.filter').all()) await field.selectOption('');
      await page.getByRole('radio', { name: 'Hearts', exact: true }).check();
      const setup = page.locator('#setup-hearts > option:checked');
      assert.equal(await setup.textContent(), '4 players');
      for (const n of ['3 players', '5 players']) {
        await players.selectOption(n);
        assert.equal(await setup.textContent(), n);
      }
      await players.selectOption('');
      assert.equal(await setup.textContent(), '5 players', 'the choice stays');
    });

    await t.test('if none fits, the page says so, and one button shows all', async () => {
      await words.fill('no such game');
      await page.getByText('No game fits what you are looking for.').waitFor();
      assert.equal(await status.textContent(), `0 of ${all.length} games`);
      const start = page.getByRole('button', { name: 'Start a table' });
      assert.ok(await start.isDisabled());
      assert.deepEqual(await barriers(page), []);
      await shoot(page, `shelf-none-${device}`);
      await page.getByRole('button', { name: 'Show all games' }).click();
      assert.deepEqual(await names(page), all);
      assert.ok(await words.evaluate((e) => e === document.activeElement));
      assert.ok(await start.isEnabled());
    });

    await t.test('at random, among those that show', async () => {
      await kind.selectOption('Board games');
      for (let i = 0; i < 5; i++) {
        const before = await chosen(page);
        await page.getByRole('button', { name: 'Surprise us' }).click();
        const after = await chosen(page);
        assert.notEqual(after, before);
        assert.ok((await names(page)).includes(after ?? ''));
        const focused = page.locator('.shelf-item:has(input:focus) .shelf-name');
        assert.equal(await focused.textContent(), after);
        await inSight(page);
      }
      await shoot(page, `shelf-surprise-${device}`);
      await kind.selectOption('');
    });

    await t.test('the bar covers neither the last row nor a game with set-ups', async () => {
      for (const name of [all.at(-1) ?? '', 'Chess', 'Playing cards']) {
        await page.getByRole('radio', { name, exact: true }).focus();
        await page.keyboard.press('Space');
        assert.equal(await chosen(page), name);
        await inSight(page);
      }
      await shoot(page, `shelf-chosen-${device}`);
      await page.getByRole('radio', { name: all.at(-1) ?? '', exact: true }).check();
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await inSight(page);
      await shoot(page, `shelf-end-${device}`);
    });

    await t.test('G19.4 what was played stands first afterwards', async () => {
      await page.getByRole('radio', { name: 'Draughts', exact: true }).check();
      await page.getByLabel('Your name').fill('Ada');
      await page.getByRole('button', { name: 'Start a table' }).click();
      await atTable(page);
      await page.goto(server.url);
      await page.getByRole('heading', { name: 'Played recently' }).waitFor();
      assert.equal((await names(page))[0], 'Draughts');
      assert.equal(await chosen(page), 'Draughts');
      assert.equal((await names(page)).length, all.length);
      assert.deepEqual(await barriers(page), []);
      await shoot(page, `shelf-recent-${device}`);
      await words.fill('cards');
      await page.getByRole('heading', { name: 'Played recently' }).waitFor({ state: 'hidden' });
    });
    assert.deepEqual(watch.unexpected, []);
  });

  // Clauses: G19.6
  test(`G19.6 the first page on a ${device} neither waits for pictures nor moves`, async (t) => {
    const server = await fileServer();
    const { page } = await arrive('Ada', { context });
    t.after(() => page.context().close());
    /** What is asked for, and not answered yet. @type {(() => void)[]} */
    const held = [];
    let isHeld = true;
    await page.route(/\/art\/|homepage/, async (route) => {
      if (isHeld) await new Promise((go) => held.push(() => go(null)));
      await route.continue();
    });
    await page.goto(server.url, { waitUntil: 'commit' });
    await page.locator('.swatches').waitFor(); // the end of the page
    await page.waitForFunction(() => document.fonts.check('16px "Bree Serif"'));
    const places = () =>
      page.evaluate(() => {
        const of = (/** @type {Element|null} */ e) => e?.getBoundingClientRect().top ?? 0;
        const top = of(document.querySelector('.filters'));
        return [...document.querySelectorAll('.filter, .shelf-item')].map((e) => of(e) - top);
      });
    const before = await places();
    assert.ok(before.length > 15 && held.length > 0);
    isHeld = false;
    for (const go of held) go();
    await page.locator('[data-chosen]:not(:empty)').waitFor();
    for (const img of await page.locator('.shelf-art > img').all()) {
      assert.ok(await img.evaluate(async (e) => {
        const picture = /** @type {HTMLImageElement} */ (e);
        picture.loading = 'eager';
        await picture.decode();
        return picture.naturalWidth > 0;
      }), 'each game has a picture');
    }
    assert.deepEqual(await places(), before, 'nothing has moved');
  });
}

test('G19.2 a game is found and started by keys alone', async (t) => {
  const server = await fileServer();
  const { page, watch } = await arrive('Ada');
  t.after(() => page.context().close());
  await page.goto(server.url);
  await page.locator('[data-chosen]:not(:empty)').waitFor();
  const at = () =>
    page.evaluate(() => {
      const e = document.activeElement;
      return e?.getAttribute('aria-label') ?? e?.getAttribute('aria-labelledby') ?? e?.textContent;
    });
  for (let i = 0; i < 5 && (await at()) !== 'Search games'; i++) await page.keyboard.press('Tab');
  await page.keyboard.type('board');
  const stops = [];
  for (let i = 0; i < 4; i++) {
    await page.keyboard.press('Tab');
    stops.push(await at());
  }
  assert.deepEqual(stops, [
    'Number of players', 'Kind of game', 'How long a game takes', 'Surprise us',
  ]);
  await page.keyboard.press('Tab'); // to the game that is chosen
  const shown = await names(page);
  assert.ok(shown.length > 1);
  for (const want of [...shown.slice(1), shown[0]]) {
    await page.keyboard.press('ArrowDown');
    assert.equal(await chosen(page), want, 'arrow keys lead to the games that show, and around');
  }
  await page.locator('[data-words]').focus();
  await page.keyboard.press('Enter');
  assert.equal(await at(), `name-${await page.locator('input:checked').first().inputValue()}`);
  await page.keyboard.press('Enter');
  const name = page.getByLabel('Your name');
  assert.ok(await name.evaluate((e) => e === document.activeElement), 'a name is missing');
  await page.keyboard.type('Ada');
  await page.keyboard.press('Enter');
  await atTable(page);
  await page.goto(server.url);
  assert.equal((await names(page))[0], shown[0], 'that game was started');
  await page.getByRole('radio', { name: 'Draughts', exact: true }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter'); // the name is known now
  await atTable(page);
  assert.deepEqual(watch.unexpected, []);
});

// Clauses: G19.1
test('G19.1 without scripts the page lists all games, and starts one', async (t) => {
  const server = await fileServer();
  const { page } = await arrive('Ada', { context: { ...phone, javaScriptEnabled: false } });
  t.after(() => page.context().close());
  await page.goto(server.url);
  assert.equal(await page.locator('.shelf-item').count(), (await names(page)).length);
  assert.equal(await page.locator('.filter:visible').count(), 0, 'they could do nothing');
  await shoot(page, 'shelf-no-script');
  await page.getByRole('radio', { name: 'Reversi' }).check();
  await page.getByLabel('Your name').fill('Ada');
  await page.getByRole('button', { name: 'Start a table' }).click();
  await page.waitForURL(/\/t\/[0-9a-f]{32}$/);
  assert.match(await page.title(), /Reversi/);
});
