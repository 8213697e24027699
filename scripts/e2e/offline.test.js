// Tunnels, sleep and servers that end, in the middle of a drag: the game is back without a touch.

import assert from 'node:assert/strict';
import test from 'node:test';
import { party } from './party.js';
import {
  alarmed,
  alarms,
  away,
  eventually,
  focus,
  middle,
  named,
  pieces,
  same,
  still,
  until,
} from './pieces.js';
import { assertSame, assertSmooth, Steady } from './steady.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./party.js').Person} Person */
/** @typedef {import('./party.js').Party} Party */
/** @typedef {import('./pieces.js').Point} Point */

const online = 'main#table[data-status="online"]';
const offline = 'main#table[data-status="offline"]';
const banner = '.banner:not([hidden])';

/** A mouse that has grabbed a piece. */
class Grip {
  /** @param {Page} page @param {Point} at in CSS pixels */
  constructor(page, at) {
    this.page = page;
    this.at = at;
  }

  /**
   * Grabs a piece, and waits until the other page shows its holder.
   *
   * @param {Person} who
   * @param {number} id
   */
  static async take({ page }, id) {
    await still(page);
    const grip = new Grip(page, await middle(page, id));
    await page.mouse.move(grip.at.x, grip.at.y);
    await page.mouse.down();
    await grip.carry({ x: 0, y: -100 });
    return grip;
  }

  /** Drags it on, evenly. @param {Point} by in table units */
  async carry(by) {
    this.at = await away(this.page, this.at, by);
    await this.page.mouse.move(this.at.x, this.at.y, { steps: 6 });
  }

  async letGo() {
    await this.page.mouse.up();
  }
}

/**
 * Starts a drag that must survive what comes: Ada holds a pawn and Ben sees it.
 *
 * @param {import('node:test').TestContext} t
 * @param {boolean} [own] whether the test stops the server
 */
async function drag(t, own = false) {
  const all = await party(t, { links: true, clocks: true, own });
  const { host, friend } = all;
  const mine = await named(host.page, 'White pawn');
  const theirs = await same(friend.page, mine);
  const pages = { host: new Steady(host), friend: new Steady(friend) };
  const grip = await Grip.take(host, mine.id);
  await until(friend.page, theirs.id, { holder: 1 });
  await pages.host.look(mine.id);
  await pages.friend.look(theirs.id);
  await grip.carry({ x: 0, y: -200 });
  return { ...all, mine, theirs, pages, grip, count: (await pieces(host.page)).length };
}

/** @typedef {Awaited<ReturnType<typeof drag>>} Drag */

/**
 * The connection of a page is gone for so long by the page's clock, and comes back.
 *
 * @param {Person} person
 * @param {number} ms
 */
async function tunnel({ page, link }, ms) {
  link?.cut();
  await page.locator(offline).waitFor();
  for (let passed = 0; passed < ms; passed += 5000)
    await page.clock.runFor(Math.min(5000, ms - passed));
  await page.locator(banner).waitFor();
  link?.mend();
  await page.clock.runFor(10_000); // it waits that long at most before its next attempt
  await page.locator(online).waitFor();
}

/** The drag goes on and ends as if nothing had happened. @param {Drag} d */
async function finish(d) {
  const { host, friend, mine, theirs, grip, pages, count } = d;
  await grip.carry({ x: 0, y: -200 });
  await grip.letGo();
  const put = await until(host.page, mine.id, { holder: 0 });
  assert.notEqual(put.y, mine.y, 'it lies somewhere else now');
  await until(friend.page, theirs.id, { x: put.x, y: put.y, holder: 0 });
  await assertSame(d);
  assertSmooth(await pages.host.seen(), count, 'Ada');
  assertSmooth(await pages.friend.seen(), count, 'Ben');
  for (const p of [host, friend]) {
    assert.doesNotMatch(
      await alarms(p.page), /grip|quicker|took|removed|not made/, 'nothing was lost',
    );
    assert.equal(await p.page.locator(banner).count(), 0, 'the banner is gone');
  }
  pages.host.stayed();
  pages.friend.stayed();
}

for (const [name, ms] of /** @type {[string, number][]} */ ([
  ['3 seconds', 3000],
  ['70 seconds', 70_000],
  ['5 minutes', 300_000],
])) {
  test(`S5 S6 a drag survives a network that is off for ${name}`, async (t) => {
    const d = await drag(t);
    await tunnel(d.host, ms);
    assert.deepEqual(
      d.pages.host.wholes, ['resumed'], 'it receives only what it has missed',
    );
    await finish(d);
  });
}

test('S5 T11 a piece taken during five minutes offline ends the drag', async (t) => {
  const d = await drag(t);
  const { host, friend, mine, theirs, pages, count } = d;
  host.link?.cut();
  await host.page.locator(offline).waitFor();
  await focus(friend.page, theirs.id);
  await friend.page.keyboard.press('w');
  await until(friend.page, theirs.id, { holder: 2 });
  await friend.page.keyboard.press('Enter');
  const put = await until(friend.page, theirs.id, { holder: 0 });
  for (let passed = 0; passed < 300_000; passed += 5000) await host.page.clock.runFor(5000);
  host.link?.mend();
  await host.page.clock.runFor(10_000);
  await until(host.page, mine.id, { x: put.x, y: put.y, holder: 0 });
  assert.deepEqual(pages.host.wholes, ['resumed']);
  await alarmed(host.page, /Ben took the white pawn from you/);
  await d.grip.letGo();
  await assertSame(d);
  const { fewest, blank } = await pages.host.seen();
  assert.deepEqual([fewest, blank], [count, 0]);
  pages.host.stayed();
  pages.friend.stayed();
});

for (const [
  name, end,
] of /** @type {['is killed' | 'is stopped', (d: Drag) => Promise<unknown>][]} */ ([
  ['is killed', (d) => d.server.kill()],
  ['is stopped', (d) => d.server.stop()],
])) {
  test(`S5 S16 T19 a drag survives a server that is ${name} and restarted`, async (t) => {
    const d = await drag(t, true);
    await end(d);
    await Promise.all([d.host, d.friend].map(({ page }) => page.locator(offline).waitFor()));
    await d.grip.carry({ x: 0, y: -100 });
    await d.server.start();
    await Promise.all([d.host, d.friend].map(({ page }) => page.locator(online).waitFor()));
    await finish(d);
  });
}

test('S5 S6 S15 a laptop that slept for an hour amid a drag is back when it wakes', async (t) => {
  const d = await drag(t);
  const { page, link } = d.host;
  link?.hold('up', 'down'); // a connection that nobody has closed, and over which nothing comes
  await page.clock.fastForward('01:00:00');
  // Only the timers that were due have run.
  await page.locator('main#table:not([data-status="online"])').waitFor();
  link?.cut();
  link?.release();
  link?.mend();
  await page.clock.runFor(10_000);
  await page.locator(online).waitFor();
  assert.deepEqual(d.pages.host.wholes, ['resumed']);
  await finish(d);
});

test('S5 S6 S11 a page is frozen amid a drag and loses its stream meanwhile', async (t) => {
  const d = await drag(t);
  const { page, link } = d.host;
  // Opens the panel of people.
  await d.friend.page.getByRole('button', { name: /here/ }).first().click();
  const ada = (/** @type {string} */ presence) =>
    d.friend.page
      .locator(`.seat[data-seat="1"][data-presence="${presence}"]`)
      .waitFor({ state: 'attached' });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Debugger.enable');
  await devtools.send('Debugger.pause'); // no script runs, as on a page that the browser freezes
  link?.cut();
  link?.mend();
  await ada('lost');
  // Screen readers speak of it when it has lasted for two seconds.
  await d.friend.page
    .locator('[data-live]', { hasText: 'Ada has lost the connection.' })
    .waitFor({ state: 'attached' });
  await devtools.send('Debugger.resume');
  await page.locator(online).waitFor();
  await ada('here');
  const isWhole = await eventually(page, () => d.pages.host.wholes.length > 0);
  assert.ok(isWhole, 'the page has its stream again');
  assert.deepEqual(d.pages.host.wholes, ['resumed']);
  await finish(d);
});
