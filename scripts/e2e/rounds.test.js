// Choosing together: two people choose in secret, and both see everything at once.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { choose } from './bar.js';
import { deck, deckHas, PACK } from './cards.js';
import { party, phone } from './party.js';
import { agree, pieces, still } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
const panel = (page) => page.getByRole('region', { name: 'Choose in secret' });
/** @param {Page} page */
const shown = (page) => page.getByRole('region', { name: 'This is what everybody chose: Bids' });

test('T76: cards and answers are shown when all are ready', async (t) => {
  const { host, friend } = await party(t, { game: 'cards', friend: phone });
  for (const { page } of [host, friend]) await page.getByRole('button', { name: 'Got it' }).click();
  await host.page.locator(`[data-piece="${(await deck(host.page)).id}"]`).click();
  await choose(host.page, /^Draw$/);
  await deckHas(friend.page, PACK - 1);
  await host.page.keyboard.press('Escape');

  await host.page.keyboard.press('Shift+V');
  const dialog = host.page.getByRole('dialog', { name: 'Choose together' });
  await dialog.getByLabel('What is it about?').fill('Bids');
  await shoot(host.page, 'round-dialog');
  assert.deepEqual(await barriers(host.page), [], 'axe finds nothing in the dialog');
  await dialog.getByRole('button', { name: 'Begin' }).click();
  for (const { page } of [host, friend])
    await panel(page).getByText('Ada asks everybody to choose in secret: Bids').waitFor();

  const [card] = (await pieces(host.page)).filter((p) => / in your hand/.test(p.label));
  await host.page.locator(`[data-piece="${card.id}"]`).click();
  await panel(host.page).getByText('One card chosen.').waitFor();
  await shoot(host.page, 'round-choosing-desktop');
  await panel(host.page).getByRole('button', { name: 'I am ready' }).click();
  await panel(host.page).getByText('You are ready. Waiting for Ben.').waitFor();
  await panel(friend.page).getByRole('listitem', { name: 'Ada: ready' }).waitFor();
  await still(friend.page);
  await shoot(friend.page, 'round-phone');
  assert.deepEqual(await barriers(friend.page), [], 'axe finds nothing');
  await panel(friend.page).getByRole('button', { name: 'Fold this' }).click();
  assert.equal(await panel(friend.page).getByRole('textbox').count(), 0, 'only its title is left');
  await shoot(friend.page, 'round-folded-phone');
  await friend.page.locator('.crowd').click();
  await friend.page.locator('#people .seat').first().waitFor();
  await panel(friend.page).waitFor({ state: 'hidden' });
  await friend.page.locator('#people').getByRole('button', { name: 'Close' }).click();
  await panel(friend.page).getByRole('button', { name: 'Unfold this' }).click();

  await panel(host.page).getByRole('button', { name: 'Choose again' }).click();
  await panel(friend.page).getByRole('listitem', { name: 'Ada: is choosing' }).waitFor();
  await panel(host.page).getByRole('button', { name: 'I am ready' }).click();
  await panel(friend.page).getByRole('textbox', { name: 'Your answer' }).fill('seven');
  await panel(friend.page).getByRole('button', { name: 'I am ready' }).click();
  const name = (card.label.split(',')[0] ?? '').trim();
  for (const { page } of [host, friend]) {
    await shown(page).getByText('“seven”').waitFor();
    await shown(page).getByText(name).waitFor();
  }
  await still(friend.page);
  await shoot(host.page, 'round-shown-desktop');
  await shoot(friend.page, 'round-shown-phone');
  await agree(host.page, friend.page);
  await shown(friend.page).getByRole('button', { name: 'Close' }).click();
  await host.page.getByRole('button', { name: /^Chat/ }).click();
  await host.page.locator('.log').getByText(/^Shown together: You: /).waitFor();
  await host.page.locator('.log').getByText('seven').waitFor();
  await shoot(host.page, 'round-log');
});
