// WebKit at the table, the engine of iPhones and Safari: somebody joins, plays an opening by mouse
// and keys, and a hand of cards. Debian's WebKitGTK has a driver.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import test from 'node:test';
import { Server } from './server.js';
import { WebDriver } from './webdriver.js';

/** @typedef {import('./webdriver.js').Point} Point */

const DOWN = '\uE015';
const ENTER = '\uE007';

/**
 * Comes to a table by its invite.
 *
 * @param {WebDriver} browser @param {string} invite
 */
async function join(browser, invite) {
  await browser.open(invite);
  await browser.until(`document.querySelector('input[name="nick"]') !== null`);
  await browser.run(`
    document.querySelector('input[name="nick"]').value = 'Ben';
    document.querySelector('form:has(input[name="nick"])').requestSubmit();`);
  await browser.until(`document.querySelector(
    'main#table[data-ready][data-pieces][data-status="online"]') !== null`);
  await browser.run(`
    window.wrong = [];
    addEventListener('error', (e) => wrong.push(e.message));
    addEventListener('unhandledrejection', (e) => wrong.push(String(e.reason)));
    [...document.querySelectorAll('button')].find((b) => b.textContent === 'Got it')?.click();`);
}

/** The middle of an element, in the window. @param {WebDriver} browser @param {string} css */
async function middle(browser, css) {
  /** @type {Point} */
  const at = await browser.until(`((css) => {
    const box = document.querySelector(css)?.getBoundingClientRect();
    return box && { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  })(arguments[0])`, css);
  return at;
}

/** A piece by the beginning of its name. @param {string} label */
const piece = (label) => `[data-piece][aria-label^="${label}"]`;

/**
 * Drags a chessman by so many squares, as its player looks.
 *
 * @param {WebDriver} browser @param {string} label @param {number} right @param {number} up
 */
async function moveMan(browser, label, right, up) {
  const scale = await browser.run(`return Number(document.querySelector('#table').dataset.scale)`);
  const from = await middle(browser, piece(label));
  await browser.drag(from, { x: from.x + right * scale * 50, y: from.y - up * scale * 50 });
}

/** How many pieces lie elsewhere. @param {any[]} before @param {any[]} now */
function moved(before, now) {
  const places = new Map(before.map((p) => [p.id, `${p.x},${p.y}`]));
  return now.filter((p) => places.get(p.id) !== `${p.x},${p.y}`).length;
}

test('somebody joins in WebKit, plays an opening, and takes cards into a hand', {
  skip: process.env.HOLT_WEBKIT ? false : 'no driver of WebKit is installed',
}, async (t) => {
  const server = await Server.start();
  t.after(() => server.discard());
  const browser = await WebDriver.start(process.env.HOLT_WEBKIT ?? '');
  t.after(async () => {
    if (process.env.HOLT_SHOTS)
      writeFileSync(`${process.env.HOLT_SHOTS}/webkit.png`, await browser.screenshot(), 'base64');
    await browser.close();
  });

  const chess = await server.createTable('chess');
  const before = await server.read(chess.table, chess.token);
  await join(browser, chess.invites.player);
  await browser.until(`document.querySelector('#table[data-turn="180"]') !== null`);
  await moveMan(browser, 'White pawn, e2', 0, -2);
  await middle(browser, piece('White pawn, e4'));
  await moveMan(browser, 'Black pawn, e7', 0, 2);
  await middle(browser, piece('Black pawn, e5'));
  // The arrow tells the page that keys are used from now on.
  await browser.press(DOWN, 'g', '1', ENTER, 'f', '3');
  await middle(browser, piece('White knight, f3'));
  await moveMan(browser, 'Black knight, b8', -1, 2);
  await middle(browser, piece('Black knight, c6'));
  assert.equal(await browser.run(`return document.querySelectorAll('.last-move').length`), 2);
  await browser.until(`document.querySelector('.banner:not([hidden])') === null`);
  const after = await server.read(chess.table, chess.token);
  assert.equal(moved(before.pieces, after.pieces), 4, 'the server has the four moves');
  assert.deepEqual(await browser.run('return wrong'), []);

  const cards = await server.createTable('cards');
  await join(browser, cards.invites.player);
  const deck = await middle(browser, piece('Deck'));
  await browser.click(deck);
  await browser.press('e');
  await browser.until(`document.querySelector('dialog[open] input[type="number"]') !== null`);
  await browser.press('5', ENTER);
  const strip = (/** @type {number} */ n) => browser.until(
    `document.querySelectorAll('.lap:not([hidden]) .lap-card').length === arguments[0]`, n,
  );
  await strip(5);
  const grip = await browser.until(`(() => {
    const box = document.querySelector('.lap-card').getBoundingClientRect();
    return { x: box.left + 14, y: box.top + box.height / 2 };
  })()`);
  await browser.drag(grip, { x: deck.x + 60, y: deck.y + 160 });
  await strip(4);
  assert.deepEqual(await browser.run('return wrong'), []);
});
