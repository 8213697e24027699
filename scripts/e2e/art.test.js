// The pictures of a table, and the look of pieces that others hold.

import assert from 'node:assert/strict';
import test from 'node:test';
import { browser } from './browser.js';
import { arrive, atTable, fileServer, joinByInvite, party } from './party.js';
import {
  eventually, focus, frame, middle, named, same, scale, still, until,
} from './pieces.js';

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

/**
 * Counts how often the browser draws the table and its pictures again while something happens.
 *
 * @param {Page} page
 * @param {() => Promise<unknown>} happens
 */
async function drawings(page, happens) {
  const chromium = await browser();
  await chromium.startTracing(page, { categories: ['disabled-by-default-blink.invalidation'] });
  await happens();
  const { traceEvents } = JSON.parse(String(await chromium.stopTracing()));
  /** @type {{name: string, args: {client: string, reason: string}}[]} */
  const events = traceEvents;
  const all = events.filter((e) => e.name === 'InvalidateDisplayItemClient').map((e) => e.args);
  const count = (/** @type {RegExp} */ of, /** @type {string} */ why) =>
    all.filter(({ client, reason }) => of.test(client) && reason === why).length;
  return {
    shown: count(/ IMG class='art'/, 'geometry'), // the trace is of the right page
    surface: count(/class='surface'|::(before|after)/, 'background'),
  };
}

test('pictures are there when their table is drawn, and it is drawn once', async (t) => {
  const server = await fileServer();
  const { page, watch } = await arrive('Ada');
  t.after(() => page.context().close());
  // On a busy machine, too, the table waits for its pictures.
  await page.addInitScript(() => {
    const real = window.setTimeout;
    const patient = (/** @type {() => void} */ f, /** @type {number} */ ms = 0) =>
      real(f, ms === 600 ? 60000 : ms);
    const late = { late: 0 }; // pictures that are not there when their pieces are
    new MutationObserver(() => {
      for (const e of document.querySelectorAll('img.art:not([data-seen])')) {
        if (e instanceof HTMLImageElement && !e.complete) late.late++;
        e.setAttribute('data-seen', '');
      }
    }).observe(document, { childList: true, subtree: true });
    Object.assign(window, { setTimeout: patient, late });
  });
  const { url, token } = await server.createTable('plain');
  await page.context().addCookies([
    { name: `holt_${new URL(url).pathname.split('/').at(-1)}`, value: token, url: server.url },
  ]);
  const join = await drawings(page, async () => {
    await page.goto(url);
    await atTable(page);
    await still(page);
  });
  assert.ok(join.shown > 30, `${join.shown} pictures are drawn`);
  assert.equal(join.surface, 0, 'the table is drawn once');
  const late = await page.evaluate(() => /** @type {any} */ (window).late.late);
  assert.equal(late, 0, 'no picture comes later than its piece');

  // The toolbar comes, and what else stands at its edge makes room.
  const pawn = await named(page, 'White pawn');
  const at = await middle(page, pawn.id);
  const select = await drawings(page, async () => {
    await page.mouse.click(at.x, at.y);
    await page.locator('.toolbar:not([hidden])').waitFor();
    await still(page);
    await page.evaluate(() => {
      const main = /** @type {HTMLElement} */ (document.querySelector('main#table'));
      main.style.setProperty('--inherited-by-all', '1');
    });
    await still(page);
  });
  assert.equal(select.surface, 0, 'the table is not drawn again');
  assert.deepEqual(watch.unexpected, []);
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

/** @typedef {import('../../static/js/view/catalog.js').Kind} Kind */

/** The kinds of the table that a page shows. @param {Page} page @returns {Promise<Kind[]>} */
async function kindsOf(page) {
  const catalog = await page.locator('main#table').getAttribute('data-catalog');
  return page.evaluate(async (hash) => (await (await fetch(`/art/${hash}`)).json()).kinds, catalog);
}

/**
 * Puts pieces of the kinds that are wanted on a table, in turn. Returns when the page shows them.
 *
 * @param {Page} page
 * @param {number} count at most 200, the most updates of a request
 * @param {(kind: Kind) => boolean} wanted
 */
async function add(page, count, wanted) {
  const before = await page.locator('[data-piece]').count();
  const kinds = (await kindsOf(page)).flatMap((kind, i) => (wanted(kind) ? [i] : []));
  const updates = Array.from({ length: count }, (_, i) => ({
    seq: i + 1, op: 'add', kind: kinds[i % kinds.length],
    x: (i % 20) * 200 - 2000, y: Math.floor(i / 20) * 300 - 1500,
  }));
  const client = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url');
  const status = await page.evaluate(async (body) => {
    const { api = '' } = /** @type {HTMLElement} */ (document.querySelector('main#table')).dataset;
    const { epoch } = await (await fetch(api)).json();
    const answer = await fetch(`${api}/updates`, {
      method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ epoch, ...body }),
    });
    return answer.status;
  }, { client, updates });
  assert.equal(status, 202);
  await page.locator(`main#table[data-pieces="${before + count}"]`).waitFor();
}

/**
 * Fills a table with pieces of which each shows its picture.
 *
 * @param {Page} page
 * @param {number} n
 */
const crowd = (page, n) => add(page, n, (k) => !k.hand && !k.secret && !k.container);

/** The pictures of the pieces on the table, as they are shown. @param {Page} page */
function shownArt(page) {
  return page.locator('.inner img.art').evaluateAll((all) =>
    all.map((e) => {
      const { width, height } = e.getBoundingClientRect();
      return { content: getComputedStyle(e).content, width, height };
    }),
  );
}

/**
 * The mean difference of two screenshots, in levels of 256 for each colour.
 *
 * @param {Page} page
 * @param {Buffer} a
 * @param {Buffer} b
 */
function difference(page, a, b) {
  return page.evaluate(async (pictures) => {
    const [one, two] = await Promise.all(pictures.map(async (base64) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const g = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
      g.drawImage(image, 0, 0);
      return g.getImageData(0, 0, image.width, image.height).data;
    }));
    let sum = 0;
    for (let i = 0; i < one.length; i++) sum += Math.abs(one[i] - two[i]);
    return sum / one.length;
  }, [a.toString('base64'), b.toString('base64')]);
}

test('a crowded table shows bitmaps that look like the pictures', async (t) => {
  const { host: { page } } = await party(t, { game: 'chess' });
  const bitmaps = page.locator('main#table[data-bitmaps]');
  await crowd(page, 160);
  await pictures(page);
  const vectors = await shownArt(page);
  assert.ok(vectors.every(({ content }) => content === 'normal'), 'the table is not crowded yet');
  assert.equal(await bitmaps.count(), 0);
  await crowd(page, 160);
  await bitmaps.waitFor();
  const shown = await shownArt(page);
  assert.equal(shown.length, vectors.length + 160);
  for (const [i, { content, width, height }] of shown.entries()) {
    assert.match(content, /^url\("blob:/, `picture ${i}`);
    assert.ok(width > 0 && height > 0, `picture ${i}`);
  }
  const bitmap = await page.screenshot();
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.art { content: normal !important; }');
    document.adoptedStyleSheets.push(sheet);
  });
  await frame(page);
  const vector = await page.screenshot();
  const found = await difference(page, bitmap, vector);
  assert.ok(found > 0, 'the bitmaps were in sight');
  assert.ok(found < 3, `the bitmaps differ from the pictures by ${found}`);
});

test('a crowded table draws other bitmaps when a zoom has settled', async (t) => {
  const { host: { page } } = await party(t, { game: 'chess' });
  await crowd(page, 200);
  await crowd(page, 100);
  await page.locator('main#table[data-bitmaps]').waitFor();
  const [{ content: before }] = await shownArt(page);
  const first = await scale(page);
  const closer = page.getByRole('button', { name: 'Zoom in' });
  while ((await scale(page)) < 2 * first) await closer.click();
  await eventually(page, async () => (await shownArt(page))[0].content !== before);
  const [{ content }] = await shownArt(page);
  assert.match(content, /^url\("blob:/);
});

test('the edges of a heap of chips have the colour of the chip', async (t) => {
  const { host: { page } } = await party(t, { game: 'cards' });
  await add(page, 5, (k) => k.currency !== undefined);
  const heaps = page.locator('[data-piece]:has(> .under)');
  await eventually(page, async () => {
    const edges = await heaps.evaluateAll((all) =>
      all.map((e) => getComputedStyle(e.querySelectorAll('.under')[1]).boxShadow.split(') ')[0]),
    );
    return edges.length >= 5 && new Set(edges).size >= 5;
  });
  const kind = (await kindsOf(page)).findIndex((k) => k.faces[0].name === 'Chips'); // the red ones
  const red = await page.locator(`[data-kind="${kind}"]:has(> .under)`).first().evaluate((e) =>
    getComputedStyle(e.querySelectorAll('.under')[1]).boxShadow.match(/\d+/g)?.map(Number),
  );
  const [r, g, b] = red ?? [];
  assert.ok(r > 1.5 * g && r > 1.5 * b, `rgb(${r}, ${g}, ${b})`);
});
