// What is kept of people (table.md, T79, T80): a copy as a file, and erasure, with a warning.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { barriers } from './axe.js';
import { desktop, devices, party, phone } from './party.js';
import { about, people, said } from './people.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** Writes a line to the table. @param {Page} page @param {string} text */
async function say(page, text) {
  const field = page.getByLabel('Write to the table', { exact: true });
  if (!(await field.isVisible())) await page.keyboard.press('Shift+C');
  await field.fill(text);
  await page.keyboard.press('Enter');
  await page.locator('.log-said', { hasText: text }).waitFor();
}

for (const [device, context] of Object.entries({ desktop, phone })) {
  test(`T79, T80 a player saves a copy and erases themselves: ${device}`, async (t) => {
    const { host, friend } = await party(t, { host: desktop, friend: context, game: 'cards' });
    await say(host.page, 'a word of the host');
    await say(friend.page, 'my own words');
    await host.page.locator('.log-said', { hasText: 'my own words' }).waitFor();
    await friend.page.keyboard.press('Escape');

    await people(friend.page);
    const byKey = device === 'desktop';
    const press = async (/** @type {string} */ name) => {
      const button = friend.page.getByRole('button', { name, exact: true });
      if (!byKey) return button.tap();
      await button.focus();
      return friend.page.keyboard.press('Enter');
    };
    await press('Leave this table');
    await friend.page.getByRole('heading', { name: 'What is kept about you' }).waitFor();
    await friend.page.getByRole('button', { name: 'Erase me from this table' })
      .scrollIntoViewIfNeeded();
    await shoot(friend.page, `leave-${device}`);
    const download = friend.page.waitForEvent('download');
    await press('Save a copy as a file');
    const file = await download;
    assert.equal(file.suggestedFilename(), 'holt-my-data.json');
    const data = JSON.parse(await readFile(await file.path(), 'utf8'));
    assert.equal(data.seat.nick, 'Ben');
    assert.ok(JSON.stringify(data.entries).includes('my own words'), 'T79.1');
    assert.ok(!JSON.stringify(data).includes('a word of the host'), 'T79.2');
    await friend.page.getByText('The file is saved.').waitFor();

    await press('Erase me from this table');
    const dialog = friend.page.getByRole('dialog', { name: 'Erase you from this table?' });
    await dialog.getByText('This cannot be undone.').waitFor();
    await shoot(friend.page, `erase-${device}`);
    assert.deepEqual(await barriers(friend.page), []);
    await press('Erase me and leave');
    await friend.page.waitForURL((url) => url.pathname === '/');

    // The host's page forgets the lines, and the name.
    const words = host.page.locator('.log-said', { hasText: 'my own words' });
    await words.waitFor({ state: 'detached' });
    await host.page.locator('.log-said', { hasText: 'a word of the host' }).waitFor();
    await host.page.getByText('Somebody (2)').first().waitFor({ state: 'attached' });
    await shoot(host.page, `after-${device}`);
    await host.page.reload();
    await host.page.locator('main[data-ready]').waitFor();
    assert.ok(!(await host.page.content()).includes('my own words'));
  });
}

for (const [device, context] of devices) {
  test(`T80.3 a host erases somebody who has left: ${device}`, async (t) => {
    const { host, friend, table } = await party(t, { host: context, game: 'cards' });
    const { page } = host;
    await say(page, 'a word of the host');
    await say(friend.page, 'words of somebody who leaves');
    const words = page.locator('.log-said', { hasText: 'words of somebody who leaves' });
    await words.waitFor();
    await page.keyboard.press('Escape');
    await people(page);
    const left = page.locator('.seats-left');
    assert.equal(await left.isVisible(), false, 'nobody has left');
    const dialog = await about(page, 'Ben');
    assert.equal(await dialog.getByRole('button', { name: /^Erase/ }).count(), 0, 'Ben is here');
    await page.keyboard.press('Escape');
    await friend.page.evaluate((url) => fetch(url, { method: 'DELETE' }),
      `/api/v1/tables/${table}/seats/me`);
    await friend.page.getByText('You have left this table').first().waitFor();

    await left.getByText('One person has left').click();
    assert.match(await said(page, 'Ben').innerText(), /Has left the table/);
    await shoot(page, `left-${device}`);
    await about(page, 'Ben');
    await shoot(page, `about-left-${device}`);
    await page.getByRole('button', { name: 'Erase what is kept of Ben' }).click();
    const question = page.getByRole('dialog', { name: 'Erase what is kept of Ben?' });
    await question.getByText('This cannot be undone.').waitFor();
    await shoot(page, `erase-left-${device}`);
    assert.deepEqual(await barriers(page), []);
    await question.getByRole('button', { name: 'Erase for ever' }).click();
    await page.getByRole('dialog', { name: 'Ben is erased' }).waitFor();
    await shoot(page, `erased-left-${device}`);
    await page.keyboard.press('Escape');
    await left.waitFor({ state: 'hidden' });
    await words.waitFor({ state: 'detached' });
    await page.getByText('Somebody (2)').first().waitFor({ state: 'attached' });
    await page.reload();
    await page.locator('main[data-ready]').waitFor();
    const shown = await page.locator('body').innerText();
    assert.doesNotMatch(shown, /words of somebody who leaves|\bBen\b/);
  });
}
