// Buttons: a press by pointer or key does all steps on every screen, and one undo takes it back.

import assert from 'node:assert/strict';
import test from 'node:test';
import { party } from './party.js';
import { focus, middle, named } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** Waits until the page shows that round and that sky. @param {Page} page */
const shows = (page, /** @type {number} */ round, /** @type {string} */ sky) =>
  Promise.all([
    page.locator(`[data-piece][aria-label^="Round, ${round}"]`).waitFor(),
    page.locator(`[data-piece][aria-label^="${sky}"]`).first().waitFor(),
  ]);

test('T84.1 a press is seen by everybody, cools down and is taken back', async (t) => {
  const { host, friend } = await party(t, { game: 'turns' });
  const button = await named(host.page, 'Next round');
  assert.match(button.label, /^Next round, pinned, \d+ cm /, 'its name is short');
  const does = await host.page.locator(`[data-piece="${button.id}"]`)
    .getAttribute('aria-description');
  assert.equal(does, 'Adds 1 to each “Round”; Sets each “Energy” to 3; and 2 more');
  await shows(friend.page, 1, 'Sky, day');
  const at = await middle(host.page, button.id);
  await host.page.mouse.click(at.x, at.y);
  for (const { page } of [host, friend]) await shows(page, 2, 'Sky, night');
  await shoot(host.page, 'buttons');
  await host.page.locator('[data-piece] > .cooling').waitFor({ state: 'detached' });
  const there = await named(friend.page, 'Next round');
  await focus(friend.page, there.id);
  await friend.page.keyboard.press('o');
  for (const { page } of [host, friend]) await shows(page, 3, 'Sky, day');
  await friend.page.keyboard.press('Control+z');
  for (const { page } of [host, friend]) await shows(page, 2, 'Sky, night');
});

test('T84 a press is heard with its name and what it turned up, and so is its undo', async (t) => {
  const { host, friend } = await party(t, { game: 'bingo' });
  const button = await named(host.page, 'Next ball');
  const at = await middle(host.page, button.id);
  await host.page.mouse.click(at.x, at.y);
  const hears = (/** @type {Page} */ page, /** @type {RegExp} */ text) =>
    page.locator('[data-live="polite"]', { hasText: text }).waitFor({ state: 'attached' });
  await hears(friend.page, /Ada pressed “Next ball”\. Turned up: Ball [BINGO]\d+\./);
  await hears(host.page, /Turned up: Ball [BINGO]\d+\./);
  await host.page.keyboard.press('Shift+C');
  await host.page.locator('.log-did', { hasText: /^You pressed “Next ball”\. Turned up: / })
    .waitFor();
  await host.page.keyboard.press('Escape');
  await focus(host.page, button.id);
  await host.page.keyboard.press('Control+z');
  await friend.page.getByRole('button', { name: 'Allow' }).click();
  await hears(friend.page, /Ada took /);
  const all = await friend.page.locator('[data-live]').allTextContents();
  assert.equal(all.join(' ').split('Ada took ').length, 2, 'once');
});
