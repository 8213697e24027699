// Dice and coins: the server draws the result, and everybody sees them fall.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { party } from './party.js';
import {
  agree,
  eventually,
  focus,
  frame,
  labelled,
  middle,
  named,
  piece,
  said,
  same,
  seen,
} from './pieces.js';
import { eventsReceived } from './secrets.js';

/** @typedef {import('playwright-core').Page} Page */

/** How long a die can rest at most, in milliseconds. No test has to look in time. */
const LONG = 60_000;

/**
 * A folder of the client's files in which dice rest for as long as they can.
 *
 * @param {import('node:test').TestContext} t
 */
function restingLong(t) {
  const folder = mkdtempSync(join(tmpdir(), 'holt-e2e-dice-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(fileURLToPath(new URL('../../static', import.meta.url)), folder, { recursive: true });
  const game = join(folder, 'games', 'tokens.json');
  const text = readFileSync(game, 'utf8').replaceAll(/"cooldown": \d+/g, `"cooldown": ${LONG}`);
  assert.ok(text.includes(`${LONG}`));
  writeFileSync(game, text);
  return ['--dev', folder];
}

/** The sign that a die rests. @param {Page} page @param {number} id */
const rests = (page, id) => page.locator(`[data-piece="${id}"] > .cooling`);

/** Events that say nothing of pieces: answers to pings, facts about randomness, and cursors. */
const BESIDES = ['pong', 'fair', 'cursors'];

/** How many rolls were sent to a person. @param {import('./party.js').Person} person */
const rollsTold = (person) =>
  eventsReceived(person).filter((e) => e.type === 'update' && e.op === 'roll').length;

test('T32, K16.10 O rolls a die: all see it fall, rest and show its face', async (t) => {
  const { host, friend, join: seat, invites } = await party(t, {
    game: 'tokens', flags: restingLong(t),
  });
  const die = await named(host.page, 'Twenty-sided die');
  const theirs = await same(friend.page, die);
  await focus(host.page, die.id);
  await host.page.keyboard.press('o');
  await rests(host.page, die.id).waitFor({ state: 'attached' });
  await rests(friend.page, theirs.id).waitFor({ state: 'attached' });
  await host.page.keyboard.press('o');
  await seen(host.page, /has just been rolled/);
  const { face } = await piece(friend.page, theirs.id);
  for (const { page, id, who } of [
    { page: host.page, id: die.id, who: 'You' },
    { page: friend.page, id: theirs.id, who: 'Ada' },
  ]) {
    await page
      .locator('[data-live="polite"]', { hasText: `${who} rolled ${face + 1}.` })
      .waitFor({ state: 'attached' });
    // The name follows when the die has come to rest.
    const lies = await labelled(page, id, new RegExp(`^Twenty-sided die, ${face + 1},`));
    assert.deepEqual([lies.face, lies.x, lies.y], [face, die.x, die.y]);
  }
  const late = await seat('Cleo', invites.player);
  const die3 = await same(late.page, die);
  await rests(late.page, die3.id).waitFor({ state: 'attached' });
  await focus(late.page, die3.id);
  await late.page.keyboard.press('o');
  await seen(late.page, /has just been rolled/);
  await agree(host.page, friend.page);
  assert.equal(rollsTold(friend), 1, 'it could not be rolled while it rested');
});

test('T32 several dice roll at once with a total, and again after a rest', async (t) => {
  const { host, friend } = await party(t, { game: 'tokens' });
  const { page } = host;
  const dice = [
    await named(page, 'Six-sided die'), await named(page, 'Eight-sided die'),
    await named(page, 'Ten-sided die'),
  ];
  for (const { id } of dice) {
    await focus(page, id);
    await page.keyboard.press('x');
  }
  await page
    .getByRole('toolbar', { name: 'What to do with the selection' })
    .getByRole('button', { name: 'Roll' })
    .click();
  await seen(page, /You rolled \d+, \d+ and \d+, \d+ in total\./);
  await seen(friend.page, /Ada rolled \d+, \d+ and \d+, \d+ in total\./);
  await frame(page); // what is spoken is also drawn
  const faces = [];
  for (const { id } of dice) faces.push((await piece(page, id)).face + 1);
  const sum = faces.reduce((a, b) => a + b);
  for (const p of [page, friend.page])
    assert.match(await said(p), new RegExp(`${sum} in total\\.`));
  await agree(page, friend.page);

  await page.keyboard.press('Escape'); // the selection
  await focus(page, dice[0].id);
  assert.equal(rollsTold(friend), 3);
  const isRolled = await eventually(page, async () => {
    await page.keyboard.press('o'); // in vain while it rests
    return rollsTold(friend) > 3;
  });
  assert.ok(isRolled, 'it was rolled again');
});

/** Makes the page record in its body that a piece tumbles. @param {Page} page @param {number} id */
async function watchTumbling(page, id) {
  await page.evaluate((id) => {
    const art = document.querySelector(`[data-piece="${id}"] > .art`);
    const look = () => {
      if (art?.getAnimations().some((a) => a.effect?.getComputedTiming().duration === 200))
        document.body.dataset.tumbled = '';
      requestAnimationFrame(look);
    };
    look();
  }, id);
}

test('T32 a double click tosses a coin; reduced motion skips the tumbling', async (t) => {
  const { host, friend } = await party(t, {
    game: 'tokens', links: true, friend: { reducedMotion: 'reduce' },
  });
  const coin = await named(host.page, 'Coin');
  const theirs = await same(friend.page, coin);
  await Promise.all([watchTumbling(host.page, coin.id), watchTumbling(friend.page, theirs.id)]);
  const at = await middle(host.page, coin.id);
  host.link?.hold('up'); // it is in the air until the server has answered
  await host.page.mouse.dblclick(at.x, at.y);
  await host.page.locator('body[data-tumbled]').waitFor({ state: 'attached' });
  host.link?.release();
  await friend.page
    .locator('[data-live="polite"]', { hasText: /Ada rolled (heads|tails)\./ })
    .waitFor({ state: 'attached' });
  assert.equal(await friend.page.evaluate(() => 'tumbled' in document.body.dataset), false);
  await agree(host.page, friend.page);
});

test('T23, T32 only the owner sees a roll behind a screen', async (t) => {
  const { host, friend } = await party(t, { game: 'tokens' });
  const { page } = host;
  const die = await named(page, 'Six-sided die');
  const before = await same(friend.page, die);
  const screen = Number(await page.locator('[data-piece].hand.own').getAttribute('data-piece'));
  const from = await middle(page, die.id);
  const to = await middle(page, screen);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.mouse.up();
  await friend.page.locator(`[data-piece="${before.id}"]`).waitFor({ state: 'detached' });
  await friend.page
    .locator('[data-piece][aria-label^="Ada’s screen, one piece"] .covered')
    .waitFor({ state: 'attached' });

  const hidden = page.locator(
    '[data-piece][aria-label^="Six-sided die"][aria-label*="in your hand"]',
  );
  await hidden.waitFor();
  const count = eventsReceived(friend).length;
  await hidden.focus();
  await page.keyboard.press('o');
  await page
    .locator('[data-live="polite"]', { hasText: /You rolled \d\./ })
    .waitFor({ state: 'attached' });
  assert.doesNotMatch(await said(friend.page), /rolled/);
  const told = eventsReceived(friend)
    .slice(count)
    .map((e) => e.type);
  assert.deepEqual(
    told.filter((type) => !BESIDES.includes(type)), [], 'the other player gets no message of it',
  );
});
