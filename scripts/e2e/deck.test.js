// Decks and bags: drawing with one gesture, whatever the network does, and what else they offer.

import assert from 'node:assert/strict';
import test from 'node:test';
import { choose, sayYes } from './bar.js';
import {
  cardsInHand,
  deck,
  deckHas,
  drawIntoHand,
  drawTo,
  handHas,
  inDeck,
  myHand,
  newInHand,
  onScreen,
  PACK,
} from './cards.js';
import { party } from './party.js';
import {
  agree, alarms, focus, frame, middle, named, pieces, said, seen, still, until,
} from './pieces.js';
import { secretKinds } from './secrets.js';

/** @typedef {import('playwright-core').Page} Page */

/** Latency in each direction, in milliseconds. */
const SLOW = 150;

/** An empty place, in table units. */
const FREE = { x: 900, y: -1900 };

/** Waits until so many cards lie in the deck. @param {Page} page @param {number} n */
const lying = (page, n) => page.locator(`[data-piece][aria-label^="Deck, ${n} cards"]`).waitFor();

/** The back that follows the pointer until the card has come. @param {Page} page */
const fetched = (page) => page.locator('.fetched');

test('T30 a drag from the deck shows a back at once, then the card', async (t) => {
  const { host, friend } = await party(t, { game: 'cards', links: true });
  const { page, link } = host;
  await still(page);
  const from = await middle(page, (await deck(page)).id);
  const to = await onScreen(page, FREE);
  link?.hold('up'); // the server receives nothing
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 6 });
  await frame(page);
  const back = await fetched(page).boundingBox();
  assert.ok(
    back &&
      Math.abs(back.x + back.width / 2 - to.x) < 3 &&
      Math.abs(back.y + back.height / 2 - to.y) < 3,
    'it is under the pointer',
  );

  link?.release();
  const card = page.locator('[data-piece].mine.lifted');
  await card.waitFor();
  assert.equal(await fetched(page).count(), 0, 'the card has replaced it');
  const piece = await card.boundingBox();
  assert.ok(piece && Math.hypot(piece.x - back.x, piece.y - back.y) < 8, 'where the back was');
  // And the other page shows that it is held.
  await friend.page.locator('[data-piece].held:not(.mine)').waitFor();

  await page.mouse.up();
  const id = Number(
    await page.locator('[data-piece][aria-label^="Card, face down"]').getAttribute('data-piece'),
  );
  const lies = await until(page, id, { holder: 0 });
  assert.ok(Math.hypot(lies.x - FREE.x, lies.y - FREE.y) < 30, 'it lies where it was released');
  await deckHas(friend.page, PACK - 1);
  await agree(page, friend.page);
});

test('T30 a card released before it has come ends there, at 300 ms', async (t) => {
  const { host, friend } = await party(t, { game: 'cards', links: true });
  const { page, link } = host;
  if (link) link.delay = { up: SLOW, down: SLOW };
  link?.hold('up');
  await drawTo(page, await onScreen(page, FREE));
  assert.equal(await fetched(page).count(), 1, 'it has not come yet but shows there');
  link?.release();
  await page.locator(`[data-piece][aria-label^="Card, face down"]`).waitFor();
  const [card] = (await pieces(page)).filter((p) => p.label.startsWith('Card, face down'));
  assert.ok(Math.hypot(card.x - FREE.x, card.y - FREE.y) < 30);

  const mine = await drawIntoHand(page);
  assert.equal(mine.face, 0, 'it turns up in the hand');
  await agree(page, friend.page);
  await handHas(friend.page, 'Ada', 1);
  assert.equal(await alarms(page), '');
});

test('T30 a released card can be grabbed again before it has come', async (t) => {
  const { host, friend } = await party(t, { game: 'cards', links: true });
  const { page, link } = host;
  link?.hold('up');
  const first = await onScreen(page, FREE);
  await drawTo(page, first);
  const second = await onScreen(page, { x: -900, y: -1900 });
  await page.mouse.move(first.x, first.y);
  await page.mouse.down();
  await page.mouse.move(second.x, second.y, { steps: 5 });
  await frame(page);
  link?.release();
  await page.locator('[data-piece].mine.lifted').waitFor();
  await page.mouse.up();
  await page.locator('[data-piece][aria-label^="Card, face down"][data-holder="0"]').waitFor();
  const [card] = (await pieces(page)).filter((p) => p.label.startsWith('Card, face down'));
  assert.ok(Math.hypot(card.x + 900, card.y + 1900) < 30, 'it lies where it was released last');
  await agree(page, friend.page);
  await deckHas(page, PACK - 1); // one was drawn
});

test('T30 two draws in quick succession end where they were released', async (t) => {
  const { host, friend } = await party(t, { game: 'cards', links: true });
  const { page, link } = host;
  link?.hold('up');
  const first = await onScreen(page, FREE);
  await drawTo(page, first);
  await drawTo(page, await onScreen(page, { x: -900, y: -1900 }));
  await drawTo(page, await middle(page, (await myHand(page)).id));
  assert.equal(await fetched(page).count(), 3, 'all pending cards show');
  const moved = await onScreen(page, { x: 1500, y: -1900 });
  await page.mouse.move(first.x, first.y);
  await page.mouse.down();
  await page.mouse.move(moved.x, moved.y, { steps: 5 });
  await page.mouse.up(); // of those that are on their way, the first is put elsewhere
  link?.release();
  await newInHand(page, []);
  const down = page.locator('[data-piece][aria-label^="Card, face down"]');
  await down.nth(1).waitFor();
  const lie = (await pieces(page))
    .filter((p) => p.label.startsWith('Card, face down'))
    .sort((a, b) => a.x - b.x);
  for (const [i, x] of [-900, 1500].entries())
    assert.ok(
      Math.hypot(lie[i].x - x, lie[i].y + 1900) < 30, `the one at ${x} lies where it was released`,
    );
  assert.deepEqual(
    lie.map((p) => p.holder), [0, 0], 'nothing is still held',
  );
  for (const p of [host, friend]) await lying(p.page, PACK - 3);
  await agree(page, friend.page);
  assert.equal(await fetched(page).count(), 0);
  assert.equal(await alarms(page), '');
});

test('T30 D and a double click draw into a row in the hand', async (t) => {
  const { host } = await party(t, { game: 'cards' });
  const { page } = host;
  const { id } = await deck(page);
  await focus(page, id);
  await page.keyboard.press('d');
  const one = await newInHand(page, []);
  const at = await middle(page, id);
  await page.mouse.dblclick(at.x, at.y);
  const two = await newInHand(page, [one.id]);
  await deckHas(page, PACK - 2);
  const hand = await myHand(page);
  await page.waitForFunction(
    ({ ids, hand }) => {
      const [a, b] = ids.map((id) => document.querySelector(`[data-piece="${id}"]`));
      const x = (/** @type {Element|null} */ e) => Number(e?.getAttribute('data-x'));
      const y = (/** @type {Element|null} */ e) => Number(e?.getAttribute('data-y'));
      return (
        Math.abs((x(a) + x(b)) / 2 - hand.x) <= 1 &&
        Math.abs(x(a) - x(b)) > 600 &&
        y(a) === hand.y &&
        y(b) === hand.y
      );
    },
    { ids: [one.id, two.id], hand },
  );
});

test('T30 clicks on the deck and a button between them are no double click', async (t) => {
  const { page } = (await party(t, { game: 'cards' })).host;
  await still(page);
  const at = await middle(page, (await deck(page)).id);
  await page.mouse.click(at.x, at.y);
  const tools = page.getByRole('toolbar', { name: 'What to do with the selection' });
  const button = await tools.getByRole('button', { name: /^Shuffle$/ }).boundingBox();
  assert.ok(button);
  await page.mouse.click(button.x + button.width / 2, button.y + button.height / 2);
  await page.mouse.click(at.x, at.y);
  await seen(page, /You shuffled the deck/);
  await page.keyboard.press('t');
  await seen(page, /You cut the deck/); // what was asked for before has been done
  assert.deepEqual(await cardsInHand(page), []);
  assert.equal(await inDeck(page), PACK);
});

test('T28 two people who draw at the same time both get a card', async (t) => {
  const { host, friend } = await party(t, { game: 'cards', links: true });
  for (const { page, link } of [host, friend]) {
    link?.hold('up');
    await focus(page, (await deck(page)).id);
    await page.keyboard.press('d');
  }
  for (const { link } of [host, friend]) link?.release();
  for (const { page } of [host, friend]) await newInHand(page, []);
  for (const { page } of [host, friend]) await deckHas(page, PACK - 2);
  await agree(host.page, friend.page);
  for (const { page } of [host, friend]) assert.equal(await alarms(page), '');
});

test('T31 keys shuffle and cut a deck, a recall asks first, all are notified', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const kinds = await secretKinds(host.page);
  const { id } = await deck(host.page);
  for (const [key, told] of /** @type {Array<[string, RegExp]>} */ ([
    ['s', /shuffled the deck/],
    ['t', /cut the deck/],
  ])) {
    await focus(host.page, id);
    await host.page.keyboard.press(key);
    await seen(host.page, new RegExp(`You ${told.source}`));
    await seen(friend.page, new RegExp(`Ada ${told.source}`));
    assert.match(await said(friend.page), told);
  }
  for (const { page } of [host, friend]) {
    await focus(page, (await deck(page)).id);
    await page.keyboard.press('d');
    await newInHand(page, []);
  }
  await focus(host.page, id);
  await host.page.keyboard.press('x');
  await choose(host.page, /^Recall all cards$/);
  const question = host.page.getByRole('alertdialog', { name: 'Recall all 2 cards?' });
  await question.getByText('2 of them are in players’ hands.').waitFor();
  await sayYes(host.page);
  await seen(friend.page, /Ada recalled 2 cards to the deck/);
  for (const { page } of [host, friend]) {
    await page.locator(`[data-piece][aria-label*="${PACK} cards"]`).waitFor();
    await page.waitForFunction(
      (kinds) =>
        [...document.querySelectorAll('[data-piece]')].every(
          (e) => !kinds.includes(Number(e.getAttribute('data-kind'))),
        ),
      kinds,
    );
  }
  await agree(host.page, friend.page);
});

test('T29, T30 a card goes into a deck by drag or key and disappears', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const { page } = host;
  const card = await drawIntoHand(page);
  const { id } = await deck(page);
  for (const p of [host, friend]) await lying(p.page, PACK - 1);
  await still(page);
  const from = await middle(page, card.id);
  const to = await middle(page, id);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.mouse.up();
  for (const p of [host, friend]) await lying(p.page, PACK);
  assert.deepEqual(await cardsInHand(page), []);

  const other = await drawIntoHand(page);
  for (const p of [host, friend]) await lying(p.page, PACK - 1);
  await focus(page, other.id);
  await page.keyboard.press('q'); // there is one deck: the page asks nothing
  for (const p of [host, friend]) await lying(p.page, PACK);
  await page.locator(`[data-piece="${other.id}"]`).waitFor({ state: 'detached' });
  await agree(page, friend.page);
});

test('T24 Ctrl moves a deck that is not pinned', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const { page } = host;
  const before = await deck(page);
  await focus(page, before.id);
  await page.keyboard.press('p');
  await page.locator(`[data-piece="${before.id}"]:not([aria-label*="pinned"])`).waitFor();
  const from = await middle(page, before.id);
  await page.mouse.move(from.x, from.y);
  await page.keyboard.down('Control');
  await page.mouse.down();
  await page.mouse.move(from.x, from.y - 120, { steps: 5 });
  await frame(page); // the page shows that it is held
  await page.mouse.up();
  await page.keyboard.up('Control');
  const moved = await until(page, before.id, { holder: 0 });
  assert.ok(moved.y < before.y - 500);
  await agree(page, friend.page);
  await deckHas(friend.page, PACK); // with everything in it
});

test('T30 a bag gives a random piece, which the page does not predict', async (t) => {
  const { host, friend } = await party(t, { game: 'tokens', links: true });
  const { page, link } = host;
  const bag = await named(page, 'Bag');
  await still(page);
  const from = await middle(page, bag.id);
  link?.hold('up');
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x - 150, from.y - 150, { steps: 5 });
  await frame(page);
  assert.equal(await page.locator('.fetched img').count(), 0);
  link?.release();
  await page.locator('[data-piece].mine.lifted').waitFor();
  await page.mouse.up();
  const token = /^(Red star|Blue square|Green triangle|Yellow diamond|Black ring|White cross)/;
  for (const p of [page, friend.page]) {
    await p.waitForFunction(
      (source) =>
        [...document.querySelectorAll('[data-piece]')].some((e) =>
          new RegExp(source).test(e.getAttribute('aria-label') ?? ''),
        ),
      token.source,
    );
  }
  await agree(page, friend.page);
});

test('T30 Escape puts a draw back into the deck', async (t) => {
  const { host, friend } = await party(t, { game: 'cards', links: true });
  const { page, link } = host;
  await still(page);
  const from = await middle(page, (await deck(page)).id);
  link?.hold('up');
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y - 150, { steps: 5 });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  link?.release();
  await page
    .locator('[data-live="polite"]', { hasText: 'You drew from the deck' })
    .waitFor({ state: 'attached' });
  for (const p of [host, friend]) await lying(p.page, PACK);
  await agree(page, friend.page);
  assert.equal(await fetched(page).count(), 0);
  assert.equal(await alarms(page), '');
});
