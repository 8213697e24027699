// A person whose connection is gone, and comes back.

import { networkErrors } from './browser.js';

/** @typedef {import('./party.js').Person} Person */

/** Cuts the connection of a person, and waits until their page knows. @param {Person} person */
export async function cutOff({ page, link, watch }) {
  watch.expect(networkErrors);
  link?.cut();
  await page.locator('main#table[data-status="offline"]').waitFor();
}

/** Restores it, and waits until the page is online. @param {Person} person */
export async function bringBack({ page, link }) {
  link?.mend();
  // It does not wait for its next attempt.
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await page.locator('main#table[data-status="online"]').waitFor();
}
