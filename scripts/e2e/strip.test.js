// One's own hand: the strip that shows it, whom a deal is for, and where played cards lie.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import {
  ask, cardsInHand, deck, deckHas, handHas, loosePile, myHand, onScreen, PACK,
} from './cards.js';
import { carryTo, gripInStrip } from './grabs.js';
import { desktop, party, phone } from './party.js';
import {
  agree, eventually, focus, middle, named, piece, pieces, scale, still, until,
} from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

test('the strip covers neither piles nor buttons beside the hand', async (t) => {
  const { host, friend } = await party(t, { game: 'spades' });
  await ask(host.page, { op: 'deal', piece: (await deck(host.page)).id, n: 13 });
  for (const { page } of [host, friend]) {
    await inStrip(page, 13);
    const strip = await boxOf(page, '.lap');
    for (const p of (await pieces(page)).filter((q) => /^(Deal|Bid|Tricks won)/.test(q.label))) {
      const { bottom } = await boxOf(page, `[data-piece="${p.id}"]`);
      assert.ok(bottom <= strip.top + 1, `${p.label} ends at ${bottom}, not above ${strip.top}`);
    }
  }
});

test('finding 6: thirteen cards are read, sorted, shown large and played', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const { page } = host;
  assert.equal(await page.locator('.lap').isHidden(), true, 'an empty hand needs no strip');
  await ask(page, { op: 'deal', piece: (await deck(page)).id, n: 13 });
  await inStrip(page, 13);
  const strip = await boxOf(page, '.lap');
  assert.ok(
    (await boxOf(page, `[data-piece="${(await deck(page)).id}"]`)).bottom < strip.top,
    'the table lies above it',
  );
  const lefts = await page.locator('.lap-card').evaluateAll((all) => all.map((e) => {
    const { left, width } = e.getBoundingClientRect();
    return [left, width];
  }).sort((a, b) => a[0] - b[0]));
  for (const [i, [left, width]] of lefts.entries()) {
    const next = lefts[i + 1]?.[0] ?? left + width;
    assert.ok(width >= 60 && next - left >= 60, `card ${i + 1} shows ${next - left} px`);
  }
  const loose = (await boxOf(page, `[data-piece="${await loosePile(page, 1)}"]`));
  assert.ok(loose.right - loose.left >= 70, 'a card on the table is large enough');

  await t.test('keys move the focus and the cards', async () => {
    const [first, second] = await cardsInHand(page);
    await page.keyboard.press('Tab');
    await focus(page, first.id);
    await page.locator(`.lap-card.focused[data-card="${first.id}"]`).waitFor();
    await page.keyboard.press('Alt+ArrowRight');
    const isMoved = await eventually(page, async () =>
      (await cardsInHand(page)).slice(0, 2).map((c) => c.id).join() === `${second.id},${first.id}`);
    assert.ok(isMoved, 'it lies one place further');
    await page.keyboard.press('Shift+Z');
    await page.locator(`.large-card[data-large="${first.id}"]`).waitFor();
    await page.keyboard.press('Shift+Z');
    await page.locator('.large-card').waitFor({ state: 'detached' });
  });

  await t.test('the mouse shows a card large when it rests there', async () => {
    const [, , third] = await cardsInHand(page);
    const at = await gripInStrip(page, third.id);
    assert.ok(at);
    await page.mouse.move(at.x, at.y - 30);
    await page.mouse.move(at.x, at.y);
    const large = page.locator(`.large-card[data-large="${third.id}"]`);
    await large.waitFor();
    const { left, right } = await boxOf(page, '.large-card');
    assert.ok(right - left >= 180);
    assert.deepEqual(await barriers(page), []);
    await page.mouse.move(at.x, 200);
    await large.waitFor({ state: 'detached' });
  });

  await t.test('a card is dragged out of the strip, and back into it', async () => {
    const [card] = await cardsInHand(page);
    const goal = { x: 1200, y: 0 };
    await carryTo(page, card.id, await onScreen(page, goal));
    await inStrip(page, 12);
    const lies = await until(page, card.id, { holder: 0 });
    assert.ok(Math.hypot(lies.x - goal.x, lies.y - goal.y) < 60, 'it lies where it was dropped');
    await handHas(friend.page, 'Ada', 12);
    const lap = await boxOf(page, '.lap');
    await carryTo(page, card.id, { x: 640, y: (lap.top + lap.bottom) / 2 });
    await inStrip(page, 13);
    await handHas(friend.page, 'Ada', 13);
    await agree(page, friend.page);
  });

  await t.test('finding 13: played cards lie in sight, and on nothing', async () => {
    for (let n = 12; n >= 10; n--) {
      const [card] = await cardsInHand(page);
      await focus(page, card.id);
      await page.keyboard.press('o');
      await inStrip(page, n);
      await still(page);
      await liesFree(page, card.id);
    }
  });
});

test('finding 13: on a phone a played card stays in sight', async (t) => {
  const { host, friend } = await party(t, { game: 'cards', friend: phone });
  const { page } = friend;
  await ask(host.page, { op: 'deal', piece: (await deck(host.page)).id, n: 3 });
  await inStrip(page, 3);
  const [card] = await cardsInHand(page);
  await focus(page, card.id);
  await page.keyboard.press('o');
  await inStrip(page, 2);
  await still(page);
  await liesFree(page, card.id);
});

test('finding 12, T30.31 a deal asks whom, without those who are away', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const { page } = host;
  await friend.page.goto('about:blank');
  await focus(page, (await deck(page)).id);
  const dialog = page.getByRole('dialog', { name: 'Deal' });
  const isUnticked = await eventually(page, async () => {
    await page.keyboard.press('e');
    await dialog.waitFor();
    const ben = await dialog.getByRole('checkbox', { name: /Ben/ }).isChecked();
    if (ben) await page.keyboard.press('Escape');
    return !ben;
  });
  assert.ok(isUnticked, 'Ben is not here');
  assert.ok(await dialog.getByRole('checkbox', { name: /Ada/ }).isChecked());
  assert.deepEqual(await barriers(page), []);
  await dialog.getByRole('checkbox', { name: /Ada/ }).uncheck();
  await dialog.getByRole('button', { name: 'Deal', exact: true }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByRole('checkbox', { name: /Ada/ }).check();
  await dialog.getByRole('spinbutton').fill('3');
  await dialog.getByRole('button', { name: 'Deal', exact: true }).click();
  await inStrip(page, 3);
  await deckHas(page, PACK - 3);
  await handHas(page, 'Ben', 0);
});

test('finding 14: a face-down card on the table goes back to the deck', async (t) => {
  const { host } = await party(t, { game: 'cards' });
  const { page } = host;
  const card = await loosePile(page, 1);
  await focus(page, card);
  await page.keyboard.press('q');
  await deckHas(page, PACK);
});

test('finding 15: who sits at the side sees the table as large as the others', async (t) => {
  const { host, invites, join } = await party(t, { game: 'cards', host: desktop });
  const cara = await join('Cara', invites.player, { context: desktop });
  for (const { page } of [host, cara]) await still(page);
  const turn = await cara.page.locator('main#table').getAttribute('data-turn');
  assert.ok(turn === '90' || turn === '270', `the table is turned by ${turn}`);
  const [hers, mine] = [await scale(cara.page), await scale(host.page)];
  assert.ok(Math.abs(hers / mine - 1) < 0.1, `${hers} px in a unit for her, ${mine} for Ada`);
  const card = await boxOf(cara.page, `[data-piece="${(await deck(cara.page)).id}"]`);
  assert.ok(card.right - card.left > 70 && card.bottom - card.top > 70, 'the deck is large enough');
});

test('finding 16: free hands are folded away until somebody needs one', async (t) => {
  const { host } = await party(t, { game: 'cards' });
  const { page } = host;
  const free = page.locator('[data-piece].hand:not(.owned)');
  assert.equal(await free.count(), 6, 'two have one: they got it when they came');
  assert.equal(await page.locator('[data-piece].hand.folded').count(), 6);
  assert.equal(await free.first().locator('.hand-name').textContent(), 'Free hand');
  await ask(page, { op: 'leave', piece: (await myHand(page)).id });
  await page.waitForFunction(() => document.querySelector('.hand.folded') === null);
  await page.locator('.hand-name', { hasText: 'Take this hand' }).first().waitFor();
  await ask(page, { op: 'claim', piece: (await named(page, 'Free hand')).id });
  await page.waitForFunction(() => document.querySelectorAll('.hand.folded').length === 6);
});

// Clauses: T61.8
test('T61.8 the hands of places that nobody has are out of sight', async (t) => {
  const { host, invites, join } = await party(t, { game: 'durak', host: desktop });
  const { page } = host;
  const waiting = page.locator('[data-piece].hand.waiting');
  assert.equal(await waiting.count(), 4, 'of six places two are taken');
  const isSeen = () => waiting.locator('.hand-name').evaluateAll((all) =>
    all.filter((e) => getComputedStyle(e).opacity !== '0').length);
  assert.equal(await isSeen(), 0);
  await waiting.first().hover();
  assert.equal(await isSeen(), 1, 'who points at one sees what it is');
  await page.mouse.move(640, 10);
  const cara = await join('Cara', invites.player, { context: desktop });
  await page.waitForFunction(() => document.querySelectorAll('.hand.waiting').length === 3);
  await ask(cara.page, { op: 'leave', piece: (await myHand(cara.page)).id });
  await page.waitForFunction(() => document.querySelector('.hand.waiting') === null);
});

/** Waits until the strip shows so many cards, front up and at rest. @param {Page} page
 * @param {number} n */
async function inStrip(page, n) {
  await page.waitForFunction(
    (n) => document.querySelectorAll('.lap-card').length === (n), n,
  );
  const isSeen = await eventually(page, async () => (await cardsInHand(page)).length === n);
  assert.ok(isSeen, `${n} fronts are seen`);
  await still(page);
}

/** @param {Page} page @param {string} selector @returns {Promise<Box>} in CSS pixels */
async function boxOf(page, selector) {
  return page.locator(selector).first().evaluate((e) => {
    const { left, top, right, bottom } = e.getBoundingClientRect();
    return { left, top, right, bottom };
  });
}

/**
 * Checks that a card on the table is seen wholly and covers nothing.
 *
 * @param {Page} page
 * @param {number} id
 */
async function liesFree(page, id) {
  assert.equal((await piece(page, id)).holder, 0);
  const card = await boxOf(page, `[data-piece="${id}"]`);
  const strip = await boxOf(page, '.lap');
  const bar = await boxOf(page, '.bar');
  const { width } = page.viewportSize() ?? { width: 0 };
  assert.ok(card.left >= 0 && card.right <= width, 'it is not beside the window');
  assert.ok(card.top >= bar.bottom - 4 && card.bottom <= strip.top, 'nothing covers it');
  for (const other of await pieces(page)) {
    if (other.id === id || /^(Free hand|Your hand)/.test(other.label)) continue;
    if (/in your hand/.test(other.label)) continue;
    const box = await boxOf(page, `[data-piece="${other.id}"]`);
    const apart = card.right <= box.left || card.left >= box.right || card.bottom <= box.top ||
      card.top >= box.bottom;
    assert.ok(apart, `it does not lie on ${other.label}`);
  }
  assert.ok((await middle(page, id)).y > 0);
}
