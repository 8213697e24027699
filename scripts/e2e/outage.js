// A person whose line is gone, and comes back.

import { networkErrors } from './browser.js';

/** @typedef {import('./party.js').Person} Person */

/** Cuts the line of a person, and waits until their page knows. @param {Person} person */
export async function cutOff({ page, link, watch }) {
  watch.expect(networkErrors);
  link?.cut();
  await page.locator('main#table[data-status="offline"]').waitFor();
}

/** Mends it, and waits until the page is on line. @param {Person} person */
export async function bringBack({ page, link }) {
  link?.mend();
  await page.evaluate(() => dispatchEvent(new Event('online'))); // it does not wait for its next attempt
  await page.locator('main#table[data-status="online"]').waitFor();
}
