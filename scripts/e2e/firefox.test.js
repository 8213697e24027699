// Firefox at the table: two people join, play an opening by mouse and keys, and a hand of cards.
// Playwright drives a Firefox of its own only; puppeteer drives the distribution's. Each person has
// a browser, because pages of the same one that are not in front do not draw.

import assert from 'node:assert/strict';
import test from 'node:test';
import puppeteer from 'puppeteer-core';
import { PATIENCE } from './pieces.js';
import { Server } from './server.js';

/** @typedef {import('puppeteer-core').Page} Page */

const AT_TABLE = 'main#table[data-ready][data-pieces][data-status="online"]';

/**
 * Opens a browser for somebody, and notes whatever goes wrong in their pages.
 *
 * @param {import('node:test').TestContext} t
 * @param {string[]} wrong
 */
async function arrive(t, wrong) {
  const browser = await puppeteer.launch({
    browser: 'firefox', executablePath: process.env.HOLT_FIREFOX ?? '', headless: true,
    protocolTimeout: PATIENCE,
  });
  t.after(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.setViewport({ width: 1280, height: 800 });
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('console', (m) => m.type() === 'error' && wrong.push(m.text()));
  return page;
}

/** Closes the hint for newcomers. @param {Page} page */
const read = (page) => page.locator('button::-p-text(Got it)').click();

/**
 * Starts a table through the first page.
 *
 * @param {Page} page @param {Server} server @param {string} game
 */
async function start(page, server, game) {
  await page.goto(server.url);
  await page.locator(`label:has(input[name="game"][value="${game}"])`).click();
  await page.locator('input[name="nick"]').fill('Ada');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  await page.waitForSelector(AT_TABLE);
}

/** The middle of a piece on the screen, by its name. @param {Page} page @param {string} label */
async function middle(page, label) {
  const piece = await page.waitForSelector(`[data-piece][aria-label^="${label}"]`);
  const box = await piece?.boundingBox();
  assert.ok(box, `${label} is there`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Drags from a point to another. @param {Page} page @param {{x: number, y: number}} from
 * @param {{x: number, y: number}} to */
async function drag(page, from, to) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 3 });
  await page.mouse.up();
}

/**
 * Drags a chessman by so many squares, as its player looks.
 *
 * @param {Page} page @param {string} label @param {number} right @param {number} up
 */
async function moveMan(page, label, right, up) {
  const square = await page.$eval('main#table', (e) => Number(e.dataset.scale) * 50);
  const from = await middle(page, label);
  await drag(page, from, { x: from.x + right * square, y: from.y - up * square });
}

test('two people join in Firefox, play an opening, and take cards into a hand', {
  skip: process.env.HOLT_FIREFOX ? false : 'no Firefox is installed',
}, async (t) => {
  const server = await Server.start();
  t.after(() => server.discard());
  /** @type {string[]} */
  const wrong = [];
  const [ada, ben] = await Promise.all([arrive(t, wrong), arrive(t, wrong)]);
  await start(ada, server, 'chess');
  await read(ada);
  const table = new URL(ada.url()).pathname.split('/').at(-1);
  const invites = await ada.evaluate(
    async (path) => (await fetch(path)).json(), `/api/v1/tables/${table}/invites`,
  );
  await ben.goto(invites.player);
  await ben.locator('input[name="nick"]').fill('Ben');
  await Promise.all([ben.waitForNavigation(), ben.keyboard.press('Enter')]);
  await ben.waitForSelector(AT_TABLE);
  await read(ben);
  await ben.waitForSelector('main#table[data-turn="180"]');

  await moveMan(ada, 'White pawn, e2', 0, 2);
  await middle(ben, 'White pawn, e4');
  await moveMan(ben, 'Black pawn, e7', 0, 2);
  await middle(ada, 'Black pawn, e5');
  // The arrow tells the page that keys are used from now on.
  for (const key of /** @type {const} */ (['ArrowDown', 'g', '1', 'Enter', 'f', '3']))
    await ada.keyboard.press(key);
  await middle(ben, 'White knight, f3');
  await moveMan(ben, 'Black knight, b8', -1, 2);
  await middle(ada, 'Black knight, c6');
  for (const page of [ada, ben])
    assert.equal((await page.$$('.last-move')).length, 2, 'the last move is marked');

  await start(ada, server, 'cards');
  const deck = await middle(ada, 'Deck');
  await ada.mouse.click(deck.x, deck.y);
  await ada.keyboard.press('e');
  await ada.waitForSelector('dialog[open] input[type="number"]');
  await ada.keyboard.type('5');
  await ada.keyboard.press('Enter');
  const strip = (/** @type {number} */ n) => ada.waitForFunction(
    (n) => document.querySelectorAll('.lap:not([hidden]) .lap-card').length === n, {}, n,
  );
  await strip(5);
  const card = await (await ada.$('.lap-card'))?.boundingBox();
  assert.ok(card);
  const grip = { x: card.x + 14, y: card.y + card.height / 2 };
  await drag(ada, grip, { x: deck.x + 60, y: deck.y + 160 });
  await strip(4);
  assert.deepEqual(wrong, [], 'no page has an error');
});
