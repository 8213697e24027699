// Every page, for everybody: no barrier that axe knows of, a sensible order of focus, and no motion
// where people do not want it.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { ask, cardsInHand, deck, loosePile } from './cards.js';
import { arrive, desktop, joinByInvite, party, phone, fileServer } from './party.js';
import { agree, focus, frame, middle, named, piece, same, seen, until } from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */

for (const [device, context] of Object.entries({ desktop, phone })) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`axe passes on a ${device} in ${colorScheme} colours`, async (t) => {
      const { host, friend, invites, server } = await party(t, {
        game: 'cards', pages: true, host: { ...context, colorScheme },
      });
      const { page } = host;

      await t.test('the table', async () => assert.deepEqual(await barriers(page), []));
      await t.test('the table with a selection and a held piece', async () => {
        const theirs = await piece(friend.page, await loosePile(friend.page, 1, { x: 0, y: 0 }));
        await agree(page, friend.page);
        await focus(friend.page, theirs.id);
        await friend.page.keyboard.press('Enter');
        const { id } = await same(page, theirs);
        await until(page, id, { holder: 2 });
        const at = await middle(page, id);
        await page.mouse.click(at.x, at.y);
        await frame(page);
        assert.deepEqual(await barriers(page), []);
        await friend.page.keyboard.press('Escape');
      });
      for (const [name, key] of [
        ['help', 'h'],
        ['invite', 'i'],
        ['the box of pieces', 'n'],
      ]) {
        await t.test(name, async () => {
          await page.keyboard.press(key);
          await page.getByRole('dialog').waitFor();
          assert.deepEqual(await barriers(page), []);
          await page.keyboard.press('Escape');
          await page.getByRole('dialog').waitFor({ state: 'hidden' });
        });
      }
      for (const [name, first, key] of [
        ['a question for a number', 'Deck', 'e'],
        ['a question for a player', 'Your hand', 'y'],
        ['how to split a heap', 'Chips', 'v'],
        ['writing on a note', 'Score pad', 'm'],
        ['what can be done with a piece', 'Six-sided die', 'Shift+F10'],
      ]) {
        await t.test(name, async () => {
          await page.keyboard.press('Escape'); // nothing is selected
          await focus(page, (await named(page, first)).id);
          await page.keyboard.press(key);
          const opened = page.locator('[role="dialog"], dialog[open]');
          await opened.waitFor();
          assert.deepEqual(await barriers(page), []);
          await page.keyboard.press('Escape');
          await opened.waitFor({ state: 'detached' });
        });
      }
      await t.test('cards in one’s own hand, and one that somebody shows', async () => {
        for (const p of [page, friend.page]) {
          await ask(p, { op: 'draw', piece: (await deck(p)).id });
          await p
            .locator('[data-piece][aria-label*=" in your hand"]:not([aria-label^="Card"])')
            .waitFor();
        }
        const [card] = await cardsInHand(friend.page);
        await focus(friend.page, card.id);
        await friend.page.keyboard.press('v');
        await friend.page.getByRole('dialog').getByRole('button', { name: /Ada/ }).click();
        const shown = page.getByRole('dialog', { name: 'Ben shows you' });
        await shown.waitFor();
        // It fades in, and meanwhile axe would judge its colours.
        const ended = (/** @type {Element} */ e) =>
          Promise.all(e.getAnimations({ subtree: true }).map((a) => a.finished));
        await shown.evaluate(ended);
        assert.deepEqual(await barriers(page), []);
        await page.keyboard.press('Escape');
      });
      await t.test('the fairness page', async () => {
        const at = page.url();
        await page.goto(`${at}/fairness`);
        await page.getByRole('heading', { name: 'Is it fair?' }).waitFor();
        assert.deepEqual(await barriers(page), []);
      });
      await t.test('the first page', async () => {
        await page.goto(`${server.url}/`);
        assert.deepEqual(await barriers(page), []);
      });
      await t.test('the invite page', async () => {
        await page.goto(invites.player);
        assert.deepEqual(await barriers(page), []);
      });
      await t.test('an error page', async () => {
        host.watch.expect(/status of 404/);
        await page.goto(`${server.url}/join/nobody-knows-this-one`);
        await page.getByRole('heading').first().waitFor();
        assert.deepEqual(await barriers(page), []);
      });
    });
  }
}

test('each colour of a form shows in that colour', async (t) => {
  const server = await fileServer();
  const person = await arrive('Ada');
  t.after(() => person.page.context().close());
  await person.page.goto(`${server.url}/`);
  const swatches = await person.page.locator('.swatch').evaluateAll((all) =>
    all.map((e) => {
      const shown = getComputedStyle(
        /** @type {Element} */ (e.querySelector('.swatch-colour')),
      ).backgroundColor;
      const parts = (/\d+, \d+, \d+/.exec(shown)?.[0] ?? '')
        .split(', ')
        .map((n) => Number(n).toString(16).padStart(2, '0'));
      return { value: e.querySelector('input')?.value, shown: `#${parts.join('')}` };
    }),
  );
  assert.equal(new Set(swatches.map((s) => s.value)).size, 12);
  for (const { value, shown } of swatches) assert.equal(shown, value);
  assert.deepEqual(person.watch.unexpected, [], 'and the policy of the page lets it');
});

test('Tab takes few steps: one for the pieces, one for each bar', async (t) => {
  const { host } = await party(t);
  const { page } = host;
  const pawn = await named(page, 'White pawn');
  await focus(page, pawn.id);
  // The next frame draws that this piece is the one that Tab comes to.
  await page.locator(`[data-piece="${pawn.id}"][tabindex="0"]`).waitFor();
  /** @type {Array<{what: string, piece: boolean, body: boolean, seen: boolean, ring: boolean}>} */
  const stops = [];
  for (let i = 0; i < 30; i++) {
    const stop = await page.evaluate(() => {
      const e = /** @type {HTMLElement} */ (document.activeElement ?? document.body);
      const r = e.getBoundingClientRect();
      return {
        what:
          e.tagName +
          (e.getAttribute('data-piece') ?? '') +
          (e.getAttribute('aria-label') ?? e.textContent ?? ''),
        piece: e.hasAttribute('data-piece'),
        body: e === document.body,
        seen:
          r.width > 0 &&
          r.height > 0 &&
          r.right > 0 &&
          r.bottom > 0 &&
          r.left < innerWidth &&
          r.top < innerHeight,
        ring:
          getComputedStyle(e).outlineStyle !== 'none' || getComputedStyle(e).boxShadow !== 'none',
      };
    });
    if (stop.body || stops.some((s) => s.what === stop.what)) break;
    stops.push(stop);
    await page.keyboard.press('Tab');
  }
  assert.ok(
    stops.length >= 2 && stops.length <= 12,
    `${stops.length} steps: ${stops.map((s) => s.what).join(' | ')}`,
  );
  assert.equal(stops.filter((s) => s.piece).length, 1, 'arrow keys lead from piece to piece');
  for (const s of stops) assert.ok(s.seen && s.ring, `the focus is visible: ${s.what}`);
});

test('reduced motion shows no motion', async (t) => {
  const { host, friend } = await party(t, { friend: { reducedMotion: 'reduce' } });
  const mine = await named(host.page, 'White pawn');
  const theirs = await same(friend.page, mine);
  await friend.page.evaluate((id) => {
    const e = document.querySelector(`[data-piece="${id}"]`);
    if (!e) throw new Error('no such piece');
    new MutationObserver(() => {
      if (e.classList.contains('over')) Object.assign(window, { slid: true });
    }).observe(e, { attributes: true, attributeFilter: ['class'] });
  }, theirs.id);
  await focus(host.page, mine.id);
  await host.page.keyboard.press('r');
  await until(friend.page, theirs.id, { angle: 1500 });
  await frame(friend.page);
  assert.equal(
    await friend.page.evaluate(() => 'slid' in window), false, 'the piece did not turn slowly',
  );
  assert.equal(
    await friend.page.evaluate(
      () => document.getAnimations().filter((a) => a.playState === 'running').length,
    ),
    0, 'nothing is animated',
  );
  await agree(host.page, friend.page);
  // A drag is followed now and then, without gliding (motion.test.js).
});

test('a visit contacts no other host: first page, invite, table, art', async (t) => {
  const server = await fileServer();
  const table = await server.createTable('draughts');
  const person = await arrive('Ada');
  t.after(() => person.page.context().close());
  await person.page.goto(`${server.url}/`);
  await joinByInvite(person, table.invites.player);
  await person.page.waitForFunction(() =>
    [...document.images].every((i) => i.complete && i.naturalWidth > 0),
  );
  assert.deepEqual([...person.watch.hosts], [new URL(server.url).host]);
  assert.deepEqual(person.watch.unexpected, []);
});

test('the links in the invite dialog let people in', async (t) => {
  const { host, join } = await party(t, { pages: true });
  await host.page.keyboard.press('i');
  const dialog = host.page.getByRole('dialog');
  await dialog.getByRole('textbox').nth(1).waitFor(); // they are fetched
  const links = await dialog
    .locator('input')
    .evaluateAll((all) => all.map((e) => /** @type {HTMLInputElement} */ (e).value));
  const found = links.filter((l) => l.startsWith('http'));
  assert.equal(found.length, 2, 'one to play, one to watch');
  const player = await join('Cleo', found[0], { pages: true });
  assert.equal(await player.page.locator('main#table').getAttribute('data-role'), 'player');
  const watcher = await join('Dora', found[1], { pages: true });
  assert.equal(await watcher.page.locator('main#table').getAttribute('data-role'), 'spectator');
  const pawn = await named(watcher.page, 'White pawn');
  await focus(watcher.page, pawn.id);
  await watcher.page.keyboard.press('Enter');
  await seen(watcher.page, /You are watching/);
  await agree(player.page, watcher.page);
});
