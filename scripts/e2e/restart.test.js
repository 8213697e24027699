// The server dies, the network goes: pages go on by themselves, and nothing that was shown is lost.

import assert from 'node:assert/strict';
import test from 'node:test';
import { networkErrors } from './browser.js';
import { party } from './party.js';
import {
  agree, carry, drag, focus, middle, named, piece, pieces, same, scale, until,
} from './pieces.js';

/** @typedef {import('./party.js').Person} Person */

const online = 'main#table[data-status="online"]';
const banner = '.banner:not([hidden])';

test('T10, T19, S5 a server killed amid a drag restarts and loses nothing', async (t) => {
  const { server, host, friend } = await party(t, { own: true });
  await stay(host);
  await stay(friend);
  const pawn = await named(host.page, 'White pawn');
  const knight = await named(friend.page, 'Black knight');

  const seen = await drag(friend.page, knight.id, { x: 250, y: 1000 });
  await agree(host.page, friend.page);

  await carry(host.page, pawn.id, { x: 0, y: -500 });
  await server.kill();
  await host.page.mouse.up();
  const put = await until(host.page, pawn.id, { holder: 0 });
  const queen = await named(friend.page, 'White queen');
  await focus(friend.page, queen.id);
  await friend.page.keyboard.press('r');
  await until(friend.page, queen.id, { angle: 1500 });
  await host.page.locator(banner).waitFor();
  await friend.page.locator(banner).waitFor();

  await server.start();
  await Promise.all([host.page.locator(online).waitFor(), friend.page.locator(online).waitFor()]);
  const theirs = await same(
    friend.page, await until(host.page, pawn.id, { x: put.x, y: put.y, holder: 0 }),
  ).catch(() => null);
  await agree(host.page, friend.page);
  assert.ok(
    theirs || (await same(friend.page, put)),
    'the drag released during the outage has arrived',
  );
  await same(host.page, seen);
  await same(host.page, await piece(friend.page, queen.id));

  const again = await drag(host.page, pawn.id, { x: 500, y: 0 });
  await agree(host.page, friend.page);
  await same(friend.page, again);
  for (const p of [host, friend])
    assert.ok(await stayed(p), `${p.nick}'s page was not loaded again`);
  assert.equal(await host.page.locator(banner).count(), 0, 'the banner is gone');
});

test('T19 the server is killed five times during play', async (t) => {
  const { server, host, friend } = await party(t, { own: true });
  await stay(host);
  await stay(friend);
  for (let round = 0; round < 5; round++) {
    const pawn = await named(host.page, 'White pawn');
    const other = await named(friend.page, 'Black pawn');
    await Promise.all([
      drag(host.page, pawn.id, { x: 20, y: -40 }), drag(friend.page, other.id, { x: 20, y: 40 }),
    ]);
    await server.kill();
    await server.start();
    await Promise.all([host.page.locator(online).waitFor(), friend.page.locator(online).waitFor()]);
    await agree(host.page, friend.page);
  }
  for (const p of [host, friend])
    assert.ok(await stayed(p), `${p.nick}'s page was not loaded again`);
});

test('a graceful stop is announced, exits cleanly, and pages come back', async (t) => {
  const { server, host, friend } = await party(t, { own: true });
  await stay(host);
  await stay(friend);
  const put = await drag(host.page, (await named(host.page, 'White pawn')).id, { x: 0, y: -500 });
  await agree(host.page, friend.page);
  assert.equal(await server.stop(), 0, 'exit code');
  await server.start();
  await Promise.all([host.page.locator(online).waitFor(), friend.page.locator(online).waitFor()]);
  await same(friend.page, put);
  await agree(host.page, friend.page);
});

test('T10.18 a lost answer makes nothing happen twice', async (t) => {
  const { host, friend } = await party(t, { links: true });
  await stay(host);
  const pawn = await named(host.page, 'White pawn');
  const before = (await pieces(friend.page)).length;

  host.link?.hold('down');
  await focus(host.page, pawn.id);
  await host.page.keyboard.press('c');
  await friend.page.locator(`main#table[data-pieces="${before + 1}"]`).waitFor();
  host.link?.cut(); // the answer and the ack are lost
  host.link?.release();
  host.link?.mend();

  await host.page.locator(`${online}[data-pieces="${before + 1}"]`).waitFor();
  await drag(host.page, pawn.id, { x: 0, y: -500 });
  await agree(host.page, friend.page);
  assert.equal((await pieces(friend.page)).length, before + 1, 'there is one copy');
  assert.ok(await stayed(host));
});

test('without a network players look around; their updates are sent later', async (t) => {
  const { host, friend } = await party(t, { links: true });
  await stay(friend);
  const mine = await named(friend.page, 'White pawn');
  const there = await same(host.page, mine);

  friend.link?.cut();
  await friend.page
    .locator(banner)
    .getByText(/Connection lost/)
    .waitFor();
  const before = await scale(friend.page);
  await friend.page.keyboard.press('+');
  await friend.page.waitForFunction(
    (k) => Number(document.querySelector('main#table')?.getAttribute('data-scale')) / 10 > k,
    before,
  );
  const at = await middle(friend.page, mine.id);
  assert.ok(at.x > 0, 'pieces can still be looked at');
  await focus(friend.page, mine.id);
  await friend.page.keyboard.press('r');
  await until(friend.page, mine.id, { angle: 1500 });
  await friend.page.locator(`[data-piece="${mine.id}"].waiting`).waitFor();
  assert.equal((await piece(host.page, there.id)).angle, 0);

  friend.link?.mend();
  await friend.page
    .getByRole('button', { name: 'Try now' })
    .click({ timeout: 5_000 })
    .catch(() => {}); // it may have come back by itself
  await until(host.page, there.id, { angle: 1500 });
  await friend.page.locator(online).waitFor();
  await agree(host.page, friend.page);
  assert.ok(await stayed(friend), 'without reloading the page');
});

/**
 * Marks a page, to detect a reload. Errors of the network are expected from here on.
 *
 * @param {Person} person
 */
async function stay({ page, watch }) {
  watch.expect(networkErrors);
  await page.evaluate(() => {
    Object.assign(window, { stayed: true });
  });
}

/** Whether the page has not been loaded again since. @param {Person} person */
function stayed({ page }) {
  return page.evaluate(() => 'stayed' in window);
}
