// Cards in a hand: other players' pages learn how many they are, and not what or which they are.

import assert from 'node:assert/strict';
import test from 'node:test';
import { ask, deck, deckHas, drawIntoHand, handHas, loosePile, myHand, PACK } from './cards.js';
import { party } from './party.js';
import {
  agree,
  alarms,
  carry,
  drag,
  dragTo,
  eventually,
  focus,
  labelled,
  middle,
  piece,
  pieces,
  same,
  seen,
  still,
  until,
} from './pieces.js';
import { kindsReceived, namesReceived, secretKinds } from './secrets.js';

/** @typedef {import('playwright-core').Page} Page */

test('T22, T23 only the owner sees cards in a hand until they are played', async (t) => {
  const { server, host, friend, table, invites, join } = await party(t, { game: 'cards' });
  const watcher = await join('Cleo', invites.spectator);
  const kinds = await secretKinds(host.page);
  const other = await server.call('POST', `/api/v1/tables/${table}/seats`, {
    invite: invites.player.split('/').at(-1),
    nick: 'Dora',
    colour: '#30638e',
  });
  assert.equal(other.status, 201);

  const mine = await drawIntoHand(host.page);
  assert.ok(kinds.includes(mine.kind) && mine.face === 0, 'its owner sees the front');
  const hand = await myHand(host.page);

  for (const p of [friend, watcher]) {
    await agree(host.page, p.page);
    await handHas(p.page, 'Ada', 1); // the others see that one card lies there
    await eventually(p.page, async () => (await backsIn(p.page, hand.id)) === 1);
    assert.equal(await backsIn(p.page, hand.id), 1, `${p.nick} sees a back`);
    assert.deepEqual(
      (await pieces(p.page)).filter((q) => q.id === mine.id || kinds.includes(q.kind)), [],
      `${p.nick} does not see it`,
    );
    assert.deepEqual(
      kindsReceived(p).filter((k) => kinds.includes(k)), [], `${p.nick} was sent no front`,
    );
    assert.ok(!namesReceived(p).has(mine.id), `${p.nick} did not get its name`);
  }
  const read = await server.read(table, other.json.token);
  const told = read.pieces.filter(
    (/** @type {any} */ p) => kinds.includes(p.kind ?? 0) || p.id === mine.id,
  );
  assert.deepEqual(told, [], 'the API does not reveal it');

  // Now it is played: everybody sees it.
  const pack = await middle(host.page, (await deck(host.page)).id);
  const played = await dragTo(host.page, mine.id, { x: pack.x, y: pack.y - 120 });
  const { label } = await labelled(host.page, mine.id, /^(?!Card)(?!.*in your hand)/);
  for (const p of [friend, watcher]) {
    await p.page
      .locator(`[data-kind="${played.kind}"][data-x="${played.x}"][data-y="${played.y}"]`)
      .waitFor();
    const name = label.split(',')[0];
    await labelled(p.page, (await same(p.page, played)).id, new RegExp(`^${name}`));
    await agree(host.page, p.page);
    await handHas(p.page, 'Ada', 0);
  }
});

test('T29, T30 everybody sees a deal by the counts of cards', async (t) => {
  const { host, friend, invites, join } = await party(t, { game: 'cards' });
  const watcher = await join('Cleo', invites.spectator);
  await focus(host.page, (await deck(host.page)).id);
  await host.page.keyboard.press('e');
  const dialog = host.page.getByRole('dialog');
  await dialog.getByRole('spinbutton').fill('5');
  await host.page.keyboard.press('Enter');
  for (const { page } of [host, friend, watcher]) await seen(page, /dealt 5 each/);
  for (const { page, nick } of [host, friend]) {
    await page.waitForFunction(
      () =>
        document.querySelectorAll(
          '[data-piece][data-face="0"][aria-label*=" in your hand"]:not([aria-label^="Card"])',
        ).length === 5,
    );
    for (const p of [host, friend, watcher]) {
      await deckHas(p.page, PACK - 10);
      if (p.nick !== nick) await handHas(p.page, nick, 5);
    }
  }
  await agree(host.page, friend.page);
  await agree(host.page, watcher.page);
});

test('T15.5, T22 a guessed name in another’s hand is answered like any wrong name', async (t) => {
  const { host, friend, server } = await party(t, { game: 'cards' });
  const { id: name } = await drawIntoHand(host.page);
  await agree(host.page, friend.page);
  await still(host.page);
  const mine = await piece(host.page, name); // as it lies when everything has been drawn
  const nobody = mine.id === 2_000_000 ? 2_000_001 : 2_000_000;
  for (const id of [mine.id, nobody]) {
    await ask(friend.page, { op: 'flip', piece: id, tag: 65_536, face: 1 });
    await ask(friend.page, { op: 'move', piece: id, tag: 65_536, x: 0, y: 0 });
    await ask(friend.page, { op: 'show', piece: id, seat: 2 });
  }
  // Ada receives this after all that.
  await drag(friend.page, await loosePile(friend.page, 1), { x: 200, y: 0 });
  await agree(host.page, friend.page);
  assert.deepEqual(await piece(host.page, mine.id), mine, 'it lies where it lay before');
  assert.equal(await alarms(host.page), '');
  assert.doesNotMatch(server.log, /\b(WARN|ERROR)\b/i, 'the server reports no error');
});

test('T26 a shuffle turns cards down for everybody', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const kinds = await secretKinds(host.page);
  const top = await loosePile(host.page, 20);
  await host.page.locator(`[data-piece="${top}"]`).focus();
  await host.page.keyboard.press('f');
  for (const { page } of [host, friend]) {
    await page.waitForFunction(
      ({ id, kinds }) =>
        kinds.includes(
          Number(document.querySelector(`[data-piece="${id}"]`)?.getAttribute('data-kind')),
        ),
      { id: top, kinds },
    );
  }
  await still(host.page);
  await host.page.keyboard.press('s');
  for (const { page } of [host, friend]) {
    await page.waitForFunction(
      (kinds) =>
        [...document.querySelectorAll('[data-piece]')].every(
          (e) => !kinds.includes(Number(e.getAttribute('data-kind'))),
        ),
      kinds,
    );
  }
  await agree(host.page, friend.page);
});

test('T24 the page does not touch another’s hand; a host may move it', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const adas = await freed(host.page, host.page);
  const bens = await freed(friend.page, host.page);
  const theirs = await same(friend.page, adas);

  for (const key of ['Enter', 'r', 'u', 'p', 'v', 'y', 'Delete']) {
    await focus(friend.page, theirs.id);
    await friend.page.keyboard.press(key);
    await seen(friend.page, /Ada’s hand\. Only Ada or a host can move it/);
    await friend.page.locator('.notice').evaluate((e) => {
      e.textContent = '';
    });
  }
  await friend.page.keyboard.press('x');
  const tools = friend.page.getByRole('toolbar', { name: 'What to do with the selection' });
  await tools.getByRole('button', { name: 'Duplicate' }).waitFor();
  const offered = await tools
    .getByRole('button')
    .evaluateAll((all) =>
      all
        .filter((e) => e instanceof HTMLElement && !e.hidden)
        .map((e) => e.getAttribute('data-action')),
    );
  for (const id of [
    'pick', 'wrest', 'flip', 'rotate', 'raise', 'lower', 'pin', 'lock', 'remove', 'offer claim',
    'offer leave', 'offer give seat', 'offer share seat', 'offer unshare seat',
  ]) {
    assert.ok(!offered.includes(id), `${id} is not offered`);
  }
  await friend.page.keyboard.press('Escape');

  for (const told of [1, 0]) {
    await friend.page.locator('.notice').evaluate((e) => {
      e.textContent = '';
    });
    await carry(friend.page, theirs.id, { x: 900, y: 900 });
    assert.ok(await friend.page.locator('.band').isVisible(), 'a drag from there starts a frame');
    await friend.page.mouse.up();
    assert.equal(
      (await friend.page.locator('.notice').textContent()) === '', told === 0, 'one notice only',
    );
  }
  const { x, y } = await piece(friend.page, theirs.id);
  assert.deepEqual([x, y], [adas.x, adas.y], 'it lies where it lay before');

  const moved = await drag(host.page, (await same(host.page, bens)).id, { x: 300, y: 300 });
  assert.notEqual(moved.x, bens.x);
  await until(friend.page, bens.id, { x: moved.x, y: moved.y, holder: 0 });
  await agree(host.page, friend.page);
});

/** One's own hand, after a host has unpinned it. @param {Page} page @param {Page} host */
async function freed(page, host) {
  const hand = await myHand(page);
  const there = await same(host, hand);
  await focus(host, there.id);
  await host.keyboard.press('p');
  for (const [p, id] of /** @type {Array<[Page, number]>} */ ([
    [host, there.id],
    [page, hand.id],
  ])) {
    await p.locator(`[data-piece="${id}"]:not([aria-label*="pinned"])`).waitFor();
  }
  return hand;
}

/** How many backs are drawn in a hand. @param {Page} page @param {number} hand */
function backsIn(page, hand) {
  return page.locator(`[data-piece="${hand}"] .fan > .back`).count();
}
