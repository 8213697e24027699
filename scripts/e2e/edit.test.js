// The editor of the game: a host makes kinds at a live table, everybody gets their pieces and sees
// who edits, and what nobody should see of a photo does not leave the browser.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barriers } from './axe.js';
import { party, phone } from './party.js';
import { eventually, named, pieces, said, still } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
const editor = (page) => page.getByRole('complementary', { name: 'Edit the game' });
/** @param {Page} page */
const people = (page) => page.getByRole('complementary', { name: 'People' });

/** Opens the list of people. @param {Page} page */
async function openPeople(page) {
  if (!(await people(page).isVisible())) await page.locator('.crowd').click();
  await people(page).waitFor();
}

/** Begins to edit, from the list of people. @param {Page} page */
async function edit(page) {
  await openPeople(page);
  await people(page).getByRole('button', { name: 'Edit the game' }).click();
  await editor(page).waitFor();
  await people(page).waitFor({ state: 'hidden' });
}

/** Opens the form of something new. @param {Page} page @param {string} what */
async function open(page, what) {
  await editor(page).getByRole('button', { name: what, exact: true }).click();
  await editor(page).getByRole('heading', { name: what }).waitFor();
}

/** Puts what the form says on the table. @param {Page} page */
async function put(page) {
  await editor(page).getByRole('button', { name: 'Put on the table' }).click();
  await editor(page).getByRole('heading', { name: 'Make something new' }).waitFor();
}

/** How many pieces of a kind somebody sees. @param {Page} page @param {string} name */
const count = async (page, name) =>
  (await pieces(page)).filter((p) => p.label.startsWith(name)).length;

/** Waits until somebody sees so many pieces of a kind. @param {Page} page @param {string} name
 * @param {number} n */
async function sees(page, name, n = 1) {
  assert.ok(await eventually(page, async () => (await count(page, name)) === n),
    `${name}: ${await count(page, name)} and not ${n}`);
}

/**
 * A photo, with an EXIF block that says where it was taken.
 * @param {Page} page draws it
 * @param {number} width
 * @param {number} height
 */
async function photo(page, width, height) {
  const base64 = await page.evaluate(([w, h]) => {
    const canvas = document.createElement('canvas');
    canvas.width = w;
    canvas.height = h;
    const context = canvas.getContext('2d');
    if (!context) return '';
    for (let x = 0; x < 8; x++)
      for (let y = 0; y < 6; y++) {
        context.fillStyle = (x + y) % 2 ? '#7a4a2a' : '#e6c992';
        context.fillRect((x * w) / 8, (y * h) / 6, w / 8, h / 6);
      }
    return canvas.toDataURL('image/jpeg', 0.9).split(',')[1];
  }, [width, height]);
  const plain = Buffer.from(base64, 'base64');
  return Buffer.concat([plain.subarray(0, 2), exif(), plain.subarray(2)]);
}

/** A text that stands in the GPS block of the photo. */
const PLACE = 'HOLT-SECRET-PLACE';

/** An APP1 segment: EXIF with a GPS block that has the name of an area. */
function exif() {
  const area = Buffer.from(`ASCII\0\0\0${PLACE}`);
  const tiff = Buffer.alloc(8 + 2 + 12 + 4 + 2 + 12 + 4);
  tiff.write('II*\0', 0, 'latin1');
  tiff.writeUInt32LE(8, 4); // the first directory
  tiff.writeUInt16LE(1, 8);
  tiff.writeUInt16LE(0x8825, 10); // leads to the one of GPS
  tiff.writeUInt16LE(4, 12);
  tiff.writeUInt32LE(1, 14);
  tiff.writeUInt32LE(26, 18);
  tiff.writeUInt16LE(1, 26);
  tiff.writeUInt16LE(0x1c, 28); // GPSAreaInformation
  tiff.writeUInt16LE(7, 30);
  tiff.writeUInt32LE(area.length, 32);
  tiff.writeUInt32LE(tiff.length, 36);
  const body = Buffer.concat([Buffer.from('Exif\0\0'), tiff, area]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** Chooses a picture. @param {Page} page @param {string} name @param {string} mimeType
 * @param {Buffer} buffer */
const choose = (page, name, mimeType, buffer) =>
  editor(page).locator('input[type="file"]').first().setInputFiles({ name, mimeType, buffer });

test('T99.6, T100: a host makes pieces, and everybody gets them and sees who edits', async (t) => {
  const { host, friend } = await party(t, { game: 'plain' });
  for (const { page } of [host, friend]) await page.getByRole('button', { name: 'Got it' }).click();
  /** What the page sends. @type {Buffer[]} */
  const sent = [];
  host.page.on('request', (r) => {
    if (r.url().endsWith('/kinds')) sent.push(r.postDataBuffer() ?? Buffer.alloc(0));
  });
  await openPeople(friend.page);
  assert.equal(await people(friend.page).getByRole('button', { name: 'Edit the game' }).count(), 0);
  await edit(host.page);
  await still(host.page);
  assert.deepEqual(await barriers(host.page), [], 'axe: the palette');
  await shoot(host.page, 'edit-palette');
  const row = people(friend.page).locator('.seat', { hasText: 'Ada' });
  await row.getByText('Edits the game').waitFor();
  assert.ok(await eventually(friend.page, async () =>
    (await said(friend.page)).includes('Ada edits the game now.')), 'a screen reader says it');
  await shoot(friend.page, 'edit-who');

  // A board from a photo: where it was taken stays here.
  await open(host.page, 'Board');
  const taken = await photo(host.page, 1600, 1200);
  assert.ok(taken.includes(PLACE));
  await choose(host.page, 'photo.jpg', 'image/jpeg', taken);
  const height = editor(host.page).getByLabel('Height, mm');
  assert.ok(await eventually(host.page, async () => (await height.inputValue()) === '300'),
    'it has the ratio of its picture');
  await editor(host.page).getByLabel('Name', { exact: true }).fill('Map');
  await still(host.page);
  assert.deepEqual(await barriers(host.page), [], 'axe: a form');
  await shoot(host.page, 'edit-board');
  await put(host.page);
  for (const { page } of [host, friend]) await sees(page, 'Map');
  const [packed] = sent;
  assert.ok(!packed.includes(PLACE) && !packed.includes('Exif'), 'without the place');
  assert.ok(packed.includes('WEBP') && packed.length > 1000, 'a picture was sent');

  await open(host.page, 'Token');
  await editor(host.page).getByLabel('Text', { exact: true }).fill('Wolf');
  await editor(host.page).getByLabel('Name', { exact: true }).fill('Wolf');
  await put(host.page);
  for (const { page } of [host, friend]) await sees(page, 'Wolf');
  const token = await named(host.page, 'Wolf');
  await host.page.locator(`[data-piece="${token.id}"].selected`).waitFor();

  await open(host.page, 'Die');
  await editor(host.page).getByLabel('Number of sides').fill('4');
  const on = editor(host.page).getByLabel('What stands on them');
  assert.equal(await on.inputValue(), '1, 2, 3, 4');
  await on.fill('Run, Hide, Bite');
  assert.equal(await editor(host.page).getByLabel('Number of sides').inputValue(), '3');
  await shoot(host.page, 'edit-die');
  await put(host.page);
  await open(host.page, 'Counter');
  await editor(host.page).getByLabel('At first').fill('7');
  await editor(host.page).getByLabel('Text', { exact: true }).fill('Lives');
  await editor(host.page).getByLabel('Name', { exact: true }).fill('Lives');
  await still(host.page);
  await shoot(host.page, 'edit-counter');
  await put(host.page);
  for (const { page } of [host, friend]) {
    await sees(page, 'Die');
    await sees(page, 'Lives');
  }
  assert.equal(await friend.page.locator('[data-edit]').count(), 0, 'no panel without editing');
  await still(friend.page);
  await shoot(friend.page, 'edit-friend');

  // Undo takes back what was done last: by its button, and by its keys in the panel.
  await host.page.locator('.tablebar').getByRole('button', { name: 'Undo' }).click();
  for (const { page } of [host, friend]) await sees(page, 'Lives', 0);
  await editor(host.page).getByRole('tab', { name: 'Pieces' }).focus();
  await host.page.keyboard.press('Control+z');
  for (const { page } of [host, friend]) await sees(page, 'Die', 0);
  await host.page.keyboard.press('Control+z');
  for (const { page } of [host, friend]) await sees(page, 'Wolf', 0);

  // Its kind stays: one more of it can be added.
  await editor(host.page).getByRole('button', { name: 'Add Wolf', exact: true }).click();
  for (const { page } of [host, friend]) await sees(page, 'Wolf');
  assert.equal((await named(friend.page, 'Wolf')).kind, token.kind);

  // The log says who edits, also to who comes later.
  friend.watch.expect(/404.*\/album/); // a catalogue that has grown has none
  await friend.page.reload();
  await friend.page.locator('main#table[data-ready]').waitFor();
  await friend.page.getByRole('button', { name: /^Chat/ }).click();
  await friend.page.getByText('Ada began to edit the game.').waitFor();
  await editor(host.page).getByRole('button', { name: 'Stop editing' }).click();
  await friend.page.getByText('Ada stopped editing the game.').waitFor();
  await editor(host.page).waitFor({ state: 'hidden' });
});

test('T99 a host lets a player edit, who makes a piece by keys alone on a phone', async (t) => {
  const { host, friend } = await party(t, { game: 'plain', friend: phone });
  const { page } = friend;
  for (const one of [host.page, page]) await one.getByRole('button', { name: 'Got it' }).click();
  await openPeople(host.page);
  await people(host.page).getByRole('button', { name: 'More about Ben' }).click();
  await host.page.getByRole('button', { name: 'Let Ben edit the game' }).click();
  assert.ok(await eventually(page, async () =>
    (await said(page)).includes('Ada lets you edit the game: press Edit among the tools.')));
  await page.getByRole('button', { name: 'Tools', exact: true }).click();
  await page.locator('.tablebar').getByRole('button', { name: 'Edit the game' }).click();
  await editor(page).waitFor();
  await still(page);
  assert.deepEqual(await barriers(page), [], 'axe: a phone');
  await shoot(page, 'edit-phone');
  const press = async (/** @type {string[]} */ ...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Pieces');
  await press('Tab', 'Tab', 'Enter'); // the board, the token
  await editor(page).getByRole('heading', { name: 'Token' }).waitFor();
  await page.keyboard.type('Bear');
  await still(page);
  await shoot(page, 'edit-phone-form');
  assert.deepEqual(await barriers(page), [], 'axe: a form on a phone');
  await press('Enter');
  await sees(host.page, 'Bear');
  await editor(page).waitFor({ state: 'hidden' }); // it would lie over the piece
  await still(page);
  await shoot(page, 'edit-phone-put');

  await people(host.page).getByRole('button', { name: 'More about Ben' }).click();
  await host.page.getByRole('button', { name: 'End the editing of Ben' }).click();
  assert.ok(await eventually(page, async () =>
    (await said(page)).includes('You do not edit the game any more.')));
});

test('T102 a host saves the table as a game, and another table begins with it', async (t) => {
  const { host } = await party(t, { game: 'plain' });
  const { page } = host;
  await page.getByRole('button', { name: 'Got it' }).click();
  await edit(page);
  await open(page, 'Token');
  await editor(page).getByLabel('Name', { exact: true }).fill('Wolf');
  await put(page);
  await editor(page).getByRole('tab', { name: 'Pieces' }).focus();
  await page.keyboard.press('ArrowLeft'); // round to the last tab
  await editor(page).getByLabel('Name of the game').fill('Wolves & chess');
  await still(page);
  assert.deepEqual(await barriers(page), [], 'axe: the tab of the game');
  await editor(page).getByRole('button', { name: 'Save the game' }).click();
  await editor(page).getByText('“Wolves & chess” is saved among your games.').waitFor();
  assert.ok(await eventually(page, async () =>
    (await said(page)).includes('“Wolves & chess” is saved among your games.')));
  await still(page);
  await shoot(page, 'edit-saved');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    editor(page).getByRole('link', { name: 'Download it as a file' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'wolves-chess.holt');
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    editor(page).getByRole('link', { name: 'Try it at another table' }).click(),
  ]);
  await other.getByRole('button', { name: /^Start/ }).first().click();
  await other.locator('main#table[data-ready]').waitFor();
  await sees(other, 'Wolf');
  assert.equal((await pieces(other)).length, (await pieces(page)).length);
});

test('T100.5 what cannot be used ends in one sentence, and the form stays', async (t) => {
  const tablet = { viewport: { width: 820, height: 1100 } };
  const { host } = await party(t, { game: 'plain', host: tablet });
  const { page } = host;
  host.watch.expect(/(422|409).*\/kinds/); // what is refused on purpose
  await page.getByRole('button', { name: 'Got it' }).click();
  await page.getByRole('button', { name: 'Add a piece' }).click();
  const make = page.getByRole('button', { name: 'Make a new kind of piece' });
  await make.waitFor();
  await shoot(page, 'edit-box');
  await make.click();
  await editor(page).waitFor();
  await open(page, 'Token');
  await editor(page).getByLabel('Name', { exact: true }).fill('Stone');
  const problem = editor(page).getByRole('alert');
  /** The beginning of a PNG of so many pixels each way. @param {string} size in hexadecimal */
  const begun = (size) =>
    Buffer.from(`89504e470d0a1a0a0000000d49484452${size}${size}0806000000`, 'hex');
  const svg = (/** @type {string} */ inside) => Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">${inside}</svg>`);
  for (const [name, type, bytes, sentence] of /** @type {[string, string, Buffer, RegExp][]} */ ([
    ['text.png', 'image/png', Buffer.from('This is no picture.'), /^That is no picture that works/],
    ['empty.png', 'image/png', Buffer.alloc(0), /^That file is empty\.$/],
    ['large.png', 'image/png', begun('00004e20'), /^That picture is too large: it may/],
    ['cut.png', 'image/png', begun('00000010'), /is damaged\.$/],
  ])) {
    await choose(page, name, type, bytes);
    await problem.waitFor();
    assert.ok(await eventually(page, async () => sentence.test(await problem.textContent() ?? '')),
      `${name}: ${await problem.textContent()}`);
    assert.equal(await editor(page).getByRole('button', { name: 'Remove the picture' }).count(), 0);
  }
  // The server has the rules for SVG, also for what the page does not take out.
  await page.route('**/kinds', (route) => route.fulfill({
    status: 422, contentType: 'application/problem+json', body: JSON.stringify({
      code: 'game', detail: `kind 0: art "${'a'.repeat(64)}": line 1: element "a" is not allowed.`,
    }),
  }), { times: 1 });
  await choose(page, 'evil.svg', 'image/svg+xml', svg('<path d="M0 0h1v1z" style="fill:red"/>'));
  await editor(page).getByRole('button', { name: 'Remove the picture' }).waitFor();
  await editor(page).getByRole('button', { name: 'Put on the table' }).click();
  const refused = /^The server does not take this picture: line 1: element "a"/;
  assert.ok(await eventually(page, async () => refused.test(await problem.textContent() ?? '')));
  await still(page);
  await shoot(page, 'edit-refused');
  await choose(page, 'good.svg', 'image/svg+xml', svg('<circle cx="5" cy="5" r="4"/>'));
  await editor(page).getByLabel('Name', { exact: true }).fill('White king');
  await editor(page).getByRole('button', { name: 'Put on the table' }).click();
  await editor(page).getByText('The table has something else of that name.').waitFor();
  await editor(page).getByLabel('Name', { exact: true }).fill('Stone');
  await put(page);
  await sees(page, 'Stone');

  // A picture that is dropped anywhere opens a form with it.
  /** Returns whether the page has taken it. */
  const bring = (/** @type {'drop'|'paste'} */ how, /** @type {Buffer} */ bytes) =>
    page.evaluate(([type, all]) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(all)], 'photo.jpg', { type: 'image/jpeg' }));
      const bubbles = { bubbles: true, cancelable: true };
      const event = type === 'drop' ? new DragEvent(type, { ...bubbles, dataTransfer: data })
        : new ClipboardEvent(type, { ...bubbles, clipboardData: data });
      return document.querySelector('#table')?.dispatchEvent(event) === false;
    }, /** @type {const} */ ([how, [...bytes]]));
  assert.ok(await bring('drop', await photo(page, 1200, 300)));
  await editor(page).getByRole('heading', { name: 'Board' }).waitFor();
  const height = editor(page).getByLabel('Height, mm');
  assert.ok(await eventually(page, async () => (await height.inputValue()) === '100'));
  await still(page);
  await shoot(page, 'edit-tablet');

  // So does one that is pasted; a small one is that of a token. Without editing, nothing happens.
  await page.keyboard.press('Escape');
  await bring('paste', await photo(page, 300, 300));
  await editor(page).getByRole('heading', { name: 'Token' }).waitFor();
  await editor(page).getByRole('button', { name: 'Remove the picture' }).waitFor();
  await editor(page).getByRole('button', { name: 'Stop editing' }).click();
  await editor(page).waitFor({ state: 'hidden' });
  await page.locator('.tablebar').getByRole('button', { name: 'Edit the game' })
    .waitFor({ state: 'hidden' });
  assert.equal(await bring('drop', await photo(page, 300, 300)), false);
});

test('a browser that cannot write WebP sends PNG, or JPEG if that is too large', async (t) => {
  const { host: { page } } = await party(t, { game: 'plain' });
  /** What the page sends. @type {Buffer[]} */
  const sent = [];
  /** The parts of a large file (T108). @type {Buffer[]} */
  let parts = [];
  page.on('request', (r) => {
    const body = r.postDataBuffer() ?? Buffer.alloc(0);
    if (r.method() === 'PUT') parts.push(body);
    if (!r.url().endsWith('/kinds')) return;
    sent.push(Buffer.concat([...parts, body]));
    parts = [];
  });
  await page.evaluate(() => {
    const { toBlob } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.toBlob = function (done, type, quality) {
      toBlob.call(this, done, type === 'image/webp' ? 'image/png' : type, quality);
    };
  });
  /** A picture of noise, which no format makes small. @param {number} size */
  const noise = async (size) => Buffer.from(await page.evaluate((n) => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = n;
    const context = canvas.getContext('2d');
    const data = new ImageData(n, n);
    for (let i = 0; i < data.data.length; i += 4) {
      for (let j = 0; j < 3; j++) data.data[i + j] = Math.random() * 256;
      data.data[i + 3] = 255;
    }
    context?.putImageData(data, 0, 0);
    return canvas.toDataURL('image/png').split(',')[1];
  }, size), 'base64');
  await edit(page);
  for (const [size, name] of /** @type {const} */ ([[100, 'Small'], [1100, 'Large']])) {
    await open(page, 'Board');
    await choose(page, 'noise.png', 'image/png', await noise(size));
    await editor(page).getByRole('button', { name: 'Remove the picture' }).waitFor();
    await editor(page).getByLabel('Name', { exact: true }).fill(name);
    await put(page);
    await sees(page, name);
  }
  const [small, large] = sent;
  assert.ok(small.includes('PNG') && !small.includes('JFIF'));
  assert.ok(large.includes('JFIF') && large.length < 1 << 20, `${large.length} bytes`);
});
