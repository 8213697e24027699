// Everybody sees and hears a shuffle, and it reveals to nobody what lies where.

import assert from 'node:assert/strict';
import test from 'node:test';
import { PACK, deck, loosePile } from './cards.js';
import { party } from './party.js';
import {
  agree, drag, eventually, focus, middle, named, pieces, said, seen, still,
} from './pieces.js';
import { eventsReceived, kindsReceived, secretKinds } from './secrets.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./party.js').Person} Person */

test('T26 others see and hear a shuffle once and learn no card', async (t) => {
  const { host, friend, invites, join } = await party(t, { game: 'cards', links: true });
  const watcher = await join('Cleo', invites.spectator);
  const kinds = await secretKinds(host.page);
  const top = await loosePile(host.page);
  for (const p of [friend, watcher]) await agree(host.page, p.page);
  const before = await places(friend.page);
  for (const { page } of [host, friend, watcher]) await watchMotion(page);

  host.link?.hold('up', 'down');
  await focus(host.page, top);
  await host.page.keyboard.press('s');
  await seen(host.page, /You shuffled 54 cards\./);
  await moved(host.page, 20); // at once, before the server knows
  assert.equal((await said(friend.page)).match(/shuffled/g), null);
  host.link?.release();

  for (const { page } of [friend, watcher]) {
    await moved(page, 20);
    await seen(page, /Ada shuffled 54 cards\./);
  }
  for (const { page } of [host, friend, watcher]) await still(page);
  await andThen(host, [friend, watcher]);
  for (const p of [friend, watcher]) {
    assert.equal(
      (await said(p.page)).match(/Ada shuffled 54 cards\./g)?.length, 1, `${p.nick} hears it once`,
    );
    assert.deepEqual(told(p), [54], `${p.nick} gets one event, about all cards`);
    assert.deepEqual(
      kindsReceived(p).filter((k) => kinds.includes(k)), [], `${p.nick} was sent no front`,
    );
  }
  assert.deepEqual(told(host), [], 'the one who did it gets no notice');
  assert.doesNotMatch(await said(host.page), /Ada shuffled/);
  await agree(host.page, friend.page);
  assert.deepEqual(await places(friend.page), before, 'all lie where they lay before');
});

test('T26 a shuffle that turns cards down is announced once', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const kinds = await secretKinds(host.page);
  const top = await loosePile(host.page);
  await focus(host.page, top);
  await host.page.keyboard.press('f');
  await shows(friend.page, kinds, true);
  await still(host.page);
  await focus(host.page, top);
  await host.page.keyboard.press('s');
  await shows(friend.page, kinds, false);
  await seen(friend.page, /Ada shuffled 54 cards\./);
  await andThen(host, [friend]);
  assert.equal((await said(friend.page)).match(/shuffled/g)?.length, 1);
});

test('T26 the button of a pile shuffles it and stays for the next time', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const { page } = host;
  const at = await middle(page, await loosePile(page));
  await page.mouse.click(at.x, at.y);
  const button = page
    .getByRole('toolbar', { name: 'What to do with the selection' })
    .getByRole('button', { name: 'Shuffle' });
  await button.focus();
  for (const time of [1, 2, 3]) {
    await page.keyboard.press('Enter');
    assert.ok(
      await button.evaluate((e) => e === document.activeElement),
      `it is there after the shuffle number ${time}`,
    );
  }
  await andThen(host, [friend]);
  assert.deepEqual(told(friend), [54, 54, 54]);
});

test('T26 with reduced motion a shuffle is announced and shown as text', async (t) => {
  const { host, friend } = await party(t, { game: 'cards', friend: { reducedMotion: 'reduce' } });
  const top = await loosePile(host.page);
  await agree(host.page, friend.page);
  await watchMotion(friend.page);
  await focus(host.page, top);
  await host.page.keyboard.press('s');
  await seen(friend.page, /Ada shuffled 54 cards\./);
  await friend.page
    .locator('[data-live="polite"]', { hasText: /Ada shuffled 54 cards\./ })
    .waitFor({ state: 'attached' });
  assert.equal(
    await friend.page.evaluate(() => /** @type {any} */ (window).aside.size), 0, 'nothing moves',
  );
});

test('T31 a shuffle of the deck is announced once and reveals no card', async (t) => {
  const { host, friend, invites, join } = await party(t, { game: 'cards' });
  const watcher = await join('Cleo', invites.spectator);
  const kinds = await secretKinds(host.page);
  await focus(host.page, (await deck(host.page)).id);
  await host.page.keyboard.press('s');
  await seen(host.page, /You shuffled the deck\./);
  for (const { page } of [friend, watcher]) await seen(page, /Ada shuffled the deck\./);
  await andThen(host, [friend, watcher]);
  for (const p of [host, friend, watcher]) {
    assert.equal((await said(p.page)).match(/shuffled/g)?.length, 1, `${p.nick} hears it once`);
    const noticed = () => eventsReceived(p).filter((e) => e.type === 'notice');
    await eventually(p.page, () => noticed().length > 0); // each has a stream of their own
    const notices = noticed();
    assert.deepEqual(
      notices.map(({ by, op, count }) => ({ by, op, count })),
      [{ by: 1, op: 'shuffle', count: PACK }],
    );
    assert.deepEqual(
      kindsReceived(p).filter((k) => kinds.includes(k)), [], `${p.nick} was sent no front`,
    );
  }
});

/** Records the pieces that are seen moving from now on. @param {Page} page */
async function watchMotion(page) {
  await still(page);
  await page.evaluate(() => {
    const aside = new Set();
    Object.assign(window, { aside });
    const look = (/** @type {MutationRecord[]} */ records) => {
      for (const { target } of records) {
        if (target instanceof HTMLElement && target.matches('[data-piece].over'))
          aside.add(target.dataset.piece);
      }
    };
    const main = /** @type {HTMLElement} */ (document.querySelector('main#table'));
    new MutationObserver(look).observe(main, {
      subtree: true, attributes: true, attributeFilter: ['class'],
    });
  });
}

/** Waits until so many pieces have been seen moving. @param {Page} page @param {number} n */
async function moved(page, n) {
  await page.waitForFunction((n) => /** @type {any} */ (window).aside.size >= n, n);
}

/**
 * Something else happens, and the others have received it: so they have received everything before.
 *
 * @param {Person} host
 * @param {Person[]} others
 */
async function andThen(host, others) {
  await drag(host.page, (await named(host.page, 'Dealer')).id, { x: 200, y: -100 });
  for (const { page } of others) {
    await page.getByText(/Ada put down the dealer/).waitFor({ state: 'attached' });
  }
}

/** The numbers of pieces in the shuffles that were sent to a person. @param {Person} person */
function told(person) {
  return eventsReceived(person).flatMap((e) =>
    e.type === 'shuffled' ? [new Set(e.pieces).size] : [],
  );
}

/**
 * Waits until a page shows the front of some secret piece, or of none.
 *
 * @param {Page} page
 * @param {number[]} kinds
 * @param {boolean} some
 */
async function shows(page, kinds, some) {
  await page.waitForFunction(
    ({ kinds, some }) =>
      [...document.querySelectorAll('[data-piece]')].some((e) =>
        kinds.includes(Number(e.getAttribute('data-kind'))),
      ) === some,
    { kinds, some },
  );
}

/** Where the cards lie, by their names. @param {Page} page */
async function places(page) {
  const cards = (await pieces(page)).filter((p) => p.label.startsWith('Card'));
  assert.equal(cards.length, PACK);
  return cards.map((p) => [p.id, p.x, p.y, p.angle].join(' ')).sort();
}
