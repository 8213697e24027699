// What it costs to open a table with an empty cache: bytes by type, and time.

import { Bot, clear, sit } from './party.mjs';

/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {import('../e2e/server.js').Server} Server */
/**
 * Bytes by type; `before` are those of what was asked for before the table was shown, and of the
 * state.
 * @typedef {{page: number, code: number, art: number, state: number, total: number, before: number,
 *   requests: number, ms: number}} Join
 */

/** @param {string} path @returns {'page' | 'code' | 'art'} */
function sortOf(path) {
  if (path.startsWith('/art/')) return 'art';
  return path.startsWith('/t/') ? 'page' : 'code';
}

/**
 * Opens a table in a browser context without a cache, and counts the bytes that come: bodies and
 * headers as they are sent, and the messages of the stream. It waits until all art has come.
 *
 * @param {Browser} browser
 * @param {Server} server
 * @param {{table: string, token: string}} seat
 * @returns {Promise<Join>}
 */
export async function join(browser, server, { table, token }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    await context.addCookies([
      { name: `holt_${table}`, value: token, url: server.url, httpOnly: true, sameSite: 'Lax' },
    ]);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    /** @type {Join} */
    const sum = {
      page: 0, code: 0, art: 0, state: 0, total: 0, before: 0, requests: 0, ms: 0,
    };
    /** @type {Map<string, {sort: 'page' | 'code' | 'art', at: number, bytes: number}>} */
    const files = new Map();
    session.on('Network.requestWillBeSent', (e) => {
      if (!e.request.url.startsWith('http')) return; // data: and blob:
      const sort = sortOf(new URL(e.request.url).pathname);
      files.set(e.requestId, { sort, at: e.wallTime * 1000, bytes: 0 });
      sum.requests++;
    });
    session.on('Network.loadingFinished', (e) => {
      const file = files.get(e.requestId);
      if (file) file.bytes = e.encodedDataLength;
    });
    session.on('Network.webSocketFrameReceived', (e) => {
      const bytes = Buffer.from(
        e.response.payloadData, e.response.opcode === 2 ? 'base64' : 'utf8',
      ).length;
      sum.state += bytes + (bytes < 126 ? 2 : 4);
    });
    const start = performance.now();
    await page.goto(`${server.url}/t/${table}`);
    await page.locator('main#table[data-ready][data-status="online"]').waitFor();
    sum.ms = performance.now() - start;
    await page.waitForLoadState('networkidle');
    const shown = await page.evaluate(
      () => performance.timeOrigin + performance.getEntriesByName('holt.shown')[0].startTime,
    );
    for (const { sort, at, bytes } of files.values()) {
      sum[sort] += bytes;
      if (at < shown) sum.before += bytes;
    }
    sum.before += sum.state;
    sum.total = sum.page + sum.code + sum.art + sum.state;
    return sum;
  } finally {
    await context.close();
  }
}

/**
 * What joining costs at tables of some games, and at a cleared one. Of several attempts it takes
 * the median by time.
 *
 * @param {Browser} browser
 * @param {Server} server
 * @returns {Promise<Record<string, Join>>}
 */
export async function joins(browser, server) {
  /** @type {Record<string, Join>} */
  const found = {};
  for (const game of ['empty', 'chess', 'draughts', 'cards']) {
    const made = await server.createTable(game === 'empty' ? 'chess' : game, 'Host');
    if (game === 'empty') await clear(await Bot.come(server, made));
    const runs = [];
    for (let i = 0; i < 5; i++)
      runs.push(
        await join(
          browser, server, await sit(server, made.table, made.invites.player, `Guest ${i + 1}`),
        ),
      );
    runs.sort((a, b) => a.ms - b.ms);
    found[game] = runs[2];
  }
  return found;
}
