// The pieces on the table as a page shows them, and what fingers, mice and keys do to them.

import assert from 'node:assert/strict';
import { gripInStrip } from './grabs.js';

export { seen } from './notices.js';

/** @typedef {import("playwright-core").Page} Page */

/**
 * A piece as its element describes it. Ids and marks belong to the view: the same piece has others
 * elsewhere.
 *
 * @typedef {{id: number, kind: number, mark: number, x: number, y: number, angle: number,
 *   face: number, holder: number, label: string}} Piece
 */

/** @typedef {{x: number, y: number}} Point */

/** All pieces that the page shows. @param {Page} page @returns {Promise<Piece[]>} */
export function pieces(page) {
  return page.locator('[data-piece]').evaluateAll((elements) =>
    elements.map((e) => {
      const number = (/** @type {string} */ name) => Number(e.getAttribute(`data-${name}`));
      return {
        id: number('piece'),
        kind: number('kind'),
        mark: number('mark'),
        x: number('x'),
        y: number('y'),
        angle: number('angle'),
        face: number('face'),
        holder: number('holder'),
        label: e.getAttribute('aria-label') ?? '',
      };
    }),
  );
}

/** The piece with that id. @param {Page} page @param {number} id */
export async function piece(page, id) {
  const found = (await pieces(page)).find((p) => p.id === id);
  assert.ok(found, `piece ${id} is on the table`);
  return found;
}

/** The first piece of that name, in the order of places. @param {Page} page @param {string} name */
export async function named(page, name) {
  const found = (await pieces(page))
    .filter((p) => p.label.startsWith(name))
    .sort((a, b) => a.y - b.y || a.x - b.x);
  assert.ok(found.length > 0, `there is a ${name}`);
  return found[0];
}

/**
 * The same piece in another view: the one of that kind in that place. A page on a busy machine may
 * not have drawn it yet.
 *
 * @param {Page} page
 * @param {Piece} p
 */
export async function same(page, p) {
  const there = async () =>
    (await pieces(page)).filter((q) => q.kind === p.kind && q.x === p.x && q.y === p.y);
  await eventually(page, async () => (await there()).length === 1);
  const found = await there();
  assert.equal(found.length, 1, `one piece of kind ${p.kind} lies at ${p.x}, ${p.y}`);
  return found[0];
}

/**
 * Waits until a piece is as wanted, and returns it.
 *
 * @param {Page} page
 * @param {number} id
 * @param {Partial<Piece>} wanted
 */
export async function until(page, id, wanted) {
  try {
    await page.waitForFunction(
      ({ id, wanted }) => {
        const e = document.querySelector(`[data-piece="${id}"]`);
        return (
          e !== null &&
          Object.entries(wanted).every(
            ([name, value]) => e.getAttribute(`data-${name}`) === String(value),
          )
        );
      },
      { id, wanted },
    );
  } catch {
    assert.deepEqual(
      await piece(page, id), { ...(await piece(page, id)), ...wanted },
      'the piece reaches the wanted state',
    );
  }
  return piece(page, id);
}

/**
 * Waits until the server has a piece as wanted: its own page shows that before the server knows.
 *
 * @param {Page} page
 * @param {number} id
 * @param {Partial<Pick<Piece, 'x'|'y'|'angle'|'face'|'holder'>>} wanted
 */
export async function recorded(page, id, wanted) {
  const isThere = () =>
    page.evaluate(
      async ({ id, wanted }) => {
        const api = document.querySelector('main')?.dataset.api ?? '';
        const { pieces } = await (await fetch(api, { cache: 'no-store' })).json();
        const piece = pieces.find((/** @type {Piece} */ p) => p.id === id);
        return Object.entries(wanted).every(([name, value]) => piece?.[name] === value);
      },
      { id, wanted },
    );
  const isRecorded = await eventually(page, isThere);
  assert.ok(isRecorded, `the server has piece ${id} as ${JSON.stringify(wanted)}`);
}

/**
 * Waits until a screen reader would speak this text for a piece, and returns the piece. The name of
 * a piece follows when it has come to rest.
 *
 * @param {Page} page
 * @param {number} id
 * @param {RegExp} text
 */
export async function labelled(page, id, text) {
  await page.waitForFunction(
    ({ id, text }) =>
      new RegExp(text, 'u').test(
        document.querySelector(`[data-piece="${id}"]`)?.getAttribute('aria-label') ?? '',
      ),
    { id, text: text.source },
  );
  return piece(page, id);
}

/** Waits until a button can be pressed again. @param {Page} page */
export const cooled = (page) =>
  page.locator('[data-piece] > .cooling').first().waitFor({ state: 'detached' });

/**
 * Waits until two pages show the same table: the same places for everything outside hands, and the
 * same numbers of pieces in each hand and container. Only its owner and the team see what lies in a
 * hand (T23).
 *
 * @param {Page} a
 * @param {Page} b
 */
export async function agree(a, b) {
  /** @type {string[][]} */
  let [left, right] = [];
  await eventually(a, async () => {
    [left, right] = await Promise.all([common(a), common(b)]);
    return left.join() === right.join();
  });
  assert.deepEqual(left, right, 'both pages show the same table');
}

/** What everybody sees: a line for each piece. @param {Page} page @returns {Promise<string[]>} */
function common(page) {
  return page.locator('[data-piece]').evaluateAll((elements) =>
    elements
      .filter((e) => !/ in (your|\S+’s) hand\b/.test(e.getAttribute('aria-label') ?? ''))
      .map((e) => {
        // "13 open 4:13" for the owner, "13 180 4:13" for others: how many lie there, how they are
        // shown, and how many of each kind.
        const [n, ...sorts] = (e.getAttribute('data-holds') ?? '')
          .split(' ')
          .filter((part) => /^-?\d+(:\d+)?$/.test(part));
        const holds = [n, ...sorts.filter((part) => part.includes(':'))].join(' ');
        return [
          ...['x', 'y', 'angle', 'holder'].map((name) => e.getAttribute(`data-${name}`)), holds,
        ].join(' ');
      })
      .sort(),
  );
}

/**
 * How long a test waits for anything, in milliseconds: much longer than it takes on a busy machine,
 * as this costs nothing when all is well.
 */
export const PATIENCE = 180_000;

/**
 * Asks again in every frame of a page until something holds, as long as a test waits for anything.
 *
 * @param {Page} page
 * @param {() => boolean | Promise<boolean>} holds
 * @returns {Promise<boolean>} whether it does
 */
export async function eventually(page, holds) {
  const end = performance.now() + PATIENCE;
  while (!(await holds())) {
    if (performance.now() > end) return false;
    await frame(page);
  }
  return true;
}

/** Waits until the page has drawn twice. @param {Page} page */
export function frame(page) {
  return page.evaluate(
    () =>
      new Promise((done) =>
        requestAnimationFrame(() => requestAnimationFrame(() => done(undefined))),
      ),
  );
}

/**
 * Waits until nothing moves on the page, and nothing begins to move in the next frame.
 *
 * @param {Page} page
 */
export async function still(page) {
  await frame(page);
  await page.waitForFunction(() => document.querySelector('[data-piece].over') === null);
  await frame(page);
}

/**
 * The middle of a piece on the screen.
 *
 * @param {Page} page
 * @param {number} id
 * @returns {Promise<Point>}
 */
export async function middle(page, id) {
  return page.locator(`[data-piece="${id}"]`).evaluate((e) => {
    const r = e.getBoundingClientRect();
    return { x: r.left + r.width / 2, y: r.top + r.height / 2 };
  });
}

/**
 * By how many degrees the picture of a piece is turned on the screen, clockwise.
 *
 * @param {Page} page
 * @param {number} id
 */
export function tilt(page, id) {
  return page.locator(`[data-piece="${id}"] > .art`).evaluate((art) => {
    let angle = 0;
    for (let e = /** @type {Element|null} */ (art); e; e = e.parentElement) {
      const { transform, rotate } = getComputedStyle(e);
      const m = new DOMMatrix(transform === 'none' ? '' : transform);
      angle += (Math.atan2(m.b, m.a) * 180) / Math.PI + (Number.parseFloat(rotate) || 0);
    }
    return ((Math.round(angle) % 360) + 360) % 360;
  });
}

/** CSS pixels in a table unit. @param {Page} page */
export async function scale(page) {
  return Number(await page.locator('main#table').getAttribute('data-scale')) / 10;
}

/**
 * Where a distance on the table leads on the screen, however the table is turned.
 *
 * @param {Page} page
 * @param {Point} from
 * @param {Point} by in table units
 */
export async function away(page, from, by) {
  const k = await scale(page);
  const turn = Number(await page.locator('main#table').getAttribute('data-turn')) / 90;
  const [x, y] = [[by.x, by.y], [-by.y, by.x], [-by.x, -by.y], [by.y, -by.x]][turn];
  return { x: from.x + x * k, y: from.y + y * k };
}

/**
 * Grabs a piece with the mouse and drags it, without dropping it.
 *
 * @param {Page} page
 * @param {number} id
 * @param {Point} by in table units
 */
export async function carry(page, id, by) {
  await still(page);
  const to = await away(page, await middle(page, id), by);
  const from = (await gripInStrip(page, id)) ?? (await middle(page, id));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 3 });
  await frame(page);
}

/**
 * Drags a piece with the mouse and drops it. Returns it as its own page shows it then.
 *
 * @param {Page} page
 * @param {number} id
 * @param {Point} by in table units
 */
export async function drag(page, id, by) {
  await carry(page, id, by);
  await page.mouse.up();
  return until(page, id, { holder: 0 });
}

/**
 * Drags a piece with the mouse to a point of the screen and drops it.
 *
 * @param {Page} page
 * @param {number} id
 * @param {Point} to in CSS pixels
 */
export async function dragTo(page, id, to) {
  await still(page);
  const from = (await gripInStrip(page, id)) ?? (await middle(page, id));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await frame(page);
  await page.mouse.up();
  return until(page, id, { holder: 0 });
}

/** Puts the focus on a piece as the keyboard would. @param {Page} page @param {number} id */
export async function focus(page, id) {
  await page.locator(`[data-piece="${id}"]`).focus();
}

/** Everything that the page has said to screen readers so far. @param {Page} page */
export async function said(page) {
  return (await page.locator('[data-live]').allTextContents()).join('\n');
}

/**
 * Waits until the page speaks an alarm, as it does when something has gone wrong.
 *
 * @param {Page} page
 * @param {RegExp} text
 */
export async function alarmed(page, text) {
  await page.locator('[data-live="assertive"]', { hasText: text }).waitFor({ state: 'attached' });
}

/** The alarms so far: none when all went well. @param {Page} page */
export async function alarms(page) {
  return (await page.locator('[data-live="assertive"]').textContent()) ?? '';
}
