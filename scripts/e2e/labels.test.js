// What players write on pieces (component.md, C14): labels, tints and remarks, online and offline,
// on screen and for screen readers.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { choose, sayYes } from './bar.js';
import { ask, CLEAR, deck, loosePile, myHand } from './cards.js';
import { bringBack, cutOff } from './outage.js';
import { desktop, party, phone } from './party.js';
import {
  alarmed, alarms, away, carry, drag, focus, frame, labelled, middle, named, piece, same, seen,
  still,
} from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./pieces.js').Piece} Piece */

/**
 * Opens a dialog for the piece with the focus.
 *
 * @param {Page} page
 * @param {number} id
 * @param {string} key
 */
async function open(page, id, key) {
  await focus(page, id);
  await page.keyboard.press(key);
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  return dialog;
}

/** Labels a piece as people do. @param {Page} page @param {number} id @param {string} text */
async function label(page, id, text) {
  const dialog = await open(page, id, 'Shift+L');
  await dialog.getByLabel('Label').fill(text);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
}

/** The label that stands at a place of the page. @param {Page} page @param {string} text */
const sign = (page, text) => page.locator('.mark', { hasText: text });

/** Which scripts of the page's parts were fetched. @param {Page} page */
const fetched = (page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => /\/assets\/([a-z]+)-/.exec(name)?.[1] ?? ''),
  );

test('C14 C17 two players write on pieces, one offline: both see the same', async (t) => {
  const { host, friend } = await party(t, { links: true });
  for (const part of ['components', 'marks', 'settings', 'profiles']) {
    assert.ok(
      !(await fetched(host.page)).includes(part),
      `a table without writing does not load ${part}`,
    );
  }
  const [knight, king, pawn] = await Promise.all(
    ['White knight', 'White king', 'Black pawn'].map((name) => named(host.page, name)),
  );
  const theirs = await Promise.all([knight, king, pawn].map((p) => same(friend.page, p)));
  await label(friend.page, theirs[0].id, 'Guard');
  await labelled(host.page, knight.id, /^White knight, labelled “Guard”, /);

  await cutOff(friend);
  await label(friend.page, theirs[0].id, 'Ben’s');
  await label(friend.page, theirs[1].id, 'Crowned');
  await labelled(friend.page, theirs[0].id, /labelled “Ben’s”, not sent yet/);
  await friend.page.locator('.mark.unsent', { hasText: 'Crowned' }).waitFor();
  await label(host.page, knight.id, 'Ada’s');
  await label(host.page, knight.id, 'Ada’s own');
  await label(host.page, pawn.id, 'Spy');
  await labelled(host.page, pawn.id, /labelled “Spy”, /);
  assert.equal(
    await sign(host.page, 'Crowned').count(), 0, 'offline writing has not arrived yet',
  );

  await bringBack(friend);
  for (const [page, ids] of /** @type {[Page, Piece[]][]} */ ([
    [host.page, [knight, king, pawn]],
    [friend.page, theirs],
  ])) {
    // It was overwritten twice.
    await labelled(page, ids[0].id, /labelled “Ada’s own”, (?!not sent)/);
    await labelled(page, ids[1].id, /labelled “Crowned”, (?!not sent)/);
    await labelled(page, ids[2].id, /labelled “Spy”, (?!not sent)/);
    await page.waitForFunction(() => document.querySelectorAll('.mark').length === 3);
    await page.waitForFunction(() => document.querySelector('.mark.unsent') === null);
    assert.equal(
      (await alarms(page)).replace(/Connection lost[^.]*\.[^.]*\./, ''), '',
      'it merges without a notice',
    );
  }
  await host.page
    .locator('[data-live]', { hasText: 'The white king is labelled “Crowned”.' })
    .waitFor({ state: 'attached' });
});

test('C14 several pieces get and lose a label, a tint and a remark', async (t) => {
  const { host, friend } = await party(t);
  const { page } = host;
  const rooks = [await named(page, 'White rook'), await named(page, 'Black rook')];
  const theirs = await Promise.all(rooks.map((p) => same(friend.page, p)));
  const pick = async () => {
    for (const { id } of rooks) {
      await focus(page, id);
      await frame(page); // the selection is drawn
      if (!(await page.locator(`[data-piece="${id}"].selected`).count()))
        await page.keyboard.press('x');
    }
  };
  await pick();
  await choose(page, /^Label…$/);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Label').fill('  Tower\t1 ');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await pick();
  await page.keyboard.press('Shift+T');
  await dialog.getByRole('radio', { name: /^violet/ }).click();
  await pick();
  await page.keyboard.press('Shift+M');
  await dialog.getByLabel('Comment').fill('Stands here\nsince Monday.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  for (const { id } of theirs) {
    await labelled(friend.page, id, /labelled “Tower 1”, coloured violet, with a comment/);
    await friend.page.locator(`[data-piece="${id}"] > .tint.tint-violet`).waitFor();
  }
  await pick();
  for (const [key, name] of [['Shift+L', 'Remove'], ['Shift+M', 'Delete']]) {
    await page.keyboard.press(key);
    await dialog.getByRole('button', { name }).click();
  }
  await page.keyboard.press('Shift+T');
  await dialog.getByRole('radio', { name: 'none' }).click();
  for (const { id } of theirs)
    await labelled(friend.page, id, /^(White|Black) rook, (?!labelled|coloured|with)/);
  for (const p of [page, friend.page]) {
    await p.waitForFunction(() => document.querySelectorAll('.mark, .tint').length === 0);
  }
});

test('C14 a label is upright, of one size, and moves with its piece', async (t) => {
  const { host, friend } = await party(t);
  const { page } = host;
  const knight = await named(page, 'White knight');
  await label(page, knight.id, 'Guard');
  const theirs = await same(friend.page, knight);
  const box = async (/** @type {Page} */ p) => {
    await frame(p);
    const found = await sign(p, 'Guard').locator('.mark-text').boundingBox();
    assert.ok(found);
    return found;
  };
  const { height, width } = await box(page);
  const stands = async (
    /** @type {Page} */ p,
    /** @type {number} */ id,
    /** @type {string} */ how,
  ) => {
    const b = await box(p);
    const m = await middle(p, id);
    assert.ok(
      Math.abs(b.height - height) < 1 && Math.abs(b.width - width) < 1, `${how}: size unchanged`,
    );
    assert.ok(Math.abs(b.x + b.width / 2 - m.x) < 2, `${how}: in the middle`);
    assert.ok(b.y > m.y && b.y < m.y + 90, `${how}: below`);
  };
  await page.keyboard.press('r');
  await still(page);
  await stands(page, knight.id, 'turned');
  await page.keyboard.press('g');
  await stands(page, knight.id, 'from the side');
  for (let i = 0; i < 5; i++) await page.keyboard.press('-');
  await stands(page, knight.id, 'from far');
  await page.keyboard.press('0');
  await carry(page, knight.id, { x: 0, y: -900 });
  await stands(page, knight.id, 'while it is held');
  await page.mouse.up();
  await piece(page, knight.id);
  await page.locator(`[data-piece="${knight.id}"][data-holder="0"]`).waitFor();
  await still(friend.page);
  await friend.page.waitForFunction(
    ({ id, y }) =>
      document.querySelector(`[data-piece="${id}"]`)?.getAttribute('data-y') !== String(y),
    { id: theirs.id, y: theirs.y },
  );
  await still(friend.page);
  await stands(friend.page, theirs.id, 'at the other side');
});

test('C14 a remark opens by its sign; spectators read and change nothing', async (t) => {
  const { host, friend, join, invites } = await party(t);
  const cleo = await join('Cleo', invites.spectator);
  const bishop = await named(host.page, 'Black bishop');
  const dialog = await open(host.page, bishop.id, 'Shift+M');
  await dialog.getByLabel('Comment').fill('Took three pawns.\nBeware.');
  await dialog.getByRole('button', { name: 'Save' }).click();

  await cleo.page.locator('.mark-sign').click();
  const read = cleo.page.getByRole('dialog', { name: 'Comment on the black bishop' });
  await read.getByText('Took three pawns.\nBeware.').waitFor();
  assert.equal(await read.getByRole('textbox').count(), 0);
  await cleo.page.keyboard.press('Escape');
  await read.waitFor({ state: 'detached' });
  const theirs = await same(cleo.page, bishop);
  for (const key of ['Shift+L', 'Shift+T']) {
    await focus(cleo.page, theirs.id);
    await cleo.page.keyboard.press(key);
    await seen(cleo.page, /You are watching\./);
  }
  await open(cleo.page, theirs.id, 'Shift+M'); // by keys

  await friend.page.locator('.mark-sign').click();
  const changed = friend.page.getByRole('dialog').getByLabel('Comment');
  assert.equal(await changed.inputValue(), 'Took three pawns.\nBeware.');
  await changed.fill('Took four.');
  await friend.page.getByRole('button', { name: 'Save' }).click();
  await read.getByText('Took four.').waitFor(); // while it is open
  await host.page
    .locator('[data-live]', { hasText: 'There is a new comment on the black bishop.' })
    .first()
    .waitFor({ state: 'attached' });
  await friend.page.locator('.mark-sign').click();
  await friend.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  for (const p of [host.page, friend.page, cleo.page])
    await p.locator('.mark-sign').waitFor({ state: 'detached' });
});

test('a dialog closed without changes writes nothing', async (t) => {
  const { host, friend } = await party(t);
  const { page } = host;
  const [knight, king] = await Promise.all(
    ['White knight', 'White king'].map((name) => named(page, name)),
  );
  const theirs = await same(friend.page, knight);
  await label(page, knight.id, 'Guard');
  await label(page, king.id, 'Crown');
  await page.keyboard.press('x');
  await focus(page, knight.id);
  await page.keyboard.press('x');
  for (const key of ['Shift+L', 'Shift+M']) {
    await page.keyboard.press(key);
    await page.getByRole('dialog').locator('[type="submit"]').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.keyboard.press('Escape');
  const dialog = await open(page, knight.id, 'Shift+L');
  await label(friend.page, theirs.id, 'Ben’s');
  await labelled(page, knight.id, /labelled “Ben’s”, /);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await label(page, king.id, 'Crowned'); // this comes after everything else
  await labelled(friend.page, (await same(friend.page, king)).id, /labelled “Crowned”, /);
  await labelled(friend.page, theirs.id, /labelled “Ben’s”, /);
});

test('the writer of a remark hears of changes and of a piece that is gone', async (t) => {
  const { host, friend } = await party(t);
  const bishop = await named(host.page, 'Black bishop');
  const theirs = await same(friend.page, bishop);
  const dialog = await open(host.page, bishop.id, 'Shift+M');
  const area = dialog.getByLabel('Comment');
  await area.fill('Mine');
  await (await open(friend.page, theirs.id, 'Shift+M')).getByLabel('Comment').fill('Theirs');
  await friend.page.getByRole('button', { name: 'Save' }).click();
  await dialog
    .getByText('Somebody has just written “Theirs” here. Save to replace it with yours.')
    .waitFor();
  assert.equal(await area.inputValue(), 'Mine');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await open(friend.page, theirs.id, 'Shift+M');
  await friend.page.waitForFunction(() => document.querySelector('textarea')?.value === 'Mine');
  await friend.page.keyboard.press('Escape');

  await (await open(host.page, bishop.id, 'Shift+L')).getByLabel('Label').fill('Lost');
  await focus(friend.page, theirs.id);
  await friend.page.keyboard.press('Delete');
  await sayYes(friend.page);
  await host.page.locator(`[data-piece="${bishop.id}"]`).waitFor({ state: 'detached' });
  await host.page.keyboard.press('Enter');
  await alarmed(host.page, /That piece is gone, so nothing was written on it\./);
});

test('C15 writing on a card is dropped when the card goes into a hand', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const { page } = host;
  const id = await loosePile(page, 1);
  const card = await piece(page, id);
  await label(page, id, 'Marked');
  await sign(friend.page, 'Marked').waitFor();
  await still(page);
  const from = await middle(page, id);
  const to = await middle(page, (await myHand(page)).id);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.mouse.up(); // it has another name then (T21)
  await page.locator('[data-piece][aria-label*=" in your hand"]').first().waitFor();
  for (const p of [page, friend.page]) {
    await sign(p, 'Marked').waitFor({ state: 'detached' });
    await p.locator('[data-piece][aria-label*="labelled"]').waitFor({ state: 'detached' });
  }
  assert.deepEqual([card.x, card.y], [CLEAR.x, CLEAR.y]);
  assert.equal(
    await alarms(page), '', 'nobody gets a notice of a loss: this is intended',
  );
});

test('C15 late writing does not land on a card that left the hand', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const { page } = host;
  const hand = await myHand(page);
  await ask(page, { op: 'draw', piece: (await deck(page)).id, n: 1, x: hand.x, y: hand.y });
  const card = page.locator('[data-piece][aria-label*=" in your hand"]').first();
  await card.waitFor();
  const id = Number(await card.getAttribute('data-piece'));
  const seen = Number(await friend.page.locator('main#table').getAttribute('data-pieces'));
  let go = () => {};
  const opened = new Promise((done) => {
    go = () => done(null);
  });
  await page.route(/\/components\?/, async (route) => {
    await opened;
    await route.continue();
  });
  const posted = page.waitForRequest(/\/components\?/);
  await label(page, id, 'My best one');
  await posted;
  await still(page);
  const from = await middle(page, id);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  const to = await away(page, from, { x: CLEAR.x - hand.x, y: CLEAR.y - hand.y });
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.mouse.up();
  await friend.page.locator(`main#table[data-pieces="${seen + 1}"]`).waitFor();
  await alarmed(page, /A label could not be saved: what it was for is not there any more\./);

  const judged = page.waitForResponse(/\/components\?/);
  go();
  assert.equal((await judged).status(), 204);
  await label(page, (await deck(page)).id, 'Deck');
  for (const p of [page, friend.page]) {
    await sign(p, 'Deck').waitFor();
    await p.waitForFunction(() => document.querySelectorAll('.mark').length === 1);
  }
});

for (const [device, context] of Object.entries({ desktop, phone })) {
  test(`axe passes for labels and remarks on a ${device}`, async (t) => {
    const { host } = await party(t, { game: 'tokens', host: context });
    const { page } = host;
    const counter = await named(page, 'Counter');
    for (const [
      key, finish,
    ] of /** @type {[string, (d: import('playwright-core').Locator) => Promise<void>][]} */ ([
      [
        'Shift+L',
        async (d) => {
          await d.getByLabel('Label').fill('Round');
          await page.keyboard.press('Enter');
        },
      ],
      ['Shift+T', async (d) => d.getByRole('radio', { name: /^blue/ }).click()],
      [
        'Shift+M',
        async (d) => {
          await d.getByLabel('Comment').fill('Up to ten.');
          await d.getByRole('button', { name: 'Save' }).click();
        },
      ],
    ])) {
      const d = await open(page, counter.id, key);
      assert.deepEqual(await barriers(page), [], `the dialog of ${key}`);
      await finish(d);
      await d.waitFor({ state: 'detached' });
    }
    await labelled(page, counter.id, /labelled “Round”, coloured blue, with a comment/);
    assert.deepEqual(await barriers(page), []);
    await still(page);
    const value = await page.locator(`[data-piece="${counter.id}"] .inscription`).boundingBox();
    const text = await sign(page, 'Round').boundingBox();
    assert.ok(value && text && text.y >= value.y + value.height / 2, 'the value is not covered');
    await drag(page, counter.id, { x: 0, y: -300 });
  });
}
