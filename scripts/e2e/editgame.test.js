// The tab of the game in the editor: what a game says of itself, its seats, set-ups for different
// numbers of players, and versions; and the way of a game to another server.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { barriers } from './axe.js';
import { bringElsewhere, editor } from './editing.js';
import { party, phone } from './party.js';
import { eventually, middle, named, pieces, said, still } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

const tablet = { viewport: { width: 820, height: 1180 }, hasTouch: true };

/** Begins to edit, from the list of people. @param {Page} page */
async function edit(page) {
  const people = page.getByRole('complementary', { name: 'People' });
  await page.locator('.crowd').click();
  await people.getByRole('button', { name: 'Edit the game' }).click();
  await editor(page).waitFor();
}

/** Selects a piece. @param {Page} page @param {number} id */
async function click(page, id) {
  const { x, y } = await middle(page, id);
  await page.mouse.click(x, y);
  await page.locator(`[data-piece="${id}"].selected`).waitFor();
}

/** Puts something new on the table. @param {Page} page @param {string} what @param {string} name */
async function put(page, what, name) {
  await editor(page).getByRole('button', { name: what, exact: true }).click();
  await editor(page).getByLabel('Name', { exact: true }).fill(name);
  await editor(page).getByRole('button', { name: 'Put on the table' }).click();
  await editor(page).getByRole('heading', { name: 'Make something new' }).waitFor();
  assert.ok(await eventually(page, async () => (await lying(page, [name])).length > 0), name);
}

/** Which of these kinds lie on the table. @param {Page} page @param {string[]} names */
async function lying(page, names) {
  const all = (await pieces(page)).map((p) => p.label);
  return names.filter((name) =>
    all.some((label) => new RegExp(`\\b${name}\\b`, 'i').test(label)));
}

const KINDS = ['Wolf', 'Sheep', 'Den'];

/** Waits until these kinds lie on the table. @param {Page} page @param {string[]} names */
async function has(page, names) {
  assert.ok(await eventually(page, async () =>
    (await lying(page, KINDS)).join() === names.join()), `${await lying(page, KINDS)}`);
}

/** Saves the game, and waits until that is said. @param {Page} page */
async function save(page) {
  await editor(page).getByRole('button', { name: 'Save the game' }).click();
  await editor(page).getByText('“Wolves” is saved among your games.').waitFor();
}

/** The versions that the tab lists. @param {Page} page */
const versions = (page) => editor(page).locator('.edit-versions > li');

/** Waits until there are so many versions. @param {Page} page @param {number} n */
async function counts(page, n) {
  assert.ok(await eventually(page, async () => await versions(page).count() === n),
    `${await versions(page).count()} versions and not ${n}`);
}

/** Starts a table of the chosen game. @param {Page} page @param {number} [setup] its place */
async function startTable(page, setup) {
  if (setup !== undefined)
    await page.locator('.shelf-setup:visible select').selectOption({ index: setup });
  await page.getByRole('button', { name: /^Start/ }).first().click();
  await page.locator('main#table[data-ready]').waitFor();
}

test('T105–T107, G26: a prototype with set-ups, saved, brought back, and played elsewhere',
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'holt-e2e-saves-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const { host: { page } } = await party(t, { game: 'plain' });
    await page.getByRole('button', { name: 'Got it' }).click();
    await edit(page);
    for (const [what, name] of /** @type {const} */ ([
      ['Token', 'Wolf'], ['Token', 'Sheep'], ['Hand', 'Den'],
    ])) await put(page, what, name);

    await editor(page).getByRole('tab', { name: 'Game' }).click();
    await editor(page).getByLabel('Name of the game').fill('Wolves');
    await editor(page).getByLabel('What it is about, in one sentence').fill('Howling.');
    await editor(page).getByText('About the game').click();
    await editor(page).getByLabel('Fewest players').first().fill('4');
    await editor(page).getByLabel('Most players').first().fill('2');
    await editor(page).getByRole('button', { name: 'Save the game' }).click();
    await editor(page).getByText('The fewest players come before the most').waitFor();
    await editor(page).getByLabel('Fewest players').first().fill('2');
    await editor(page).getByLabel('Most players').first().fill('4');
    await editor(page).getByLabel('Board game').check();
    await editor(page).getByLabel('Rules, as text with Markdown').fill('# Howl\n\nThen run.');
    await editor(page).getByText('Seats', { exact: true }).click();
    await editor(page).getByRole('button', { name: 'Add a seat' }).click();
    await editor(page).locator('.edit-seats input[type="text"]').fill('Pack');
    const hand = editor(page).locator('.edit-seats option:checked');
    assert.match(await hand.textContent() ?? '', /^Den/);
    await still(page);
    assert.deepEqual(await barriers(page), [], 'axe: the fields of the game');
    await shoot(page, 'saves-fields');
    await editor(page).getByLabel('What is new, in one sentence').fill('The first one.');
    await save(page);
    await counts(page, 1);

    // For two players there is no sheep.
    await click(page, (await named(page, 'Sheep')).id);
    await page.keyboard.press('Delete');
    await has(page, ['Wolf', 'Den']);
    await editor(page).getByText('Set-ups', { exact: true }).click();
    await editor(page).getByLabel('Name of the set-up').fill('For two');
    const setup = editor(page).locator('details', { hasText: 'Name of the set-up' });
    await setup.getByLabel('Fewest players').fill('2');
    await setup.getByRole('button', { name: 'Save the table as a set-up' }).click();
    await counts(page, 2);
    await setup.getByText('For two · 2 players').waitFor();
    await editor(page).getByLabel('What is new, in one sentence').fill('No sheep at all.');
    await save(page);
    await counts(page, 3);
    await still(page);
    assert.deepEqual(await barriers(page), [], 'axe: the versions');
    await shoot(page, 'saves-versions');

    // The second version goes to another server, as readable files.
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      versions(page).nth(1).getByRole('link', { name: /^Readable zip/ }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'wolves.zip');
    const file = join(folder, 'wolves.zip');
    await download.saveAs(file);
    const { page: far, url } = await bringElsewhere(t, file, 'Wolves');
    await startTable(far, 1);
    await has(far, ['Wolf', 'Den']);
    await far.goto(`${url}/`);
    await far.getByRole('radio', { name: 'Wolves' }).check({ force: true });
    await startTable(far, 0);
    await has(far, KINDS);

    // The first version is brought back, and tried at another table.
    await versions(page).nth(2).getByRole('button', { name: /^Bring back/ }).click();
    assert.ok(await eventually(page, async () =>
      (await said(page)).includes('That version is the newest one again.')));
    assert.ok(await eventually(page, async () =>
      (await versions(page).first().textContent() ?? '').includes('The first one.')));
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      versions(page).first().getByRole('link', { name: /^Try it/ }).click(),
    ]);
    await other.getByText('3 versions').waitFor();
    await still(other);
    assert.deepEqual(await barriers(other), [], 'axe: the versions on the front page');
    await shoot(other, 'saves-home');
    await startTable(other);
    await has(other, KINDS);
  });

test('T107: the page that is opened again follows the last version, on a tablet', async (t) => {
  const { host: { page } } = await party(t, { game: 'plain', host: tablet });
  await page.getByRole('button', { name: 'Got it' }).click();
  await edit(page);
  await put(page, 'Token', 'Wolf');
  await editor(page).getByRole('tab', { name: 'Game' }).click();
  await editor(page).getByLabel('Name of the game').fill('Wolves');
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    editor(page).getByRole('button', { name: 'Save and try it' }).click(),
  ]);
  await startTable(other);
  await has(other, ['Wolf']);
  await other.close();
  await page.reload();
  await page.locator('main#table[data-ready]').waitFor();
  await page.locator('.crowd').click();
  await page.getByRole('complementary', { name: 'People' })
    .getByRole('button', { name: 'Edit the game' }).click();
  await editor(page).getByRole('tab', { name: 'Game' }).click();
  await counts(page, 1);
  assert.equal(await editor(page).getByLabel('Name of the game').inputValue(), 'Wolves');
  await saveAgain(page);
  await counts(page, 2);

  // The texts go out as a table, and come back translated.
  await editor(page).getByText('Languages', { exact: true }).click();
  await editor(page).getByLabel('Language, such as de or pt-BR').fill('de');
  const [texts] = await Promise.all([
    page.waitForEvent('download'),
    editor(page).getByRole('button', { name: 'Download the texts' }).click(),
  ]);
  assert.equal(texts.suggestedFilename(), 'wolves-de.csv');
  const table = readFileSync(await texts.path(), 'utf8').replace('\nWolf,', '\nWolf,Isegrim');
  await editor(page).locator('input[accept=".csv,.json"]').setInputFiles({
    name: 'wolves-de.csv', mimeType: 'text/csv', buffer: Buffer.from(table),
  });
  await editor(page).getByText('The translation de comes with the next save.').waitFor();
  await save(page);
  await editor(page).getByText('Translations: de').waitFor();
  await still(page);
  await shoot(page, 'saves-tablet');
});

/** Saves with a sentence. @param {Page} page */
async function saveAgain(page) {
  await editor(page).getByLabel('What is new, in one sentence').fill('Again.');
  await editor(page).getByText('About the game').click();
  await editor(page).getByLabel('Card game').check();
  await save(page);
}

test('T105 by keys alone, on a phone: a game gets its players and is saved', async (t) => {
  const { host: { page } } = await party(t, { game: 'plain', host: phone });
  await page.getByRole('button', { name: 'Got it' }).click();
  await edit(page);
  await editor(page).getByRole('tab', { name: 'Pieces' }).focus();
  await page.keyboard.press('End'); // the last tab
  await page.keyboard.press('Tab');
  const at = () => page.evaluate(() => {
    const { activeElement: e } = document;
    const field = /** @type {HTMLInputElement|null} */ (e);
    return field?.labels?.[0]?.textContent || e?.textContent || '';
  });
  const to = async (/** @type {string} */ text) => {
    for (let n = 0; n < 40 && (await at()) !== text; n++) await page.keyboard.press('Tab');
    assert.equal(await at(), text);
  };
  await to('Name of the game');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Wolves');
  await to('About the game');
  await page.keyboard.press('Enter');
  await to('Fewest players');
  await page.keyboard.type('3');
  await to('Save the game');
  await page.keyboard.press('Enter');
  await editor(page).getByText('“Wolves” is saved among your games.').waitFor();
  await counts(page, 1);
  await still(page);
  assert.deepEqual(await barriers(page), [], 'axe: on a phone');
  await shoot(page, 'saves-phone');
});
