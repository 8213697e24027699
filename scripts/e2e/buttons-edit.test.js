// Buttons in the editor: what they do is made of sentences with chips, tried at once, and changed
// later.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { party, phone } from './party.js';
import { cooled, eventually, focus, middle, named, pieces, said, still } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
const editor = (page) => page.getByRole('complementary', { name: 'Edit the game' });

/** Opens the editor. @param {Page} page */
async function edit(page) {
  await page.locator('.crowd').click();
  const people = page.getByRole('complementary', { name: 'People' });
  await people.getByRole('button', { name: 'Edit the game' }).click();
  await editor(page).waitFor();
}

/** Opens the editor, and in it the form of a button. @param {Page} page */
async function openForm(page) {
  await edit(page);
  await editor(page).getByRole('button', { name: 'Button', exact: true }).click();
}

/** Adds a sentence. @param {Page} page @param {RegExp} says @param {string} [to] */
async function add(page, says, to = 'Add a sentence') {
  await editor(page).getByRole('button', { name: to, exact: true }).click();
  await editor(page).getByRole('button', { name: says }).click();
}

/** The sentences as they are read. @param {Page} page */
const sentences = (page) => editor(page).locator('.sentence').evaluateAll((all) =>
  all.map((e) => e.getAttribute('aria-label')));

/** How many pieces lie in a deck or a hand. @param {Page} page @param {string} name */
async function holds(page, name) {
  const { label } = await named(page, name);
  return Number(/(\d+) (?:card|piece)s?/.exec(label)?.[1] ?? 0);
}

/** Waits until the deck has so many cards. @param {Page} page @param {number} n */
async function has(page, n) {
  assert.ok(await eventually(page, async () => (await holds(page, 'Deck')) === n),
    `${(await named(page, 'Deck')).label} and not ${n}`);
}

/** Waits until a button is on the table. @param {Page} page @param {string} name */
const sees = (page, name) =>
  page.locator(`[data-piece][aria-label^="${name}"]`).first().waitFor();

/** Presses a button on the table by keys. @param {Page} page @param {string} name */
async function press(page, name) {
  await focus(page, (await named(page, name)).id);
  await page.keyboard.press('o');
}

test('T84, T103 a host makes a Deal button by clicks, presses it, and changes it', async (t) => {
  const { host, friend } = await party(t, { game: 'spades' });
  const { page } = host;
  await openForm(page);
  await editor(page).getByLabel('Name', { exact: true }).fill('Five each');
  await add(page, /^Deal 1 card from Deck to each hand$/);
  await editor(page).getByLabel('Number').fill('5');
  await editor(page).getByText('cards from').waitFor(); // and not “card”
  assert.deepEqual(await sentences(page), ['1: Deal 5 cards from Deck to each hand']);
  await still(page);
  assert.deepEqual(await barriers(page), [], 'axe: a sentence');
  await shoot(page, 'buttons-edit-deal');
  await editor(page).getByRole('button', { name: 'Try it' }).click();
  for (const one of [host, friend]) await has(one.page, 42);
  await sees(friend.page, 'Five each');

  // The same button does something else at the next try, and there is one of it.
  await cooled(page);
  await editor(page).getByLabel('Number').fill('2');
  await editor(page).getByRole('button', { name: 'Try it' }).click();
  for (const one of [host, friend]) await has(one.page, 38);
  const made = (await pieces(page)).filter(({ label }) => label.startsWith('Five each'));
  assert.equal(made.length, 1);
  await editor(page).getByRole('button', { name: 'All pieces' }).click();

  // It is chosen at the table, and its sentences are there again.
  await cooled(page);
  await press(page, 'Five each');
  for (const one of [host, friend]) await has(one.page, 34);
  await editor(page).getByRole('button', { name: 'Change it' }).click();
  await editor(page).getByRole('heading', { name: 'Change Five each' }).waitFor();
  assert.ok(await eventually(page, async () =>
    (await sentences(page))[0] === '1: Deal 2 cards from Deck to each hand'));
  await add(page, /^Bring back to Deck what belongs there$/);
  await editor(page).getByRole('button', { name: 'Move sentence 2 up' }).click();
  assert.deepEqual(await sentences(page),
    ['1: Bring back to Deck what belongs there', '2: Deal 2 cards from Deck to each hand']);
  await editor(page).getByRole('button', { name: 'Save the change' }).click();
  await editor(page).getByRole('heading', { name: 'Make something new' }).waitFor();
  await cooled(page);
  await press(friend.page, 'Five each');
  for (const one of [host, friend]) await has(one.page, 39); // Ben brings back his own
});

test('T91, T95 sentences stand in others, and faults say which one is wrong', async (t) => {
  const tablet = { viewport: { width: 820, height: 1100 } };
  const { host, friend } = await party(t, { game: 'spades', host: tablet });
  const { page } = host;
  await openForm(page);
  await editor(page).getByLabel('Name', { exact: true }).fill('Give cards');
  await add(page, /^If Deck holds at least 1 card$/);
  await editor(page).getByRole('button', { name: 'Put on the table' }).click();
  await editor(page).getByText('Sentence 1: Add a sentence to it, or remove it.').waitFor();
  await add(page, /^Deal 1 card from Deck/, 'Add a sentence to 1, then');
  await add(page, /^Bring back to Deck/, 'Add a sentence to 1, otherwise');
  await add(page, /^Ask “How many\?”/);
  assert.deepEqual(await sentences(page), [
    '1: Ask “How many?” The answer is a number from 1 to 5, 1 at first, and is called “Number”',
    '2: If Deck holds at least 1 card',
    '2.1: Deal 1 card from Deck to each hand',
    '2.2: Bring back to Deck what belongs there',
  ]);
  await editor(page).getByRole('group', { name: /^2\.1/ }).getByLabel('A number or an answer')
    .selectOption('the answer to “Number”');
  await editor(page).getByRole('group', { name: /^1:/ }).getByLabel('Name').fill('');
  await editor(page).getByRole('button', { name: 'Put on the table' }).click();
  await editor(page).getByText('Sentence 1: Write something of at most 80 letters.').waitFor();
  const wrong = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  assert.equal(wrong, 'Name');
  await shoot(page, 'buttons-edit-fault');
  await page.keyboard.type('Cards');
  assert.equal((await sentences(page))[2],
    '2.1: Deal the answer to “Cards” cards from Deck to each hand');
  const all = await sentences(page);
  await page.keyboard.press('Escape');
  await editor(page).getByRole('heading', { name: 'Make something new' }).waitFor();
  await editor(page).getByRole('button', { name: 'Button', exact: true }).click();
  assert.deepEqual(await sentences(page), all, 'nothing is lost');
  await still(page);
  assert.deepEqual(await barriers(page), [], 'axe: sentences in others');
  await shoot(page, 'buttons-edit-tablet');
  await editor(page).getByRole('button', { name: 'Put on the table' }).click();
  await sees(friend.page, 'Give cards');
  await press(friend.page, 'Give cards');
  const dialog = friend.page.getByRole('dialog');
  await dialog.getByLabel('How many?').fill('3');
  await dialog.getByRole('button', { name: 'Press' }).click();
  for (const one of [host, friend]) await has(one.page, 46);
});

test('T84 a button is made by keys alone on a phone', async (t) => {
  const { host, friend } = await party(t, { game: 'spades', host: phone });
  const { page } = host;
  await openForm(page);
  await still(page);
  await shoot(page, 'buttons-edit-phone');
  const keys = async (/** @type {string[]} */ ...all) => {
    for (const key of all) await page.keyboard.press(key);
  };
  const to = async (/** @type {string} */ name, /** @type {string} */ key = 'Tab') => {
    const is = () => page.evaluate(() => {
      const e = document.activeElement;
      return e?.getAttribute('aria-label') ?? e?.textContent;
    });
    for (let i = 0; i < 40 && (await is()) !== name; i++) await page.keyboard.press(key);
    assert.equal(await is(), name);
  };
  await to('Add a sentence');
  await keys('Enter');
  await to('Shuffle Deck');
  await keys('Enter');
  assert.ok(await eventually(page, async () =>
    (await said(page)).includes('Added: Shuffle Deck')), 'a screen reader says it');
  await to('Add a sentence');
  await keys('Enter');
  await still(page);
  assert.deepEqual(await barriers(page), [], 'axe: what can be added');
  await shoot(page, 'buttons-edit-phone-choices');
  await editor(page).getByText('What else there is').click();
  await editor(page).getByText('Roll … There is no die yet.').scrollIntoViewIfNeeded();
  await shoot(page, 'buttons-edit-phone-more');
  await keys('Escape');
  await to('Add a sentence');
  await keys('Enter', 'Enter'); // the first one of the list
  await keys('ControlOrMeta+a', '3');
  await to('Move sentence 2 up');
  await keys('Enter');
  assert.ok(await eventually(page, async () => (await said(page)).includes(
    'Now it is sentence 1: Deal 3 cards from Deck to each hand')), 'a screen reader says it');
  assert.deepEqual(await sentences(page),
    ['1: Deal 3 cards from Deck to each hand', '2: Shuffle Deck']);
  await to('Remove sentence 2');
  await keys('Enter');
  assert.deepEqual(await sentences(page), ['1: Deal 3 cards from Deck to each hand']);
  await still(page);
  assert.deepEqual(await barriers(page), [], 'axe: a phone');
  await shoot(page, 'buttons-edit-phone-sentence');
  await to('Try it');
  await keys('Enter');
  for (const one of [host, friend]) await has(one.page, 46);
  await editor(page).waitFor({ state: 'hidden' }); // it would lie over what happens
  await still(page);
  await shoot(page, 'buttons-edit-phone-tried');
});

test('T104 what a button of the game does is changed, and it looks as before', async (t) => {
  const { host, friend } = await party(t, { game: 'spades' });
  const { page } = host;
  await edit(page);
  const deal = await named(page, 'Deal');
  const drawn = () => page.locator(`[data-piece="${deal.id}"] img`).first().getAttribute('src');
  const before = await drawn();
  assert.ok(before);
  const at = await middle(page, deal.id);
  await page.mouse.click(at.x, at.y);
  for (const one of [host, friend]) await has(one.page, 26);
  await editor(page).getByText('Chosen on the table: Deal').waitFor();
  await editor(page).getByRole('button', { name: 'Change it' }).click();
  assert.ok(await eventually(page, async () => (await sentences(page)).length === 4));
  assert.deepEqual(await sentences(page), [
    '1: Bring back to Deck what belongs there', '2: Shuffle Deck', '3: Set each Bid to 0',
    '4: Deal 13 cards from Deck to each hand',
  ]);
  await still(page);
  await shoot(page, 'buttons-edit-change');
  await add(page, /^Add 1 to each Bid$/);
  await editor(page).getByRole('button', { name: 'Try it' }).click();
  await friend.page.locator('[data-piece][aria-label^="Bid, 1"]').first().waitFor();
  assert.equal(await drawn(), before);

  // It can be taken back.
  const does = () => page.locator(`[data-piece="${deal.id}"]`).getAttribute('aria-description');
  assert.ok(await eventually(page, async () => (await does())?.endsWith('and 3 more') === true));
  await editor(page).getByRole('button', { name: 'All pieces' }).click();
  await editor(page).getByRole('button', { name: 'Take it back' }).click();
  assert.ok(await eventually(page, async () => (await does())?.endsWith('and 2 more') === true));
});

test('T103, G13 sentences are read in the language of the page, and name what the game names',
  async (t) => {
    const { host, friend } = await party(t, { game: 'ask', host: { locale: 'de' } });
    const { page } = host;
    await openForm(page);
    await editor(page).getByLabel('Name', { exact: true }).fill('One more');
    await add(page, /^Add 1 to each Punktestand$/);
    await editor(page).getByRole('button', { name: 'Put on the table' }).click();
    await sees(friend.page, 'One more');
    const { id } = await named(friend.page, 'One more');
    assert.equal(await friend.page.locator(`[data-piece="${id}"]`).getAttribute('aria-description'),
      'Adds 1 to each “Score”');
    await editor(page).getByRole('button', { name: 'Change it' }).click();
    assert.ok(await eventually(page, async () =>
      (await sentences(page))[0] === '1: Add 1 to each Punktestand'));
    await editor(page).getByLabel('Number').fill('2');
    await editor(page).getByRole('button', { name: 'Save the change' }).click();
    assert.ok(await eventually(friend.page, async () => (await friend.page
      .locator(`[data-piece="${id}"]`).getAttribute('aria-description')) ===
      'Adds 2 to each “Score”'));
  });

test('T93, T103.2 a button sets the table up again, and only a host presses it', async (t) => {
  const { host } = await party(t, { game: 'caravan' });
  const { page } = host;
  await openForm(page);
  await editor(page).getByLabel('Name', { exact: true }).fill('For two');
  await add(page, /^Set the table up again/);
  await editor(page).getByLabel('Set-up', { exact: true }).selectOption('2 players');
  await add(page, /^Roll each Wind$/);
  assert.deepEqual(await sentences(page),
    ['1: Roll each Wind', '2: Set the table up again as 2 players'], 'that comes last');
  const who = editor(page).getByLabel('Who may press it');
  assert.ok(await who.isDisabled());
  assert.equal(await who.locator('option:checked').textContent(), 'Only a host');
  await editor(page).getByText('Only a host sets the table up again.').waitFor();
  await editor(page).getByRole('button', { name: 'Try it' }).click();
  await page.getByRole('alertdialog', { name: 'Set the table up again: 2 players?' }).waitFor();
});
