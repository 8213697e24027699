// Who made the pictures: asked once, kept, and shown to everybody at the table (G27).

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { party } from './party.js';
import { still } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
const editor = (page) => page.getByRole('complementary', { name: 'Edit the game' });

const svg = (/** @type {string} */ colour) => Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">` +
  `<circle cx="5" cy="5" r="4" fill="${colour}"/></svg>`);

/** Opens the form of a token with a picture. @param {Page} page @param {string} name
 * @param {string} colour */
async function pictured(page, name, colour) {
  await editor(page).getByRole('button', { name: 'Token', exact: true }).click();
  await editor(page).getByLabel('Name', { exact: true }).fill(name);
  const asked = editor(page).getByRole('group', { name: 'Who made the picture' });
  assert.equal(await asked.isVisible(), false, 'nothing is asked without a picture');
  await editor(page).locator('input[type="file"]').first()
    .setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: svg(colour) });
  await asked.waitFor();
}

/** Puts what the form says on the table. @param {Page} page */
async function put(page) {
  await editor(page).getByRole('button', { name: 'Put on the table' }).click();
  await editor(page).getByRole('heading', { name: 'Make something new' }).waitFor();
}

test('G27.5 who made pictures is asked once, and everybody at the table can read it', async (t) => {
  const { host, friend } = await party(t, { game: 'plain' });
  const { page } = host;
  for (const one of [page, friend.page]) await one.getByRole('button', { name: 'Got it' }).click();
  await page.getByRole('button', { name: 'Add a piece' }).click();
  await page.getByRole('button', { name: 'Make a new kind of piece' }).click();
  await editor(page).waitFor();
  await pictured(page, 'Red', '#cc3333');
  await editor(page).getByLabel('Author').fill('Ada Example');
  await editor(page).getByLabel('Licence').fill('CC-BY-4.0');
  await editor(page).getByLabel('Source, such as an address').fill('https://example.org/red');
  await still(page);
  assert.deepEqual(await barriers(page), [], 'axe: the form');
  await shoot(page, 'credits-form');
  await put(page);
  await pictured(page, 'Blue', '#3333cc');
  assert.equal(await editor(page).getByLabel('Author').inputValue(), 'Ada Example');
  assert.equal(await editor(page).getByLabel('Licence').inputValue(), 'CC-BY-4.0');
  await put(page);
  await pictured(page, 'Green', '#33cc33');
  await editor(page).getByLabel('Author').fill('Ben');
  await editor(page).getByLabel('Licence').fill('');
  await editor(page).getByLabel('Source, such as an address').fill('');
  await put(page);

  await friend.page.getByRole('button', { name: /^Plain|^This table/ }).first().click();
  const said = friend.page.locator('details.credits');
  await said.getByText('Who made the pictures').click();
  await said.getByText('2 pictures: Ada Example, CC-BY-4.0, https://example.org/red').waitFor();
  await said.getByText('1 picture: Ben').waitFor();
  assert.equal(await said.getByRole('link').getAttribute('href'), 'https://example.org/red');
  await still(friend.page);
  assert.deepEqual(await barriers(friend.page), [], 'axe: the dialog');
  await shoot(friend.page, 'credits-shown');
});
