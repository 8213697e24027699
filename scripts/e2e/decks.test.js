// The decks of the editor, made as newcomers make them: from a CSV and a sheet, by keys alone, from
// pictures, and what cannot be used.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { barriers } from './axe.js';
import { FOXES, Hand, button, csv, editor, holds, sheet } from './editing.js';
import { desktop, party, phone } from './party.js';
import { eventually, named, pieces, said, still } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */

/** A field of the rows. @param {Page} page @param {string} column @param {number} n */
const field = (page, column, n) => editor(page).getByLabel(`${column}, row ${n}`, { exact: true });

/** Opens the tab for decks. @param {Page} page @param {Hand} [hand] */
async function openDecks(page, hand = new Hand(page)) {
  await page.getByRole('button', { name: 'Got it' }).click();
  await hand.click(page.getByRole('button', { name: 'Add a piece' }));
  await hand.click(page.getByRole('button', { name: 'Make a new kind of piece' }));
  await hand.click(editor(page).getByRole('tab', { name: 'Decks' }));
  await editor(page).getByLabel('Name of the deck').waitFor();
}

/** Draws the uppermost card of a deck and turns it over. @param {Page} page @param {string} deck */
async function turnUp(page, deck) {
  const { id } = await named(page, deck);
  const before = new Set((await pieces(page)).map((p) => p.id));
  await page.locator(`[data-piece="${id}"]`).focus();
  await page.keyboard.press('Escape'); // else keys would mean what is selected
  await page.locator(`[data-piece="${id}"]`).focus();
  await page.keyboard.press('d');
  const drawn = async () => (await pieces(page)).find((p) => !before.has(p.id));
  assert.ok(await eventually(page, async () => (await drawn()) !== undefined), 'a card is drawn');
  await page.locator(`[data-piece="${(await drawn())?.id}"]`).focus();
  await page.keyboard.press('f');
}

/** Files that are dropped. @param {Page} page
 * @param {{name: string, mimeType: string, buffer: Buffer}[]} files @param {string} [onto] */
const drop = (page, files, onto = '#table') => page.evaluate(([on, all]) => {
  const data = new DataTransfer();
  for (const { name, mimeType, bytes } of all)
    data.items.add(new File([new Uint8Array(bytes)], name, { type: mimeType }));
  const event = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data });
  document.querySelector(on)?.dispatchEvent(event);
}, /** @type {const} */ ([onto, files.map(({ name, mimeType, buffer }) =>
  ({ name, mimeType, bytes: [...buffer] }))]));

test('T101, T102 a newcomer makes 40 cards of a CSV and a sheet, plays and saves', async (t) => {
  const { host, friend } = await party(t, { game: 'plain', host: desktop });
  const { page } = host;
  await friend.page.getByRole('button', { name: 'Got it' }).click();
  /** What the page sends. @type {number[]} */
  const sent = [];
  page.on('request', (r) => {
    if (r.url().endsWith('/kinds')) sent.push(r.postDataBuffer()?.length ?? 0);
  });
  const hand = new Hand(page);
  await openDecks(page, hand);
  await still(page);
  await shoot(page, 'decks-empty');
  assert.deepEqual(await barriers(page), [], 'axe: an empty deck');
  await hand.type(editor(page).getByLabel('Name of the deck'), 'Foxes');
  await hand.choose(button(page, 'Read a CSV'), [csv(FOXES)]);
  await editor(page).getByText('20 rows are read from foxes.csv.').waitFor();
  await editor(page).getByRole('heading', { name: '40 cards' }).waitFor();

  await hand.choose(button(page, 'Cut a sheet'),
    [await sheet(page, { columns: 7, rows: 3, margin: 12, gutter: 6 })]);
  await editor(page).getByRole('heading', { name: 'Cut art.png' }).waitFor();
  for (const [label, text] of /** @type {const} */ ([
    ['Columns', '7'], ['Rows', '3'], ['Margin, pixels', '12'], ['Gutter, pixels', '6'],
  ]))
    await hand.type(editor(page).getByLabel(label, { exact: true }), text);
  await editor(page).getByLabel('The back is').selectOption('Card 21');
  hand.clicks += 2; // the list, and the card
  await editor(page).getByText('20 cards of 20 sorts.').waitFor();
  assert.ok(await editor(page).getByLabel('Give them to the 20 rows without a picture')
    .isChecked());
  await still(page);
  await shoot(page, 'decks-sheet');
  assert.deepEqual(await barriers(page), [], 'axe: a sheet');
  await hand.click(button(page, 'Take 20 cards'));
  await editor(page).getByText('20 pictures are there.').waitFor();
  assert.equal(await field(page, 'Picture', 20).inputValue(), 'art 20');
  await editor(page).getByRole('button', { name: 'Fox 20, 2 cards' }).waitFor();
  await still(page);
  await shoot(page, 'decks-full');
  assert.deepEqual(await barriers(page), [], 'axe: a deck');
  await hand.click(button(page, 'Put 40 cards on the table'));
  await editor(page).getByText('Foxes is on the table, with 40 cards.').waitFor();
  t.diagnostic(`a newcomer: ${hand.clicks} clicks and ${hand.keys} keys for 40 cards`);
  console.log(`decks: ${hand.clicks} clicks and ${hand.keys} keys for 40 cards`);
  assert.equal(sent.length, 1, 'all kinds in one request');
  for (const one of [host, friend]) await holds(one.page, 'Foxes', 40);
  assert.ok(await eventually(friend.page, async () =>
    (await said(friend.page)).includes('Ada shuffled the foxes.')), 'it is shuffled');
  await still(page);
  await shoot(page, 'decks-put');

  // Only who turns a card over sees what it is, and everybody sees the back.
  await turnUp(friend.page, 'Foxes');
  await holds(page, 'Foxes', 39);
  assert.ok(await eventually(page, async () =>
    (await pieces(page)).some((p) => /^Fox \d+\b/.test(p.label))), 'a front is seen');
  await still(friend.page);
  await shoot(friend.page, 'decks-friend');

  // The saved game has the deck, with all its cards.
  await editor(page).getByRole('tab', { name: 'Game' }).click();
  await editor(page).getByLabel('Name of the game').fill('Fox hunt');
  await button(page, 'Save the game').click();
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    editor(page).getByRole('link', { name: 'Try it at another table' }).click(),
  ]);
  await other.getByRole('button', { name: /^Start/ }).first().click();
  await other.locator('main#table[data-ready]').waitFor();
  await holds(other, 'Foxes', 39);
  assert.ok((await pieces(other)).some((p) => /^Fox \d+\b/.test(p.label)), 'and the open one');
  await turnUp(other, 'Foxes');
  assert.ok(await eventually(other, async () =>
    (await pieces(other)).filter((p) => /^Fox \d+\b/.test(p.label)).length === 2));
});

test('T101 a deck by keys alone, and undo takes it off', async (t) => {
  const { host: { page }, friend } = await party(t, { game: 'plain', host: desktop });
  await openDecks(page);
  const hand = new Hand(page);
  await editor(page).getByRole('tab', { name: 'Decks' }).focus();
  await hand.press('Tab', 'Control+A');
  await hand.write('Wolves');
  const focused = () => page.evaluate(() => {
    const on = document.activeElement;
    return on?.getAttribute('aria-label') || on?.closest('label')?.textContent || on?.textContent;
  });
  /** Presses Tab until something has the focus. @param {string} name @param {string} [tab] */
  const reach = async (name, tab = 'Tab') => {
    for (let i = 0; i < 60 && (await focused()) !== name; i++) await hand.press(tab);
    assert.equal(await focused(), name);
  };
  await hand.press('Enter');
  assert.equal(await focused(), 'Name, row 1', 'Enter leads to the rows, and puts nothing down');
  await hand.write('Wolf');
  await hand.press('Tab');
  await hand.write('3');
  await hand.press('Tab', 'Tab');
  await hand.write('Howl.');
  await hand.press('Tab');
  await hand.write('navy');
  await reach('Name, row 1', 'Shift+Tab');
  await hand.press('Enter');
  await hand.write('Bear');
  await hand.press('Enter');
  await hand.write('Elk');
  await hand.press('Enter');
  assert.equal(await focused(), 'Name, row 4', 'Enter adds a row behind the last one');
  await hand.write('Owl');
  await hand.press('Alt+ArrowUp', 'Alt+ArrowUp');
  assert.equal(await focused(), 'Name, row 2', 'the row has moved, with the focus');
  assert.equal(await field(page, 'Name', 4).inputValue(), 'Elk');
  await hand.press('ArrowUp', 'ArrowDown', 'ArrowDown');
  assert.equal(await focused(), 'Name, row 3');

  // A block of a spreadsheet.
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text/plain',
      'Lynx\t2\tLynx\t"Two\nlines"\nMarten\t\t\t\t#884422\tx.png\tExtra\n');
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }));
  });
  await editor(page).getByText('2 rows are pasted.').waitFor();
  assert.equal(await field(page, 'Column 7', 4).inputValue(), 'Extra');
  assert.equal(await field(page, 'Name', 3).inputValue(), 'Lynx');
  await editor(page).getByText('The picture “x.png” is not here yet').waitFor();
  await reach('Take it back');
  await hand.press('Enter');
  assert.deepEqual(await field(page, 'Name', 3).inputValue(), 'Bear');
  await reach('Remove Owl', 'Shift+Tab');
  await hand.press('Enter');
  assert.equal(await focused(), 'Name, row 2');
  await still(page);
  await shoot(page, 'decks-keys');
  await reach('Shuffle it');
  await hand.press('Space', 'Tab', 'Enter'); // not shuffled
  await editor(page).getByText('Wolves is on the table, with 5 cards.').waitFor();
  await holds(friend.page, 'Wolves', 5);
  t.diagnostic(`by keys alone: ${hand.keys} keys`);

  // Undo takes back all cards at once, and then the deck. Others are asked about the cards.
  const undo = page.locator('.tablebar').getByRole('button', { name: 'Undo' });
  const allow = friend.page.getByRole('button', { name: 'Allow' });
  await undo.click();
  await allow.click();
  await holds(page, 'Wolves', 0);
  await undo.click();
  for (const one of [page, friend.page])
    assert.ok(await eventually(one, async () =>
      !(await pieces(one)).some((p) => /^(Wolves|Wolf|Bear|Elk)/.test(p.label))));

  // The rows are still there when the page is loaded again.
  await page.reload();
  await page.locator('main#table[data-ready]').waitFor();
  await page.locator('.tablebar').getByRole('button', { name: 'Edit the game' }).click();
  await editor(page).getByRole('tab', { name: 'Decks' }).click();
  assert.equal(await editor(page).getByLabel('Name of the deck').inputValue(), 'Wolves');
  assert.equal(await field(page, 'Colour', 1).inputValue(), 'navy');

  // Once more: the first row is on top.
  await editor(page).getByLabel('Shuffle it').uncheck();
  await button(page, 'Put 5 cards on the table').click();
  await holds(page, 'Wolves', 5);
  await turnUp(page, 'Wolves');
  assert.ok(await eventually(page, async () =>
    (await pieces(page)).some((p) => /^Wolf\b/.test(p.label))), 'the first row is on top');
});

test('pictures become rows, equal cards of a sheet are counted, and a CSV goes out', async (t) => {
  const tablet = { viewport: { width: 820, height: 1100 } };
  const { host: { page, watch } } = await party(t, { game: 'plain', host: tablet });
  watch.expect(/(409|ERR_FAILED).*\/kinds/); // what is cancelled, and a name that is taken
  await openDecks(page);
  const one = await sheet(page, { columns: 1, rows: 1, margin: 0, gutter: 0 });
  await drop(page, ['wolf.png', 'Bear.png', 'notes.png'].map((name) => ({ ...one, name,
    ...(name === 'notes.png' && { buffer: Buffer.from('no picture') }) })));
  await editor(page).getByText('notes.png: That is no picture that works here.').waitFor();
  assert.equal(await field(page, 'Name', 1).inputValue(), 'wolf');
  assert.equal(await field(page, 'Picture', 2).inputValue(), 'Bear.png');
  // One that is dropped on a row is for that row.
  await field(page, 'Name', 3).fill('Elk');
  await drop(page, [{ ...one, name: 'elk.png' }], '[aria-label="Text, row 3"]');
  assert.ok(await eventually(page, async () =>
    (await field(page, 'Picture', 3).inputValue()) === 'elk.png'));
  await button(page, 'Remove Elk').click();
  await field(page, 'How many', 1).fill('many');
  await button(page, 'Put one card on the table').click();
  await editor(page).getByText('Row 1 says how many with “many”').waitFor();
  await field(page, 'How many', 1).fill('2');

  // A large picture that is dropped alone is a sheet. It is a JPEG, so equal cards differ a little.
  const names = ['A', 'B', 'A', 'C', 'A', 'B', '', 'D', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L',
    'M', 'N', 'O', 'P', 'Q', 'R', 'S', 'T', 'U', 'V', 'W', 'X', 'Y', 'Z', '1', '2', '3', '4', '5',
    '6', '7', '8', '9', '10', '11', '12', '13', '14', '15', '16', '17', ''];
  await drop(page, [{ ...await sheet(page, {
    columns: 8, rows: 6, margin: 0, gutter: 0, type: 'image/jpeg', names,
  }), name: 'many.jpg' }]);
  await editor(page).getByRole('heading', { name: 'Cut many.jpg' }).waitFor();
  for (const [label, text] of /** @type {const} */ ([['Columns', '8'], ['Rows', '6']]))
    await editor(page).getByLabel(label, { exact: true }).fill(text);
  await editor(page).getByRole('button', { name: 'Card 3, the same as card 1' }).waitFor();
  await editor(page).getByText('One is left out.').waitFor();
  await editor(page).getByLabel('The back is').selectOption('Card 48');
  await still(page);
  await shoot(page, 'decks-tablet-sheet');
  assert.deepEqual(await barriers(page), [], 'axe: a sheet on a tablet');
  // What is laid out wrongly is one sentence.
  await editor(page).getByLabel('Gutter, pixels').fill('900');
  await editor(page).getByText('The cards would be too small.').waitFor();
  await editor(page).getByLabel('Gutter, pixels').fill('0');
  await editor(page).getByText('46 cards of 42 sorts.').waitFor();
  // Whoever cancels the cutting is still at the sheet.
  await page.evaluate(() => {
    const { toBlob } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.toBlob = function (...args) {
      setTimeout(() => toBlob.apply(this, args), 60);
    };
  });
  await button(page, 'Take 42 cards').click();
  await button(page, 'Cancel').click();
  await editor(page).getByText('Cancelled.').waitFor();
  await button(page, 'Take 42 cards').click();
  await editor(page).getByText('42 pictures are there.').waitFor();
  assert.equal(await field(page, 'Picture', 3).inputValue(), 'many 1');
  assert.equal(await field(page, 'How many', 3).inputValue(), '3');
  await still(page);
  await shoot(page, 'decks-tablet');
  assert.deepEqual(await barriers(page), [], 'axe: a tablet');

  // The CSV goes out, and comes in again with other rows: pictures and meaning stay.
  const [download] = await Promise.all([
    page.waitForEvent('download'), button(page, 'Save as CSV').click(),
  ]);
  assert.equal(download.suggestedFilename(), 'Deck.csv');
  const text = readFileSync(await download.path(), 'utf8');
  assert.match(text, /^Name,How many,Picture\r\nwolf,2,wolf\.png\r\nBear,,Bear\.png\r\nmany 1,3,/);
  await drop(page, [csv(`${text.split('\r\n').slice(0, 4).join('\n')}\nFox,4,`)]);
  await editor(page).getByText('4 rows are read from foxes.csv.').waitFor();
  await editor(page).getByRole('heading', { name: '10 cards' }).waitFor();
  assert.equal(await editor(page).getByText('is not here yet').count(), 0);
  for (const [file, sentence] of /** @type {[ReturnType<typeof csv>, RegExp][]} */ ([
    [csv('Name,Text\nWolf,"Howl'), /^That CSV is damaged: a quotation mark in row 2 never ends/],
    [csv(''), /^There are no rows in it/],
    [csv('a\0b'), /^That file is no CSV/],
    [csv(`Name\n${'x\n'.repeat(2001)}`), /^A deck has at most 2,000 rows/],
  ])) {
    await drop(page, [file]);
    const problem = editor(page).getByRole('alert');
    assert.ok(await eventually(page, async () => sentence.test(await problem.first().textContent()
      ?? '')), `${sentence}: ${await problem.allTextContents()}`);
    assert.equal(await field(page, 'Name', 4).inputValue(), 'Fox', 'nothing is lost');
  }

  // Cancelled: nothing lies on the table.
  await page.route('**/kinds', async (route) => {
    await new Promise((done) => setTimeout(done, 2000));
    await route.abort().catch(() => {}); // the page has gone on
  });
  await button(page, 'Put 10 cards on the table').click();
  await button(page, 'Cancel').click();
  await editor(page).getByText('Cancelled.').waitFor();
  assert.equal((await pieces(page)).filter((p) => p.label.startsWith('Deck')).length, 0);
  await page.unroute('**/kinds');
  await button(page, 'Put 10 cards on the table').click();
  await holds(page, 'Deck', 10);

  // The same deck with another card: it gets a name of its own.
  await button(page, 'Go on with this deck').click();
  await field(page, 'How many', 4).fill('300');
  await editor(page).getByText('What the cards show').click();
  await editor(page).getByLabel('Colour of cards without one').fill('#884422');
  await button(page, 'Put 306 cards on the table').click();
  await holds(page, 'Deck 2', 306);

  // Another deck, of many rows: those at the end come when somebody goes there.
  await button(page, 'Begin another deck').click();
  await drop(page, [csv('Wolf,Grey\nBear,Brown', 'two.csv')]);
  await button(page, 'The first line is a card, too').click();
  await editor(page).getByText('2 rows are read from two.csv.').waitFor();
  assert.equal(await field(page, 'Name', 1).inputValue(), 'Wolf');
  await drop(page, [csv(`Name\n${Array.from({ length: 400 }, (_, i) => `Elk ${i}`).join('\n')}`)]);
  await editor(page).getByRole('heading', { name: '400 cards' }).waitFor();
  assert.equal(await field(page, 'Name', 400).count(), 0);
  await button(page, 'Show 250 more rows').scrollIntoViewIfNeeded();
  await field(page, 'Name', 300).waitFor();
  await button(page, 'Add a row').click();
  await field(page, 'Name', 401).waitFor();
  // Who cancels while cards go into the deck learns what undo takes out again.
  await page.evaluate(() => {
    const text = document.querySelector('.deck-busy-text');
    const cancel = /** @type {HTMLElement} */ (document.querySelector('.deck-busy button'));
    new MutationObserver(() => {
      if (text?.textContent?.startsWith('Card 250 of 400 is in the deck')) cancel.click();
    }).observe(/** @type {Node} */ (text), { childList: true, characterData: true, subtree: true });
  });
  await button(page, 'Put 400 cards on the table').click();
  await editor(page).getByText('Undo takes out the cards that are in the deck.').waitFor();
  await editor(page).getByLabel('Deck', { exact: true }).selectOption('Deck');
  assert.equal(await field(page, 'Name', 4).inputValue(), 'Fox');
});

test('a deck on a phone', async (t) => {
  const { host: { page } } = await party(t, { game: 'plain', host: phone });
  await page.getByRole('button', { name: 'Got it' }).click();
  await page.locator('.crowd').click();
  await page.getByRole('complementary', { name: 'People' })
    .getByRole('button', { name: 'Edit the game' }).click();
  await editor(page).getByRole('tab', { name: 'Decks' }).click();
  await editor(page).locator('[data-takes="csv"]').setInputFiles(csv(FOXES));
  await editor(page).getByRole('heading', { name: '40 cards' }).waitFor();
  await editor(page).getByRole('button', { name: 'Fox 20, 2 cards' }).waitFor();
  await still(page);
  await shoot(page, 'decks-phone');
  assert.deepEqual(await barriers(page), [], 'axe: a phone');
  await editor(page).locator('[data-takes="sheet"]').setInputFiles(
    await sheet(page, { columns: 7, rows: 3, margin: 12, gutter: 6 }));
  await editor(page).getByRole('heading', { name: 'Cut art.png' }).waitFor();
  await still(page);
  await shoot(page, 'decks-phone-sheet');
  assert.deepEqual(await barriers(page), [], 'axe: a sheet on a phone');
  await button(page, 'Back to the deck').click();
  await button(page, 'Put 40 cards on the table').click();
  await editor(page).waitFor({ state: 'hidden' }); // it would lie over the deck
  await holds(page, 'Deck', 40);
  await still(page);
  await shoot(page, 'decks-phone-put');
});
