// A hand of a trick-taking game for two, as people play it: by mouse, and by keys alone. Each has
// up to thirteen cards. Players follow suit if they can, and the highest card of the suit that was
// led takes both.

import assert from 'node:assert/strict';
import test from 'node:test';
import { cardsInHand, deckHas, handHas, inDeck, PACK } from './cards.js';
import { atRest } from './grabs.js';
import { party } from './party.js';
import { agree, alarms, eventually, pieces } from './pieces.js';
import { Recorder } from './recorder.js';
import { eventsReceived, kindsReceived, namesReceived, secretKinds } from './secrets.js';
import { assertSame } from './steady.js';
import { ByKeys, ByMouse } from './controls.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./party.js').Person} Person */
/** @typedef {import('./party.js').Party} Party */
/** @typedef {import('./pieces.js').Piece} Piece */
/** @typedef {import('./pieces.js').Point} Point */
/** @typedef {import('./controls.js').Way} Way */

/** How many cards each has. Fewer show the same in less time; the soak plays the whole hand. */
const TRICKS = process.env.HOLT_DEVICES === 'all' ? 13 : 5;

/**
 * Where Ada and Ben play their cards by mouse, and where their piles of tricks are, in table units.
 */
const SPOTS = [{ x: -400, y: 1150 }, { x: 400, y: 1150 }];
const PILES = [{ x: 1500, y: 300 }, { x: -1500, y: 300 }];

/** How far something may lie from its place, in table units: the pointer moves by whole pixels. */
const NEAR = 60;

/** The same for somebody who moves things by keys, in large steps. */
const COARSE = 320;

/** Keys that a card, or a trick, may take on average. Nobody would accept more each time. */
const KEYS = 16;

test('T22, T23, T30, T31 two people play a hand by mouse, trick by trick', async (t) => {
  const p = await party(t, { game: 'cards' });
  await playHand(p, [new ByMouse(p.host.page), new ByMouse(p.friend.page)], 0);
});

test('D31, T22, T23, T30, T31 by datagrams two people play a hand without leaks', async (t) => {
  /** @type {Recorder[]} */
  const recorders = [];
  const p = await party(t, {
    game: 'cards', datagrams: true,
    onArrival: async (person) => void recorders.push(await Recorder.begin(person)),
  });
  const people = [p.host, p.friend];
  for (const recorder of recorders) await recorder.moved();
  const before = people.map((person, i) => person.watch.frames.length - recorders[i].messages);
  await playHand(p, [new ByMouse(p.host.page), new ByMouse(p.friend.page)], 0);
  for (const recorder of recorders) await recorder.moved();
  assert.deepEqual(
    people.map((person, i) => person.watch.frames.length - recorders[i].messages), before,
    'all of it came by datagrams',
  );
  for (const { messages } of recorders) assert.ok(messages > 10 * TRICKS, `${messages} messages`);
});

test('T22, T23, T30, T31 a hand is played by keys alone, from joining to the end', async (t) => {
  const p = await party(t, { game: 'cards', keys: true });
  const { page } = p.friend;
  await page.evaluate(() => {
    const pointed = /** @type {string[]} */ ([]);
    for (const type of ['pointerdown', 'pointermove', 'wheel'])
      addEventListener(type, () => pointed.push(type), { capture: true });
    Object.assign(window, { pointed });
  });
  const keys = new ByKeys(page);
  const spent = counted(keys);
  await playHand(p, [new ByMouse(p.host.page), keys], 1);
  assert.deepEqual(
    await page.evaluate(() => /** @type {any} */ (window).pointed), [], 'no mouse was there',
  );
  for (const [what, counts] of spent) {
    if (what === 'take' && counts.length === 0) continue; // the cards gave them no trick
    const mean = counts.reduce((sum, n) => sum + n, 0) / counts.length;
    t.diagnostic(`${what}: ${counts.join(' ')} keys`);
    assert.ok(mean <= KEYS, `to ${what} takes ${mean} keys`);
  }
});

/** Counts the keys that each thing takes. @param {ByKeys} keys @returns {Map<string, number[]>} */
function counted(keys) {
  const spent = new Map();
  for (const what of /** @type {const} */ (['shuffle', 'deal', 'sort', 'play', 'take'])) {
    const act = /** @type {(...args: any[]) => Promise<void>} */ (keys[what]).bind(keys);
    spent.set(what, []);
    keys[what] = async (/** @type {any[]} */ ...args) => {
      const before = keys.fingers.pressed.length;
      await act(...args);
      spent.get(what).push(keys.fingers.pressed.length - before);
    };
  }
  return spent;
}

/**
 * Two people play a hand.
 *
 * @param {Party} p
 * @param {Way[]} ways Ada's and Ben's
 * @param {number} dealer which of them deals, and leads to the first trick
 */
async function playHand(p, ways, dealer) {
  const people = [p.host, p.friend];
  const fronts = await secretKinds(p.host.page);
  await ways[dealer].shuffle();
  await ways[dealer].deal(TRICKS);
  for (const [i, { page }] of people.entries()) {
    await hand(page, TRICKS);
    await ways[i].sort();
    await sorted(page);
  }
  for (const [i, { page }] of people.entries()) {
    assert.ok(
      (await hand(page, TRICKS)).every((c) => fronts.includes(c.kind)), 'all see their own fronts',
    );
    await handHas(page, people[1 - i].nick, TRICKS);
    await deckHas(page, PACK - 2 * TRICKS);
  }

  const won = [0, 0];
  for (let trick = 0, leads = dealer; trick < TRICKS; trick++) {
    const left = TRICKS - trick;
    const follows = 1 - leads;
    const led = await playCard(people, ways, leads, await choose(people[leads].page, left, ''));
    const answer = await playCard(
      people, ways, follows, await choose(people[follows].page, left, suitOf(led)),
    );
    leads = suitOf(answer) === suitOf(led) && answer.kind > led.kind ? follows : leads;
    await ways[leads].take([led, answer], PILES[leads]);
    won[leads]++;
    const isExact = ways[leads] instanceof ByMouse;
    for (const { page } of people) await pileOf(page, PILES[leads], 2 * won[leads], isExact);
    for (const [i, { page }] of people.entries()) await handHas(page, people[1 - i].nick, left - 1);
    await agree(p.host.page, p.friend.page);
  }

  assert.equal(won[0] + won[1], TRICKS);
  await assertSame(p);
  for (const person of people) {
    assert.deepEqual(await cardsInHand(person.page), [], 'all are played');
    assert.equal(await inDeck(person.page), PACK - 2 * TRICKS);
    const cards = (await pieces(person.page)).filter((q) => q.label.startsWith('Card, face down'));
    assert.equal(cards.length, 2 * TRICKS, 'and lie face down in tricks');
    assert.deepEqual(
      (await pieces(person.page)).filter((q) => fronts.includes(q.kind)), [], 'all of them',
    );
    assert.equal(await alarms(person.page), '', 'nobody had a conflict');
    assert.deepEqual(
      eventsReceived(person).filter((e) => e.type === 'reject'), [], 'nothing was rejected',
    );
    const told = () => kindsReceived(person).filter((kind) => fronts.includes(kind)).length;
    // What a page receives by datagrams is recorded a little later.
    await eventually(person.page, () => told() >= 2 * TRICKS);
    assert.equal(told(), 2 * TRICKS, 'nobody received the cards left in the deck');
  }
}

/**
 * Somebody plays a card, of which the other had received nothing until then. Returns it as it lies
 * there.
 *
 * @param {Person[]} people
 * @param {Way[]} ways
 * @param {number} who
 * @param {Piece} card
 * @returns {Promise<Piece>} by the name that it has for all now
 */
async function playCard(people, ways, who, card) {
  const [{ page }, other] = [people[who], people[1 - who]];
  const secret = await cardsInHand(page);
  const [kinds, names] = [kindsReceived(other), namesReceived(other)];
  assert.ok(secret.some((c) => c.kind === card.kind));
  assert.deepEqual(
    secret.filter((c) => kinds.includes(c.kind) || names.has(c.id)), [],
    `${other.nick} received nothing of ${people[who].nick}’s hand`,
  );
  await ways[who].play(card, SPOTS[who]);
  // By keys, the page chooses a free place.
  const at = ways[who] instanceof ByMouse ? SPOTS[who] : null;
  const lies = await Promise.all(people.map((p) => onTable(p.page, card.kind, at)));
  await agree(people[0].page, people[1].page);
  return lies[who];
}

/**
 * Waits until a card lies on the table, front up, and returns it.
 *
 * @param {Page} page
 * @param {number} kind
 * @param {Point | null} at in table units; null: anywhere
 */
async function onTable(page, kind, at) {
  await page.waitForFunction(
    ({ kind, at, near }) => {
      const e = document.querySelector(
        `[data-piece][data-kind="${kind}"][data-face="0"][data-holder="0"]`,
      );
      const away = (/** @type {'x'|'y'} */ axis) =>
        at ? Math.abs(Number(e?.getAttribute(`data-${axis}`)) - at[axis]) : 0;
      // Its name follows when it rests.
      const isNamed = !e?.getAttribute('aria-label')?.startsWith('Card');
      return e !== null && isNamed && away('x') <= near && away('y') <= near;
    },
    { kind, at, near: NEAR },
  );
  const found = (await pieces(page)).filter((q) => q.kind === kind);
  assert.equal(found.length, 1, 'there is one of each');
  return found[0];
}

/**
 * Which card of one's hand is played: to lead, the first one; to follow, the highest of the suit,
 * if there is one, otherwise the last of all.
 *
 * @param {Page} page
 * @param {number} n how many lie there
 * @param {string} suit '' to lead
 */
async function choose(page, n, suit) {
  const cards = await hand(page, n);
  if (suit === '') return cards[0];
  return cards.findLast((c) => suitOf(c) === suit) ?? cards[n - 1];
}

/** The suit of a card. Jokers have a suit of their own. @param {Piece} card */
function suitOf({ label }) {
  return /^\w+ of (\w+)/.exec(label)?.[1] ?? 'jokers';
}

/**
 * Waits until so many cards lie in one's hand, with their fronts visible and at rest, and returns
 * them.
 *
 * @param {Page} page
 * @param {number} n
 */
async function hand(page, n) {
  await page.waitForFunction(
    (n) =>
      document.querySelectorAll(
        '[data-piece][data-holder="0"][aria-label*=" in your hand"]' +
          ':not([aria-label^="Card"], [aria-label*="hips"])',
      ).length === n,
    n,
  );
  const cards = await cardsInHand(page);
  for (const { id } of cards) await atRest(page, id);
  return cardsInHand(page);
}

/** Waits until one's hand lies in the order of the pack. @param {Page} page */
async function sorted(page) {
  const kinds = async () => (await hand(page, TRICKS)).map((c) => c.kind);
  const goal = (await kinds()).sort((a, b) => a - b);
  await eventually(page, async () => (await kinds()).join() === goal.join());
  assert.deepEqual(await kinds(), goal, 'the hand is sorted');
}

/**
 * Waits until so many cards lie there, face down.
 *
 * @param {Page} page
 * @param {Point} at
 * @param {number} n
 * @param {boolean} isExact whether they lie on one pile; else near it, as by keys in large steps
 */
async function pileOf(page, at, n, isExact) {
  await page.waitForFunction(
    ({ at, n, near, isExact }) => {
      const away = (/** @type {Element} */ e, /** @type {'x'|'y'} */ axis) =>
        Math.abs(Number(e.getAttribute(`data-${axis}`)) - at[axis]);
      const pile = [
        ...document.querySelectorAll('[data-piece][data-holder="0"]:not(.heavy)'),
      ].filter((e) => away(e, 'x') <= near && away(e, 'y') <= near);
      return (
        pile.length === n &&
        pile.some((e) =>
          new RegExp(`^Card, face down, top of a pile of ${isExact ? n : '\\d+'},`).test(
            e.getAttribute('aria-label') ?? '',
          ),
        )
      );
    },
    { at, n, near: isExact ? NEAR : COARSE, isExact },
  );
}
