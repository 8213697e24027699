// A Chromium to measure in, and its figures of the work of a page's main thread.

import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright-core';

/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').CDPSession} Session */

/** The path of Chromium: HOLT_CHROMIUM, or one in the path. */
function executable() {
  if (process.env.HOLT_CHROMIUM) return process.env.HOLT_CHROMIUM;
  const find = ['chromium', 'chromium-browser', 'google-chrome']
    .map((name) => `command -v ${name}`)
    .join(' || ');
  return execFileSync('sh', ['-c', find], { encoding: 'utf8' }).trim();
}

/** @returns {Promise<Browser>} */
export function launch() {
  return chromium.launch({
    executablePath: executable(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** The number of pieces from which on a page shows their pictures as bitmaps. */
const CROWDED = 300;

/**
 * Waits until a page with so many pieces has done everything that opening it takes: pictures are
 * decoded, bitmaps are drawn, and 60 frames come without a gap of more than three. While tiles are
 * drawn, frames wait.
 *
 * @param {Page} page
 * @param {number} pieces
 */
export async function atRest(page, pieces) {
  await page.waitForLoadState('networkidle');
  if (pieces >= CROWDED) await page.locator('main[data-bitmaps]').waitFor();
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    for (let steady = 0, before = await frame(); steady < 60; ) {
      const now = await frame();
      steady = now - before <= 50 ? steady + 1 : 0;
      before = now;
    }
  });
}

/**
 * What was measured: frames a second, processor time of the main thread for each, and the times
 * from a frame to the next one, in ms.
 *
 * @typedef {{fps: number, msPerFrame: number, p50: number, p95: number}} Found
 */

/**
 * What a page's main thread has done up to now: its processor time in ms, and the frames it has
 * made.
 */
export class Meter {
  /** @type {Session} */
  #session;
  /** @type {Page} */
  #page;

  /** @param {Page} page @param {Session} session */
  constructor(page, session) {
    this.#page = page;
    this.#session = session;
  }

  /** Starts to count. @param {Page} page */
  static async open(page) {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    await page.evaluate(() => {
      /** When each frame was made. @type {number[]} */
      const frames = [];
      const next = (/** @type {number} */ now) => {
        frames.push(now);
        requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
      Object.assign(window, { benchFrames: frames });
    });
    return new Meter(page, session);
  }

  /** Builds the accessibility tree and keeps it current from now on. */
  async listen() {
    await this.#session.send('Accessibility.enable');
    await this.#session.send('Accessibility.getFullAXTree');
  }

  /**
   * Runs a scene and measures it.
   * @param {() => Promise<void>} scene
   * @returns {Promise<Found>}
   */
  async measure(scene) {
    const before = await this.#read();
    await scene();
    const after = await this.#read();
    const frames = after.frames.length - before.frames.length;
    const times = after.frames.slice(before.frames.length);
    const gaps = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b);
    const at = (/** @type {number} */ part) => gaps[Math.floor(part * gaps.length)];
    return {
      fps: frames / (after.time - before.time),
      msPerFrame: (1000 * (after.cpu - before.cpu)) / frames, p50: at(0.5), p95: at(0.95),
    };
  }

  async #read() {
    const { metrics } = await this.#session.send('Performance.getMetrics');
    const value = (/** @type {string} */ name) => {
      const metric = metrics.find((m) => m.name === name);
      if (!metric) throw new Error(`this Chromium does not tell ${name}`);
      return metric.value;
    };
    /** @type {number[]} */
    const frames = await this.#page.evaluate(() => /** @type {any} */ (window).benchFrames);
    return { frames, cpu: value('ThreadTime'), time: value('Timestamp') };
  }
}
