// Supplies: people take new pieces from them and give them back; by pointer, by finger and by keys.

import assert from 'node:assert/strict';
import test from 'node:test';
import { party, phone } from './party.js';
import { agree, dragTo, focus, labelled, middle, named, piece, said, still } from './pieces.js';
import { swipe } from './fingers.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** The pieces of a name. @param {Page} page @param {string} name */
const all = (page, name) => page.locator(`[data-piece][aria-label^="${name}"]`);

/** Waits until there are so many pieces of a name. @param {Page} page */
const count = async (page, /** @type {string} */ name, /** @type {number} */ n) => {
  if (n > 0) await all(page, name).nth(n - 1).waitFor();
  await all(page, name).nth(n).waitFor({ state: 'detached' });
};

test('T89.9, T89.10 a drag takes a new piece, and one back to the supply ends it', async (t) => {
  const { host, friend } = await party(t, { game: 'harvest' });
  const { page } = host;
  const barn = await named(page, 'Barn');
  await labelled(page, barn.id, /as many as you like: Corn/);
  const from = await middle(page, barn.id);
  await dragTo(page, barn.id, { x: from.x, y: from.y + 140 });
  await count(page, 'Corn', 2);
  await count(friend.page, 'Corn', 2);
  await still(page);
  await shoot(page, 'supplies');
  const corn = await named(page, 'Corn');
  const at = await middle(page, corn.id);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 4, from.y, { steps: 6 });
  await page.locator(`[data-piece="${barn.id}"].zone-accepts`).waitFor({ state: 'attached' });
  assert.match(await said(page), /It goes back to the barn/);
  await shoot(page, 'supplies-back');
  await page.mouse.up();
  await count(page, 'Corn', 1);
  await count(friend.page, 'Corn', 1);
  await page.keyboard.press('Control+z');
  await count(page, 'Corn', 2);
  await agree(page, friend.page);
});

test('T89.9, T89.10 with keys only, one piece and some money', async (t) => {
  const { host, friend } = await party(t, { game: 'harvest' });
  const { page } = host;
  const barn = await named(page, 'Barn');
  await focus(page, barn.id);
  await page.keyboard.press('v');
  await count(page, 'Corn', 2);
  await page.keyboard.press('Control+z');
  await count(page, 'Corn', 1);
  const bank = await named(page, 'Bank');
  await focus(page, bank.id);
  await page.keyboard.press('v');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('300');
  await shoot(page, 'supplies-money');
  await page.keyboard.press('Enter');
  await count(friend.page, 'Money', 1);
  await labelled(page, (await named(page, 'Money')).id, /300/);
  await focus(page, (await named(page, 'Corn')).id);
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: /Give back/ }).waitFor();
  await page.keyboard.type('give back');
  await page.keyboard.press('Enter');
  await count(friend.page, 'Corn', 0);
  await agree(page, friend.page);
});

test('T89.9 with a finger on a phone', async (t) => {
  const { host, friend } = await party(t, { game: 'harvest', host: phone });
  const { page } = host;
  const barn = await named(page, 'Barn');
  await labelled(page, barn.id, /as many as you like: Corn/);
  await still(page);
  const from = await middle(page, barn.id);
  await swipe(page, [{ from, to: { x: from.x - 60, y: from.y } }]);
  await count(page, 'Corn', 2);
  await count(friend.page, 'Corn', 2);
  assert.equal((await piece(page, barn.id)).x, barn.x);
  await shoot(page, 'supplies-phone');
  await agree(page, friend.page);
});
