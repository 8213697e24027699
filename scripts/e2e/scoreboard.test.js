// The scoreboard on a second screen (docs/guides/scoreboard.md): a page that shows what a link to a
// table has, and goes on after a cut.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { COMPONENTS } from '../../static/js/parts/components/registry.js';
import { encodeMessage } from '../../static/js/parts/components/wire.js';
import { barriers } from './axe.js';
import { browser, Watch } from './browser.js';
import { desktop, devices } from './party.js';
import { Server } from './server.js';

const PROGRAM = fileURLToPath(new URL('../scoreboard/scoreboard.mjs', import.meta.url));
const SHEET = 512;
const ROW = 513;

/**
 * Starts a scoreboard, and returns its address. It ends with the test.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} link
 * @param {string} [token] of a seat, for the address of a table
 */
async function scoreboard(t, link, token) {
  const { HOLT_TOKEN: _, ...env } = process.env;
  const child = spawn(process.execPath, [PROGRAM, link, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'], env: token ? { ...env, HOLT_TOKEN: token } : env,
  });
  t.after(() => child.kill());
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(([code]) => [`it has ended with ${code}`]),
  ]);
  const said = /^The scoreboard is at (http:\S+)$/.exec(line);
  assert.ok(said, line);
  return said[1];
}

/** A table of whom the test is the host. */
class Host {
  #seq = 0;

  /** @param {Server} server @param {import('./server.js').Opened} opened */
  constructor(server, opened) {
    this.server = server;
    this.opened = opened;
  }

  get state() {
    return this.server.read(this.opened.table, this.opened.token);
  }

  /** Writes lines of text. @param {[number, number, string][]} lines @param {number} timestamp */
  async write(lines, timestamp) {
    const { epoch, mark } = await this.state;
    const ops = lines.map(([entity, component, text]) => ({
      kind: /** @type {const} */ ('put'), entity, component, timestamp,
      data: COMPONENTS.sheet.encode({ text }),
    }));
    const { server: { url }, opened: { table } } = this;
    const answer = await fetch(
      `${url}/api/v1/tables/${table}/components?epoch=${epoch}&mark=${mark}`,
      {
        method: 'POST', body: encodeMessage({ ops }),
        headers: {
          Authorization: `Bearer ${this.opened.token}`, 'Content-Type': 'application/x-protobuf',
        },
      },
    );
    assert.equal(answer.status, 204, await answer.text());
  }

  /** Does something with a piece. @param {any} update @param {boolean} [blind] */
  async update(update, blind = false) {
    const { epoch, mark, life, pieces } = await this.state;
    const tag = pieces.find((/** @type {any} */ p) => p.id === update.piece).mark;
    const { status, json } = await this.server.call(
      'POST', `/api/v1/tables/${this.opened.table}/updates?life=${life}&mark=${mark}`,
      {
        client: `q83vEjRWeJCrze8SNF${String(this.#seq++).padStart(3, '0')}A`, epoch,
        updates: [{ seq: 1, ...update, ...(blind ? {} : { tag }) }],
      },
      this.opened.token,
    );
    assert.equal(status, 202, JSON.stringify(json));
  }
}

/**
 * A table, its host, and a screen with the scoreboard of somebody who watches.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} game
 * @param {import('playwright-core').BrowserContextOptions} [device]
 */
async function screen(t, game, device = desktop) {
  const server = await Server.start();
  t.after(() => server.discard());
  const opened = await server.createTable(game);
  const address = await scoreboard(t, opened.invites.spectator);
  const context = await (await browser()).newContext(device);
  t.after(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const watch = new Watch(page);
  await page.goto(address);
  /** The page has met no error. */
  const clean = () => assert.deepEqual(watch.unexpected, []);
  return { server, host: new Host(server, opened), page, address, clean };
}

for (const [device, context] of devices) {
  test(`C23.1, C23.2 the scores, players and clocks of a table on a ${device}`, async (t) => {
    const { server, host, page, clean } = await screen(t, 'chess', context);
    await page.getByRole('heading', { name: 'Chess' }).waitFor();
    const ada = page.locator('#players li', { hasText: 'Ada' });
    await ada.waitFor();
    assert.equal(
      await ada.evaluate((e) => getComputedStyle(e).borderInlineStartColor), 'rgb(209, 73, 91)',
    );
    assert.equal(await page.locator('#players li').count(), 1, 'the scoreboard only watches');
    const bold = '<b>Ben</b>';
    await host.write([
      [SHEET, 3030, 'Friday'], [SHEET, 3100, 'Ada'], [SHEET, 3101, bold],
      [ROW, 3031, 'First game'], [ROW, 3100, '10'], [ROW, 3101, '7,5'],
      [ROW + 1, 3031, 'Second'], [ROW + 1, 3100, '2'],
    ], 1);
    await page.getByRole('caption').getByText('Friday').waitFor();
    await page.getByRole('columnheader', { name: bold }).waitFor();
    assert.deepEqual(
      await page.locator('#sheet tr').evaluateAll((rows) => rows.map((row) =>
        [...row.children].map((cell) => cell.textContent).join('|'))),
      [`|Ada|${bold}`, 'First game|10|7,5', 'Second|2|', 'Sum|12|7.5'],
    );
    const { pieces } = await host.state;
    const kinds = await (await fetch(
      `${server.url}/art/${(await host.state).info.catalog}`,
    )).json();
    const nameOf = (/** @type {any} */ p) => kinds.kinds[p.kind].name;
    const clock = pieces.find((/** @type {any} */ p) => p.clock);
    const king = pieces.find((/** @type {any} */ p) => /king/i.test(nameOf(p)));
    assert.equal(await page.locator('.clock').count(), 0, 'no clock was touched');
    await host.update({ op: 'start', piece: clock.id, side: 2 });
    await page.locator('.clock', { hasText: 'side 2 is running' }).waitFor();
    await page.locator('.side.runs', { hasText: /^4:5\d$/ }).waitFor();
    assert.match(await page.locator('.side').first().innerText(), /^5:00$/);
    await host.update({ op: 'grab', piece: king.id });
    await ada.getByText(`holds ${nameOf(king)}`).waitFor();
    assert.deepEqual(await barriers(page), []);

    await server.kill();
    await page.getByText('The connection is lost. This is how it was.').waitFor();
    assert.equal(await page.locator('#sheet tbody tr').count(), 2, 'the last state stays');
    assert.deepEqual(await barriers(page), []);
    await server.start();
    await page.getByText('The connection is lost').waitFor({ state: 'detached' });
    await host.write([[ROW + 1, 3101, '4']], 1);
    await page.locator('tfoot', { hasText: '11.5' }).waitFor();
    clean();
  });
}

test('C23.3 the scoreboard counts cards in hands and names none of them', async (t) => {
  const { host, page, address, clean } = await screen(t, 'cards');
  await page.getByRole('heading', { name: 'Playing cards' }).waitFor();
  const { pieces, info } = await host.state;
  const { kinds } = await (await fetch(`${host.server.url}/art/${info.catalog}`)).json();
  const hand = pieces.find((/** @type {any} */ p) => kinds[p.kind].name === 'Hand');
  const deck = pieces.find((/** @type {any} */ p) => kinds[p.kind].name === 'Deck');
  await host.update({ op: 'claim', piece: hand.id }, true);
  await host.update({ op: 'draw', piece: deck.id, n: 3, x: hand.x, y: hand.y }, true);
  await page.locator('#players li', { hasText: '3 in hand' }).waitFor();
  const mine = (await host.state).pieces.filter((/** @type {any} */ p) => kinds[p.kind].secret);
  assert.equal(mine.length, 3, 'the host sees them');
  const text = await page.locator('body').innerText();
  for (const card of mine) assert.ok(!text.includes(kinds[card.kind].name), text);
  // Only its own page reads the board: another name that leads to this address does not.
  const status = await new Promise((done) => {
    http.get(address, { headers: { Host: 'evil.example' } }, (answer) => {
      answer.resume();
      done(answer.statusCode);
    });
  });
  assert.equal(status, 421);
  clean();
});

test('a scoreboard with the token of a seat adds none, and takes no seat that plays', async (t) => {
  const server = await Server.start();
  t.after(() => server.discard());
  const { table, token, invites } = await server.createTable('chess');
  const { json: eve } = await server.call('POST', '/api/v1/seats', {
    invite: invites.spectator.split('/').at(-1), nick: 'Eve',
  });
  const page = await (await (await browser()).newContext(desktop)).newPage();
  t.after(() => page.context().close());
  for (const _ of [1, 2]) {
    await page.goto(await scoreboard(t, `${server.url}/t/${table}`, eve.token));
    await page.locator('#players li', { hasText: 'Ada' }).waitFor();
    assert.equal(await page.locator('#watching').innerText(), '', 'it does not count itself');
  }
  const { seats } = await server.read(table, token);
  assert.deepEqual(seats.map((/** @type {any} */ { nick }) => nick), ['Ada', 'Eve']);
  await assert.rejects(scoreboard(t, `${server.url}/t/${table}`, token), /it has ended with 1/);
  await assert.rejects(scoreboard(t, invites.player), /it has ended with 1/);
});

test('a long sheet shows its last rows and its sums without anybody who scrolls', async (t) => {
  const { host, page, clean } = await screen(t, 'chess');
  const rows = Array.from({ length: 60 }, (_, i) => /** @type {[number, number, string][]} */ ([
    [ROW + i, 3031, `Round ${i + 1}`], [ROW + i, 3100, '1'],
  ])).flat();
  await host.write([[SHEET, 3100, 'Ada'], ...rows], 1);
  const last = page.locator('#sheet tbody tr').nth(59);
  await last.waitFor();
  const sum = page.locator('tfoot td');
  const [low, foot, high] = await Promise.all(
    [last, sum, page.locator('thead th')].map((e) => e.boundingBox()),
  );
  assert.ok(low && foot && high && high.y >= 0 && high.y < low.y, JSON.stringify({ high, low }));
  assert.ok(low.y + low.height <= foot.y + 3, JSON.stringify({ low, foot }));
  assert.ok(foot.y + foot.height <= desktop.viewport.height, JSON.stringify(foot));
  assert.equal(await sum.innerText(), '60');
  assert.deepEqual(await barriers(page), []);
  clean();
});
