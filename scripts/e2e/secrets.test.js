// Everything that a browser receives while others play their cards, byte by byte: no front and no
// name that its person must not know, and no word of what somebody does in their own hand.

import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeFrame } from '../../static/js/net/wire.js';
import {
  ask, cardsInHand, CLEAR, deck, inDeck, loosePile, myHand, PACK, showHandItself, topAt,
} from './cards.js';
import { atTable, party } from './party.js';
import {
  agree, drag, eventually, focus, frame, middle, named, pieces, seen, still,
} from './pieces.js';
import { Recorder } from './recorder.js';
import {
  Answers, eventsReceived, kindsReceived, namesReceived, numbersIn, secretKinds,
} from './secrets.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./party.js').Person} Person */
/** @typedef {import('./pieces.js').Point} Point */

/** Cards that are dealt to each player. */
const DEALT = 6;

/** Milliseconds between two messages that say only that the connection exists (S6). */
const BEAT = 15_000;

for (const datagrams of [false, true])
  test(`T21 T23 T26 T29 T31 Ben gets no secret${datagrams ? ' by datagrams' : ''}`, async (t) => {
    /** @type {Map<string, Recorder>} */
    const recorders = new Map();
    const { host, friend, invites, join } = await party(t, {
      game: 'cards',
      datagrams,
      onArrival: async (person) =>
        void (datagrams && recorders.set(person.nick, await Recorder.begin(person))),
    });
    const { page } = host;
    const answers = new Answers(friend);
    const third = await join('Cleo', invites.player);
    for (const recorder of recorders.values()) await recorder.moved();
    const fronts = await secretKinds(page);
    /** Kinds that everybody has seen. @type {number[]} */
    const open = [];
    /**
     * Names that cards have had in Ada's hand, except those that she has played: on the table they
     * have a name for all.
     */
    const hidden = new Set();
    const has = async (/** @type {number} */ n) => {
      const cards = await hand(page, n);
      for (const { id } of cards) hidden.add(id);
      for (const p of [friend, third]) await agree(page, p.page);
      return cards;
    };

    await t.test('a deal', async () => {
      await ask(page, { op: 'deal', piece: (await deck(page)).id, n: DEALT });
      await has(DEALT);
      for (const p of [friend, third]) await hand(p.page, DEALT);
    });

    await t.test('T23 he gets no message while she sorts her hand', async () => {
      await settled(page);
      await showHandItself(page);
      const from = await middle(page, (await myHand(page)).id);
      await page.mouse.move(from.x, from.y);
      const since = performance.now();
      const before = friend.watch.frames.length;
      const cards = await cardsInHand(page);
      await focus(page, cards[0].id);
      await page.keyboard.press('Shift+E'); // sorts them
      await settled(page);
      for (const [lies, goes] of [
        [0, 4],
        [5, 1],
        [2, 3],
      ]) {
        const now = await cardsInHand(page);
        const to = await middle(page, now[goes].id);
        await carryTo(page, now[lies].id, { x: to.x + (goes > lies ? 8 : -8), y: to.y });
        await settled(page);
      }
      const { id } = (await cardsInHand(page))[0];
      await focus(page, id);
      for (const key of ['u', 'd', 'r', 'Shift+R', 'f', 'f', 'p', 'p']) {
        await page.keyboard.press(key);
        // The wait after the next key covers these two.
        if (key !== 'u' && key !== 'd') await settled(page);
      }
      assert.notDeepEqual(
        (await has(DEALT)).map(({ id }) => id), cards.map(({ id }) => id),
        'their order has changed',
      );

      // What somebody else does then is published after all that.
      const button = await named(third.page, 'Dealer');
      await drag(third.page, button.id, { x: 200, y: -100 });
      await agree(third.page, friend.page);
      const isPut = (/** @type {import('../../static/js/types.js').FrameEvent} */ e) =>
        e.type === 'update' && e.piece.id === button.id && e.piece.holder === 0;
      const news = () => friend.watch.frames.slice(before).flatMap((m) => decodeFrame(m).events);
      const isNoted = await eventually(friend.page, () => news().some(isPut));
      assert.ok(isNoted, 'what he shows of that is noted');
      const messages = friend.watch.frames.slice(before).map(decodeFrame);
      const told = messages.flatMap((m) => m.events.filter((e) => !isOf(e, button.id, 3)));
      assert.deepEqual(told, [], 'Ben received nothing else');
      const first = messages.findIndex((m) => m.events.some((e) => e.type === 'update'));
      const marks = new Set(
        messages
          .slice(0, first)
          .map((m) => m.mark)
          .filter((mark) => mark > 0),
      );
      assert.ok(marks.size <= 1, 'no gap reveals that something was withheld');
      const beats = messages.filter((m) => m.events.length === 0);
      assert.ok(
        beats.length <= 1 + (performance.now() - since) / BEAT,
        'heartbeats keep their times (S6), whatever she does',
      );
    });

    await t.test('a card is stowed and the deck shuffled', async () => {
      const [back] = await has(DEALT);
      await carryTo(page, back.id, await middle(page, (await deck(page)).id));
      await has(DEALT - 1);
      assert.equal(await inDeck(friend.page), PACK - 3 * DEALT + 1);
      await focus(page, (await deck(page)).id);
      await page.keyboard.press('s');
      await seen(friend.page, /Ada shuffled the deck/);
    });

    await t.test('one card is played face down and one face up', async () => {
      const [down, up] = await has(DEALT - 1);
      await focus(page, down.id);
      await page.keyboard.press('Shift+O');
      await hand(page, DEALT - 2);
      await focus(page, up.id);
      await page.keyboard.press('o');
      open.push(up.kind);
      await friend.page.locator(`[data-kind="${up.kind}"]`).waitFor();
      for (const { id } of [down, up]) hidden.delete(id);
      await has(DEALT - 3);
    });

    await t.test('only a third player learns a card that is shown to them', async () => {
      const [shown] = await has(DEALT - 3);
      await focus(page, shown.id);
      await page.keyboard.press('v');
      await page.getByRole('dialog').getByRole('button', { name: /Cleo/ }).click();
      await third.page.getByRole('dialog', { name: 'Ada shows you' }).waitFor();
      await seen(friend.page, /Ada showed the card to Cleo/);
      const hasFaces = () => eventsReceived(third).some((e) => e.type === 'faces');
      await eventually(third.page, hasFaces); // what comes by datagrams is recorded a little later
      assert.deepEqual(
        eventsReceived(third).flatMap((e) => (e.type === 'faces' ? [e.kinds] : [])), [[shown.kind]],
      );
      assert.deepEqual(
        eventsReceived(friend).filter((e) => e.type === 'faces'), [],
      );
    });

    await t.test(
      'a pile is laid out and shuffled, one card is taken into the hand',
      async () => {
        const top = await loosePile(page, 8);
        await focus(page, top);
        await page.keyboard.press('s');
        await seen(friend.page, /Ada shuffled 8 cards/);
        await carryTo(page, await topAt(page, CLEAR), await middle(page, (await myHand(page)).id));
        await has(DEALT - 2);
      },
    );

    await t.test('Ben’s page reloads and asks for all that it may', async () => {
      await friend.page.reload();
      await atTable(friend.page);
      await recorders.get('Ben')?.moved();
      await agree(page, friend.page);
      await friend.page.evaluate(async () => {
        const api = document.querySelector('main')?.dataset.api ?? '';
        for (const path of ['', '/invites', '/fairness']) await (await fetch(api + path)).text();
      });
      await has(DEALT - 2);
    });

    const own = (await hand(friend.page, DEALT)).map((p) => p.kind);
    const secret = fronts.filter((kind) => !open.includes(kind) && !own.includes(kind));
    assert.ok(
      secret.length === fronts.length - DEALT - 1 && hidden.size === DEALT - 1, 'there are secrets',
    );
    const isTold = (/** @type {Iterable<number>} */ numbers) =>
      [...numbers].filter((n) => hidden.has(n));

    for (const [nick, { messages }] of recorders)
      assert.ok(messages > 20, `${messages} messages came to ${nick} by datagrams`);

    await t.test('the stream carried nothing secret', () => {
      assert.deepEqual(
        kindsReceived(friend).filter((kind) => secret.includes(kind)), [], 'no front',
      );
      assert.deepEqual(isTold(namesReceived(friend)), [], 'no name of a card in her hand');
      for (const message of friend.watch.frames)
        assert.deepEqual(isTold(numbersIn(message)), [], 'at any place of a message');
      assert.ok(
        new Set(isTold(host.watch.frames.flatMap((message) => [...numbersIn(message)]))).size ===
          hidden.size,
        'she received them',
      );
    });

    await t.test('no answer carried anything secret', async () => {
      const all = await answers.all();
      const of = (/** @type {RegExp} */ path) =>
        all.filter((a) => path.test(a.path)).map((a) => a.body.toString());
      const tables = of(/^\/api\/v1\/tables\/[0-9a-f]{32}$/);
      assert.ok(tables.length > 0, 'he has read the table');
      for (const text of tables) {
        const { pieces: read } = JSON.parse(text);
        assert.ok(read.length > 20);
        assert.deepEqual(
          read.filter((/** @type {any} */ p) => secret.includes(p.kind) || hidden.has(p.id)), [],
          'neither a front nor a name',
        );
      }
      const [fairness] = of(/\/fairness$/);
      assert.ok(JSON.parse(fairness), 'he has the facts about randomness');
      assert.doesNotMatch(
        fairness, /"(seed|inputs|outputs)"/, 'without the seed and without the shuffle',
      );
      for (const { path, body } of all.filter(
        (a) => a.path.startsWith('/api/') || a.path.startsWith('/t/'),
      )) {
        for (const id of hidden)
          assert.doesNotMatch(
            body.toString(), new RegExp(`\\b${id}\\b`), `${path} has no name of a card in her hand`,
          );
      }
      const catalog = await friend.page.locator('main#table').getAttribute('data-catalog');
      const art = new Set(all.map((a) => a.path).filter((path) => path.startsWith('/art/')));
      assert.deepEqual(
        [...art].sort(), [`/art/${catalog}`, `/art/${catalog}/album`],
        'the pictures he requests reveal no cards',
      );
    });
  });

/**
 * Waits until so many cards lie in one's own hand, with their fronts up and nothing pending, and
 * returns them.
 *
 * @param {Page} page
 * @param {number} n
 */
async function hand(page, n) {
  /** @type {import('./pieces.js').Piece[]} */
  let cards = [];
  await eventually(page, async () => {
    cards = await cardsInHand(page);
    return cards.length === n && cards.every((p) => p.holder === 0);
  });
  assert.equal(cards.length, n, 'so many cards lie in the hand');
  await settled(page);
  return cardsInHand(page);
}

/**
 * Waits until the page shows what the server has: nothing that was done here is pending any more.
 *
 * @param {Page} page
 */
async function settled(page) {
  /** @type {string[][]} */
  let [shown, recorded] = [];
  await eventually(page, async () => {
    await still(page);
    const said = await page.evaluate(async () =>
      (await fetch(document.querySelector('main')?.dataset.api ?? '')).json(),
    );
    const of = (/** @type {any[]} */ all) =>
      all
        .map((p) =>
          [
            p.id, p.kind, p.x, p.y, p.angle, p.face, p.holder,
            p.label === undefined ? p.pinned && !p.locked : / pinned\b/.test(p.label),
          ].join(' '),
        )
        .sort();
    [shown, recorded] = [of(await pieces(page)), of(said.pieces)];
    return shown.join() === recorded.join();
  });
  assert.deepEqual(shown, recorded, 'the page shows what the server has');
}

/**
 * Drags a piece to a point of the screen. It may be hidden there.
 *
 * @param {Page} page
 * @param {number} id
 * @param {Point} to
 */
async function carryTo(page, id, to) {
  await still(page);
  const from = await middle(page, id);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 6 });
  await frame(page);
  await page.mouse.up();
}

/**
 * Whether an event is about one piece and the person who moves it, or about nothing that anybody
 * did.
 *
 * @param {import('../../static/js/types.js').FrameEvent} e
 * @param {number} id
 * @param {number} seat
 */
function isOf(e, id, seat) {
  if (e.type === 'fair' || e.type === 'pong') return true;
  if (e.type === 'update') return e.piece.id === id && e.by === seat;
  if (e.type === 'motions') return e.ids.length === 1 && e.ids[0] === id;
  return e.type === 'cursors' && e.ids.length === 1 && e.ids[0] === seat;
}
