// The pictures of a table, and the look of pieces that others hold.

import assert from 'node:assert/strict';
import test from 'node:test';
import { arrive, joinByInvite, party } from './party.js';
import { focus, named, same, until } from './pieces.js';

/** @typedef {import('playwright-core').Page} Page */

/** Waits until every piece with a picture shows it, and returns their number. @param {Page} page */
async function pictures(page) {
  await page.waitForFunction(() => {
    const all = [...document.querySelectorAll('img.art')];
    return (
      all.length > 0 &&
      all.every((e) => e instanceof HTMLImageElement && e.complete && e.naturalWidth > 0)
    );
  });
  return page.locator('img.art').count();
}

/** The paths under /art/ that a page requests from now on. @param {Page} page */
function artRequests(page) {
  /** @type {string[]} */
  const asked = [];
  page.on('request', (r) => {
    const { pathname } = new URL(r.url());
    if (pathname.startsWith('/art/')) asked.push(pathname);
  });
  return asked;
}

test('all pictures of a table come in one album', async (t) => {
  const { host, invites } = await party(t, { game: 'cards' });
  const guest = await arrive('Cleo');
  t.after(() => guest.page.context().close());
  const asked = artRequests(guest.page);
  await joinByInvite(guest, invites.player);
  const catalog = await guest.page.locator('main#table').getAttribute('data-catalog');
  assert.equal(
    await pictures(guest.page), await host.page.locator('[data-piece]').count(),
    'every piece has a picture',
  );
  await guest.page.waitForLoadState('networkidle');
  const ofTable = asked.slice(asked.findIndex((path) => path.includes(`${catalog}`)));
  assert.deepEqual(new Set(ofTable), new Set([`/art/${catalog}`, `/art/${catalog}/album`]));
  assert.deepEqual(guest.watch.unexpected, []);
});

test('without an album each picture is loaded by itself', async (t) => {
  const { host, invites, server } = await party(t);
  const guest = await arrive('Cleo');
  t.after(() => guest.page.context().close());
  guest.watch.expect(/404.*\/album/);
  await guest.page.route('**/album', (route) =>
    route.fulfill({ status: 404, contentType: 'application/problem+json', body: '{}' }),
  );
  await joinByInvite(guest, invites.player);
  assert.equal(await pictures(guest.page), await pictures(host.page));
  const addresses = await guest.page
    .locator('img.art')
    .evaluateAll((all) => all.map((e) => /** @type {HTMLImageElement} */ (e).src));
  for (const address of addresses)
    assert.match(address, new RegExp(`^${server.url}/art/[0-9a-f]{64}$`));
  assert.deepEqual(guest.watch.unexpected, []);
});

test('the holder’s name and the ring are upright on a turned piece', async (t) => {
  const { host, friend } = await party(t);
  const theirs = await named(friend.page, 'White king');
  const mine = await same(host.page, theirs);
  await focus(friend.page, theirs.id);
  await friend.page.keyboard.press('Enter');
  for (let angle = 0; angle < 9000; angle += 1500) await friend.page.keyboard.press('r');
  const { holder } = await until(host.page, mine.id, { angle: 9000 });
  await host.page.waitForFunction((id) => {
    const tag = document.querySelector(`[data-piece="${id}"].over .tag`);
    const { width = 0, height = 1 } = tag?.getBoundingClientRect() ?? {};
    return width > 1.4 * height; // "Ben" is wider than high
  }, mine.id);
  const look = await host.page.locator(`[data-piece="${mine.id}"]`).evaluate((e) => {
    const tag = /** @type {Element} */ (e.querySelector('.tag'));
    return {
      ring: getComputedStyle(e).outlineColor, name: tag.textContent,
      ground: getComputedStyle(tag).backgroundColor,
    };
  });
  const seat = (await table(host.page)).seats.find(
    (/** @type {any} */ other) => other.id === holder,
  );
  assert.equal(look.name, 'Ben');
  assert.equal(look.ring, rgb(seat.colour));
  assert.equal(look.ground, rgb(seat.colour));
});

/** The table as JSON. @param {Page} page */
function table(page) {
  return page.evaluate(async () =>
    (await fetch(document.querySelector('main')?.dataset.api ?? '')).json(),
  );
}

/** "#rrggbb" in the form in which a browser reports a colour. @param {string} colour */
function rgb(colour) {
  const n = Number.parseInt(colour.slice(1), 16);
  return `rgb(${n >> 16}, ${(n >> 8) & 255}, ${n & 255})`;
}
