// The gesture of which games of cards are made, a hundred times over slow connections: a card is
// drawn with one gesture, put into the hand, seen, taken again and played, whenever the answers of
// the server come.

import assert from 'node:assert/strict';
import test from 'node:test';
import { ask, cardsInHand, CLEAR, deck, myHand, onScreen, PACK } from './cards.js';
import { carryTo, take } from './grabs.js';
import { party } from './party.js';
import { alarms, eventually, labelled, middle, piece, pieces, still } from './pieces.js';
import { eventsReceived, secretKinds } from './secrets.js';
import { assertSame } from './steady.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./party.js').Person} Person */
/** @typedef {import('./pieces.js').Piece} Piece */
/** @typedef {import('./pieces.js').Point} Point */

/** Latency in each direction, in milliseconds. */
const SLOW = 150;

/**
 * How often each of two people does it, both at the same time; half as often outside of the soak.
 * After so many times the cards go back into the deck.
 */
const ROUND = 25;
const TIMES = ROUND * (process.env.HOLT_TIMES ? 2 : 1);

/** Cards that stay in each hand meanwhile: it opens for each new one, and closes up again. */
const KEPT = 2;

/** Windows that are drawn quickly: the gestures take the time. */
const SMALL = { viewport: { width: 960, height: 640 } };

/** How far from its place a card may lie, in table units: the pointer moves by whole pixels. */
const NEAR = 60;

/**
 * Where Ben's deck is, in table units. What one player drags is never over the deck of the other.
 */
const SECOND = { x: 1750, y: 0 };

test(`T12, T17, T30 cards are drawn and played ${2 * TIMES} times at 300 ms`, async (t) => {
  const p = await party(t, { game: 'cards', links: true, host: SMALL, friend: SMALL });
  const [ada, ben] = await Promise.all([p.host, p.friend].map(seated));
  await secondDeck(p.host.page, ben);
  for (let first = 0; first < TIMES; first += ROUND) {
    await divide(p.host.page, ada.deck, ben.deck);
    await Promise.all([ada, ben].map((player) => playRound(player, first)));
    for (const { page } of [p.host, p.friend]) {
      for (const { goals, fronts, deck } of [ada, ben]) {
        await lie(page, goals, fronts);
        await labelled(page, deck, /^Deck, empty/);
      }
      assert.equal((await inHand(page, KEPT)).length, KEPT);
    }
    await assertSame(p);
    await ask(p.host.page, { op: 'recall', piece: ada.deck });
    for (const { page } of [p.host, p.friend])
      await labelled(page, ada.deck, new RegExp(`^Deck, ${PACK} cards`));
  }
  for (const { person, loose } of [ada, ben]) {
    assert.ok(
      loose() >= 2 * Math.floor(TIMES / 4),
      `${loose()} times ${person.nick} grabbed it before the answer`,
    );
    assert.deepEqual(
      eventsReceived(person).filter((e) => e.type === 'reject'), [], 'nothing was rejected',
    );
    assert.equal(await alarms(person.page), '', 'there was no conflict at the end');
  }
});

/**
 * A player, and where their pointer goes, in CSS pixels.
 *
 * @typedef {object} Player
 * @property {Person} person
 * @property {Piece} hand
 * @property {number} deck from which they draw
 * @property {number[]} fronts kinds of cards
 * @property {Point[]} goals where they play cards, in table units
 * @property {{deck: Point, hand: Point, goals: Point[]}} at
 * @property {() => number} loose how many Loose grabs were sent
 */

/** @param {Person} person @returns {Promise<Player>} */
async function seated(person) {
  const { page } = person;
  await page.getByRole('button', { name: 'Got it' }).click(); // it lies over a deck
  await still(page);
  const { id } = await deck(page);
  const hand = await myHand(page);
  const side = Math.sign(hand.y);
  const goals = Array.from({ length: ROUND }, (_, i) => ({
    x: -1000 + 500 * (i % 5), y: side * (900 + 180 * Math.floor(i / 5)), // above the strip
  }));
  const seen = [];
  for (const goal of goals) seen.push(await onScreen(page, goal));
  let loose = 0;
  page.on('request', (request) => {
    loose += request.postData()?.match(/"loose":true/g)?.length ?? 0;
  });
  const at = { deck: await middle(page, id), hand: await middle(page, hand.id), goals: seen };
  return { person, hand, deck: id, fronts: await secretKinds(page), goals, at, loose: () => loose };
}

/**
 * Puts a second deck on the table, for somebody to draw from.
 *
 * @param {Page} host
 * @param {Player} player
 */
async function secondDeck(host, player) {
  const { page } = player.person;
  await ask(host, { op: 'add', kind: (await piece(host, player.deck)).kind, ...SECOND });
  const added = page.locator(`[data-piece][data-x="${SECOND.x}"][data-y="${SECOND.y}"]`);
  await added.waitFor();
  await still(page);
  player.deck = Number(await added.getAttribute('data-piece'));
  player.at.deck = await middle(page, player.deck);
}

/**
 * Deals, and divides the rest of a full deck.
 *
 * @param {Page} page
 * @param {number} first
 * @param {number} second
 */
async function divide(page, first, second) {
  await ask(page, { op: 'deal', piece: first, n: KEPT });
  await ask(page, { op: 'draw', piece: first, n: ROUND, ...CLEAR });
  const lying = async () => (await pieces(page)).filter((q) => q.x === CLEAR.x && q.y === CLEAR.y);
  await page.waitForFunction(
    ({ n, x, y }) =>
      document.querySelectorAll(`[data-piece][data-x="${x}"][data-y="${y}"]`).length === n,
    { n: ROUND, ...CLEAR },
  );
  for (const { id, mark } of await lying())
    await ask(page, { op: 'stow', piece: id, tag: mark, into: second });
  for (const deck of [first, second])
    await labelled(page, deck, new RegExp(`^Deck, ${ROUND} cards`));
}

/**
 * Plays a round over a slow connection.
 *
 * @param {Player} player
 * @param {number} first the number of the first time
 */
async function playRound(player, first) {
  const { page, link, nick } = player.person;
  const kept = (await inHand(page, KEPT)).map((c) => c.id);
  if (link) link.delay = { up: SLOW, down: SLOW };
  for (let time = first; time < first + ROUND; time++) {
    await drawAndPlay(player, kept, time);
    await page.waitForFunction(() => document.querySelector('.mine.lifted') === null);
    assert.equal(await alarms(page), '', `time ${time + 1}: ${nick} gets no notice of a conflict`);
  }
  if (link) link.delay = { up: 0, down: 0 };
}

/**
 * Draws a card into the hand and plays it at once. People drop and take a card at one of four
 * moments, by turns.
 *
 * @param {Player} player
 * @param {number[]} kept what lies in the hand besides
 * @param {number} time
 */
async function drawAndPlay({ person, hand, fronts, at }, kept, time) {
  const { page, link } = person;
  const goal = at.goals[time % ROUND];
  await page.mouse.move(at.deck.x, at.deck.y);
  await page.mouse.down();
  await page.mouse.move(at.hand.x + ((time % 5) - 2) * 12, at.hand.y, { steps: 2 });
  // Dropped before it has come out of the deck, or when it has come.
  if (time % 4 !== 0) await inGrip(page, null);
  if (time % 4 < 2) {
    // Taken when its front is visible.
    await page.mouse.up();
    await carryTo(page, await seenIn(page, hand, kept, fronts), goal);
    return;
  }
  // Taken when its back lies there, before the server has answered. The answer arrives when the
  // card is played, or while it is dragged.
  link?.hold('down');
  await page.mouse.up();
  const to = await take(page, await seenIn(page, hand, kept, null), goal);
  if (time % 4 === 3) {
    link?.release();
    await inGrip(page, fronts);
  }
  await page.mouse.move(to.x, to.y, { steps: 2 });
  await page.mouse.up();
  link?.release();
}

/**
 * The card that lies in a hand and is none of these, as soon as there is one.
 *
 * @param {Page} page
 * @param {Piece} hand
 * @param {number[]} kept
 * @param {number[]|null} fronts the fronts of which it must show one, the right way up; null: any
 */
async function seenIn(page, hand, kept, fronts) {
  const found = await page.waitForFunction(
    ({ hand, kept, fronts }) => {
      // Half a turn is the same back and forth.
      const turn = 100 * Number(document.querySelector('main#table')?.getAttribute('data-turn'));
      const number = (/** @type {Element} */ e, /** @type {string} */ name) =>
        Number(e.getAttribute(`data-${name}`));
      return [...document.querySelectorAll('[data-piece][data-holder="0"]:not(.heavy)')]
        .filter(
          (e) =>
            Math.abs(number(e, 'x') - hand.x) < 1600 && Math.abs(number(e, 'y') - hand.y) < 500,
        )
        .filter(
          (e) =>
            fronts === null || (fronts.includes(number(e, 'kind')) && number(e, 'angle') === turn),
        )
        .map((e) => number(e, 'piece'))
        .find((id) => !kept.includes(id));
    },
    { hand, kept, fronts },
  );
  return Number(await found.jsonValue());
}

/**
 * Waits until the drawn or dragged card is there.
 *
 * @param {Page} page
 * @param {number[]|null} fronts the fronts of which it must show one; null: any
 */
async function inGrip(page, fronts) {
  await page.waitForFunction((fronts) => {
    const e = document.querySelector('[data-piece].mine.lifted');
    return e !== null && (fronts === null || fronts.includes(Number(e.getAttribute('data-kind'))));
  }, fronts);
}

/**
 * Waits until so many cards lie in one's hand with their fronts visible, and returns them.
 *
 * @param {Page} page
 * @param {number} n
 */
async function inHand(page, n) {
  /** @type {Piece[]} */
  let cards = [];
  await eventually(page, async () => {
    cards = await cardsInHand(page);
    return cards.length === n && cards.every((c) => c.holder === 0);
  });
  assert.equal(cards.length, n, 'the hand has the right number of cards');
  return cards;
}

/**
 * Waits until exactly one card lies at each of these places, with its front up.
 *
 * @param {Page} page
 * @param {Point[]} goals in table units
 * @param {number[]} fronts
 */
async function lie(page, goals, fronts) {
  const missing = () =>
    page.locator('[data-piece][data-holder="0"][data-face="0"]').evaluateAll(
      (all, { fronts, goals, near }) => {
        const lie = all
          .filter((e) => fronts.includes(Number(e.getAttribute('data-kind'))))
          .map((e) => ({
            x: Number(e.getAttribute('data-x')), y: Number(e.getAttribute('data-y')),
          }));
        return goals.filter(
          (g) => lie.filter((at) => Math.hypot(at.x - g.x, at.y - g.y) <= near).length !== 1,
        );
      },
      { fronts, goals, near: NEAR },
    );
  /** @type {Point[]} */
  let left = [];
  await eventually(page, async () => {
    left = await missing();
    return left.length === 0;
  });
  assert.deepEqual(left, [], 'each card lies where it was released');
}
