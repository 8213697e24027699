// People at a table, each with a browser context of their own.

import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { browser, Watch } from './browser.js';
import { Link } from './link.js';
import { noteNotices } from './notices.js';
import { PATIENCE } from './pieces.js';
import { Server } from './server.js';

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").BrowserContextOptions} ContextOptions */
/** @typedef {import("node:test").TestContext} TestContext */

/**
 * One person at the table.
 *
 * @typedef {object} Person
 * @property {string} nick
 * @property {Page} page
 * @property {Watch} watch
 * @property {Link | null} link the network between this person and the server, if the test asked
 *   for one
 */

/**
 * @typedef {object} Party
 * @property {Server} server
 * @property {Person} host   Ada
 * @property {Person} friend Ben
 * @property {string} table  its id
 * @property {{player: string, spectator: string}} invites
 * @property {(nick: string, invite: string, options?: PersonOptions) => Promise<Person>} join
 */

/**
 * @typedef {object} PersonOptions
 * @property {boolean} [link] give this person a network of their own
 * @property {boolean} [clock] give their page a clock that the test can set forward; by itself it
 *   runs like any other
 * @property {boolean} [pages] they come in as people do, through the first page or the invite's
 * @property {boolean} [keys] as people without a mouse do, through the invite's page
 * @property {ContextOptions} [context] the kind of device
 */

/** A phone. Its pixels are as coarse as a desktop’s, so that there are fewer to draw. */
export const phone = {
  viewport: { width: 390, height: 844 }, deviceScaleFactor: 1, isMobile: true, hasTouch: true,
};
export const desktop = { viewport: { width: 1280, height: 800 } };

/**
 * The devices on which the same test runs, with their names: the phone, which has the least room.
 * With HOLT_DEVICES=all, as in the soak, the desktop, too.
 *
 * @type {[name: string, context: ContextOptions][]}
 */
export const devices = process.env.HOLT_DEVICES === 'all'
  ? [['desktop', desktop], ['phone', phone]] : [['phone', phone]];

/** What the tests of a file share, without datagrams and with. @type {Promise<Server>[]} */
const shared = [];
after(async () => {
  for (const server of await Promise.all(shared)) await server?.discard();
});

/**
 * The server of this test file. A start takes more than a second of processor time, most of it to
 * bundle what browsers download.
 *
 * @param {boolean} datagrams
 */
function sharedServer(datagrams) {
  const start = async () => {
    // All people here have one address, and the tables of all tests add up.
    const server = await Server.start(datagrams, ['--limit-scale', '20']);
    server.isShared = true;
    return server;
  };
  return (shared[Number(datagrams)] ??= start());
}

/**
 * Makes a table and seats two people. When the test ends they leave. Nothing may have gone wrong in
 * their pages. If the test has failed, screenshots stay in a folder that is named.
 *
 * @param {TestContext} t
 * @param {{game?: string, links?: boolean, clocks?: boolean, pages?: boolean, keys?: boolean,
 *   datagrams?: boolean, host?: ContextOptions, friend?: ContextOptions, own?: boolean,
 *   flags?: string[], onArrival?: (person: Person) => Promise<void>}} [options] keys: the friend
 *   comes in by keys alone; own: with a server of their own, which the test may stop; flags: of
 *   such a server; onArrival: before they go anywhere
 * @returns {Promise<Party>}
 */
export async function party(t, options = {}) {
  const { datagrams = false, flags } = options;
  const isOwn = options.own === true || flags !== undefined;
  const server = await (isOwn ? Server.start(datagrams, flags) : sharedServer(datagrams));
  /** @type {Person[]} */
  const people = [];
  t.after(async () => {
    try {
      await leave(t, server, people);
    } finally {
      if (isOwn) await server.discard();
    }
  });

  const links = options.links === true;
  const clocks = options.clocks === true;
  const host = await arrive('Ada', { link: links, clock: clocks, context: options.host ?? {} });
  people.push(host);
  await options.onArrival?.(host);
  await (options.pages ? createAtHome : create)(host, server, options.game ?? 'plain');
  const table = new URL(host.page.url()).pathname.split('/').at(-1) ?? '';
  const invites = await invitesOf(host, table);

  /** @type {Party["join"]} */
  const join = async (nick, invite, personOptions = {}) => {
    const person = await arrive(nick, personOptions);
    people.push(person);
    await options.onArrival?.(person);
    if (personOptions.keys) await joinByKeys(person, invite);
    else if (personOptions.pages) await joinByInvite(person, invite);
    else await takeSeat(person, invite, { nick, colour: colours[people.length % colours.length] });
    return person;
  };
  const { pages = false, keys = false } = options;
  const friend = await join('Ben', invites.player, {
    link: links, clock: clocks, pages, keys, context: options.friend ?? {},
  });
  return { server, host, friend, table, invites, join };
}

/** The server of this test file, for tests that need no party. */
export const fileServer = () => sharedServer(false);

/**
 * A person with a browser that has not gone anywhere yet.
 *
 * @param {string} nick
 * @param {PersonOptions} options
 * @returns {Promise<Person>}
 */
export async function arrive(nick, options = {}) {
  const link = options.link ? await Link.open() : null;
  const context = await (await browser()).newContext({
    ...desktop,
    ...options.context,
    ...(link && { proxy: link.proxy }),
  });
  context.setDefaultTimeout(PATIENCE);
  await noteNotices(context);
  const page = await context.newPage();
  if (options.clock) await page.clock.install();
  return { nick, page, watch: new Watch(page), link };
}

const colours = ['#c0392b', '#2f72c4', '#c99a12', '#2a8a5f', '#8a4bb8'];

/** Makes a table. @param {Person} person @param {Server} server @param {string} game */
async function create(person, server, game) {
  await takeSeat(person, `${server.url}/tables`, { nick: person.nick, colour: colours[0], game });
}

/**
 * Sends the form of a page without opening the page, and goes where that leads. The test is about
 * the table, and the first page with its pictures takes a second.
 *
 * @param {Person} person
 * @param {string} url
 * @param {Record<string, string>} form
 */
async function takeSeat(person, url, form) {
  const { page } = person;
  const answer = await page.context().request.post(url, { form, maxRedirects: 0 });
  assert.equal(answer.status(), 303, `${url}: ${await answer.text()}`);
  await page.goto(new URL(answer.headers().location, url).href, { waitUntil: 'commit' });
  await atTable(person.page);
}

/**
 * Makes a table as people do, on the first page.
 *
 * @param {Person} person
 * @param {Server} server
 * @param {string} game
 */
async function createAtHome(person, server, game) {
  const { page } = person;
  await page.goto(`${server.url}/`);
  const form = page.locator(`form[action$="/tables"]:has([name="game"][value="${game}"])`).first();
  await form
    .locator(`[name="game"][value="${game}"]`)
    .first()
    .evaluate((e) => {
      if (e instanceof HTMLInputElement && e.type === 'radio') e.checked = true;
    });
  await form.locator('[name="nick"]').fill(person.nick);
  await form.locator('[type="submit"], button:not([type="button"])').first().click();
  await atTable(person.page);
}

/** Takes a seat as people do. @param {Person} person @param {string} invite */
export async function joinByInvite(person, invite) {
  await person.page.goto(invite);
  await person.page.locator('[name="nick"]').fill(person.nick);
  await person.page
    .locator('form [type="submit"], form button:not([type="button"])')
    .first()
    .click();
  await atTable(person.page);
}

/** Takes a seat as people without a mouse do. @param {Person} person @param {string} invite */
async function joinByKeys(person, invite) {
  const { page, nick } = person;
  await page.goto(invite);
  const isThere = () =>
    page.evaluate(() => document.activeElement?.getAttribute('name') === 'nick');
  for (let i = 0; i < 10 && !(await isThere()); i++) await page.keyboard.press('Tab');
  await page.keyboard.type(nick);
  await page.keyboard.press('Enter');
  await atTable(page);
}

/**
 * Waits until a page shows its table and is online. The page itself looks in every frame: a locator
 * is evaluated twice a second, and tests wait here most of all.
 *
 * @param {Page} page
 */
export async function atTable(page) {
  await page.waitForFunction(
    () =>
      document.querySelector('main#table[data-ready][data-pieces][data-status="online"]') !== null,
  );
}

/**
 * The links for others, requested by the page with its cookie.
 *
 * @param {Person} person
 * @param {string} table
 */
async function invitesOf(person, table) {
  return person.page.evaluate(
    async (path) => (await fetch(path)).json(), `/api/v1/tables/${table}/invites`,
  );
}

/**
 * Checks what happened, and sends everybody home.
 *
 * @param {TestContext} t
 * @param {Server} server
 * @param {Person[]} people
 */
async function leave(t, server, people) {
  const wrong = people.flatMap((p) => p.watch.unexpected.map((text) => `${p.nick}: ${text}`));
  const passed = /** @type {{passed?: boolean}} */ (t).passed !== false;
  if (!passed || wrong.length > 0) await keepEvidence(t, server, people);
  for (const p of people) {
    await p.page.context().close();
    await p.link?.close();
  }
  assert.deepEqual(wrong, [], 'no page has an error');
  for (const p of people) {
    assert.deepEqual(
      [...p.watch.hosts], [new URL(server.url).host], `${p.nick}'s page contacts no other host`,
    );
  }
}

/**
 * Writes what helps to understand a failure into a folder.
 *
 * @param {TestContext} t
 * @param {Server} server
 * @param {Person[]} people
 */
async function keepEvidence(t, server, people) {
  const folder = mkdtempSync(join(tmpdir(), 'holt-e2e-failed-'));
  for (const p of people) {
    await p.page.screenshot({ path: join(folder, `${p.nick}.png`) }).catch(() => {});
  }
  writeFileSync(join(folder, 'server.log'), server.log);
  t.diagnostic(`evidence: ${folder}`);
}
