// The score sheet (component.md, C13, C14): several people write it at once, online and offline, by
// mouse, by keys, by fingers.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { barriers } from './axe.js';
import { bringBack, cutOff } from './outage.js';
import { tapTool } from './fingers.js';
import { atTable, desktop, party, phone } from './party.js';
import { eventually, seen } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** Opens the sheet by key, and waits until it knows Ben, who comes last. @param {Page} page */
async function open(page) {
  await page.keyboard.press('Shift+S');
  await page.getByRole('grid').waitFor();
  await page.locator('.sheet-grid thead th', { hasText: /^Ben$/ }).waitFor();
}

/**
 * The lines of the sheet as they are read, headings and sums included.
 *
 * @param {Page} page
 * @returns {Promise<string[]>}
 */
function lines(page) {
  return page
    .locator('.sheet-grid tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => cell.textContent).join(' | ')),
    );
}

/** Waits until the sheet of a page has these lines. @param {Page} page @param {string[]} wanted */
async function reads(page, wanted) {
  try {
    await page.waitForFunction(
      (text) =>
        [...document.querySelectorAll('.sheet-grid tr')]
          .map((row) => [...row.children].map((cell) => cell.textContent).join(' | '))
          .join('\n') === text,
      wanted.join('\n'),
    );
  } catch {
    assert.deepEqual(await lines(page), wanted);
  }
}

/**
 * The cell in the line and the column of that name.
 *
 * @param {Page} page
 * @param {string} row
 * @param {string} column
 */
async function cell(page, row, column) {
  const columns = await page.locator('.sheet-grid thead th').allTextContents();
  const line = page.locator('.sheet-grid tr', {
    has: page.locator('th:first-child', { hasText: new RegExp(`^${row}$`) }),
  });
  return line.locator(`> :nth-child(${columns.indexOf(column) + 1})`);
}

/**
 * Writes into a cell, as people do.
 *
 * @param {Page} page
 * @param {string} row
 * @param {string} column
 * @param {string} text
 */
async function write(page, row, column, text) {
  await (await cell(page, row, column)).click();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

test('C14 a sheet starts with a column per player, and only once', async (t) => {
  const { host, friend } = await party(t, { links: true });
  for (const { page } of [host, friend]) {
    const parts = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => /\/assets\/([a-z]+)-/.exec(name)?.[1] ?? ''),
    );
    for (const part of ['sheet', 'drawing', 'pings', 'components'])
      assert.ok(!parts.includes(part), `${part} is not loaded before it is needed`);
    await open(page);
    await reads(page, ['Row | Ada | Ben', '1 |  | ', 'Total |  | ']);
    await page.getByText('A sheet for Ada and Ben. Write into any cell to begin.').waitFor();
  }
  friend.link?.hold('down');
  host.link?.hold('down');
  await write(host.page, '1', 'Ada', '12');
  await write(friend.page, '1', 'Ben', '7');
  friend.link?.release();
  host.link?.release();
  for (const { page } of [host, friend])
    await reads(page, ['Row | Ada | Ben', '1 | 12 | 7', 'Total | 12 | 7']);
});

test('C14 C17 two keep score, one of them offline: both read the same in the end', async (t) => {
  const { host, friend } = await party(t, { links: true });
  for (const { page } of [host, friend]) await open(page);
  await write(host.page, '1', 'Ada', '10');
  await reads(friend.page, ['Row | Ada | Ben', '1 | 10 | ', 'Total | 10 | ']);

  await cutOff(friend);
  await friend.page.getByText('No connection: what you write is kept here').waitFor();
  await write(friend.page, '1', 'Ben', '5');
  await write(friend.page, '1', 'Ada', '11'); // both write here: Ada once more than Ben
  await write(host.page, '1', 'Ada', '12');
  await write(host.page, '1', 'Ada', '13');
  for (const [{ page }, name] of /** @type {const} */ ([[host, 'Ada’s'], [friend, 'Ben’s']])) {
    await page.getByRole('button', { name: 'Add a row' }).click();
    await page.keyboard.type(name);
    await page.keyboard.press('Tab');
    await page.keyboard.type(name === 'Ada’s' ? '1.5' : '-2');
    await page.keyboard.press('Enter');
  }
  await reads(friend.page, ['Row | Ada | Ben', '1 | 11 | 5', 'Ben’s | -2 | ', 'Total | 9 | 5']);
  assert.equal(
    await friend.page.locator('.sheet-grid .waiting').count(), 4, 'unsent cells are marked',
  );
  assert.deepEqual(await barriers(friend.page), []);

  await bringBack(friend);
  const both = [
    'Row | Ada | Ben', '1 | 13 | 5', 'Ada’s | 1.5 | ', 'Ben’s | -2 | ', 'Total | 12.5 | 5',
  ];
  for (const { page } of [host, friend]) {
    /** @type {string[]} */
    let got = [];
    await eventually(page, async () => {
      got = (await lines(page)).sort();
      // A row may come before its texts.
      return got.join('\n') === both.toSorted().join('\n');
    });
    assert.deepEqual(got, both.toSorted());
    await page.waitForFunction(
      () => document.querySelectorAll('.sheet-grid .waiting').length === 0,
    );
  }
  assert.deepEqual(await lines(host.page), await lines(friend.page), 'in the same order');
});

test('C17 offline writing survives a reload of the page', async (t) => {
  const { host, friend } = await party(t, { links: true });
  await open(host.page);
  await write(host.page, '1', 'Ada', '4');
  await open(friend.page);
  await reads(friend.page, ['Row | Ada | Ben', '1 | 4 | ', 'Total | 4 | ']);
  await cutOff(friend);
  await write(friend.page, '1', 'Ben', '9');
  const kept = friend.page.waitForFunction(() =>
    Object.keys(localStorage).some((key) => key.startsWith('holt.written.')),
  );
  await kept;
  friend.link?.mend();
  await friend.page.reload();
  await atTable(friend.page);
  await open(friend.page);
  for (const { page } of [host, friend])
    await reads(page, ['Row | Ada | Ben', '1 | 4 | 9', 'Total | 4 | 9']);
});

test('others’ writes leave one’s own cell alone but are announced', async (t) => {
  const { host, friend } = await party(t);
  for (const { page } of [host, friend]) await open(page);
  await write(host.page, '1', 'Ada', '1');
  await reads(friend.page, ['Row | Ada | Ben', '1 | 1 | ', 'Total | 1 | ']);
  await (await cell(friend.page, '1', 'Ben')).click();
  await friend.page.keyboard.type('4');
  const field = friend.page.locator('.sheet-field');
  await write(host.page, '1', 'Ada', '20');
  await (await cell(friend.page, 'Total', 'Ada')).getByText('20').waitFor();
  assert.equal(await field.inputValue(), '4');
  assert.ok(await field.evaluate((e) => e === document.activeElement), 'the field keeps the focus');
  assert.equal(await friend.page.locator('.sheet-note:visible').count(), 0);

  await write(host.page, '1', 'Ben', '30');
  await friend.page
    .getByText('Somebody has just written “30” here. If you go on, yours counts.')
    .waitFor();
  await friend.page.keyboard.type('2');
  assert.equal(await field.inputValue(), '42');
  await friend.page.keyboard.press('Enter');
  for (const { page } of [host, friend])
    await reads(page, ['Row | Ada | Ben', '1 | 20 | 42', 'Total | 20 | 42']);
  await friend.page
    .locator('[data-live]', { hasText: 'Ada, 1: 20.' })
    .waitFor({ state: 'attached' });

  // Escape gives up what was typed, and shows what others have written meanwhile.
  await (await cell(friend.page, '1', 'Ben')).click();
  await friend.page.keyboard.type('99');
  await write(host.page, '1', 'Ben', '31');
  await friend.page.getByText('Somebody has just written “31” here.').waitFor();
  await friend.page.keyboard.press('Escape');
  await reads(friend.page, ['Row | Ada | Ben', '1 | 20 | 31', 'Total | 20 | 31']);
});

test('keys alone move and write; the sheet is a table with headings', async (t) => {
  const { host } = await party(t);
  const { page } = host;
  await open(page);
  const press = async (/** @type {string[]} */ ...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press('3', 'Tab', '4', 'Enter'); // the first cell has the focus
  await reads(page, ['Row | Ada | Ben', '1 | 3 | 4', 'Total | 3 | 4']);
  await press('ArrowUp', 'ArrowUp', 'F2', 'Control+a', 'B', 'e', 'a', 'Enter');
  await press('ArrowLeft', 'ArrowLeft', 'R', '1', 'Enter');
  await reads(page, ['Row | Ada | Bea', 'R1 | 3 | 4', 'Total | 3 | 4']);
  // After the last row it went on in this one.
  await press('Home', 'ArrowRight', 'Delete', 'ArrowRight', '-', '7', 'Escape');
  await reads(page, ['Row | Ada | Bea', 'R1 |  | 4', 'Total |  | 4']);
  assert.equal(await page.getByRole('columnheader', { name: 'Bea' }).count(), 1);
  assert.equal(await page.getByRole('rowheader', { name: 'R1' }).count(), 1);
  assert.equal(await page.getByRole('gridcell').count(), 4);

  // Tab goes on after the last cell, so that nobody is caught.
  await press('Tab');
  assert.equal(
    await page.evaluate(() => document.activeElement?.getAttribute('data-tool')), 'addRow',
  );
  await press('Enter', 'R', '2', 'Enter');
  await reads(page, ['Row | Ada | Bea', 'R1 |  | 4', 'R2 |  | ', 'Total |  | 4']);
  await press('Escape');
  await page.locator('.sheet').waitFor({ state: 'hidden' });
  assert.equal(
    await page.locator('[data-piece][data-holder="1"]').count(), 0, 'the table got no key',
  );
});

test('rows and columns are removed and restored; a writer there is notified', async (t) => {
  const { host, friend } = await party(t);
  for (const { page } of [host, friend]) await open(page);
  await write(host.page, '1', 'Ada', '6');
  await host.page.getByRole('button', { name: 'Add a column' }).click();
  await host.page.keyboard.type('Bank');
  await host.page.keyboard.press('Enter');
  await write(host.page, '1', 'Bank', '100');
  const full = ['Row | Ada | Ben | Bank', '1 | 6 |  | 100', 'Total | 6 |  | 100'];
  await reads(friend.page, full);
  await (await cell(friend.page, '1', 'Bank')).click();
  await friend.page.keyboard.type('5');

  await (await cell(host.page, '1', 'Bank')).click();
  await host.page.getByRole('button', { name: 'Remove column Bank' }).click();
  for (const { page } of [host, friend])
    await reads(page, ['Row | Ada | Ben', '1 | 6 | ', 'Total | 6 | ']);
  await seen(friend.page, /Somebody has removed what you were writing in\./);
  await host.page.getByRole('button', { name: 'Put back what was removed' }).click();
  for (const { page } of [host, friend]) await reads(page, full);

  await (await cell(friend.page, '1', 'Ada')).click();
  await friend.page.getByRole('button', { name: 'Remove row 1' }).click();
  for (const { page } of [host, friend])
    await reads(page, ['Row | Ada | Ben | Bank', 'Total |  |  | ']);
});

test('the sheet is saved as CSV and has a title', async (t) => {
  const { host, friend } = await party(t);
  const { page } = host;
  await open(page);
  await write(page, '1', 'Ada', '1,250');
  await write(page, '1', 'Ben', '=1+1');
  await page.getByRole('textbox', { name: 'Title of the sheet' }).fill('Rummy, second night');
  await page.keyboard.press('Enter');
  await open(friend.page);
  await friend.page.waitForFunction(
    () =>
      /** @type {HTMLInputElement | null} */ (document.querySelector('.sheet-title'))?.value ===
      'Rummy, second night',
  );
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Download as a file/ }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'scores.csv');
  assert.equal(
    readFileSync(await download.path(), 'utf8'),
    '\ufeffRow,Ada,Ben\r\n1,"1,250",\'=1+1\r\nTotal,1250,\r\n',
  );
});

test('a spectator reads the sheet and writes nothing', async (t) => {
  const { host, join, invites } = await party(t);
  const watcher = await join('Cleo', invites.spectator);
  await watcher.page.keyboard.press('Shift+S');
  await watcher.page.getByText('Nothing has been written here yet.').waitFor();
  await open(host.page);
  await write(host.page, '1', 'Ada', '8');
  await reads(watcher.page, ['Row | Ada | Ben', '1 | 8 | ', 'Total | 8 | ']);
  await (await cell(watcher.page, '1', 'Ada')).dblclick();
  await watcher.page.keyboard.type('9');
  assert.equal(await watcher.page.locator('.sheet-field').count(), 0);
  assert.equal(await watcher.page.getByRole('button', { name: 'Add a row' }).count(), 0);
  await reads(host.page, ['Row | Ada | Ben', '1 | 8 | ', 'Total | 8 | ']);
});

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  test(`axe passes for the sheet in ${colorScheme} colours`, async (t) => {
    const { host } = await party(t, { host: { ...desktop, colorScheme } });
    await open(host.page);
    assert.deepEqual(await barriers(host.page), [], 'as it is suggested');
    await write(host.page, '1', 'Ada', '3');
    await (await cell(host.page, '1', 'Ben')).click();
    await host.page.keyboard.type('4');
    assert.deepEqual(await barriers(host.page), [], 'while something is written');
  });
}

test('on a phone of 360 px a finger writes from cell to cell', async (t) => {
  const { host, friend } = await party(t, {
    friend: { ...phone, viewport: { width: 360, height: 740 } },
  });
  const { page } = friend;
  await page.getByRole('button', { name: 'Got it' }).tap();
  await tapTool(page, 'Score sheet');
  await page.getByRole('grid').waitFor();
  await page.getByRole('gridcell').first().tap();
  await page.keyboard.type('15');
  await page.keyboard.press('Enter');
  await page.keyboard.type('-5');
  await page.keyboard.press('Enter');
  await open(host.page);
  for (const p of [page, host.page])
    await reads(p, ['Row | Ada | Ben', '1 | 15 | -5', 'Total | 15 | −5']);
  const within = await page
    .locator('.sheet button:visible')
    .evaluateAll((all) =>
      all.every(
        (e) =>
          e.getBoundingClientRect().right <= innerWidth && e.getBoundingClientRect().width >= 40,
      ),
    );
  assert.ok(within, 'every button is visible and large enough');
  assert.deepEqual(await barriers(page), []);
  await page.getByRole('button', { name: 'Close' }).tap();
  await page.locator('.sheet').waitFor({ state: 'hidden' });
});

test('the names of rows stand in full on a phone', async (t) => {
  const { friend: { page } } = await party(t, { game: 'yacht', friend: phone });
  await page.getByRole('button', { name: 'Got it' }).tap();
  await page.getByRole('button', { name: 'Tools' }).tap();
  await page.getByRole('button', { name: 'Score' }).tap();
  const names = page.locator('.sheet-grid tbody tr > :first-child');
  await names.filter({ hasText: 'Little straight' }).waitFor();
  const cut = await names.evaluateAll((all) =>
    all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent));
  assert.deepEqual(cut, []);
  const lines = await names.filter({ hasText: 'Threes' }).evaluate((e) => {
    const range = document.createRange();
    range.selectNodeContents(e);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  });
  assert.equal(lines, 1, 'a short name is not broken');
  await shoot(page, 'sheet-names-phone');
});
