// Replays: the past of a table in the page, and as a file that needs no server.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { barriers } from './axe.js';
import { browser } from './browser.js';
import { drawIntoHand } from './cards.js';
import { desktop, party, phone } from './party.js';
import {
  away, carry, drag, eventually, frame, middle, named, pieces, scale, still, until,
} from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** Opens the replay from the log, and waits until all is read. @param {Page} page */
async function openReplay(page) {
  await page.getByRole('button', { name: /^Chat/ }).click();
  await page.getByRole('link', { name: 'Replay' }).click();
  await read(page);
}

/** @param {Page} page */
const read = (page) => page.locator('main[data-replay-read][data-ready]').waitFor();
/** @param {Page} page */
const slider = (page) => page.getByRole('slider', { name: 'Where in the game' });
/** @param {Page} page */
const told = (page) => slider(page).getAttribute('aria-valuetext');

/** Returns the pieces without versions, which each view counts for itself. @param {Page} page */
async function shown(page) {
  const all = await pieces(page);
  return all.map(({ mark: _, ...piece }) => piece).sort((a, b) => a.id - b.id);
}

test('T73.14, T73.17: people open the hands that they had, and all watch the game with them',
  async (t) => {
    const { host, friend } = await party(t, { game: 'cards', friend: phone });
    for (const { page } of [host, friend])
      await page.getByRole('button', { name: 'Got it' }).click();
    const hers = [await drawIntoHand(host.page), await drawIntoHand(host.page)]
      .map(({ label }) => label.split(',', 1)[0]);
    await still(host.page);
    /** How many cards of Ada’s hand a page shows. @param {Page} page */
    const adas = async (page) => (await pieces(page)).filter(({ label }) =>
      hers.includes(label.split(',', 1)[0])).length;

    await openReplay(host.page);
    await host.page.getByRole('button', { name: 'Hands' }).click();
    const dialog = host.page.getByRole('dialog', { name: 'Open hands' });
    await dialog.getByText('Nobody has opened').waitFor();
    await shoot(host.page, 'hands-closed');
    await dialog.getByRole('button', { name: 'Open my hands' }).click();
    await dialog.getByText(/^Ada let everybody watch the game with the hands/).waitFor();
    await dialog.getByText('Not yet open: Ben.').waitFor();
    assert.deepEqual(await barriers(host.page), [], 'axe finds nothing on a desktop');

    await openReplay(friend.page);
    await slider(friend.page).press('End');
    await friend.page.getByRole('button', { name: 'Hands' }).click();
    const theirs = friend.page.getByRole('dialog', { name: 'Open hands' });
    await theirs.getByText(/^Ada let everybody watch/).waitFor();
    await shoot(friend.page, 'hands-phone');
    assert.deepEqual(await barriers(friend.page), [], 'axe finds nothing on a phone');
    await theirs.getByRole('link', { name: 'Watch with open hands' }).click();
    await read(friend.page);
    await slider(friend.page).press('End');
    assert.ok(
      await eventually(friend.page, async () => await adas(friend.page) === 2),
      'Ben sees both of her cards',
    );
    await shoot(friend.page, 'hands-open');
    await friend.page.getByRole('button', { name: 'Hands' }).click();
    await friend.page.getByRole('link', { name: 'Watch what I saw' }).click();
    await read(friend.page);
    await slider(friend.page).press('End');
    assert.equal(await adas(friend.page), 0, 'what he saw has none of them');
  });

test('T73.11: a game can be watched again, by keys, lines and time', async (t) => {
  const { host, friend } = await party(t, { game: 'chess', host: desktop, friend: phone });
  for (const { page } of [host, friend]) await page.getByRole('button', { name: 'Got it' }).click();
  const white = await named(host.page, 'White pawn');
  const up = await drag(host.page, white.id, { x: 0, y: -1000 });
  await until(friend.page, white.id, { y: up.y, holder: 0 });
  const black = await named(friend.page, 'Black pawn');
  const down = await drag(friend.page, black.id, { x: 0, y: 1000 });
  await until(host.page, black.id, { y: down.y, holder: 0 });
  const knight = await named(host.page, 'White knight');
  const jumped = await drag(host.page, knight.id, { x: 500, y: -1000 });
  await until(friend.page, knight.id, { y: jumped.y, holder: 0 });
  await still(host.page);
  const end = await shown(host.page);

  await openReplay(host.page);
  await until(host.page, white.id, { x: white.x, y: white.y });
  assert.match(await told(host.page) ?? '', /^0 of \d+: The game is set up\.$/);
  await slider(host.page).press('End');
  await until(host.page, knight.id, { x: jumped.x, y: jumped.y });
  assert.match(await told(host.page) ?? '', /Ada moved the white knight from [a-h]1 to [a-h]3\.$/);
  assert.deepEqual(await shown(host.page), end, 'it ends as the table is');
  await shoot(host.page, 'replay-desktop');
  await slider(host.page).press('ArrowLeft');
  await until(host.page, knight.id, { x: knight.x, y: knight.y });
  await until(host.page, black.id, { y: down.y });

  // A line of the list, and back to the start.
  const list = host.page.getByRole('complementary', { name: 'All lines' });
  await list.getByRole('button', { name: /moved the white knight/ }).click();
  await until(host.page, knight.id, { y: jumped.y });
  await slider(host.page).press('Home');
  await until(host.page, white.id, { y: white.y });

  // It plays to the end by itself, and what is pressed on the table does nothing.
  await host.page.getByLabel('Speed').selectOption('4×');
  await host.page.getByLabel('Pace').selectOption('Line by line');
  await host.page.getByRole('button', { name: 'Play' }).click();
  await until(host.page, knight.id, { y: jumped.y });
  await host.page.getByRole('button', { name: 'Play' }).waitFor();
  await host.page.locator(`[data-piece="${white.id}"]`).click({ force: true });
  await host.page.keyboard.press('Delete');
  await eventually(host.page, async () =>
    JSON.stringify(await shown(host.page)) === JSON.stringify(end)); // labels come a frame later
  assert.deepEqual(await shown(host.page), end, 'nothing has changed it');
  assert.deepEqual(await barriers(host.page), [], 'axe finds nothing on a desktop');

  await openReplay(friend.page);
  await slider(friend.page).press('End');
  await until(friend.page, knight.id, { y: jumped.y });
  await shoot(friend.page, 'replay-phone');
  await friend.page.getByRole('button', { name: 'All lines' }).click();
  await shoot(friend.page, 'replay-phone-lines');
  assert.deepEqual(await barriers(friend.page), [], 'axe finds nothing on a phone');
  await friend.page.getByRole('link', { name: 'Back to the table' }).click();
  await until(friend.page, knight.id, { y: jumped.y });
});

/**
 * Drags what the mouse has on, step by step, so that its motion lasts.
 *
 * @param {Page} page
 * @param {{x: number, y: number}} at where the mouse is
 * @param {number} by in table units
 */
async function dragOn(page, at, by) {
  const to = await away(page, at, { x: 0, y: by });
  for (let i = 1; i <= 8; i++) {
    await page.mouse.move(at.x + (to.x - at.x) * i / 8, at.y + (to.y - at.y) * i / 8);
    await frame(page);
  }
}

/** Lets a host have motion recorded. @param {Page} page */
async function record(page) {
  await page.locator('.title-button').click();
  await page.getByRole('checkbox', { name: /^Record how pieces move/ }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/**
 * Moves the slider to the middle of what moved after a line, and checks that a piece is shown
 * between two points of the table.
 *
 * @param {Page} page
 * @param {number} line
 * @param {import('./pieces.js').Piece} from
 * @param {import('./pieces.js').Piece} to
 */
async function betweenLines(page, line, from, to) {
  /** How far it is shown on its way. */
  const part = async () => {
    const { y } = await middle(page, from.id);
    return (y - start) / ((to.y - from.y) * await scale(page));
  };
  await slider(page).press('Home');
  await until(page, from.id, { y: from.y, holder: 0 });
  await still(page);
  const start = (await middle(page, from.id)).y;
  await slider(page).evaluate((e, place) => {
    /** @type {HTMLInputElement} */ (e).value = String(place);
    e.dispatchEvent(new Event('input', { bubbles: true }));
  }, line + 0.5);
  const isBetween = async () => await part() > 0.1 && await part() < 0.9;
  assert.ok(await eventually(page, isBetween), `it is shown at ${await part()} of its way`);
  await until(page, from.id, { y: from.y, holder: 1 }); // an update has not put it there
}

test('T73.12, T73.20: a replay is one file, which asks nobody for anything', async (t) => {
  const { host, friend } = await party(t, { game: 'cards', host: desktop });
  for (const { page } of [host, friend]) await page.getByRole('button', { name: 'Got it' }).click();
  await record(host.page);
  const from = await named(host.page, 'Blue chips');
  const at = await middle(host.page, from.id);
  await carry(host.page, from.id, { x: 0, y: 100 });
  await dragOn(host.page, at, 1200);
  await host.page.mouse.up();
  const to = await until(host.page, from.id, { holder: 0 });
  await drawIntoHand(host.page);
  await drawIntoHand(friend.page);
  await openReplay(host.page);
  assert.match(await told(host.page) ?? '', /^0 of/);
  const line = host.page.getByRole('complementary', { name: 'All lines' })
    .getByRole('button', { name: /moved .*blue chips/ });
  await line.click();
  const number = Number((await told(host.page))?.split(' ')[0]);
  await betweenLines(host.page, number - 1, from, to);
  await shoot(host.page, 'replay-motion');
  await slider(host.page).press('ArrowRight');
  await until(host.page, from.id, { y: to.y, holder: 0 });
  await slider(host.page).press('End');
  await still(host.page);
  const end = await shown(host.page);
  const saving = host.page.waitForEvent('download');
  await host.page.getByRole('button', { name: 'Save as file' }).click();
  const folder = mkdtempSync(join(tmpdir(), 'replay-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'replay.html');
  await (await saving).saveAs(path);
  await shoot(host.page, 'replay-cards');

  const text = readFileSync(path, 'utf8');
  for (const { name, value } of await host.page.context().cookies())
    assert.ok(!text.includes(value), `the file has the cookie ${name}`);
  assert.ok(!text.includes(new URL(host.page.url()).host), 'the file names the server');

  const context = await (await browser()).newContext({ ...desktop, offline: true });
  t.after(() => context.close());
  const page = await context.newPage();
  /** @type {string[]} */
  const faults = [];
  page.on('console', (m) => m.type() !== 'log' && faults.push(m.text()));
  page.on('pageerror', (e) => faults.push(String(e)));
  page.on('request', (r) => {
    if (!/^(file|blob|data):/.test(r.url())) faults.push(r.url());
  });
  await page.goto(pathToFileURL(path).href);
  await read(page);
  await slider(page).press('End');
  assert.ok(await eventually(page, async () =>
    JSON.stringify(await shown(page)) === JSON.stringify(end)), 'it ends as the replay does');
  await shoot(page, 'replay-file');
  await betweenLines(page, number - 1, from, to);
  assert.deepEqual(faults, []);
  assert.equal(await page.getByRole('link', { name: 'Back to the table' }).count(), 0);
});
