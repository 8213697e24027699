// How friends find the table (finding 5), and the first page, which is the first thing they see.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { arrive, desktop, joinByInvite, party, phone, fileServer } from './party.js';

/** @typedef {import('playwright-core').Page} Page */

test('finding 5: the dialog says who can open the link, and opens the server', async (t) => {
  const { host, friend } = await party(t, { pages: true, own: true }); // it opens the server
  const { page } = host;
  await page.keyboard.press('i');
  const dialog = page.getByRole('dialog', { name: 'Invite friends' });
  await dialog.getByText('Only this computer can open the links so far.').waitFor();
  assert.equal(await dialog.getByRole('img').count(), 0, 'nobody is to scan such a link');
  assert.deepEqual(await barriers(page), []);
  const offer = dialog.getByRole('button', { name: /^Let them in at / }).first();
  // A machine without an address in a local network names the command instead.
  if (!(await offer.isVisible())) {
    assert.match(await dialog.getByLabel('Command').inputValue(), /^holt --listen \S+:\d+$/);
    return;
  }
  await friend.page.keyboard.press('i');
  await friend.page.getByRole('dialog').getByText('Only this computer').waitFor();
  assert.equal(
    await friend.page.getByRole('button', { name: /^Let them in/ }).count(), 0,
    'only a host may open the server',
  );
  await offer.focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('img', { name: /^QR code of the link to play/ }).waitFor();
  await dialog.getByText('The links work in your network').waitFor();
  assert.deepEqual(await barriers(page), []);
  const link = await dialog.locator('#link-player').inputValue();
  assert.doesNotMatch(link, /127\.0\.0\.1|localhost/);
  const cleo = await arrive('Cleo');
  t.after(() => cleo.page.context().close());
  await joinByInvite(cleo, link);
  assert.equal(await cleo.page.locator('main#table').getAttribute('data-role'), 'player');
});

test('the first page shows the games, a name and one button without scrolling', async (t) => {
  const server = await fileServer();
  for (const context of [desktop, phone]) {
    const { page } = await arrive('Ada', { context });
    t.after(() => page.context().close());
    await page.goto(`${server.url}/`);
    const { width, height } = context.viewport;
    for (const what of [
      page.getByRole('heading', { level: 1 }),
      ...(await page.locator('.shelf-art').all()).slice(0, 4), // this server has more games
      page.getByLabel('Your name'),
      page.getByRole('button', { name: 'Start a table' }),
    ]) {
      const box = await what.boundingBox();
      assert.ok(box && box.y >= 0 && box.y + box.height <= height, `${what} is in sight`);
      assert.ok(box.x >= 0 && box.x + box.width <= width);
    }
    assert.equal(await page.getByText('My bag').count(), 0, 'a newcomer reads nothing of bags');
    await page.waitForFunction(() => document.fonts.check('16px "Bree Serif"'));
  }
});

test('finding 14: a spectator reads nothing of dragging pieces', async (t) => {
  const { invites, join } = await party(t);
  const { page } = await join('Dora', invites.spectator);
  await page.getByText('You are watching. Drag with the mouse to move the table').waitFor();
  assert.equal(await page.getByText('Drag pieces').count(), 0);
});

test('finding 14: a phone says how many people it does not show', async (t) => {
  const { host, invites, join } = await party(t, { host: phone });
  for (const nick of ['Cleo', 'Dora']) await join(nick, invites.player);
  const discs = host.page.locator('.discs');
  await discs.locator('.rest', { hasText: '+2' }).waitFor();
  assert.equal(await discs.locator('.disc:not(.rest)').count(), 2);
});

test('the first page says who is at one’s tables', async (t) => {
  const { host, server } = await party(t);
  const { page } = host;
  await page.goto(`${server.url}/`);
  await page.getByText('Ben is there.').waitFor();
});
