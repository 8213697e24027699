// Every operation by key and by the toolbar, seen by the other player.

import assert from 'node:assert/strict';
import test from 'node:test';
import { choose } from './bar.js';
import { loosePile } from './cards.js';
import { party } from './party.js';
import { agree, focus, middle, named, piece, pieces, same, seen, still, until } from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */

/** The toolbar for the selection. @param {Page} page */
const tools = (page) => page.getByRole('toolbar', { name: 'What to do with the selection' });

/**
 * The two ways to ask for an operation.
 *
 * @type {Record<string, (page: Page, id: number, key: string, name: RegExp) => Promise<void>>}
 */
const ways = {
  'by key': async (page, id, key) => {
    await focus(page, id);
    await page.keyboard.press(key);
  },
  'by the toolbar': async (page, id, _key, name) => {
    const at = await middle(page, id);
    await page.mouse.click(at.x, at.y);
    await choose(page, name);
  },
};

for (const [way, ask] of Object.entries(ways)) {
  test(`T24 pieces turn, rise, sink, pin, copy and delete ${way}`, async (t) => {
    const { host, friend } = await party(t);
    const pawn = await named(host.page, 'White pawn');
    const there = (await same(friend.page, pawn)).id;

    await t.test('turn', async () => {
      await ask(host.page, pawn.id, 'r', /^Rotate$/);
      await until(host.page, pawn.id, { angle: 1500 });
      await until(friend.page, there, { angle: 1500 });
    });
    await t.test('turn back', async () => {
      await ask(host.page, pawn.id, 'Shift+R', /^Rotate back$/);
      await until(friend.page, there, { angle: 0 });
    });
    await t.test('raise and lower', async () => {
      const rank = (/** @type {Page} */ page, /** @type {number} */ id) =>
        page
          .locator(`[data-piece="${id}"]`)
          .evaluate((e) => Number(/** @type {HTMLElement} */ (e).style.zIndex));
      const ranks = (/** @type {Page} */ page) =>
        page
          .locator('[data-piece]:not(.heavy)')
          .evaluateAll((all) =>
            all.map((e) => Number(/** @type {HTMLElement} */ (e).style.zIndex)),
          );
      const { mark } = await piece(friend.page, there);
      await ask(host.page, pawn.id, 'u', /^Bring to front$/);
      await friend.page.waitForFunction(
        ([id, m]) =>
          Number(document.querySelector(`[data-piece="${id}"]`)?.getAttribute('data-mark')) > m,
        [there, mark],
      );
      assert.equal(
        await rank(friend.page, there), Math.max(...(await ranks(friend.page))),
        'on top of all others',
      );
      const raised = await piece(friend.page, there);
      await ask(host.page, pawn.id, 'd', /^Send to back$/);
      await friend.page.waitForFunction(
        ([id, m]) =>
          Number(document.querySelector(`[data-piece="${id}"]`)?.getAttribute('data-mark')) > m,
        [there, raised.mark],
      );
      assert.equal(
        await rank(friend.page, there),
        Math.min(...(await ranks(friend.page))),
        'under all others but the boards',
      );
    });
    await t.test('pin and unpin', async () => {
      await ask(host.page, pawn.id, 'p', /^Pin$/);
      await friend.page.locator(`[data-piece="${there}"][aria-label*="pinned"]`).waitFor();
      await ask(host.page, pawn.id, 'p', /^Unpin$/);
      await friend.page.locator(`[data-piece="${there}"]:not([aria-label*="pinned"])`).waitFor();
    });
    await t.test('copy', async () => {
      const before = (await pieces(friend.page)).length;
      await ask(host.page, pawn.id, 'c', /^Duplicate$/);
      await friend.page.locator(`main#table[data-pieces="${before + 1}"]`).waitFor();
      await agree(host.page, friend.page);
    });
    await t.test('T20 remove', async () => {
      const before = (await pieces(friend.page)).length;
      const knight = await named(host.page, 'Black knight');
      const gone = (await same(friend.page, knight)).id;
      await host.page.keyboard.press('Escape'); // the copy is selected now
      await ask(host.page, knight.id, 'Delete', /^Delete$/);
      await friend.page.locator(`main#table[data-pieces="${before - 1}"]`).waitFor();
      assert.equal(
        await friend.page.locator(`[data-piece="${gone}"]`).count(), 0,
        'it is the intended one',
      );
      await agree(host.page, friend.page);
    });
  });
}

test('T14 a pinned piece stays where it is, for everybody', async (t) => {
  const { host, friend, table } = await party(t);
  const pawn = await named(host.page, 'White pawn');
  const there = await same(friend.page, pawn);
  await focus(host.page, pawn.id);
  await host.page.keyboard.press('p');
  await friend.page.locator(`[data-piece="${there.id}"][aria-label*="pinned"]`).waitFor();

  await focus(friend.page, there.id);
  await friend.page.keyboard.press('Enter');
  await seen(friend.page, /is pinned/);

  // The server refuses it, too, whatever a page thinks: ask with the friend's own cookie.
  const now = await piece(friend.page, there.id);
  const status = await friend.page.evaluate(
    async ({ table, id, mark }) => {
      const epoch = (await (await fetch(`/api/v1/tables/${table}`)).json()).epoch;
      const body = {
        client: 'q83vEjRWeJCrze8SNFZ4kA',
        epoch,
        updates: [{ seq: 1, piece: id, tag: mark, op: 'move', x: 0, y: 0 }],
      };
      const headers = { 'Content-Type': 'application/json' };
      return (
        await fetch(`/api/v1/tables/${table}/updates`, {
          method: 'POST', headers, body: JSON.stringify(body),
        })
      ).status;
    },
    { table, id: there.id, mark: now.mark },
  );
  assert.equal(status, 202, 'the request is valid but inapplicable');
  assert.equal((await piece(host.page, pawn.id)).y, pawn.y);
  await agree(host.page, friend.page);
});

test('T24 a key, the toolbar and a double click flip cards', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const { page } = host;
  const id = await loosePile(page, 1);
  const down = await piece(page, id);
  await agree(page, friend.page);
  const there = await same(friend.page, down);
  const turned = async (/** @type {number} */ kind) => {
    await page.waitForFunction(
      ({ id, kind }) =>
        document.querySelector(`[data-piece="${id}"]`)?.getAttribute('data-kind') !== String(kind),
      { id, kind },
    );
    const now = await piece(page, id);
    await until(friend.page, there.id, { kind: now.kind, face: now.face });
    return now;
  };
  await focus(page, id);
  await page.keyboard.press('f');
  const up = await turned(down.kind);

  const at = await middle(page, id);
  await page.mouse.dblclick(at.x, at.y);
  await turned(up.kind);

  await still(page);
  await page.mouse.click(at.x, at.y);
  await tools(page)
    .getByRole('button', { name: /^Flip$/ })
    .click();
  assert.equal((await turned(down.kind)).kind, up.kind, 'it is the same card again');
  await agree(page, friend.page);
});

test('a piece is added from the box', async (t) => {
  const { host, friend } = await party(t);
  const before = (await pieces(friend.page)).length;
  await host.page.keyboard.press('n');
  const box = host.page.getByRole('dialog');
  await box
    .getByRole('button', { name: /Black knight/ })
    .first()
    .click();
  await friend.page.locator(`main#table[data-pieces="${before + 1}"]`).waitFor();
  await host.page.keyboard.press('Escape');
  await agree(host.page, friend.page);
});

test('T60.7, T60.9 Shift+G turns a group together, and 24 times bring it back', async (t) => {
  const { host, friend } = await party(t);
  const names = ['White king', 'White queen', 'White bishop'];
  const mine = await Promise.all(names.map((name) => named(host.page, name)));
  const theirs = await Promise.all(mine.map((p) => same(friend.page, p)));
  for (const { id } of mine) {
    await focus(host.page, id);
    await host.page.keyboard.press('x');
  }
  const mean = (/** @type {'x'|'y'} */ axis) => mine.reduce((sum, p) => sum + p[axis], 0) / 3;
  const [x, y] = [mean('x'), mean('y')];
  const both = async (/** @type {{x: number, y: number, angle: number}[]} */ places) => {
    for (let i = 0; i < 3; i++) {
      await until(host.page, mine[i].id, places[i]);
      await until(friend.page, theirs[i].id, places[i]);
    }
  };
  const quarter = mine.map((p) => ({
    x: Math.round(x - (p.y - y)), y: Math.round(y + (p.x - x)), angle: 9000,
  }));
  const first = mine.map((p) => ({ x: p.x, y: p.y, angle: 0 }));

  for (let i = 0; i < 6; i++) await host.page.keyboard.press('Shift+G');
  await both(quarter);
  for (let i = 0; i < 18; i++) await host.page.keyboard.press('Shift+G');
  await both(first);
  await agree(host.page, friend.page);

  await t.test('by the toolbar, and back', async () => {
    for (let i = 0; i < 6; i++) await choose(host.page, /^Rotate together$/);
    await both(quarter);
    for (let i = 0; i < 6; i++) await choose(host.page, /^Rotate back together$/);
    await both(first);
    await host.page.keyboard.press('Alt+Shift+G');
    await until(friend.page, theirs[0].id, { angle: 34_500 });
    await host.page.keyboard.press('Shift+G');
    await both(first);
    await agree(host.page, friend.page);
  });
  await t.test('T60.6 a piece that the friend holds stays', async () => {
    await focus(friend.page, theirs[2].id);
    await friend.page.keyboard.press('Enter');
    await host.page.waitForFunction(
      (id) => document.querySelector(`[data-piece="${id}"]`)?.getAttribute('data-holder') !== '0',
      mine[2].id,
    );
    for (let i = 0; i < 12; i++) await host.page.keyboard.press('Shift+G');
    await until(friend.page, theirs[0].id, { x: first[1].x, y: first[1].y, angle: 18_000 });
    await until(friend.page, theirs[1].id, { x: first[0].x, y: first[0].y, angle: 18_000 });
    await until(friend.page, theirs[2].id, first[2]);
    await agree(host.page, friend.page);
  });
  await t.test('one piece is no group', async () => {
    await host.page.keyboard.press('Escape');
    await focus(host.page, mine[0].id);
    await host.page.keyboard.press('Shift+G');
    await seen(host.page, /at least two pieces/);
  });
});
