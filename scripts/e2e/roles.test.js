// Roles (table.md, T66), closing and freezing a table (T67), its password (T68), and what a page
// does for its own person (T69).

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { arrive, devices, party } from './party.js';
import { about, people, said } from './people.js';
import { carry, drag, named, said as heard, seen, until } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** Opens the settings of the table. @param {Page} page */
async function settings(page) {
  await page.locator('.title-button').click();
  const dialog = page.locator('dialog.tabletop');
  await dialog.waitFor();
  return dialog;
}

for (const [device, context] of devices) {
  test(`T66 the host hands over, and leaves for good: ${device}`, async (t) => {
    const { server, host, friend } = await party(t, { host: context, friend: context });
    const dialog = await about(host.page, 'Ben');
    await shoot(host.page, `person-${device}`);
    assert.deepEqual(await barriers(host.page), []);
    await dialog.getByRole('button', { name: 'Make co-host' }).click();
    await dialog.waitFor({ state: 'detached' });
    await said(host.page, 'Ben').getByText('Co-host').waitFor();
    await seen(friend.page, /You are a co-host now/);

    await (await about(host.page, 'Ben'))
      .getByRole('button', { name: 'Hand over the host’s role' }).click();
    const sure = host.page.getByRole('alertdialog', { name: 'Make Ben the host?' });
    await sure.waitFor();
    await shoot(host.page, `handover-${device}`);
    assert.deepEqual(await barriers(host.page), []);
    await sure.getByRole('button', { name: 'Hand over' }).click();
    await seen(friend.page, /You are the host now/);
    await seen(host.page, /You are a player now/);
    await people(friend.page);
    await said(friend.page, 'Ada').getByText('Player').waitFor();
    await shoot(friend.page, `people-${device}`);

    await people(host.page);
    await host.page.getByRole('button', { name: 'Leave this table' }).click();
    await host.page.getByRole('button', { name: 'Leave for good' }).click();
    await host.page.waitForURL(`${server.url}/`);
    await said(friend.page, 'Ada').waitFor({ state: 'detached' });
  });

  test(`T68 a password is asked for: ${device}`, async (t) => {
    const { server, host, table, invites } = await party(t, { host: context });
    const dialog = await settings(host.page);
    await dialog.getByLabel('A password for whoever takes a seat').fill('sesame');
    await dialog.getByRole('button', { name: 'Set', exact: true }).click();
    await dialog.getByText('From now on whoever takes a seat has to say it').waitFor();
    await dialog.locator('#table-password').scrollIntoViewIfNeeded();
    await shoot(host.page, `settings-${device}`);
    assert.deepEqual(await barriers(host.page), []);

    const { page } = await arrive('Cid', { context });
    t.after(() => page.context().close());
    await page.goto(invites.player);
    await page.getByLabel('Your name').fill('Cid');
    await page.getByLabel('Password of the table').fill('open');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('That is not the password').waitFor();
    await shoot(page, `password-${device}`);
    assert.deepEqual(await barriers(page), []);
    await page.getByLabel('Password of the table').fill('sesame');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.waitForURL(`${server.url}/t/${table}`);
    await page.locator('main[data-status="online"]').waitFor();
  });
}

test('T51.6 somebody is put out in the middle of a drag', async (t) => {
  const { host, friend } = await party(t, { game: 'chess' });
  const pawn = await named(friend.page, 'Black pawn');
  await carry(friend.page, pawn.id, { x: 0, y: -700 });
  await until(host.page, pawn.id, { holder: 2 });
  const dialog = await about(host.page, 'Ben');
  await dialog.getByRole('button', { name: 'Remove Ben from the table' }).click();
  await host.page.getByRole('dialog', { name: 'Remove Ben from the table?' })
    .getByRole('button', { name: 'Remove Ben' }).click();
  await friend.page.getByText('Ada removed you from this table.').first().waitFor();
  assert.doesNotMatch(await heard(friend.page), /connection was lost/, 'that is not why');
  await until(host.page, pawn.id, { holder: 0 });
  await friend.page.mouse.up();
  await host.page.keyboard.press('Escape');
  const moved = await drag(host.page, pawn.id, { x: 300, y: 0 });
  assert.equal(moved.holder, 0, 'others can move it at once');
});

test('nothing lies over the list of people', async (t) => {
  const { host, invites, join } = await party(t, { game: 'chess' });
  for (const nick of ['Cara', 'Dan', 'Eve', 'Fay']) await join(nick, invites.player);
  const { page } = host;
  await page.getByRole('button', { name: 'Got it' }).click();
  for (const size of [{ width: 1280, height: 800 }, { width: 390, height: 780 }]) {
    await page.setViewportSize(size);
    await people(page);
    await said(page, 'Fay').waitFor();
    const covered = await page.locator('#people button:visible').evaluateAll((all) =>
      all.flatMap((button) => {
        button.scrollIntoView();
        const { x, y, width, height } = button.getBoundingClientRect();
        const isFree = [0.05, 0.5, 0.95].every((part) =>
          button.contains(document.elementFromPoint(x + width * part, y + height / 2)));
        return isFree ? [] : [button.getAttribute('aria-label') ?? button.textContent];
      }));
    assert.deepEqual(covered, [], `at ${size.width}`);
  }
});

test('T67 the host freezes the table, and nobody new comes', async (t) => {
  const { host, friend, invites } = await party(t, { game: 'chess' });
  const pawn = await named(friend.page, 'Black pawn');
  const dialog = await settings(host.page);
  await dialog.getByLabel('Freeze the table: only hosts move things').check();
  await dialog.getByLabel('Nobody new may take a seat').check();
  await host.page.keyboard.press('Escape');
  await seen(friend.page, /The table is frozen: only hosts move things now/);
  await friend.page.locator('.title-access', { hasText: 'Frozen' }).waitFor();
  await shoot(friend.page, 'frozen');
  await friend.page.setViewportSize({ width: 390, height: 780 });
  const title = friend.page.locator('.title-button > :first-child');
  assert.equal(await title.textContent(), 'Chess');
  assert.ok(await title.evaluate((e) => e.scrollWidth <= e.clientWidth), 'all of it fits');
  await shoot(friend.page, 'frozen-phone');
  await friend.page.setViewportSize({ width: 1280, height: 800 });
  const theirs = (await settings(friend.page)).getByRole('listitem');
  await theirs.getByText('The table is frozen: only hosts move things now.').waitFor();
  await theirs.getByText('Nobody new may take a seat.').waitFor();
  await shoot(friend.page, 'settings-player');
  await friend.page.keyboard.press('Escape');
  await carry(friend.page, pawn.id, { x: 0, y: 700 });
  await friend.page.mouse.up();
  await seen(friend.page, /The table is frozen: only hosts move things/);
  await until(friend.page, pawn.id, { x: pawn.x, y: pawn.y, holder: 0 });
  await drag(host.page, pawn.id, { x: 0, y: 700 });

  const { page } = await arrive('Cid', {});
  t.after(() => page.context().close());
  await page.goto(invites.player);
  await page.getByText('Nobody new may take a seat at the moment').waitFor();
  await shoot(page, 'closed');
  assert.deepEqual(await barriers(page), []);
});

test('T69.1, T69.2, T69.3, T69.4: whose turn it is, muting, and a call', async (t) => {
  const { host, friend } = await party(t, { game: 'liars-dice' });
  const say = async (/** @type {Page} */ page, /** @type {string} */ text) => {
    const field = page.getByLabel('Write to the table', { exact: true });
    if (!(await field.isVisible())) await page.keyboard.press('Shift+C');
    await field.fill(text);
    await page.keyboard.press('Enter');
  };
  await say(host.page, 'hello');
  await friend.page.keyboard.press('Shift+C');
  await friend.page.locator('.log-said', { hasText: 'hello' }).waitFor();
  await (await about(friend.page, 'Ada')).getByRole('button', { name: 'Mute Ada for me' }).click();
  await friend.page.locator('.log-said', { hasText: 'hello' }).waitFor({ state: 'hidden' });
  await friend.page.reload();
  await friend.page.locator('main[data-ready]').waitFor();
  await people(friend.page);
  await said(friend.page, 'Ada').getByText('muted for you').waitFor({ state: 'attached' });
  await (await about(friend.page, 'Ada')).getByRole('button', { name: 'Hear Ada again' }).click();
  await said(friend.page, 'Ada').getByText('muted for you').waitFor({ state: 'detached' });

  const dialog = await settings(host.page);
  await dialog.getByLabel(/Address of your call/).fill('https://voice.example.org/room/7');
  await host.page.keyboard.press('Tab');
  await host.page.keyboard.press('Escape');
  await friend.page.getByRole('link', { name: 'Join the call' }).waitFor();
  assert.equal(
    await friend.page.getByRole('link', { name: 'Join the call' }).getAttribute('href'),
    'https://voice.example.org/room/7',
  );

  const marker = await named(host.page, 'Turn marker');
  await host.page.locator(`[data-piece="${marker.id}"]`).dblclick();
  await people(host.page);
  for (let i = 0; i < 2 && !(await host.page.title()).startsWith('● Your turn'); i++) {
    await host.page.locator(`[data-piece="${marker.id}"]`).dblclick();
    await host.page.waitForFunction(() => document.title.startsWith('● Your turn'))
      .catch(() => {});
  }
  assert.match(await host.page.title(), /^● Your turn – /, 'T69.1');
  await host.page.getByRole('button', { name: 'Next turn' }).click();
  await friend.page.waitForFunction(() => document.title.startsWith('● Your turn'));
  await host.page.waitForFunction(() => !document.title.startsWith('●'));
  await shoot(friend.page, 'turn');
});
