// Drawing on the table (component.md, C16): several people at once, online and offline, with mouse
// and fingers, however the table is turned.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { holdTimers, swipe, tapTool } from './fingers.js';
import { bringBack, cutOff } from './outage.js';
import { desktop, party, phone } from './party.js';
import { alarms, away, eventually, frame, middle, named, piece, scale, seen } from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./pieces.js').Point} Point */

/** Starts to draw, by key. @param {Page} page */
async function takePen(page) {
  await page.keyboard.press('Shift+D');
  await page.getByRole('group', { name: 'Drawing' }).first().waitFor();
}

/**
 * Draws with the mouse through points of the screen, and keeps the button down if `down` is set.
 *
 * @param {Page} page
 * @param {Point[]} points
 * @param {boolean} [down]
 */
async function draw(page, points, down = false) {
  await page.mouse.move(points[0].x, points[0].y);
  await page.mouse.down();
  for (const { x, y } of points.slice(1)) await page.mouse.move(x, y, { steps: 5 });
  await frame(page);
  if (!down) await page.mouse.up();
}

/** A wave to the right of a point. @param {Point} from @returns {Point[]} */
const wave = ({ x, y }) =>
  Array.from({ length: 12 }, (_, i) => ({ x: x + 12 * i, y: y + 25 * Math.sin(i) }));

/**
 * The finished strokes as a page shows them, from the lowest to the highest.
 *
 * @param {Page} page
 */
function strokes(page) {
  return page
    .locator('.ink [data-stroke]')
    .evaluateAll((all) =>
      all
        .map((e) => ({
          entity: Number(e.getAttribute('data-stroke')),
          line: ['d', 'stroke', 'stroke-width'].map((name) => e.getAttribute(name)).join(' '),
        }))
        .sort((a, b) => a.entity - b.entity),
    );
}

/**
 * Waits until a page shows so many strokes, and none of them grows.
 *
 * @param {Page} page
 * @param {number} n
 */
async function rest(page, n) {
  await page.waitForFunction(
    (wanted) =>
      document.querySelectorAll('.ink:first-of-type [data-stroke]').length === wanted &&
      document.querySelectorAll('.ink [data-stroke]').length === wanted,
    n,
  );
  return strokes(page);
}

/**
 * Waits until two pages show the same strokes, so many. A stroke that rests at the other page may
 * not be complete yet.
 *
 * @param {Page} a
 * @param {Page} b
 * @param {number} n
 */
async function alike(a, b, n) {
  /** @type {Awaited<ReturnType<typeof strokes>>[]} */
  let [left, right] = [];
  await eventually(a, async () => {
    [left, right] = await Promise.all([rest(a, n), rest(b, n)]);
    return JSON.stringify(left) === JSON.stringify(right);
  });
  assert.deepEqual(left, right, 'both pages show the same strokes');
}

test('C16 C17 two players draw, one of them offline: both see the same in the end', async (t) => {
  const { host, friend } = await party(t, { links: true });
  for (const { page } of [host, friend]) await takePen(page);
  await draw(host.page, wave({ x: 500, y: 300 }));
  await rest(friend.page, 1);

  await cutOff(friend);
  await friend.page.getByText('No connection. Your drawing is kept here').waitFor();
  await draw(friend.page, wave({ x: 500, y: 380 }));
  await draw(friend.page, wave({ x: 700, y: 400 }));
  await host.page.getByRole('button', { name: 'Red' }).click();
  await draw(host.page, wave({ x: 600, y: 500 }));
  // Both erase the same one: Ben does not know of it yet.
  await host.page.getByRole('button', { name: 'Eraser' }).click();
  await draw(host.page, [{ x: 500, y: 300 }]);
  await rest(host.page, 1);
  await rest(friend.page, 3);

  await bringBack(friend);
  await alike(host.page, friend.page, 3);
  assert.equal(
    (await alarms(host.page)) +
      (await alarms(friend.page)).replace(/Connection lost[^.]*\.[^.]*\./, ''),
    '',
  );
});

test('a line shows while it is drawn and is announced', async (t) => {
  const { host, friend } = await party(t);
  await takePen(host.page);
  await draw(host.page, wave({ x: 500, y: 300 }), true);
  const lengthSeen = () =>
    friend.page
      .locator('[data-stroke]')
      .first()
      .evaluate((e) => e.getAttribute('d')?.length ?? 0);
  await friend.page.locator('[data-stroke]').first().waitFor({ state: 'attached' });
  const early = await lengthSeen();
  await host.page.mouse.move(800, 500, { steps: 12 });
  await host.page.mouse.move(600, 550, { steps: 12 });
  await friend.page.waitForFunction(
    (n) => (document.querySelector('[data-stroke]')?.getAttribute('d')?.length ?? 0) > n, early,
  );
  assert.equal(await host.page.locator('[data-draft]').count(), 1, 'Ada has not lifted the pen');
  await host.page.mouse.up();
  await alike(friend.page, host.page, 1);
  await friend.page
    .locator('[data-live]', { hasText: 'Ada is drawing on the table.' })
    .waitFor({ state: 'attached' });
});

test('a line has few points below the pieces, which stay where they are', async (t) => {
  const { host } = await party(t);
  const { page } = host;
  const pawn = await named(page, 'White pawn');
  const at = await middle(page, pawn.id);
  await takePen(page);
  // Stops the beats of the pen: it no longer simplifies what it has sent.
  const goOn = await holdTimers(page, 150);
  await draw(page, [at, { x: at.x + 150, y: at.y - 100 }, { x: at.x + 300, y: at.y - 60 }]);
  await goOn();
  const [{ line }] = await rest(page, 1);
  const points = line.match(/[MC]/g)?.length ?? 0;
  assert.ok(points >= 3 && points <= 8, `ten moves along a corner have become ${points} points`);
  const { x, y, holder } = await piece(page, pawn.id);
  assert.deepEqual([x, y, holder], [pawn.x, pawn.y, 0]);
  const order = await page
    .locator('.world > *')
    .evaluateAll((all) => all.map((e) => e.getAttribute('class')));
  assert.deepEqual(order, ['surface', 'ground', 'ink', 'ink', 'pieces']);
  assert.equal(
    await page.evaluate(
      ({ x, y }) => document.elementFromPoint(x, y)?.closest('[data-piece]') !== null, at,
    ),
    true,
  );

  await page.keyboard.press('Escape');
  await page.locator('.penbar').waitFor({ state: 'detached' });
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x, at.y - 90, { steps: 4 });
  await page.locator(`[data-piece="${pawn.id}"][data-holder="1"]`).waitFor();
  await page.mouse.up();
  assert.equal((await strokes(page)).length, 1);
});

test('C16 a player erases their own strokes, a host all; undo works', async (t) => {
  const { host, friend } = await party(t);
  for (const { page } of [host, friend]) await takePen(page);
  await draw(host.page, wave({ x: 500, y: 300 }));
  await draw(friend.page, wave({ x: 500, y: 450 }));
  for (const { page } of [host, friend]) await rest(page, 2);
  const { page } = friend;
  await page.getByRole('button', { name: 'Eraser' }).click();
  await draw(page, [{ x: 500, y: 300 }, { x: 520, y: 330 }]);
  await seen(page, /Ada drew that\. Only Ada or a host can erase it\./);
  assert.equal((await strokes(page)).length, 2);
  assert.equal(
    await page.getByRole('button', { name: 'Erase all drawings on the table' }).count(), 0,
    'players cannot clear the table',
  );
  await draw(page, [
    { x: 495, y: 440 },
    { x: 500, y: 455 },
  ]);
  await rest(host.page, 1);

  await page.getByRole('button', { name: 'Pen', exact: true }).click();
  await draw(page, wave({ x: 500, y: 500 }));
  await draw(page, wave({ x: 500, y: 560 }));
  await rest(host.page, 3);
  await page.keyboard.press('Control+z');
  await rest(host.page, 2);
  await host.page.getByRole('button', { name: 'Eraser' }).click();
  await draw(host.page, [{ x: 495, y: 490 }, { x: 500, y: 505 }]);
  for (const p of [host.page, page]) await rest(p, 1);
});

test('C16 a host clears the table after a confirmation and draws on', async (t) => {
  const { host, friend } = await party(t);
  for (const { page } of [host, friend]) await takePen(page);
  await draw(host.page, wave({ x: 500, y: 300 }));
  await draw(friend.page, wave({ x: 500, y: 450 }));
  for (const { page } of [host, friend]) await rest(page, 2);
  const { page } = host;
  await page.getByRole('button', { name: 'Erase all drawings on the table' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByText('Erase all 2 strokes for everybody?').waitFor();
  assert.deepEqual(await barriers(page), []);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'hidden' });
  assert.equal((await strokes(page)).length, 2);
  await page.getByRole('button', { name: 'Erase all drawings on the table' }).click();
  await question.getByRole('button', { name: 'Erase all' }).click();
  for (const p of [host.page, friend.page]) await rest(p, 0);
  await draw(friend.page, wave({ x: 500, y: 450 }));
  await draw(page, wave({ x: 500, y: 300 }));
  for (const p of [host.page, friend.page]) await rest(p, 2);
  assert.equal((await alarms(page)) + (await alarms(friend.page)), '');
});

test('on a turned table a line lies where it was drawn', async (t) => {
  const { host, friend } = await party(t);
  const { page } = friend;
  await takePen(page);
  for (const turn of [90, 180, 270]) {
    await page.getByRole('button', { name: 'Turn the table' }).click();
    await page.locator(`main#table[data-turn="${turn}"]`).waitFor();
    await frame(page);
    const king = await named(page, 'White king');
    const at = await middle(page, king.id);
    const n = (await strokes(page)).length;
    await draw(page, [at, await away(page, at, { x: 700, y: 0 })]);
    await alike(host.page, page, n + 1);
    for (const p of [page, host.page]) {
      const from = await middle(p, (await named(p, 'White king')).id);
      const to = await away(p, from, { x: 700, y: 0 });
      const box = await p.locator('[data-stroke]').last().evaluate((e) => {
        const { left, right, top, bottom } = e.getBoundingClientRect();
        return { left, right, top, bottom };
      });
      const wide = 40 * (await scale(p));
      for (const side of /** @type {const} */ (['x', 'y'])) {
        const [least, most] = side === 'x' ? [box.left, box.right] : [box.top, box.bottom];
        assert.ok(
          Math.abs(least - Math.min(from[side], to[side])) < wide + 4 &&
            Math.abs(most - Math.max(from[side], to[side])) < wide + 4,
          `turned by ${turn}: ${side} from ${least} to ${most}`,
        );
      }
    }
  }
});

test('one finger draws, two zoom and draw nothing', async (t) => {
  const { host, friend } = await party(t, { friend: phone });
  const { page } = friend;
  await page.getByRole('button', { name: 'Got it' }).tap();
  await tapTool(page, 'Draw on the table');
  await page.getByRole('group', { name: 'Drawing' }).first().waitFor();
  await swipe(page, [{ from: { x: 100, y: 300 }, to: { x: 280, y: 380 } }], 12);
  for (const p of [page, host.page]) await rest(p, 1);
  const before = await scale(page);
  await swipe(page, [
    { from: { x: 155, y: 400 }, to: { x: 75, y: 400 } },
    { from: { x: 235, y: 400 }, to: { x: 315, y: 400 } },
  ]);
  await page.waitForFunction(
    (k) => Number(document.querySelector('main#table')?.getAttribute('data-scale')) / 10 > k * 1.5,
    before,
  );
  assert.equal((await strokes(page)).length, 1);
  assert.deepEqual(await barriers(page), []);
  await page.getByRole('button', { name: 'Done' }).tap();
  await page.locator('.penbar').waitFor({ state: 'detached' });
  await swipe(page, [{ from: { x: 100, y: 500 }, to: { x: 280, y: 420 } }], 12);
  assert.equal((await strokes(page)).length, 1);
});

test('after a stylus has drawn, a finger moves the table', async (t) => {
  const { friend, host } = await party(t, { friend: phone });
  const { page } = friend;
  await page.getByRole('button', { name: 'Got it' }).tap();
  await tapTool(page, 'Draw on the table');
  await page.getByRole('group', { name: 'Drawing' }).first().waitFor();
  const devices = await page.context().newCDPSession(page);
  const stylus = async (/** @type {Point[]} */ points) => {
    const send = (
      /** @type {'mousePressed'|'mouseMoved'|'mouseReleased'} */ type,
      /** @type {Point} */ at,
    ) =>
      devices.send('Input.dispatchMouseEvent', {
        type, ...at, button: 'left', buttons: type === 'mouseReleased' ? 0 : 1, clickCount: 1,
        pointerType: 'pen',
      });
    await send('mousePressed', points[0]);
    for (const at of points.slice(1)) await send('mouseMoved', at);
    await send('mouseReleased', points[points.length - 1]);
  };
  await stylus(wave({ x: 100, y: 400 }));
  for (const p of [page, host.page]) await rest(p, 1);
  const before = await page.locator('.window').evaluate((e) => e.scrollTop);
  await swipe(page, [{ from: { x: 200, y: 500 }, to: { x: 200, y: 440 } }], 8);
  await page.waitForFunction(
    (top) => (document.querySelector('.window')?.scrollTop ?? 0) > top + 40, before,
  );
  assert.equal((await strokes(page)).length, 1);
});

test('spectators and late guests see drawings; spectators draw nothing', async (t) => {
  const { host, join, invites } = await party(t);
  const watcher = await join('Cleo', invites.spectator);
  await takePen(host.page);
  await draw(host.page, wave({ x: 500, y: 300 }));
  await rest(watcher.page, 1);
  await watcher.page.keyboard.press('Shift+D');
  await seen(watcher.page, /You are watching/);
  assert.equal(await watcher.page.locator('.penbar').count(), 0);
  const late = await join('Dora', invites.player);
  await alike(late.page, host.page, 1);
});

test('reduced motion shows no growing line; axe passes in dark colours', async (t) => {
  const { host, friend } = await party(t, {
    friend: { ...desktop, colorScheme: 'dark', reducedMotion: 'reduce' },
  });
  await takePen(friend.page);
  await takePen(host.page);
  await friend.page.evaluate(() => {
    const seen = /** @type {any} */ (window);
    seen.grown = 0;
    new MutationObserver((all) => {
      seen.grown += all.filter((m) => m.attributeName === 'stroke-dasharray').length;
    }).observe(document.querySelector('.world') ?? document, {
      subtree: true, attributes: true, attributeFilter: ['stroke-dasharray'],
    });
  });
  await draw(host.page, wave({ x: 500, y: 300 }));
  await rest(friend.page, 1);
  assert.equal(await friend.page.evaluate(() => /** @type {any} */ (window).grown), 0);
  assert.deepEqual(await barriers(friend.page), []);
});
