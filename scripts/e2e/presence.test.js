// Which people are here or away, have just lost the connection or are gone, as the others see and
// hear it (S11).

import assert from 'node:assert/strict';
import test from 'node:test';
import { networkErrors } from './browser.js';
import { party } from './party.js';
import { said } from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */

/**
 * Waits until the list of people says this of a seat, in words.
 *
 * @param {Page} page
 * @param {number} seat
 * @param {string} words
 */
async function listed(page, seat, words) {
  await page.locator(`.seat[data-seat="${seat}"] .seat-state`, { hasText: words }).waitFor();
}

/**
 * The person turns to something else, or back.
 *
 * @param {Page} page
 * @param {'hidden' | 'visible'} state
 */
async function turn(page, state) {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}

test('S11 the list and the discs show who is here, away, lost or gone', async (t) => {
  const { host, friend, join, invites } = await party(t, { links: true });
  const cleo = await join('Cleo', invites.spectator);
  friend.watch.expect(networkErrors);
  const { page } = host;
  await page.locator('button.crowd').click();
  for (const seat of [1, 2, 3]) await listed(page, seat, 'here');
  const disc = (/** @type {number} */ n) =>
    page.locator('.discs .disc').nth(n).getAttribute('data-presence');

  await turn(cleo.page, 'hidden');
  await listed(page, 3, 'away');
  assert.equal(await disc(2), 'away');
  await turn(cleo.page, 'visible');
  await listed(page, 3, 'here');

  friend.link?.cut();
  await listed(page, 2, 'connection lost');
  assert.equal(await disc(1), 'lost');
  await page
    .locator('button.crowd', { hasText: '2 people here Ben has lost the connection.' })
    .waitFor();
  await page
    .locator('[data-live]', { hasText: 'Ben has lost the connection.' })
    .waitFor({ state: 'attached' });
  friend.link?.mend();
  await listed(page, 2, 'here');
  await page.locator('[data-live]', { hasText: 'Ben is back.' }).waitFor({ state: 'attached' });

  await cleo.page.goto('about:blank');
  await listed(page, 3, 'not here');
  await page.locator('[data-live]', { hasText: 'Cleo has left.' }).waitFor({ state: 'attached' });
  assert.equal(await page.locator('.discs .disc').count(), 2, 'a person who has gone has a disc');
  assert.doesNotMatch(await said(page), /away/, 'looking elsewhere is not announced');
});
