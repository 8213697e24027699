// Two servers that are linked: Ada takes a deck from her own server to a table on Ben's, and home
// again (O37 to O39).

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { loadBag, openBag, stow } from './bag.js';
import { ask } from './cards.js';
import { arrive, atTable, devices, phone } from './party.js';
import { eventually, named, pieces } from './pieces.js';
import { Server } from './server.js';

/** @typedef {import('playwright-core').Page} Page */

const RIGHTS = 'visit,bring,keep';

/**
 * Two servers, linked by their operators on the command line.
 *
 * @param {import('node:test').TestContext} t
 */
async function neighbours(t) {
  const home = await Server.start(false, ['--name', 'Ada’s']);
  t.after(() => home.discard());
  const away = await Server.start(false, ['--name', 'Ben’s']);
  t.after(() => away.discard());
  const invitation = away.operate('peer', 'invite', '--rights', RIGHTS).trim();
  assert.match(
    home.operate('peer', 'accept', invitation, '--rights', RIGHTS, '--yes'), /Linked with/,
  );
  return { home, away };
}

/** @param {Server} server @param {import('playwright-core').BrowserContextOptions} context */
async function ada(server, context) {
  const person = await arrive('Ada', { context });
  const { page } = person;
  const { table } = await seated(page, server, 'cards');
  return { ...person, table };
}

/**
 * Makes a table on the first page.
 *
 * @param {Page} page
 * @param {Server} server
 * @param {string} game
 * @param {string} [nick]
 */
async function seated(page, server, game, nick = 'Ada') {
  const answer = await page
    .context()
    .request.post(`${server.url}/tables`, {
      form: { game, nick, colour: '#c0392b' }, maxRedirects: 0,
    });
  const path = answer.headers().location;
  await page.goto(server.url + path);
  await atTable(page);
  return { table: path.split('/').at(-1) ?? '' };
}

/** The deck, once it lies there. @param {Page} page */
async function deckOf(page) {
  const found = page.locator('[data-piece][aria-label^="Deck"]');
  await found.first().waitFor();
  return (await pieces(page)).filter((p) => p.label.startsWith('Deck'));
}

/** Puts the deck of one's own table into the bag. @param {Page} page */
async function pack(page) {
  await deckOf(page);
  await loadBag(page);
  await stow(page, 'Deck');
}

for (const [device, context] of devices) {
  // Clauses: O37.8, O37.9, O38.2, O38.6, O38.8, O38.10
  test(`O37, O38 Ada takes her deck to Ben and home with a ${device} despite a kill`, async (t) => {
    const { home, away } = await neighbours(t);
    const { page } = await ada(home, context);
    await pack(page);

    const made = await away.createTable('chess', 'Ben');
    await page.goto(home.url);
    await page.getByLabel('Invite link of another server').fill(made.invites.player);
    assert.deepEqual(await barriers(page), []);
    await page.getByRole('button', { name: 'See where it leads' }).click();
    const go = page.getByRole('button', { name: 'Go there' });
    await go.waitFor(); // the next page
    assert.deepEqual(await barriers(page), []);
    await go.click();
    await page.getByRole('button', { name: 'Sit down as Ada of Ada’s' }).waitFor();
    assert.deepEqual(await barriers(page), []);
    await page.getByRole('button', { name: 'Sit down as Ada of Ada’s' }).click();
    await atTable(page);
    const { seats } = await away.read(made.table, made.token);
    assert.deepEqual(
      seats.map((/** @type {any} */ s) => [s.nick, s.home ?? '']),
      [
        ['Ben', ''],
        ['Ada', 'Ada’s'],
      ],
    );

    const bag = await openBag(page);
    assert.deepEqual(await barriers(page), []);
    await bag.getByRole('button', { name: /^Put on the table: / }).click();
    const [deck] = await deckOf(page);

    await home.kill();
    await ask(page, { op: 'shuffle', piece: deck.id }); // only the owner can
    const says = '[aria-label*="away: its server does not answer"]';
    await page.locator(`[data-piece="${deck.id}"].away${says}`).waitFor();
    await home.start();
    await page.locator(`[data-piece="${deck.id}"]:not(.away)`).waitFor();

    await ask(page, { op: 'draw', piece: deck.id, n: 1, face: 0, x: 0, y: -1500 });
    await page.locator(`[data-piece="${deck.id}"][aria-label*="53 cards"]`).waitFor();
    await page
      .locator('[data-piece][data-x="0"][data-y="-1500"]:not([aria-label^="Deck"])')
      .waitFor();
    await ask(page, { op: 'take', piece: deck.id });
    await page.locator(`[data-piece="${deck.id}"]`).waitFor({ state: 'detached' });
    const after = await openBag(page);
    await after.locator('li[data-place="home"]').waitFor();
    assert.deepEqual(await barriers(page), []);
  });
}

/**
 * A server with what its operator and its people do with it.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} name
 */
async function started(t, name) {
  const server = await Server.start(false, ['--name', name]);
  t.after(() => server.discard());
  return server;
}

/** Links two servers on the command line. @param {Server} one @param {Server} other */
function link(one, other) {
  assert.match(
    one.operate(
      'peer', 'accept', other.operate('peer', 'invite', '--rights', RIGHTS).trim(), '--rights',
      RIGHTS, '--yes',
    ),
    /Linked with/,
  );
}

/**
 * Goes to a table of another server, and sits down there.
 *
 * @param {Page} page
 * @param {Server} from
 * @param {string} nick
 * @param {string} invite
 */
async function visit(page, from, nick, invite) {
  await page.goto(`${from.url}/go?link=${encodeURIComponent(invite)}`);
  if (await page.getByLabel('Your name').isVisible()) await page.getByLabel('Your name').fill(nick);
  await page.getByRole('button', { name: 'Go there' }).click();
  await page.getByRole('button', { name: `Sit down as ${nick} of ` }).click();
  await atTable(page);
}

/** What a server knows of objects. @param {Server} server */
const objects = (server) => JSON.parse(server.operate('objects', '--json'));

for (const [device, context] of devices) {
  // Clauses: O13.9, O20.2, O20.10
  test(`O38 three servers, a ${device}: used pieces stay playable, the rest returns`, async (t) => {
    const [home, away, third] = [
      await started(t, 'Ada’s'), await started(t, 'Ben’s'), await started(t, 'Cleo’s'),
    ];
    link(home, away);
    link(third, away);
    const { page } = await ada(home, context);
    const first = await openBag(page);
    await page.keyboard.press('Escape');
    await first.waitFor({ state: 'detached' });
    await stow(page, 'Deck');
    await stow(page, 'Six-sided die');

    const ben = (await arrive('Ben')).page;
    const { table } = await seated(ben, away, 'chess', 'Ben');
    const invites = await ben.evaluate(
      async (path) => (await fetch(path)).json(), `/api/v1/tables/${table}/invites`,
    );
    const cleo = (await arrive('Cleo')).page;
    await visit(cleo, third, 'Cleo', invites.player);
    await visit(page, home, 'Ada', invites.player);

    for (const what of ['Deck', 'Six-sided die']) {
      const bag = await openBag(page);
      await bag.getByRole('button', { name: `Put on the table: ${what}` }).click();
      await bag.waitFor({ state: 'detached' });
      for (const p of [page, ben, cleo])
        await p
          .locator(
            `[data-piece][aria-label^="${what}"]:is([aria-label*="from your bag"], ` +
              '[aria-label*="brought by"])',
          )
          .waitFor();
    }
    const deck = await named(ben, 'Deck');
    const die = await named(ben, 'Six-sided die');

    await eventually(ben, async () => {
      if (objects(away).here.some((/** @type {any} */ o) => o.class === 'set')) return true;
      await ask(ben, { op: 'shuffle', piece: deck.id }); // it moves by itself (O13)
      return false;
    });
    assert.deepEqual(
      objects(away)
        .here.filter((/** @type {any} */ o) => o.class === 'set')
        .map((/** @type {any} */ o) => [o.name, o.n]),
      [['Ada’s', 1]],
      'the deck has moved to Ben’s, the die has not',
    );

    await home.kill();
    await ask(ben, { op: 'roll', piece: die.id });
    for (const p of [ben, cleo, page])
      await p
        .locator(
          `[data-piece="${die.id}"].away` +
            '[aria-label*="away: its server does not answer"]',
        )
        .waitFor();
    assert.deepEqual(await barriers(page), []);
    await ask(ben, { op: 'draw', piece: deck.id, n: 1, face: 0, x: 0, y: -1500 });
    await ask(cleo, { op: 'shuffle', piece: deck.id });
    for (const p of [ben, cleo, page]) {
      await p.locator(`[data-piece="${deck.id}"]:not(.away)[aria-label*="53 cards"]`).waitFor();
      await p
        .locator('[data-piece][data-x="0"][data-y="-1500"]:not([aria-label^="Deck"]):not(.away)')
        .waitFor();
    }

    await home.start();
    for (const p of [ben, cleo, page])
      await p.locator(`[data-piece="${die.id}"]:not(.away)`).waitFor();
    await ask(page, { op: 'take', piece: deck.id });
    await ask(page, { op: 'take', piece: die.id });
    for (const p of [deck, die])
      await page.locator(`[data-piece="${p.id}"]`).waitFor({ state: 'detached' });
    const bag = await openBag(page);
    await eventually(page, async () => {
      if ((await bag.locator('li[data-place="home"]').count()) === 2) return true;
      await bag.getByRole('button', { name: 'Look again' }).click();
      await bag.locator('.bag-foot button').waitFor();
      return false;
    });
    assert.equal(await bag.locator('li[data-place="home"]').count(), 2, 'both are at home');
    assert.deepEqual(await barriers(page), []);
    const left = () =>
      [...objects(away).here, ...objects(away).held].filter(
        (/** @type {any} */ o) => o.name === 'Ada’s',
      );
    await eventually(page, () => {
      if (left().length === 0) return true;
      away.operate('objects', '--collect');
      return false;
    });
    assert.deepEqual(left(), [], 'nothing of hers is at Ben’s any more');
  });
}

for (const [device, context] of devices) {
  // Clauses: O39.1, O39.2, O39.3, O39.5, O39.6, O39.7, O39.9
  test(`O39 with a ${device} Ada goes home when Ben’s server is off, and plays on`, async (t) => {
    const { home, away } = await neighbours(t);
    const { page } = await arrive('Ada', { clock: true, context });
    await seated(page, home, 'cards');
    const first = await openBag(page);
    await page.keyboard.press('Escape');
    await first.waitFor({ state: 'detached' });
    await stow(page, 'Deck');
    await stow(page, 'Six-sided die');
    const made = await away.createTable('chess', 'Ben');
    const bag = page.waitForResponse(/\/assets\/bag-[^/]*\.js$/); // this part knows the way home
    await visit(page, home, 'Ada', made.invites.player);
    await (await bag).finished();
    const there = await openBag(page);
    await there.getByRole('button', { name: 'Put on the table: Deck' }).click();
    await deckOf(page);

    await away.kill();
    await page.locator('.banner:not([hidden]):not(.leaving)').waitFor();
    await page.clock.fastForward(31_000);
    await page.locator('.banner.leaving').waitFor();
    assert.deepEqual(await barriers(page), []);
    await page.getByRole('button', { name: 'Stay here' }).click();
    await page.clock.fastForward(60_000);
    assert.ok(page.url().startsWith(away.url), 'who stays is not sent away');
    await away.start();
    await page.locator('.banner:not(.leaving)').waitFor({ state: 'hidden' });
    await away.kill();
    await page.locator('.banner:not([hidden]):not(.leaving)').waitFor();
    await page.clock.fastForward(31_000);
    await page.locator('.banner.leaving').waitFor();
    if (process.env.HOLT_SHOTS)
      await page.screenshot({ path: `${process.env.HOLT_SHOTS}/leaving-${device}.png` });
    await page.clock.fastForward(21_000);

    await page.getByText('The connection to Ben’s was lost').waitFor();
    assert.ok(page.url().startsWith(home.url));
    assert.deepEqual(await barriers(page), []);
    if (process.env.HOLT_SHOTS)
      await page.screenshot({ path: `${process.env.HOLT_SHOTS}/own-${device}.png` });
    await page.getByRole('button', { name: 'Go to my own table as Ada' }).click();
    await atTable(page);
    const own = page.url();
    const mine = page.locator('[data-dialog="bag"]');
    await mine.getByText('so you are at a table of your own').waitFor();
    await mine.locator('li[data-place="other"]', { hasText: 'on a table on Ben’s' }).waitFor();
    assert.deepEqual(await barriers(page), []);
    if (process.env.HOLT_SHOTS)
      await page.screenshot({ path: `${process.env.HOLT_SHOTS}/bag-${device}.png` });
    await mine.getByRole('button', { name: 'Put on the table: Six-sided die' }).click();
    await page.locator('[data-piece][aria-label^="Six-sided die"]').waitFor();
    await page.goto(`${home.url}/?gone=1`);
    await page.locator('[data-dialog="bag"]').getByText('was deleted').waitFor();
    assert.equal(page.url(), own, 'it is the same table the next time');
  });
}

// Clauses: O39.10
test('O39.10 Ben throws his table away, and Ada goes to one of her own', async (t) => {
  const { home, away } = await neighbours(t);
  const { page } = await ada(home, phone);
  await pack(page);
  const made = await away.createTable('chess', 'Ben');
  await visit(page, home, 'Ada', made.invites.player);
  const there = await openBag(page);
  await there.getByRole('button', { name: 'Put on the table: Deck' }).click();
  await deckOf(page);
  const answer = await fetch(`${away.url}/api/v1/tables/${made.table}`, {
    method: 'DELETE', headers: { Authorization: `Bearer ${made.token}` },
  });
  assert.equal(answer.status, 204);
  await page.getByRole('button', { name: 'To my own table' }).click();
  await page.getByRole('button', { name: 'Go to my own table as Ada' }).click();
  await atTable(page);
  const mine = page.locator('[data-dialog="bag"]');
  await mine.getByRole('button', { name: 'Put on the table: Deck' }).click();
  await deckOf(page);
  assert.ok(page.url().startsWith(home.url));
});

test('an operator links a server by its page, without a script', async (t) => {
  const home = await Server.start(false, ['--name', 'Ada’s']);
  t.after(() => home.discard());
  const { page } = await arrive('Ada', { context: { ...phone, javaScriptEnabled: false } });
  await page.goto(home.operate('peer', 'page').trim());
  await page.getByRole('button', { name: 'Make an invitation' }).click();
  assert.match(
    await page.getByLabel('The invitation. It works once, within 24 hours').inputValue(),
    /^\S.{20,}$/,
  );
});
