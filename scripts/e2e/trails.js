// What people see of something while it moves: its place in every frame of the screen.

import { holdTimers, RESTS } from './fingers.js';
import { frame, middle } from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./pieces.js').Point} Point */
/** @typedef {Point & {at: number, holder: number, lifted: boolean}} Sight */

/**
 * Records where things are seen in each frame from now on.
 *
 * @param {Page} page
 * @param {string[]} selectors
 * @returns {Promise<() => Promise<Sight[][]>>} ends it, and returns for each thing what was seen
 */
export async function follow(page, selectors) {
  await page.evaluate((wanted) => {
    const things = wanted.map((selector) => document.querySelector(selector));
    /** @type {Sight[][]} */
    const trails = things.map(() => []);
    // A page that is late draws by the clock, and not by the time at which its frame was due.
    const look = () => {
      const at = performance.now();
      for (const [i, e] of things.entries()) {
        const r = e?.getBoundingClientRect();
        if (!e || !r) continue;
        const holder = Number(e.getAttribute('data-holder'));
        trails[i].push({
          x: r.left + r.width / 2, y: r.top + r.height / 2, at, holder,
          lifted: e.classList.contains('lifted'),
        });
      }
      asked = requestAnimationFrame(look);
    };
    let asked = requestAnimationFrame(look);
    const endTrails = () => {
      cancelAnimationFrame(asked);
      return trails;
    };
    Object.assign(window, { endTrails });
  }, selectors);
  return () => page.evaluate(() => /** @type {any} */ (window).endTrails());
}

/** @param {number} id */
export const ofPiece = (id) => `[data-piece="${id}"]`;

/**
 * Moves the mouse evenly, at most one step in a frame of its page and of the pages that look on: so
 * these draw as many frames meanwhile, however busy the machine is.
 *
 * @param {Page} page
 * @param {Point} from
 * @param {Point} to
 * @param {number} [steps]
 * @param {Page[]} [others]
 */
export async function glide(page, from, to, steps = 40, others = []) {
  for (let i = 1; i <= steps; i++) {
    await page.mouse.move(
      from.x + ((to.x - from.x) * i) / steps, from.y + ((to.y - from.y) * i) / steps,
    );
    await Promise.all([page, ...others].map(frame));
  }
}

/**
 * Grabs a piece with the mouse and drags it evenly by so many CSS pixels, without dropping it.
 *
 * @param {Page} page
 * @param {number} id
 * @param {Point} by
 * @param {number} [steps]
 * @param {Page[]} [others] those that look on
 */
export async function carryAlong(page, id, by, steps, others) {
  const from = await middle(page, id);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await glide(page, from, { x: from.x + by.x, y: from.y + by.y }, steps, others);
}

/**
 * Moves the mouse to and fro on the table until `work` is done, so that its arrow is there all the
 * while.
 *
 * @template T
 * @param {Page} page
 * @param {() => Promise<T>} work
 * @returns {Promise<T>} the result of `work`
 */
export async function whilePointing(page, work) {
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  done.catch(() => {}); // the error is reported when all is over
  for (let i = 0; !isDone; i = (i + 1) % 20) {
    await page.mouse.move(500 + 3 * Math.min(i, 20 - i), 300 + Math.min(i, 20 - i));
    await frame(page);
  }
  return done;
}

/**
 * The longest time in which a thing moved without being seen, in milliseconds.
 *
 * @param {Sight[]} trail
 */
export function blindness(trail) {
  return Math.max(
    0,
    ...trail
      .slice(1)
      .map((s, i) => (s.x !== trail[i].x || s.y !== trail[i].y ? s.at - trail[i].at : 0)),
  );
}

/** How often a thing was seen in another place than in the frame before. @param {Sight[]} trail */
export function steps(trail) {
  return trail.slice(1).filter((s, i) => s.x !== trail[i].x || s.y !== trail[i].y).length;
}

/** Milliseconds from one frame of a screen to the next, if the machine has time for all of them. */
export const FRAME = 1000 / 60;

/**
 * How far a trail goes back against a direction, how far it leaves the straight line, and its
 * longest step, in CSS pixels. A page on a busy machine leaves frames out, so a step counts by its
 * part of the time of one frame.
 *
 * @param {Sight[]} trail
 * @param {Point} along
 */
export function straightness(trail, along) {
  const length = Math.hypot(along.x, along.y);
  const u = { x: along.x / length, y: along.y / length };
  let [back, aside, leap] = [0, 0, 0];
  for (const [i, s] of trail.slice(1).entries()) {
    const d = { x: s.x - trail[i].x, y: s.y - trail[i].y };
    back = Math.max(back, -(d.x * u.x + d.y * u.y));
    leap = Math.max(leap, Math.hypot(d.x, d.y) / Math.max(1, (s.at - trail[i].at) / FRAME));
    aside = Math.max(aside, Math.abs((s.x - trail[0].x) * u.y - (s.y - trail[0].y) * u.x));
  }
  return { back, aside, leap };
}

/**
 * The last step of a trail, in CSS pixels for the time of one frame. It is small if the thing has
 * come to rest, and was not stopped.
 *
 * @param {Sight[]} trail
 */
export function landing(trail) {
  const i = trail.findLastIndex(
    (s, i) => i > 0 && Math.hypot(s.x - trail[i - 1].x, s.y - trail[i - 1].y) > 0.5,
  );
  const [from, to] = [trail[i - 1], trail[i]];
  return Math.hypot(to.x - from.x, to.y - from.y) / Math.max(1, (to.at - from.at) / FRAME);
}

/**
 * Drags with a finger. First it moves an eighth of the way, at once, so that it does not count as
 * resting. When `taken` says that somebody has seen it, it moves the rest evenly, at most one step
 * in a frame of each page. The test is not about how fast the others see it.
 *
 * @param {Page} page
 * @param {Point} from
 * @param {Point} by in CSS pixels
 * @param {() => Promise<unknown>} taken
 * @param {Page[]} others those that look on
 */
export async function swipeAlong(page, from, by, taken, others) {
  const goOn = await holdTimers(page, RESTS);
  const devices = await page.context().newCDPSession(page);
  const steps = 40;
  const to = (/** @type {number} */ i) => ({
    x: from.x + (by.x * i) / steps, y: from.y + (by.y * i) / steps,
  });
  const move = (/** @type {Point} */ at) =>
    devices.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at] });
  await Promise.all([
    devices.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] }),
    move(to(steps / 8)),
  ]);
  let isTaken = false;
  const seen = taken().finally(() => {
    isTaken = true;
  });
  seen.catch(() => {}); // the error is reported when all is over
  for (let i = 0; !isTaken; i = 1 - i) {
    // A person's finger never rests; a busy machine may leave the first move out.
    await move(to(steps / 8 + i / 10));
    await frame(page);
  }
  await seen;
  for (let i = steps / 8 + 1; i <= steps; i++) {
    await move(to(i));
    await Promise.all([page, ...others].map(frame));
  }
  await devices.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await devices.detach();
  await goOn();
}
