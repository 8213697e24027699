// A host deletes the table (table.md, T42). The page asks once more, and everybody else is
// notified.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { devices, party } from './party.js';

/** @typedef {import('playwright-core').Page} Page */

/** Opens the dialog in which the page asks a host once more. @param {Page} page */
async function asked(page) {
  await page.locator('.title-button').click();
  await page.getByRole('button', { name: 'Delete this table…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Delete “.*”\?$/ });
  await dialog.waitFor();
  return dialog;
}

for (const [device, context] of devices) {
  test(`T42 a host deletes the table, and the friend is notified: ${device}`, async (t) => {
    const { server, host, friend, table, invites } = await party(t, {
      host: context, friend: context,
    });
    const dialog = await asked(host.page);
    assert.match(
      await dialog.innerText(), /What you lose[\s\S]*cannot be undone[\s\S]*What stays/,
    );
    assert.deepEqual(await barriers(host.page), []);
    const keep = dialog.getByRole('button', { name: 'Keep the table' });
    assert.ok(
      await keep.evaluate((b) => b === document.activeElement), 'the harmless button has the focus',
    );
    await keep.click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await friend.page.locator('main').getAttribute('data-status'), 'online');

    await friend.page.evaluate(
      (name) => localStorage.setItem(`holt.test.${name}`, 'of this table'), table,
    );
    await (await asked(host.page)).getByRole('button', { name: 'Delete it' }).click();
    await host.page.waitForURL(`${server.url}/`);
    assert.equal(
      await host.page.locator(`a[href="/t/${table}"]`).count(), 0,
      'the front page no longer lists it',
    );

    await friend.page.getByText('Ada deleted this table.').first().waitFor();
    assert.equal(await friend.page.locator('main').getAttribute('data-status'), 'closed');
    assert.deepEqual(await barriers(friend.page), []);
    assert.equal(
      await friend.page.evaluate((name) => localStorage.getItem(`holt.test.${name}`), table), null,
    );
    await friend.page.getByRole('button', { name: 'To my own table' }).click();
    await friend.page.getByText('That table was deleted.').waitFor();
    assert.deepEqual(await barriers(friend.page), []);

    for (const address of [`${server.url}/t/${table}`, invites.player]) {
      const answer = await friend.page.context().request.get(address);
      assert.equal(answer.status(), 410, address);
      assert.match(await answer.text(), /This table was deleted/);
    }
  });
}

test('T42 a player who is not a host cannot delete the table', async (t) => {
  const { friend } = await party(t);
  await friend.page.locator('.title-button').click();
  await friend.page.getByRole('dialog').waitFor();
  assert.equal(
    await friend.page.getByRole('button', { name: 'Delete this table…' }).count(), 0,
  );
});
