// The stream by datagrams (docs/protocol/datagram.md, D37, D38): a page moves over without anybody
// noticing, plays with others that have not moved, and goes on when datagrams do not arrive any
// more.

import assert from 'node:assert/strict';
import test from 'node:test';
import { party } from './party.js';
import {
  agree, alarms, carry, drag, eventually, focus, named, same, said, until,
} from './pieces.js';
import { Recorder } from './recorder.js';
import { Relay } from './relay.js';
import { eventsReceived } from './secrets.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./party.js').Person} Person */
/** @typedef {import('node:test').TestContext} TestContext */

/** What the help says about the connection. @param {Page} page */
async function way(page) {
  await page.keyboard.press('?');
  const text = await page.locator('.help-way').innerText();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  return text;
}

/** Why it does not use datagrams, according to the help. @param {Page} page */
async function whyNot(page) {
  await page.keyboard.press('?');
  const text = await page.locator('.help-why').innerText();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  return text;
}

const DATAGRAMS = /^Connected by datagrams(: \d+ ms there and back)?\.$/;
const WEBSOCKET = /^Connected by WebSocket\.$/;
const BROWSER = 'This browser has no datagrams, which are better on lines that lose packets.';
const BLOCKED = 'Datagrams do not get through: a network on the way may let no UDP pass.';

/** Records whenever a page is anything but online. @param {Page} page */
async function watchStatus(page) {
  await page.evaluate(() => {
    const main = /** @type {HTMLElement} */ (document.querySelector('main#table'));
    /** @type {string[]} */
    const states = [];
    Object.assign(window, { states });
    new MutationObserver(() => states.push(main.dataset.status ?? '')).observe(main, {
      attributeFilter: ['data-status'],
    });
  });
  return () =>
    page.evaluate(
      () => /** @type {{states?: string[]}} */ (/** @type {unknown} */ (window)).states,
    );
}

/**
 * The end of the first WebSocket of a page that has not gone anywhere yet.
 *
 * @param {Page} page
 * @returns {Promise<void>}
 */
function leftWebSocket(page) {
  return new Promise((done) =>
    page.once('websocket', (socket) => socket.once('close', () => done())),
  );
}

/**
 * A table at which the host has datagrams, over a line of the test's, and the friend has none.
 *
 * @param {TestContext} t
 * @param {boolean} [own] whether the test stops the server
 */
async function mixed(t, own = false) {
  const relay = await Relay.open();
  t.after(() => relay.close());
  let moved = Promise.resolve();
  const all = await party(t, {
    datagrams: true,
    own,
    host: { bypassCSP: true },
    onArrival: async ({ nick, page }) => {
      if (nick === 'Ada') {
        moved = leftWebSocket(page);
        await relay.lead(page);
      } else await page.addInitScript(() => Reflect.deleteProperty(window, 'WebTransport'));
    },
  });
  const states = await watchStatus(all.host.page);
  await moved;
  await eventually(all.host.page, async () => DATAGRAMS.test(await way(all.host.page)));
  assert.match(await way(all.host.page), DATAGRAMS);
  return { ...all, relay, states };
}

/**
 * Each drags a pawn and turns a piece, and both see it.
 *
 * @param {Person} host
 * @param {Person} friend
 */
async function play(host, friend) {
  for (const [who, other, name, y] of /** @type {[Person, Person, string, number][]} */ ([
    [host, friend, 'White pawn', -500],
    [friend, host, 'Black pawn', 500],
  ])) {
    const mine = await named(who.page, name);
    const theirs = await same(other.page, mine);
    await carry(who.page, mine.id, { x: 0, y });
    await until(other.page, theirs.id, { holder: who === host ? 1 : 2 });
    await who.page.mouse.up();
    await until(other.page, theirs.id, { holder: 0, y: mine.y + y });
    await focus(who.page, mine.id);
    await who.page.keyboard.press('r');
    await until(other.page, theirs.id, { angle: 1500 });
    await who.page.keyboard.press('Shift+R');
    await until(other.page, theirs.id, { angle: 0 });
    await drag(who.page, mine.id, { x: 0, y: -y });
    await until(other.page, theirs.id, { y: mine.y });
  }
  await agree(host.page, friend.page);
}

/** The presence of somebody, as the page of a person speaks it. */
class Presences {
  #person;
  #seat;
  #seen = 0;

  /** @param {Person} person @param {number} seat */
  constructor(person, seat) {
    this.#person = person;
    this.#seat = seat;
    this.told();
  }

  /** What the page has said since the last call, or since the last wait. */
  told() {
    const fresh = this.#all().slice(this.#seen);
    this.#seen += fresh.length;
    return fresh;
  }

  /**
   * Waits until the last presence that it has said is this one.
   *
   * @param {import('../../static/js/types.js').Presence} presence
   */
  async settle(presence) {
    const isLast = () => this.#all().at(-1) === presence;
    assert.ok(
      await eventually(this.#person.page, isLast), `their last presence is ${presence}`,
    );
    this.told();
  }

  /**
   * Waits until the page says this, and nothing else.
   *
   * @param {import('../../static/js/types.js').Presence} presence
   */
  async become(presence) {
    await eventually(this.#person.page, () => this.#all().length > this.#seen);
    assert.deepEqual(this.told(), [presence]);
  }

  #all() {
    return eventsReceived(this.#person).flatMap((e) =>
      e.type === 'seat' && e.id === this.#seat ? [e.presence] : [],
    );
  }
}

test('D37 pages with and without datagrams play at one table', async (t) => {
  const { host, friend, relay, states } = await mixed(t);
  assert.match(await way(friend.page), WEBSOCKET);
  assert.deepEqual([await whyNot(host.page), await whyNot(friend.page)], ['', BROWSER]);
  const { passed } = relay;
  await play(host, friend);
  assert.ok(relay.passed > passed + 50, `${relay.passed - passed} packets`);
  assert.deepEqual(await states(), [], 'it was online all the time');
  for (const { page } of [host, friend]) assert.equal(await alarms(page), '');
  assert.doesNotMatch(await said(host.page), /connection|datagram/i);
});

test('D26 two pages play over a line that loses every tenth packet', async (t) => {
  const { host, friend, relay, states } = await mixed(t);
  relay.loss = 0.1;
  const { passed } = relay;
  await play(host, friend);
  assert.ok(relay.passed > passed + 20, `${relay.passed - passed} packets`);
  // On a busy machine no packet may arrive for seconds. Then the page goes back to a WebSocket
  // (D38), and moves over again.
  const seen = await states();
  assert.ok(seen, 'the page was not reloaded');
  assert.deepEqual(
    seen.filter((state) => state !== 'connecting' && state !== 'online'), [],
    'the stream is never lost',
  );
  assert.ok(seen.length === 0 || seen.at(-1) === 'online', `${seen}`);
});

/** Counts the requests by which a page posts updates. @param {Page} page */
function countPosts(page) {
  const count = { posts: 0 };
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/updates(\?|$)/.test(request.url())) count.posts++;
  });
  return count;
}

// Clauses: D39.1, D39.2, D40.7
test('D39 moves go up by datagrams, without a POST, and by HTTP when they die', async (t) => {
  const { host, friend, relay, states } = await mixed(t);
  const [ada, ben] = [countPosts(host.page), countPosts(friend.page)];
  await play(host, friend);
  // On a busy machine the page may go back to a WebSocket for a while (D38).
  const stayed = (await states())?.length === 0;
  assert.ok(ben.posts > 0, 'the friend has no datagrams');
  if (stayed) assert.equal(ada.posts, 0, 'the host posts nothing');
  t.diagnostic(`datagrams all the time: ${stayed}; ${ada.posts} and ${ben.posts} requests by HTTP`);
  const mine = await named(host.page, 'White pawn');
  const theirs = await same(friend.page, mine);
  relay.cut();
  await focus(host.page, mine.id);
  await host.page.keyboard.press('r');
  await until(friend.page, theirs.id, { angle: 1500 });
  assert.ok(ada.posts > 0, 'the turn came by HTTP');
  await host.page.keyboard.press('Shift+R');
  await until(friend.page, theirs.id, { angle: 0 });
  await agree(host.page, friend.page);
  assert.equal(await alarms(host.page), '', 'nobody was notified');
});

test('D38 when datagrams fail the page continues by WebSocket, without loss', async (t) => {
  const { host, friend, relay } = await mixed(t);
  const ada = new Presences(friend, 1);
  const pawns = await Promise.all([named(host.page, 'White pawn'), named(host.page, 'Black pawn')]);
  const [mine, other] = pawns;
  const [theirs, own] = await Promise.all(pawns.map((p) => same(friend.page, p)));
  await carry(host.page, mine.id, { x: 0, y: -300 });
  await until(friend.page, theirs.id, { holder: 1 });
  const began = performance.now();
  relay.cut();
  await focus(friend.page, own.id);
  await friend.page.keyboard.press('r');
  await until(host.page, other.id, { angle: 1500 });
  await friend.page.keyboard.press('Shift+R');
  await until(host.page, other.id, { angle: 0 });
  t.diagnostic(
    `the friend's move is there ${Math.round(performance.now() - began)} ms after the line was cut`,
  );
  await host.page.mouse.move(600, 400, { steps: 4 });
  await host.page.mouse.up();
  await until(friend.page, theirs.id, { holder: 0 });
  await agree(host.page, friend.page);
  assert.match(await way(host.page), WEBSOCKET);
  await play(host, friend);
  assert.equal(await alarms(host.page), '', 'nobody was notified');
  assert.ok(!ada.told().includes('gone'), 'a return to a WebSocket is not a departure');
});

test('D30, D38.8 without datagrams the page stays on its WebSocket, unnoticed', async (t) => {
  const relay = await Relay.open();
  t.after(() => relay.close());
  relay.cut();
  let asked = Promise.resolve();
  const { host, friend } = await party(t, {
    datagrams: true,
    host: { bypassCSP: true },
    onArrival: async ({ nick, page, watch }) => {
      if (nick !== 'Ada') return;
      asked = page.waitForResponse((r) => r.url().endsWith('/datagrams') && r.ok()).then(() => {});
      watch.expect(/WebTransport|net::ERR_QUIC|datagrams/);
      await relay.lead(page);
    },
  });
  await asked;
  await play(host, friend);
  assert.match(await way(host.page), WEBSOCKET);
  await eventually(host.page, async () => (await whyNot(host.page)) !== '');
  assert.equal(await whyNot(host.page), BLOCKED, 'the help says why');
  assert.equal(await alarms(host.page), '', 'nobody is notified');
  const noticed = await host.page.evaluate(
    () => /** @type {{noticed?: string[]}} */ (/** @type {unknown} */ (window)).noticed,
  );
  assert.deepEqual(noticed, [], 'nor does a notice say it');
});

test('S11 a page with datagrams that is closed is gone at once', async (t) => {
  const { host, friend } = await mixed(t);
  const ada = new Presences(friend, 1);
  await host.page.goto('about:blank');
  await ada.become('gone');
  await friend.page
    .locator('[data-live]', { hasText: 'Ada has left.' })
    .waitFor({ state: 'attached' });
});

test('S11, D29 a page that cannot say goodbye is gone at once, never lost', async (t) => {
  /** @type {Recorder | undefined} */
  let recorder;
  const { host, friend } = await party(t, {
    datagrams: true,
    onArrival: async (person) => {
      await person.page.addInitScript(() =>
        addEventListener('pagehide', (event) => event.stopImmediatePropagation(), {
          capture: true,
        }),
      );
      if (person.nick === 'Ada') recorder = await Recorder.begin(person);
      else await person.page.addInitScript(() => Reflect.deleteProperty(window, 'WebTransport'));
    },
  });
  await recorder?.moved();
  const [ada, ben] = [new Presences(friend, 1), new Presences(host, 2)];
  await ben.settle('here'); // Ben may have come only just now
  await friend.page.goto('about:blank');
  await ben.become('gone');
  await friend.page.goBack();
  await ben.become('here');

  await host.page.goto('about:blank');
  await ada.become('gone');
  await host.page.goBack();
  await recorder?.moved();
  await ada.become('here');

  // The reload is over before the new page is there, or after: then nobody notices.
  await host.page.reload();
  await recorder?.moved();
  const pawn = await named(host.page, 'White pawn');
  const theirs = await same(friend.page, pawn);
  await focus(host.page, pawn.id);
  await host.page.keyboard.press('r');
  await until(friend.page, theirs.id, { angle: 1500 }); // everything sent before has arrived
  const reloaded = ada.told();
  if (reloaded.length > 0) assert.deepEqual(reloaded, ['gone', 'here']);

  await host.page.close();
  await ada.become('gone');
});

test('S16 pages reconnect after a restart of the server', async (t) => {
  const { server, host, friend, states } = await mixed(t, true);
  for (const { watch } of [host, friend])
    watch.expect(/net::ERR_|WebSocket connection to|status of 50[0-9]|WebTransport/);
  const before = (await states())?.length ?? 0;
  assert.equal(await server.stop(), 0);
  await server.start();
  // A page that says that it is online may not know yet that the connection has ended.
  const isBack = async () => (await states())?.slice(before).at(-1) === 'online';
  assert.ok(await eventually(host.page, isBack), 'the host is back');
  await friend.page.locator('main#table[data-status="online"]').waitFor();
  assert.match(await way(host.page), WEBSOCKET, 'datagrams come later');
  await play(host, friend);
});
