// A live scoreboard on a second screen: it links to a table as somebody who watches, and serves one
// page. docs/guides/scoreboard.md says how to use it.
//
//     node scripts/scoreboard/scoreboard.mjs LINK [--port 8090] [--host 127.0.0.1] [--nick NAME]

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { boardOf } from './board.js';
import { Link, seatFor } from './link.js';

/** At most one state is sent in this time, in ms. */
const PACE = 100;
const MOST_SCREENS = 32;

/** @type {Record<string, [string, string]>} */
const FILES = {
  '/': ['page.html', 'text/html; charset=utf-8'],
  '/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/page.css': ['page.css', 'text/css; charset=utf-8'],
};

const HEADERS = {
  'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'self'; img-src data:; base-uri 'none'",
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string', default: '8090' }, host: { type: 'string', default: '127.0.0.1' },
    nick: { type: 'string', default: 'Scoreboard' },
  },
});
if (positionals.length !== 1) {
  console.error('usage: node scoreboard.mjs LINK [--port 8090] [--host 127.0.0.1] [--nick NAME]');
  process.exit(2);
}

/** @type {Set<import('node:http').ServerResponse>} */
const screens = new Set();
/** Whether the screens are about to get a new state. */
let pending = false;

const seat = await seatFor(positionals[0], values.nick, process.env.HOLT_TOKEN).catch((error) => {
  console.error(`The scoreboard gets no seat: ${error.message}`);
  return process.exit(1);
});

const link = new Link(seat, () => {
  if (pending) return;
  pending = true;
  setTimeout(() => {
    pending = false;
    const message = event();
    for (const screen of screens) screen.write(message);
    if (link.state === 'ended') console.error('The link has ended for good.');
  }, PACE);
});

/** What the page is sent, as an event of EventSource. */
function event() {
  const now = Date.now() + link.ahead;
  const board = boardOf(link.replica, seat.number);
  return `data: ${JSON.stringify({ state: link.state, now, board })}\n\n`;
}

const server = createServer((request, response) => {
  const path = request.url ?? '';
  const loopback = values.host === '127.0.0.1';
  if (loopback && !/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(request.headers.host ?? '')) {
    // Another name leads here only if a page of somebody else wants to read the board.
    response.writeHead(421, HEADERS).end();
  } else if (request.method !== 'GET') {
    response.writeHead(405, { ...HEADERS, Allow: 'GET' }).end();
  } else if (path === '/events' && screens.size < MOST_SCREENS) {
    response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/event-stream' });
    response.write(event());
    screens.add(response);
    response.on('close', () => screens.delete(response));
  } else if (Object.hasOwn(FILES, path)) {
    const [name, type] = FILES[path];
    response.writeHead(200, { ...HEADERS, 'Content-Type': type });
    response.end(readFileSync(new URL(name, import.meta.url)));
  } else {
    response.writeHead(path === '/events' ? 503 : 404, HEADERS).end();
  }
});
server.on('error', (error) => {
  console.error(`The scoreboard cannot listen: ${error.message}`);
  process.exit(1);
});
server.listen(Number(values.port), values.host, () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(`The scoreboard is at http://${values.host}:${address.port}/`);
});
await link.run();
