// Others see what happens between grabbing a piece and putting it down while it happens, and also
// where people point.

import assert from 'node:assert/strict';
import test from 'node:test';
import { browser } from './browser.js';
import { cardsInHand, drawIntoHand, myHand, showHandItself } from './cards.js';
import { holdTimers } from './fingers.js';
import { atTable, desktop, party, phone } from './party.js';
import {
  agree, eventually, focus, frame, middle, named, piece, pieces, same, still, until,
} from './pieces.js';
import { eventsReceived } from './secrets.js';
import {
  blindness, carryAlong, follow, FRAME, glide, landing, ofPiece, steps, straightness, swipeAlong,
  whilePointing,
} from './trails.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./party.js').Person} Person */
/** @typedef {import('./trails.js').Sight} Sight */

/** The way of a drag, in CSS pixels. */
const WAY = { x: 260, y: -160 };

/**
 * The white pawn on the left, on both pages, when nothing moves.
 *
 * @param {Person} host
 * @param {Person} friend
 */
async function pawn(host, friend) {
  const mine = await named(host.page, 'White pawn');
  const theirs = await same(friend.page, mine);
  await still(host.page);
  await still(friend.page);
  return { mine, theirs };
}

/**
 * Puts down the held piece, and waits until the other page shows it there.
 *
 * @param {Page} from
 * @param {number} mine
 * @param {Page} to
 * @param {number} theirs
 */
async function putDown(from, mine, to, theirs) {
  await from.mouse.up();
  const put = await until(from, mine, { holder: 0 });
  await until(to, theirs, { x: put.x, y: put.y, holder: 0 });
  await still(to);
}

/**
 * Checks that a piece was shown all along a straight way. It may move a third of the way in a
 * frame: the fastest glide, of 150 ms (parts/motion/remote.js), begins like that if all of the way
 * is left.
 *
 * @param {Sight[]} trail
 * @param {import('./pieces.js').Point} way
 */
function smooth(trail, way) {
  const { back, aside, leap } = straightness(trail, way);
  assert.ok(back < 1, `it never goes back by more than ${back} px`);
  assert.ok(aside < 2, `it strays from the line by ${aside} px`);
  assert.ok(
    leap < Math.hypot(way.x, way.y) / 3, `it jumps by ${leap} px in a frame`,
  );
}

test('S12 a drag is seen under way, and the piece does not jump at its end', async (t) => {
  const { host, friend } = await party(t);
  const { mine, theirs } = await pawn(host, friend);
  const ended = await follow(friend.page, [ofPiece(theirs.id)]);
  await carryAlong(host.page, mine.id, WAY, 40, [friend.page]);
  await putDown(host.page, mine.id, friend.page, theirs.id);
  const [trail] = await ended();
  const held = trail.filter((s) => s.holder > 0);
  assert.ok(steps(held) >= 20, `it was seen in ${steps(held)} places before the release`);
  smooth(trail, WAY);
  assert.ok(held.filter((s) => s.lifted).length >= 20, 'it was seen off the table');
  const end = trail[trail.length - 1];
  assert.ok(
    !end.lifted && Math.hypot(end.x - trail[0].x - WAY.x, end.y - trail[0].y - WAY.y) < 2,
    'it lies where it was released',
  );
});

test('S12 a piece released in full swing glides to its place', async (t) => {
  const { host, friend } = await party(t);
  const { mine, theirs } = await pawn(host, friend);
  let sharp = 0;
  for (let time = 0; sharp < 2 && time < 8; time++) {
    const way = time % 2 === 0 ? WAY : { x: -WAY.x, y: -WAY.y };
    const ended = await follow(friend.page, [ofPiece(theirs.id)]);
    await carryAlong(host.page, mine.id, way, 8);
    await putDown(host.page, mine.id, friend.page, theirs.id);
    const [trail] = await ended();
    if (blindness(trail) > 2.1 * FRAME) continue; // a busy machine left frames out: look again
    sharp++;
    smooth(trail, way);
    const last = landing(trail);
    assert.ok(
      last < Math.hypot(way.x, way.y) / 16,
      `it comes to rest: its last step is ${last} px in a frame`,
    );
  }
  t.diagnostic(`seen in frames without gaps ${sharp} times`);
});

test('S12 motion changes no recorded state before the release', async (t) => {
  const { server, host, friend, table, invites } = await party(t);
  const { mine, theirs } = await pawn(host, friend);
  await carryAlong(host.page, mine.id, WAY);
  await friend.page.waitForFunction(
    (e) => (document.querySelector(e)?.getBoundingClientRect().left ?? 0) > 600, ofPiece(theirs.id),
  );
  const now = await piece(friend.page, theirs.id);
  assert.deepEqual([now.x, now.y], [theirs.x, theirs.y]);
  const seat = await server.call('POST', `/api/v1/tables/${table}/seats`, {
    invite: invites.player.split('/').at(-1), nick: 'Cleo',
  });
  const { pieces: read } = await server.read(table, seat.json.token);
  const there = read.filter(
    (/** @type {any} */ p) => p.x === mine.x && p.y === mine.y && p.holder > 0,
  );
  assert.equal(there.length, 1, 'the server has it at its first place');
  await putDown(host.page, mine.id, friend.page, theirs.id);
});

test('S12 pieces dragged together keep their arrangement in every frame', async (t) => {
  const { host, friend } = await party(t);
  const pawns = (await pieces(host.page))
    .filter((p) => p.label.startsWith('White pawn'))
    .sort((a, b) => a.x - b.x);
  const theirs = [];
  for (const p of pawns) theirs.push((await same(friend.page, p)).id);
  const first = await middle(host.page, pawns[0].id);
  const last = await middle(host.page, pawns[7].id);
  const half = (last.x - first.x) / 14;
  await host.page.mouse.move(first.x - half, first.y - half);
  await host.page.mouse.down();
  await host.page.mouse.move(last.x + half * 0.9, last.y + half * 0.9, { steps: 4 });
  await host.page.mouse.up();
  await host.page.waitForFunction(() => document.querySelectorAll('.piece.selected').length === 8);

  await still(friend.page);
  const ended = await follow(friend.page, theirs.map(ofPiece));
  await carryAlong(host.page, pawns[3].id, { x: 40, y: -140 }, 40, [friend.page]);
  await putDown(host.page, pawns[3].id, friend.page, theirs[3]);
  const trails = await ended();
  const length = Math.min(...trails.map((trail) => trail.length));
  assert.ok(steps(trails[0]) >= 20);
  for (let i = 0; i < length; i++) {
    for (const trail of trails) {
      const bent = Math.hypot(
        trail[i].x - trail[0].x - (trails[0][i].x - trails[0][0].x),
        trail[i].y - trail[0].y - (trails[0][i].y - trails[0][0].y),
      );
      assert.ok(bent < 1.5, `in frame ${i} one piece is off by ${bent} px`);
    }
  }
});

test('S12 a stall amid a drag stops the piece, which then goes on', async (t) => {
  const { host, friend } = await party(t, { links: true });
  const { mine, theirs } = await pawn(host, friend);
  const ended = await follow(friend.page, [ofPiece(theirs.id)]);
  await carryAlong(host.page, mine.id, { x: WAY.x / 2, y: WAY.y / 2 }, 20);
  friend.link?.hold('down');
  const from = await middle(host.page, mine.id);
  await glide(host.page, from, { x: from.x + WAY.x / 4, y: from.y + WAY.y / 4 }, 10);
  friend.link?.release();
  await glide(
    host.page, { x: from.x + WAY.x / 4, y: from.y + WAY.y / 4 },
    { x: from.x + WAY.x / 2, y: from.y + WAY.y / 2 }, 20,
  );
  await putDown(host.page, mine.id, friend.page, theirs.id);
  const [trail] = await ended();
  smooth(trail, WAY);
});

test('S12 a newcomer sees a dragged piece where it is', async (t) => {
  const { host, friend } = await party(t);
  const { mine, theirs } = await pawn(host, friend);
  const from = await middle(friend.page, theirs.id);
  await carryAlong(host.page, mine.id, WAY);
  await friend.page.reload();
  await atTable(friend.page);
  await friend.page.waitForFunction(
    ({ e, x, y }) => {
      const r = document.querySelector(e)?.getBoundingClientRect();
      return r && Math.hypot(r.left + r.width / 2 - x, r.top + r.height / 2 - y) < 3;
    },
    { e: `${ofPiece(theirs.id)}.lifted`, x: from.x + WAY.x, y: from.y + WAY.y },
  );
  await putDown(host.page, mine.id, friend.page, theirs.id);
});

test('S12 a piece carried by keys is seen under way', async (t) => {
  const { host, friend } = await party(t);
  const { mine, theirs } = await pawn(host, friend);
  await focus(host.page, mine.id);
  await host.page.keyboard.press('Enter');
  await until(friend.page, theirs.id, { holder: 1 });
  const ended = await follow(friend.page, [ofPiece(theirs.id)]);
  for (let i = 0; i < 30; i++) {
    await host.page.keyboard.press('ArrowUp');
    await Promise.all([host.page, friend.page].map(frame));
  }
  await host.page.keyboard.press('Enter');
  const put = await until(host.page, mine.id, { holder: 0 });
  await until(friend.page, theirs.id, { x: put.x, y: put.y, holder: 0 });
  await still(friend.page);
  const [trail] = await ended();
  const held = trail.filter((s) => s.holder > 0);
  assert.ok(steps(held) >= 10, `it was seen in ${steps(held)} places before the release`);
  const { back } = straightness(trail, { x: 0, y: -1 });
  assert.ok(back < 1, `it goes back by ${back} px`);
});

test('S12 a drag by a finger is seen under way', async (t) => {
  const { host, friend } = await party(t, { friend: phone });
  const { mine, theirs } = await pawn(friend, host);
  const by = { x: 60, y: -120 };
  const ended = await follow(host.page, [ofPiece(theirs.id)]);
  await swipeAlong(
    friend.page, await middle(friend.page, mine.id), by,
    () => host.page.locator(`${ofPiece(theirs.id)}.lifted`).waitFor(), [host.page],
  );
  const put = await until(friend.page, mine.id, { holder: 0 });
  await until(host.page, theirs.id, { x: put.x, y: put.y, holder: 0 });
  await still(host.page);
  const [trail] = await ended();
  const held = trail.filter((s) => s.holder > 0);
  assert.ok(steps(held) >= 15, `it was seen in ${steps(held)} places before the release`);
  const end = trail[trail.length - 1];
  smooth(trail, { x: end.x - trail[0].x, y: end.y - trail[0].y });
});

test('S12 with reduced motion a piece shows at intervals', async (t) => {
  const { host, friend } = await party(t, { friend: { reducedMotion: 'reduce' } });
  const { mine, theirs } = await pawn(host, friend);
  const ended = await follow(friend.page, [ofPiece(theirs.id)]);
  await carryAlong(host.page, mine.id, WAY, 60, [friend.page]);
  await putDown(host.page, mine.id, friend.page, theirs.id);
  const [trail] = await ended();
  const seconds = (trail[trail.length - 1].at - trail[0].at) / 1000;
  assert.ok(
    steps(trail) >= 3 && steps(trail) <= 5 * seconds,
    `it was seen in ${steps(trail)} places in ${seconds} s`,
  );
  assert.ok(straightness(trail, WAY).back < 1);
});

test('S12 a drag in a hand is sent only to other windows of its owner', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  for (let n = 0; n < 3; n++) await drawIntoHand(host.page);
  await agree(host.page, friend.page);
  // A window of its own, with the same cookies: of two tabs in one window Chromium draws one only
  // once a second.
  const context = await (await browser()).newContext({
    ...desktop, storageState: await host.page.context().storageState(),
  });
  t.after(() => context.close());
  const window = await context.newPage();
  await window.goto(host.page.url());
  await atTable(window);

  const before = motionsTo(friend).length;
  await still(host.page);
  await still(window);
  await showHandItself(host.page);
  const [card, , last] = await cardsInHand(host.page);
  const way = (await middle(host.page, last.id)).x - (await middle(host.page, card.id)).x + 20;
  const ended = await follow(window, [ofPiece(card.id)]);
  await carryAlong(host.page, card.id, { x: way, y: 0 }, 30, [window]);
  await host.page.mouse.up();
  const put = await until(host.page, card.id, { holder: 0, x: last.x });
  assert.equal(put.y, card.y, 'it is still in the hand, now on the right');
  await until(window, card.id, { x: put.x, y: put.y, holder: 0 });
  await agree(host.page, friend.page);
  const [trail] = await ended();
  assert.ok(
    steps(trail.filter((s) => s.holder > 0)) >= 10, 'the owner sees it in the other window',
  );
  assert.equal(motionsTo(friend).length, before, 'nobody else received anything');
});

/** The events of motion and cursors that were sent to a person. @param {Person} person */
function motionsTo(person) {
  return eventsReceived(person).filter((e) => e.type === 'motions' || e.type === 'cursors');
}

/** The arrow of somebody else as it is shown. @param {Page} page */
const arrow = (page) => page.locator('[data-arrow]:not(.gone) .arrow-name');

test('S13.9 a cursor shows with a name until it rests for three seconds', async (t) => {
  const { host, friend } = await party(t);
  await friend.page.mouse.move(5, 5); // beside the table
  await host.page.mouse.move(400, 300);
  const looks = friend.page.waitForFunction(() => {
    const e = document.querySelector('[data-arrow]:not(.gone)');
    const r = e?.getBoundingClientRect();
    if (!e || !r || Math.hypot(r.left - 700, r.top - 420) > 2) return null;
    const name = e.querySelector('.arrow-name')?.textContent;
    return {
      name, isForEyes: e.closest('[aria-hidden="true"]') !== null,
      isInTheWay: document.elementFromPoint(701, 421)?.closest('[data-arrow]') !== null,
    };
  });
  await glide(host.page, { x: 400, y: 300 }, { x: 700, y: 420 }, 30);
  assert.deepEqual(await (await looks).jsonValue(), {
    name: 'Ada', isForEyes: true, isInTheWay: false,
  });
  assert.equal(await arrow(host.page).count(), 0, 'one’s own does not show');
  await friend.page.waitForFunction(() =>
    document.querySelector('[data-arrow]')?.classList.contains('gone'),
  );
});

test('S13 a cursor is upright and of one size at any turn and zoom', async (t) => {
  const { host, friend } = await party(t);
  const { page } = friend;
  const size = () =>
    whilePointing(host.page, async () => {
      await arrow(page).waitFor();
      await frame(page);
      return arrow(page).evaluate((e) =>
        [e.getBoundingClientRect().width, e.getBoundingClientRect().height].map(Math.round),
      );
    });
  const before = await size();
  for (const key of ['g', '+', '+', 'g']) {
    await page.keyboard.press(key);
    assert.deepEqual(await size(), before, `after ${key}`);
  }
});

test('S13.3 a player who carries something shows no cursor', async (t) => {
  const { host, friend } = await party(t);
  const { mine, theirs } = await pawn(host, friend);
  await holdTimers(friend.page, 3000); // it must not vanish because it rests
  await whilePointing(host.page, () => arrow(friend.page).waitFor());
  await carryAlong(host.page, mine.id, WAY, 10);
  await friend.page.waitForFunction(
    (e) => document.querySelector(e)?.classList.contains('lifted'), ofPiece(theirs.id),
  );
  await arrow(friend.page).waitFor({ state: 'detached' });
  await putDown(host.page, mine.id, friend.page, theirs.id);
});

test('S13.4 a cursor over one’s own hand is not sent', async (t) => {
  const { host, friend } = await party(t, { game: 'cards' });
  const hand = await middle(host.page, (await myHand(host.page)).id);
  await host.page.mouse.move(hand.x, hand.y);
  const before = motionsTo(friend).length;
  await glide(host.page, hand, { x: hand.x + 60, y: hand.y + 4 }, 20);
  // This was sent later and has arrived.
  await whilePointing(friend.page, () => arrow(host.page).waitFor());
  assert.equal(
    motionsTo(friend).length, before + motionsTo(friend).slice(before).filter(ofFriend).length,
  );
});

/**
 * Whether an event is about nobody but Ben, whose seat is the second.
 *
 * @param {import('../../static/js/types.js').FrameEvent} e
 */
const ofFriend = (e) => e.type === 'cursors' && e.ids.length === 1 && e.ids[0] === 2;

test('S13 others’ cursors can be turned off, and stay off', async (t) => {
  const { host, friend } = await party(t);
  const { page } = friend;
  await whilePointing(host.page, () => arrow(page).waitFor());
  await page.getByRole('button', { name: 'Hide other players’ pointers' }).click();
  assert.equal(await arrow(page).count(), 0);
  await page.reload();
  await atTable(friend.page);
  const told = motionsTo(friend).length;
  await whilePointing(host.page, async () => {
    assert.ok(await eventually(page, () => motionsTo(friend).length > told), 'it was received');
    await frame(page);
    assert.equal(await arrow(page).count(), 0, 'but not shown');
  });
  await page.getByRole('button', { name: 'Show other players’ pointers' }).click();
  await whilePointing(host.page, () => arrow(page).waitFor());
});
