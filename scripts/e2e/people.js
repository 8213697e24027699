// The list of people on a page, and what it leads to.

/** @typedef {import('playwright-core').Page} Page */

/** Opens the list of people. @param {Page} page */
export async function people(page) {
  if (!(await page.locator('#people').isVisible())) await page.locator('.crowd').click();
  await page.locator('#people .seat').first().waitFor();
}

/** What the list of people says of somebody. @param {Page} page @param {string} nick */
export const said = (page, nick) => page.locator('#people .seat', { hasText: nick });

/**
 * Opens what can be done about somebody, and returns the dialog.
 * @param {Page} page
 * @param {string} nick
 */
export async function about(page, nick) {
  await people(page);
  await page.getByRole('button', { name: `More about ${nick}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: nick, exact: true });
  await dialog.waitFor();
  return dialog;
}
