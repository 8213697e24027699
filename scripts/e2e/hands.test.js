// Cards in a hand: nobody else's page is told what they are, neither on the screen nor in what it receives.

import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeFrame } from '../../static/js/wire.js';
import { party } from './party.js';
import { agree, dragTo, labelled, middle, ownHand, piece, pieces, same, still, topOfDeck } from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./party.js').Person} Person */

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
    const back = (await pieces(p.page)).find((q) => q.x === mine.x && q.y === mine.y && /in Ada’s hand/.test(q.label));
    assert.ok(back && !kinds.includes(back.kind), `${p.nick} sees a back`);
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
  const theirs = (await pieces(friend.page)).find(
    (q) => q.x === mine.x && q.y === mine.y && /in Ada’s hand/.test(q.label),
  );
  assert.ok(theirs);
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

/** Draws the top card of the deck into the own hand. Returns its id. @param {Page} page */
async function draw(page) {
  const card = await topOfDeck(page);
  await dragTo(page, card, await ownHand(page));
  await labelled(page, card, /in your hand/);
  return card;
}

/** The kinds of the table's catalogue that are secret. @param {Page} page @returns {Promise<number[]>} */
async function secretKinds(page) {
  const found = await page.evaluate(async () => {
    const hash = document.querySelector('main#table')?.getAttribute('data-catalog');
    const catalog = await (await fetch(`/art/${hash}`)).json();
    return catalog.kinds.flatMap((/** @type {any} */ kind, /** @type {number} */ i) => (kind.secret ? [i] : []));
  });
  assert.ok(found.length >= 52, 'there are cards');
  return found;
}

/** Every kind that has come down a person's stream. @param {Person} person */
function kindsReceived({ watch }) {
  const kinds = new Set();
  assert.ok(watch.frames.length > 0, 'something was received');
  for (const message of watch.frames) {
    for (const event of decodeFrame(message).events) {
      const patches = event.type === 'full' ? event.pieces : 'piece' in event ? [event.piece] : [];
      for (const patch of patches) if (patch && patch.kind !== undefined) kinds.add(patch.kind);
    }
  }
  return [...kinds];
}
