// The log and chat: gestures as lines, on both sides the same; lines written to everybody and to
// one person; what was there before somebody came; on a desktop and a phone.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { party, phone } from './party.js';
import { drag, eventually, named, pieces, said, still, until } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** Opens the log. @param {Page} page */
async function openLog(page) {
  await page.getByRole('button', { name: /^Chat/ }).click();
  await panel(page).waitFor();
}

/** @param {Page} page */
const panel = (page) => page.getByRole('complementary', { name: 'Chat and log' });

/** Returns the lines, without times. @param {Page} page */
function lines(page) {
  return panel(page).locator('.log-line:not([hidden])').evaluateAll((all) =>
    all.map((line) =>
      [...line.children]
        .filter((e) => !e.matches('time, .log-remove'))
        .map((e) => e.textContent).join(' ')));
}

/** Waits until the log has these lines at its end. @param {Page} page @param {string[]} wanted */
async function endsWith(page, wanted) {
  const fits = async () => {
    const all = await lines(page);
    return JSON.stringify(all.slice(-wanted.length)) === JSON.stringify(wanted);
  };
  assert.ok(await eventually(page, fits), `${JSON.stringify(await lines(page))} ends otherwise`);
}

/** Writes a line. @param {Page} page @param {string} text */
async function write(page, text) {
  await panel(page).getByRole('textbox', { name: 'Write to the table' }).fill(text);
  await page.keyboard.press('Enter');
}

test('T62, T64: moves and chat stand in one log, live and for whoever comes later', async (t) => {
  const { host, friend, invites, join } = await party(t, { game: 'chess', friend: phone });
  for (const { page } of [host, friend]) await page.getByRole('button', { name: 'Got it' }).click();
  await openLog(host.page);
  await still(host.page);

  const pawn = await named(host.page, 'White pawn');
  const { x, y } = await drag(host.page, pawn.id, { x: 0, y: -1000 });
  await until(friend.page, pawn.id, { x, y, holder: 0 });
  const own = (await lines(host.page)).at(-1) ?? '';
  assert.match(own, /^You moved the white pawn from [a-h]2 to [a-h]4\.$/);

  await openLog(friend.page);
  await endsWith(friend.page, [own.replace('You', 'Ada')]);
  await write(friend.page, 'Nice one! See https://example.org/opening.');
  await endsWith(friend.page, ['You Nice one! See https://example.org/opening.']);
  await endsWith(host.page, [own, 'Ben Nice one! See https://example.org/opening.']);
  const link = panel(host.page).getByRole('link', { name: 'https://example.org/opening' });
  assert.equal(await link.getAttribute('rel'), 'noopener noreferrer nofollow ugc');

  const cara = await join('Cara', invites.player);
  await cara.page.getByRole('button', { name: 'Got it' }).click();
  await openLog(cara.page);
  await endsWith(cara.page, [
    own.replace('You', 'Ada'), 'Ben Nice one! See https://example.org/opening.',
    'You took a seat.',
  ]);
  assert.deepEqual(await barriers(host.page), [], 'axe finds nothing on a desktop');
  assert.deepEqual(await barriers(friend.page), [], 'axe finds nothing on a phone');
  await shoot(host.page, 'log-desktop');
  await shoot(friend.page, 'log-phone');

  // What is deleted goes everywhere, and a reload shows the same.
  await panel(friend.page).getByRole('button', { name: /^Delete this line/ }).click();
  await endsWith(cara.page, ['Ben This line was deleted.', 'You took a seat.']);
  await cara.page.reload();
  await openLog(cara.page);
  await endsWith(cara.page, [
    own.replace('You', 'Ada'), 'Ben This line was deleted.', 'You took a seat.',
  ]);

  // A search and a choice of person.
  await panel(cara.page).getByRole('searchbox', { name: 'Search' }).fill('pawn');
  assert.deepEqual(await lines(cara.page), [own.replace('You', 'Ada')]);
});

test('T62: a line is one gesture, live and after a reload', async (t) => {
  const { host, friend } = await party(t, { game: 'chess' });
  for (const { page } of [host, friend]) {
    await page.getByRole('button', { name: 'Got it' }).click();
    await openLog(page);
    await still(page);
  }
  const began = (await lines(host.page)).length;
  const at = async (/** @type {string} */ cell) =>
    (await pieces(host.page)).find(({ label }) => label.includes(cell))?.id ?? 0;
  const [king, queen] = [await at('e2'), await at('d2')];
  // the second move follows as soon as a program can
  await drag(host.page, king, { x: 0, y: -1000 });
  await drag(host.page, queen, { x: 0, y: -1000 });
  const moved = (/** @type {string} */ who) => ['e', 'd'].map((file) =>
    `${who} moved the white pawn from ${file}2 to ${file}4.`);
  await endsWith(host.page, moved('You'));
  await endsWith(friend.page, moved('Ada'));
  assert.equal((await lines(host.page)).length, began + 2);
  for (const [page, who] of /** @type {const} */ ([[host.page, 'You'], [friend.page, 'Ada']])) {
    await page.reload();
    await openLog(page);
    await endsWith(page, moved(who));
  }
});

test('T64: a whisper reaches one person, and a name with @ is announced', async (t) => {
  const { host, friend, invites, join } = await party(t, { game: 'cards' });
  const cara = await join('Cara', invites.player);
  for (const { page } of [host, friend, cara])
    await page.getByRole('button', { name: 'Got it' }).click();
  await openLog(host.page);
  await panel(host.page).getByRole('combobox', { name: 'Who can read it' })
    .selectOption('Only to Ben');
  await write(host.page, 'I have the queen.');
  await endsWith(host.page, ['You only to Ben I have the queen.']);
  const heard = async () =>
    (await said(friend.page)).includes('Ada, to you alone: I have the queen.');
  assert.ok(await eventually(friend.page, heard));
  await friend.page.getByRole('button', { name: 'Chat, one new line' }).waitFor();

  await panel(host.page).getByRole('combobox', { name: 'Who can read it' })
    .selectOption('To everybody');
  await write(host.page, 'Ready, @cara?');
  assert.ok(await eventually(cara.page, async () =>
    (await cara.page.locator('.notice.urgent').textContent()) === 'Ada: Ready, @cara?'));
  await openLog(cara.page);
  await endsWith(cara.page, ['Ada Ready, @cara?']);
  assert.ok(!(await lines(cara.page)).some((line) => line.includes('queen')));
  await openLog(friend.page);
  await endsWith(friend.page, ['Ada to you alone I have the queen.', 'Ada Ready, @cara?']);
});

test('T64.3, T64.8, T64.11: the field offers what works, and keeps what was refused', async (t) => {
  const { host, friend, invites, join } = await party(t, { game: 'cards', friend: phone });
  const sam = await join('Sam', invites.spectator);
  for (const { page } of [host, friend, sam])
    await page.getByRole('button', { name: 'Got it' }).click();
  for (const { page } of [host, friend, sam]) await openLog(page);
  const field = (/** @type {Page} */ page) =>
    panel(page).getByRole('textbox', { name: 'Write to the table' });
  const readers = (/** @type {Page} */ page) =>
    panel(page).getByRole('combobox', { name: 'Who can read it' });
  assert.deepEqual(await readers(host.page).locator('option').allTextContents(),
    ['To everybody', 'Only to Ben']);
  assert.equal(await readers(sam.page).isVisible(), false);

  // Nothing else happens at the table, and the line is sent all the same.
  await write(sam.page, 'Good luck!');
  await endsWith(host.page, ['Sam Good luck!']);

  await field(friend.page).evaluate((/** @type {HTMLInputElement} */ input) => {
    for (let i = 1; i <= 22; i++) {
      input.value = `Line ${i}`;
      input.form?.requestSubmit();
    }
  });
  await endsWith(host.page, ['Ben Line 20']);
  assert.ok(await eventually(friend.page, async () =>
    (await friend.page.locator('.notice.urgent').textContent() ?? '').includes('too fast')));
  assert.equal(await field(friend.page).inputValue(), 'Line 21');
  await shoot(friend.page, 'log-too-fast');

  // The sign that deletes a line stands at its end and makes it no higher.
  await endsWith(sam.page, ['Ben Line 20']);
  const heights = await panel(sam.page).locator('.log-chat').evaluateAll((all) =>
    all.map((line) => line.getBoundingClientRect().height));
  assert.equal(new Set(heights).size, 1, `${heights}`);
  const ends = await panel(sam.page).locator('.log-remove').evaluate((sign) =>
    [sign, sign.parentElement].map((e) => e?.getBoundingClientRect().right ?? 0));
  assert.ok(ends[1] - ends[0] < 10, `${ends}`);

  await field(sam.page).fill('But why');
  await host.page.locator('.title-button').click();
  for (const choice of await host.page.getByRole('dialog').locator('select').all()) {
    const box = await choice.boundingBox();
    assert.ok(box && box.height >= 44, 'a thumb finds it');
  }
  await host.page.getByRole('dialog').locator('#table-chat-days').scrollIntoViewIfNeeded();
  await shoot(host.page, 'log-settings');
  await host.page.getByRole('checkbox', { name: /may write, too$/ }).uncheck();
  await panel(sam.page).getByPlaceholder('Only those who play can write here.').waitFor();
  assert.equal(await field(sam.page).inputValue(), 'But why');
  assert.equal(await panel(sam.page).getByRole('group', { name: 'Reactions' }).isVisible(), false);
  await shoot(sam.page, 'log-only-reads');
});
