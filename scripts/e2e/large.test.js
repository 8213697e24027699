// A game as large as the largest ones of other systems (docs/performance.md): what its page loads
// and builds, and that people can play it. How long that takes depends on the machine and is
// measured elsewhere.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { arrive, joinByInvite, party } from './party.js';
import { dragTo, middle, named, pieces, still, until } from './pieces.js';
import { shoot } from './shots.js';

const KINDS = 550;
const PIECES = 1841;
/** How many of the pieces are cards that lie open on the table; the others are in the boxes. */
const OPEN = 613;
const BOXES = 4;

/** The most that a page of this game may load and build. */
const MOST = { bytes: 160_000, requests: 24, nodes: 2 * (OPEN + BOXES) + 400 };

/** A number from 0 to n - 1 that looks random, and is the same in each run. @param {number} i */
const scattered = (i, n = 1 << 24) => (Math.imul(i + 1, 2654435761) >>> 0) % n;

/** Writes the game into a folder. @param {string} folder */
function writeGame(folder) {
  mkdirSync(join(folder, 'art'));
  const art = (/** @type {string} */ colour) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 635 889">
<rect width="635" height="889" fill="${colour}"/><circle cx="317" cy="444" r="200"/></svg>`;
  writeFileSync(join(folder, 'art', 'a.svg'), art('#ddd'));
  writeFileSync(join(folder, 'art', 'b.svg'), art('#346'));
  const cards = KINDS - 2;
  const rest = PIECES - OPEN - BOXES;
  const words = ['draw', 'a', 'card', 'for', 'each', 'red', 'tower', 'that', 'nobody', 'holds'];
  const row = (/** @type {number} */ i) => ({
    name: `Card ${i}`, count: Math.floor(rest / cards) + (i < rest % cards ? 1 : 0),
    colour: `#${scattered(i).toString(16).padStart(6, '0')}`,
    picture: 'a.svg', cost: String(i % 10),
    text: Array.from({ length: 16 }, (_, n) => words[scattered(16 * i + n, 10)]).join(' '),
  });
  const rows = Array.from({ length: cards }, (_, i) => row(i));
  const decks = Array.from({ length: BOXES }, (_, d) => ({
    name: `Deck ${d}`, template: 'Card', rows: rows.filter((_, i) => i % BOXES === d),
  }));
  const size = { width: 635, height: 889, shape: 'card', weight: 'light' };
  const backs = [{ name: 'Back', art: 'b.svg' }];
  writeFileSync(join(folder, 'large.json'), JSON.stringify({
    format: 'holt.game/2', id: 'large', name: 'Large', summary: 'Many kinds.',
    table: { width: 30000, height: 20000, surface: 'felt' },
    templates: [{
      name: 'Card', ...size, secret: true, mask: 'Back',
      faces: [{
        name: '{name}',
        layers: [
          { colour: '{colour}' },
          { art: '{picture}', x: 145, y: 150, width: 345, height: 345 },
          { text: '{name}', x: 130, y: 48, width: 460, height: 90, size: 70 },
          { text: '{cost}', x: 50, y: 48, width: 70, height: 90, size: 76 },
          { text: '{text}', x: 65, y: 535, width: 505, height: 270, size: 58 },
        ],
      }, ...backs],
    }],
    decks,
    kinds: [
      { name: 'Back', ...size, faces: backs },
      {
        name: 'Box', width: 820, height: 1080, shape: 'card', weight: 'heavy',
        container: { draws: 'top', takes: 'Back' }, faces: [{ name: 'Box', art: 'a.svg' }],
      },
    ],
    pieces: [
      ...decks.map(({ name }, d) => ({ kind: 'Box', x: 2000 * d - 3000, y: 9000,
        holds: [{ deck: name }] })),
      ...Array.from({ length: OPEN }, (_, i) => ({
        kind: rows[i % 180].name, x: 800 * (i % 34) - 13200, y: 950 * Math.floor(i / 34) - 9300,
      })),
    ],
  }));
}

test('a game of 550 kinds and 1,841 pieces opens within its budgets and is played', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'holt-e2e-large-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeGame(folder);
  const { friend, invites } = await party(t, {
    game: 'large', own: true, flags: ['--games', folder],
  });
  const guest = await arrive('Cleo');
  t.after(() => guest.page.context().close());
  const { page } = guest;
  const devices = await page.context().newCDPSession(page);
  await devices.send('Network.enable');
  let bytes = 0;
  let requests = 0;
  devices.on('Network.requestWillBeSent', ({ request }) => {
    if (request.url.startsWith('http')) requests++;
  });
  devices.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await joinByInvite(guest, invites.player);
  await still(page);
  await page.waitForLoadState('networkidle');
  await shoot(page, 'large');

  assert.equal((await pieces(page)).length, OPEN + BOXES);
  const boxes = (await pieces(page)).filter(({ label }) => label.startsWith('Box'));
  const within = boxes.map(({ label }) => Number(/, (\d+) /.exec(label)?.[1]));
  assert.equal(within.reduce((sum, n) => sum + n), PIECES - OPEN - BOXES);
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  t.diagnostic(`${bytes} bytes in ${requests} requests, ${nodes} elements`);
  assert.ok(bytes > 0 && bytes <= MOST.bytes, `${bytes} bytes`);
  assert.ok(requests <= MOST.requests, `${requests} requests`);
  assert.ok(nodes <= MOST.nodes, `${nodes} elements`);

  const card = await named(page, 'Card 7');
  const { x, y } = await middle(page, card.id);
  await dragTo(page, card.id, { x: x + 60, y: y + 30 });
  const moved = await named(page, 'Card 7');
  assert.notEqual(moved.x, card.x);
  await until(friend.page, card.id, { x: moved.x, y: moved.y, holder: 0 });
});
