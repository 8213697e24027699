// Measures the page: processor time of the main thread for each frame while pieces move and the
// view moves, and the cost of joining. The figures of docs/performance.md are from here.
//
//   node scripts/bench/page.mjs [--pieces 600,3000] [--strokes 0] [--runs 3] [--scene NAME]
//                               [--joining] [--quiet-ears] [--json]
//
// Of several runs of a scene the lowest counts: other work of the machine can only add to it.
//
//   --strokes      draws so many lines on the table
//   --quiet-ears   leaves the accessibility tree off
//   --scene        takes the scenes whose names contain NAME, and does not measure joining
//   --joining      measures nothing else
//
// It builds the program, serves on a free port from a folder of its own, and needs the packages
// that scripts/test installs.

import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { Server } from '../e2e/server.js';
import { atRest, launch, Meter } from './chromium.mjs';
import { joins } from './join.mjs';
import { drawOn, furnish, sit } from './party.mjs';
import { scenes } from './scenes.mjs';

const { values: options } = parseArgs({
  options: {
    pieces: { type: 'string', default: '600,3000' },
    strokes: { type: 'string', default: '0' },
    runs: { type: 'string', default: '3' },
    scene: { type: 'string' },
    joining: { type: 'boolean', default: false },
    'quiet-ears': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

/** @typedef {import('./chromium.mjs').Found} Found */

/**
 * Measures all scenes with so many pieces. Each run has a table of its own: pieces that a scene
 * puts down may merge, and the next run would find fewer.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {Server} server
 * @param {number} count
 */
async function play(browser, server, count) {
  /** @type {Record<string, Found>} */
  const found = {};
  for (const [name, scene] of scenes) {
    if (options.scene && !name.includes(options.scene)) continue;
    for (let run = 0; run < Number(options.runs); run++) {
      const { host, invite } = await furnish(server, count);
      await drawOn(host, Number(options.strokes));
      const { table } = host.seat;
      const { token } = await sit(server, table, invite, `Watcher of ${name}`);
      const now = await watch(browser, { server, table, invite, token, count }, scene);
      if (!found[name] || now.msPerFrame < found[name].msPerFrame) found[name] = now;
    }
  }
  return found;
}

/**
 * Measures a scene on a page that was just opened.
 * @param {import('playwright-core').Browser} browser
 * @param {{server: Server, table: string, invite: string, token: string, count: number}} at
 * @param {(stage: import('./scenes.mjs').Stage) => Promise<void>} scene
 * @returns {Promise<Found>}
 */
async function watch(browser, { server, table, invite, token, count }, scene) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    await context.addCookies([
      { name: `holt_${table}`, value: token, url: server.url, httpOnly: true, sameSite: 'Lax' },
    ]);
    const page = await context.newPage();
    await page.goto(`${server.url}/t/${table}`);
    await page
      .locator(`main#table[data-ready][data-status="online"][data-pieces="${count}"]`)
      .waitFor();
    await page.waitForFunction(
      (n) => document.querySelectorAll('[data-stroke]').length === n, Number(options.strokes),
    );
    const meter = await Meter.open(page);
    if (!options['quiet-ears']) await meter.listen();
    await atRest(page, count);
    return await meter.measure(() => scene({ server, page, table, invite }));
  } finally {
    await context.close();
  }
}

/** @param {number} n @param {number} [digits] */
const round = (n, digits = 1) => Number(n.toFixed(digits));

async function main() {
  const server = await Server.start();
  const browser = await launch();
  try {
    /** @type {Record<string, Awaited<ReturnType<typeof play>>>} */
    const frames = {};
    const joining = options.scene ? {} : await joins(browser, server);
    const counts = options.joining ? [] : options.pieces.split(',').map(Number);
    for (const count of counts) frames[count] = await play(browser, server, count);
    const machine = {
      cpu: cpus()[0].model, cores: cpus().length, chromium: browser.version(),
      node: process.version,
    };
    if (options.json) {
      console.log(
        JSON.stringify(
          { machine, accessibility: !options['quiet-ears'], joining, frames }, null, 2,
        ),
      );
      return;
    }
    console.log(machine);
    const joined = Object.entries(joining).map(([game, j]) => [game, { ...j, ms: round(j.ms, 0) }]);
    if (joined.length > 0) console.table(Object.fromEntries(joined));
    for (const [count, found] of Object.entries(frames)) {
      console.log(
        `${count} pieces, ${options.strokes} strokes, ` +
          `accessibility tree ${options['quiet-ears'] ? 'off' : 'on'}`,
      );
      console.table(
        Object.fromEntries(
          Object.entries(found).map(([name, f]) => [
            name,
            {
              'ms of CPU a frame': round(f.msPerFrame), 'frames a second': round(f.fps, 0),
              'ms from frame to frame, p50': round(f.p50), p95: round(f.p95),
            },
          ]),
        ),
      );
    }
  } finally {
    await browser.close();
    await server.discard();
  }
}

await main();
