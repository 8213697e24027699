// The table turned to another side: a dragged piece lies where the pointer drops it, and the others
// see it there.

import assert from 'node:assert/strict';
import test from 'node:test';
import { swipe } from './fingers.js';
import { desktop, party, phone } from './party.js';
import { dragTo, frame, middle, named, same, still, until } from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./pieces.js').Piece} Piece */
/** @typedef {import('./pieces.js').Point} Point */

/**
 * How the two kinds of device drag a piece to a point of the screen.
 *
 * @type {Record<string, (page: Page, p: Piece, to: Point) => Promise<unknown>>}
 */
const drags = {
  mouse: (page, p, to) => dragTo(page, p.id, to),
  finger: async (page, p, to) => {
    await still(page);
    await swipe(page, [{ from: await middle(page, p.id), to }]);
    await page.waitForFunction(
      ({ id, x, y }) => {
        const e = document.querySelector(`[data-piece="${id}"]`);
        return e?.getAttribute('data-x') !== String(x) || e.getAttribute('data-y') !== String(y);
      },
      { id: p.id, x: p.x, y: p.y },
    );
  },
};

for (const [by, context] of Object.entries({ mouse: desktop, finger: phone })) {
  test(`on a turned table a ${by} drags a piece to where it is released`, async (t) => {
    const { host, friend } = await party(t, { friend: context });
    const { page } = friend;
    // The hint for newcomers lies over the buttons of a phone.
    const read = page.getByRole('button', { name: 'Got it' });
    await (by === 'mouse' ? read.click() : read.tap());
    for (const turn of [90, 180, 270, 0]) {
      const button = page.getByRole('button', { name: 'Turn the table' });
      await (by === 'mouse' ? button.click() : button.tap());
      await page.locator(`main#table[data-turn="${turn}"]`).waitFor();
      await frame(page);
      const mine = await named(page, 'White king');
      const theirs = await same(host.page, mine);
      const from = await middle(page, mine.id);
      const window = page.viewportSize() ?? { width: 0, height: 0 };
      // Towards the middle of the window, where the table is, however it is turned.
      const to = {
        x: Math.round((from.x + window.width / 2) / 2) + 11,
        y: Math.round((from.y + window.height / 2) / 2) - 7,
      };
      await drags[by](page, mine, to);
      const put = await until(page, mine.id, { holder: 0 });
      await still(page);
      const lies = await middle(page, mine.id);
      assert.ok(
        Math.hypot(lies.x - to.x, lies.y - to.y) < 2,
        `turned by ${turn}: it lies at ${JSON.stringify(lies)}`,
      );
      assert.notDeepEqual([put.x, put.y], [mine.x, mine.y]);
      await until(host.page, theirs.id, { x: put.x, y: put.y, holder: 0 });
    }
  });
}

test('on a turned table arrow keys move as the player sees it', async (t) => {
  const { host } = await party(t);
  const { page } = host;
  await page.keyboard.press('g');
  await page.locator('main#table[data-turn="90"]').waitFor();
  const king = await named(page, 'White king');
  const from = await middle(page, king.id);
  await page.locator(`[data-piece="${king.id}"]`).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('Enter');
  await until(page, king.id, { x: king.x - 500, y: king.y, holder: 0 });
  await still(page);
  const to = await middle(page, king.id);
  assert.ok(Math.abs(to.x - from.x) < 2 && to.y < from.y - 10, 'it went up');
});

test('T35 from the side, the name on an upright marker lies level and on its plate', async (t) => {
  const { host, friend } = await party(t, { game: 'spades' });
  const marker = await named(host.page, 'Turn marker');
  for (const { page } of [host, friend]) {
    const { id } = await same(page, marker);
    const [plate, name] = await page.locator(`[data-piece="${id}"]`).evaluate((e) =>
      [e, e.querySelector('.inscription')].map((of) => of?.getBoundingClientRect().toJSON()));
    assert.ok(name.width > 3 * name.height, `it is ${name.width} by ${name.height}`);
    const middleOf = (/** @type {DOMRect} */ r) => [r.x + r.width / 2, r.y + r.height / 2];
    const [[x, y], [nx, ny]] = [middleOf(plate), middleOf(name)];
    assert.ok(Math.hypot(nx - x, ny - y) < 2, `it is at ${nx}, ${ny}, the marker at ${x}, ${y}`);
  }
});
