// The ruler (component.md, C18: Measure): the distance from a place or a piece to another, as the
// table answers it.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { swipe, tapTool } from './fingers.js';
import { bringBack, cutOff } from './outage.js';
import { desktop, party, phone } from './party.js';
import {
  away, drag, focus, frame, middle, named, pieces, same, scale, seen, still, until,
} from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./pieces.js').Point} Point */
/** @typedef {import('./pieces.js').Piece} Piece */

/** Takes the ruler, by key. @param {Page} page */
async function takeRuler(page) {
  await page.keyboard.press('Shift+Q');
  await page.getByRole('group', { name: 'Ruler' }).waitFor();
}

/**
 * Waits until the measurement has a result, and returns the text beside the line.
 *
 * @param {Page} page
 * @param {string} phase
 */
async function reads(page, phase = 'answered') {
  await page.locator(`.ruler[data-ruler="${phase}"]`).waitFor({ state: 'attached' });
  return page.locator('.ruler-number').textContent();
}

/**
 * Stops the clock of an offline page. From then on it runs as the test says, however long the
 * machine takes. It first advances by a minute, because a clock can only be stopped in its future.
 *
 * @param {Page} page
 */
async function stopClock(page) {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
}

/** Waits until the bar says something. @param {Page} page @param {RegExp} text */
const barSays = (page, text) =>
  page.getByRole('group', { name: 'Ruler' }).getByText(text).waitFor();

/**
 * The distance of two pieces in centimetres, as people write it.
 *
 * @param {Point} a
 * @param {Point} b
 */
const apart = (a, b) => `${Math.round(Math.hypot(a.x - b.x, a.y - b.y) / 10) / 10} cm`;

/**
 * Presses the mouse, drags, and releases it unless `down` is set.
 *
 * @param {Page} page
 * @param {Point} from
 * @param {Point} to
 * @param {boolean} [down]
 */
async function measure(page, from, to, down = false) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 3 });
  if (!down) await page.mouse.up();
}

/** A rook and a pawn of a table, and where they are on the screen. @param {Page} page */
async function two(page) {
  await still(page);
  const [rook, pawn] = [await named(page, 'White rook'), await named(page, 'Black pawn')];
  return { rook, pawn, from: await middle(page, rook.id), to: await middle(page, pawn.id) };
}

test('C18 a drag measures between the centres of pieces, as the server answers', async (t) => {
  const { host, friend } = await party(t);
  const { page } = host;
  const { rook, pawn, from, to } = await two(page);
  const posts = page.waitForRequest((r) => /\/components\?/.test(r.url()));
  await takeRuler(page);
  await measure(page, { x: from.x + 6, y: from.y - 5 }, { x: to.x - 4, y: to.y + 6 });
  await posts;
  assert.equal(await reads(page), apart(rook, pawn));
  await barSays(
    page, new RegExp(`^From the white rook to the black pawn: ${apart(rook, pawn)}\\.$`),
  );
  await page
    .locator('[data-live="polite"]', { hasText: 'From the white rook to the black pawn: ' })
    .waitFor({ state: 'attached' });
  const line = await page
    .locator('.ruler line')
    .last()
    .evaluate((e) =>
      ['x1', 'y1', 'x2', 'y2'].map((name) => Math.round(Number(e.getAttribute(name)) * 10)),
    );
  assert.deepEqual(line, [rook.x, rook.y, pawn.x, pawn.y]);
  for (const p of [rook, pawn]) await until(page, p.id, { x: p.x, y: p.y, holder: 0 });
  assert.equal(await friend.page.locator('.ruler').count(), 0, 'nobody else receives it');
  assert.deepEqual(await barriers(page), []);
});

test('C18 a measurement is estimated at once and asked when the pointer rests', async (t) => {
  const { host } = await party(t);
  const { page } = host;
  const { rook, from } = await two(page);
  await takeRuler(page);
  const board = await middle(page, (await named(page, 'Chessboard')).id);
  await page.route('**/components?*', (route) => route.abort());
  host.watch.expect(/ERR_FAILED/);
  await measure(page, from, board, true);
  const reckoned = await page.locator('.ruler-number').textContent();
  assert.match(reckoned ?? '', /^≈ \d+(\.\d)? cm$/);
  await page.locator('.ruler line[stroke-dasharray]').waitFor({ state: 'attached' });
  await page.unroute('**/components?*');
  assert.equal(`≈ ${await reads(page)}`, reckoned, 'while the button is down');
  assert.equal(await page.locator('.ruler line[stroke-dasharray]').count(), 0);
  await barSays(page, /^From the white rook to the place (in the middle|\d+ cm .*): /);
  await page.mouse.up();
  await until(page, rook.id, { x: rook.x, y: rook.y, holder: 0 });
});

test('C18 the measurement follows its piece and reports when it is gone', async (t) => {
  const { host, friend } = await party(t);
  const { page } = host;
  const { rook, pawn, from, to } = await two(page);
  await takeRuler(page);
  await measure(page, from, to);
  assert.equal(await reads(page), apart(rook, pawn));
  const theirs = await same(friend.page, pawn);
  const put = await drag(friend.page, theirs.id, { x: 300, y: 700 });
  await until(page, pawn.id, { x: put.x, y: put.y, holder: 0 });
  await page
    .locator('.ruler[data-ruler="answered"] .ruler-number', { hasText: apart(rook, put) })
    .waitFor();

  await focus(friend.page, theirs.id);
  await friend.page.keyboard.press('Delete');
  await barSays(page, /The black pawn is not to be seen on the table any more\./);
  assert.equal(await reads(page, 'gone'), '?');
  await page
    .locator('[data-live="polite"]', { hasText: 'The black pawn is not to be seen' })
    .waitFor({ state: 'attached' });
});

test('C14, C18 on a table with a grid, distances are in its cells', async (t) => {
  const { host, friend } = await party(t);
  const { rook, pawn, from, to } = await two(friend.page);
  await takeRuler(friend.page);
  await measure(friend.page, from, to);
  await reads(friend.page);
  await host.page.keyboard.press(',');
  await host.page
    .getByRole('dialog')
    .getByRole('radio', { name: 'Hexagons' })
    .check({ force: true });
  const cells = `${Math.round(Math.hypot(rook.x - pawn.x, rook.y - pawn.y) / 50) / 10} cells`;
  await friend.page.locator('.ruler-number', { hasText: new RegExp(`^${cells}$`) }).waitFor();
  await barSays(friend.page, new RegExp(`: ${cells} \\(${apart(rook, pawn)}\\)\\.$`));
});

test('C18 the ruler works by keys alone and is announced', async (t) => {
  const { host } = await party(t);
  const { page } = host;
  const { pawn } = await two(page);
  await focus(page, pawn.id);
  await takeRuler(page);
  const told = (/** @type {RegExp} */ text) =>
    page.locator('[data-live="polite"]', { hasText: text }).waitFor({ state: 'attached' });
  await told(/From the black pawn\. Now choose where to\./);
  await page.keyboard.press('ArrowDown');
  const meant = Number(
    await page.evaluate(() => document.activeElement?.getAttribute('data-piece')),
  );
  const other = (await pieces(page)).find(({ id }) => id === meant);
  assert.ok(other && meant !== pawn.id);
  assert.equal(await reads(page, 'reckoned'), `≈ ${apart(pawn, other)}`);
  await page.keyboard.press('Enter');
  assert.equal(await reads(page), apart(pawn, other));
  await told(new RegExp(`From the black pawn to the .*: ${apart(pawn, other)}\\.`));
  assert.equal((await named(page, 'Black pawn')).holder, 0, 'nothing is picked up');
  await page.keyboard.press(' ');
  assert.equal(
    await page.locator('.ruler').getAttribute('data-ruler'), 'begun', 'the next one begins',
  );
  await page.keyboard.press('Escape');
  await told(/The ruler is put away\./);
  assert.equal(await page.locator('.ruler, .rulerbar').count(), 0);
  assert.equal(
    await page.evaluate(() => Number(document.activeElement?.getAttribute('data-piece'))), meant,
    'the focus stays',
  );
  await page.keyboard.press('Enter');
  await page.locator(`[data-piece="${meant}"][data-holder="1"]`).waitFor();
});

test('C17, C18 offline the ruler waits, reports a missing answer and retries', async (t) => {
  const { host } = await party(t, { links: true, clocks: true, host: desktop });
  const { page } = host;
  const { rook, pawn, from, to } = await two(page);
  await takeRuler(page);
  await measure(page, from, to);
  await reads(page);
  await cutOff(host);
  await stopClock(page);
  await measure(page, to, from);
  await barSays(
    page, /There is no connection\. The table is asked if it comes back within 10 seconds\./,
  );
  assert.equal(await reads(page, 'waiting'), `≈ ${apart(rook, pawn)}`);
  assert.equal(await page.getByRole('button', { name: 'Ask again' }).count(), 0);
  await page.clock.runFor(10_000);
  await barSays(page, /No answer within 10 seconds: this is how far it is as this page sees it\./);
  assert.equal(await reads(page, 'expired'), `≈ ${apart(rook, pawn)}`);
  await page.locator('.ruler-note', { hasText: 'no answer' }).waitFor();
  await page
    .locator('[data-live="polite"]', { hasText: 'No answer within 10 seconds' })
    .waitFor({ state: 'attached' });
  await page.clock.resume();
  assert.deepEqual(await barriers(page), []);

  await bringBack(host);
  assert.equal(await reads(page, 'expired'), `≈ ${apart(rook, pawn)}`, 'what has expired stays so');
  await page.getByRole('button', { name: 'Ask again' }).click();
  assert.equal(await reads(page), apart(rook, pawn));
  assert.equal(
    await page.evaluate(() => document.activeElement?.textContent?.includes('Done')), true,
    'the focus is not lost',
  );
  await page.getByRole('button', { name: 'Done' }).click();
  await page.locator('.rulerbar').waitFor({ state: 'detached' });
});

test('C17, C18 a question waits for the connection and is answered in time', async (t) => {
  const { host } = await party(t, { links: true, clocks: true });
  const { page } = host;
  const { rook, pawn, from, to } = await two(page);
  await takeRuler(page);
  await measure(page, from, to);
  await reads(page);
  await cutOff(host);
  await stopClock(page);
  await measure(page, to, from);
  await page.clock.runFor(9900);
  assert.equal(await reads(page, 'waiting'), `≈ ${apart(rook, pawn)}`);
  await measure(page, from, to); // in its place, with 10 s of its own
  assert.equal(await reads(page, 'waiting'), `≈ ${apart(rook, pawn)}`);
  await page.clock.runFor(200);
  assert.equal(await reads(page, 'waiting'), `≈ ${apart(rook, pawn)}`);
  await page.clock.resume(); // nearly all of its time is left until the connection is back
  await bringBack(host);
  assert.equal(await reads(page), apart(rook, pawn));
});

test('C18 fingers drag, or tap one piece after the other; two fingers zoom', async (t) => {
  const { friend } = await party(t, { friend: phone });
  const { page } = friend;
  await page.getByRole('button', { name: 'Got it' }).tap();
  const { rook, pawn, from, to } = await two(page);
  await tapTool(page, 'Measure');
  await barSays(page, /Drag with one finger/);
  await swipe(page, [{ from, to }]);
  assert.equal(await reads(page), apart(rook, pawn));
  const label = await page.locator('.ruler-label').boundingBox();
  assert.ok(
    label && label.x >= 0 && label.x + label.width <= 390, 'the label is within the window',
  );
  assert.ok(label.y + label.height < to.y - 20, 'and not under the finger');
  assert.deepEqual(await barriers(page), []);

  const before = await scale(page);
  const at = (/** @type {number} */ x) => ({ x, y: 420 });
  await swipe(page, [
    { from: at(175), to: at(120) },
    { from: at(215), to: at(270) },
  ]);
  await page.waitForFunction(
    (k) => Number(document.querySelector('main#table')?.getAttribute('data-scale')) / 10 > k * 1.2,
    before,
  );
  assert.equal(await reads(page), apart(rook, pawn), 'the measurement stays');

  await page.getByRole('button', { name: 'Done' }).tap();
  await page.getByRole('button', { name: 'Show everything' }).tap();
  await still(page);
  await tapTool(page, 'Measure');
  for (const p of [pawn, rook]) {
    const { x, y } = await middle(page, p.id);
    await page.touchscreen.tap(x, y);
  }
  assert.equal(await reads(page), apart(rook, pawn));
  await barSays(page, /^From the black pawn to the white rook: /);
  assert.equal(await page.locator('[data-piece].selected').count(), 0);
});

test('the bars have room for all tools on a narrow phone', async (t) => {
  const { friend } = await party(t, {
    friend: { ...phone, viewport: { width: 320, height: 640 } },
  });
  const { page } = friend;
  await page.getByRole('button', { name: 'Got it' }).tap();
  const [left, right] = await Promise.all(
    ['Together', 'View'].map((name) =>
      page.getByRole('toolbar', { name, exact: true }).boundingBox(),
    ),
  );
  assert.ok(
    left && right && left.x >= 0 && left.x + left.width <= right.x && right.x + right.width <= 320,
    `${JSON.stringify([left, right])}`,
  );
});

test('the ruler leaves the wheel, Space, other tools and pieces alone', async (t) => {
  const { host } = await party(t);
  const { page } = host;
  const { rook, from, to } = await two(page);
  await takeRuler(page);
  await measure(page, from, to);
  const length = await reads(page);
  const before = await scale(page);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -300);
  await page.keyboard.up('Control');
  await page.waitForFunction(
    (k) => Number(document.querySelector('main#table')?.getAttribute('data-scale')) / 10 > k * 1.1,
    before,
  );
  await frame(page);
  const scrolled = () => page.locator('[data-window]').evaluate((e) => e.scrollLeft);
  const left = await scrolled();
  await page.locator('[data-window]').focus();
  await page.keyboard.down(' ');
  await page.mouse.move(700, 300);
  await page.mouse.down();
  await page.mouse.move(600, 300, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up(' ');
  assert.ok((await scrolled()) > left + 50, 'Space and drag moves the table');
  assert.equal(await reads(page), length, 'the measurement stays');

  await page.keyboard.press('Shift+D');
  await page.locator('.penbar').waitFor();
  await page.locator('.rulerbar').waitFor({ state: 'detached' });
  await takeRuler(page);
  assert.equal(await page.locator('.penbar').count(), 0, 'one tool at a time');
  await page.getByRole('button', { name: 'Point at a place' }).click();
  await page.locator('.rulerbar').waitFor({ state: 'detached' });
  await takeRuler(page);
  assert.equal(await page.locator('main.aiming').count(), 0);
  await page.getByRole('button', { name: 'Measure' }).click();
  await page.locator('.rulerbar').waitFor({ state: 'detached' });
  await page.keyboard.press('0');
  const moved = await drag(page, rook.id, { x: 0, y: -400 });
  assert.notEqual(moved.y, rook.y);
});

test('C14, C18 a spectator has no ruler', async (t) => {
  const { join, invites } = await party(t);
  const watcher = await join('Cleo', invites.spectator);
  const { page } = watcher;
  assert.equal(await page.getByRole('button', { name: 'Measure' }).count(), 0);
  await page.keyboard.press('Shift+Q');
  await seen(page, /You are watching/);
  assert.equal(await page.locator('.rulerbar').count(), 0);
});

test('the line is correct at any turn of the table', async (t) => {
  const { host } = await party(t);
  const { page } = host;
  await page.keyboard.press('g');
  const { from } = await two(page);
  await takeRuler(page);
  const free = await away(page, from, { x: -1500, y: 0 });
  await measure(page, from, free);
  await reads(page);
  const ends = await page.locator('.ruler circle').evaluateAll((all) =>
    all.map((e) => {
      const r = e.getBoundingClientRect();
      return { x: r.left + r.width / 2, y: r.top + r.height / 2 };
    }),
  );
  for (const [i, want] of [from, free].entries())
    assert.ok(
      Math.hypot(ends[i].x - want.x, ends[i].y - want.y) < 3,
      `end ${i} is at ${ends[i].x}, ${ends[i].y}`,
    );
  const upright = await page.locator('.ruler-label').boundingBox();
  assert.ok(upright && upright.width > upright.height, 'the label is upright');
});
