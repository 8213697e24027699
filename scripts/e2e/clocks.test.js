// Clocks on the table: a press starts a clock on every screen, and nothing is sent while it runs.

import assert from 'node:assert/strict';
import test from 'node:test';
import { written } from '../../static/js/sync/clock.js';
import { decodeFrame } from '../../static/js/net/wire.js';
import { barriers } from './axe.js';
import { atTable, desktop, party, phone } from './party.js';
import {
  drag, eventually, focus, frame, labelled, middle, named, same, said, scale, seen, still, until,
} from './pieces.js';
import { eventsReceived } from './secrets.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./party.js').Person} Person */

/** The display of a side of a clock. @param {Page} page @param {number} id @param {number} side */
const display = (page, id, side) =>
  page.locator(`[data-piece="${id}"] > .dial[data-side="${side}"]`);

/**
 * First bytes of messages that have nothing to do with the test: they request the server's time, or
 * contribute to its randomness.
 */
const ASIDE = [0x12, 0x32, 0x3a]; // fields 2, 6 and 7 of Up

/**
 * The numbers of the updates of a person that the server has acknowledged.
 *
 * @param {Person} person
 */
const acked = (person) => eventsReceived(person).flatMap((e) => (e.type === 'ack' ? [e.seq] : []));

/** The toolbar for the selection. @param {Page} page */
const tools = (page) => page.getByRole('toolbar', { name: 'What to do with the selection' });

/** The chess clock on both pages. @param {{host: Person, friend: Person}} people */
async function chessClock({ host, friend }) {
  const clock = await named(host.page, 'Chess clock');
  return { here: clock.id, there: (await same(friend.page, clock)).id };
}

/**
 * Waits until a side of a clock is lit, as while it runs, or is not.
 *
 * @param {Page} page
 * @param {number} id
 * @param {number} side
 * @param {boolean} lit
 */
async function lit(page, id, side, lit) {
  await page.waitForFunction(
    ({ id, side, lit }) =>
      document
        .querySelector(`[data-piece="${id}"] > .dial[data-side="${side}"]`)
        ?.classList.contains('running') === lit,
    { id, side, lit },
  );
}

/**
 * What a display shows, in milliseconds, and when it was read.
 *
 * @param {Page} page
 * @param {number} id
 * @param {number} side
 */
async function read(page, id, side) {
  return display(page, id, side).evaluate((e) => {
    const parts = (e.querySelector('.dial-time')?.textContent ?? '').split(':').map(Number);
    return { ms: parts.reduce((sum, n) => sum * 60 + n, 0) * 1000, at: Date.now() };
  });
}

/**
 * When the flag of a side that runs down will fall, by the clock of this machine. A page on a busy
 * machine may show what was right a while ago, so this reads the display ten times and takes the
 * reading with the least delay.
 *
 * @param {Page} page
 * @param {number} id
 * @param {number} side
 */
async function falls(page, id, side) {
  let earliest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 10; i++) {
    const { ms, at } = await read(page, id, side);
    earliest = Math.min(earliest, at + ms);
    await frame(page);
  }
  return earliest;
}

/**
 * Sets a clock by its dialog, which is open.
 *
 * @param {Page} page
 * @param {{minutes?: number, seconds: number, increment?: number}} to
 */
async function fill(page, { minutes = 0, seconds, increment }) {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('spinbutton', { name: 'Minutes' }).fill(String(minutes));
  await dialog.getByRole('spinbutton', { name: 'Seconds', exact: true }).fill(String(seconds));
  if (increment !== undefined)
    await dialog.getByRole('spinbutton', { name: 'Seconds for each move' }).fill(String(increment));
  await dialog.getByRole('button', { name: 'Set the clock' }).click();
  await dialog.waitFor({ state: 'hidden' });
}

/**
 * Selects a clock by a click where one can grab it, and opens its dialog.
 *
 * @param {Page} page
 * @param {number} id
 */
async function openDialog(page, id) {
  const at = await middle(page, id);
  await page.mouse.click(at.x, at.y);
  await tools(page).getByRole('button', { name: 'Set…' }).click();
}

test('T27 a press runs on every screen without further messages', async (t) => {
  const people = await party(t);
  const { host, friend } = people;
  const { here, there } = await chessClock(people);
  await openDialog(host.page, here);
  await fill(host.page, { seconds: 19, increment: 1 });
  await friend.page.waitForFunction(
    (id) => document.querySelector(`[data-piece="${id}"] .dial-time`)?.textContent === '19.0',
    there,
  );

  /** What is sent: messages of the streams, and requests. @type {string[]} */
  const sent = [];
  friend.page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      if (!ASIDE.includes(Number(payload[0]))) sent.push(`stream: ${payload.length} bytes`);
    }),
  );
  // Parts that the page fetches before it needs them.
  const fetched = (/** @type {string} */ url) => new URL(url).pathname.startsWith('/assets/');
  for (const { page } of [host, friend])
    page.on('request', (r) => fetched(r.url()) || sent.push(`${r.method()} ${r.url()}`));
  await friend.page.reload();
  await atTable(friend.page);
  await friend.page.waitForLoadState('networkidle');

  await display(host.page, here, 2).click();
  await lit(host.page, here, 1, true);
  await lit(friend.page, there, 1, true);
  await lit(friend.page, there, 2, false);
  assert.equal(
    await display(friend.page, there, 1).getAttribute('data-sign'), 'play',
    'not only by its light',
  );
  await frame(friend.page);
  const assertTogether = async () => {
    const [one, other] = await Promise.all([
      falls(host.page, here, 1), falls(friend.page, there, 1),
    ]);
    assert.ok(
      Math.abs(one - other) < 300, `the flag will fall at the same time: ${one - other} ms apart`,
    );
  };
  await assertTogether();

  await friend.page.waitForFunction(
    (id) => Number(document.querySelector(`[data-piece="${id}"] .dial-time`)?.textContent) < 17.5,
    there,
  );
  const from = host.watch.frames.length;
  const fromThere = friend.watch.frames.length;
  sent.length = 0;
  await friend.page.waitForFunction(
    (id) => Number(document.querySelector(`[data-piece="${id}"] .dial-time`)?.textContent) < 13.5,
    there,
  );
  const events = [
    ...host.watch.frames.slice(from), ...friend.watch.frames.slice(fromThere),
  ].flatMap((message) => decodeFrame(message).events);
  assert.deepEqual(
    events.filter((e) => e.type !== 'pong' && e.type !== 'fair'), [],
    'for four seconds the stream only showed signs of life',
  );
  assert.deepEqual(sent, [], 'and nothing was sent');
  await assertTogether();

  await display(friend.page, there, 1).click();
  await lit(friend.page, there, 2, true);
  await lit(host.page, here, 2, true);
  // The page of the person who pressed shows a guess until the server says when that was.
  const text = await display(host.page, here, 1).locator('.dial-time').textContent();
  await friend.page.waitForFunction(
    ([id, text]) => {
      const time = document.querySelector(`[data-piece="${id}"] > [data-side="1"] > .dial-time`);
      return time?.textContent === text;
    },
    [there, text],
  );
  const stands = await read(host.page, here, 1);
  assert.ok(stands.ms >= 0 && stands.ms < 14_500, `the time left, less a second: ${stands.ms}`);
  assert.equal(
    (await read(friend.page, there, 1)).ms, stands.ms, 'the same on both screens, to a tenth',
  );
  await host.page
    .locator('[data-live="polite"]', { hasText: 'Ben pressed the chess clock.' })
    .waitFor({ state: 'attached' });
});

test('T27, K16.1, K16.11 a reloaded page finds the clock running', async (t) => {
  const people = await party(t);
  const { host, friend } = people;
  const { here, there } = await chessClock(people);
  await openDialog(host.page, here);
  await fill(host.page, { minutes: 9, seconds: 59 });
  await display(host.page, here, 2).click();
  await lit(friend.page, there, 1, true);
  const before = await falls(friend.page, there, 1);
  const address = host.page.url();
  await host.page.goto('about:blank');
  const { ms } = await read(friend.page, there, 1);
  assert.ok(
    await eventually(friend.page, async () => (await read(friend.page, there, 1)).ms < ms - 3000),
  );
  await host.page.goto(address);
  await atTable(host.page);
  await lit(host.page, here, 1, true);
  const after = await falls(host.page, here, 1);
  assert.ok(
    Math.abs(after - before) < 1500,
    `it runs on within a second: ${after - before} ms`,
  );
});

test('T9, T27 a press shows at once; a late one gives way to the first', async (t) => {
  const people = await party(t, { links: true });
  const { host, friend } = people;
  const { here, there } = await chessClock(people);
  await still(friend.page);
  friend.link?.hold('up');
  await display(friend.page, there, 1).click();
  await frame(friend.page);
  await lit(friend.page, there, 2, true);
  const before = acked(host).length;
  await display(host.page, here, 2).click();
  await lit(host.page, here, 1, true);
  // What is released after the server has taken it is too late.
  const isTaken = await eventually(host.page, () => acked(host).length > before);
  assert.ok(isTaken, 'the server has recorded it');
  friend.link?.release();
  await lit(friend.page, there, 1, true);
  await lit(friend.page, there, 2, false);
  await lit(host.page, here, 2, false);
  await seen(friend.page, /Ada got to the chess clock first/);
});

test('T27 a flag falls on both screens, and everybody is notified', async (t) => {
  const people = await party(t);
  const { host, friend } = people;
  const { here, there } = await chessClock(people);
  await openDialog(host.page, here);
  await fill(host.page, { seconds: 1, increment: 5 });
  await display(host.page, here, 2).click();
  for (const [page, id] of /** @type {[Page, number][]} */ ([
    [host.page, here],
    [friend.page, there],
  ])) {
    await page
      .locator(`[data-piece="${id}"] > .dial.fallen[data-side="1"][data-sign="flag"]`)
      .waitFor();
    await seen(page, /The flag has fallen: lower side of the chess clock/);
    assert.match(await said(page), /The flag has fallen/);
    assert.equal(await display(page, id, 1).textContent(), '0.0');
    assert.deepEqual(await barriers(page), []);
  }
  await display(friend.page, there, 1).click();
  await lit(host.page, here, 2, true);
  assert.equal(
    await display(host.page, here, 1).textContent(), '0.0', 'a fallen flag gets no increment',
  );
  await focus(host.page, here);
  await labelled(host.page, here, /lower side 0 seconds/);
});

/**
 * Presses keys in one task of the page, which draws nothing in between.
 *
 * @param {Page} page
 * @param {string[]} keys
 */
const pressAtOnce = (page, keys) => page.evaluate((keys) => {
  for (const key of keys) {
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', {
        key, code: `Key${key.toUpperCase()}`, bubbles: true, cancelable: true,
      }),
    );
  }
}, keys);

test('T27 a clock works by keyboard alone', async (t) => {
  const people = await party(t);
  const { host, friend } = people;
  const { here, there } = await chessClock(people);
  const { page } = host;
  await focus(page, here);
  await page.keyboard.press('o');
  await page.getByRole('dialog', { name: 'Set the chess clock' }).waitFor();
  await page.keyboard.type('10');
  await page.keyboard.press('Tab');
  await page.keyboard.type('0');
  await page.keyboard.press('Tab');
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await friend.page.waitForFunction(
    (id) => document.querySelector(`[data-piece="${id}"] .dial-time`)?.textContent === '10:00',
    there,
  );

  await focus(page, here);
  await page.keyboard.press('k');
  await lit(friend.page, there, 1, true);
  await page.keyboard.press('k');
  await seen(page, /It is the other side’s turn/);
  await page.keyboard.press('j');
  await lit(friend.page, there, 2, true);
  await page.keyboard.press('m');
  await lit(friend.page, there, 2, false);
  await page.keyboard.press('m');
  await lit(friend.page, there, 2, true);
  // A slow machine does not draw which side runs between two presses.
  await pressAtOnce(page, ['k', 'm', 'm']);
  await lit(friend.page, there, 1, true);
  await lit(page, here, 1, true);
  await pressAtOnce(page, ['j', 'm']);
  await lit(page, here, 1, false);
  await page.keyboard.press('m');
  await lit(friend.page, there, 2, true);
  await page.keyboard.press('z');
  // It also stood between the two presses of M. The test does not wait for that.
  for (const side of [1, 2]) {
    await friend.page.waitForFunction(({ id, side }) => {
      const e = document.querySelector(`[data-piece="${id}"] > .dial[data-side="${side}"]`);
      return !e?.classList.contains('running') && e?.textContent === '10:00';
    }, { id: there, side });
  }

  let posted = 0;
  page.on('request', (request) => {
    if (!request.url().includes('/updates')) return;
    const { updates } = JSON.parse(request.postData() ?? '');
    for (const { seq } of updates) posted = Math.max(posted, seq);
  });
  await page.keyboard.press('k');
  await lit(page, here, 1, true);
  await lit(friend.page, there, 1, true);
  // The page draws the clock and its name again when the server has answered.
  const isAnswered = () => posted > 0 && acked(host).includes(posted);
  assert.ok(await eventually(page, isAnswered), 'the server has answered');
  const pawn = await named(page, 'White pawn');
  await focus(page, pawn.id);
  await frame(page);
  const before = (await named(page, 'Chess clock')).label;
  const { ms } = await read(page, here, 1);
  await page.waitForFunction(
    ([id, was]) => document.querySelector(`[data-piece="${id}"] .dial-time`)?.textContent !== was,
    [here, written(ms)],
  );
  assert.equal(
    (await named(page, 'Chess clock')).label, before, 'its name does not change with each second',
  );
  await focus(page, here);
  await labelled(
    page, here,
    /^Chess clock, lower side 9 minutes \d+ seconds, running, upper side 10 minutes, pinned/,
  );

  await focus(page, pawn.id);
  await page.keyboard.press('j');
  await seen(page, /The white pawn is not a clock/);
});

test('T27 a stopwatch from the box starts by a tap and can be dragged', async (t) => {
  const people = await party(t, { game: 'draughts' });
  const { host, friend } = people;
  await host.page.keyboard.press('n');
  await host.page.getByRole('dialog').getByRole('button', { name: 'Add Stopwatch' }).click();
  await host.page.keyboard.press('Escape');
  await labelledByName(host.page, 'Stopwatch');
  const watch = await named(host.page, 'Stopwatch');
  await labelledByName(friend.page, 'Stopwatch');
  const there = (await same(friend.page, watch)).id;
  await still(host.page);
  await display(host.page, watch.id, 1).click();
  await lit(friend.page, there, 1, true);
  await friend.page.waitForFunction(
    (id) => Number(document.querySelector(`[data-piece="${id}"] .dial-time`)?.textContent) > 1,
    there,
  );
  const moved = await drag(host.page, watch.id, { x: -600, y: 300 });
  assert.notDeepEqual([moved.x, moved.y], [watch.x, watch.y]);
  await until(friend.page, there, { x: moved.x, y: moved.y, holder: 0 });
  await lit(friend.page, there, 1, true);
  await display(host.page, watch.id, 1).click();
  await lit(friend.page, there, 1, false);
  const told = await read(friend.page, there, 1);
  assert.ok(told.ms > 1000, `${told.ms}`);
  // The page of the person who stopped it shows a guess until the server has said when that was.
  const text = await display(friend.page, there, 1).locator('.dial-time').textContent();
  await display(host.page, watch.id, 1)
    .locator('.dial-time', { hasText: text ?? 'nothing' })
    .waitFor();
});

/** Waits until there is a piece of that name. @param {Page} page @param {string} name */
async function labelledByName(page, name) {
  await page.locator(`[data-piece][aria-label^="${name}"]`).waitFor();
}

test('T27 on a phone a hidden clock is pressed in a strip', async (t) => {
  const people = await party(t, { friend: phone });
  const { host, friend } = people;
  const { here } = await chessClock(people);
  const { page } = friend;
  await page.getByRole('button', { name: 'Got it' }).tap();
  const strip = page.getByRole('group', { name: 'Chess clock' });
  assert.equal(await strip.count(), 0, 'not while nobody uses it');
  await display(host.page, here, 2).click();
  await strip
    .getByRole('button', { name: 'Press the lower side' })
    .and(page.locator('.running'))
    .waitFor();
  assert.deepEqual(await barriers(page), []);
  await strip.getByRole('button', { name: 'Press the lower side' }).tap();
  await lit(host.page, here, 2, true);
  await strip.getByRole('button', { name: 'Press the lower side' }).tap();
  await seen(page, /It is the other side’s turn/);
  await page.getByRole('button', { name: 'Show everything' }).tap();
  await strip.waitFor({ state: 'hidden' });
});

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  test(`T27 digits are upright at any angle; axe passes in ${colorScheme}`, async (t) => {
    const people = await party(t, { host: { ...desktop, colorScheme } });
    const { page } = people.host;
    const { here } = await chessClock(people);
    await display(page, here, 1).click();
    await lit(page, here, 2, true);
    for (const turn of [90, 180, 270, 0]) {
      await page.keyboard.press('g');
      await page.locator(`main#table[data-turn="${turn}"]`).waitFor();
      await page.keyboard.press('0');
      await frame(page);
      const k = (await scale(page)) * 10;
      for (const side of [1, 2]) {
        const [field, digits] = await display(page, here, side).evaluate((e) => {
          const time = /** @type {HTMLElement} */ (e.lastElementChild);
          const box = (/** @type {Element} */ of) => of.getBoundingClientRect();
          return [box(e), { ...box(time).toJSON(), flat: time.offsetWidth > time.offsetHeight }];
        });
        assert.ok(
          digits.flat && digits.width > digits.height,
          `turned by ${turn}: side ${side} reads from left to right`,
        );
        const inside =
          digits.left > field.left &&
          digits.right < field.right &&
          digits.top > field.top - 2 * k &&
          digits.bottom < field.bottom + 2 * k;
        assert.ok(
          inside, `turned by ${turn}: ${JSON.stringify(digits)} in ${JSON.stringify(field)}`,
        );
      }
    }
    assert.deepEqual(await barriers(page), []);
    await focus(page, here);
    await page.keyboard.press('o');
    await page.getByRole('dialog').waitFor();
    assert.deepEqual(await barriers(page), []);
  });
}
