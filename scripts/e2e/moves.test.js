// Two people move pieces by mouse and keys, and each sees what the other does.

import assert from 'node:assert/strict';
import test from 'node:test';
import { atTable, party } from './party.js';
import {
  agree,
  carry,
  drag,
  focus,
  frame,
  labelled,
  middle,
  named,
  piece,
  pieces,
  said,
  same,
  still,
  until,
} from './pieces.js';

test('another player sees a drag and the holder of the piece', async (t) => {
  const { host, friend } = await party(t);
  const mine = await named(host.page, 'White pawn');
  const theirs = await same(friend.page, mine);

  await carry(host.page, mine.id, { x: 0, y: -500 });
  await friend.page.waitForFunction(
    (id) => Number(document.querySelector(`[data-piece="${id}"]`)?.getAttribute('data-holder')) > 0,
    theirs.id,
  );
  await labelled(friend.page, theirs.id, /held by Ada/);
  // It is shown on the screen, too.
  await friend.page.locator(`[data-piece="${theirs.id}"]`).getByText('Ada').waitFor();

  await host.page.mouse.up();
  const put = await until(host.page, mine.id, { holder: 0 });
  assert.notDeepEqual([put.x, put.y], [mine.x, mine.y], 'it lies somewhere else now');
  await until(friend.page, theirs.id, { x: put.x, y: put.y, holder: 0 });
  await friend.page.getByText(/Ada put down the white pawn/).waitFor({ state: 'attached' });
});

test('the mouse takes what the wheel has brought under it', async (t) => {
  const { host } = await party(t);
  const { page } = host;
  const mine = await named(page, 'White pawn');
  await page.evaluate(() => {
    new MutationObserver((all) => {
      const isUp = (/** @type {MutationRecord} */ { target }) =>
        target instanceof Element && target.matches('.shield.up');
      if (all.some(isUp)) Object.assign(window, { shielded: true });
    }).observe(document.body, { subtree: true, attributeFilter: ['class'] });
  });
  for (const moves of [false, true]) {
    const at = await middle(page, mine.id);
    await page.mouse.move(at.x, at.y - 60);
    await page.waitForTimeout(120); // the mouse rests
    const below = async () => (await middle(page, mine.id)).y;
    await page.mouse.wheel(0, 60);
    while (Math.abs((await below()) - at.y + 60) > 1) await frame(page);
    if (moves) await page.mouse.move(at.x + 1, at.y - 60);
    await page.mouse.down();
    await page.mouse.move(at.x + 20, at.y - 40, { steps: 3 });
    await page.waitForFunction(
      (id) => document.querySelector(`[data-piece="${id}"].lifted`) !== null, mine.id,
    );
    await page.mouse.up();
    await until(page, mine.id, { holder: 0 });
    await still(page);
  }
  assert.ok(await page.evaluate(() => 'shielded' in window), 'the shield was up meanwhile');
});

test('T9.1 a piece follows the pointer within a frame, on any network', async (t) => {
  const { host } = await party(t, { links: true });
  const mine = await named(host.page, 'White pawn');
  host.link?.hold('up', 'down');
  const before = await middle(host.page, mine.id);
  await carry(host.page, mine.id, { x: 500, y: -500 });
  const after = await middle(host.page, mine.id);
  assert.ok(after.x > before.x + 5 && after.y < before.y - 5, 'it is under the pointer');
  await host.page.mouse.up();
  const put = await until(host.page, mine.id, { holder: 0 });
  assert.ok(put.x > mine.x && put.y < mine.y, 'and lies there before the server knows');
  host.link?.release();
});

test('a frame selects pieces, and a drag moves all of them together', async (t) => {
  const { host, friend } = await party(t);
  const pawns = (await pieces(host.page)).filter((p) => p.label.startsWith('White pawn'));
  const left = pawns.reduce((a, b) => (a.x < b.x ? a : b));
  const right = pawns.reduce((a, b) => (a.x > b.x ? a : b));
  const from = await middle(host.page, left.id);
  const to = await middle(host.page, right.id);
  const half = (to.x - from.x) / 14; // half of the distance between two pawns

  await host.page.mouse.move(from.x - half, from.y - half);
  await host.page.mouse.down();
  await host.page.mouse.move(to.x + half * 0.9, to.y + half * 0.9, { steps: 6 });
  await frame(host.page);
  const drawn = await host.page.locator('.band').boundingBox();
  assert.ok(drawn, 'the frame is visible');
  for (const [side, want] of [
    [drawn.x, from.x - half],
    [drawn.y, from.y - half],
    [drawn.x + drawn.width, to.x + half * 0.9],
    [drawn.y + drawn.height, to.y + half * 0.9],
  ]) {
    assert.ok(Math.abs(side - want) < 2, `a side of it is at ${side}, and drawn to ${want}`);
  }
  await host.page.mouse.up();
  await frame(host.page);
  assert.ok(await host.page.locator('.band').isHidden(), 'and disappears');
  assert.equal(
    await host.page.locator('[data-piece][aria-pressed="true"]').count(), 8,
    'eight pawns are selected',
  );

  const lead = await drag(host.page, left.id, { x: 0, y: -500 });
  const dx = lead.x - left.x;
  const dy = lead.y - left.y;
  assert.ok(dy < 0, 'they were moved');
  for (const p of pawns) await until(host.page, p.id, { x: p.x + dx, y: p.y + dy, holder: 0 });
  await agree(host.page, friend.page);
});

test('Shift and click add to the selection, Escape undoes a drag', async (t) => {
  const { host, friend } = await party(t);
  const [first, second] = (await pieces(host.page)).filter((p) => p.label.startsWith('White pawn'));
  for (const p of [first, second]) {
    const at = await middle(host.page, p.id);
    await host.page.keyboard.down('Shift');
    await host.page.mouse.click(at.x, at.y);
    await host.page.keyboard.up('Shift');
  }
  const chosen = host.page.locator('[data-piece][aria-pressed="true"]');
  await chosen.nth(1).waitFor(); // drawn with the next frame
  assert.equal(await chosen.count(), 2);

  await carry(host.page, first.id, { x: 0, y: -600 });
  await host.page.keyboard.press('Escape');
  await host.page.mouse.up();
  for (const p of [first, second]) await until(host.page, p.id, { x: p.x, y: p.y, holder: 0 });
  await agree(host.page, friend.page);
});

test('the keyboard alone finds, grabs, moves and releases a piece', async (t) => {
  const { host, friend } = await party(t);
  await host.page.locator('body').press('Tab');
  for (let i = 0; i < 20; i++) {
    if (await host.page.evaluate(() => document.activeElement?.hasAttribute('data-piece'))) break;
    await host.page.keyboard.press('Tab');
  }
  const id = await host.page.evaluate(() =>
    Number(document.activeElement?.getAttribute('data-piece') ?? 0),
  );
  assert.ok(id > 0, 'Tab leads to a piece');
  const before = await piece(host.page, id);

  await host.page.keyboard.press('Enter');
  await host.page
    .getByText(/^You hold /)
    .first()
    .waitFor({ state: 'attached' });
  await host.page.keyboard.press('ArrowRight');
  await host.page.keyboard.press('ArrowRight');
  await host.page.keyboard.press('Shift+ArrowDown');
  await host.page.keyboard.press('Alt+ArrowLeft');
  await host.page.keyboard.press('Enter');
  const put = await until(host.page, id, { x: before.x + 95, y: before.y + 500, holder: 0 });
  await host.page
    .getByText(/^You put down /)
    .first()
    .waitFor({ state: 'attached' });
  await agree(host.page, friend.page);
  const theirs = await same(friend.page, put);
  assert.equal(theirs.holder, 0);
});

test('arrow keys lead from piece to piece', async (t) => {
  const { host } = await party(t);
  const pawns = (await pieces(host.page))
    .filter((p) => p.label.startsWith('White pawn'))
    .sort((a, b) => a.x - b.x);
  await focus(host.page, pawns[0].id);
  await host.page.keyboard.press('ArrowRight');
  const now = await host.page.evaluate(() =>
    Number(document.activeElement?.getAttribute('data-piece') ?? 0),
  );
  assert.equal(now, pawns[1].id);
});

test('T18.2 a second window of a person sees and moves what the first holds', async (t) => {
  const { host } = await party(t);
  const second = await host.page.context().newPage();
  await second.goto(host.page.url());
  await atTable(second);
  const mine = await named(host.page, 'White pawn');
  const there = await same(second, mine);

  await focus(host.page, mine.id);
  await host.page.keyboard.press('Enter');
  await second.waitForFunction(
    (id) => Number(document.querySelector(`[data-piece="${id}"]`)?.getAttribute('data-holder')) > 0,
    there.id,
  );
  const put = await drag(second, there.id, { x: 0, y: -500 });
  await until(host.page, mine.id, { x: put.x, y: put.y, holder: 0 });
  await still(host.page);
  assert.equal(
    await host.page.locator('main#table').getAttribute('data-carrying'), null,
    'the first window releases it',
  );
  assert.ok((await said(host.page)).length > 0, 'and announces it');
});
