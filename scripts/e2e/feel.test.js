// How it feels to take, move and zoom: what a press means, what comes along, and what the window
// shows.

import assert from 'node:assert/strict';
import test from 'node:test';
import { swipe } from './fingers.js';
import { LENGTHS } from '../../static/js/parts/sounds/synth.js';
import { party, phone } from './party.js';
import {
  agree, away, drag, eventually, focus, middle, named, piece, pieces, still,
} from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */

/** Where a piece is on the screen. @param {Page} page @param {number} id */
const boxOf = (page, id) =>
  page.locator(`[data-piece="${id}"]`).evaluate((e) => {
    const { left, top, right, bottom } = e.getBoundingClientRect();
    return { left, top, right, bottom };
  });

/**
 * Waits until a piece lies elsewhere.
 *
 * @param {Page} page
 * @param {import('./pieces.js').Piece} before
 */
const movedFrom = (page, before) =>
  page.waitForFunction(
    ({ id, y }) =>
      Number(document.querySelector(`[data-piece="${id}"]`)?.getAttribute('data-y')) !== y,
    before,
  );

/** The number at the pointer. @param {Page} page */
const tally = (page) => page.locator('.tally:not([hidden])');

test('finding 7: a press shows what comes along, and a click beside clears', async (t) => {
  const { host, friend } = await party(t);
  const { page } = host;
  await friend.page.evaluate(() => {
    new MutationObserver(() => {
      if (document.querySelector('[data-piece] > .moved')) document.body.dataset.marked = '';
    }).observe(document.body, { childList: true, subtree: true });
  });
  await still(page);
  const pawns = (await pieces(page)).filter((p) => p.label.startsWith('White pawn'));
  const [a, b] = [pawns[0], pawns[1]];
  const [from, other] = [await middle(page, a.id), await middle(page, b.id)];
  const free = await away(page, from, { x: 0, y: -900 });

  // A frame says how many it has.
  await page.mouse.move(from.x - 28, from.y - 28);
  await page.mouse.down();
  await page.mouse.move(other.x + 20, other.y + 20, { steps: 4 });
  await tally(page).getByText('2 pieces', { exact: true }).waitFor();
  await page.mouse.up();
  await tally(page).waitFor({ state: 'detached' });
  assert.equal(await page.locator('[data-piece].selected').count(), 2);

  // A press on one of them says it before anything moves, and all of them are lifted.
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await tally(page).getByText('2 pieces', { exact: true }).waitFor();
  const lifted = page.locator('.poised [data-piece].selected > .art');
  assert.equal(await lifted.count(), 2);
  for (const art of await lifted.all())
    assert.notEqual(await art.evaluate((e) => getComputedStyle(e).transform), 'none');
  assert.equal((await piece(page, a.id)).holder, 0, 'nothing is held yet');
  await page.mouse.move(from.x + 30, from.y - 40, { steps: 3 });
  await tally(page).getByText('2 pieces', { exact: true }).waitFor();
  await page.mouse.up();
  await tally(page).waitFor({ state: 'detached' });
  await Promise.all([movedFrom(page, a), movedFrom(page, b)]);

  await friend.page.locator('body[data-marked]').waitFor({ state: 'attached' });

  await page.mouse.click(free.x, free.y);
  await page.locator('[data-piece].selected').first().waitFor({ state: 'detached' });
});

test('finding 7: a press just beside a piece takes it and begins no frame', async (t) => {
  const { host, friend } = await party(t, { friend: phone });
  const { page } = host;
  await still(page);
  const pawn = await named(page, 'White pawn');
  const box = await boxOf(page, pawn.id);
  const beside = { x: (box.left + box.right) / 2, y: box.top - 3 };
  const to = await away(page, beside, { x: 0, y: -600 });
  await page.mouse.move(beside.x, beside.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  assert.equal(await page.locator('.band:not([hidden])').count(), 0);
  await page.mouse.up();
  await movedFrom(page, pawn);
  assert.equal(await page.locator('[data-piece].selected').count(), 0);

  // A finger may miss by its own width; the table does not scroll then.
  const { page: small } = friend;
  await still(small);
  const theirs = await named(small, 'Black pawn');
  const at = await boxOf(small, theirs.id);
  const miss = { x: (at.left + at.right) / 2, y: at.bottom + 15 };
  const before = await small.locator('[data-window]').evaluate((e) => e.scrollTop);
  await swipe(small, [{ from: miss, to: await away(small, miss, { x: 0, y: 700 }) }]);
  await movedFrom(small, theirs);
  assert.equal(await small.locator('[data-window]').evaluate((e) => e.scrollTop), before);
});

test('finding 9: two fingers on a dialog do not zoom the page', async (t) => {
  const { friend } = await party(t, { friend: phone });
  const { page } = friend;
  await page.getByRole('button', { name: 'Got it' }).tap();
  await page.getByRole('button', { name: 'Help' }).tap();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  const zoomed = () => page.evaluate(() => window.visualViewport?.scale);
  const at = (/** @type {number} */ y) => ({ x: 195, y });
  await swipe(page, [
    { from: at(400), to: at(200) },
    { from: at(440), to: at(640) },
  ]);
  assert.equal(await zoomed(), 1, 'with the dialog open');
  await dialog.getByRole('button', { name: 'Close' }).tap();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await zoomed(), 1, 'after it');
});

test('finding 13: Show everything shows the table and all pieces at once', async (t) => {
  const { host, friend } = await party(t, { game: 'cards', friend: phone });
  const die = await named(host.page, 'Six-sided die');
  const { left, right } = await boxOf(host.page, die.id);
  assert.ok(right - left >= 40, `a die is ${right - left} px wide`);
  for (const { page } of [host, friend]) {
    const hint = page.getByRole('button', { name: 'Got it' });
    await hint.click();
    await page.getByRole('button', { name: 'Show everything' }).click();
    await still(page);
    const { width, height } = page.viewportSize() ?? assert.fail();
    const tools = await page.getByRole('toolbar', { name: 'View' }).boundingBox();
    const top = await page.locator('.bar').evaluate((e) => e.getBoundingClientRect().bottom);
    const low = width < 700 ? (tools?.y ?? 0) : height;
    for (const { id, label } of await pieces(page)) {
      const box = await boxOf(page, id);
      const inside = box.left >= 0 && box.right <= width && box.top >= top && box.bottom <= low;
      assert.ok(inside, `${label} is in sight: ${JSON.stringify({ box, width, top, low })}`);
    }
    const table = await page.locator('.surface').boundingBox();
    assert.ok(table && table.x >= 0 && table.x + table.width <= width, 'the table is in sight');
  }
});

/**
 * Notes which sounds a page plays, by their lengths in milliseconds.
 *
 * @param {import('./party.js').Person} person
 */
async function listenIn({ page }) {
  await page.addInitScript(() => {
    /** @type {number[]} */
    const played = [];
    Object.assign(window, { played });
    const { start } = AudioBufferSourceNode.prototype;
    AudioBufferSourceNode.prototype.start = function (...args) {
      played.push(Math.round((this.buffer?.duration ?? 0) * 1000));
      start.apply(this, args);
    };
  });
}

/** The sounds that a page has played. @param {Page} page @returns {Promise<string[]>} */
async function heard(page) {
  const played = await page.evaluate(() => /** @type {any} */ (window).played);
  return played.map(
    (/** @type {number} */ ms) => Object.entries(LENGTHS).find(([, n]) => n === ms)?.[0],
  );
}

/** Waits until the part for sounds is loaded. @param {Page} page */
const soundsLoaded = (page) =>
  page.waitForFunction(() =>
    performance.getEntriesByType('resource').some((e) => /\/sounds[-/]/.test(e.name)));

test('nothing sounds before a press, then all that is done, unless it is off', async (t) => {
  const { host, friend } = await party(t, { game: 'tokens', onArrival: listenIn });
  assert.equal(await host.page.evaluate(() =>
    performance.getEntriesByType('resource').some((e) => /\/sounds[-/]/.test(e.name))), false);
  for (const { page } of [host, friend]) {
    await page.getByRole('button', { name: 'Got it' }).click();
    await soundsLoaded(page);
  }
  const die = await named(host.page, 'Eight-sided die');
  const has = async (/** @type {Page} */ page, /** @type {string} */ sound) =>
    (await heard(page)).includes(sound);
  await eventually(host.page, async () => {
    await focus(host.page, die.id);
    await host.page.keyboard.press('o'); // in vain while the die rests
    return (await has(host.page, 'die')) && has(friend.page, 'die');
  });
  assert.ok(await has(host.page, 'die'), 'one’s own roll');
  assert.ok(await has(friend.page, 'die'), 'that of another');

  await friend.page.getByRole('button', { name: 'Turn the sound off' }).click();
  const before = (await heard(friend.page)).length;
  const counter = await named(host.page, 'Red star').catch(() => named(host.page, 'Coin'));
  await drag(host.page, counter.id, { x: 300, y: 0 });
  await eventually(host.page, () => has(host.page, 'wood'));
  await agree(host.page, friend.page);
  assert.equal((await heard(friend.page)).length, before, 'nothing while it is off');
  await friend.page.reload();
  await friend.page.getByRole('button', { name: 'Turn the sound on' }).waitFor();
});
