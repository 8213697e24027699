// Attached pieces: they move with the piece to which they are attached, by pointer and by keys.

import assert from 'node:assert/strict';
import test from 'node:test';
import { devices, party, phone } from './party.js';
import {
  agree, dragTo, focus, labelled, middle, named, piece, same, still, until,
} from './pieces.js';
import { swipe } from './fingers.js';
import { shoot } from './shots.js';

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
