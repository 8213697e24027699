// Sides of a game: the second player sits opposite, players swap sides, and what screen readers
// hear of a game of chess, for White and for Black.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { party, phone } from './party.js';
import { eventually, middle, named, piece, pieces, said, still, tilt, until } from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./party.js').Person} Person */

/** Closes the hint for newcomers. @param {Person} person */
async function read({ page }) {
  await page.getByRole('button', { name: 'Got it' }).click();
}

/** Waits until a page shows the table turned. @param {Person} who @param {number} turn */
async function turned({ page }, turn) {
  await page.locator(`main#table[data-turn="${turn}"]`).waitFor();
  await still(page);
}

/** Returns the names of the pieces on the screen, from above. @param {Person} who */
async function fromAbove({ page }) {
  const white = await named(page, 'White king');
  const black = await named(page, 'Black king');
  const [w, b] = [await middle(page, white.id), await middle(page, black.id)];
  return w.y < b.y ? ['White', 'Black'] : ['Black', 'White'];
}

/** Returns how the list of people shows somebody. @param {Person} who @param {string} nick */
async function row({ page }, nick) {
  const panel = page.getByRole('complementary', { name: 'People' });
  if (!(await panel.isVisible())) await page.locator('.crowd').click();
  return panel.locator('.seat', { hasText: nick }).locator('.seat-role').textContent();
}

/**
 * Returns the names of the pieces in the order in which a screen reader comes to them, from the
 * browser's own tree.
 *
 * @param {Person} who
 * @returns {Promise<string[]>}
 */
async function lines({ page }) {
  await still(page);
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const read = (/** @type {typeof nodes[0]|undefined} */ node) => {
    /** @type {string[]} */
    const heard = (node?.childIds ?? []).flatMap((id) => read(byId.get(id)));
    return node?.role?.value === 'button' && !node.ignored ? [node.name?.value, ...heard] : heard;
  };
  return read(nodes.find((node) => node.name?.value === 'Table: Chess'));
}

test('finding 2, T61.5: Black sits opposite, and one click swaps the sides', async (t) => {
  const { host, friend, invites, join } = await party(t, { game: 'chess', friend: phone });
  const watcher = await join('Cara', invites.spectator);
  for (const person of [host, friend, watcher]) await read(person);
  await turned(host, 0);
  await turned(friend, 180);
  await turned(watcher, 0);
  assert.deepEqual(await fromAbove(host), ['Black', 'White']);
  assert.deepEqual(await fromAbove(friend), ['White', 'Black'], 'Ben has Black below');
  for (const { id, kind } of await pieces(friend.page))
    if (kind >= 2 && kind <= 13) assert.equal(await tilt(friend.page, id), 0, `piece ${id}`);
  assert.equal(await row(host, 'Ada'), 'Host · White');
  assert.equal(await row(host, 'Ben'), 'Player · Black');
  assert.equal(await row(host, 'Cara'), 'Watching');

  // At the first press, and while somebody drags it, a pawn stands upright.
  const pawn = (await pieces(host.page)).find(({ x, y }) => x === -250 && y === -1250);
  assert.ok(pawn);
  const { page } = host;
  const at = await middle(page, pawn.id);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  assert.equal(await tilt(page, pawn.id), 0, 'pressed');
  await page.mouse.move(at.x + 40, at.y + 40, { steps: 4 });
  for (const { page: any } of [host, friend]) await until(any, pawn.id, { holder: 1 });
  assert.equal(await tilt(page, pawn.id), 0, 'dragged');
  assert.equal(await tilt(friend.page, pawn.id), 0, 'held by somebody else');
  await page.mouse.up();

  await host.page.keyboard.press('Escape');
  const view = host.page.getByRole('toolbar', { name: 'View' });
  await view.getByRole('button', { name: 'Swap sides' }).click();
  await turned(host, 180);
  await turned(friend, 0);
  assert.equal(await row(host, 'Ben'), 'Player · White');
  assert.ok((await said(host.page)).includes('You play Black now.'));
  assert.ok((await said(friend.page)).includes('You play White now.'));
  await turned(watcher, 0);
  assert.equal(await watcher.page.getByRole('button', { name: 'Swap sides' }).isVisible(), false);
  assert.deepEqual(await barriers(host.page), [], 'axe finds nothing');

  // Each comes back to their own side, and may still turn the table.
  assert.equal(await row(friend, 'Ben'), 'Player · White');
  await friend.page.getByRole('button', { name: 'Swap sides' }).click();
  await turned(friend, 180);
  await turned(host, 0);
  await host.page.reload();
  await turned(host, 0);
  await friend.page.reload();
  await turned(friend, 180);
  await host.page.keyboard.press('g');
  await turned(host, 90);
});

test('finding 10: five plies of an opening take 25 keys', async (t) => {
  const { host, friend } = await party(t, { game: 'chess' });
  for (const person of [host, friend]) await read(person);
  let keys = 0;
  const press = async (/** @type {Page} */ page, /** @type {string} */ key) => {
    keys++;
    await page.keyboard.press(key);
  };
  /** @type {(who: Person, from: string, to: string) => Promise<void>} */
  const move = async ({ page }, from, to) => {
    for (const key of [...from, 'Enter', ...to]) await press(page, key);
    const heard = `, ${to}.`;
    assert.ok(
      await eventually(page, async () => (await said(page)).includes(heard)), `${heard} was said`,
    );
  };
  await move(host, 'e2', 'e4');
  await move(friend, 'e7', 'e5');
  await move(host, 'g1', 'f3');
  await move(friend, 'b8', 'c6');
  await move(host, 'f1', 'b5');
  assert.ok(keys <= 25, `${keys} keys`);
  assert.ok(
    await eventually(friend.page, async () =>
      (await said(friend.page)).includes('Ada moved the white bishop from f1 to b5.')),
  );
  assert.equal(await friend.page.locator('.last-move').count(), 2, 'the last move is marked');

  // Arrows go from piece to piece by lines of squares, and not to the board.
  const { page } = friend;
  const focus = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  for (const [key, label] of [
    ['ArrowUp', 'White pawn, c2'], ['ArrowLeft', 'White pawn, d2'],
    ['ArrowUp', 'White queen, d1'], ['ArrowLeft', 'White king, e1'],
    ['ArrowDown', 'White pawn, e4'], ['ArrowDown', 'Black pawn, e5'],
  ]) {
    await page.keyboard.press(key);
    assert.equal(await focus(), label, key);
  }
  // One plain arrow moves a held pawn by a square.
  for (const key of ['d', '7', 'Enter', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  assert.ok(
    await eventually(page, async () =>
      (await pieces(page)).some(({ x, y }) => x === -250 && y === -750)),
    'a pawn stands on d6',
  );
  // A letter means what it means elsewhere when it is pressed twice.
  await page.keyboard.press('g');
  await turned(friend, 180);
  await page.keyboard.press('g');
  await turned(friend, 270);
});

test('finding 11: a game of chess reads like one, for White and for Black', async (t) => {
  const { host, friend } = await party(t, { game: 'chess' });
  for (const person of [host, friend]) await read(person);
  const row = (/** @type {string} */ colour, /** @type {number} */ n) =>
    ['rook', 'knight', 'bishop', 'queen', 'king', 'bishop', 'knight', 'rook'].map(
      (man, i) => `${colour} ${man}, ${'abcdefgh'[i]}${n}`,
    );
  const pawns = (/** @type {string} */ colour, /** @type {number} */ n) =>
    [...'abcdefgh'].map((file) => `${colour} pawn, ${file}${n}`);
  const start = [
    ...row('Black', 8), ...pawns('Black', 7), ...pawns('White', 2), ...row('White', 1),
  ];
  const boards = (/** @type {string[]} */ places) => [
    'Chessboard, locked, in the middle',
    ...places.map((place) => `Tray, locked, ${place}`),
  ];
  const left = ['31 cm left, 16 cm up', '31 cm left, 16 cm down'];
  const right = ['31 cm right, 16 cm up', '31 cm right, 16 cm down'];
  const queens = ['Black queen, in the tray', 'White queen, in the tray'];
  const clock = (/** @type {string[]} */ sides, /** @type {string} */ place) =>
    `Chess clock, ${sides.map((side) => `${side} side 5 minutes`).join(', ')}, pinned, ${place}`;
  assert.deepEqual(await lines(host), [
    ...boards([...left, ...right]), ...start,
    queens[0], clock(['lower', 'upper'], '31 cm right'), queens[1],
  ]);
  assert.deepEqual(await lines(friend), [
    ...boards([...right.toReversed(), ...left.toReversed()]), ...start.toReversed(),
    queens[1], clock(['upper', 'lower'], '31 cm left'), queens[0],
  ]);

  // 1. e4 d5 2. exd5: pieces stay in the order of their squares, and captures are said.
  const play = async (/** @type {Person} */ { page }, /** @type {string} */ keys) => {
    for (const key of keys.split(' ')) await page.keyboard.press(key);
  };
  const taken = (await pieces(host.page)).find(({ x, y }) => x === -250 && y === -1250);
  assert.ok(taken);
  await play(host, 'e 2 Enter e 4');
  await play(friend, 'd 7 Enter d 5');
  await until(host.page, taken.id, { x: -250, y: -250, holder: 0 });
  await play(host, 'e 4 Enter d 5');
  assert.ok(
    await eventually(friend.page, async () =>
      (await said(friend.page)).includes(
        'Ada moved the white pawn from e4 to d5; it took the black pawn.')),
  );
  const after = start.filter((line) => !/, (d7|e2)$/.test(line));
  after.splice(after.indexOf('White pawn, a2'), 0, 'White pawn, d5');
  for (const [who, want] of /** @type {const} */ ([[host, after], [friend, after.toReversed()]])) {
    const heard = (await lines(who)).filter((line) => /, [a-h][1-8]$/.test(line));
    assert.deepEqual(heard, want);
  }
  const label = await friend.page.locator(`[data-piece="${taken.id}"]`).getAttribute('aria-label');
  assert.equal(label, 'Black pawn, in the tray');
  assert.ok((await piece(host.page, taken.id)).y > 800, 'it lies in the tray of White');
  for (const { page } of [host, friend])
    assert.deepEqual(await barriers(page), [], 'axe finds nothing');
});
