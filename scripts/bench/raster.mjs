// Measures what it costs to draw the ground: processor time of the threads of raster when all tiles
// of the layer of resting pieces are drawn again, as it is and with something left out. Frames wait
// for raster, and the processor time of the main thread does not show that.
//
//   node scripts/bench/raster.mjs [--pieces 3000]

import { parseArgs } from 'node:util';
import { Server } from '../e2e/server.js';
import { atRest, launch } from './chromium.mjs';
import { furnish, sit } from './party.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').CDPSession} Session */
/** @typedef {{name: string, ph: string, tdur?: number}} Event */

const { values: options } = parseArgs({ options: { pieces: { type: 'string', default: '3000' } } });

/** What a style sheet leaves out. */
const VARIANTS = {
  everything: '',
  'without shadows': '.piece { box-shadow: none !important; }',
  'without turned pieces': '.piece[style*="rotate"] { visibility: hidden; }',
  'without the lower chips of heaps': '.under { visibility: hidden; }',
  'with vectors': '.art { content: normal !important; }',
  'without pictures': '.art { visibility: hidden; } .piece { background: #fff; }',
  'without pictures and shadows':
    '.art { visibility: hidden; } .piece { background: #fff; box-shadow: none !important; }',
  'everything, again': '',
};

/**
 * Waits until what has changed is drawn: a frame begins only when the tiles of the last but one
 * have been drawn.
 *
 * @param {Page} page
 */
async function drawn(page) {
  await page.evaluate(async () => {
    const probe = document.body.appendChild(document.createElement('div'));
    Object.assign(probe.style, { position: 'fixed', width: '1px', height: '1px', top: '0' });
    probe.style.willChange = 'transform';
    for (let frame = 0; frame < 8; frame++) {
      await new Promise((done) => requestAnimationFrame(done));
      probe.style.transform = `translate(${frame}px)`;
    }
    probe.remove();
  });
}

/**
 * Draws the ground again in another colour, and returns the events of that.
 *
 * @param {Session} session
 * @param {Page} page
 * @param {string} css
 */
async function redraw(session, page, css) {
  /** @type {Event[]} */
  const events = [];
  const take = (/** @type {{value: object[]}} */ { value }) => {
    for (const event of value) events.push(/** @type {Event} */ (event));
  };
  session.on('Tracing.dataCollected', take);
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['cc', 'blink', 'disabled-by-default-devtools.timeline'] },
  });
  await style(page, `${css} .surface { background: rgb(${Math.random() * 200} 9 9) !important; }`);
  await drawn(page);
  const complete = new Promise((done) => session.once('Tracing.tracingComplete', done));
  await session.send('Tracing.end');
  await complete;
  session.off('Tracing.dataCollected', take);
  return events;
}

/** @param {Page} page @param {string} css */
async function style(page, css) {
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    const others = document.adoptedStyleSheets.filter((s) => !('bench' in s));
    document.adoptedStyleSheets = [...others, Object.assign(sheet, { bench: true })];
  }, css);
}

async function main() {
  const server = await Server.start();
  const browser = await launch();
  try {
    const { host, invite } = await furnish(server, Number(options.pieces));
    const { table } = host.seat;
    const { token } = await sit(server, table, invite, 'Watcher');
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await context.addCookies([
      { name: `holt_${table}`, value: token, url: server.url, httpOnly: true, sameSite: 'Lax' },
    ]);
    context.setDefaultTimeout(120_000); // a busy machine takes its time
    const page = await context.newPage();
    await page.goto(`${server.url}/t/${table}`);
    await page.locator(`main#table[data-ready][data-pieces="${options.pieces}"]`).waitFor();
    await atRest(page, Number(options.pieces));
    const session = await browser.newBrowserCDPSession();
    /** @type {Record<string, object>} */
    const found = {};
    for (const [name, css] of Object.entries(VARIANTS)) {
      await style(page, css);
      await drawn(page);
      const events = await redraw(session, page, css);
      const tasks = events.filter((e) => e.ph === 'X' && e.name === 'RasterTask');
      if (tasks.length === 0) throw new Error(`nothing was drawn ${name}`);
      const ms = tasks.reduce((sum, e) => sum + (e.tdur ?? 0), 0) / 1000;
      found[name] = { tiles: tasks.length, 'ms of CPU': Math.round(ms) };
    }
    console.table(found);
  } finally {
    await browser.close();
    await server.discard();
  }
}

await main();
