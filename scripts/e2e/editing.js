// What tests of the editor share: its panel, the clicks and keys of who makes a game, and files
// that they bring.

import assert from 'node:assert/strict';
import { arrive } from './party.js';
import { eventually, pieces } from './pieces.js';
import { Server } from './server.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */

/** The panel of the editor. @param {Page} page */
export const editor = (page) => page.getByRole('complementary', { name: 'Edit the game' });

/** A button in it. @param {Page} page @param {string} name */
export const button = (page, name) => editor(page).getByRole('button', { name, exact: true });

/** Clicks and keys of somebody, as they are counted. */
export class Hand {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.clicks = 0;
    this.keys = 0;
  }

  /** @param {Locator} what */
  async click(what) {
    await what.click();
    this.clicks++;
  }

  /** Chooses files: a press of the button, and one in the dialog of the browser.
   * @param {Locator} what @param {{name: string, mimeType: string, buffer: Buffer}[]} files */
  async choose(what, files) {
    const chooser = this.page.waitForEvent('filechooser');
    await this.click(what);
    await (await chooser).setFiles(files);
    this.clicks++;
  }

  /** Types over what stands in a field. @param {Locator} what @param {string} text */
  async type(what, text) {
    await this.click(what);
    await what.press('Control+A');
    await this.page.keyboard.type(text);
    this.keys += 1 + text.length;
  }

  /** @param {...string} keys */
  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
    this.keys += keys.length;
  }

  /** @param {string} text */
  async write(text) {
    await this.page.keyboard.type(text);
    this.keys += text.length;
  }
}

/**
 * A sheet: cards side by side with their numbers, and its back as the last card.
 * @param {Page} page draws it
 * @param {{columns: number, rows: number, margin: number, gutter: number, type?: string,
 *   names?: string[]}} grid what stands on the cards
 */
export async function sheet(page, { type = 'image/png', names = [], ...grid }) {
  const base64 = await page.evaluate(([g, as, texts]) => {
    const [w, h] = [180, 252];
    const canvas = document.createElement('canvas');
    canvas.width = 2 * g.margin + g.columns * w + (g.columns - 1) * g.gutter;
    canvas.height = 2 * g.margin + g.rows * h + (g.rows - 1) * g.gutter;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    for (let i = 0; i < g.columns * g.rows; i++) {
      const x = g.margin + (i % g.columns) * (w + g.gutter);
      const y = g.margin + Math.floor(i / g.columns) * (h + g.gutter);
      const isBack = i === g.columns * g.rows - 1;
      const text = texts[i] ?? String(i + 1);
      const hue = [...text].reduce((sum, c) => sum * 31 + c.charCodeAt(0), 7) % 360;
      context.fillStyle = isBack ? '#1f4d3a' : text === '' ? '#fff' : `hsl(${hue} 45% 72%)`;
      context.fillRect(x, y, w, h);
      context.fillStyle = isBack ? '#e8d9a8' : '#26201a';
      context.font = 'bold 84px sans-serif';
      context.textAlign = 'center';
      context.fillText(isBack ? '❖' : text, x + w / 2, y + 150);
    }
    return canvas.toDataURL(as, 0.9).split(',')[1];
  }, /** @type {const} */ ([grid, type, names]));
  return { name: 'art.png', mimeType: type, buffer: Buffer.from(base64, 'base64') };
}

/** @param {string} text @param {string} [name] */
export const csv = (text, name = 'foxes.csv') =>
  ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

export const FOXES = ['Name,Qty,Effect', ...Array.from({ length: 20 }, (_, i) =>
  `Fox ${i + 1},2,"Draw ${i + 1} of them; then ""bark""."`)].join('\r\n');

/** Waits until a page shows a deck with so many cards. @param {Page} page @param {string} name
 * @param {number} n */
export async function holds(page, name, n) {
  const label = async () =>
    (await pieces(page)).find((p) => p.label.startsWith(name))?.label ?? 'nothing';
  const is = async () => n === 0 ? !/cards?\b/.test(await label())
    : new RegExp(`\\b${n} .*cards?\\b`).test(await label());
  assert.ok(await eventually(page, is), `${name} has ${n} cards: ${await label()}`);
}

/**
 * Brings a game to another server, where somebody called Ada has chosen it.
 * @param {import('node:test').TestContext} t
 * @param {string} path of the file
 * @param {string} name of the game
 */
export async function bringElsewhere(t, path, name) {
  const elsewhere = await Server.start();
  t.after(() => elsewhere.discard());
  const { page } = await arrive('Ada', {});
  t.after(() => page.context().close());
  await page.goto(elsewhere.url);
  await page.getByText('Bring a game').waitFor();
  await page.setInputFiles('[data-file]', path);
  const card = page.getByRole('radio', { name });
  await card.waitFor();
  assert.ok(await card.isChecked(), 'it is chosen');
  await page.getByLabel('Your name').fill('Ada');
  return { page, url: elsewhere.url };
}
