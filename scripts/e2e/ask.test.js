// Buttons that ask whoever presses them: a number, a choice, a player and a piece. Nothing happens
// before all is answered, and one undo takes the press back.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { party, phone } from './party.js';
import { cooled, focus, middle, named } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** Waits until a page shows such a piece. @param {Page} page @param {string} name */
const shows = (page, name) =>
  page.locator(`[data-piece][aria-label^="${name}"]`).first().waitFor();

/** Presses a button of the table by its key. @param {Page} page @param {string} name */
async function pressed(page, name) {
  await focus(page, (await named(page, name)).id);
  await page.keyboard.press('o');
  const dialog = page.getByRole('dialog', { name });
  await dialog.waitFor();
  return dialog;
}

test('T95.12 a player, a number and a choice, by mouse', async (t) => {
  const { host, friend } = await party(t, { game: 'ask' });
  const { page } = host;
  const button = await named(page, 'Score points');
  const does = await page.locator(`[data-piece="${button.id}"]`).getAttribute('aria-description');
  assert.match(does ?? '', /^Asks for .Who.: Whose score changes.*; Asks for .Points.: .*; and /);
  const at = await middle(page, button.id);
  await page.mouse.click(at.x, at.y);
  const dialog = page.getByRole('dialog', { name: 'Score points' });
  await dialog.getByRole('radio', { name: 'Ben' }).click();
  await dialog.getByRole('button', { name: 'More' }).click();
  await dialog.getByRole('button', { name: 'More' }).click();
  assert.equal(await dialog.getByLabel('How many points?').inputValue(), '3');
  assert.deepEqual(await barriers(page), []);
  await shoot(page, 'ask-score');
  await shows(friend.page, 'Score, 10');
  await dialog.getByRole('button', { name: 'Press', exact: true }).click();
  for (const one of [page, friend.page]) {
    await shows(one, 'Score, 13');
    assert.equal(await one.locator('[data-piece][aria-label^="Score, 10"]').count(), 1);
  }

  await cooled(page);
  const weather = await named(page, 'Choose weather');
  const there = await middle(page, weather.id);
  await page.mouse.dblclick(there.x, there.y);
  const choice = page.getByRole('dialog', { name: 'Choose weather' });
  await choice.getByRole('group', { name: 'What is the weather like?' }).waitFor();
  await shoot(page, 'ask-choice');
  await choice.getByRole('button', { name: 'Storm' }).click();
  for (const one of [page, friend.page]) {
    await shows(one, 'Weather, storm');
    await one.locator('[data-piece][aria-label^="Lamp, off"]').nth(2).waitFor();
  }
  await page.keyboard.press('Control+z');
  for (const one of [page, friend.page]) {
    await shows(one, 'Weather, sun');
    await one.locator('[data-piece][aria-label^="Lamp, on"]').nth(2).waitFor();
  }
});

test('T95.12 a player and a piece, by keys alone, and Escape presses nothing', async (t) => {
  const { host, friend } = await party(t, { game: 'ask' });
  const { page } = friend;
  const isFocused = (/** @type {string} */ text) => page.waitForFunction(
    (want) => document.activeElement?.textContent?.includes(want), text,
  );
  await pressed(page, 'Switch a lamp');
  await isFocused('Lamp, on');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const dialog = await pressed(page, 'Switch a lamp'); // it does not cool down: nothing was pressed
  assert.equal(await dialog.getByRole('button', { name: 'Lamp, on' }).count(), 3);
  await page.keyboard.press('Tab');
  await shoot(page, 'ask-piece');
  await page.keyboard.press('Enter');
  for (const one of [host.page, page]) {
    await shows(one, 'Lamp, off');
    assert.equal(await one.locator('[data-piece][aria-label^="Lamp, on"]').count(), 2);
  }

  await cooled(page);
  await pressed(page, 'Give cards');
  await isFocused('Ben');
  await page.keyboard.press('Tab');
  await isFocused('Ada');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await host.page.locator('[data-piece][aria-label*="in your hand"]').nth(2).waitFor();
  for (const one of [host.page, page]) await shows(one, 'Deck, 9 cards');
});

test('T95.12 the questions fit a phone', async (t) => {
  const { host, friend } = await party(t, { game: 'ask', friend: phone });
  const { page } = friend;
  const dialog = await pressed(page, 'Give cards');
  await dialog.getByRole('radio', { name: 'Ada' }).tap();
  await dialog.getByRole('button', { name: 'Less' }).tap();
  assert.deepEqual(await barriers(page), []);
  await shoot(page, 'ask-phone');
  const box = await dialog.boundingBox();
  const width = await page.evaluate(() => innerWidth);
  assert.ok(box && box.x >= 0 && box.x + box.width <= width, 'it is as wide as the page at most');
  await dialog.getByRole('button', { name: 'Press', exact: true }).tap();
  for (const one of [host.page, page]) await shows(one, 'Deck, 11 cards');
  await shoot(page, 'ask-phone-done');
});
