// Two ways to play cards: with a mouse, and with keys alone. They differ in what the fingers do,
// not in the game.

import assert from 'node:assert/strict';
import { cardsInHand, deck, onScreen } from './cards.js';
import { atRest, carryTo } from './grabs.js';
import { middle, pieces, seen } from './pieces.js';
import { Fingers } from './walking.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./pieces.js').Piece} Piece */
/** @typedef {import('./pieces.js').Point} Point */

/**
 * How somebody plays. Places are in table units.
 *
 * @typedef {object} Way
 * @property {() => Promise<void>} shuffle the deck
 * @property {(n: number) => Promise<void>} deal so many to each hand
 * @property {() => Promise<void>} sort one's hand
 * @property {(card: Piece, to: Point) => Promise<void>} play a card face up; by keys it lands
 *   before the hand
 * @property {(trick: Piece[], to: Point) => Promise<void>} take a trick to a place, face down; by
 *   keys in large steps
 */

/** Where nothing lies. */
const EMPTY = { x: 1500, y: -600 };

/** @implements {Way} */
export class ByMouse {
  #page;

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
  }

  async shuffle() {
    await this.#click((await deck(this.#page)).id);
    await this.#tool(/^Shuffle$/);
    await seen(this.#page, /You shuffled the deck/);
  }

  /** @param {number} n */
  async deal(n) {
    await this.#click((await deck(this.#page)).id);
    await this.#tool(/^Deal…$/);
    const dialog = this.#page.getByRole('dialog');
    await dialog.getByRole('spinbutton').fill(String(n));
    await dialog.getByRole('button', { name: 'Deal', exact: true }).click();
  }

  async sort() {
    const strip = await this.#page.locator('.lap').boundingBox();
    const first = await this.#page.locator('.lap-card').first().boundingBox();
    assert.ok(strip && first);
    await this.#page.mouse.click(first.x - 5, strip.y + strip.height / 2); // beside the cards
    await this.#tool(/^Sort$/);
    await this.#leave();
  }

  /** @param {Piece} card @param {Point} to */
  async play(card, to) {
    await carryTo(this.#page, card.id, await onScreen(this.#page, to));
  }

  /** @param {Piece[]} trick @param {Point} to */
  async take(trick, to) {
    const page = this.#page;
    await this.#select(trick);
    await this.#tool(/^Flip$/);
    await this.#tool(/^Stack$/);
    await onePlace(page, trick);
    const from = await middle(page, trick[0].id);
    const goal = await onScreen(page, to);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(goal.x, goal.y, { steps: 5 });
    await page.mouse.up();
    await this.#leave();
  }

  /** Selects pieces, one after another. @param {Piece[]} trick */
  async #select(trick) {
    const page = this.#page;
    await page.keyboard.down('Shift');
    for (const { id } of trick) await this.#click(id);
    await page.keyboard.up('Shift');
    await page.waitForFunction(
      (n) => document.querySelectorAll('[data-piece].selected').length === n, trick.length,
    );
  }

  /** Clicks on a piece. @param {number} id @param {Point} [part] where, as a part of its box */
  async #click(id, part = { x: 0.5, y: 0.5 }) {
    const box = await this.#page.locator(`[data-piece="${id}"]`).boundingBox();
    assert.ok(box);
    await this.#page.mouse.click(box.x + box.width * part.x, box.y + box.height * part.y);
  }

  /** Presses a button of the toolbar. @param {RegExp} name */
  async #tool(name) {
    await this.#page
      .getByRole('toolbar', { name: 'What to do with the selection' })
      .getByRole('button', { name })
      .click();
  }

  /** Clicks on the table: then nothing is selected any more. */
  async #leave() {
    const at = await onScreen(this.#page, EMPTY);
    await this.#page.mouse.click(at.x, at.y);
    await this.#page.waitForFunction(
      () => document.querySelector('[data-piece].selected') === null,
    );
  }
}

/** @implements {Way} */
export class ByKeys {
  #page;
  fingers;

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
    this.fingers = new Fingers(page);
  }

  async shuffle() {
    await this.fingers.walk((await deck(this.#page)).id);
    await this.fingers.press('s');
    await seen(this.#page, /You shuffled the deck/);
  }

  /** @param {number} n */
  async deal(n) {
    await this.fingers.walk((await deck(this.#page)).id);
    await this.fingers.press('e');
    await this.#page.getByRole('dialog').waitFor();
    await this.fingers.press(...String(n), 'Enter'); // overwrites the proposal
    await this.#page.getByRole('dialog').waitFor({ state: 'hidden' });
  }

  async sort() {
    const cards = await cardsInHand(this.#page);
    await this.fingers.walk(cards[(cards.length - 1) >> 1].id);
    await this.fingers.press('Shift+E');
  }

  /** @param {Piece} card */
  async play(card) {
    await this.fingers.walk(card.id);
    await this.fingers.press('o');
  }

  /** @param {Piece[]} trick @param {Point} to */
  async take(trick, to) {
    const { fingers } = this;
    for (const { id } of trick.toReversed()) {
      await fingers.walk(id); // the one that was played last is near
      await fingers.press('x');
    }
    await fingers.press('f', 't');
    const { x, y } = await onePlace(this.#page, trick);
    await fingers.press('Enter');
    await fingers.carry({ x: to.x - x, y: to.y - y });
    await fingers.press('Enter', 'Escape'); // nothing is selected any more
  }
}

/**
 * Waits until pieces lie on each other, and returns their place.
 *
 * @param {Page} page
 * @param {Piece[]} trick
 * @returns {Promise<Point>}
 */
async function onePlace(page, trick) {
  await page.waitForFunction(
    (ids) => {
      const places = ids
        .map((id) => document.querySelector(`[data-piece="${id}"]`))
        .map((e) => `${e?.getAttribute('data-x')} ${e?.getAttribute('data-y')}`);
      return new Set(places).size === 1;
    },
    trick.map((p) => p.id),
  );
  for (const { id } of trick) await atRest(page, id);
  const [{ x, y }] = (await pieces(page)).filter((p) => p.id === trick[0].id);
  return { x, y };
}
