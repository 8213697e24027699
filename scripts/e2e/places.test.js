// Places at the table: a player chooses a free one in the list of people, by pointer and by keys.

import assert from 'node:assert/strict';
import test from 'node:test';
import { party } from './party.js';
import { still } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('./party.js').Person} Person */

/** Opens the list of people. @param {Person} who */
async function people({ page }) {
  const panel = page.getByRole('complementary', { name: 'People' });
  if (!(await panel.isVisible())) await page.locator('.crowd').click();
  await panel.waitFor();
  return panel;
}

test('T90.3 a player sits down at a free place, and the old one is free', async (t) => {
  const { host, friend } = await party(t, { game: 'harvest' });
  const panel = await people(friend);
  const role = panel.locator('.seat', { hasText: 'Ben' }).locator('.seat-role');
  assert.equal(await role.textContent(), 'Player · West farm');
  const places = panel.getByRole('list', { name: 'Free places' });
  assert.equal(await places.getByRole('listitem').count(), 1);
  await shoot(friend.page, 'places');
  await places.getByRole('button', { name: 'Sit here: North farm' }).focus();
  await friend.page.keyboard.press('Enter');
  await friend.page.locator('main#table[data-turn="180"]').waitFor();
  await places.getByRole('button', { name: 'Sit here: West farm' }).waitFor();
  assert.equal(await role.textContent(), 'Player · North farm');
  const other = await people(host);
  await other.locator('.seat-role', { hasText: 'North farm' }).waitFor();
  await still(friend.page);
  await shoot(friend.page, 'places-taken');
});
