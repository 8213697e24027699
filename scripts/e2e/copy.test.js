// A host copies a table into a new one (table.md, T57).

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { atTable, devices, party } from './party.js';

/** The folder for screenshots that somebody wants to look at; empty: none. */
const LOOKS = process.env.HOLT_LOOKS ?? '';

/** @param {import('playwright-core').Page} page @param {string} name */
async function look(page, name) {
  if (LOOKS) await page.screenshot({ path: `${LOOKS}/${name}.png` });
}

/**
 * Opens the dialog that asks about the copy.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} shot
 */
async function ask(page, shot) {
  await page.locator('.title-button').click();
  const door = page.getByRole('button', { name: 'Copy into a new table…' });
  await door.scrollIntoViewIfNeeded();
  await look(page, `${shot}-settings`);
  await door.click();
  const dialog = page.getByRole('dialog', { name: 'Copy into a new table?' });
  await dialog.waitFor();
  assert.deepEqual(await barriers(page), []);
  await look(page, `${shot}-ask`);
  return dialog;
}

for (const [device, context] of devices) {
  test(`T57 a host copies a table unless hands hold cards: ${device}`, async (t) => {
    const { host, friend, table, server } = await party(t, {
      game: 'cards', host: context, friend: context,
    });
    const update = (/** @type {string} */ op) =>
      friend.page.evaluate(async (op) => {
        const api = document.querySelector('main')?.dataset.api ?? '';
        const { epoch, holds } = await (await fetch(api)).json();
        const deck = holds.toSorted(
          (/** @type {any} */ a, /** @type {any} */ b) => b.counts[0] - a.counts[0],
        )[0].piece;
        const client = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .slice(0, 22);
        const body = JSON.stringify({ client, epoch, updates: [{ seq: 1, op, piece: deck }] });
        const answer = await fetch(`${api}/updates`, {
          method: 'POST', headers: { 'Content-Type': 'application/json' }, body,
        });
        return answer.status;
      }, op);
    assert.equal(await update('draw'), 202);
    host.watch.expect(/status of 409.*\/copy/);
    const dialog = await ask(host.page, `copy-${device}`);
    await dialog.getByRole('button', { name: 'Copy and go there' }).click();
    await dialog
      .getByRole('alert')
      .getByText('Some cards here are secret')
      .waitFor();
    await look(host.page, `copy-${device}-hidden`);
    assert.deepEqual(await barriers(host.page), []);
    assert.equal(await update('recall'), 202);
    await dialog.getByRole('button', { name: 'Copy and go there' }).click();
    await host.page.waitForURL(
      (url) => url.pathname.startsWith('/t/') && !url.pathname.endsWith(table),
    );
    await atTable(host.page);
    await look(host.page, `copy-${device}-there`);
    assert.equal(await host.page.locator('main').getAttribute('data-role'), 'host');
    assert.equal(
      await friend.page.locator('main').getAttribute('data-status'), 'online',
      'the first table remains',
    );
    assert.equal(
      (await friend.page.context().request.get(host.page.url())).status(), 401,
      'seats are not copied',
    );
    assert.equal(
      (await host.page.context().request.get(`${server.url}/t/${table}`)).status(), 200,
      'the host has both',
    );
  });
}
