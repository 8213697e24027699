// A game of a linked server: seen on the first page, fetched, played, and kept when the link is
// paused.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { barriers } from './axe.js';
import { arrive, phone } from './party.js';
import { binary, Server } from './server.js';
import { shoot } from './shots.js';

const SPELLS = fileURLToPath(new URL('../../docs/guides/samples/spells.json', import.meta.url));

// Clauses: O54.1, O54.2, O54.5
test('O54 a game of a linked server is fetched and played', async (t) => {
  const home = await Server.start(false, ['--name', 'Ada’s']);
  t.after(() => home.discard());
  const folder = mkdtempSync(join(tmpdir(), 'holt-e2e-games-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync(binary(), ['game', 'pack', SPELLS, '-o', join(folder, 'spells.holt')]);
  const away = await Server.start(false, ['--name', 'Ben’s', '--games', folder]);
  t.after(() => away.discard());
  const { page, watch } = await arrive('Ada', { context: phone });
  t.after(() => page.context().close());
  await page.goto(home.url);
  const look = page.getByRole('button', { name: 'Games of linked servers …' });
  assert.equal(await look.count(), 0, 'nothing is offered without a link');
  const invitation = away.operate('peer', 'invite', '--rights', 'visit').trim();
  home.operate('peer', 'accept', invitation, '--rights', 'visit', '--yes');

  await page.goto(home.url);
  await look.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Ben’s' }).waitFor();
  const spells = page.getByRole('button', { name: 'Get Spells' });
  await spells.waitFor();
  assert.equal(
    await page.getByRole('button', { name: 'Get Chess' }).count(), 0, 'what is here is left out',
  );
  assert.deepEqual(await barriers(page), []);
  await shoot(page, 'linked-games');

  const other = await arrive('Mallory', {});
  t.after(() => other.page.context().close());
  await spells.click();
  const card = page.getByRole('radio', { name: 'Spells' });
  await card.waitFor();
  assert.ok(await card.isChecked(), 'it is on the shelf of this browser');
  await other.page.goto(home.url);
  assert.equal(
    await other.page.getByRole('radio', { name: 'Spells' }).count(), 0,
    'it is not on the shelf of others',
  );

  const { status, json } = await home.call('POST', '/api/v1/linked-games', {
    server: '00'.repeat(8), game: '00'.repeat(32),
  });
  assert.deepEqual([status, json.code], [404, 'not-found']);
  await away.kill();
  await page.getByLabel('Your name').fill('Ada');
  await page.getByRole('button', { name: 'Start a table' }).click();
  await page.locator('main#table[data-ready][data-pieces]').waitFor();
  await page.getByRole('button', { name: 'Spells' }).first().waitFor();
  await page.goto(home.url);
  await look.click();
  await page.getByText('This server cannot be reached at the moment.').waitFor();
  await shoot(page, 'linked-away');
  assert.deepEqual(watch.unexpected, []);
});
