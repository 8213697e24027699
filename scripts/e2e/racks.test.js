// Racks: everybody sees the backs of what lies there, and only the owner the fronts; by pointer, by
// finger and by keys.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { party, phone } from './party.js';
import {
  dragTo, eventually, focus, labelled, middle, named, piece, pieces, seen, still, until,
} from './pieces.js';
import { swipe } from './fingers.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** The names of the fronts of the sample. */
const FRONT = /^(Sun|Moon|Star|Leaf|Drop|Stone)/;

/** Writes down the fronts that a page ever shows. @param {Page} page */
async function noteFronts(page) {
  /** @type {string[]} */
  const fronts = [];
  await page.exposeFunction('noteFront', (/** @type {string} */ name) => fronts.push(name));
  await page.evaluate(() => {
    new MutationObserver(() => {
      for (const e of document.querySelectorAll('[data-piece]')) {
        const label = e.getAttribute('aria-label') ?? '';
        if (/^(Sun|Moon|Leaf|Drop|Stone)/.test(label)) /** @type {any} */ (window).noteFront(label);
      }
    }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['aria-label'] });
  });
  return fronts;
}

/** The tiles on somebody's rack. @param {Page} page @param {RegExp} text */
const onRack = async (page, text) => (await pieces(page)).filter(({ label }) => text.test(label));

/** The middles of the cells of the rack of Ada, along the table. */
const CELLS = [-1590, -1060, -530, 0, 530, 1060, 1590];

/**
 * Waits until the tiles on the rack of Ada lie in these cells, counted from 0.
 * @param {Page} page @param {number[]} want
 */
async function lineUp(page, want) {
  const places = async () => {
    const all = await onRack(page, /on (your|Ada’s) rack/);
    return all.map(({ x, y }) => (y === 1550 ? CELLS.indexOf(x) : -1)).sort((a, b) => a - b);
  };
  await eventually(page, async () => String(await places()) === String(want));
  assert.deepEqual(await places(), want);
}

test('T96.11, T96.12 tiles line up, drawn, by mouse and by keys', async (t) => {
  const { host, friend } = await party(t, { game: 'racks' });
  const { page } = host;
  const both = [page, friend.page];
  await focus(page, (await named(page, 'Bag')).id);
  for (let n = 1; n <= 3; n++) {
    await page.keyboard.press('d');
    for (const one of both) await lineUp(one, [0, 1, 2].slice(0, n));
  }
  // By mouse, a little beside the sixth cell.
  const star = await named(page, 'Star');
  const rack = await middle(page, (await named(page, 'Your rack')).id);
  const scale = await page.evaluate(() => {
    const bag = document.querySelector('[data-piece][aria-label^="Bag"]');
    return (bag?.getBoundingClientRect().width ?? 0) / 900;
  });
  await dragTo(page, star.id, { x: rack.x + (1060 + 140) * scale, y: rack.y - 90 * scale });
  for (const one of both) await lineUp(one, [0, 1, 2, 5]);
  await labelled(page, star.id, /^Star.*on your rack.*6/);
  await labelled(friend.page, star.id, /^Tile.*on Ada’s rack.*6/);
  // By keys, from cell to cell.
  await focus(page, star.id);
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Space');
  for (const one of both) await lineUp(one, [0, 1, 2, 4]);
  await focus(page, (await named(page, 'Bag')).id);
  await page.keyboard.press('d');
  for (const one of both) await lineUp(one, [0, 1, 2, 3, 4]);
  for (const one of both) await still(one);
  await shoot(page, 'racks-cells');
  await shoot(friend.page, 'racks-cells-others');
  assert.deepEqual(await barriers(page), []);
});

test('T96.1, T96.2, T96.10 only the owner of a rack sees the fronts there', async (t) => {
  const { host, friend } = await party(t, { game: 'racks' });
  const { page } = host;
  const fronts = await noteFronts(friend.page);
  await focus(page, (await named(page, 'Bag')).id);
  for (let n = 1; n <= 3; n++) {
    await page.keyboard.press('d');
    await page.waitForFunction((n) =>
      document.querySelectorAll('[aria-label*="only you see its front"]').length === n,
    n);
  }
  const mine = await onRack(page, /on your rack, only you see its front/);
  assert.ok(mine.every(({ label }) => FRONT.test(label)), mine[0].label);
  await friend.page.waitForFunction(() =>
    document.querySelectorAll('[data-piece][aria-label*="on Ada’s rack"]').length === 3);
  const theirs = await onRack(friend.page, /on Ada’s rack/);
  assert.ok(theirs.every(({ label }) => /^Tile/.test(label)), theirs[0].label);
  await still(page);
  await still(friend.page);
  await shoot(page, 'racks-own');
  await shoot(friend.page, 'racks-others');
  await page.locator('.hand-name', { hasText: 'only you see the fronts' }).waitFor();
  assert.equal(
    await friend.page.locator('.hand-name', { hasText: 'only you see the fronts' }).count(), 1,
    'the page of the friend says so of the own rack only',
  );
  // The friend cannot take what lies there.
  const [first] = theirs;
  const bag = await middle(friend.page, (await named(friend.page, 'Bag')).id);
  await dragTo(friend.page, first.id, bag);
  await seen(friend.page, /That lies on Ada’s rack/);
  assert.deepEqual(
    [(await piece(friend.page, first.id)).x, (await piece(page, first.id)).x], [first.x, first.x],
  );
  assert.deepEqual(fronts, []);
});

test('T96.3, T96.5 a tile goes to the rack and comes back', async (t) => {
  const { host, friend } = await party(t, { game: 'racks' });
  const { page } = host;
  const star = await named(page, 'Star');
  await labelled(friend.page, star.id, /^Star/);
  const rack = await middle(page, (await named(page, 'Your rack')).id);
  const from = await middle(page, star.id);
  await dragTo(page, star.id, rack);
  await labelled(page, star.id, /^Star.*on your rack/);
  await labelled(friend.page, star.id, /^Tile.*on Ada’s rack/);
  await dragTo(page, star.id, from);
  await labelled(friend.page, star.id, /^Star/);
});

test('T96.10 with keys only', async (t) => {
  const { host, friend } = await party(t, { game: 'racks' });
  const { page } = host;
  const fronts = await noteFronts(friend.page);
  const moon = await named(page, 'Tile');
  await focus(page, moon.id);
  await page.keyboard.press('Space');
  for (let n = 0; n < 30; n++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await labelled(page, moon.id, /^Moon.*on your rack, only you see its front/);
  await labelled(friend.page, moon.id, /^Tile.*on Ada’s rack/);
  assert.deepEqual(fronts, []);
});

test('T96.1, T96.10 with a finger on a phone', async (t) => {
  const { host, friend } = await party(t, { game: 'racks', host: phone });
  const { page } = host;
  const moon = await named(page, 'Tile');
  await still(page);
  const rack = await named(page, 'Your rack');
  const [from, to] = [await middle(page, moon.id), await middle(page, rack.id)];
  await swipe(page, [{ from, to }]);
  await labelled(page, moon.id, /^Moon.*on your rack/);
  await labelled(friend.page, moon.id, /^Tile.*on Ada’s rack/);
  await until(page, moon.id, { holder: 0 });
  await lineUp(friend.page, [3]);
  await still(page);
  await shoot(page, 'racks-phone');
  const box = async (/** @type {string} */ what) =>
    (await page.locator(what).boundingBox()) ?? assert.fail(`no ${what}`);
  const name = await box(`[data-piece="${rack.id}"] > .hand-name`);
  const lies = await box(`[data-piece="${rack.id}"]`);
  assert.ok(name.y >= lies.y + lies.height - 1, 'its name stands below it and covers no tile');
  for (let i = 0; i < 2; i++) await page.keyboard.press('g');
  await page.waitForFunction(([n, r]) => {
    const [name, rack] = [n, r].map((e) => document.querySelector(e)?.getBoundingClientRect());
    return name && rack && name.bottom <= rack.top + 1;
  }, [`[data-piece="${rack.id}"] > .hand-name`, `[data-piece="${rack.id}"]`]);
});

test('T96.14 in a small window a strip shows the tiles of the own rack large', async (t) => {
  const { host, friend } = await party(t, { game: 'racks', host: phone });
  const { page } = host;
  for (let n = 1; n <= 3; n++) {
    await focus(page, (await named(page, 'Bag')).id);
    await page.keyboard.press('d');
    await lineUp(friend.page, [0, 1, 2].slice(0, n));
  }
  await page.keyboard.press('Escape');
  const tiles = page.locator('.lap .lap-card');
  await page.waitForFunction(() => document.querySelectorAll('.lap-card').length === 3);
  await still(page);
  const order = () => tiles.evaluateAll((all) =>
    all.map((e) => ({ id: Number(e.getAttribute('data-card')), x: e.getBoundingClientRect().x }))
      .sort((a, b) => a.x - b.x).map(({ id }) => id));
  const inStrip = async (/** @type {number} */ id) => {
    const box = await page.locator(`.lap-card[data-card="${id}"]`).boundingBox();
    assert.ok(box);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width };
  };
  const [first, second, third] = await order();
  assert.ok((await inStrip(first)).width >= 44, 'a finger meets a tile');
  await shoot(page, 'racks-strip');
  assert.deepEqual(await barriers(page), []);

  // A tap selects, and a second one does not play: on a rack nothing is played by chance.
  const at = await inStrip(second);
  await page.touchscreen.tap(at.x, at.y);
  await page.locator(`.lap-card.selected[data-card="${second}"]`).waitFor();
  await page.touchscreen.tap(at.x, at.y);
  await page.locator(`.lap-card[data-card="${second}"]:not(.selected)`).waitFor();

  // Along the strip it changes its place, and the cells stay.
  await swipe(page, [{ from: await inStrip(first), to: await inStrip(third) }]);
  const isMoved = async () => String(await order()) === String([second, third, first]);
  assert.ok(await eventually(page, isMoved), String(await order()));
  await lineUp(friend.page, [0, 1, 2]);

  // Out of the strip it is played, and over it another one comes to the rack.
  const [star] = await onRack(page, /^Star(?!.*rack)/);
  const { x, y } = await middle(page, star.id);
  await swipe(page, [{ from: await inStrip(second), to: { x: x + 70, y: y + 30 } }]);
  await until(page, second, { holder: 0 });
  await lineUp(friend.page, [1, 2]);
  await swipe(page, [{ from: { x, y }, to: await inStrip(first) }]);
  await labelled(page, star.id, /^Star.*on your rack/);
  await lineUp(friend.page, [1, 2, 3]);
});
