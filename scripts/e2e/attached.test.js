// Attached pieces: they move with the piece to which they are attached, by pointer and by keys.

import assert from 'node:assert/strict';
import test from 'node:test';
import { devices, party, phone } from './party.js';
import {
  agree, carry, dragTo, eventually, focus, labelled, middle, named, piece, same, still,
  until,
} from './pieces.js';
import { swipe } from './fingers.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

test('T97.1, T97.6, T97.10 a map takes along what is attached, undo takes it back', async (t) => {
  const { host, friend } = await party(t, { game: 'camp' });
  const { page } = host;
  const map = await named(page, 'Map');
  const [sign, supplies, flag] = [
    await named(page, 'Sign'), await named(page, 'Supplies'), await named(page, 'Flag'),
  ];
  await labelled(page, map.id, /with 2 pieces attached/);
  await labelled(page, supplies.id, /with one piece attached/);
  await still(page);
  const from = await middle(page, map.id);
  await dragTo(page, map.id, { x: from.x + 60, y: from.y + 40 });
  const moved = await until(page, map.id, { holder: 0 });
  assert.notEqual(moved.x, map.x);
  for (const p of [sign, supplies, flag]) {
    const now = await until(page, p.id, {
      x: p.x + moved.x - map.x, y: p.y + moved.y - map.y, holder: 0,
    });
    await same(friend.page, now);
  }
  await still(page);
  await shoot(page, 'attached');
  await agree(page, friend.page);
  await page.keyboard.press('Control+z');
  for (const p of [map, sign, supplies, flag]) await until(page, p.id, { x: p.x, y: p.y });
  await agree(page, friend.page);
});

/** How far the middles of drawn pieces have moved. @param {Page} page @param {number[]} ids */
async function watched(page, ids) {
  const before = await Promise.all(ids.map((id) => middle(page, id)));
  return async () => {
    const now = await Promise.all(ids.map((id) => middle(page, id)));
    return now.map(({ x, y }, i) => ({
      x: Math.round(x - before[i].x), y: Math.round(y - before[i].y),
    }));
  };
}

test('T97.10 what is attached follows the pointer before the server answers', async (t) => {
  const { host, friend } = await party(t, { game: 'camp', links: true });
  const names = ['Map', 'Sign', 'Supplies', 'Flag'];
  const all = await Promise.all(names.map((name) => named(friend.page, name)));
  const ids = all.map(({ id }) => id);
  await still(friend.page);
  const moved = await watched(friend.page, ids);
  const isOne = async () => {
    const [map, ...others] = await moved();
    return map.x > 10 && others.every(({ x, y }) => Math.hypot(x - map.x, y - map.y) <= 2);
  };

  friend.link?.hold('up', 'down');
  await carry(friend.page, ids[0], { x: 400, y: 300 });
  await friend.page.locator('main#table[data-carrying="pointer"]').waitFor();
  const isAlong = await eventually(friend.page, isOne);
  assert.ok(isAlong, `amid the drag: ${JSON.stringify(await moved())}`);
  await shoot(friend.page, 'attached-amid');
  await friend.page.mouse.up();
  assert.ok(await eventually(friend.page, isOne), 'after it');

  // Ada locks the map first, so the server rejects what the friend does.
  const map = await named(host.page, 'Map');
  await focus(host.page, map.id);
  await host.page.keyboard.press('l');
  await labelled(host.page, map.id, /locked/);
  friend.link?.release();
  const isBack = async () => (await moved()).every(({ x, y }) => x === 0 && y === 0);
  assert.ok(await eventually(friend.page, isBack), `rejected: ${JSON.stringify(await moved())}`);
  await agree(host.page, friend.page);
});

test('T97.1, T97.5 by keys, and one of them alone', async (t) => {
  const { host, friend } = await party(t, { game: 'camp' });
  const { page } = host;
  const [map, supplies, flag] = [
    await named(page, 'Map'), await named(page, 'Supplies'), await named(page, 'Flag'),
  ];
  await focus(page, supplies.id);
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Space');
  const alone = await until(page, supplies.id, { holder: 0 });
  assert.ok(alone.x < supplies.x, 'it has moved');
  await until(page, flag.id, { x: flag.x + alone.x - supplies.x, y: flag.y });
  assert.equal((await piece(page, map.id)).x, map.x);
  await focus(page, map.id);
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Space');
  const moved = await until(page, map.id, { holder: 0 });
  await until(page, supplies.id, { x: alone.x + moved.x - map.x, y: alone.y });
  await agree(page, friend.page);
});

for (const [name, context] of devices)
  test(`T97.1 with a finger on a ${name}`, async (t) => {
    const { host, friend } = await party(t, { game: 'camp', host: context });
    const { page } = host;
    const [map, sign] = [await named(page, 'Map'), await named(page, 'Sign')];
    await still(page);
    const from = await middle(page, map.id);
    const to = { x: from.x + 30, y: from.y + 40 };
    if (context === phone) await swipe(page, [{ from, to }]);
    else await dragTo(page, map.id, to);
    const moved = await until(page, map.id, { holder: 0 });
    assert.notEqual(moved.y, map.y);
    await until(page, sign.id, { x: sign.x + moved.x - map.x, y: sign.y + moved.y - map.y });
    await still(page);
    await shoot(page, `attached-${name}`);
    await agree(page, friend.page);
  });
