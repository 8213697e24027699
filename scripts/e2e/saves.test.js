// Save points: going back, taking that back, and starting again with the same people.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import {
  cardsInHand, CLEAR, deckHas, drawIntoHand, drawTo, handHas, onScreen, PACK,
} from './cards.js';
import { party, phone } from './party.js';
import { agree, drag, eventually, named, pieces, said, seen, until } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
const dialog = (page) => page.getByRole('dialog', { name: 'Save points' });
/** @param {Page} page */
const told = (page) => page.getByRole('group', { name: 'Save points' });

/** Opens the dialog. @param {Page} page */
async function open(page) {
  await page.locator('[data-opens="table"], #table-settings, .title').first().click();
  await page.getByRole('button', { name: 'Save points …' }).click();
  await dialog(page).getByRole('listitem').first().waitFor();
}

/** Opens the dialog and makes a save point. @param {Page} page @param {string} name */
async function save(page, name) {
  await open(page);
  await dialog(page).getByLabel('Name').fill(name);
  await page.keyboard.press('Enter');
  await dialog(page).getByText(name, { exact: true }).waitFor();
}

test('T71.1, T71.4: a host goes back, everybody learns of it, and it is taken back', async (t) => {
  const { host, friend } = await party(t, { game: 'chess', friend: phone });
  const pawn = await named(host.page, 'White pawn');
  await save(host.page, 'Before the end game');
  assert.deepEqual(await barriers(host.page), [], 'axe finds nothing');
  await seen(friend.page, /Ada saved “Before the end game”/);
  await shoot(host.page, 'saves-desktop');
  await close(host.page);
  const moved = await drag(host.page, pawn.id, { x: 0, y: -1000 });
  await until(friend.page, pawn.id, { y: moved.y, holder: 0 });

  await open(friend.page);
  await dialog(friend.page).getByText('one move since').first().waitFor();
  assert.equal(await dialog(friend.page).getByRole('button', { name: /^Go back/ }).count(), 0,
    'a player reads the list only');
  await dialog(friend.page).getByText('Hosts can bring the table back').waitFor();
  await shoot(friend.page, 'saves-phone');
  await close(friend.page);

  await open(host.page);
  await dialog(host.page).getByRole('button', { name: 'Go back to “Before the end game”' }).click();
  await host.page.getByRole('alertdialog').getByRole('button', { name: 'Go back' }).click();
  for (const { page } of [host, friend]) await until(page, pawn.id, { x: pawn.x, y: pawn.y });
  for (const { page } of [host, friend])
    assert.equal(await page.locator('.last-move').count(), 0, 'no move is marked');
  await told(friend.page).getByText('Ada went back to “Before the end game”.').waitFor();
  await told(host.page).getByText('You went back to “Before the end game”.').waitFor();
  assert.equal(await told(friend.page).getByRole('button', { name: 'Take it back' }).count(), 0);
  await shoot(host.page, 'rewound-desktop');
  await shoot(friend.page, 'rewound-phone');

  await told(host.page).getByRole('button', { name: 'Take it back' }).click();
  for (const { page } of [host, friend]) await until(page, pawn.id, { y: moved.y });
  await told(friend.page).getByText('Ada took that back.').waitFor();
  await agree(host.page, friend.page);

  await host.page.getByRole('button', { name: /^Chat/ }).click();
  const log = host.page.getByRole('complementary', { name: 'Chat and log' });
  await log.getByText('You took that back.').waitFor();
  assert.deepEqual((await log.locator('[data-line="rewind"] .log-did').allTextContents()),
    ['You went back to “Before the end game”.', 'You took that back.'], 'T65.9 the log says it');
  await shoot(host.page, 'rewound-log');
  for (const { page } of [host, friend])
    assert.doesNotMatch(await said(page), /is at the table\./, 'nobody had gone');
});

test('T72.2, T77.2, T77.3: sides are swapped, and the games won are counted', async (t) => {
  const { host, friend } = await party(t, { game: 'chess' });
  const sides = async () => host.page.evaluate(async () => {
    const table = location.pathname.split('/')[2];
    const { seats } = await (await fetch(`/api/v1/tables/${table}`)).json();
    return seats.map((/** @type {{ side: number }} */ seat) => seat.side);
  });
  assert.deepEqual(await sides(), [1, 2]);
  await open(host.page);
  await dialog(host.page).getByLabel('Who has won?').selectOption({ label: 'Ben' });
  await dialog(host.page).getByRole('button', { name: 'Start again and swap sides' }).click();
  await host.page.getByRole('alertdialog').getByRole('button', { name: /^Start again/ }).click();
  await told(friend.page).getByText('Ada went back to the start.').waitFor();
  assert.deepEqual(await sides(), [2, 1]);
  await host.page.locator('main#table[data-turn="180"]').waitFor();
  await friend.page.locator('main#table[data-turn="0"]').waitFor();
  assert.match(await said(host.page), /You play Black now\./);
  assert.match(await said(friend.page), /You play White now\./);
  await agree(host.page, friend.page);
  await open(host.page);
  await dialog(host.page).getByText('Games won').click();
  await dialog(host.page).getByRole('button', { name: 'Ada has won one more' }).click();
  await dialog(host.page).getByRole('button', { name: 'Ada has won one more' }).click();
  await dialog(host.page).getByRole('button', { name: 'Ada has won one less' }).click();
  await shoot(host.page, 'wins-desktop');
  assert.deepEqual(await barriers(host.page), [], 'axe finds nothing');
  await close(host.page);
  for (const { page } of [host, friend]) {
    if (!(await page.locator('#people').isVisible())) await page.locator('.crowd').click();
    for (const seat of [1, 2])
      await page.locator(`#people [data-seat="${seat}"]`).getByText('one game won').waitFor();
  }
  await shoot(host.page, 'wins-people');
});

test('T72.1: a rematch with cards makes the deck whole and empties hands', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const people = [host, friend];
  for (const { page } of people) await deckHas(page, PACK);
  await drawIntoHand(host.page);
  await drawIntoHand(host.page);
  await deckHas(friend.page, PACK - 2);
  await drawIntoHand(friend.page);
  await deckHas(host.page, PACK - 3);
  await drawTo(host.page, await onScreen(host.page, CLEAR));
  for (const { page } of people) await deckHas(page, PACK - 4);
  await handHas(host.page, 'Ben', 1);
  await handHas(friend.page, 'Ada', 2);
  const before = (await pieces(host.page)).length;
  await shoot(host.page, 'cards-before');

  await open(host.page);
  await dialog(host.page).getByRole('button', { name: 'Start again', exact: true }).click();
  await host.page.getByRole('alertdialog').getByRole('button', { name: /^Start again/ }).click();
  await told(friend.page).getByText('Ada went back to the start.').waitFor();
  for (const { page } of people) {
    await deckHas(page, PACK);
    assert.ok(await eventually(page, async () => (await cardsInHand(page)).length === 0),
      'one’s own hand is empty');
  }
  await handHas(host.page, 'Ben', 0);
  await handHas(friend.page, 'Ada', 0);
  assert.equal((await pieces(host.page)).length, before - 3, 'no card stays on the table');
  await shoot(host.page, 'cards-after');
  await shoot(friend.page, 'cards-after-friend');
  await agree(host.page, friend.page);

  // the deck is used as before
  await drawIntoHand(friend.page);
  await deckHas(host.page, PACK - 1);
  await handHas(host.page, 'Ben', 1);
});

/** Closes the dialog. @param {Page} page */
async function close(page) {
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).click();
  await dialog(page).waitFor({ state: 'detached' });
}
