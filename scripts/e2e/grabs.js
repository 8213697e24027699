// Cards that are taken at their visible part, as people take one out of a hand in which they
// overlap.

import assert from 'node:assert/strict';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./pieces.js').Point} Point */

/**
 * Waits until a piece is shown in the same place over three frames. A piece at rest may still be in
 * the layer for motion for a while, which nobody sees.
 *
 * @param {Page} page
 * @param {number} id
 */
export async function atRest(page, id) {
  await page.locator(`[data-piece="${id}"]`).evaluate(async (e) => {
    const place = () => Object.values(e.getBoundingClientRect().toJSON()).join();
    let before = '';
    for (let same = 0; same < 3; ) {
      await new Promise((done) => requestAnimationFrame(done));
      same = place() === before ? same + 1 : 0;
      before = place();
    }
  });
}

/**
 * Where a card in one's own hand can be grabbed: in the strip that shows the hand. Its middle comes
 * to the pointer when it leaves the strip. Null for other pieces. It waits until the card stays in
 * place.
 *
 * @param {Page} page
 * @param {number} id
 * @returns {Promise<Point | null>} in CSS pixels
 */
export async function gripInStrip(page, id) {
  return page.evaluate(async (id) => {
    const find = () => document.querySelector(`.lap [data-card="${id}"]`);
    const at = () => {
      const r = find()?.getBoundingClientRect();
      return r ? { x: r.left + 14, y: r.top + r.height / 2 } : null;
    };
    let before = '';
    for (let same = 0; same < 3 && find(); ) {
      await new Promise((done) => requestAnimationFrame(done));
      const now = JSON.stringify(at());
      same = now === before ? same + 1 : 0;
      before = now;
    }
    return at();
  }, id);
}

/**
 * Where a piece at rest can be grabbed: a point at which nothing covers it, and where its middle
 * is.
 *
 * @param {Page} page
 * @param {number} id
 * @returns {Promise<{from: Point, middle: Point}>} in CSS pixels
 */
async function grip(page, id) {
  await atRest(page, id);
  const inStrip = await gripInStrip(page, id);
  if (inStrip) return { from: inStrip, middle: inStrip };
  const found = await page.locator(`[data-piece="${id}"]`).evaluate((e) => {
    const r = e.getBoundingClientRect();
    const isSeen = (/** @type {number} */ x, /** @type {number} */ y) =>
      document.elementFromPoint(x, y)?.closest('[data-piece]') === e;
    for (let i = 1; i < 40; i++) {
      for (const part of [0.5, 0.3, 0.7]) {
        const from = { x: r.left + (r.width * i) / 40, y: r.top + r.height * part };
        if ([-1, 0, 1].every((dx) => isSeen(from.x + dx, from.y)))
          return { from, middle: { x: r.left + r.width / 2, y: r.top + r.height / 2 } };
      }
    }
    return null;
  });
  assert.ok(found, `a part of piece ${id} is visible`);
  return found;
}

/**
 * Grabs a piece where it is visible, and drags it half the way, or out of the strip of one's hand.
 *
 * @param {Page} page
 * @param {number} id
 * @param {Point} goal where its middle will be in the end, in CSS pixels
 * @returns {Promise<Point>} where the pointer will be then
 */
export async function take(page, id, goal) {
  const { from, middle } = await grip(page, id);
  const to = { x: goal.x + from.x - middle.x, y: goal.y + from.y - middle.y };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  const part = from === middle ? 0.9 : 0.5; // within the strip a drag only sorts
  const [x, y] = [from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part];
  await page.mouse.move(x, y, { steps: 2 });
  await page.waitForFunction(
    (id) => document.querySelector(`[data-piece="${id}"].mine.lifted`) !== null, id,
  );
  return to;
}

/**
 * Drags a piece with the mouse and drops it with its middle on a point.
 *
 * @param {Page} page
 * @param {number} id
 * @param {Point} goal in CSS pixels
 */
export async function carryTo(page, id, goal) {
  const to = await take(page, id, goal);
  await page.mouse.move(to.x, to.y, { steps: 2 });
  await page.mouse.up();
}
