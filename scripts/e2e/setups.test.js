// The set-up of a new table is chosen on the first page (T78): by touch, and by keys alone.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { deck } from './cards.js';
import { arrive, atTable, fileServer, phone } from './party.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** The choice of a set-up, for the game that is chosen. @param {Page} page */
const choice = (page) => page.locator('select:visible').and(page.getByLabel('Set-up'));

// Clauses: T78.4
test('T78.4 a set-up with steps is chosen on a phone', async (t) => {
  const server = await fileServer();
  const { page, watch } = await arrive('Ada', { context: phone });
  t.after(() => page.context().close());
  await page.goto(server.url);
  await page.locator('#name-chess').tap();
  assert.equal(await choice(page).count(), 1, 'only that of the chosen game shows');
  await page.locator('#name-dealer').tap();
  await choice(page).waitFor();
  assert.deepEqual(await choice(page).locator('option').allTextContents(), [
    'Standard', 'Dealt',
  ]);
  assert.deepEqual(await barriers(page), []);
  await shoot(page, 'setups-phone');
  await choice(page).selectOption('Dealt');
  await page.getByLabel('Your name').fill('Ada');
  await page.getByRole('button', { name: 'Start a table' }).click();
  await atTable(page);
  const { label } = await deck(page);
  assert.match(label, /Deck, 20 cards/, 'the steps have dealt three cards and laid one out');
  await page.getByRole('button', { name: /^Chat/ }).click();
  await page.getByText('You set the table up again: Dealt.').waitFor();
  assert.deepEqual(watch.unexpected, []);
});

test('T78.4 a set-up is chosen by keys alone', async (t) => {
  const server = await fileServer();
  const { page } = await arrive('Ada', {});
  t.after(() => page.context().close());
  await page.goto(server.url);
  await page.getByRole('radio', { name: 'Dealer', exact: true }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  assert.ok(await choice(page).evaluate((e) => e === document.activeElement));
  await page.keyboard.press('ArrowDown');
  await page.getByLabel('Your name').focus();
  await page.keyboard.type('Ada');
  await page.keyboard.press('Enter');
  await atTable(page);
  assert.match((await deck(page)).label, /Deck, 20 cards/);
});
