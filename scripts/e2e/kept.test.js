// Components that are written offline outlive their page (component.md, C17). The browser keeps
// them, and the next page sends them, or another open one. A page notifies the player of what the
// table refuses.

import assert from 'node:assert/strict';
import test from 'node:test';
import { networkErrors, Watch } from './browser.js';
import { bringBack, cutOff } from './outage.js';
import { atTable, party } from './party.js';
import { alarmed, focus, labelled, named, same } from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */

/**
 * Another page of the same browser.
 *
 * @param {import('./party.js').Person} person
 * @param {string} address
 */
async function another(person, address) {
  const page = await person.page.context().newPage();
  const watch = new Watch(page);
  await page.goto(address);
  await atTable(page);
  return { page, watch };
}

/** Labels a piece as people do. @param {Page} page @param {number} id @param {string} text */
async function label(page, id, text) {
  await focus(page, id);
  await page.keyboard.press('Shift+L');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Label').fill(text);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
}

/** Waits until so many pages have left something. @param {Page} page @param {number} n */
async function untilKept(page, n) {
  await page.waitForFunction(
    (want) =>
      Object.keys(localStorage).filter((key) => key.startsWith('holt.written.')).length === want,
    n,
  );
}

test('C17.10 the next page sends what was written offline', async (t) => {
  const { host, friend } = await party(t, { links: true });
  const knight = await named(friend.page, 'White knight');
  await label(friend.page, knight.id, 'First'); // so that its dialog is loaded
  const theirs = await same(host.page, knight);
  await labelled(host.page, theirs.id, /labelled “First”, /);
  await untilKept(friend.page, 0);

  await cutOff(friend);
  await label(friend.page, knight.id, 'Written in the tunnel');
  await untilKept(friend.page, 1);
  const address = friend.page.url();
  await friend.page.close();
  await labelled(host.page, theirs.id, /labelled “First”, /);
  assert.deepEqual(friend.watch.unexpected, []);
  friend.link?.mend();
  Object.assign(friend, await another(friend, address));
  await labelled(host.page, theirs.id, /labelled “Written in the tunnel”, /);
  await labelled(friend.page, knight.id, /labelled “Written in the tunnel”, (?!not sent)/);
  await untilKept(friend.page, 0);
});

test('C4 C17 another page of the browser sends what a closed one left', async (t) => {
  const { host, friend } = await party(t, { links: true });
  const first = friend.page;
  const knight = await named(first, 'White knight');
  const theirs = await same(host.page, knight);
  await label(first, knight.id, 'First');
  const { page: second, watch } = await another(friend, first.url());
  watch.expect(networkErrors);
  await labelled(second, knight.id, /labelled “First”, /);
  await untilKept(second, 0); // the first page knows that this is saved

  await cutOff(friend);
  await label(first, knight.id, 'Left behind');
  await untilKept(second, 1);
  await first.close();
  assert.deepEqual(friend.watch.unexpected, []);
  Object.assign(friend, { page: second, watch });
  await bringBack(friend);
  for (const [page, id] of /** @type {[Page, number][]} */ ([
    [host.page, theirs.id],
    [second, knight.id],
  ])) {
    await labelled(page, id, /labelled “Left behind”, (?!not sent)/);
  }
  await untilKept(second, 0);
});

test('C11 a refused write disappears, and the player is notified', async (t) => {
  const { host, friend } = await party(t);
  const { page } = friend;
  const knight = await named(page, 'White knight');
  await label(page, knight.id, 'First');
  await labelled(host.page, (await same(host.page, knight)).id, /labelled “First”, /);
  const heading = await page.title();
  await page.evaluate(async () => {
    const part = performance
      .getEntriesByType('resource')
      .find(({ name }) => name.includes('/assets/components-'));
    const { replica, COMPONENTS, entities } = await import(part?.name ?? '');
    // No button lets players do that.
    replica.put(entities.TABLE, COMPONENTS.title, { text: 'My table' });
  });
  await alarmed(page, /The title of the table could not be saved: it is not for you to write\./);
  await page.waitForFunction((heading) => document.title === heading, heading);
  await untilKept(page, 0);
});
