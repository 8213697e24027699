// A host removes somebody (table.md, T51), and people leave by themselves (T52).

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { devices, party } from './party.js';

/** @typedef {import('playwright-core').Page} Page */

/** The folder for screenshots that somebody wants to look at; empty: none. */
const LOOKS = process.env.HOLT_LOOKS ?? '';

/** @param {Page} page @param {string} name */
async function look(page, name) {
  if (LOOKS) await page.screenshot({ path: `${LOOKS}/${name}.png` });
}

/** Opens the list of people. @param {Page} page */
async function people(page) {
  await page.locator('.crowd').click();
  await page.locator('#people .seat').first().waitFor();
}

/** The names in the list of people. @param {Page} page */
function names(page) {
  return page
    .locator('#people .seat-nick')
    .evaluateAll((all) => all.map((e) => e.firstChild?.textContent ?? ''));
}

for (const [device, context] of devices) {
  test(`T51, T53.2 a host puts out a friend, and the links change: ${device}`, async (t) => {
    const { server, host, friend, table, invites, join } = await party(t, {
      game: 'cards', host: context, friend: context,
    });
    const twin = await join('ben', invites.player, { context });
    await people(host.page);
    await host.page.locator('#people .seat').nth(2).waitFor();
    assert.deepEqual(await names(host.page), ['Ada', 'Ben', 'ben (2)'], 'T53');
    await look(host.page, `people-${device}`);
    assert.deepEqual(await barriers(host.page), []);
    await friend.page.evaluate(
      (name) => localStorage.setItem(`holt.test.${name}`, 'of this table'), table,
    );

    await host.page.getByRole('button', { name: 'More about Ben', exact: true }).click();
    await host.page.getByRole('button', { name: 'Remove Ben from the table' }).click();
    const dialog = host.page.getByRole('dialog', { name: 'Remove Ben from the table?' });
    await dialog.waitFor();
    assert.match(
      await dialog.innerText(), /invite links change[\s\S]*They go back to their deck[\s\S]*hidden/,
    );
    await look(host.page, `ask-${device}`);
    assert.deepEqual(await barriers(host.page), []);
    await dialog.getByRole('combobox').selectOption({ label: 'ben (2)' });
    assert.ok(await dialog.getByRole('radio', { name: 'They go to' }).isChecked());
    await dialog.getByRole('button', { name: 'Remove Ben' }).click();

    const links = host.page.getByRole('dialog', { name: 'Invite friends' });
    await links.getByText('Ben is removed from the table.').waitFor();
    const fresh = await links.getByLabel('Link to play').inputValue();
    assert.notEqual(fresh, invites.player);
    await look(host.page, `links-${device}`);
    await host.page.keyboard.press('Escape');
    await host.page.locator('#people .seat').nth(2).waitFor({ state: 'detached' });
    assert.deepEqual(await names(host.page), ['Ada', 'ben (2)']);

    await friend.page.getByText('Ada removed you from this table.').first().waitFor();
    await look(friend.page, `asked-${device}`);
    // It is drawn a frame after it is spoken.
    await friend.page.locator('main[data-status="closed"]').waitFor();
    assert.deepEqual(await barriers(friend.page), []);
    assert.equal(
      await friend.page.evaluate((name) => localStorage.getItem(`holt.test.${name}`), table), null,
    );
    await friend.page.getByRole('button', { name: 'To the front page' }).click();
    await friend.page.waitForURL(`${server.url}/`);
    assert.equal(
      await friend.page.locator(`a[href="/t/${table}"]`).count(), 0,
      'the front page no longer lists it',
    );
    const { request } = friend.page.context();
    assert.equal((await request.get(invites.player)).status(), 410, 'the old link');
    assert.equal((await request.get(fresh)).status(), 200, 'the new link');
    assert.equal(await twin.page.locator('main').getAttribute('data-status'), 'online');
  });
}

test('T52 one player leaves for good, another logs out', async (t) => {
  const { server, host, friend, table, invites, join } = await party(t, { game: 'cards' });
  const cid = await join('Cid', invites.player);
  await people(host.page);
  await host.page.getByRole('button', { name: 'Leave this table' }).click();
  const alone = host.page.getByRole('dialog', { name: 'Leave this table?' });
  assert.match(await alone.innerText(), /You are the only host/);
  assert.equal(await alone.getByRole('button', { name: 'Leave for good' }).count(), 0);
  await host.page.keyboard.press('Escape');

  await people(friend.page);
  await friend.page.getByRole('button', { name: 'More about Ada' }).click();
  assert.equal(
    await friend.page.getByRole('button', { name: /^Ask/ }).count(), 0, 'a player puts nobody out',
  );
  await friend.page.keyboard.press('Escape');
  await friend.page.getByRole('button', { name: 'Leave this table' }).click();
  const dialog = friend.page.getByRole('dialog', { name: 'Leave this table?' });
  await look(friend.page, 'leave');
  assert.deepEqual(await barriers(friend.page), []);
  await dialog.getByRole('radio', { name: 'They stay on the table' }).check();
  await dialog.getByRole('button', { name: 'Leave for good' }).click();
  await friend.page.waitForURL(`${server.url}/`);
  assert.equal(await friend.page.locator(`a[href="/t/${table}"]`).count(), 0);
  await host.page.locator('#people .seat', { hasText: 'Ben' }).waitFor({ state: 'detached' });

  await people(cid.page);
  await cid.page.getByRole('button', { name: 'Leave this table' }).click();
  await cid.page.getByRole('button', { name: 'Log out of this browser' }).click();
  await cid.page.waitForURL(`${server.url}/`);
  assert.equal((await cid.page.context().request.get(`${server.url}/t/${table}`)).status(), 401);
  assert.equal(
    await host.page.locator('#people .seat', { hasText: 'Cid' }).count(), 1, 'the seat stays',
  );
});
