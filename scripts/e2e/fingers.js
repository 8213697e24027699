// Fingers on the screen, by the browser's own input: Playwright itself can only tap.

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{x: number, y: number}} Point */

/**
 * Holds the timers of a page back that have so many milliseconds: the speed of the machine must not
 * decide whether a finger rests, or whether a line is sent in parts.
 *
 * @param {Page} page
 * @param {number} ms
 * @returns {Promise<() => Promise<void>>} ends it for timers that are set from then on
 */
export async function holdTimers(page, ms) {
  const real = await page.evaluateHandle((ms) => {
    const own = window.setTimeout;
    Object.assign(window, {
      setTimeout: (/** @type {() => void} */ f, /** @type {number} */ after) =>
        own(f, after === ms ? 3_600_000 : after),
    });
    return own;
  }, ms);
  return () => page.evaluate((own) => void Object.assign(window, { setTimeout: own }), real);
}

/** After how many ms a finger that does not move counts as resting (parts/controls/pointer.js). */
export const RESTS = 500;

/**
 * Puts fingers down, moves each along its way, and lifts them. They move as soon as they are down,
 * so that none of them rests on a busy machine.
 *
 * @param {Page} page
 * @param {Array<{from: Point, to: Point}>} ways one for each finger
 * @param {number} [steps]
 */
export async function swipe(page, ways, steps = 8) {
  const goOn = await holdTimers(page, RESTS);
  const devices = await page.context().newCDPSession(page);
  const at = (/** @type {number} */ part) =>
    ways.map(({ from, to }, id) => ({
      id, x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part,
    }));
  const move = (/** @type {number} */ i) =>
    devices.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(i / steps) });
  await Promise.all([
    devices.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) }), move(1),
    move(2),
  ]);
  for (let i = 3; i <= steps; i++) await move(i);
  await devices.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await devices.detach();
  await goOn();
}

/**
 * Takes a tool in a small window, where the tools are folded into one button.
 *
 * @param {Page} page
 * @param {string} name
 */
export async function tapTool(page, name) {
  await page.getByRole('button', { name: 'Tools', exact: true }).tap();
  await page.getByRole('button', { name }).tap();
}
