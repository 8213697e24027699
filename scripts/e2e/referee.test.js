// Referees (table.md, T74), getting up and sitting down (T75), and links that are renewed alone.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { arrive, devices, party } from './party.js';
import { about, people, said } from './people.js';
import { drawIntoHand } from './cards.js';
import { seen } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** The cards whose front a page shows, though they lie on it. @param {Page} page */
const seenThrough = (page) => page.locator('.piece.face-down').count();

for (const [device, context] of devices) {
  test(`T74.14, T75.4: a referee, and who gets up: ${device}`, async (t) => {
    const { host, friend, invites, join } =
      await party(t, { game: 'cards', host: context, friend: context });
    const eve = await join('Eve', invites.spectator, { context });
    await people(host.page);
    await (await about(host.page, 'Eve'))
      .getByRole('button', { name: 'Propose as referee' }).click();
    const sure = host.page.getByRole('alertdialog', { name: 'Ask all for Eve as referee?' });
    await sure.waitFor();
    await shoot(host.page, `propose-${device}`);
    assert.deepEqual(await barriers(host.page), []);
    await sure.getByRole('button', { name: 'Ask all' }).click();

    const question = friend.page.getByRole('group', { name: 'A referee' });
    await question.getByText(/shall Eve be a referee and see every hand/).waitFor();
    await question.getByText('1 of 2 agree so far.').waitFor();
    await shoot(friend.page, `asked-${device}`);
    assert.deepEqual(await barriers(friend.page), []);
    await question.getByRole('button', { name: 'Refuse' }).click();
    await question.waitFor({ state: 'detached' });
    await seen(host.page, /There is no referee: not all agreed/);

    await (await about(host.page, 'Eve'))
      .getByRole('button', { name: 'Propose as referee' }).click();
    await host.page.getByRole('button', { name: 'Ask all' }).click();
    await question.getByRole('button', { name: 'Agree' }).focus();
    await friend.page.keyboard.press('Enter');
    await seen(friend.page, /Eve is a referee now, and sees every hand/);
    await seen(eve.page, /you are a referee now/);
    await people(friend.page);
    await said(friend.page, 'Eve').getByText('Referee, sees every hand').waitFor();
    await shoot(friend.page, `people-${device}`);

    // Ben draws a card: Eve sees it, and Ada does not.
    await friend.page.keyboard.press('Escape');
    await drawIntoHand(friend.page);
    await eve.page.waitForFunction(() =>
      [...document.querySelectorAll('.piece')].some((p) =>
        /in Ben’s hand/.test(p.getAttribute('aria-label') ?? '')));
    await shoot(eve.page, `referee-${device}`);
    assert.deepEqual(await barriers(eve.page), []);
    assert.equal(await host.page.locator('.piece[aria-label*="in Ben’s hand"]').count(), 0);
    assert.equal(await seenThrough(host.page), 0);

    const late = await arrive('Dan', { context });
    t.after(() => late.page.context().close());
    await late.page.goto(invites.player);
    await late.page.getByText('Eve is a referee here').waitFor();
    await shoot(late.page, `late-${device}`);
    assert.deepEqual(await barriers(late.page), []);

    // Ben gets up, and sits down again.
    await people(friend.page);
    await friend.page.getByRole('button', { name: 'Leave this table' }).click();
    const leaving = friend.page.getByRole('dialog', { name: 'Leave this table?' });
    await leaving.getByText('They stay yours, and hidden from the others').click();
    await shoot(friend.page, `stand-${device}`);
    assert.deepEqual(await barriers(friend.page), []);
    await leaving.getByRole('button', { name: 'Get up and watch' }).click();
    await seen(friend.page, /You only watch now/);
    await people(friend.page);
    await friend.page.getByRole('button', { name: 'Sit down and play' }).click();
    await friend.page.getByText('Eve is a referee here and sees every hand').waitFor();
    await shoot(friend.page, `sit-${device}`);
    await friend.page.getByRole('alertdialog')
      .getByRole('button', { name: 'Sit down and play' }).click();
    await seen(friend.page, /You are a player now/);
    await seen(host.page, /Ben only watches now/);

    // The host makes a new link to play. The one to watch stays.
    await people(host.page);
    await host.page.getByRole('button', { name: 'Invite friends' }).click();
    const links = host.page.getByRole('dialog', { name: 'Invite friends' });
    await links.locator('[data-renews="player"]').click();
    await host.page.getByRole('alertdialog').getByRole('button', { name: 'New link' }).click();
    await links.getByText('This is the new link to play.').waitFor();
    await shoot(host.page, `renewed-${device}`);
    assert.deepEqual(await barriers(host.page), []);
    assert.notEqual(await links.locator('#link-player').inputValue(), invites.player);
    assert.equal(await links.locator('#link-spectator').inputValue(), invites.spectator);
    await late.page.reload();
    await late.page.getByRole('heading', { name: 'This invite link has been replaced' }).waitFor();
    await shoot(late.page, `replaced-${device}`);
  });
}
