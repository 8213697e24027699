// Pictures of pages for people to look at.

/** @typedef {import('playwright-core').Page} Page */

/** Keeps a picture, if HOLT_SHOTS names a folder. @param {Page} page @param {string} name */
export async function shoot(page, name) {
  const folder = process.env.HOLT_SHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}
