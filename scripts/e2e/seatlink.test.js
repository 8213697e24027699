// Links that move a seat to another device (table.md, T54), and the notice that everybody gets of
// those that hosts make (T55).

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { arrive, devices, party } from './party.js';
import { seen } from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */

/** The folder for screenshots that somebody wants to look at; empty: none. */
const LOOKS = process.env.HOLT_LOOKS ?? '';

/** @param {Page} page @param {string} name */
async function look(page, name) {
  if (LOOKS) await page.screenshot({ path: `${LOOKS}/${name}.png` });
}

/** Opens the list of people. @param {Page} page */
async function people(page) {
  await page.locator('.crowd').click();
  await page.locator('#people .seat').first().waitFor();
}

/**
 * Makes a link by the keyboard, and returns it.
 *
 * @param {Page} page
 * @param {string} door
 * @param {string} title
 * @param {string} shot
 */
async function makeLink(page, door, title, shot) {
  const who = /^Link back to the seat of (.*)$/.exec(door)?.[1];
  if (who) await page.getByRole('button', { name: `More about ${who}`, exact: true }).click();
  const button = page.getByRole('button', { name: door });
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.waitFor();
  await look(page, `${shot}-ask`);
  assert.deepEqual(await barriers(page), []);
  await page.keyboard.press('Enter'); // the focus is on the button that makes it
  const link = await dialog.getByLabel('The link').inputValue();
  await look(page, `${shot}-made`);
  assert.deepEqual(await barriers(page), []);
  return link;
}

/** Checks that nothing covers a message. @param {import('playwright-core').Locator} told */
async function assertOnTop(told) {
  const isOnTop = await told.evaluate((e) => {
    e.style.pointerEvents = 'auto'; // otherwise it is not found where it is
    const { left, top, width, height } = e.getBoundingClientRect();
    return e.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
  assert.ok(isOnTop, 'nothing covers it');
}

/**
 * Waits until a page shows a warning, and checks that nothing covers it.
 *
 * @param {Page} page
 * @param {string} text
 */
async function onTop(page, text) {
  await page.waitForFunction((text) => {
    const notice = document.querySelector('.notice.urgent.shown');
    if (!(notice instanceof HTMLElement) || !notice.textContent?.includes(text)) return false;
    notice.style.pointerEvents = 'auto'; // otherwise it is not found where it is
    const { left, top, width, height } = notice.getBoundingClientRect();
    return notice.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  }, text);
}

/**
 * The page of a browser without any seat.
 *
 * @param {import('node:test').TestContext} t
 * @param {import('playwright-core').BrowserContextOptions} context
 */
async function newcomer(t, context) {
  const { page } = await arrive('Ben', { context });
  t.after(() => page.context().close());
  return page;
}

for (const [device, context] of devices) {
  test(`T54 a player moves to another device by a link: ${device}`, async (t) => {
    const { friend, table, server } = await party(t, {
      game: 'cards', host: context, friend: context,
    });
    await people(friend.page);
    const link = await makeLink(
      friend.page, 'Play on another device', 'Play on another device', `own-${device}`,
    );
    const other = await newcomer(t, context);
    await other.goto(link);
    await other.getByText('Are you Ben?').waitFor();
    await look(other, `open-${device}`);
    assert.deepEqual(await barriers(other), []);
    assert.equal(
      await friend.page.locator('main').getAttribute('data-status'), 'online',
      'opening the link does not use it up',
    );
    await other.getByRole('button', { name: 'Play as Ben here' }).click();
    await other.waitForURL(`${server.url}/t/${table}`);
    await other.locator('main[data-status="online"]').waitFor();
    const over = friend.page.locator('.banner', { hasText: 'Your seat is on another device now.' });
    await over.waitFor();
    await assertOnTop(over);
    await look(friend.page, `moved-${device}`);
    await people(other);
    assert.match(
      (await other.locator('#people .seat').first().innerText()) ?? '', /Ben[\s\S]*you/i,
    );
    const again = await newcomer(t, context);
    assert.equal((await again.goto(link))?.status(), 404, 'it works once');
    await look(again, `again-${device}`);
    assert.deepEqual(await barriers(again), []);
  });

  test(`T55 a host makes a link for a logged-out player, with a notice: ${device}`, async (t) => {
    const { host, friend, invites, join } = await party(t, {
      game: 'cards', host: context, friend: context,
    });
    const cid = await join('Cid', invites.player, { context });
    await people(friend.page);
    await friend.page.getByRole('button', { name: 'More about Ada' }).click();
    assert.equal(
      await friend.page.getByRole('button', { name: /^Link back/ }).count(), 0,
      'a player cannot make one for others',
    );
    await friend.page.keyboard.press('Escape');
    await people(host.page);
    await host.page.locator('#people .seat').nth(2).waitFor();
    await look(host.page, `list-${device}`);
    // The warning is shown for some seconds, and axe may take as long. So the test waits for it
    // from now on.
    const warned = onTop(
      friend.page,
      'Ada made a link for your seat. Whoever opens it has your seat and sees your cards.',
    );
    const [link] = await Promise.all([
      makeLink(host.page, 'Link back to the seat of Ben', 'A link back for Ben', `host-${device}`),
      warned,
    ]);
    await host.page.keyboard.press('Escape');
    await friend.page
      .locator('#people .seat', { hasText: /Ada made a link for this seat at/ })
      .waitFor();
    await seen(cid.page, /Ada made a link for the seat of Ben\./);
    await look(friend.page, `told-${device}`);
    await look(cid.page, `others-${device}`);
    assert.deepEqual(await barriers(friend.page), []);
    const other = await newcomer(t, context);
    await other.goto(link);
    await other.getByText('Ada made it, and everybody at the table can see that.').waitFor();
    await look(other, `hosts-link-${device}`);
    await other.getByRole('button', { name: 'Play as Ben here' }).click();
    await other.locator('main[data-status="online"]').waitFor();
    await friend.page
      .getByText('Your seat is on another device now. Ada made a link for it.')
      .first()
      .waitFor();
    await seen(cid.page, /The seat of Ben is on another device now, by the link that Ada made\./);
    await people(other);
    await other
      .locator('#people .seat', { hasText: /Ada made a link for this seat at .*, used at/ })
      .waitFor();
    await look(other, `trace-${device}`);
  });
}
