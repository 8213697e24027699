// Going from piece to piece by Tab and arrow keys, as people without a mouse do, and counting the
// keys that it takes.

import assert from 'node:assert/strict';
import { pieces } from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./pieces.js').Point} Point */

const ARROWS = {
  ArrowLeft: { x: -1, y: 0 }, ArrowRight: { x: 1, y: 0 }, ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** How many arrows may be tried before a piece counts as unreachable. */
const MOST = 60;

/** How far an arrow with Shift moves a held piece, in table units. */
const STEP = 500;

/** Somebody's fingers on a keyboard. */
export class Fingers {
  /** The keys that were pressed so far. @type {string[]} */
  pressed = [];
  #page;

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
  }

  /** @param {...string} keys one after another */
  async press(...keys) {
    for (const key of keys) {
      this.pressed.push(key);
      await this.#page.keyboard.press(key);
    }
  }

  /**
   * Goes to a piece: with Tab to the pieces, then with arrows. Of the arrows that were tried least
   * at a place it takes the one that leads nearest.
   *
   * @param {number} id
   */
  async walk(id) {
    for (let i = 0; i < MOST && !(await this.#focused()); i++) await this.press('Tab');
    const turn = await this.#turn();
    const places = new Map(
      (await pieces(this.#page)).map((p) => [p.id, { x: p.x * turn, y: p.y * turn }]),
    );
    const goal = places.get(id);
    assert.ok(goal, `there is a piece ${id}`);
    /** @type {Map<string, number>} */
    const tried = new Map();
    for (let i = 0; i < MOST; i++) {
      const at = await this.#focused();
      if (at === id) return;
      const from = places.get(at);
      assert.ok(from, 'the focus is on a piece');
      const [best] = Object.entries(ARROWS)
        .map(([key, way]) => ({
          key, times: tried.get(`${at} ${key}`) ?? 0,
          gain: way.x * (goal.x - from.x) + way.y * (goal.y - from.y),
        }))
        .sort((a, b) => a.times - b.times || b.gain - a.gain);
      tried.set(`${at} ${best.key}`, best.times + 1);
      await this.press(best.key);
    }
    assert.fail(`piece ${id} is reached within ${MOST} arrows`);
  }

  /**
   * Moves the held piece, in large steps: people without a mouse do not care to place it exactly.
   *
   * @param {Point} by in table units
   */
  async carry({ x, y }) {
    const turn = await this.#turn();
    const way = [
      [x * turn, 'Shift+ArrowRight', 'Shift+ArrowLeft'],
      [y * turn, 'Shift+ArrowDown', 'Shift+ArrowUp'],
    ];
    for (const [far, forth, back] of /** @type {Array<[number, string, string]>} */ (way)) {
      for (let i = 0; i < Math.round(Math.abs(far) / STEP); i++)
        await this.press(far > 0 ? forth : back);
    }
  }

  /** The piece that has the focus, or 0. @returns {Promise<number>} */
  #focused() {
    return this.#page.evaluate(() => Number(document.activeElement?.getAttribute('data-piece')));
  }

  /** 1 if the table is seen as it lies, -1 from the other side. */
  async #turn() {
    const turn = Number(await this.#page.locator('main#table').getAttribute('data-turn'));
    assert.ok(turn === 0 || turn === 180);
    return turn === 0 ? 1 : -1;
  }
}
