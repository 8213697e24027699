// Boards: pieces snap to cells that have names, arrow keys move by cells, captured pieces go to the
// tray, the last move is marked, and chessmen stand upright for both sides.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { swipe } from './fingers.js';
import { desktop, party, phone } from './party.js';
import {
  dragTo, eventually, focus, middle, named, piece, pieces, said, same, still, tilt, until,
} from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./party.js').Person} Person */

/** The side of a square of the chessboard, in table units. */
const SQUARE = 500;

/** Returns the middle of a square of chess, in table units. @param {string} name */
const square = (name) => ({
  x: (name.charCodeAt(0) - 'a'.charCodeAt(0)) * SQUARE - 1750,
  y: ('8'.charCodeAt(0) - name.charCodeAt(1)) * SQUARE - 1750,
});

/** Returns the piece on a square. @param {Page} page @param {string} name */
async function on(page, name) {
  const { x, y } = square(name);
  const found = (await pieces(page)).filter((p) => p.x === x && p.y === y);
  assert.equal(found.length, 1, `pieces on ${name}`);
  return found[0];
}

/**
 * Returns where the middle of a square is on the screen.
 *
 * @param {Page} page
 * @param {string} name
 */
async function screen(page, name) {
  const a = await on(page, 'a1');
  const h = await on(page, 'h8');
  const from = await middle(page, a.id);
  const to = await middle(page, h.id);
  const part = {
    x: (name.charCodeAt(0) - 'a'.charCodeAt(0)) / 7,
    y: (name.charCodeAt(1) - '1'.charCodeAt(0)) / 7,
  };
  return { x: from.x + (to.x - from.x) * part.x, y: from.y + (to.y - from.y) * part.y };
}

/** Closes the hint for newcomers. @param {Person} person */
async function read({ page }) {
  await page.getByRole('button', { name: 'Got it' }).click();
}

for (const [device, context] of Object.entries({ desktop, phone })) {
  test(`chess snaps to named squares and captures on a ${device}`, async (t) => {
    const { host, friend } = await party(t, { game: 'chess', friend: context });
    for (const person of [host, friend]) await read(person);
    /** @type {(person: Person, from: string, to: string) => Promise<void>} */
    const move = async ({ page }, from, to) => {
      const p = await on(page, from);
      const goal = await screen(page, to);
      const at = { x: goal.x + 4, y: goal.y - 3 };
      if (page === friend.page && device === 'phone') {
        await still(page);
        await swipe(page, [{ from: await middle(page, p.id), to: at }]);
      } else await dragTo(page, p.id, at);
      const put = await until(page, p.id, { ...square(to), holder: 0 });
      for (const other of [host, friend]) await same(other.page, put);
    };
    await move(host, 'e2', 'e4');
    await move(friend, 'd7', 'd5');
    assert.ok(
      await eventually(host.page, async () =>
        (await said(host.page)).includes('Ben moved the black pawn from d7 to d5.')),
    );
    const taken = await on(host.page, 'd5');
    const corner = await screen(friend.page, 'a1');
    await move(host, 'e4', 'd5');
    assert.ok(
      await eventually(friend.page, async () =>
        (await said(friend.page)).includes(
          'Ada moved the white pawn from e4 to d5; it took the black pawn.',
        )),
    );
    const { x, y } = await piece(host.page, taken.id);
    assert.ok(x > 2500 && y > 800, `the captured pawn lies at ${x}, ${y}, in White's tray`);
    for (const { page } of [host, friend]) {
      await same(page, { ...taken, x, y });
      assert.equal(await page.locator('.last-move').count(), 2, 'two squares are marked');
    }
    // Ben has dragged this pawn last, so it has his focus; his view stays where it is.
    assert.deepEqual(await screen(friend.page, 'a1'), corner);
    const label = await host.page.locator(`[data-piece="${taken.id}"]`).getAttribute('aria-label');
    assert.doesNotMatch(label ?? '', /d5/);
    for (const { page } of [host, friend])
      assert.deepEqual(await barriers(page), [], 'axe finds nothing');
    // The capture is one gesture (T62): one undo brings both pawns back.
    const captor = await on(host.page, 'd5');
    await host.page.getByRole('button', { name: 'Undo' }).click();
    for (const { page } of [host, friend]) {
      await until(page, captor.id, { ...square('e4'), holder: 0 });
      await same(page, taken);
    }
    const back = 'Ada moved the white pawn back from d5 to e4; the black pawn is on d5 again.';
    assert.ok(await eventually(friend.page, async () => (await said(friend.page)).includes(back)));
  });
}

test('of a stone from a bowl the cell is marked where it lies', async (t) => {
  const { host, friend } = await party(t, { game: 'go' });
  await read(host);
  const { page } = host;
  const bowl = await named(page, 'Black stones');
  const board = await named(page, 'Board');
  for (const away of [0, 120]) {
    const { x, y } = await middle(page, board.id);
    await dragTo(page, bowl.id, { x: x + away, y });
    for (const who of [host, friend]) {
      const marks = who.page.locator('.last-move');
      const isMarked = async () => (await marks.count()) === 1;
      assert.ok(await eventually(who.page, isMarked), `${await marks.count()} cells are marked`);
    }
  }
});

test('arrow keys move a held chessman from square to square', async (t) => {
  const { host, friend } = await party(t, { game: 'chess' });
  await read(friend);
  const { page } = friend;
  const knight = await on(page, 'g8');
  await focus(page, knight.id);
  await page.keyboard.press('Enter');
  await until(page, knight.id, { holder: 2 });
  // Ben looks from the other side: his right is towards a.
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  await until(page, knight.id, { ...square('f6'), holder: 0 });
  const heard = await said(page);
  for (const text of ['g7', 'g6', 'f6', 'You put down the black knight, f6.'])
    assert.ok(heard.includes(text), `${text} was said: ${heard}`);
  await same(host.page, { ...knight, ...square('f6') });
});

test('a capture by keys is said to its player, and pieces put down together stay', async (t) => {
  const { host } = await party(t, { game: 'chess' });
  const { page } = host;
  await read(host);
  /** @type {(from: string, keys: string[]) => Promise<string>} */
  const walk = async (from, keys) => {
    await focus(page, (await on(page, from)).id);
    for (const key of ['Enter', ...keys, 'Enter']) await page.keyboard.press(key);
    await still(page);
    return said(page);
  };
  const up = 'ArrowUp';
  const pawns = [(await on(page, 'd7')).id, (await on(page, 'e7')).id];
  for (const from of ['d2', 'e2']) {
    const heard = await walk(from, [up, up, up, up, up]);
    assert.ok(heard.includes('The white pawn took the black pawn.'), heard);
  }
  const [left, right] = await Promise.all(pawns.map((id) => piece(page, id)));
  assert.deepEqual([right.x - left.x, right.y - left.y], [280, 0], 'they lie side by side');
  for (const id of pawns) {
    await focus(page, id);
    await page.keyboard.press('x');
  }
  const goal = await screen(page, 'e4');
  const side = (await screen(page, 'f4')).x - goal.x;
  await dragTo(page, left.id, { x: goal.x - 0.4 * side, y: goal.y });
  for (const id of pawns) await until(page, id, { ...square('e4'), holder: 0 });
});

test('chessmen stand upright for both sides, and can still be laid down', async (t) => {
  const { friend } = await party(t, { game: 'chess' });
  const { page } = friend;
  await read(friend);
  const king = await named(page, 'White king');
  await page.locator('main#table[data-turn="180"]').waitFor();
  assert.equal(await tilt(page, king.id), 0, 'from the other side');
  const label = () => page.locator(`[data-piece="${king.id}"]`).getAttribute('aria-label');
  assert.equal(await label(), 'White king, e1');
  await focus(page, king.id);
  await page.keyboard.press('r');
  await until(page, king.id, { angle: 1500 });
  await still(page);
  assert.equal(await tilt(page, king.id), 15, 'turned by 15 degrees');
  assert.equal(await label(), 'White king, turned 15 degrees, e1');
});

test('draughts snaps to the numbered squares only', async (t) => {
  const { host } = await party(t, { game: 'draughts' });
  const { page } = host;
  await read(host);
  const man = (await pieces(page)).find((p) => p.x === -1750 && p.y === 750);
  assert.ok(man, 'a man stands on 21');
  const from = await middle(page, man.id);
  const next = (await pieces(page)).find((p) => p.x === -750 && p.y === 750);
  assert.ok(next);
  const side = ((await middle(page, next.id)).x - from.x) / 2;
  await dragTo(page, man.id, { x: from.x + side + 5, y: from.y - side + 4 });
  await until(page, man.id, { x: -1250, y: 250, holder: 0 });
  await still(page);
  const label = await page.locator(`[data-piece="${man.id}"]`).getAttribute('aria-label');
  assert.match(label ?? '', /, 17$/);
  const at = await middle(page, man.id);
  await dragTo(page, man.id, { x: at.x + side, y: at.y + 5 });
  const put = await until(page, man.id, { holder: 0 });
  assert.notEqual(put.y % 250, 0, 'a light square is no cell');
});

test('G23.1 nobody reaches or hears what a table has and does not show', async (t) => {
  const { host } = await party(t, { game: 'chess960' });
  const { page } = host;
  await named(page, 'White king');
  assert.ok(await page.locator('.piece.unseen').count() > 20, 'zones for the draw, and blanks');
  const said = await page.locator('main').ariaSnapshot();
  assert.match(said, /White king/);
  assert.doesNotMatch(said, /Files a and b|First 1 of the draw|Blank/);
});
