// An evening of four friends on two desktops, a tablet and a phone: chess to mate, a hand of hearts
// and liar's dice, as people play them. HOLT_SHOTS names a folder for pictures of each station.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { barriers } from './axe.js';
import { choose } from './bar.js';
import { cardsInHand, deck, handHas, myHand, onScreen } from './cards.js';
import { swipe } from './fingers.js';
import { desktop, party, phone } from './party.js';
import {
  agree, alarms, away, drag, dragTo, eventually, middle, pieces, said, seen, still, until,
} from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./party.js').Person} Person */
/** @typedef {import('./pieces.js').Piece} Piece */
/** @typedef {import('./pieces.js').Point} Point */

const tablet = { viewport: { width: 820, height: 1180 }, deviceScaleFactor: 2, hasTouch: true };

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

/** Keeps a picture of every screen. @param {Person[]} people @param {string} station */
async function shoot(people, station) {
  for (const { nick, page } of process.env.HOLT_SHOTS ? people : []) {
    await still(page);
    const path = join(process.env.HOLT_SHOTS ?? '', `evening-${station}-${nick}.png`);
    await page.screenshot({ path });
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
  const people = await four(t, 'chess');
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
