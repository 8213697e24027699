// A newcomer makes a game out of a photo, a CSV and a sheet, with a friend at the table, and takes
// it to another server. Clicks and keys are counted.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { barriers } from './axe.js';
import {
  FOXES, Hand, bringElsewhere, button, csv, editor, holds, sheet,
} from './editing.js';
import { desktop, party } from './party.js';
import { eventually, focus, named, pieces, still } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

const tablet = { viewport: { width: 1024, height: 768 }, hasTouch: true };

/** A photo. @param {Page} page */
const photo = async (page) => ({
  name: 'wood.jpg', mimeType: 'image/jpeg',
  buffer: Buffer.from(await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [1600, 1200];
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    const sky = context.createLinearGradient(0, 0, 0, 1200);
    sky.addColorStop(0, '#9db58a');
    sky.addColorStop(1, '#4f6b48');
    context.fillStyle = sky;
    context.fillRect(0, 0, 1600, 1200);
    return canvas.toDataURL('image/jpeg', 0.85).split(',')[1];
  }), 'base64'),
});

/** How many pieces of a kind somebody sees. @param {Page} page @param {string} name */
const count = async (page, name) =>
  (await pieces(page)).filter(({ label }) => new RegExp(`\\b${name}\\b`, 'i').test(label)).length;

/** Waits until there are so many. @param {Page} page @param {string} name @param {number} n */
async function sees(page, name, n) {
  assert.ok(await eventually(page, async () => (await count(page, name)) === n),
    `${await count(page, name)} of ${name}, and not ${n}`);
}

/** Presses the button on the table. @param {Page} page */
async function deal(page) {
  await focus(page, (await named(page, 'Deal')).id);
  await page.keyboard.press('o');
}

for (const [device, context] of Object.entries({ desktop, tablet }))
  test(`T99–T108 a newcomer makes a game and takes it along: ${device}`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'holt-e2e-newcomer-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const { host, friend } = await party(t, { game: 'ground', host: context });
    const { page } = host;
    for (const one of [host, friend])
      await one.page.getByRole('button', { name: 'Got it' }).click();
    const hand = new Hand(page);
    const tab = (/** @type {string} */ name) =>
      hand.click(editor(page).getByRole('tab', { name }));
    const put = async () => {
      await hand.click(button(page, 'Put on the table'));
      await editor(page).getByRole('heading', { name: 'Make something new' }).waitFor();
    };
    const again = (/** @type {string} */ name) =>
      hand.click(editor(page).getByRole('button', { name: `Add ${name}`, exact: true }));

    // The board.
    await hand.click(page.getByRole('button', { name: 'Add a piece' }));
    await hand.click(page.getByRole('button', { name: 'Make a new kind of piece' }));
    await hand.click(button(page, 'Board'));
    await hand.choose(button(page, 'Choose a picture'), [await photo(page)]);
    await editor(page).getByRole('button', { name: 'Remove the picture' }).waitFor();
    await put();
    await sees(friend.page, 'Board', 1);

    // Two dice, and four hands.
    await hand.click(button(page, 'Die'));
    await put();
    await again('Die');
    await sees(friend.page, 'Die', 2);
    await hand.click(button(page, 'Hand'));
    await put();
    for (let n = 2; n <= 4; n++) await again('Hand');
    await sees(friend.page, 'Hand', 4);

    // 40 cards.
    await tab('Decks');
    await hand.type(editor(page).getByLabel('Name of the deck'), 'Foxes');
    await hand.choose(button(page, 'Read a CSV'), [csv(FOXES)]);
    await editor(page).getByText('20 rows are read from foxes.csv.').waitFor();
    await hand.choose(button(page, 'Cut a sheet'),
      [await sheet(page, { columns: 7, rows: 3, margin: 0, gutter: 0 })]);
    for (const [label, text] of /** @type {const} */ ([['Columns', '7'], ['Rows', '3']]))
      await hand.type(editor(page).getByLabel(label, { exact: true }), text);
    await editor(page).getByLabel('The back is').selectOption('Card 21');
    hand.clicks += 2; // the list, and the card
    await hand.click(button(page, 'Take 20 cards'));
    await editor(page).getByText('20 pictures are there.').waitFor();
    await hand.click(button(page, 'Put 40 cards on the table'));
    await editor(page).getByText('Foxes is on the table, with 40 cards.').waitFor();
    for (const one of [host, friend]) await holds(one.page, 'Foxes', 40);

    // A button that deals, tried at once.
    await tab('Pieces');
    await hand.click(button(page, 'Button'));
    await hand.type(editor(page).getByLabel('Name', { exact: true }), 'Deal');
    await hand.click(button(page, 'Add a sentence'));
    await hand.click(editor(page).getByRole('button',
      { name: 'Deal 1 card from Foxes to each hand', exact: true }));
    await hand.click(button(page, 'Put on the table'));
    await sees(friend.page, 'Deal', 1);

    // The friend tries it: takes a hand, and deals.
    const [mine] = (await pieces(friend.page)).filter(({ label }) => /\bhand\b/i.test(label));
    await focus(friend.page, mine.id);
    await friend.page.keyboard.press('m');
    assert.ok(await eventually(friend.page, async () =>
      (await pieces(friend.page)).some(({ label }) => /your hand/i.test(label))), 'it is Ben’s');
    await deal(friend.page);
    for (const one of [host, friend]) await holds(one.page, 'Foxes', 39);

    // Four seats, one for each hand, and what is saved is for four; then for two.
    await tab('Game');
    await hand.type(editor(page).getByLabel('Name of the game'), 'Fox hunt');
    await hand.click(editor(page).getByText('Seats', { exact: true }));
    for (let n = 1; n <= 4; n++) await hand.click(button(page, 'Add a seat'));
    await hand.click(button(page, 'Save the game'));
    await editor(page).getByText('“Fox hunt” is saved among your games.').waitFor();
    const spare = (await pieces(page)).filter(({ label }) =>
      /\bhand\b/i.test(label) && !/\bBen\b/.test(label)).slice(1);
    for (const { id } of spare) {
      await focus(page, id);
      await hand.press('Escape'); // else it would mean what is selected
      await focus(page, id);
      await hand.press('Delete');
    }
    await sees(page, 'Hand', 2);
    await hand.click(editor(page).getByText('Set-ups', { exact: true }));
    await hand.type(editor(page).getByLabel('Name of the set-up'), 'For two');
    await hand.click(button(page, 'Save the table as a set-up'));
    await editor(page).getByText('For two', { exact: false }).last().waitFor();
    await still(page);
    assert.deepEqual(await barriers(page), [], 'axe: the game');
    await shoot(page, `newcomer-${device}`);
    t.diagnostic(`${device}: ${hand.clicks} clicks and ${hand.keys} keys`);
    console.log(`newcomer, ${device}: ${hand.clicks} clicks and ${hand.keys} keys`);

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      editor(page).getByRole('link', { name: 'Download it as a file' }).click(),
    ]);
    const path = join(folder, 'fox-hunt.holt');
    await file.saveAs(path);

    // It is played on another server.
    const { page: far } = await bringElsewhere(t, path, 'Fox hunt');
    await far.getByRole('button', { name: /^Start/ }).first().click();
    await far.locator('main#table[data-ready]').waitFor();
    await holds(far, 'Foxes', 40);
    await sees(far, 'Board', 1);
    await deal(far);
    await holds(far, 'Foxes', 39); // she has the only hand that belongs to somebody
    assert.ok(await eventually(far, async () =>
      (await pieces(far)).some(({ label }) => /^Fox \d+\b/.test(label))), 'she sees her card');
    await still(far);
    await shoot(far, `newcomer-far-${device}`);
  });
