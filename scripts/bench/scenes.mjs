// What happens at a page while its main thread is measured. Each scene takes a few seconds and uses
// real input events, as fast as the page takes them, at most one in a frame.

import { carriers, movers } from './party.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('../e2e/server.js').Server} Server */
/** @typedef {{server: Server, page: Page, table: string, invite: string}} Stage */

/** How long a scene goes on, in ms, and how many beats it has at least. */
const LENGTH = 4000;
const LEAST = 45;

/** The time between two events of a hand: a frame at 60 Hz. */
const BEAT = 1000 / 60;

/**
 * Calls act for the length of a scene: a beat after the last call, or later if the page is slow.
 *
 * @param {(n: number) => Promise<void>} act
 */
async function beats(act) {
  const start = performance.now();
  let due = start;
  for (let n = 0; n < LEAST || due - start < LENGTH; n++) {
    await new Promise((done) => setTimeout(done, due - performance.now()));
    await act(n);
    due = Math.max(due + BEAT, performance.now());
  }
}

/** The middle of the window. @param {Page} page */
function middle(page) {
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 };
  return { x: width / 2, y: height / 2 };
}

/**
 * One piece circles under the mouse, and returns to its place: the next run finds it there.
 *
 * @param {Stage} stage
 */
async function dragOne({ page }) {
  const { x, y } = middle(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await beats((n) => page.mouse.move(x + 200 * Math.sin(n / 20), y + 150 * Math.sin(n / 13)));
  const dragged = await page.locator('.overlay [data-piece].lifted').count();
  await page.mouse.move(x, y);
  await page.mouse.up();
  if (dragged !== 1) throw new Error(`${dragged} pieces were dragged`);
}

/** Twenty others move a piece each. @param {Stage} stage */
async function twentyMovers({ server, page, table, invite }) {
  const before = await positions(page);
  const stop = await movers(server, table, invite, { bots: 20, hz: 15 });
  await new Promise((done) => setTimeout(done, LENGTH));
  const posts = await stop();
  const after = await positions(page);
  const moved = after.filter((p, i) => p !== before[i]).length;
  if (posts < 20 * 20 || moved < 20)
    throw new Error(`only ${moved} pieces have moved, by ${posts} moves`);
}

/** Twenty others drag a piece each, and publish its motion. @param {Stage} stage */
async function twentyDrags({ server, page, table, invite }) {
  const stop = await carriers(server, table, invite, 20);
  await page.waitForFunction(
    () => document.querySelectorAll('.overlay [data-piece].lifted').length === 20,
  );
  const before = await places(page);
  await new Promise((done) => setTimeout(done, LENGTH));
  const after = await places(page);
  const points = await stop();
  const moved = after.filter((p, i) => p !== before[i]).length;
  if (points < 20 * 60 || moved < 15)
    throw new Error(`only ${moved} pieces were seen to move, by ${points} points`);
}

/** The places at which dragged pieces are shown. @param {Page} page */
function places(page) {
  return page
    .locator('.overlay [data-piece].lifted')
    .evaluateAll((all) => all.map((e) => /** @type {HTMLElement} */ (e).style.transform));
}

/** @param {Page} page */
function positions(page) {
  return page.locator('[data-piece]').evaluateAll((all) =>
    all
      .map((e) => [
        Number(e.getAttribute('data-piece')),
        `${e.getAttribute('data-x')} ${e.getAttribute('data-y')}`,
      ])
      .sort((a, b) => Number(a[0]) - Number(b[0]))
      .map((p) => String(p[1])),
  );
}

/** The wheel scrolls up and down, left and right. @param {Stage} stage */
async function pan({ page }) {
  const { x, y } = middle(page);
  await page.mouse.move(x, y);
  const before = await scrolled(page);
  let far = 0;
  await beats(async (n) => {
    await page.mouse.wheel(n % 60 < 30 ? 8 : -8, n % 40 < 20 ? 10 : -10);
    if (n % 10 === 9) far = Math.max(far, Math.abs((await scrolled(page)) - before));
  });
  if (far < 50) throw new Error(`the wheel has scrolled by ${far} px`);
}

/** @param {Page} page */
function scrolled(page) {
  return page.locator('[data-window]').evaluate((e) => e.scrollLeft + e.scrollTop);
}

/**
 * The wheel with Ctrl zooms in and out around a wandering point. After each zoom it rests, so that
 * everything is drawn sharply.
 *
 * @param {Stage} stage
 */
async function panAndZoom({ page }) {
  const { x, y } = middle(page);
  const scale = async () => Number(await page.locator('main#table').getAttribute('data-scale'));
  const first = await scale();
  /** @type {number[]} */
  const scales = [];
  await page.keyboard.down('Control');
  await beats(async (n) => {
    if (n % 21 === 20) {
      await new Promise((done) => setTimeout(done, 250)); // a rest: the zoom settles
      scales.push(await scale());
      return;
    }
    await page.mouse.move(x + 150 * Math.sin(n / 15), y + 100 * Math.cos(n / 15));
    await page.mouse.wheel(0, n % 42 < 20 ? -4 : 4); // a bit more than twice the size in all
  });
  await page.keyboard.up('Control');
  if (Math.max(...scales) < 1.5 * first)
    throw new Error(`the wheel has not zoomed: from ${first} to ${[...scales]}`);
}

/** @type {[string, (stage: Stage) => Promise<void>][]} */
export const scenes = [
  ['drag one', dragOne],
  ['20 remote movers', twentyMovers],
  ['20 remote drags', twentyDrags],
  ['pan', pan],
  ['pan + zoom', panAndZoom],
];
