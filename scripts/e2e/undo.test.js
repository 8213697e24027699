// Taking back: a move at once, a draw when the others agree, and nothing when somebody says no.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { choose } from './bar.js';
import { CLEAR, deck, deckHas, PACK } from './cards.js';
import { party, phone } from './party.js';
import { agree, carry, drag, named, pieces, seen, still, until } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
const question = (page) => page.getByRole('group', { name: 'Take back?' });

/**
 * What a page shows of where pieces would lie: the ghosts, how many arrows, and whether the ghosts
 * let the pointer through.
 * @param {Page} page
 */
const ghosts = (page) => page.evaluate(() => {
  const all = [...document.querySelectorAll('.ghost')];
  return {
    all: all.map((e) => [e.className, e.querySelectorAll('img').length]),
    arrows: document.querySelectorAll('.ghost-lines path[d]:not(.edge)').length,
    caught: all.some((e) => {
      const { x, y, width, height } = e.getBoundingClientRect();
      const at = document.elementFromPoint(x + width / 2, y + height / 2);
      return at?.closest('.ghosts') ?? false;
    }),
  };
});

test('T63.3: a move is taken back at once, by key and by button', async (t) => {
  const { host, friend } = await party(t, { game: 'chess' });
  const pawn = await named(host.page, 'White pawn');
  for (const back of [
    () => host.page.keyboard.press('Control+z'),
    () => host.page.getByRole('button', { name: 'Undo' }).click(),
  ]) {
    const moved = await drag(host.page, pawn.id, { x: 0, y: -1000 });
    await until(friend.page, pawn.id, { y: moved.y, holder: 0 });
    await back();
    for (const { page } of [host, friend]) await until(page, pawn.id, { x: pawn.x, y: pawn.y });
    await seen(host.page, /You took it back/);
  }
  host.watch.expect(/status of 409.*\/undo/);
  await host.page.keyboard.press('Control+z');
  await seen(host.page, /There is nothing of yours to take back/);
  await agree(host.page, friend.page);
});

test('T63.24: what is still on its way is undone, and nothing before it', async (t) => {
  const { host, friend } = await party(t, { game: 'chess' });
  const { page } = host;
  const [pawn, knight] = [await named(page, 'White pawn'), await named(page, 'White knight')];
  const first = await drag(page, pawn.id, { x: 0, y: -1000 });
  await until(friend.page, pawn.id, { y: first.y, holder: 0 });
  /** @type {() => void} */
  let letGo = () => {};
  const pressed = new Promise((go) => {
    letGo = () => go(undefined);
  });
  await page.route('**/updates*', async (route) => {
    await pressed;
    await route.continue();
  });
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/undo')) asked++;
  });
  await drag(page, knight.id, { x: 0, y: -1000 });
  await page.keyboard.press('Control+z');
  await page.waitForTimeout(300); // it could ask now
  assert.equal(asked, 0, 'it has not asked the server');
  letGo();
  await until(friend.page, knight.id, { x: knight.x, y: knight.y, holder: 0 });
  await seen(page, /You took it back/);
  await until(friend.page, pawn.id, { y: first.y });
  await agree(page, friend.page);
});

test('T63.6, T63.7, T63.26: a draw is taken back when the others agree', async (t) => {
  const { host, friend } = await party(t, { game: 'cards', friend: phone });
  for (const { page } of [host, friend]) await page.getByRole('button', { name: 'Got it' }).click();
  const draw = async () => {
    await host.page.locator(`[data-piece="${(await deck(host.page)).id}"]`).click();
    await choose(host.page, /^Draw$/);
    await deckHas(friend.page, PACK - 1);
  };
  await draw();
  await host.page.keyboard.press('Control+z');
  await question(friend.page).getByText('Ada would like to take back a draw.').waitFor();
  await question(host.page).getByText('You asked to take back a draw. Waiting for Ben.').waitFor();
  await still(friend.page);
  await shoot(friend.page, 'undo-phone');
  await shoot(host.page, 'undo-desktop');
  // Her card would go into the deck. He knows only that something does.
  const mine = await ghosts(host.page);
  assert.deepEqual(mine.all, [['ghost into', 0]]);
  assert.deepEqual([mine.arrows, mine.caught], [1, false]);
  const his = await ghosts(friend.page);
  assert.deepEqual([his.all, his.arrows, his.caught], [[['ghost into', 0]], 0, false]);
  assert.deepEqual(await barriers(friend.page), [], 'axe finds nothing');
  await question(friend.page).getByRole('button', { name: 'Allow' }).click();
  for (const { page } of [host, friend]) {
    await deckHas(page, PACK);
    await question(page).waitFor({ state: 'detached' });
    assert.equal(await page.locator('.ghosts').count(), 0, 'nothing is left of the ghosts');
  }
  await seen(host.page, /You took it back/);
  await host.page.getByRole('button', { name: /^Chat/ }).click();
  await host.page.locator('.log').getByText(/^You put the .+ back\.$/).waitFor();
  await host.page.getByRole('button', { name: 'Close chat and log' }).click();

  await draw();
  await host.page.keyboard.press('Control+z');
  await question(friend.page).getByRole('button', { name: 'No' }).click();
  await seen(host.page, /Ben said no: it stays/);
  await question(host.page).waitFor({ state: 'detached' });
  await deckHas(host.page, PACK - 1);

  const withdraw = async () => {
    await question(host.page).getByRole('button', { name: 'Withdraw' }).click();
    await question(friend.page).waitFor({ state: 'detached' });
    assert.equal(await friend.page.locator('.ghosts').count(), 0);
  };
  const ask = async (/** @type {string} */ name) => {
    await host.page.keyboard.press('Control+z');
    for (const { page } of [host, friend]) await question(page).waitFor();
    const both = [await ghosts(host.page), await ghosts(friend.page)];
    await shoot(friend.page, `${name}-phone`);
    await shoot(host.page, `${name}-desktop`);
    return both;
  };
  await still(host.page); // it comes to lie in the middle of the hand
  const card = (await pieces(host.page)).find((p) => /in your hand/.test(p.label));
  assert.ok(card);
  await drag(host.page, card.id, { x: CLEAR.x - card.x, y: CLEAR.y - card.y });
  const played = await until(host.page, card.id, CLEAR);
  for (const { all, arrows } of await ask('ghost-play'))
    assert.deepEqual([all, arrows], [[['ghost into', 0]], 1], 'it would go into her hand');
  await withdraw();

  await carry(host.page, card.id, { x: card.x - played.x, y: card.y - played.y });
  await host.page.mouse.up();
  await host.page.locator('[data-piece][aria-label*="in your hand"]').waitFor();
  for (const { page } of [host, friend]) await page.emulateMedia({ colorScheme: 'dark' });
  const [back, seenBack] = await ask('ghost-take');
  assert.deepEqual([back.all, back.arrows, back.caught], [[['ghost', 1]], 1, false]);
  assert.deepEqual([seenBack.all, seenBack.arrows, seenBack.caught], [[['ghost', 0]], 0, false]);
  await withdraw();
});
