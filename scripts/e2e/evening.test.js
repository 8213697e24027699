// An evening of four friends on two desktops, a tablet and a phone: chess to mate, a hand of hearts
// and liar's dice, as people play them. HOLT_SHOTS names a folder for pictures of each station, in
// light and in dark colours.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { barriers } from './axe.js';
import { choose } from './bar.js';
import { cardsInHand, deckHas, handHas, onScreen } from './cards.js';
import { ByMouse } from './controls.js';
import { swipe } from './fingers.js';
import { carryTo, gripInStrip } from './grabs.js';
import { desktop, party, phone } from './party.js';
import {
  agree, alarms, away, drag, eventually, middle, named, pieces, said, seen, still,
} from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./party.js').Person} Person */
/** @typedef {import('./pieces.js').Piece} Piece */
/** @typedef {import('./pieces.js').Point} Point */

/** Its screen is sharp only where somebody looks at it: four pages are drawn without a GPU. */
const tablet = {
  viewport: { width: 820, height: 1180 }, hasTouch: true,
  deviceScaleFactor: process.env.HOLT_SHOTS ? 2 : 1,
};

/**
 * Seats four people: Ada at a desktop, Ben at a phone, Cara at a tablet, Dan at another desktop.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} game
 */
async function four(t, game) {
  const p = await party(t, { game, host: desktop, friend: phone });
  const cara = await p.join('Cara', p.invites.player, { context: tablet });
  const dan = await p.join('Dan', p.invites.player, { context: desktop });
  const people = [p.host, p.friend, cara, dan];
  for (const { page } of people) await page.getByRole('button', { name: 'Got it' }).click();
  return people;
}

/**
 * Seats Ada at a desktop and Ben at a phone.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} game
 */
async function two(t, game) {
  const { host, friend } = await party(t, { game, host: desktop, friend: phone });
  for (const { page } of [host, friend]) await page.getByRole('button', { name: 'Got it' }).click();
  return [host, friend];
}

/** Keeps a picture of every screen. @param {Person[]} people @param {string} station */
async function shoot(people, station) {
  for (const { nick, page } of process.env.HOLT_SHOTS ? people : []) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      await page.emulateMedia({ colorScheme });
      await still(page);
      const name = `evening-${station}-${nick}-${colorScheme}.png`;
      await page.screenshot({ path: join(process.env.HOLT_SHOTS ?? '', name) });
    }
    await page.emulateMedia({ colorScheme: null });
  }
}

/** Nobody had a conflict, and axe finds nothing. @param {Person[]} people */
async function allIsWell(people) {
  for (const { nick, page } of people) {
    assert.equal(await alarms(page), '', `${nick} had no conflict`);
    assert.deepEqual(await barriers(page), [], `axe finds nothing on ${nick}’s page`);
  }
}

// --- chess

/** Paul Morphy against two amateurs, Paris 1858: mate in 17 moves. */
const GAME = `
  e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5
  c3b5 c6b5 c4b5 b8d7 e1c1+a1d1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8
`.trim().split(/\s+/);

const MATE = [
  'Black bishop, f8', 'Black king, e8', 'Black knight, b8', 'Black pawn, a7', 'Black pawn, e5',
  'Black pawn, f7', 'Black pawn, g7', 'Black pawn, h7', 'Black queen, e6', 'Black rook, h8',
  'White bishop, g5', 'White king, c1', 'White pawn, a2', 'White pawn, b2', 'White pawn, c2',
  'White pawn, e4', 'White pawn, f2', 'White pawn, g2', 'White pawn, h2', 'White rook, d8',
];

/** Where a square is, in table units. @param {string} square */
const placeOf = (square) => ({
  x: (square.charCodeAt(0) - 'a'.charCodeAt(0) - 3.5) * 500, y: (4.5 - Number(square[1])) * 500,
});

/** The man on a square. @param {Page} page @param {string} square */
async function manOn(page, square) {
  const { x, y } = placeOf(square);
  /** @type {Piece | undefined} */
  let man;
  const isThere = await eventually(page, async () => {
    man = (await pieces(page)).find((p) => p.x === x && p.y === y && /, ..$/.test(p.label));
    return man !== undefined && man.holder === 0;
  });
  assert.ok(isThere && man, `a man stands on ${square}`);
  return man;
}

/** The men on the board, by name and square. @param {Page} page */
const men = async (page) =>
  (await pieces(page)).map((p) => p.label).filter((l) => /, [a-h][1-8]$/.test(l)).sort();

/**
 * Plays the game. Each move is done by its player, and seen by all.
 *
 * @param {Person[]} people White, Black, and who watches
 * @param {((page: Page, from: string, to: string) => Promise<void>)[]} ways White's and Black's
 */
async function playChess(people, ways) {
  for (const [ply, move] of GAME.entries()) {
    for (const part of move.split('+')) {
      const [from, to] = [part.slice(0, 2), part.slice(2)];
      const { page } = people[ply % 2];
      await manOn(page, from);
      await ways[ply % 2](page, from, to);
      const heard = new RegExp(`from ${from} to ${to}[.;]`);
      const other = people[1 - (ply % 2)].page;
      assert.ok(
        await eventually(other, async () => heard.test(await said(other))), `${part} was announced`,
      );
    }
    if (ply === 8) await shoot(people, 'chess');
  }
  for (const { nick, page } of people) {
    await eventually(page, async () => (await men(page)).join() === MATE.join());
    assert.deepEqual(await men(page), MATE, `${nick} sees the mate`);
    const inTrays = (await pieces(page)).filter((p) => p.label.endsWith(', in the tray'));
    assert.equal(inTrays.length, 12 + 2, 'what was taken lies in trays, beside the spare queens');
  }
}

/** @param {Page} page @param {string} from @param {string} to */
async function byMouse(page, from, to) {
  const { id, x, y } = await manOn(page, from);
  const goal = placeOf(to);
  await drag(page, id, { x: goal.x - x, y: goal.y - y });
}

/** @param {Page} page @param {string} from @param {string} to */
async function byTouch(page, from, to) {
  const { id, x, y } = await manOn(page, from);
  const goal = placeOf(to);
  await still(page);
  const at = await middle(page, id);
  await swipe(page, [{ from: at, to: await away(page, at, { x: goal.x - x, y: goal.y - y }) }]);
}

/** @param {Page} page @param {string} from @param {string} to */
async function byKeys(page, from, to) {
  for (const key of [...from, 'Enter', ...to]) await page.keyboard.press(key);
}

test('finding 4: a game of chess to mate, by mouse against a phone', async (t) => {
  // Who only watches shows little, and four pages take twice the time: the soak has all of them.
  const people = process.env.HOLT_DEVICES === 'all'
    ? await four(t, 'chess') : await two(t, 'chess');
  await playChess(people, [byMouse, byTouch]);
  await shoot(people, 'mate');
  await allIsWell(people);
});

test('finding 10: a game of chess to mate by keys only', async (t) => {
  const { host, friend } = await party(t, { game: 'chess' });
  for (const { page } of [host, friend]) await page.getByRole('button', { name: 'Got it' }).click();
  await playChess([host, friend], [byKeys, byKeys]);
  await allIsWell([host, friend]);
});

// --- hearts

/** Where Ada, Ben, Cara and Dan play their cards, and where their tricks go, in table units. */
const SPOTS = [{ x: 0, y: 1150 }, { x: 350, y: -1150 }, { x: -1400, y: 0 }, { x: 1400, y: 0 }];
const TRICKS = [
  { x: 760, y: 1200 }, { x: -560, y: -850 }, { x: -1400, y: -800 }, { x: 1400, y: 800 },
];
const RANKS = ['2', '3', '4', '5', '6', '7', '8', '9', '10', 'Jack', 'Queen', 'King', 'Ace'];

/** The suit of a card; '' for a joker. @param {Piece} card */
const suitOf = ({ label }) => /^\w+ of (\w+)/.exec(label)?.[1] ?? '';

/** How high a card is in its suit. @param {Piece} card */
const rankOf = ({ label }) => RANKS.indexOf(label.split(' ')[0]);

/** Waits until so many cards lie in one's hand, and returns them. @param {Page} page
 * @param {number} n */
async function hand(page, n) {
  assert.ok(
    await eventually(page, async () => (await cardsInHand(page)).length === n), `${n} cards`,
  );
  return cardsInHand(page);
}

/**
 * Takes a card out of the strip and drops it on the table: by mouse, or on small devices by finger.
 *
 * @param {Person} who @param {Piece} card @param {Point} to in CSS pixels
 */
async function dropCard({ page }, { id }, to) {
  if (!(await page.evaluate(() => navigator.maxTouchPoints > 0))) {
    await carryTo(page, id, to);
    return;
  }
  const from = await gripInStrip(page, id);
  assert.ok(from, 'the card is in the strip');
  await swipe(page, [{ from, to }], 12);
}

/** Waits until all see a card face up on the table, and returns it as the first of them does.
 * @param {Person[]} people @param {string} name */
async function playedCard(people, name) {
  for (const { nick, page } of people)
    assert.ok(
      await eventually(page, async () =>
        (await pieces(page)).some(
          (p) => p.label.startsWith(name) && !/ hand/.test(p.label) && p.holder === 0,
        )),
      `${nick} sees ${name} on the table`,
    );
  return named(people[0].page, name);
}

test('finding 6: a hand of hearts: deal, pass three, four tricks, score', async (t) => {
  const people = await four(t, 'cards');
  const [ada] = people;
  const mouse = new ByMouse(ada.page);
  await people[1].page.getByRole('button', { name: 'Show everything' }).tap();
  await mouse.shuffle();
  await mouse.deal(13);
  for (const { page } of people) await hand(page, 13);
  await deckHas(ada.page, 2);
  await shoot(people, 'hearts');

  // Who has been dealt a joker lays it aside and draws another card.
  for (const who of people) {
    for (const joker of (await hand(who.page, 13)).filter((card) => suitOf(card) === '')) {
      await dropCard(who, joker, await onScreen(who.page, { x: 480, y: 0 }));
      await hand(who.page, 12);
      const { id } = await named(who.page, 'Deck');
      await who.page.locator(`[data-piece="${id}"]`).focus();
      await who.page.keyboard.press('d');
    }
    await hand(who.page, 13);
  }

  // Each passes three cards to the next player.
  for (const [i, who] of people.entries()) {
    const to = people[(i + 1) % 4];
    for (let n = 0; n < 3; n++) {
      const [card] = await cardsInHand(who.page);
      const theirs = await named(who.page, `${to.nick}’s hand`);
      await dropCard(who, card, await middle(who.page, theirs.id));
      assert.ok(
        await eventually(who.page, async () =>
          (await cardsInHand(who.page)).every(({ kind }) => kind !== card.kind)),
        `${who.nick} passed a card`,
      );
    }
  }
  for (const who of people) {
    await hand(who.page, 13);
    for (const { nick } of people.filter((other) => other !== who))
      await handHas(who.page, nick, 13);
  }

  let leads = 0;
  const points = [0, 0, 0, 0];
  for (let trick = 0; trick < 4; trick++) {
    /** @type {{by: number, card: Piece}[]} */
    const cards = [];
    for (let k = 0; k < 4; k++) {
      const by = (leads + k) % 4;
      const all = await hand(people[by].page, 13 - trick);
      const suit = cards.length > 0 ? suitOf(cards[0].card) : '';
      const card = all.find((c) => suitOf(c) === suit) ?? all[0];
      await dropCard(people[by], card, await onScreen(people[by].page, SPOTS[by]));
      const [name] = card.label.split(',');
      cards.push({ by, card: await playedCard(people, name) });
    }
    if (trick === 0) await shoot(people, 'trick');
    const led = suitOf(cards[0].card);
    const [best] = cards.filter(({ card }) => suitOf(card) === led)
      .sort((a, b) => rankOf(b.card) - rankOf(a.card));
    leads = best.by;
    points[leads] += cards.reduce(
      (n, { card }) => n + (suitOf(card) === 'hearts' ? 1 : 0) +
        (card.label.startsWith('Queen of spades') ? 13 : 0), 0,
    );
    await mouse.take(cards.map(({ card }) => card), TRICKS[leads]);
  }
  const faceDown = async (/** @type {Page} */ page) =>
    (await pieces(page)).filter((p) => p.label.startsWith('Card, face down')).length;
  for (const { nick, page } of people) {
    assert.ok(
      await eventually(page, async () => (await faceDown(page)) === 16), `${nick} sees the tricks`,
    );
    await hand(page, 9);
    await agree(ada.page, page);
  }

  await ada.page.keyboard.press('Shift+S');
  await ada.page.getByRole('grid').waitFor();
  for (const [i, n] of points.entries()) {
    await ada.page.locator('.sheet-grid tbody tr').first().locator('td').nth(i).click();
    await ada.page.keyboard.type(String(n));
    await ada.page.keyboard.press('Enter');
  }
  const total = `Total${points.join('')}`;
  const sheet = ada.page.locator('.sheet-grid');
  assert.ok(
    await eventually(ada.page, async () => ((await sheet.textContent()) ?? '').includes(total)),
    `the sheet says ${total}`,
  );
  await shoot([ada], 'score');
  await ada.page.keyboard.press('Escape');
  await allIsWell(people);
});

// --- liar's dice

/** One's own dice behind the screen. @param {Page} page */
const myDice = async (page) =>
  (await pieces(page)).filter((p) => /^Six-sided die.* in your hand/.test(p.label));

test('T23, T32 a round of liar’s dice: roll behind screens, doubt, show', async (t) => {
  const people = await four(t, 'liars-dice');
  const [ada, ben, cara, dan] = people;
  for (const { page } of people) assert.equal((await myDice(page)).length, 5);
  for (const { page } of [ada, dan]) {
    await page.keyboard.down('Shift');
    for (const { id } of await myDice(page)) {
      const at = await middle(page, id);
      await page.mouse.click(at.x, at.y);
    }
    await page.keyboard.up('Shift');
    await choose(page, /^Roll/);
    await seen(page, /You rolled .* in total/);
  }
  for (const { page } of [ben, cara]) {
    for (const { id } of await myDice(page)) {
      const at = await middle(page, id);
      await page.touchscreen.tap(at.x, at.y);
      await page.locator(`[data-piece="${id}"].selected`).waitFor();
      await choose(page, /^Roll/);
    }
    assert.ok(
      await eventually(page, async () => /You rolled/.test(await said(page))), 'it is announced',
    );
  }
  for (const who of people) {
    assert.equal((await myDice(who.page)).length, 5, 'nobody else’s dice are there');
    for (const { nick } of people.filter((other) => other !== who))
      await named(who.page, `${nick}’s screen, 5 pieces`);
  }
  await shoot(people, 'dice');

  // Somebody doubts: all lay their dice before their screens.
  for (const [i, { page }] of people.entries()) {
    await page.keyboard.press('Escape');
    for (const [k, { id }] of (await myDice(page)).entries()) {
      const marker = await named(page, 'Turn marker');
      const goal = { x: (k - 2) * 540 - marker.x, y: [1100, -1100, 700, -700][i] - marker.y };
      const from = await middle(page, id);
      const to = await away(page, await middle(page, marker.id), goal);
      if (i === 0 || i === 3) await carryTo(page, id, to);
      else await swipe(page, [{ from, to }], 12);
      assert.ok(
        await eventually(page, async () => (await myDice(page)).length === 4 - k),
        'the die lies on the table',
      );
    }
  }
  const shown = async (/** @type {Page} */ page) => (await pieces(page))
    .filter((p) => p.label.startsWith('Six-sided die') && Math.hypot(p.x, p.y) < 2000)
    .map((p) => p.face).sort().join('');
  const want = await shown(ada.page);
  assert.equal(want.length, 20);
  for (const { nick, page } of people)
    assert.ok(await eventually(page, async () => (await shown(page)) === want), nick);
  await shoot(people, 'doubt');
  await allIsWell(people);
});
