// A game with places, zones, cards with two fronts, and buttons that look, go round and set up: two
// people play it by mouse, on a phone, and by keys.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { party, phone } from './party.js';
import { cooled, focus, middle, named, still, tilt } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** A piece whose name for screen readers begins like this. @param {Page} page
 * @param {string} label */
const beginning = (page, label) => page.locator(`[data-piece][aria-label^="${label}"]`);

/** The cards in the hand of the page's person. @param {Page} page */
const ownCards = (page) => page.locator('[data-piece][aria-label*="in your hand"]');

/** A card that shows its second front. @param {Page} page */
const fine = (page) => page.locator('[data-piece][aria-label*=", Fine"]').first();

/** Presses a button by mouse. @param {Page} page @param {string} name */
async function click(page, name) {
  const at = await middle(page, (await named(page, name)).id);
  await page.mouse.dblclick(at.x, at.y);
}

/** Presses a button by finger. @param {Page} page @param {string} name */
async function tap(page, name) {
  const { id } = await named(page, name);
  await focus(page, id); // the table moves until it is there
  await still(page);
  const at = await middle(page, id);
  await page.touchscreen.tap(at.x, at.y);
}

/** Presses a button by keys. @param {Page} page @param {string} name */
async function type(page, name) {
  await focus(page, (await named(page, name)).id);
  await page.keyboard.press('o');
}

/** The lines of the log, when the last one is like this. @param {Page} page @param {RegExp} last */
async function logEnds(page, last) {
  const lines = page.locator('.log-line:not([hidden])');
  if (!(await lines.first().isVisible())) await page.getByRole('button', { name: /^Chat/ }).click();
  await lines.last().filter({ hasText: last }).waitFor();
  return lines.allTextContents();
}

/**
 * Plays a morning and a day, turns a card and sets the table up again, in one of three ways.
 * @param {import('./party.js').Person} host
 * @param {import('./party.js').Person} friend
 * @param {(page: Page, name: string) => Promise<void>} press
 * @param {string} way for the names of pictures
 */
async function play(host, friend, press, way) {
  const { page } = friend;
  const both = [host.page, page];
  await shoot(page, `caravan-${way}-start`);
  // Nothing to do: that is said, and the button does not cool down.
  await press(page, 'Fill market');
  await page.getByText('“Fill market” has nothing to do now.').first().waitFor();
  assert.equal(await page.locator('[data-piece] > .cooling').count(), 0, 'T91.10 it cools down');
  await shoot(page, `caravan-${way}-nothing`);

  await press(page, 'First morning');
  for (const of of both) assert.equal(await ownCards(of).nth(2).waitFor(), undefined);
  for (const of of both) await beginning(of, 'Deck, 22 sacks').waitFor();
  await cooled(page);
  await press(page, 'Next day');
  for (const of of both) await beginning(of, 'Day, 2').waitFor();
  for (const purse of ['Purse, 4, yours', 'Purse, 4, Ada’s'])
    await beginning(page, purse).waitFor();
  const free = beginning(page, 'Purse, 3, of the free place');
  assert.equal(await free.count(), 2, 'T92.2 no one else');
  await shoot(page, `caravan-${way}-day`);
}

test('T91.10, T92.7, T93.5, T94.9 a game is played by mouse', async (t) => {
  const { host, friend } = await party(t, { game: 'caravan' });
  await play(host, friend, click, 'mouse');
  await host.page.locator('.lap-card').first().click();
  await shoot(host.page, 'caravan-mouse-selected');
  await host.page.getByRole('button', { name: 'Next front' }).click();
  await fine(host.page).waitFor();
  await shoot(host.page, 'caravan-mouse-fine');
  await host.page.keyboard.press('Escape');
  // The host is asked first, and may say no.
  await click(host.page, '2 players');
  const asks = host.page.getByRole('alertdialog');
  await asks.waitFor();
  await shoot(host.page, 'caravan-mouse-asks');
  await asks.getByRole('button', { name: 'Cancel' }).click();
  await beginning(host.page, 'Day, 2').waitFor();
  await click(host.page, '2 players');
  await asks.getByRole('button', { name: 'Set up' }).click();
  for (const of of [host.page, friend.page]) {
    await beginning(of, 'Day, 1').waitFor();
    await ownCards(of).nth(3).waitFor();
    await beginning(of, 'Deck, 13 sacks').waitFor();
  }
  await shoot(host.page, 'caravan-mouse-setup');
  const said = await logEnds(friend.page, /./);
  t.diagnostic(said.join(' | '));
  await shoot(friend.page, 'caravan-mouse-log');
});

test('T92.1, T93.5 a game is played on a phone', async (t) => {
  const { host, friend } = await party(t, { game: 'caravan', host: phone, friend: phone });
  await play(host, friend, tap, 'phone');
  const card = ownCards(friend.page).first();
  await card.tap();
  await shoot(friend.page, 'caravan-phone-selected');
  await tap(host.page, '2 players');
  const asks = host.page.getByRole('alertdialog');
  await asks.waitFor();
  await shoot(host.page, 'caravan-phone-asks');
  await asks.getByRole('button', { name: 'Set up' }).tap();
  for (const of of [host.page, friend.page]) await ownCards(of).nth(3).waitFor();
  await still(host.page);
  await shoot(host.page, 'caravan-phone-setup');
});

test('T92.7, T93.5, T94.9 a game is played by keys', async (t) => {
  const { host, friend } = await party(t, { game: 'caravan', keys: true });
  await play(host, friend, type, 'keys');
  const { page } = friend;
  const id = await ownCards(page).first().getAttribute('data-piece');
  await focus(page, Number(id));
  await page.keyboard.press('Shift+F');
  await fine(page).waitFor();
  await type(host.page, '4 players');
  const asks = host.page.getByRole('alertdialog', { name: 'Set the table up again?' });
  await asks.waitFor();
  assert.deepEqual(await barriers(host.page), []);
  await host.page.keyboard.press('Tab');
  await host.page.keyboard.press('Enter');
  for (const of of [host.page, page]) {
    await beginning(of, 'Day, 1').waitFor();
    await beginning(of, 'Deck, 28 sacks').waitFor();
  }
  await shoot(host.page, 'caravan-keys-setup');
});

/** Where the number of a counter stands on the screen, from the middle of the counter.
 * @param {Page} page @param {number} id */
const numberFromMiddle = (page, id) =>
  page.locator(`[data-piece="${id}"]`).evaluate((e) => {
    const [counter, number] = [e, e.querySelector('.inscription')].map((part) => {
      const box = part?.getBoundingClientRect() ?? new DOMRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width };
    });
    return Math.round((100 * (number.x - counter.x)) / counter.width);
  });

test('G20.1 text on counters and buttons is upside down for nobody', async (t) => {
  const { host, friend } = await party(t, { game: 'caravan' });
  await friend.page.locator('main#table[data-turn="180"]').waitFor();
  for (const name of ['Day', 'Next day'])
    for (const { page } of [host, friend])
      assert.equal(await tilt(page, (await named(page, name)).id), 0, name);
  const [mine, theirs] = await Promise.all([host, friend].map(async ({ page }) =>
    numberFromMiddle(page, (await named(page, 'Day')).id)));
  assert.ok(mine > 10, `the number stands to the right of the word: ${mine}`);
  assert.equal(theirs, mine, 'and moves with the picture');
  const market = (await named(friend.page, 'Market')).id;
  assert.equal(await tilt(friend.page, market), 180, 'other kinds lie as they lie');
});
