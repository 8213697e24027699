// A table whose log is full (table.md, T44, T45, T48): everybody is notified, a host makes space,
// and play goes on.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { barriers } from './axe.js';
import { devices, party } from './party.js';

/** @typedef {import('playwright-core').Page} Page */

/**
 * Writes on the note of a table until there is no space, as a program of the friend's would.
 *
 * @param {Page} page
 */
async function fill(page) {
  for (let round = 0; round < 80; round++) {
    const client = randomBytes(16).toString('base64url');
    const space = await page.evaluate(async (client) => {
      const api = document.querySelector('main')?.dataset.api ?? '';
      const { epoch, pieces, space } = await (await fetch(api)).json();
      const { id } = pieces.find(
        (/** @type {any} */ p) => p.holder === 0 && !p.pinned && !p.locked && p.owner === 0,
      );
      const { mark } = pieces.find((/** @type {any} */ p) => p.id === id);
      const updates = Array.from({ length: 250 }, (_, i) => ({
        seq: i + 1, piece: id, tag: mark, op: 'move', x: i, y: 0,
      }));
      const headers = { 'Content-Type': 'application/json' };
      await fetch(`${api}/updates`, {
        method: 'POST', headers, body: JSON.stringify({ client, epoch, updates }),
      });
      return space ?? '';
    }, client);
    if (space === 'full' || space === 'spent') return;
  }
  assert.fail('the table is not full');
}

for (const [device, context] of devices) {
  test(`T48 a full table is announced, and its host makes room: ${device}`, async (t) => {
    const { host, friend } = await party(t, {
      host: context, friend: context, flags: ['--table-quota', '1MiB', '--seat-quota', '0'],
    });
    friend.watch.expect(/status of 429/); // it moves as fast as it can
    await fill(friend.page);
    await friend.page.getByText('The host can make room.').waitFor();
    assert.equal(await friend.page.getByRole('button', { name: 'Make room…' }).count(), 0);
    await host.page.locator('.space').getByRole('button', { name: 'Make room…' }).click();
    const settings = host.page.getByRole('dialog');
    await settings.getByText('This table is full.').waitFor();
    await settings.getByRole('button', { name: 'Make room…' }).click();
    const dialog = host.page.getByRole('dialog', { name: 'Delete the old moves?' });
    await dialog.waitFor();
    assert.deepEqual(await barriers(host.page), []);
    const keep = dialog.getByRole('button', { name: 'Keep the old moves' });
    assert.ok(
      await keep.evaluate((b) => b === document.activeElement), 'the harmless button has the focus',
    );
    await dialog.getByRole('button', { name: 'Delete them' }).click();
    await dialog.waitFor({ state: 'detached' });
    await friend.page.getByText('Ada has made room').first().waitFor();
    await friend.page.locator('.space').waitFor({ state: 'hidden' });
    assert.equal(await friend.page.locator('main').getAttribute('data-status'), 'online');
  });
}
