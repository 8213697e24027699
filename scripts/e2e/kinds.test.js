// Pieces that do something: counters, currency, notes, labels, turn markers, hands that are claimed
// and shared.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { choose } from './bar.js';
import { cardsInHand, drawIntoHand, myHand } from './cards.js';
import { party, phone } from './party.js';
import {
  agree,
  alarms,
  drag,
  eventually,
  focus,
  frame,
  middle,
  named,
  pieces,
  same,
  seen,
  still,
  until,
} from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */

/** Waits until a piece has this name. @param {Page} page @param {string} start of its label */
const called = (page, start) =>
  page.locator(`[data-piece][aria-label^="${start}"]`).first().waitFor();

test('T33 a counter counts by buttons and keys within bounds; two count twice', async (t) => {
  const { host, friend } = await party(t, { game: 'tokens', links: true });
  const counter = await named(host.page, 'Counter');
  const theirs = await same(friend.page, counter);
  const { page } = host;
  const at = await middle(page, counter.id);
  await page.mouse.move(at.x, at.y);
  const plus = page.locator(`[data-piece="${counter.id}"] [data-step="1"]`);
  const box = await plus.boundingBox();
  assert.ok(box && box.width >= 44 && box.height >= 44, 'large enough for a finger');
  await plus.click();
  await page.locator(`[data-piece="${counter.id}"][aria-label^="Counter, 1,"]`).waitFor();
  await friend.page.locator(`[data-piece="${theirs.id}"][aria-label^="Counter, 1,"]`).waitFor();

  host.link?.hold('up');
  friend.link?.hold('up');
  for (const [p, id] of /** @type {Array<[Page, number]>} */ ([
    [page, counter.id],
    [friend.page, theirs.id],
  ])) {
    await focus(p, id);
    await p.keyboard.press('k');
    await p.locator(`[data-piece="${id}"][aria-label^="Counter, 2,"]`).waitFor(); // at once
  }
  host.link?.release();
  friend.link?.release();
  for (const [p, id] of /** @type {Array<[Page, number]>} */ ([
    [page, counter.id],
    [friend.page, theirs.id],
  ])) {
    await p
      .locator(`[data-piece="${id}"][aria-label^="Counter, 3,"] .inscription`, { hasText: /^3$/ })
      .waitFor();
    assert.equal(await alarms(p), '');
  }

  await focus(page, counter.id);
  await page.keyboard.press('m');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('spinbutton').fill('20000');
  await page.keyboard.press('Enter');
  assert.ok(await dialog.isVisible(), 'the counter accepts only what it can show');
  await dialog.getByRole('spinbutton').fill('-5');
  await page.keyboard.press('Enter');
  await friend.page
    .locator(`[data-piece="${theirs.id}"][aria-label^="Counter, -2,"] .inscription`, {
      hasText: '\u22122',
    })
    .waitFor();
});

test('T34 heaps split by a dialog or Ctrl and merge by a drop: the total stays', async (t) => {
  const { host, friend } = await party(t, { game: 'tokens' });
  const { page } = host;
  const total = async (/** @type {Page} */ p) => {
    const heaps = (await pieces(p)).filter((q) => q.label.startsWith('Gold'));
    return heaps.reduce((sum, q) => sum + Number(/^Gold, (\d+)/.exec(q.label)?.[1]), 0);
  };
  assert.equal(await total(page), 100);
  const gold = await named(page, 'Gold');
  await focus(page, gold.id);
  await page.keyboard.press('v');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('spinbutton').fill('20');
  await dialog.getByText('30 left in the stack.').waitFor();
  await dialog.getByRole('button', { name: 'Split', exact: true }).click();
  await called(page, 'Gold, 20');
  await called(friend.page, 'Gold, 20');
  assert.equal(await total(page), 100);

  await still(page);
  const heap = await named(page, 'Gold, 30');
  const from = await middle(page, heap.id);
  await page.keyboard.down('Control');
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 30, from.y - 130, { steps: 5 });
  await page.mouse.up();
  await page.keyboard.up('Control');
  for (const p of [page, friend.page]) {
    await p.waitForFunction(
      () => document.querySelectorAll('[data-piece][aria-label^="Gold, 15"]').length === 2,
    );
    assert.equal(await total(p), 100, 'half of it was taken off');
  }

  await still(page);
  const [one, two] = (await pieces(page)).filter((p) => p.label.startsWith('Gold, 15'));
  const a = await middle(page, one.id);
  const b = await middle(page, two.id);
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move(b.x, b.y, { steps: 5 });
  await page.mouse.up();
  for (const p of [page, friend.page]) {
    await called(p, 'Gold, 30');
    assert.equal(await total(p), 100);
  }
  await agree(page, friend.page);
});

test('T34 currency behind one’s own screen counts in its name', async (t) => {
  const { host, friend } = await party(t, { game: 'tokens' });
  const { page } = host;
  const hand = await myHand(page);
  for (const name of ['Gold', 'Gems']) {
    await still(page);
    const heap = (await pieces(page)).find(
      (p) => p.label.startsWith(name) && !/in your hand/.test(p.label),
    );
    assert.ok(heap);
    const to = await middle(page, hand.id);
    const from = await middle(page, heap.id);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x + (name === 'Gold' ? -60 : 60), to.y, { steps: 5 });
    await page.mouse.up();
    await page.locator(`[data-piece][aria-label^="${name}"][aria-label*="in your hand"]`).waitFor();
  }
  await called(page, 'Your screen, 2 pieces, 60 in all');
  await called(friend.page, 'Ada’s screen, 2 pieces, pinned');
});

test('finding 14: T35 a note is edited in place, and Escape keeps what was written', async (t) => {
  const { host, friend } = await party(t, { game: 'tokens' });
  const { page } = host;
  const note = await named(page, 'Note');
  const at = await middle(page, note.id);
  await page.mouse.dblclick(at.x, at.y);
  const sheet = page.getByRole('textbox', { name: /Write on note/ });
  await sheet.waitFor();
  await page.keyboard.type('Ada 12, Ben 7: D stays a letter');
  await page.keyboard.press('Control+Enter');
  for (const p of [page, friend.page])
    await p
      .locator(
        '[data-piece][aria-label^="Note, says: Ada 12, Ben 7: D stays a letter"] .inscription',
      )
      .waitFor();
  assert.equal(
    await page.evaluate(() => document.activeElement?.getAttribute('data-piece')), String(note.id),
    'the focus is where it was before',
  );

  await focus(page, note.id);
  await page.keyboard.press('m');
  await sheet.waitFor();
  await page.keyboard.type(' Cleo 9');
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  for (const p of [page, friend.page])
    await p.locator('[data-piece][aria-label*="D stays a letter Cleo 9"]').waitFor();
  await agree(page, friend.page);
});

test('T35 a label is assigned and the turn passes, shown and announced', async (t) => {
  const { host, friend } = await party(t, { game: 'tokens' });
  const { page } = host;
  const label = await named(page, 'Player label');
  await focus(page, label.id);
  await page.keyboard.press('y');
  await page.getByRole('dialog').getByRole('button', { name: /Ben/ }).click();
  await called(page, 'Player label, of Ben');
  await called(friend.page, 'Player label, yours');

  await focus(page, (await named(page, 'Turn marker')).id);
  await page.keyboard.press('o');
  await seen(page, /It is your turn/);
  await seen(friend.page, /It is Ada’s turn/);
  await page.keyboard.press('o');
  await seen(friend.page, /It is your turn/);
  await friend.page.getByRole('button', { name: /here/ }).first().click();
  const row = friend.page.locator('.seat', { hasText: 'Ben' });
  await row.getByText('to move').waitFor();
  assert.equal(
    await friend.page.locator('.seat', { hasText: 'Ada' }).getByText('to move').isVisible(), false,
  );
});

test('T23 a hand is left, claimed, given and shared', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const card = await drawIntoHand(host.page);
  const hand = await myHand(host.page);
  const { kind, face } = card;

  await focus(host.page, hand.id);
  await host.page.keyboard.press('x');
  await choose(host.page, /^Share with a player…$/);
  await host.page.getByRole('dialog').getByRole('button', { name: /Ben/ }).click();
  await called(host.page, 'Your hand, one card, shared with Ben');
  await called(friend.page, 'Ada’s hand, one card, shared with you');
  const shared = friend.page.locator(
    `[data-piece][data-kind="${kind}"][data-face="${face}"][aria-label*="in Ada’s hand"]`,
  );
  await shared.waitFor();

  // With the only one: the page does not ask.
  await choose(host.page, /^Stop sharing…$/);
  await shared.waitFor({ state: 'detached' });
  await focus(host.page, hand.id);
  await host.page.keyboard.press('y');
  await host.page.getByRole('dialog').getByRole('button', { name: /Ben/ }).click();
  await called(host.page, 'Ben’s hand, one card');
  await host.page.locator(`[data-piece="${card.id}"]`).waitFor({ state: 'detached' });
  await friend.page.waitForFunction(
    (kind) =>
      document.querySelector(`[data-piece][data-kind="${kind}"][aria-label*="in your hand"]`) !==
      null,
    kind,
  );

  const free = await named(host.page, 'Free hand');
  assert.match(
    (await host.page.locator(`[data-piece="${free.id}"] .hand-name`).textContent()) ?? '',
    /^Take this hand$/,
  );
  await host.page.keyboard.press('Escape'); // the selection
  await focus(host.page, free.id);
  await host.page.keyboard.press('m');
  await called(host.page, 'Your hand, empty');
  await called(friend.page, 'Ada’s hand, empty');
  await host.page.keyboard.press('v');
  await host.page.waitForFunction(() => document.querySelector('[data-piece].hand.own') === null);
  await agree(host.page, friend.page);
});

test('T31 a card is shown to one player; the others hear that it was', async (t) => {
  const { host, friend, invites, join } = await party(t, { game: 'cards' });
  const third = await join('Cleo', invites.player);
  const card = await drawIntoHand(host.page);
  const name = card.label.split(',')[0];
  await focus(host.page, card.id);
  await host.page.keyboard.press('v');
  await host.page.getByRole('dialog').getByRole('button', { name: /Ben/ }).click();
  const panel = friend.page.getByRole('dialog', { name: 'Ada shows you' });
  await panel.getByAltText(name).waitFor();
  await seen(third.page, /Ada showed the card to Ben/);
  assert.equal(await third.page.getByAltText(name).count(), 0);
  assert.deepEqual(await barriers(friend.page), []);
  await friend.page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
});

test('T36 the menu of a piece lists its actions and works by keys; axe passes', async (t) => {
  const { host, friend } = await party(t, { game: 'tokens' });
  const { page } = host;
  const counter = await named(page, 'Counter');
  const at = await middle(page, counter.id);
  await page.mouse.click(at.x, at.y, { button: 'right' });
  const menu = page.getByRole('menu');
  await menu.waitFor();
  assert.deepEqual(await barriers(page), []);
  await page.keyboard.type('subtract 1');
  await page.keyboard.press('Enter');
  await menu.waitFor({ state: 'detached' });
  await friend.page.locator('[data-piece][aria-label^="Counter, -1,"]').waitFor();
  assert.equal(
    await page.evaluate(() => document.activeElement?.getAttribute('data-piece')),
    String(counter.id),
  );

  await page.keyboard.press('Shift+F10');
  await menu.waitFor();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
});

/**
 * Waits until the cards in the strip of a phone stay in place over three frames: they slide to
 * their places.
 *
 * @param {Page} page
 */
async function stripAtRest(page) {
  await still(page);
  await page.evaluate(async () => {
    /** @param {Element} e */
    const place = (e) => `${e.getAttribute('data-card')} ${e.getBoundingClientRect().x}`;
    const places = () => [...document.querySelectorAll('.lap-card')].map(place).sort().join();
    let before = '';
    for (let same = 0; same < 3; ) {
      await new Promise((done) => requestAnimationFrame(done));
      same = places() === before ? same + 1 : 0;
      before = places();
    }
  });
}

test('on a phone the hand is a strip: cards are sorted and played there', async (t) => {
  const { host, friend } = await party(t, { game: 'cards', friend: phone });
  const { page } = friend;
  await page.getByRole('button', { name: 'Got it' }).tap();
  const deck = await named(host.page, 'Deck');
  await focus(host.page, deck.id);
  await host.page.keyboard.press('e');
  await host.page.getByRole('dialog').getByRole('spinbutton').fill('4');
  await host.page.keyboard.press('Enter');
  const cards = page.locator('.lap-card');
  await page.waitForFunction(() => document.querySelectorAll('.lap-card').length === 4);
  await still(page);
  assert.equal(
    await page.locator('.lap').getAttribute('aria-hidden'), 'true',
    'screen readers get the pieces',
  );
  const order = async () => (await cardsInHand(page)).map((p) => p.id);
  const isSeen = await eventually(page, async () => (await order()).length === 4);
  assert.ok(isSeen, 'all fronts are seen');
  const before = await order();

  const place = async (/** @type {number} */ i) => {
    await stripAtRest(page);
    const box = await page.locator(`.lap-card[data-card="${(await order())[i]}"]`).boundingBox();
    assert.ok(box);
    return { x: box.x + 12, y: box.y + 50 };
  };
  const touches = await page.context().newCDPSession(page);
  const finger = async (/** @type {import('./pieces.js').Point[]} */ ...way) => {
    const at = (/** @type {import('./pieces.js').Point} */ p) => [{ x: p.x, y: p.y }];
    const move = (/** @type {import('./pieces.js').Point} */ p) =>
      touches.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(p) });
    await Promise.all([
      touches.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(way[0]) }),
      move(way[1]),
    ]); // it does not rest
    for (const p of way.slice(2)) await move(p);
    await touches.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };

  const first = await place(0);
  await finger(first, { x: first.x + 60, y: first.y }, { x: first.x + 330, y: first.y });
  await page.waitForFunction((wanted) => {
    const all = [...document.querySelectorAll('[data-piece][aria-label*="in your hand"]')].filter(
      (e) => !e.classList.contains('hand'),
    );
    const x = (/** @type {Element} */ e) => e.getBoundingClientRect().x;
    return all.sort((a, b) => x(a) - x(b)).at(-1)?.getAttribute('data-piece') === String(wanted);
  }, before[0]);
  assert.deepEqual(await order(), [...before.slice(1), before[0]]);

  const second = await place(1);
  await finger(second, { x: second.x, y: second.y - 60 }, { x: second.x + 20, y: second.y - 300 });
  await page.waitForFunction(() => document.querySelectorAll('.lap-card').length === 3);
  await frame(page); // it is drawn where it was dropped
  const played = await until(page, before[2], { holder: 0 });
  await host.page
    .locator(`[data-piece][data-kind="${played.kind}"][data-x="${played.x}"][data-y="${played.y}"]`)
    .waitFor();
  await agree(host.page, page);

  const third = await place(0);
  await page.touchscreen.tap(third.x, third.y);
  await page.getByRole('button', { name: 'Play face down' }).tap();
  await host.page.locator('[data-piece][aria-label^="Card, face down"]').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.lap-card').length === 2);
  assert.equal(await cards.count(), 2);
  await agree(host.page, page);
});

test('T22 a drag plays a card face up, with Shift face down', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const { page } = host;
  const down = await drawIntoHand(page);
  await still(page);
  const from = await middle(page, down.id);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y - 200, { steps: 5 });
  await page.keyboard.down('Shift');
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await called(friend.page, 'Card, face down');
  const up = await drawIntoHand(page);
  await drag(page, up.id, { x: 900, y: -2600 });
  await called(friend.page, up.label.split(',')[0]);
  await agree(page, friend.page);
});
