// Back to a page that the browser has kept (docs/protocol/datagram.md, D29, D38): it goes on as if
// nobody had left it, except for what has happened meanwhile.

import assert from 'node:assert/strict';
import test from 'node:test';
import { keepPages } from './browser.js';
import { party } from './party.js';
import { eventually, focus, named, same, until } from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */

keepPages();

/** What the page records of itself. @typedef {{states: string[], isKept: boolean}} Notes */

/**
 * Makes a page record each change of its status, and whether it is shown again.
 *
 * @param {Page} page
 */
function note(page) {
  return page.evaluate(() => {
    const main = /** @type {HTMLElement} */ (document.querySelector('main#table'));
    /** @type {Notes} */
    const notes = { states: [], isKept: false };
    Object.assign(window, { notes });
    new MutationObserver(() => notes.states.push(main.dataset.status ?? '')).observe(main, {
      attributeFilter: ['data-status'],
    });
    addEventListener('pageshow', ({ persisted }) => {
      notes.isKept = persisted;
    });
  });
}

/**
 * What it has recorded; nothing if it was loaded again.
 *
 * @param {Page} page
 * @returns {Promise<Notes|undefined>}
 */
const noted = (page) =>
  page.evaluate(() => /** @type {{notes?: Notes}} */ (/** @type {unknown} */ (window)).notes);

/** Whether the page says that it has datagrams. @param {Page} page */
async function hasDatagrams(page) {
  await page.keyboard.press('?');
  const text = await page.locator('.help-way').innerText();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  return text.startsWith('Connected by datagrams');
}

test('D38 a page shown again after datagrams opens a WebSocket at once', async (t) => {
  let moved = Promise.resolve();
  const { server, host, friend } = await party(t, {
    datagrams: true,
    onArrival: async ({ nick, page }) => {
      if (nick === 'Ada')
        moved = new Promise((done) =>
          page.once('websocket', (socket) => socket.once('close', () => done())),
        );
    },
  });
  await moved;
  assert.ok(await eventually(host.page, () => hasDatagrams(host.page)), 'it has datagrams');
  const mine = await named(host.page, 'White pawn');
  const theirs = await same(friend.page, mine);
  await note(host.page);
  await host.page.goto(server.url);
  await focus(friend.page, theirs.id);
  await friend.page.keyboard.press('r');
  await until(friend.page, theirs.id, { angle: 1500 });
  await host.page.goBack({ waitUntil: 'commit' });
  // On a busy machine it came before the page was kept.
  await until(host.page, mine.id, { angle: 1500 });
  const isKept = async () => (await noted(host.page))?.isKept === true;
  assert.ok(await eventually(host.page, isKept), 'the browser has kept the page');
  await focus(friend.page, theirs.id);
  await friend.page.keyboard.press('r');
  await until(host.page, mine.id, { angle: 3000 });
  // A busy machine draws nothing between the two.
  const { states = [] } = await noted(host.page) ?? {};
  if (states.length > 0) assert.deepEqual(states, ['connecting', 'online']);
  assert.equal(await host.page.locator('main').getAttribute('data-status'), 'online');
});
