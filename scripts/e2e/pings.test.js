// Places that people show each other (component.md, C14: Ping): a ring with a name, for three
// seconds, on screen and for screen readers.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { cutOff } from './outage.js';
import { tapTool } from './fingers.js';
import { desktop, party, phone } from './party.js';
import { focus, frame, middle, named, same, seen, still } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./pieces.js').Point} Point */

/**
 * Waits for a ring of a seat, and returns where its middle is on the screen, whose name it has, and
 * how much of it moves. The ring exists for three seconds. A test that begins to wait before it is
 * made does not have to be in time.
 *
 * @param {Page} page
 * @param {number} seat
 * @returns {Promise<Point & {name: string, moving: number}>}
 */
async function ring(page, seat) {
  const found = await page.waitForFunction((seat) => {
    const e = document.querySelector(`.ping[data-ping="${seat}"]`);
    const r = e?.querySelector('.ping-ring')?.getBoundingClientRect();
    if (!e || !r) return null;
    const name = e.querySelector('.ping-name')?.textContent ?? '';
    return {
      x: r.left + r.width / 2, y: r.top + r.height / 2, name,
      moving: e.getAnimations({ subtree: true }).length,
    };
  }, seat);
  return /** @type {any} */ (found.jsonValue());
}

/**
 * Shows the same place again every second until `work` is done, so that it is visible all the
 * while.
 *
 * @template T
 * @param {Page} page whose mouse is there
 * @param {() => Promise<T>} work
 * @returns {Promise<T>} the result of `work`
 */
async function whileShowing(page, work) {
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  done.catch(() => {}); // the error is reported when all is over
  for (let last = Number.NEGATIVE_INFINITY; !isDone; await frame(page)) {
    if (performance.now() - last < 1000) continue;
    last = performance.now();
    await page.keyboard.press('Shift+P');
  }
  return done;
}

/**
 * Waits until a button says whether it is pressed: it is drawn a frame after its effect.
 *
 * @param {import('playwright-core').Locator} button
 * @param {boolean} is
 */
async function pressed(button, is) {
  const state = button.and(button.page().locator(`[aria-pressed="${is}"]`));
  await state.waitFor({ state: 'attached' }); // a small window folds it away
}

/** Waits until there is no ring any more. @param {Page} page */
async function faded(page) {
  await page.waitForFunction(() => document.querySelector('.ping, .ping-edge') === null);
}

/** @param {Point} a @param {Point} b */
const apart = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

test('C14.14 the key shows the mouse or the focused piece to all for 3 s', async (t) => {
  const { host, friend } = await party(t, { friend: { ...desktop, reducedMotion: 'reduce' } });
  const { page } = host;
  await still(page);
  const king = await named(page, 'Black king');
  const at = await middle(page, king.id);
  const theirs = await middle(friend.page, (await same(friend.page, king)).id);
  await page.mouse.move(at.x, at.y);
  const [there, here] = await Promise.all([
    ring(friend.page, 1), ring(page, 1), page.keyboard.press('Shift+P'),
  ]);
  assert.ok(apart(there, theirs) < 3);
  assert.ok(apart(here, at) < 3, 'one’s own shows');
  assert.equal(there.name, 'Ada');
  assert.equal(there.moving, 0, 'reduced motion: nothing moves');
  await friend.page
    .locator('[data-live]', { hasText: /Ada shows the black king, / })
    .waitFor({ state: 'attached' });
  await page
    .locator('[data-live]', { hasText: /You show the black king, .* to everybody\./ })
    .waitFor({ state: 'attached' });
  for (const p of [page, friend.page]) await faded(p);

  const pawn = await named(page, 'White pawn');
  await focus(page, pawn.id);
  await page.keyboard.press('ArrowRight'); // somebody who uses keys does not mean the mouse
  const meant = Number(
    await page.evaluate(() => document.activeElement?.getAttribute('data-piece')),
  );
  const [own] = await Promise.all([
    ring(page, 1), ring(friend.page, 1), page.keyboard.press('Shift+P'),
  ]);
  assert.ok(apart(own, await middle(page, meant)) < 3);
});

test('Alt and click shows an empty place; on pieces it selects', async (t) => {
  const { host, friend } = await party(t);
  const { page } = host;
  await still(page);
  const board = await middle(page, (await named(page, 'Chessboard')).id);
  await page.keyboard.down('Alt');
  await page.mouse.click(board.x, board.y);
  await page.locator('[data-piece].selected').waitFor();
  assert.equal(await page.locator('.ping').count(), 0);
  const free = { x: 190, y: 400 };
  assert.equal(
    await page.evaluate(
      ({ x, y }) => document.elementFromPoint(x, y)?.closest('[data-piece]') ?? null, free,
    ),
    null,
  );
  const [here, there] = await Promise.all([
    ring(page, 1), ring(friend.page, 1), page.mouse.click(free.x, free.y),
  ]);
  await page.keyboard.up('Alt');
  assert.ok(apart(here, free) < 3);
  assert.ok(apart(there, free) < 3, 'in windows of one size it is in the same place');
});

test('the button shows the place pressed next, as a resting finger does', async (t) => {
  const { host, friend } = await party(t, { friend: phone });
  const { page } = friend;
  await page.getByRole('button', { name: 'Got it' }).tap();
  const button = page.locator('[data-part="pings"]');
  await tapTool(page, 'Point at a place');
  await seen(page, /Press the place that everybody is to look at/);
  await pressed(button, true);
  const rook = await named(page, 'White rook');
  const at = await middle(page, rook.id);
  const [aimed] = await Promise.all([
    ring(page, 2), ring(host.page, 2), page.touchscreen.tap(at.x, at.y),
  ]);
  assert.ok(apart(aimed, at) < 3);
  await pressed(button, false);
  assert.equal(
    await page.locator('[data-piece].selected').count(), 0, 'it is not about the piece there',
  );
  for (const p of [page, host.page]) await faded(p);

  const devices = await page.context().newCDPSession(page);
  const free = { x: 195, y: 607 };
  assert.equal(
    await page.evaluate(
      ({ x, y }) => document.elementFromPoint(x, y)?.closest('[data-piece]') ?? null, free,
    ),
    null,
  );
  const told = ring(host.page, 2);
  const [rested] = await Promise.all([
    ring(page, 2),
    devices.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [free] }),
  ]);
  assert.ok(apart(rested, free) < 3);
  await devices.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await told;
});

test('C14.14 a word stands beside the place, and is said', async (t) => {
  const { host, friend } = await party(t, { host: phone });
  const { page } = host;
  await page.getByRole('button', { name: 'Got it' }).tap();
  const words = page.getByRole('group', { name: 'A word with it' });
  const point = async (/** @type {() => Promise<void>} */ choose) => {
    await tapTool(page, 'Point at a place');
    await choose();
    const at = await middle(page, (await named(page, 'White rook')).id);
    const [own, theirs] = await Promise.all([
      ring(page, 1), ring(friend.page, 1), page.touchscreen.tap(at.x, at.y),
    ]);
    await words.waitFor({ state: 'detached' });
    assert.equal(own.name, theirs.name);
    for (const p of [page, friend.page]) await faded(p);
    return theirs.name;
  };
  const chosen = await point(async () => {
    await words.getByRole('button', { name: 'your turn' }).tap();
    await words.getByRole('button', { name: 'your turn', pressed: true }).waitFor();
    await shoot(page, 'ping-words');
    assert.deepEqual(await barriers(page), [], 'axe finds nothing');
  });
  assert.equal(chosen, 'Ada: your turn');
  await friend.page.locator('[data-live]', { hasText: /Ada shows the white rook, .*: your turn/ })
    .waitFor({ state: 'attached' });
  const own = words.getByRole('textbox', { name: 'Your own word' });
  assert.equal(await point(async () => {
    await own.fill(' castle?');
    await own.press('Enter');
  }), 'Ada: castle?');
  assert.equal(await point(async () => {}), 'Ada', 'a word is for one place');

  // with keys alone
  await friend.page.locator('[data-part="pings"]').press('Enter');
  const theirs = friend.page.getByRole('group', { name: 'A word with it' });
  await theirs.getByRole('button', { name: 'look' }).press('Enter');
  await focus(friend.page, (await named(friend.page, 'Black king')).id);
  const [seenByAda] = await Promise.all([ring(page, 2), friend.page.keyboard.press('Shift+P')]);
  assert.equal(seenByAda.name, 'Ben: look');
  await theirs.waitFor({ state: 'detached' });
});

test('an arrow at the edge leads to a hidden place; axe passes', async (t) => {
  const { host, friend } = await party(t, { friend: phone });
  const { page } = friend;
  await page.getByRole('button', { name: 'Got it' }).tap();
  await still(host.page);
  await host.page.mouse.move(1000, 640);
  const arrow = page.getByRole('button', { name: 'Go where Ada shows something' });
  await whileShowing(host.page, async () => {
    await page.waitForFunction(() => {
      const box = document.querySelector('.ping-edge:not([hidden])')?.getBoundingClientRect();
      return box?.width && box.left >= 0 && box.right <= 390 && box.top >= 0 && box.bottom <= 844;
    });
    assert.equal(await host.page.locator('.ping-edge').count(), 0, 'Ada sees the place itself');
    assert.deepEqual(await barriers(page), []);
    await arrow.tap();
    await page.waitForFunction(() => {
      const r = document.querySelector('.ping[data-ping="1"] .ping-ring')?.getBoundingClientRect();
      return r && r.left > 0 && r.right < 390 && r.top > 0 && r.bottom < 844;
    }); // now the place is visible
    await page.waitForFunction(() => document.querySelector('.ping-edge:not([hidden])') === null);
  });
});

test('C17 offline pings are refused with a notice and never come later', async (t) => {
  const { host, friend } = await party(t, { links: true });
  await friend.page.mouse.move(400, 300);
  await Promise.all([
    ring(host.page, 2), ring(friend.page, 2), friend.page.keyboard.press('Shift+P'),
  ]);
  await faded(friend.page);
  const isAnswered = () =>
    !Object.keys(localStorage).some((key) => key.startsWith('holt.written.'));
  await friend.page.waitForFunction(isAnswered);
  await cutOff(friend);
  await friend.page.keyboard.press('Shift+P');
  await seen(friend.page, /There is no connection: nobody would see it\./);
  assert.equal(await friend.page.locator('.ping').count(), 0);
  assert.equal(
    await friend.page.evaluate(
      () => Object.keys(localStorage).filter((key) => key.startsWith('holt.written.')).length,
    ),
    0,
  );
});

test('spectators show nothing, and newcomers see no earlier rings', async (t) => {
  const { host, join, invites } = await party(t);
  const watcher = await join('Cleo', invites.spectator);
  assert.equal(
    await watcher.page.getByRole('button', { name: 'Point at a place' }).count(), 0,
  );
  await watcher.page.keyboard.press('Shift+P');
  await seen(watcher.page, /You are watching/);
  await host.page.mouse.move(500, 300);
  await Promise.all([
    ring(watcher.page, 1), ring(host.page, 1), host.page.keyboard.press('Shift+P'),
  ]);
  for (const { page } of [host, watcher]) await faded(page);
  const late = await join('Dora', invites.player);
  await late.page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/pings-')),
  );
  await frame(late.page);
  assert.equal(await late.page.locator('.ping').count(), 0);
  await Promise.all([ring(late.page, 1), host.page.keyboard.press('Shift+P')]);
});
