// What the eyes see of something while it moves: its place in every frame of the screen.

import { frame, middle } from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./pieces.js').Point} Point */
/** @typedef {Point & {at: number, holder: number, lifted: boolean}} Sight */

/**
 * Notes where things are seen in each frame from now on.
 * @param {Page} page @param {string[]} selectors
 * @returns {Promise<() => Promise<Sight[][]>>} ends it, and says for each thing what was seen
 */
export async function follow(page, selectors) {
  await page.evaluate((wanted) => {
    const things = wanted.map((selector) => document.querySelector(selector));
    /** @type {Sight[][]} */
    const trails = things.map(() => []);
    const look = (/** @type {number} */ at) => {
      for (const [i, e] of things.entries()) {
        const r = e?.getBoundingClientRect();
        if (!e || !r) continue;
        const holder = Number(e.getAttribute('data-holder'));
        trails[i].push({ x: r.left + r.width / 2, y: r.top + r.height / 2, at, holder, lifted: e.classList.contains('lifted') });
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
 * Moves the mouse evenly, at most one step in a frame.
 * @param {Page} page @param {Point} from @param {Point} to @param {number} [steps]
 */
export async function glide(page, from, to, steps = 40) {
  for (let i = 1; i <= steps; i++) {
    await page.mouse.move(from.x + ((to.x - from.x) * i) / steps, from.y + ((to.y - from.y) * i) / steps);
    await frame(page);
  }
}

/**
 * Takes a piece with the mouse and carries it evenly by so many CSS pixels, without letting go.
 * @param {Page} page @param {number} id @param {Point} by @param {number} [steps]
 */
export async function carryAlong(page, id, by, steps) {
  const from = await middle(page, id);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await glide(page, from, { x: from.x + by.x, y: from.y + by.y }, steps);
}

/** How often a thing was seen in another place than in the frame before. @param {Sight[]} trail */
export function steps(trail) {
  return trail.slice(1).filter((s, i) => s.x !== trail[i].x || s.y !== trail[i].y).length;
}

/**
 * How far a trail goes back against a direction, how far it leaves the straight line, and its longest step; in CSS pixels.
 * @param {Sight[]} trail @param {Point} along
 */
export function straightness(trail, along) {
  const length = Math.hypot(along.x, along.y);
  const u = { x: along.x / length, y: along.y / length };
  let [back, aside, leap] = [0, 0, 0];
  for (const [i, s] of trail.slice(1).entries()) {
    const d = { x: s.x - trail[i].x, y: s.y - trail[i].y };
    back = Math.max(back, -(d.x * u.x + d.y * u.y));
    leap = Math.max(leap, Math.hypot(d.x, d.y));
    aside = Math.max(aside, Math.abs((s.x - trail[0].x) * u.y - (s.y - trail[0].y) * u.x));
  }
  return { back, aside, leap };
}

/**
 * Drags with a finger, evenly, at most one step in a frame, and does not go on after an eighth of the way before `taken` says that somebody has
 * seen it: how fast that is, is not what is tested.
 * @param {Page} page @param {Point} from @param {Point} by in CSS pixels @param {() => Promise<unknown>} taken @param {number} [steps]
 */
export async function swipeAlong(page, from, by, taken, steps = 40) {
  const devices = await page.context().newCDPSession(page);
  await devices.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] });
  for (let i = 1; i <= steps; i++) {
    const at = { x: from.x + (by.x * i) / steps, y: from.y + (by.y * i) / steps };
    await devices.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at] });
    await frame(page);
    if (i === Math.ceil(steps / 8)) await taken();
  }
  await devices.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await devices.detach();
}
