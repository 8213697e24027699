// The bag of a person: opens it, and puts things into it.

import { openMore } from './bar.js';
import { focus, named } from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */

/** Opens the bag by its key, and returns the dialog. @param {Page} page */
export async function openBag(page) {
  await page.locator('.surface, main').first().press('Shift+B');
  const dialog = page.locator('[data-dialog="bag"]');
  await dialog.locator('.bag-foot button').waitFor();
  return dialog;
}

/** Opens the bag and closes it: the page has loaded its part then. @param {Page} page */
export async function loadBag(page) {
  const dialog = await openBag(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

/**
 * Puts something into the bag, by keys and the menu. The part for the bag is loaded.
 *
 * @param {Page} page
 * @param {string} name how its label begins
 */
export async function stow(page, name) {
  const { id } = await named(page, name);
  await focus(page, id);
  await page.keyboard.press('x');
  await (await openMore(page)).locator('[data-action="stow-bag"]').click();
  await page.locator(`[data-piece="${id}"]`).waitFor({ state: 'detached' });
}
