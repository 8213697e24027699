// Hourglasses: who turns one over makes its sand run on every screen, and nothing is sent while it
// runs.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { party } from './party.js';
import { focus, middle, named, same, seen } from './pieces.js';
import { eventsReceived } from './secrets.js';

/** @typedef {import('playwright-core').Page} Page */

/** How long the sand of the hourglass among the tokens runs, in ms. */
const DURATION = 180_000;

/** The glass on a piece. @param {Page} page @param {number} id */
const glass = (page, id) => page.locator(`[data-piece="${id}"] > .sand`);

/**
 * The sand above as the page draws it, in ms, and when it was read. The picture has the sand as a
 * triangle, so its size is the square root of its height.
 *
 * @param {Page} page
 * @param {number} id
 */
async function sand(page, id) {
  const { size, at } = await glass(page, id).evaluate((e) => ({
    size: Number(
      e.querySelector('[transform]')?.getAttribute('transform')?.match(/scale\((.+)\)/)?.[1],
    ),
    at: Date.now(),
  }));
  return { above: size * size * DURATION, at };
}

/**
 * Waits until the page draws less sand above than so much.
 *
 * @param {Page} page
 * @param {number} id
 * @param {number} ms
 */
async function runsBelow(page, id, ms) {
  await page.waitForFunction(
    ({ id, size }) => {
      const e = document.querySelector(`[data-piece="${id}"] > .sand [transform]`);
      return Number(e?.getAttribute('transform')?.match(/scale\((.+)\)/)?.[1]) < size;
    },
    { id, size: Math.sqrt(ms / DURATION) },
  );
}

test('T59.1, T59.8, T59.9 an hourglass runs on every screen until its end', async (t) => {
  const { host, friend } = await party(t, { game: 'tokens' });
  const hourglass = await named(host.page, 'Hourglass');
  const { id } = hourglass;
  const there = (await same(friend.page, hourglass)).id;
  const both = /** @type {[Page, number][]} */ ([[host.page, id], [friend.page, there]]);
  for (const [page, piece] of both) {
    await glass(page, piece).and(page.locator('[data-sand="stands"]')).waitFor();
    assert.equal((await sand(page, piece)).above, 0);
    await page.locator(`[data-piece="${piece}"][aria-label*="all sand below"]`).waitFor();
  }

  await focus(host.page, id);
  await host.page.keyboard.press('o');
  await glass(friend.page, there).and(friend.page.locator('[data-sand="runs"]')).waitFor();
  await friend.page
    .locator('[data-live="polite"]', { hasText: 'turned the hourglass over.' })
    .waitFor({ state: 'attached' });
  const sent = eventsReceived(friend).filter(({ type }) => type === 'update').length;
  await runsBelow(host.page, id, DURATION - 2000);
  await runsBelow(friend.page, there, DURATION - 2000);
  const [here, far] = [await sand(host.page, id), await sand(friend.page, there)];
  const apart = Math.abs(here.above + here.at - far.above - far.at);
  assert.ok(apart < 1000, `the ends of the sand are ${apart} ms apart`);
  assert.equal(
    eventsReceived(friend).filter(({ type }) => type === 'update').length, sent,
    'nothing is sent while it runs',
  );
  assert.deepEqual(await barriers(host.page), []);

  // What has run is left to run: a few seconds.
  const at = await middle(friend.page, there);
  await friend.page.mouse.dblclick(at.x, at.y);
  await Promise.all(
    [host, friend].map(({ page }) => seen(page, /^The sand has run out: the hourglass\.$/)),
  );
  for (const [page, piece] of both) {
    await glass(page, piece).and(page.locator('[data-sand="stands"]')).waitFor();
    await page.locator(`[data-piece="${piece}"][aria-label*="all sand below"]`).waitFor();
    assert.equal((await sand(page, piece)).above, 0);
  }
  assert.deepEqual(await barriers(friend.page), []);
});
