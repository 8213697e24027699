// The settings of the table, and how people appear (component.md, C14): hosts set the table's, and
// everybody their own, online and offline.

import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeMessage } from '../../static/js/parts/components/wire.js';
import { barriers } from './axe.js';
import { networkErrors } from './browser.js';
import { myHand } from './cards.js';
import { bringBack, cutOff } from './outage.js';
import { arrive, atTable, devices, party } from './party.js';
import {
  alarms, drag, eventually, focus, middle, named, pieces, same, still, until,
} from './pieces.js';
import { shoot } from './shots.js';

/** The number of the component Foreign (C14). */
const FOREIGN = 3006;

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./party.js').Person} Person */

/** Opens the dialog of the table. @param {Page} page */
async function settings(page) {
  await page.locator('.title-button').click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  return dialog;
}

/** @param {Page} page */
async function close(page) {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/**
 * Sets a field by typing.
 *
 * @param {import('playwright-core').Locator} field
 * @param {string} value
 */
async function type(field, value) {
  await field.fill(value);
  await field.blur();
}

/** Waits until the page shows a title. @param {Page} page @param {string} title */
const titled = (page, title) =>
  page.locator('.title', { hasText: new RegExp(`^${title}`) }).waitFor();

/**
 * Waits until all pages show the same surface, one that somebody set. Each setting arrives in its
 * own time, so a page may show the grid before the surface.
 *
 * @param {Page[]} pages
 */
async function sameSurface(pages) {
  /** @type {(string|null)[]} */
  let shown = [];
  const same = await eventually(pages[0], async () => {
    shown = await Promise.all(
      pages.map((page) => page.locator('.surface').getAttribute('data-surface')),
    );
    return shown.every((surface) => surface === shown[0]);
  });
  assert.ok(same && (shown[0] === 'wood' || shown[0] === 'paper'), `all see ${shown}`);
}

/** The host at a second device. @param {import('node:test').TestContext} t @param {Person} host */
async function again(t, host) {
  const other = await arrive('Ada', { link: true });
  t.after(async () => {
    await other.page.context().close();
    await other.link?.close();
  });
  await other.page.context().addCookies(await host.page.context().cookies());
  await other.page.goto(host.page.url());
  await atTable(other.page);
  return other;
}

test('C14 C17 a host sets the table on two devices, one offline: both agree', async (t) => {
  const { host, friend } = await party(t, { links: true });
  const other = await again(t, host);
  const there = await settings(other.page);
  await cutOff(other);
  await there.getByText('You are not connected. Your changes will be sent when you are.').waitFor();
  await type(there.getByLabel('Title'), 'Off line');
  await there.getByRole('radio', { name: 'Paper' }).check({ force: true });
  await there.getByRole('radio', { name: 'Hexagons' }).check({ force: true });
  await titled(other.page, 'Off line'); // at once
  await other.page.locator('.surface[data-surface="paper"] .cells:not([hidden])').waitFor();

  const here = await settings(host.page);
  await type(here.getByLabel('Title'), 'Zulu');
  await type(here.getByLabel('Title'), 'Thursday');
  await here.getByRole('radio', { name: 'Wood' }).check({ force: true });
  await titled(friend.page, 'Thursday');
  assert.equal(await friend.page.locator('.cells:not([hidden])').count(), 0);

  await bringBack(other);
  for (const { page } of [host, friend, other]) {
    await titled(page, 'Thursday'); // it was overwritten once more
    await page.locator('.cells:not([hidden])').waitFor();
  }
  await sameSurface([host.page, friend.page, other.page]);
  await there.getByText('There is no connection').waitFor({ state: 'detached' });
  assert.equal(await there.getByLabel('Title').inputValue(), 'Thursday', 'an open dialog shows it');
  assert.doesNotMatch(await alarms(other.page), /could not be saved/);
});

test('C14 mouse and keys snap pieces to the grid for all, but not in hands', async (t) => {
  const { host, friend } = await party(t, { game: 'tokens' });
  const { page } = host;
  const dialog = await settings(page);
  await dialog.getByRole('radio', { name: 'Squares' }).check({ force: true });
  await type(dialog.getByLabel('Size of a cell'), '80');
  await type(dialog.getByLabel('Shift right'), '10');
  await close(page);
  // Each setting of the grid arrives by itself: Ben's page snaps to what it has.
  const grid = friend.page.locator('.cells:not([hidden]) pattern[width="80"][x="10"]');
  await grid.waitFor({ state: 'attached' });
  const isCentre = (/** @type {{x: number, y: number}} */ { x, y }) =>
    (x - 100 - 400) % 800 === 0 && (y - 400) % 800 === 0;

  const note = await named(friend.page, 'Note');
  const theirs = await same(page, note);
  const put = await drag(friend.page, note.id, { x: 230, y: 340 });
  assert.ok(isCentre(put), `${put.x}, ${put.y} is the middle of a cell`);
  await until(page, theirs.id, { x: put.x, y: put.y });

  const coin = await named(page, 'Coin');
  await focus(page, coin.id);
  await page.keyboard.press('Enter');
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  const laid = await until(page, coin.id, { holder: 0 });
  assert.ok(isCentre(laid), `${laid.x}, ${laid.y} is the middle of a cell`);

  await still(page);
  const gold = await named(page, 'Gold');
  const hand = await middle(page, (await myHand(page)).id);
  const from = await middle(page, gold.id);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(hand.x + 37, hand.y + 5, { steps: 5 });
  await page.mouse.up();
  await page.locator('[data-piece][aria-label^="Gold"][aria-label*="in your hand"]').waitFor();
  const kept = (await pieces(page)).find(({ label }) => /^Gold.*in your hand/.test(label));
  assert.ok(kept && !isCentre(kept), 'pieces in the hand do not snap');

  await (await settings(page)).getByRole('checkbox', { name: /snap/ }).uncheck();
  await close(page);
  const free = await drag(page, coin.id, { x: 37, y: -53 });
  assert.ok(!isCentre(free), 'it lies where it was released');
});

test('C14 T24 a smaller table names the pieces beyond its edge and moves them in', async (t) => {
  const { host, friend } = await party(t);
  const { page } = host;
  const dialog = await settings(page);
  await dialog.getByLabel('Width in cm').fill('50');
  await dialog.getByText(/^2 pieces would be off the table and will be moved in/).waitFor();
  await dialog.getByRole('button', { name: 'Change the size' }).click();
  await page
    .locator('[data-live]', { hasText: /The table is now 50 by \d+ cm\./ })
    .waitFor({ state: 'attached' });
  await friend.page.waitForFunction(() =>
    document.querySelector('.world')?.getAttribute('style')?.includes('--table-w: 500px'),
  );
  for (const p of [page, friend.page]) {
    await p.waitForFunction(() =>
      [...document.querySelectorAll('[data-piece][aria-label*="queen"]')].every(
        (e) => Math.abs(Number(e.getAttribute('data-x'))) <= 2500,
      ),
    );
    const out = (await pieces(p)).filter(
      ({ x, label }) => Math.abs(x) > 2500 && !/pinned|locked/.test(label),
    );
    assert.deepEqual(
      out.map(({ label }) => label), [],
    );
  }
});

test('K17.1, K17.9 a host has motion recorded; all read that; it survives a crash', async (t) => {
  const { server, host, friend, table } = await party(t, { own: true });
  const lines = () => server.operate('motion', table).split('\n').filter(Boolean);
  const [king] = (await pieces(host.page)).filter(({ label }) => /king/.test(label));
  await drag(host.page, king.id, { x: 300, y: 200 });
  assert.deepEqual(lines(), [], 'it is off unless somebody switches it on');
  const dialog = await settings(host.page);
  await dialog.getByRole('checkbox', { name: /^Record how pieces move/ }).check();
  await close(host.page);
  const theirs = await settings(friend.page);
  await theirs.getByText('This table records how pieces move.').waitFor();
  assert.equal(await theirs.getByRole('checkbox').count(), 0, 'only hosts set it');
  await close(friend.page);
  await drag(host.page, king.id, { x: -300, y: 200 });
  await eventually(friend.page, async () => lines().some((line) => line.includes('"ended":true')));
  for (const { watch } of [host, friend]) watch.expect(networkErrors);
  await server.kill();
  const all = lines().map((line) => JSON.parse(line));
  assert.ok(all.some((line) => line.piece === king.id && line.end), JSON.stringify(all));
  assert.ok(all.some((line) => line.piece === king.id && line.ended), JSON.stringify(all));
  await server.start();
  await until(friend.page, king.id, { holder: 0 });
});

test('C21.1, C21.2, C21.13 a host lets programs keep things, and takes it back', async (t) => {
  const { server, host, friend, table } = await party(t);
  const { page } = host;
  /** The setting as the table has it, for programs. */
  const setting = async () => {
    const cookies = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`);
    const answer = await fetch(`${server.url}/api/v1/tables/${table}/components`, {
      headers: { Cookie: cookies.join('; ') },
    });
    const { ops } = decodeMessage(new Uint8Array(await answer.arrayBuffer()));
    const op = ops.find(({ component }) => component === FOREIGN);
    return op?.kind === 'put' ? [...op.data] : null;
  };
  const becomes = async (/** @type {number[] | null} */ want) => assert.ok(await eventually(
    page, async () => JSON.stringify(await setting()) === JSON.stringify(want),
  ), `the setting does not become ${want}`);
  const dialog = await settings(page);
  const allow = dialog.getByRole('checkbox', { name: /^Let players’ programs store/ });
  const share = dialog.getByRole('checkbox', { name: /^Programs of spectators/ });
  assert.equal(await setting(), null);
  assert.ok(await share.isDisabled(), 'nothing is shared that is not allowed');
  await allow.focus();
  await page.keyboard.press('Space');
  await becomes([8, 1]);
  const theirs = await settings(friend.page);
  await theirs.getByText('Players’ programs may store data at this table.')
    .waitFor();
  assert.equal(await theirs.getByRole('checkbox').count(), 0, 'only hosts set it');
  await share.focus();
  await page.keyboard.press('Space');
  await becomes([8, 1, 16, 1]);
  await theirs.getByText('programs of spectators can read it').waitFor();
  assert.deepEqual(await barriers(page), []);
  await allow.uncheck();
  await becomes(null);
  await dialog.locator('#table-programs-shared:not(:checked)').waitFor();
  await friend.page
    .locator('[data-live]', { hasText: 'Programs may no longer store data here.' })
    .waitFor({ state: 'attached' });
  await theirs.locator('.set-programs').waitFor({ state: 'hidden' });
});

test('C14 a host sets links, and all follow them, to their address only', async (t) => {
  const { host, friend, join, invites } = await party(t);
  const cleo = await join('Cleo', invites.spectator);
  const dialog = await settings(host.page);
  const add = dialog.getByRole('button', { name: 'Add a link' });
  await add.click();
  await dialog.getByLabel('Name', { exact: true }).fill('Voice');
  const address = dialog.getByLabel('Address', { exact: true });
  await type(address, 'https://user:secret@talk.example.org/');
  await dialog.getByText('An address begins with https://').waitFor();
  assert.equal(await friend.page.locator('.title-links').count(), 0);
  for (const bad of ['javascript:alert(1)', 'http://talk.example.org/']) {
    await type(dialog.getByLabel('Address', { exact: true }), bad);
    await dialog.getByText('An address begins with https://').waitFor();
  }
  await type(dialog.getByLabel('Address', { exact: true }), 'talk.example.org/room?a=1');
  for (const { page } of [friend, cleo]) {
    await page.locator('.title-links[data-links="1"]').waitFor();
    const seen = await settings(page);
    const link = seen.getByRole('link', { name: /^Voice/ });
    assert.equal(await link.getAttribute('href'), 'https://talk.example.org/room?a=1');
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer');
    assert.equal(await seen.getByRole('textbox').count(), 0, 'only hosts set anything');
    await close(page);
  }
  await dialog.getByRole('button', { name: /Remove the link/ }).click();
  for (const { page } of [friend, cleo])
    await page.locator('.title-links').waitFor({ state: 'detached' });
});

test('C14 C17 players set their looks, also offline; others see it later', async (t) => {
  const { host, friend } = await party(t, { links: true });
  const { page } = friend;
  await page.locator('button.crowd').click();
  const edit = page.getByRole('button', { name: 'Change how you appear' });
  await edit.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'they/them' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await host.page.locator('button.crowd').click();
  await host.page.locator('.seat[data-seat="2"] .seat-pronoun', { hasText: 'they/them' }).waitFor();

  await cutOff(friend);
  await edit.click();
  await dialog.getByLabel('Your name').fill('  Benjamin  ');
  await dialog.getByRole('radio', { name: /^Jade/ }).check({ force: true });
  await dialog.getByLabel('I am away').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const own = page.locator('.seat[data-seat="2"]');
  await own.getByText('Benjamin').waitFor();
  await own.getByText('not sent yet').waitFor();
  assert.equal(await host.page.getByText('Benjamin').count(), 0);

  await bringBack(friend);
  const theirs = host.page.locator('.seat[data-seat="2"]');
  await theirs.getByText('Benjamin').waitFor();
  await theirs.getByText('away').waitFor();
  await host.page
    .locator('[data-live]', { hasText: 'Benjamin is away.' })
    .waitFor({ state: 'attached' });
  await own.getByText('not sent yet').waitFor({ state: 'detached' });
  const faces = await Promise.all(
    [own, theirs].map((l) =>
      l.locator('.disc-face').evaluate((e) => getComputedStyle(e).backgroundColor),
    ),
  );
  assert.deepEqual(faces, ['rgb(42, 138, 95)', 'rgb(42, 138, 95)']);

  const pawn = await named(page, 'White pawn');
  await focus(page, pawn.id);
  await page.keyboard.press('Enter');
  // The name is shown at what they hold, too.
  await host.page.locator('.piece > .tag', { hasText: 'Benjamin' }).waitFor();
  await page.keyboard.press('Escape');
});

for (const [device, context] of devices) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`axe passes for settings and looks on a ${device} in ${colorScheme}`, async (t) => {
      const { host, friend } = await party(t, {
        host: { ...context, colorScheme }, friend: { ...context, colorScheme },
      });
      const { page } = host;
      const dialog = await settings(page);
      await dialog.getByRole('radio', { name: 'Hexagons' }).check({ force: true });
      await dialog.getByRole('button', { name: 'Add a link' }).click();
      await type(dialog.getByLabel('Address', { exact: true }), 'talk.example.org');
      assert.deepEqual(await barriers(page), []);
      await close(page);
      assert.deepEqual(await barriers(page), []);
      await friend.page.locator('.title-links').waitFor();
      await settings(friend.page);
      assert.deepEqual(await barriers(friend.page), []);
      await close(friend.page);
      await page.locator('button.crowd').click();
      await page.getByRole('button', { name: 'Change how you appear' }).click();
      await page.getByRole('dialog').waitFor();
      assert.deepEqual(await barriers(page), []);
      await page.getByRole('button', { name: 'he/him' }).click();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.locator('.seat-pronoun').waitFor();
      assert.deepEqual(await barriers(page), []);
    });
  }
}

for (const [name, context] of devices)
  test(`G17.1 a table begins with the grid of its game, on a ${name}`, async (t) => {
    const { host, friend } = await party(t, { game: 'ground', host: context });
    const { page } = host;
    for (const one of [page, friend.page])
      await one.locator('.cells:not([hidden]) pattern[width="70"]').waitFor({ state: 'attached' });
    assert.deepEqual(await barriers(page), []);
    await still(page);
    await shoot(page, `ground-${name}`);
    // By mouse, to the nearest hexagon, which is half a cell further in the next row; and by keys.
    const hero = (await pieces(friend.page)).filter(({ label }) => /^Hero/.test(label))
      .find(({ x }) => x === 700);
    assert.ok(hero);
    await drag(friend.page, hero.id, { x: 290, y: 670 });
    const put = await until(friend.page, hero.id, { x: 1050, y: 606, holder: 0 });
    await same(page, put);
    await focus(friend.page, hero.id);
    await friend.page.keyboard.press('Enter');
    await friend.page.keyboard.press('ArrowLeft');
    await friend.page.keyboard.press('Enter');
    await same(page, await until(friend.page, hero.id, { x: 350, y: 606, holder: 0 }));
  });
