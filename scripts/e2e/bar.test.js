// The bar of what can be done with the selection: which buttons it has, where it stands, the menu
// behind "More", and the questions before what cannot be undone.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { bar, choose, openMore, sayYes } from './bar.js';
import { cardsInHand, countInHandOf, deck, drawIntoHand, handHas, inDeck } from './cards.js';
import { party, phone } from './party.js';
import { agree, focus, frame, middle, named, pieces, seen, still } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** A narrow phone. */
const narrow = { ...phone, viewport: { width: 320, height: 640 } };

/** Selects a piece by a click. @param {Page} page @param {number} id */
async function click(page, id) {
  await still(page);
  const at = await middle(page, id);
  await page.mouse.click(at.x, at.y);
  await bar(page).waitFor();
  await frame(page);
}

/** The names of the buttons of the bar, without those of fingers. @param {Page} page */
const names = (page) => bar(page).locator('button:not(.touch-only)').evaluateAll(
  (all) => all.map((e) => e.getAttribute('aria-label')),
);

/** Where the buttons of the bar are. @param {Page} page */
const places = (page) => bar(page).locator('button').evaluateAll((all) => all.map((e) => {
  const { left, top, width } = e.getBoundingClientRect();
  return [e.getAttribute('aria-label'), left, top, width].join(' ');
}));

/**
 * Whether two elements share a part of the window.
 *
 * @param {import('playwright-core').Locator} one
 * @param {import('playwright-core').Locator} two
 */
async function overlap(one, two) {
  const [a, b] = [await one.boundingBox(), await two.boundingBox()];
  assert.ok(a && b);
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
    b.y < a.y + a.height;
}

test('finding 3: a second click on Roll hits Roll, which rests in its place', async (t) => {
  const { host } = await party(t, { game: 'tokens' });
  const { page } = host;
  const before = (await pieces(page)).length;
  await click(page, (await named(page, 'Eight-sided die')).id);
  assert.deepEqual(await names(page), ['Roll', 'More', 'Done']);
  const roll = bar(page).getByRole('button', { name: 'Roll' });
  const { x, y, width, height } = await roll.boundingBox() ?? assert.fail();
  const were = await places(page);
  // The die rests for a moment only, so the page notes what the button says meanwhile.
  await bar(page).evaluate((e) => {
    const titles = /** @type {string[]} */ ([]);
    Object.assign(window, { titles });
    new MutationObserver((all) => {
      for (const { target } of all)
        titles.push(/** @type {Element} */ (target).getAttribute('title') ?? '');
    }).observe(e, { subtree: true, attributeFilter: ['title'] });
  });
  // Both at once: on a busy machine a second click on its own might come when the die has rested.
  await page.mouse.dblclick(x + width / 2, y + height / 2);
  await seen(page, /has just been rolled/);
  assert.deepEqual(await places(page), were);
  const titles = await page.evaluate(() => /** @type {any} */ (window).titles);
  assert.ok(titles.some((/** @type {string} */ is) => /has just been rolled/.test(is)), titles);
  // It is for use again without another selection.
  await bar(page).locator('[data-action="offer roll"]:not([aria-disabled])').waitFor();
  assert.deepEqual(await places(page), were);
  assert.equal((await pieces(page)).length, before, 'the die is not in the bag');
});

test('the bar has the usual actions, More has all, with a search', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const { page } = host;
  const { id } = await deck(page);
  await click(page, id);
  assert.deepEqual((await names(page)).slice(0, 3), ['Draw', 'Deal…', 'Shuffle']);
  const were = await places(page);
  const menu = await openMore(page);
  assert.deepEqual(await barriers(page), []);
  await menu.getByRole('menuitem', { name: 'Recall all cards' }).waitFor();
  await page.keyboard.type('unp');
  assert.deepEqual(
    await menu.getByRole('menuitem').evaluateAll((all) => all.map((e) => e.textContent)),
    ['UnpinP'],
  );
  await page.keyboard.press('Enter');
  await menu.waitFor({ state: 'detached' });
  await page.locator(`[data-piece="${id}"]:not([aria-label*="pinned"])`).waitFor();
  assert.deepEqual(await places(page), were, 'the bar stays as it is');

  await openMore(page);
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  assert.equal(
    await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'More',
  );

  const card = await drawIntoHand(page);
  await page.keyboard.press('Escape');
  await click(page, card.id);
  assert.deepEqual((await names(page)).slice(0, 3), ['Play', 'Play face down', 'Flip']);
  await agree(page, friend.page);
});

test('a tool explains itself under the mouse, until Escape', async (t) => {
  const { host } = await party(t);
  const { page } = host;
  const tip = (/** @type {string} */ name) =>
    page.getByRole('button', { name }).locator('.tool-tip');
  await page.getByRole('button', { name: 'Turn the table' }).hover();
  await tip('Turn the table').waitFor();
  await page.keyboard.press('Escape');
  await tip('Turn the table').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Help' }).hover();
  await tip('Help').waitFor();
});

test('finding 8: the bar covers neither hints, hands nor what is selected', async (t) => {
  for (const context of [phone, narrow]) {
    const { friend } = await party(t, { game: 'cards', friend: context });
    const { page } = friend;
    await page.getByRole('button', { name: 'Got it' }).waitFor();
    const { id } = await deck(page);
    await still(page);
    const at = await middle(page, id);
    await page.touchscreen.tap(at.x, at.y);
    await bar(page).waitFor();
    await frame(page);
    assert.equal(await overlap(bar(page), page.locator('.hint').first()), false);
    assert.equal(await overlap(bar(page), page.locator(`[data-piece="${id}"]`)), false);
    const { scroll, client, tops } = await bar(page).evaluate((e) => ({
      scroll: e.scrollWidth, client: e.clientWidth,
      tops: new Set([...e.querySelectorAll('button')].filter((b) => b.offsetWidth > 0)
        .map((b) => Math.round(b.getBoundingClientRect().top))).size,
    }));
    assert.ok(scroll <= client, `${scroll} px in ${client}`);
    assert.equal(tops, 1, 'one row');
    for (const button of await bar(page).getByRole('button').all()) {
      const box = await button.boundingBox();
      if (!box) continue;
      assert.ok(box.width >= 40 && box.height >= 44, await button.textContent() ?? '');
      assert.ok(box.x >= 0 && box.x + box.width <= context.viewport.width);
    }
    assert.deepEqual(await barriers(page), []);
  }
  const { host } = await party(t, { game: 'cards' });
  const { page } = host;
  const card = await drawIntoHand(page);
  await click(page, card.id);
  assert.equal(await overlap(bar(page), page.locator('.hint').first()), false);
  assert.equal(await overlap(bar(page), page.locator('.hand.own')), false);
  await page.keyboard.press('Escape');
  const { id } = await deck(page);
  await click(page, id);
  await frame(page);
  assert.equal(await overlap(bar(page), page.locator(`[data-piece="${id}"]`)), false);
  const hands = await page.locator('.hand.owned').all();
  assert.equal(hands.length, 2, 'both people have a hand');
  for (const hand of hands) assert.equal(await overlap(bar(page), hand), false);

  await t.test('in a small window the focus stays at the tools when they fold', async () => {
    await page.getByRole('button', { name: 'Got it' }).click();
    await page.keyboard.press('Escape');
    await bar(page).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.setViewportSize(narrow.viewport);
    const tools = page.getByRole('button', { name: 'Tools', exact: true });
    await tools.press('Enter');
    await page.getByRole('button', { name: 'Point at a place' }).press('Enter');
    await page.locator('.tablebar [data-part="pings"][aria-pressed="true"]').waitFor();
    await page.locator('.opener:focus').waitFor();
    await tools.press('Enter');
    await page.locator('.opener[aria-expanded="true"]').waitFor();
    await page.keyboard.press('Escape'); // it ends the pointing first
    await page.locator('.tablebar [data-part="pings"][aria-pressed="false"]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.opener[aria-expanded="false"]:focus').waitFor();
    assert.deepEqual(await barriers(page), []);
  });
});

test('finding 1: no key recalls, a question does, and others keep their hands', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  for (const { page } of [host, friend]) await drawIntoHand(page);
  await handHas(host.page, 'Ben', 1);
  await handHas(friend.page, 'Ada', 1);
  const { page } = friend;
  const there = (await deck(page)).id;
  const left = await inDeck(page);
  await focus(page, there);
  await page.keyboard.press('a');
  await seen(page, /The deck is not part of a pile/);
  assert.equal(await inDeck(page), left);

  // A player who is no host gathers what is theirs.
  await page.keyboard.press('x');
  await choose(page, /^Recall all cards$/);
  const question = page.getByRole('alertdialog', { name: 'Recall one card?' });
  await question.getByText('One card in other players’ hands stays there.').waitFor();
  assert.deepEqual(await barriers(page), []);
  assert.equal(
    await page.evaluate(() => document.activeElement?.textContent), 'Cancel', 'Enter does no harm',
  );
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  assert.equal(await inDeck(page), left);
  await choose(page, /^Recall all cards$/);
  await sayYes(page);
  await seen(host.page, /Ben recalled one card to the deck/);
  assert.equal((await cardsInHand(host.page)).length, 1);
  assert.equal(await countInHandOf(page, 'Ada'), 1);

  await click(host.page, (await deck(host.page)).id);
  await choose(host.page, /^Recall all cards$/);
  await sayYes(host.page);
  await seen(page, /Ada recalled one card to the deck/);
  await agree(page, host.page);
});

test('T63.25: what is deleted can be had back for ten seconds; one’s own copy, too', async (t) => {
  const { host, friend } = await party(t);
  const { page } = host;
  const before = (await pieces(page)).length;
  const has = (/** @type {Page} */ p, /** @type {number} */ n) =>
    p.locator(`main#table[data-pieces="${n}"]`).waitFor();
  const pawn = await named(page, 'White pawn');
  const offer = page.getByRole('group', { name: 'You deleted the white pawn.' });
  const remove = async (/** @type {number} */ id) => {
    await click(page, id);
    await page.keyboard.press('Delete');
    await has(friend.page, before - 1);
    await offer.getByText('You deleted the white pawn.').waitFor();
  };
  await remove(pawn.id);
  await page
    .locator('[data-live="polite"]', { hasText: 'You deleted the white pawn. You can undo that.' })
    .waitFor({ state: 'attached' });
  await shoot(page, 'deleted');
  assert.deepEqual(await barriers(page), [], 'axe finds nothing');
  await offer.getByRole('button', { name: 'Undo' }).click();
  await offer.waitFor({ state: 'detached' });
  for (const p of [page, friend.page]) await has(p, before);
  await seen(page, /You took it back/);
  const back = (await pieces(page)).find((p) => p.x === pawn.x && p.y === pawn.y);
  assert.ok(back, 'it stands where it was');

  // An undo would take back what is done next, so the offer ends with that.
  await remove(back.id);
  const knight = await named(page, 'White knight');
  await click(page, knight.id);
  await page.keyboard.press('c');
  await offer.waitFor({ state: 'detached' });
  await page.locator('.piece.selected').waitFor();
  await has(friend.page, before);
  await page.keyboard.press('Delete');
  await has(friend.page, before - 1);
  await agree(page, friend.page);
});

test('T63.25: it asks before what an undo does not simply bring back', async (t) => {
  const { host, friend } = await party(t);
  const { page } = host;
  const before = (await pieces(page)).length;
  const pawn = await named(page, 'White pawn');
  const asks = async (/** @type {RegExp} */ why) => {
    await click(page, pawn.id);
    await page.keyboard.press('Delete');
    const question = page.getByRole('alertdialog', { name: 'Delete the white pawn?' });
    await question.getByText(why).waitFor();
    await page.keyboard.press('Enter'); // on Cancel
    await question.waitFor({ state: 'detached' });
    assert.equal((await pieces(page)).length, before);
  };
  await click(page, pawn.id);
  await page.keyboard.press('Shift+L');
  await page.getByRole('dialog').getByLabel('Label').fill('Bob');
  await page.keyboard.press('Enter');
  await friend.page.getByText('Bob').first().waitFor();
  await page.keyboard.press('Escape');
  await asks(/labels, colours and comments stay lost/);

  await page.locator('.title-button').click();
  await page.getByLabel(/^When somebody wants to take back/).selectOption('2');
  await page.keyboard.press('Escape');
  await asks(/the hosts have switched undoing off/);
});
