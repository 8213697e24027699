// Doors between tables (O49 to O52): a host makes one, people go through it and come back, and send
// pieces through it.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { openMore } from './bar.js';
import { loosePile } from './cards.js';
import { swipe } from './fingers.js';
import { arrive, atTable, desktop, devices, fileServer, joinByInvite, phone } from './party.js';
import { eventually, focus, middle, named, pieces, said, still } from './pieces.js';
import { Server } from './server.js';

/** @typedef {import('playwright-core').Page} Page */

const RIGHTS = 'visit,bring,keep';

/**
 * Somebody who has not gone anywhere yet, and leaves when the test ends.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} nick
 * @param {import('./party.js').PersonOptions} [options]
 */
async function comes(t, nick, options) {
  const person = await arrive(nick, options);
  t.after(() => person.page.context().close());
  return person;
}

/**
 * Two servers, linked by their operators.
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

/**
 * Makes a table with a browser, and shows it.
 *
 * @param {Page} page
 * @param {Server} server
 * @param {string} game
 * @param {string} nick
 */
async function hosts(page, server, game, nick) {
  const answer = await page.context().request.post(`${server.url}/tables`, {
    form: { game, nick, colour: '#c0392b' }, maxRedirects: 0,
  });
  const path = answer.headers().location;
  await page.goto(server.url + path);
  await atTable(page);
  const invites = await page.evaluate(
    async (at) => (await fetch(at)).json(), `/api/v1${path.replace('/t/', '/tables/')}/invites`,
  );
  return { path, invites };
}

/** Selects a piece and chooses one of its actions. @param {Page} page @param {string} action */
async function act(page, action) {
  await page.keyboard.press('x');
  await (await openMore(page)).locator(`[data-action="${action}"]`).click();
}

/**
 * Makes a piece a door by a link, as a host does.
 *
 * @param {Page} page
 * @param {number} id
 * @param {string} link
 */
async function lead(page, id, link) {
  await focus(page, id);
  await act(page, 'door');
  const dialog = page.locator('[data-dialog="door"]');
  await dialog.getByLabel('To a table you have an invite link for').fill(link);
  assert.deepEqual(await barriers(page), []);
  await dialog.getByRole('button', { name: 'Make it a door', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** @param {Page} page @param {string} name */
async function shot(page, name) {
  const path = `${process.env.HOLT_SHOTS}/${name}.png`;
  if (process.env.HOLT_SHOTS) await page.screenshot({ path });
}

/** Opens a door by the key. @param {Page} page @param {number} id */
async function open(page, id) {
  await focus(page, id);
  await page.keyboard.press('Shift+Enter');
}

// Clauses: O49.1, O50.1, O50.2, O50.3, O50.8
test('O49, O50 a door to a table on the same server, and the way back', async (t) => {
  const server = await fileServer();
  const { page: ben } = await comes(t, 'Ben');
  const second = await hosts(ben, server, 'chess', 'Ben');
  const first = await hosts(ben, server, 'cards', 'Ben');
  const die = await named(ben, 'Six-sided die');
  await focus(ben, die.id);
  await act(ben, 'door');
  await ben.locator('[data-dialog="door"] [data-leads]').click();
  await ben.locator(`[data-door="${die.id}"]`).waitFor();

  const { page: cleo } = await comes(t, 'Cleo', { context: phone });
  const answer = await cleo.context().request.post(first.invites.player, {
    form: { nick: 'Cleo', colour: '#2a8a5f' }, maxRedirects: 0,
  });
  await cleo.goto(server.url + answer.headers().location);
  await atTable(cleo);
  await cleo.locator(`[data-piece="${die.id}"][aria-label*="door to"]`).waitFor();
  await cleo.locator(`[data-door="${die.id}"]`).tap();
  await cleo.waitForURL(server.url + second.path);
  await atTable(cleo);
  assert.deepEqual(await barriers(cleo), []);
  await cleo.getByRole('link', { name: 'Back to the table' }).click();
  await cleo.waitForURL(server.url + first.path);
  await atTable(cleo);

  await open(ben, die.id);
  await ben.waitForURL(server.url + second.path);
  await atTable(ben);
});

// Clauses: G16.1, G16.2
test('G16 a game of two tables: its doors are there, for hosts and for guests', async (t) => {
  const server = await fileServer();
  const { page: ben } = await comes(t, 'Ben');
  const hall = await hosts(ben, server, 'house', 'Ben');
  const stairs = await named(ben, 'Stairs');
  await ben.locator(`[data-piece="${stairs.id}"][aria-label*="door to Cellar"]`).waitFor();
  await still(ben);
  await shot(ben, 'house');

  const { page: cleo } = await comes(t, 'Cleo', { context: phone });
  const answer = await cleo.context().request.post(hall.invites.player, {
    form: { nick: 'Cleo', colour: '#2a8a5f' }, maxRedirects: 0,
  });
  await cleo.goto(server.url + answer.headers().location);
  await atTable(cleo);
  await shot(cleo, 'house-phone');
  await cleo.locator(`[data-door="${stairs.id}"]`).tap();
  await cleo.locator('[data-piece][aria-label^="Chest"]').waitFor();
  await atTable(cleo);
  await shot(cleo, 'cellar-phone');
  assert.deepEqual(await barriers(cleo), []);

  await open(ben, stairs.id);
  await ben.locator('[data-piece][aria-label^="Chest"]').waitFor();
  await atTable(ben);
  const up = await named(ben, 'Stairs');
  await ben.locator(`[data-piece="${up.id}"][aria-label*="door to House"]`).waitFor();
  assert.equal(new URL(ben.url()).pathname, new URL(cleo.url()).pathname);
  await shot(ben, 'cellar');
  await open(ben, up.id);
  await ben.waitForURL(server.url + hall.path);
  await atTable(ben);
});

/**
 * Puts the deck of a table into its host's bag, and back on the table as their own.
 *
 * @param {Page} page
 */
async function bring(page) {
  const deck = await named(page, 'Deck');
  await page.locator('main').press('Shift+B'); // it loads the bag
  const bag = page.locator('[data-dialog="bag"]');
  await bag.locator('.bag-foot button').waitFor();
  await page.keyboard.press('Escape');
  await bag.waitFor({ state: 'detached' });
  await focus(page, deck.id);
  await act(page, 'stow-bag');
  await page.locator(`[data-piece="${deck.id}"]`).waitFor({ state: 'detached' });
  await page.locator('main').press('Shift+B');
  const put = bag.getByRole('button', { name: 'Put on the table: Deck' });
  await eventually(page, async () => {
    if (await put.isVisible()) return true;
    await bag.getByRole('button', { name: 'Look again' }).click();
    return false;
  });
  await put.click();
  await page.locator('[data-piece][aria-label^="Deck"][aria-label*="from your bag"]').waitFor();
  return named(page, 'Deck');
}

// Clauses: O51.3, O51.4, O51.5
test('O51 Ben carries his deck through a door, and where he watches it stays his', async (t) => {
  const server = await fileServer();
  const { page } = await comes(t, 'Ben');
  const second = await hosts(page, server, 'chess', 'Ben');
  const first = await hosts(page, server, 'cards', 'Ben');
  const watched = await server.createTable('chess', 'Dora');
  let deck = await bring(page);
  const die = await named(page, 'Six-sided die');
  await lead(page, die.id, watched.invites.spectator);
  await page.locator(`[data-door="${die.id}"]`).waitFor();
  await focus(page, deck.id);
  await act(page, 'carry-through');
  await page.waitForURL(watched.url);
  await page.getByText('What you brought could not be put on this table.').first().waitFor();
  await page.getByRole('link', { name: 'Back to the table' }).click();
  await page.waitForURL(server.url + first.path);
  await atTable(page);
  await page.locator('main').press('Shift+B');
  const bag = page.locator('[data-dialog="bag"]');
  await bag.getByRole('button', { name: 'Put on the table: Deck' }).click();
  await page.locator('[data-piece][aria-label^="Deck"]').waitFor();
  deck = await named(page, 'Deck');

  await lead(page, die.id, second.invites.player);
  await focus(page, deck.id);
  await act(page, 'carry-through');
  await page.waitForURL(server.url + second.path);
  await atTable(page);
  await page.locator('[data-piece][aria-label^="Deck"][aria-label*="from your bag"]').waitFor();
  await page.goto(server.url + first.path);
  await atTable(page);
  assert.equal(await page.locator('[data-piece][aria-label^="Deck"]').count(), 0);
});

for (const [device, context] of devices) {
  // Clauses: O50.4, O50.6, O50.7, O50.8
  test(`O49, O50 Ada goes through a door and back despite a kill, a ${device}`, async (t) => {
    const { home, away } = await neighbours(t);
    const { page: ben } = await comes(t, 'Ben');
    const there = await hosts(ben, away, 'chess', 'Ben');
    const { page } = await comes(t, 'Ada', { context });
    const here = await hosts(page, home, 'cards', 'Ada');
    const deck = await named(page, 'Deck');
    await focus(page, deck.id);
    await page.keyboard.press('Shift+B'); // it loads the bag
    const bag = page.locator('[data-dialog="bag"]');
    await bag.locator('.bag-foot button').waitFor();
    await page.keyboard.press('Escape');
    await bag.waitFor({ state: 'detached' });
    await focus(page, deck.id);
    await act(page, 'stow-bag');
    await page.locator(`[data-piece="${deck.id}"]`).waitFor({ state: 'detached' });
    await page.locator('main').press('Shift+B');
    await eventually(page, async () => {
      if (await bag.locator('li[data-place="home"]').count() === 1) return true;
      await bag.getByRole('button', { name: 'Look again' }).click();
      return false;
    });
    await page.keyboard.press('Escape');
    await bag.waitFor({ state: 'detached' });

    const die = await named(page, 'Six-sided die');
    await lead(page, die.id, there.invites.player);
    const sign = page.locator(`[data-door="${die.id}"]`);
    await sign.waitFor();
    assert.match(await sign.getAttribute('title') ?? '', /^door to .+ on Ben’s$/);

    await open(page, die.id);
    const sit = page.getByRole('button', { name: 'Sit down as Ada of Ada’s' });
    await sit.waitFor();
    assert.ok(!page.url().includes(there.invites.player.split('/').at(-1) ?? ''));
    await sit.click();
    await atTable(page);
    await page.locator('main').press('Shift+B');
    await bag.getByRole('button', { name: 'Put on the table: Deck' }).click();
    for (const p of [page, ben])
      await p.locator('[data-piece][aria-label^="Deck"]').waitFor();

    await away.kill();
    await page.getByRole('link', { name: 'Back to the table' }).click();
    await page.waitForURL(home.url + here.path);
    await atTable(page);
    await open(page, die.id);
    await page.locator(`[data-door="${die.id}"].shut`).waitFor();
    await page.locator(
      `[data-piece="${die.id}"][aria-label*="its server does not answer"]`,
    ).waitFor();

    await away.start();
    await atTable(ben);
    await ben.locator('[data-piece][aria-label^="Deck"]').waitFor();
    // the servers find each other again within a second or two
    await eventually(page, async () => {
      const answer = page.waitForResponse(/\/doors\/\d+$/);
      await open(page, die.id);
      return (await answer).ok();
    });
    await page.getByRole('link', { name: 'Back to your seat' }).click();
    await page.waitForURL(away.url + there.path);
    await atTable(page);
    await page.locator('[data-piece][aria-label^="Deck"]').waitFor();
  });
}

/**
 * Drags a piece onto another one with the mouse, and looks at it before it is dropped.
 *
 * @param {Page} page
 * @param {number} id
 * @param {number} onto
 * @param {() => Promise<void>} look
 */
async function dragOnto(page, id, onto, look) {
  await page.locator('main').press('Escape'); // else what is selected moves along
  await page.keyboard.press('0');
  await still(page);
  const from = await middle(page, id);
  const to = await middle(page, onto);
  await page.mouse.move(from.x, from.y);
  await page.keyboard.down('Shift'); // without it a drag draws a card from a deck
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
  await page.keyboard.up('Shift');
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await look();
  await page.mouse.up();
}

for (const [device, context] of /** @type {const} */ ([
  ['a desktop', desktop],
])) {
  // Clauses: O52.1, O52.3, O52.19, O52.21
  test(`O52 what is dropped on a door lies on the other table, ${device}`, async (t) => {
    const server = await fileServer();
    const { page: ben } = await comes(t, 'Ben');
    const there = await hosts(ben, server, 'chess', 'Ben');
    const { page } = await comes(t, 'Ada', { context });
    const here = await hosts(page, server, 'cards', 'Ada');
    const deck = await bring(page);
    const die = await named(page, 'Six-sided die');
    await lead(page, die.id, there.invites.player);
    const sign = page.locator(`[data-door="${die.id}"]`);
    await sign.waitFor();
    const button = await named(page, 'Dealer button');
    for (const { id, name } of [{ id: deck.id, name: 'deck' }, { id: button.id, name: 'button' }]) {
      await dragOnto(page, id, die.id, async () => {
        await page.locator(`[data-door="${die.id}"].accepts`).waitFor();
        assert.match(await sign.textContent() ?? '', /^Send to /);
        await shot(page, `${device} ${name}`);
      });
      await page.locator(`[data-piece="${id}"]`).waitFor({ state: 'detached' });
      const sentence = new RegExp(`${name} went through the door to Chess`);
      assert.ok(await eventually(page, async () => sentence.test(await said(page))));
    }
    assert.deepEqual(await barriers(page), []);
    for (const name of ['Deck', 'Dealer button'])
      await ben.locator(`[data-piece][aria-label^="${name}"]`).waitFor();
    const came = /Something came through a door/;
    assert.ok(await eventually(ben, async () => came.test(await said(ben))));
    assert.equal(new URL(page.url()).pathname, here.path, 'Ada is still at her table');
  });
}

// Clauses: O52.19
test('O52 a finger drops a piece on a door, and the keyboard sends one through it', async (t) => {
  const server = await fileServer();
  const { page: ben } = await comes(t, 'Ben');
  const first = await hosts(ben, server, 'chess', 'Ben');
  const second = await hosts(ben, server, 'draughts', 'Ben');
  const { page } = await comes(t, 'Ada', { context: phone });
  await hosts(page, server, 'cards', 'Ada');
  await page.getByRole('button', { name: 'Got it' }).tap();
  const [die] = (await pieces(page)).filter(({ label }) => /^Six-sided die/.test(label));
  await lead(page, die.id, second.invites.player);
  const sign = page.locator(`[data-door="${die.id}"]`);
  await sign.waitFor();
  await page.locator('main').press('Escape');
  await page.keyboard.press('0'); // the whole table
  await still(page);
  const button = await named(page, 'Dealer button');
  await swipe(page, [{ from: await middle(page, button.id), to: await middle(page, die.id) }]);
  await page.locator(`[data-piece="${button.id}"]`).waitFor({ state: 'detached' });
  await ben.locator('[data-piece][aria-label^="Dealer button"]').waitFor();

  const chip = await named(page, 'Chip');
  await lead(page, chip.id, first.invites.player);
  await page.locator(`[data-door="${chip.id}"]`).waitFor();
  await page.locator('main').press('Escape'); // else the chip goes along
  const deck = await named(page, 'Deck');
  await focus(page, deck.id);
  await act(page, 'send-through');
  const dialog = page.locator('[data-dialog="door"]');
  await dialog.waitFor();
  await shot(page, 'two doors');
  assert.deepEqual(await barriers(page), []);
  await dialog.getByRole('button', { name: 'Draughts' }).press('Enter');
  await page.locator(`[data-piece="${deck.id}"]`).waitFor({ state: 'detached' });
  await ben.locator('[data-piece][aria-label^="Deck"]').waitFor();
});

// Clauses: O51.3, O51.4
test('O51 Ada carries her deck to a table of another server', async (t) => {
  const { home, away } = await neighbours(t);
  const { page: ben } = await comes(t, 'Ben');
  const there = await hosts(ben, away, 'chess', 'Ben');
  const { page } = await comes(t, 'Ada');
  const here = await hosts(page, home, 'cards', 'Ada');
  const deck = await bring(page);
  const die = await named(page, 'Six-sided die');
  await lead(page, die.id, there.invites.player);
  await page.locator(`[data-door="${die.id}"]`).waitFor();
  await focus(page, deck.id);
  await act(page, 'carry-through');
  await page.getByRole('button', { name: 'Sit down as Ada of Ada’s' }).click();
  await page.waitForURL(away.url + there.path);
  await atTable(page);
  for (const p of [page, ben])
    await p.locator('[data-piece][aria-label^="Deck"]').waitFor();
  await page.getByRole('link', { name: 'Back to the table' }).click();
  await page.waitForURL(home.url + here.path);
  await atTable(page);
  assert.equal(await page.locator('[data-piece][aria-label^="Deck"]').count(), 0);
});

/**
 * Returns in how many places a piece is: on the table here, on that there, or in its person's bag.
 *
 * @param {Page} here the page of its person
 * @param {Page} there
 * @param {string} name
 */
async function placesOf(here, there, name) {
  await here.locator('main').press('Escape');
  await here.locator('main').press('Shift+B');
  const bag = here.locator('[data-dialog="bag"]');
  await bag.getByRole('button', { name: 'Look again' }).click();
  await bag.locator('.bag-foot button').waitFor();
  const found = [
    here.locator(`[data-piece][aria-label^="${name}"]`),
    there.locator(`[data-piece][aria-label^="${name}"]`),
    bag.locator('li[data-place="home"]', { hasText: name }),
  ];
  const counts = await Promise.all(found.map((is) => is.count()));
  await here.keyboard.press('Escape');
  await bag.waitFor({ state: 'detached' });
  return counts.reduce((sum, n) => sum + n);
}

for (const [device, context] of devices) {
  // Clauses: O50.6, O52.3, O52.18, O52.19, O52.20, O52.21
  test(`O52 a card and a deck go to another server, which is killed, a ${device}`, async (t) => {
    const { home, away } = await neighbours(t);
    const { page: ben } = await comes(t, 'Ben');
    const there = await hosts(ben, away, 'draughts', 'Ben');
    const ada = await comes(t, 'Ada', { context });
    const { page } = ada;
    const here = await hosts(page, home, 'cards', 'Ada');
    const cleo = await comes(t, 'Cleo', { context });
    await joinByInvite(cleo, here.invites.player);
    if (context === phone) await page.getByRole('button', { name: 'Got it' }).tap();
    const card = await loosePile(page, 1, { x: 0, y: 1500 });
    await focus(page, card);
    await page.keyboard.press('f');
    const open = page.locator(`[data-piece="${card}"]:not([aria-label*="face down"])`);
    await open.waitFor();
    const cardName = (await open.getAttribute('aria-label') ?? '').split(',')[0];
    const die = await named(page, 'Six-sided die');
    await lead(page, die.id, there.invites.player);
    for (const p of [page, cleo.page]) await p.locator(`[data-door="${die.id}"]`).waitFor();

    /**
     * Drags a piece onto the door, by mouse or finger, or uses its menu.
     * @param {number} id
     * @param {boolean} drags
     */
    const send = async (id, drags = context === desktop) => {
      await page.locator('main').press('Escape');
      if (drags && context === phone) {
        await page.keyboard.press('0'); // the whole table
        await still(page);
        return swipe(page, [{ from: await middle(page, id), to: await middle(page, die.id) }]);
      }
      if (drags) return dragOnto(page, id, die.id, async () => {
        await page.locator(`[data-door="${die.id}"].accepts`).waitFor();
      });
      await focus(page, id);
      return act(page, 'send-through');
    };
    // Ben's page gets the catalogue with the card later than the card.
    let release = () => {};
    const released = new Promise((f) => { release = () => f(null); });
    await ben.route('**/art/*', async (route) => {
      if (route.request().resourceType() === 'fetch') await released;
      await route.continue();
    });
    const unknown = ben.locator('[data-piece]:not(.hand):not(:has(img))').waitFor().then(release);
    const { id: deck } = await named(page, 'Deck');
    for (const { id, name } of [{ id: card, name: cardName }, { id: deck, name: 'Deck' }]) {
      await send(id, name !== 'Deck'); // a deck that is fixed is not dragged
      for (const p of [page, cleo.page])
        await p.locator(`[data-piece="${id}"]`).waitFor({ state: 'detached' });
      await ben.locator(`[data-piece][aria-label^="${name}"]`).waitFor();
    }
    await unknown;
    await ben.locator(`[aria-label^="${cardName}"][style*="width: 63.5px"]`).waitFor();
    await ben.locator('.ground [aria-label^="Deck"]').waitFor();
    assert.ok(await eventually(ben, async () => /came through a door/.test(await said(ben))));
    await shot(ben, `${device} what came to the other server`);

    // The server behind the door dies while something is on its way there.
    const button = await named(page, 'Dealer button');
    const asked = page.waitForRequest(/\/doors\/\d+\/send$/);
    await send(button.id);
    await asked;
    await away.kill();
    const chip = await named(page, 'Chip');
    const refused = page.waitForResponse(async (r) => r.url().endsWith(`/doors/${die.id}/send`) &&
      r.request().postDataJSON().piece === chip.id);
    await send(chip.id);
    assert.equal((await refused).status(), 503); // it does not wait for the other server
    for (const p of [page, cleo.page]) await p.locator(`[data-door="${die.id}"].shut`).waitFor();
    await shot(page, `${device} a closed door`);
    assert.deepEqual(await barriers(page), []);
    for (const p of [page, cleo.page]) await p.locator(`[data-piece="${chip.id}"]`).waitFor();
    await away.start();
    await atTable(ben);
    for (const name of [cardName, 'Deck'])
      await ben.locator(`[data-piece][aria-label^="${name}"]`).waitFor();
    assert.ok(await eventually(page, async () => await placesOf(page, ben, 'Dealer button') === 1));

    // So does the server of the door; afterwards both tables are as before.
    await home.kill();
    await home.start();
    await atTable(page);
    await atTable(cleo.page);
    assert.equal(await placesOf(page, ben, 'Dealer button'), 1);
    for (const p of [page, cleo.page]) {
      await p.locator(`[data-piece="${chip.id}"]`).waitFor();
      assert.equal(await p.locator('[data-piece][aria-label^="Deck"]').count(), 0);
    }
  });
}
