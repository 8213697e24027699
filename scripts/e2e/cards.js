// The game of cards: its deck, drawn cards, and cards in hands.

import assert from 'node:assert/strict';
import { away, eventually, frame, middle, pieces, still } from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./pieces.js').Piece} Piece */
/** @typedef {import('./pieces.js').Point} Point */

/** Cards in the deck of a new table. */
export const PACK = 54;

/** A place for a pile where no hand, deck or anything else lies, in table units. */
export const CLEAR = { x: 0, y: -1700 };

/** The deck. @param {Page} page @returns {Promise<Piece>} */
export async function deck(page) {
  const found = (await pieces(page)).filter((p) => p.label.startsWith('Deck'));
  assert.equal(found.length, 1, 'there is one deck');
  return found[0];
}

/** How many cards lie in the deck, as its label says. @param {Page} page */
export async function inDeck(page) {
  const { label } = await deck(page);
  return /, empty/.test(label)
    ? 0
    : / one card/.test(label)
      ? 1
      : Number(/ (\d+) cards/.exec(label)?.[1]);
}

/** Waits until the label of the deck says so many. @param {Page} page @param {number} n */
export async function deckHas(page, n) {
  await eventually(page, async () => (await inDeck(page)) === n);
  assert.equal(await inDeck(page), n, 'the deck has the right number of cards');
}

/**
 * Posts an update as another window of this person would, and waits until it is accepted.
 *
 * @param {Page} page
 * @param {Record<string, unknown>} update complete except for its number
 */
export async function ask(page, update) {
  const status = await page.evaluate(async (update) => {
    const api = document.querySelector('main')?.dataset.api ?? '';
    const { epoch } = await (await fetch(api)).json();
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    const client = btoa(String.fromCharCode(...bytes))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
    const body = JSON.stringify({ client, epoch, updates: [{ seq: 1, ...update }] });
    return (
      await fetch(`${api}/updates`, {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body,
      })
    ).status;
  }, update);
  assert.equal(status, 202, `the server accepts ${JSON.stringify(update)}`);
}

/**
 * Draws cards out of the deck onto one pile, face down, and waits until the page shows them.
 *
 * @param {Page} page
 * @param {number} [n]
 * @param {Point} [at] in table units
 * @returns {Promise<number>} the uppermost of them
 */
export async function loosePile(page, n = PACK, at = CLEAR) {
  await ask(page, { op: 'draw', piece: (await deck(page)).id, n, ...at });
  await page.waitForFunction(
    ({ n, x, y }) =>
      document.querySelectorAll(`[data-piece][data-x="${x}"][data-y="${y}"]`).length === n,
    { n, ...at },
  );
  return topAt(page, at);
}

/**
 * The uppermost of the pieces that lie with their centres at a place.
 *
 * @param {Page} page
 * @param {Point} at in table units
 */
export async function topAt(page, { x, y }) {
  await still(page);
  const id = await page.locator(`[data-piece][data-x="${x}"][data-y="${y}"]`).evaluateAll((all) => {
    const rank = (/** @type {Element} */ e) => Number(/** @type {HTMLElement} */ (e).style.zIndex);
    const [top] = all.sort((a, b) => rank(b) - rank(a));
    return Number(top?.getAttribute('data-piece'));
  });
  assert.ok(id > 0, `something lies at ${x}, ${y}`);
  return id;
}

/** One's own hand. @param {Page} page @returns {Promise<Piece>} */
export async function myHand(page) {
  const id = Number(await page.locator('[data-piece].hand.own').first().getAttribute('data-piece'));
  const found = (await pieces(page)).find((p) => p.id === id);
  assert.ok(found, 'there is a hand');
  return found;
}

/**
 * The cards in one's own hand whose fronts are visible, from left to right as one looks at them.
 *
 * @param {Page} page
 * @returns {Promise<Piece[]>}
 */
export async function cardsInHand(page) {
  const found = (await pieces(page)).filter(
    (p) => / in your hand/.test(p.label) && /^(Ace|\d+|Jack|Queen|King|Red|Black)\b/.test(p.label),
  );
  const across = await page.evaluate(
    (ids) =>
      ids.map((id) => {
        const r = document.querySelector(`[data-piece="${id}"]`)?.getBoundingClientRect();
        return r ? r.left + r.width / 2 : null; // it has gone meanwhile
      }),
    found.map(({ id }) => id),
  );
  return found
    .map((p, i) => ({ p, x: across[i] }))
    .flatMap(({ p, x }) => (x === null ? [] : [{ p, x }]))
    .sort((a, b) => a.x - b.x)
    .map(({ p }) => p);
}

/**
 * Draws the uppermost card with the mouse and drops it somewhere.
 *
 * @param {Page} page
 * @param {Point} to in CSS pixels
 */
export async function drawTo(page, to) {
  await still(page);
  const from = await middle(page, (await deck(page)).id);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 3 });
  await frame(page);
  await page.mouse.up();
}

/**
 * Draws the uppermost card with the mouse into one's own hand, and waits until it lies there and
 * its front is visible.
 *
 * @param {Page} page
 * @returns {Promise<Piece>}
 */
export async function drawIntoHand(page) {
  const before = (await cardsInHand(page)).map((p) => p.id);
  await drawTo(page, await middle(page, (await myHand(page)).id));
  return newInHand(page, before);
}

/**
 * Waits until one's own hand shows one more card, and returns it.
 *
 * @param {Page} page
 * @param {number[]} before those that were there
 */
export async function newInHand(page, before) {
  /** @type {Piece[]} */
  let fresh = [];
  const isThere = await eventually(page, async () => {
    fresh = (await cardsInHand(page)).filter((p) => !before.includes(p.id));
    return fresh.length === 1 && fresh[0].holder === 0;
  });
  assert.ok(isThere, `the hand has one more card than ${before.join()}`);
  return fresh[0];
}

/**
 * How many pieces lie in somebody's hand, as its label says to others.
 *
 * @param {Page} page
 * @param {string} nick
 */
export async function countInHandOf(page, nick) {
  const hand = (await pieces(page)).find((p) => p.label.startsWith(`${nick}’s hand`));
  assert.ok(hand, `${nick} has a hand`);
  if (/, empty/.test(hand.label)) return 0;
  return / one card/.test(hand.label) ? 1 : Number(/ (\d+) cards/.exec(hand.label)?.[1]);
}

/**
 * Waits until the label of somebody's hand says so many to others.
 *
 * @param {Page} page
 * @param {string} nick
 * @param {number} n
 */
export async function handHas(page, nick, n) {
  await eventually(page, async () => (await countInHandOf(page, nick)) === n);
  assert.equal(await countInHandOf(page, nick), n, `${nick}’s hand has the right number of cards`);
}

/**
 * Moves the table up, so that one's own hand lies above the strip that shows its cards, and the
 * cards themselves can be grabbed.
 *
 * @param {Page} page
 */
export async function showHandItself(page) {
  const hand = await myHand(page);
  await page.evaluate((id) => {
    const strip = document.querySelector('.lap:not([hidden])')?.getBoundingClientRect();
    const lies = document.querySelector(`[data-piece="${id}"]`)?.getBoundingClientRect();
    const by = strip && lies ? Math.max(0, lies.bottom - strip.top + 20) : 0;
    document.querySelector('[data-window]')?.scrollBy({ top: by, behavior: 'instant' });
  }, hand.id);
  await still(page);
}

/** A point of the table on the screen. @param {Page} page @param {Point} at in table units */
export async function onScreen(page, at) {
  const from = await deck(page);
  return away(page, await middle(page, from.id), { x: at.x - from.x, y: at.y - from.y });
}
