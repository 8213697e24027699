// Cards in a hand: nobody else's page is told what they are, neither on the screen nor in what it receives.

import assert from 'node:assert/strict';
import test from 'node:test';
import { party } from './party.js';
import {
  agree,
  carry,
  drag,
  dragTo,
  focus,
  labelled,
  middle,
  ownHand,
  piece,
  same,
  seen,
  still,
  topOfDeck,
  until,
} from './pieces.js';
import { kindsReceived, secretKinds } from './secrets.js';

/** @typedef {import('playwright-core').Page} Page */

test('T22, T23 what lies in a hand is seen by its owner only, until it is played', async (t) => {
  const { server, host, friend, table, invites, join } = await party(t, { game: 'cards' });
  const watcher = await join('Cleo', invites.spectator);
  const kinds = await secretKinds(host.page);
  const other = await server.call('POST', `/api/v1/tables/${table}/seats`, {
    invite: invites.player.split('/').at(-1),
    nick: 'Dora',
    colour: '#30638e',
  });
  assert.equal(other.status, 201);

  const card = await draw(host.page);
  await host.page.waitForFunction(
    ({ id, kinds }) =>
      kinds.includes(Number(document.querySelector(`[data-piece="${id}"]`)?.getAttribute('data-kind'))),
    { id: card, kinds },
  );
  const mine = await piece(host.page, card);
  assert.equal(mine.face, 0, 'its owner sees the front');

  await agree(host.page, friend.page);
  await agree(host.page, watcher.page);
  for (const p of [friend, watcher]) {
    assert.ok(!kinds.includes((await back(p.page, mine)).kind), `${p.nick} sees a back`);
    assert.deepEqual(
      kindsReceived(p).filter((k) => kinds.includes(k)),
      [],
      `${p.nick} was sent no front at all`,
    );
  }
  const read = await server.read(table, other.json.token);
  assert.deepEqual(
    read.pieces.filter((/** @type {any} */ p) => kinds.includes(p.kind ?? 0)),
    [],
    'the API tells it to nobody either',
  );

  // Now it is played: everybody sees it.
  const deck = await middle(host.page, await topOfDeck(host.page));
  const played = await dragTo(host.page, card, { x: deck.x + 160, y: deck.y });
  const { label } = await labelled(host.page, card, /^(?!Card)(?!.*in your hand)/);
  for (const p of [friend, watcher]) {
    await p.page.waitForFunction(
      ({ x, y, kind }) =>
        [...document.querySelectorAll(`[data-kind="${kind}"]`)].some(
          (e) => e.getAttribute('data-x') === String(x) && e.getAttribute('data-y') === String(y),
        ),
      played,
    );
    const name = label.split(',')[0];
    await labelled(p.page, (await same(p.page, played)).id, new RegExp(`^${name}`));
  }
});

test('T22 nobody can turn over what lies in the hand of another', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const card = await draw(host.page);
  await agree(host.page, friend.page);
  const mine = await piece(host.page, card);
  const theirs = await back(friend.page, mine);
  await friend.page.locator(`[data-piece="${theirs.id}"]`).focus();
  await friend.page.keyboard.press('f');
  await friend.page.locator('.notice.shown').waitFor();
  const { mark } = await piece(friend.page, theirs.id); // a refusal comes with a mark of its own
  assert.deepEqual(await piece(friend.page, theirs.id), { ...theirs, mark });
  assert.equal((await piece(host.page, card)).face, 0);
});

test('T26 a shuffle turns cards down for everybody', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const kinds = await secretKinds(host.page);
  const top = await topOfDeck(host.page);
  await host.page.locator(`[data-piece="${top}"]`).focus();
  await host.page.keyboard.press('f');
  await host.page.waitForFunction(
    ({ id, kinds }) =>
      kinds.includes(Number(document.querySelector(`[data-piece="${id}"]`)?.getAttribute('data-kind'))),
    { id: top, kinds },
  );
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

test('T24 the hand of another is left alone by the page, and a host may move it', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const adas = await freed(host.page, host.page);
  const bens = await freed(friend.page, host.page);
  const theirs = await same(friend.page, adas);

  for (const key of ['Enter', 'r', 'u', 'p', 'Delete']) {
    await focus(friend.page, theirs.id);
    await friend.page.keyboard.press(key);
    await seen(friend.page, /Ada’s hand\. Only Ada or a host can move it/);
  }
  await friend.page.keyboard.press('x');
  const tools = friend.page.getByRole('toolbar', { name: 'What to do with the selection' });
  await tools.getByRole('button', { name: 'Copy' }).waitFor();
  const offered = await tools.getByRole('button').evaluateAll((all) =>
    all.filter((e) => e instanceof HTMLElement && !e.hidden).map((e) => e.getAttribute('data-action')),
  );
  for (const id of ['pick', 'wrest', 'flip', 'rotate', 'raise', 'lower', 'pin', 'lock', 'remove']) {
    assert.ok(!offered.includes(id), `${id} is not offered`);
  }
  await friend.page.keyboard.press('Escape');

  for (const told of [1, 0]) {
    await friend.page.locator('.notice').evaluate((e) => {
      e.textContent = '';
    });
    await carry(friend.page, theirs.id, { x: 900, y: 900 });
    assert.ok(await friend.page.locator('.band').isVisible(), 'a drag from there draws a frame');
    await friend.page.mouse.up();
    assert.equal((await friend.page.locator('.notice').textContent()) === '', told === 0, 'why is said once');
  }
  const { x, y } = await piece(friend.page, theirs.id);
  assert.deepEqual([x, y], [adas.x, adas.y], 'it lies where it lay');

  const moved = await drag(host.page, (await same(host.page, bens)).id, { x: 300, y: 300 });
  assert.notEqual(moved.x, bens.x);
  await until(friend.page, bens.id, { x: moved.x, y: moved.y, holder: 0 });
  await agree(host.page, friend.page);
});

/** The own hand of a page, which a host has unlocked and unpinned. @param {Page} page @param {Page} host */
async function freed(page, host) {
  const hand = await piece(page, Number(await page.locator('[data-piece].hand.own').getAttribute('data-piece')));
  const there = await same(host, hand);
  for (const [key, state] of Object.entries({ l: 'locked', p: 'pinned' })) {
    await focus(host, there.id);
    await host.keyboard.press(key);
    for (const [p, id] of /** @type {Array<[Page, number]>} */ ([[host, there.id], [page, hand.id]])) {
      await p.locator(`[data-piece="${id}"]:not([aria-label*="${state}"])`).waitFor();
    }
  }
  return hand;
}

/**
 * The card in Ada's hand that lies there, as somebody else sees it once it has come to rest.
 * @param {Page} page @param {import('./pieces.js').Point} at
 */
async function back(page, { x, y }) {
  const card = page.locator(`[data-piece][data-x="${x}"][data-y="${y}"][aria-label*="in Ada’s hand"]`);
  await card.waitFor();
  return piece(page, Number(await card.getAttribute('data-piece')));
}

/** Draws the top card of the deck into the own hand. Returns its id. @param {Page} page */
async function draw(page) {
  const card = await topOfDeck(page);
  await dragTo(page, card, await ownHand(page));
  await labelled(page, card, /in your hand/);
  return card;
}
