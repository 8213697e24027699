// Buttons that gather, shuffle, deal and roll: a press is one line in the log, and what is dealt
// is seen by its owner alone.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { party, phone } from './party.js';
import { eventually, focus, middle, named } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** The cards that a page shows in the hand of its person. @param {Page} page */
async function ownCards(page) {
  const cards = page.locator('[data-piece][aria-label*="in your hand"]');
  await cards.nth(2).waitFor();
  const labels = await cards.evaluateAll((all) => all.map((p) => p.getAttribute('aria-label')));
  return labels.map((label) => /^\w+ \d/.exec(label ?? '')?.[0] ?? '');
}

/** Opens the log and waits until its last line is like this. @param {Page} page
 * @param {RegExp} last @returns {Promise<string[]>} all lines */
async function logEnds(page, last) {
  await page.getByRole('button', { name: /^Chat/ }).click();
  const lines = page.locator('.log-line:not([hidden])');
  await lines.last().filter({ hasText: last }).waitFor();
  return lines.allTextContents();
}

test('T84.1, T85.6 a press gathers, shuffles and deals, and is one line', async (t) => {
  const { host, friend } = await party(t, { game: 'dealer' });
  const button = await named(host.page, 'New hand');
  const says = await host.page.locator(`[data-piece="${button.id}"]`)
    .getAttribute('aria-description') ?? '';
  assert.match(says, /Brings back.*Shuffles.* more/, 'it says what it does');
  const at = await middle(host.page, button.id);
  await host.page.mouse.dblclick(at.x, at.y);
  const [mine, theirs] = [await ownCards(host.page), await ownCards(friend.page)];
  assert.equal(new Set([...mine, ...theirs]).size, 6, `they have ${mine} and ${theirs}`);
  await shoot(host.page, 'dealer');
  const said = await logEnds(friend.page, /Ada pressed “New hand”/);
  const since = said.slice(said.findLastIndex((line) => /took a hand/.test(line)));
  assert.equal(since.filter((line) => /pressed|dealt|shuffled/.test(line)).length, 1, `${said}`);
});

test('T85.5, T85.7, T87.8 cards are turned up and dice rolled by keys, on a phone', async (t) => {
  const { host, friend } = await party(t, { game: 'dealer', friend: phone });
  const { page } = friend;
  await focus(page, (await named(page, 'Turn up')).id);
  await page.keyboard.press('o');
  for (const of of [host.page, page])
    await of.locator('[data-piece][aria-label^="Deck, 23 cards"]').waitFor();
  await focus(page, (await named(page, 'Roll')).id);
  await page.keyboard.press('o');
  await page.locator('[data-piece][aria-label^="Turn,"]:not([aria-label*="nobody"])').waitFor();
  assert.deepEqual(await barriers(page), []);
  await shoot(page, 'dealer-phone');
  await logEnds(host.page, /Ben pressed “Roll” and rolled \d, \d: \d+ in all/);
  // It is the turn of somebody else now, which Ben may not pass on.
  await focus(page, (await named(page, 'Roll')).id);
  const undone = /Ben pressed “Roll” and rolled .* Not done: Passes .Turn. to the next player/i;
  const last = host.page.locator('.log-line:not([hidden])').last();
  assert.ok(await eventually(host.page, async () => {
    await page.keyboard.press('o'); // once more, as long as it cools down
    const line = last.filter({ hasText: undone });
    return line.waitFor({ timeout: 2000 }).then(() => true, () => false);
  }));
  await page.locator('[aria-live]', { hasText: /Not done: Passes .Turn./ }).first()
    .waitFor({ state: 'attached' });
  await shoot(page, 'dealer-undone');
});

test('T88.2 a rematch deals as the set-up says', async (t) => {
  const { host, friend } = await party(t, { game: 'dealer' });
  const { page } = host;
  const saves = page.getByRole('dialog', { name: 'Save points' });
  const open = async () => {
    await page.locator('[data-opens="table"], #table-settings, .title').first().click();
    await page.getByRole('button', { name: 'Save points …' }).click();
    await saves.getByRole('listitem').first().waitFor();
  };
  await open();
  await saves.getByLabel('Set-up').selectOption({ label: 'Dealt' });
  await saves.getByRole('button', { name: 'Start again', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: /^Start again/ }).click();
  const [mine, theirs] = [await ownCards(page), await ownCards(friend.page)];
  assert.equal(new Set([...mine, ...theirs]).size, 6, `they have ${mine} and ${theirs}`);
  for (const of of [page, friend.page])
    await of.locator('[data-piece][aria-label^="Deck, 17 cards"]').waitFor();
  await shoot(page, 'dealer-dealt');
});
