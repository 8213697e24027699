// Zones: the server lays what is put down there, for everybody at the table; by pointer, by finger
// and by keys.

import assert from 'node:assert/strict';
import test from 'node:test';
import { devices, party, phone } from './party.js';
import {
  agree, carry, dragTo, focus, labelled, middle, named, piece, said, same, still, until,
} from './pieces.js';
import { swipe } from './fingers.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** Where the zones of the sample lie. */
const STALL = { x: 300 - 360, y: 0 }; // its second place
const WASTE = { x: 2300, y: 0 };

/** The class that shows whether a zone takes what is carried. @param {Page} page */
const marked = (page, /** @type {number} */ id, /** @type {string} */ name) =>
  page.locator(`[data-piece="${id}"].zone-${name}`).waitFor({ state: 'attached' });

test('T86.3, T86.6, T86.14 a card goes to its place, and one undo takes it back', async (t) => {
  const { host, friend } = await party(t, { game: 'market' });
  const { page } = host;
  const stall = await named(page, 'Stall');
  const purse = await named(page, 'Purse');
  assert.match(stall.label, /empty/);
  const card = await named(page, 'Card');
  const apple = await named(page, 'Apple');
  await carry(page, apple.id, { x: 2000 + 2400, y: 1100 - 1500 });
  await marked(page, purse.id, 'refuses');
  await shoot(page, 'zones-refuses');
  const over = await middle(page, stall.id);
  await page.mouse.move(over.x - 20, over.y + 10, { steps: 3 });
  await marked(page, stall.id, 'accepts');
  assert.match(await said(page), /It cannot go to the purse(.|\n)*It goes to the stall/);
  await shoot(page, 'zones-accepts');
  await page.mouse.up();
  const laid = await until(page, apple.id, { x: STALL.x, y: STALL.y, holder: 0 });
  await same(friend.page, laid);
  await page.keyboard.press('Control+z');
  const back = await until(page, apple.id, { x: apple.x, y: apple.y });
  await same(friend.page, back);
  await dragTo(page, apple.id, { x: over.x - 20, y: over.y });
  await dragTo(page, card.id, { x: over.x + 20, y: over.y });
  await labelled(page, stall.id, /2 pieces on it/);
  await page.locator('[data-piece][aria-label^="Pear"]').first().waitFor();
  await still(page);
  await shoot(page, 'zones');
  await labelled(friend.page, (await named(friend.page, 'Stall')).id, /2 pieces on it/);
  await agree(page, friend.page);
});

// Clauses: T86.17
test('T86.17 a piece and the log say in which zone it lies', async (t) => {
  const { host } = await party(t, { game: 'mancala' });
  const { page } = host;
  const seed = page.locator('[data-piece][aria-label^="Amber seed, on South’s pit 1"]');
  const id = Number(await seed.first().getAttribute('data-piece'));
  await dragTo(page, id, await middle(page, (await named(page, 'South’s pit 2')).id));
  await labelled(page, id, /^Amber seed, .*on South’s pit 2$/);
  await page.getByRole('button', { name: /^Chat/ }).click();
  await page.getByText('You moved the amber seed from South’s pit 1 to South’s pit 2.').waitFor();
});

test('T86.7 what comes to the pile from a hand is never shown to the others', async (t) => {
  const { host, friend } = await party(t, { game: 'market' });
  const { page } = host;
  /** @type {string[]} */
  const fronts = [];
  await friend.page.exposeFunction('noteFront', (/** @type {string} */ name) => fronts.push(name));
  const deck = await named(page, 'Deck');
  await focus(page, deck.id);
  await page.keyboard.press('d');
  const inHand = page.locator('[data-piece][aria-label*="in your hand"]').first();
  await inHand.waitFor();
  await friend.page.evaluate(() => {
    new MutationObserver((all) => {
      for (const { target } of all) {
        const label = /** @type {Element} */ (target).getAttribute('aria-label') ?? '';
        if (/^(Apple|Pear|Plum)/.test(label) && !/1[45] cm/.test(label))
          /** @type {any} */ (window).noteFront(label);
      }
    }).observe(document.body, { subtree: true, attributeFilter: ['aria-label'] });
  });
  const id = Number(await inHand.getAttribute('data-piece'));
  const waste = await named(page, 'Waste');
  await dragTo(page, id, await middle(page, waste.id));
  await labelled(page, waste.id, /one piece on it/);
  await labelled(friend.page, (await named(friend.page, 'Waste')).id, /one piece on it/);
  await still(friend.page);
  assert.deepEqual(fronts, []);
});

test('a pile in a zone that counts says only once how many cards it has', async (t) => {
  const { host } = await party(t, { game: 'market' });
  const { page } = host;
  const waste = await named(page, 'Waste');
  for (const name of ['Apple', 'Deck']) {
    const { id } = await named(page, name);
    await dragTo(page, id, await middle(page, waste.id));
    await still(page);
  }
  await labelled(page, waste.id, /2 pieces on it/);
  await page.locator('.tallied > .count').waitFor({ state: 'hidden' });
  const shown = page.locator('.count', { hasText: /^2$/ }).filter({ visible: true });
  assert.equal(await shown.count(), 1);
  assert.equal(
    await shown.evaluate((e) => e.parentElement?.getAttribute('data-piece')), String(waste.id),
  );
});

test('T86.15 what lies in a zone goes along with it', async (t) => {
  const { host, friend } = await party(t, { game: 'market' });
  const { page } = host;
  const purse = await named(page, 'Purse');
  const coin = await named(page, 'Coin');
  await dragTo(page, coin.id, await middle(page, purse.id));
  await labelled(page, purse.id, /Purse/);
  const before = await until(page, coin.id, { holder: 0, y: purse.y - 180 });
  await focus(page, purse.id);
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Space');
  await until(page, purse.id, { holder: 0 });
  const moved = await piece(page, purse.id);
  assert.ok(moved.x < purse.x, 'the purse has moved');
  const after = await until(page, coin.id, { holder: 0 });
  assert.deepEqual(
    [after.x - before.x, after.y - before.y], [moved.x - purse.x, moved.y - purse.y],
  );
  await agree(page, friend.page);
});

test('T86.2, T86.14 with keys only', async (t) => {
  const { host, friend } = await party(t, { game: 'market' });
  const { page } = host;
  const apple = await named(page, 'Apple');
  await focus(page, apple.id);
  await page.keyboard.press('Shift+F10');
  const menu = page.getByRole('menuitem', { name: /Put on the waste/ });
  await menu.waitFor();
  await shoot(page, 'zones-menu');
  await page.keyboard.type('put on the waste');
  await page.keyboard.press('Enter');
  await until(page, apple.id, { x: WASTE.x, y: WASTE.y });
  const waste = await named(page, 'Waste');
  await labelled(page, waste.id, /one piece on it/);
  await agree(page, friend.page);
});

for (const [name, context] of devices)
  test(`T86.3, T86.6 with a finger on a ${name}`, async (t) => {
    const { host, friend } = await party(t, { game: 'market', host: context });
    const { page } = host;
    const card = await named(page, 'Card');
    const stall = await named(page, 'Stall');
    await still(page);
    const [from, to] = [await middle(page, card.id), await middle(page, stall.id)];
    if (context === phone) await swipe(page, [{ from, to }]);
    else await dragTo(page, card.id, to);
    await labelled(page, stall.id, /one piece on it/);
    await until(page, card.id, { y: STALL.y, face: 0, holder: 0 });
    await still(page);
    await shoot(page, `zones-${name}`);
    await agree(page, friend.page);
  });
