// The bar of what can be done with the selection, and the menu behind "More".

/** @typedef {import('playwright-core').Page} Page */

/** The bar. @param {Page} page */
export const bar = (page) => page.getByRole('toolbar', { name: 'What to do with the selection' });

/** Opens the menu of everything that can be done with the selection. @param {Page} page */
export async function openMore(page) {
  await bar(page).getByRole('button', { name: 'More', exact: true }).click();
  const menu = page.getByRole('menu');
  await menu.waitFor();
  return menu;
}

/**
 * Does something with the selection: by a button of the bar if it has one, else by the menu.
 *
 * @param {Page} page
 * @param {RegExp} name
 */
export async function choose(page, name) {
  await bar(page).waitFor();
  const button = bar(page).getByRole('button', { name });
  if (await button.count() > 0) await button.click();
  else await (await openMore(page)).getByRole('menuitem', { name }).click();
}

/** Says yes to a question. @param {Page} page */
export async function sayYes(page) {
  const question = page.getByRole('alertdialog');
  await question.locator('[data-yes]').click();
  await question.waitFor({ state: 'detached' });
}
