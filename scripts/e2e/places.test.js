// Places at the table: a player chooses a free one in the list of people, by pointer and by keys.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { arrive, party, phone } from './party.js';
import { said, still, eventually } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('./party.js').Person} Person */

/** Opens the list of people. @param {Person} who */
async function people({ page }) {
  const panel = page.getByRole('complementary', { name: 'People' });
  if (!(await panel.isVisible())) await page.locator('.crowd').click();
  await panel.waitFor();
  return panel;
}

test('T90.3 a player sits down at a free place, and the old one is free', async (t) => {
  const { host, friend } = await party(t, { game: 'harvest' });
  const panel = await people(friend);
  const role = panel.locator('.seat', { hasText: 'Ben' }).locator('.seat-role');
  assert.equal(await role.textContent(), 'Player · West farm');
  const places = panel.getByRole('list', { name: 'Free places' });
  assert.equal(await places.getByRole('listitem').count(), 1);
  await shoot(friend.page, 'places');
  await places.getByRole('button', { name: 'Sit here: North farm' }).focus();
  await friend.page.keyboard.press('Enter');
  await friend.page.locator('main#table[data-turn="180"]').waitFor();
  await places.getByRole('button', { name: 'Sit here: West farm' }).waitFor();
  assert.equal(await role.textContent(), 'Player · North farm');
  const other = await people(host);
  await other.locator('.seat-role', { hasText: 'North farm' }).waitFor();
  await still(friend.page);
  await shoot(friend.page, 'places-taken');
});

test('T98.7 a guest chooses a place on a phone, and a host gives them another one', async (t) => {
  const { host, friend, server, table, invites } = await party(t, { game: 'harvest' });
  const secret = invites.player.split('/').at(-1);
  const cara = await arrive('Cara', { context: phone });
  const late = await arrive('Dan', { context: phone });
  for (const { page } of [cara, late]) {
    t.after(() => page.context().close());
    await page.goto(`${server.url}/join/${secret}`);
    const place = page.getByLabel('Your place');
    assert.deepEqual(
      await place.locator('option').allTextContents(), ['Any free place', 'North farm']);
    assert.deepEqual(await barriers(page), []);
    await page.getByLabel('Your name').fill(page === cara.page ? 'Cara' : 'Dan');
    await place.focus();
    await page.keyboard.press('ArrowDown');
    assert.equal(await place.inputValue(), '3', 'keys choose a place');
  }
  await shoot(cara.page, 'places-join');
  const { width = 0 } = await cara.page.getByLabel('Your place').boundingBox() ?? {};
  assert.ok(width > 100 && width < 390, 'it fits on a phone');
  for (const { page } of [cara, late]) {
    await page.getByRole('button', { name: 'Join' }).click();
    await page.locator('main#table[data-pieces]').waitFor();
  }
  await cara.page.locator('main#table[data-turn="180"]').waitFor();
  const missed = late.page.getByText('North farm was taken meanwhile, and no place is free.');
  await missed.first().waitFor();

  // Ben gets up: his place is free, and Ada gives it to Cara, by keys.
  const panel = await people(host);
  const row = panel.locator('.seat', { hasText: 'Cara' });
  await panel.locator('.seat', { hasText: 'Ben' }).getByRole('button').focus();
  await host.page.keyboard.press('Enter');
  const about = host.page.getByRole('dialog', { name: 'Ben' });
  assert.equal(await about.getByRole('button', { name: 'Give Ben a place' }).count(), 0);
  await host.page.keyboard.press('Escape');
  const stood = await friend.page.evaluate(
    async (api) => (await fetch(api, { method: 'POST' })).status,
    `/api/v1/tables/${table}/seats/me/stand`,
  );
  assert.equal(stood, 204);
  await panel.getByRole('list', { name: 'Free places' }).waitFor();
  await row.getByRole('button').focus();
  await host.page.keyboard.press('Enter');
  await host.page.getByRole('button', { name: 'Give Cara a place' }).focus();
  await host.page.keyboard.press('Enter');
  const dialog = host.page.getByRole('dialog', { name: 'A place for Cara' });
  await dialog.waitFor();
  assert.deepEqual(await barriers(host.page), []);
  await shoot(host.page, 'places-give');
  await dialog.getByRole('button', { name: 'West farm' }).focus();
  await host.page.keyboard.press('Enter');
  await row.locator('.seat-role', { hasText: 'West farm' }).waitFor();
  await cara.page.locator('main#table[data-turn="270"]').waitFor();
  assert.ok(
    await eventually(cara.page, async () =>
      (await said(cara.page)).includes('Ada gave you the place West farm.')),
    'a screen reader says it',
  );
  await shoot(cara.page, 'places-given');
});

test('on a phone the first view has all of one’s own boards', async (t) => {
  const { host, friend } = await party(t, { game: 'sea-battle', host: phone, friend: phone });
  for (const { page } of [host, friend]) {
    await still(page);
    const own = page.locator('[data-piece].hand.own, [data-piece][aria-label*=", yours,"]');
    assert.equal(await own.count(), 4, 'waters, a chart and two bowls');
    const boxes = await own.evaluateAll((all) => all.map((e) => {
      const { left, right, top, bottom } = e.getBoundingClientRect();
      return { left, right, top, bottom };
    }));
    for (const box of boxes) {
      assert.ok(box.left >= 0 && box.right <= 390 && box.top >= 52 && box.bottom <= 782,
        `a board lies at ${JSON.stringify(box)}`);
    }
  }
});
