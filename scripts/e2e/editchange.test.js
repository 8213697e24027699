// Kinds of a live table are changed in the editor (T104): everybody sees the pieces as they are
// now, and the change can be taken back.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  changedKinds, changesWith, fileKind, picturesIn,
} from '../../static/js/parts/edit/change.js';
import { packKinds } from '../../static/js/parts/edit/pack.js';
import { unfold } from '../../static/js/view/catalog.js';
import { barriers } from './axe.js';
import { party, phone } from './party.js';
import { eventually, named, piece, pieces, still } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
const editor = (page) => page.getByRole('complementary', { name: 'Edit the game' });

/** Begins to edit. @param {Page} page */
async function edit(page) {
  const people = page.getByRole('complementary', { name: 'People' });
  if (!(await people.isVisible())) await page.locator('.crowd').click();
  await people.getByRole('button', { name: 'Edit the game' }).click();
  await editor(page).waitFor();
}

/** Saves what the form of a change says. @param {Page} page */
async function save(page) {
  await editor(page).getByRole('button', { name: 'Save the change' }).click();
  await editor(page).getByRole('heading', { name: 'Make something new' }).waitFor();
}

/** The width of a piece on the table, in px. @param {Page} page @param {number} id */
const width = (page, id) =>
  page.locator(`[data-piece="${id}"]`).evaluate((of) => Number.parseFloat(of.style.width));

/** The picture of a piece. @param {Page} page @param {number} id */
const picture = (page, id) => page.locator(`[data-piece="${id}"] > .art`).getAttribute('src');

/**
 * Returns the newest catalogue of the table, and the addresses of the server.
 * @param {Page} page
 */
async function catalogOf(page) {
  const { origin, pathname } = new URL(page.url());
  const api = `${origin}/api/v1/tables/${pathname.split('/')[2]}`;
  const art = `${origin}/art/`;
  const state = await (await page.request.get(api)).json();
  const hash = state.info.catalog;
  const kinds = unfold(await (await page.request.get(art + hash)).json());
  return { kinds, hash, api, art, origin };
}

test('T104.1, T104.8: a kind gets another name, size and look, and back again', async (t) => {
  const { host, friend } = await party(t, { game: 'plain' });
  for (const { page } of [host, friend]) await page.getByRole('button', { name: 'Got it' }).click();
  await edit(host.page);
  await editor(host.page).getByRole('button', { name: 'Token', exact: true }).click();
  await editor(host.page).getByLabel('Text', { exact: true }).fill('Wolf');
  await editor(host.page).getByLabel('Name', { exact: true }).fill('Wolf');
  await editor(host.page).getByRole('button', { name: 'Put on the table' }).click();
  assert.ok(await eventually(friend.page, async () =>
    (await pieces(friend.page)).some(({ label }) => label.startsWith('Wolf'))));
  const { id } = await named(friend.page, 'Wolf');
  const before = { width: await width(friend.page, id), art: await picture(friend.page, id) };
  await host.page.locator(`[data-piece="${id}"].selected`).waitFor();

  await editor(host.page).getByText('Chosen on the table: Wolf').waitFor();
  await shoot(host.page, 'change-chosen');
  await editor(host.page).getByRole('button', { name: 'Change it' }).click();
  await editor(host.page).getByRole('heading', { name: 'Change Wolf' }).waitFor();
  await editor(host.page).getByLabel('Name', { exact: true }).fill('Bear');
  await editor(host.page).getByLabel('Text', { exact: true }).fill('Bear');
  await editor(host.page).getByLabel('Diameter, mm').fill('50');
  await still(host.page);
  assert.deepEqual(await barriers(host.page), [], 'axe: the form');
  await shoot(host.page, 'change-form');
  await save(host.page);
  for (const { page } of [host, friend]) {
    assert.ok(await eventually(page, async () => (await piece(page, id)).label.startsWith('Bear')));
    assert.equal(await width(page, id), 2 * before.width, 'it is twice as large');
    assert.notEqual(await picture(page, id), before.art, 'it looks otherwise');
  }
  await shoot(host.page, 'change-done');

  await editor(host.page).getByRole('button', { name: 'Take it back' }).click();
  for (const { page } of [host, friend]) {
    assert.ok(await eventually(page, async () => (await piece(page, id)).label.startsWith('Wolf')));
    assert.equal(await width(page, id), before.width);
  }
});

test('T104.3: the back of a deck changes with all its cards, on a phone', async (t) => {
  const { host, friend } = await party(t, { game: 'hearts', host: phone });
  for (const { page } of [host, friend]) await page.getByRole('button', { name: 'Got it' }).click();
  await edit(host.page);
  await editor(host.page).getByRole('button', { name: 'Change Card', exact: true }).click();
  await editor(host.page).getByText('52 cards have this back.').waitFor();
  await editor(host.page).getByLabel('Colour').fill('#226644');
  await still(host.page);
  assert.deepEqual(await barriers(host.page), [], 'axe: the form');
  await shoot(host.page, 'change-back-phone');
  await save(host.page);
  const colour = '#226644';
  assert.ok(await eventually(friend.page, async () => {
    const { kinds } = await catalogOf(friend.page);
    const cards = kinds.filter(({ mask }) => mask === 0);
    return kinds[0].faces[0].layers?.[0].colour === colour && cards.length === 52 &&
      cards.every(({ faces }) => faces[1].layers?.[0].colour === colour);
  }), 'each card has the new back');
});

test('T104 every kind of these games can be sent as it is', async (t) => {
  for (const game of ['chess', 'hearts', 'mahjong', 'yacht', 'poker']) {
    const { host } = await party(t, { game });
    const { page } = host;
    const { kinds, hash, api, art: base, origin } = await catalogOf(page);
    const headers = { Origin: origin };
    const begun = await page.request.post(`${api}/seats/1/edit`, {
      headers, data: { edits: true },
    });
    assert.ok(begun.ok(), await begun.text());
    /** @type {Map<string, Buffer>} */
    const known = new Map();
    for (const n of kinds.keys()) {
      if (kinds[n].secret && n % 9) continue; // of so many cards some will do
      const to = changedKinds(kinds, n, fileKind(kinds, n));
      const art = new Map();
      for (const one of picturesIn(to)) {
        if (!known.has(one)) known.set(one, await (await page.request.get(base + one)).body());
        art.set(one, new Uint8Array(known.get(one) ?? []));
      }
      const answer = await page.request.post(`${api}/kinds?change=${changesWith(kinds, n)}`, {
        headers: { ...headers, 'Content-Type': 'application/zip' },
        data: Buffer.from(packKinds(to, art)),
      });
      assert.equal(answer.status(), 200, `${game}: ${kinds[n].name}: ${await answer.text()}`);
    }
    assert.equal((await catalogOf(page)).hash, hash, `${game}: the catalogue is what it was`);
  }
});
