// Pictures, drawings, PDFs and zips that people bring to the editor: good ones become pieces, and
// hostile ones end in a sentence. Then nothing is kept, and the others at the table notice nothing.

import assert from 'node:assert/strict';
import test from 'node:test';
import { deflateRawSync, deflateSync } from 'node:zlib';
import { zip } from '../../static/js/parts/edit/pack.js';
import { barriers } from './axe.js';
import { party, phone } from './party.js';
import { eventually, pieces, still } from './pieces.js';
import { shoot } from './shots.js';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
const editor = (page) => page.getByRole('complementary', { name: 'Edit the game' });

/** Opens the editor, as a host. @param {Page} page */
async function edit(page) {
  await page.getByRole('button', { name: 'Got it' }).click();
  await page.getByRole('button', { name: 'Add a piece' }).click();
  await page.getByRole('button', { name: 'Make a new kind of piece' }).click();
  await editor(page).waitFor();
}

/** Drops a file on the page. @param {Page} page @param {string} name @param {Uint8Array} bytes */
const drop = (page, name, bytes) => page.evaluate(([called, base64]) => {
  const all = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([all], called));
  document.dispatchEvent(new DragEvent('drop',
    { bubbles: true, cancelable: true, dataTransfer: data }));
}, [name, Buffer.from(bytes).toString('base64')]);

const text = (/** @type {string} */ of) => new TextEncoder().encode(of);

/** A drawing. @param {string} inside @param {string} [more] attributes */
const svg = (inside, more = '') => text(
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ` +
  `viewBox="0 0 10 10" ${more}>${inside}</svg>`);

/** A PNG of a colour, as its header and its data say. @param {number} width @param {number} height
 * @param {number[]} colour */
function png(width, height, colour) {
  const chunk = (/** @type {string} */ name, /** @type {Uint8Array} */ data) => {
    const all = Buffer.alloc(12 + data.length);
    all.writeUInt32BE(data.length, 0);
    all.write(name, 4, 'latin1');
    all.set(data, 8);
    all.writeUInt32BE(crc(all.subarray(4, 8 + data.length)), 8 + data.length);
    return all;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.from([0, ...Array.from({ length: width }, () => colour).flat()]);
  const data = deflateSync(Buffer.concat(Array.from({ length: Math.min(height, 64) }, () => row)));
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', head),
    chunk('IDAT', data), chunk('IEND', new Uint8Array())]);
}

/** @param {Uint8Array} bytes */
function crc(bytes) {
  let c = 0xffffffff;
  for (const b of bytes) {
    c ^= b;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  }
  return (c ^ 0xffffffff) >>> 0;
}

/**
 * A PDF.
 * @param {string[]} contents of its pages
 * @param {{more?: string, trailer?: string}} [parts] in the catalogue and in the trailer
 */
function pdf(contents, { more = '', trailer = '' } = {}) {
  const objects = [
    `<</Type/Catalog/Pages 2 0 R ${more}>>`,
    `<</Type/Pages/Count ${contents.length}/Kids[${contents.map((_, i) => `${4 + 2 * i} 0 R`)
      .join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...contents.flatMap((content, i) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 180 252]/Contents ${5 + 2 * i} 0 R` +
        '/Resources<</Font<</F 3 0 R>>>>>>',
      `<</Length ${content.length}>>stream\n${content}\nendstream`,
    ]),
  ];
  let out = '%PDF-1.4\n';
  const at = objects.map((object, i) => {
    const start = out.length;
    out += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return start;
  });
  const table = at.map((n) => `${String(n).padStart(10, '0')} 00000 n \n`).join('');
  return text(`${out}xref\n0 ${at.length + 1}\n0000000000 65535 f \n${table}trailer\n` +
    `<</Size ${at.length + 1}/Root 1 0 R ${trailer}>>\nstartxref\n${out.length}\n%%EOF`);
}

const page = (/** @type {string} */ colour, /** @type {string} */ words) =>
  `${colour} rg 0 0 180 252 re f 1 g BT /F 24 Tf 30 120 Td (${words}) Tj ET`;

/** A zip whose only file, deflated, says that it has so many bytes. @param {Uint8Array} data
 * @param {number} says */
function bomb(data, says) {
  const bytes = Buffer.from(zip([['a.png', deflateRawSync(data)]]));
  const directory = bytes.readUInt32LE(bytes.length - 6);
  bytes.writeUInt16LE(8, 8);
  bytes.writeUInt16LE(8, directory + 10);
  bytes.writeUInt32LE(says, directory + 24);
  return bytes;
}

test('G27, T108 pages of a PDF and pictures of a zip become pieces', async (t) => {
  const { host, friend } = await party(t, { game: 'plain' });
  const { page: ada } = host;
  await edit(ada);
  /** The colours of a piece, as somebody sees it. @param {Page} of @param {string} name */
  const sees = (of, name) => eventually(of, async () =>
    (await pieces(of)).some((p) => p.label.startsWith(name)));
  await drop(ada, 'My cards.pdf', pdf([
    page('0.7 0.1 0.1', 'Fire'), page('0.1 0.2 0.7', 'Water'), page('0.1 0.5 0.1', 'Wood'),
  ]));
  const put = editor(ada).getByRole('button', { name: /^Put 3 pieces/ });
  await put.waitFor();
  await editor(ada).getByRole('checkbox', { name: 'My cards 2' }).uncheck();
  await still(ada);
  assert.deepEqual(await barriers(ada), [], 'axe: the pages');
  await shoot(ada, 'pics-pdf');
  // The red page is red, and words are drawn on it.
  const shades = await editor(ada).locator('.edit-pages img').first().evaluate(async (img) => {
    const canvas = document.createElement('canvas');
    const { naturalWidth: w, naturalHeight: h } = /** @type {HTMLImageElement} */ (img);
    [canvas.width, canvas.height] = [w, h];
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    context.drawImage(/** @type {HTMLImageElement} */ (img), 0, 0);
    const { data } = context.getImageData(0, 0, w, h);
    let [red, white] = [0, 0];
    for (let i = 0; i < data.length; i += 4)
      if (data[i] > 240 && data[i + 1] > 240) white++;
      else if (data[i] > 150 && data[i + 1] < 60) red++;
    return { red: red / (w * h), white: white / (w * h) };
  });
  assert.ok(shades.red > 0.8 && shades.white > 0.001, JSON.stringify(shades));
  await editor(ada).getByRole('button', { name: /^Put 2 pieces/ }).click();
  for (const of of [ada, friend.page])
    for (const name of ['My cards 1', 'My cards 3']) assert.ok(await sees(of, name), name);

  await drop(ada, 'box.zip', zip([
    ['box/b 10.png', png(30, 20, [200, 0, 0])], ['box/b 2.png', png(30, 20, [0, 0, 200])],
    ['box/c.svg', svg('<circle cx="5" cy="5" r="4"/>')], ['box/read me.txt', text('Hello')],
    ['__MACOSX/box/b 2.png', text('x')], ['huge.png', png(20_000, 20_000, [0, 0, 0])],
  ]));
  await editor(ada).getByText('1 picture is damaged or too large, and is left out.').waitFor();
  await editor(ada).getByRole('button', { name: /^Put 3 pieces/ }).waitFor();
  assert.deepEqual(await editor(ada).locator('.edit-pages label').allInnerTexts()
    .then((all) => all.map((one) => one.trim())), ['b 2', 'b 10', 'c']);
  await editor(ada).getByLabel('Make of each').selectOption('Token');
  await editor(ada).getByRole('button', { name: /^Put 3 pieces/ }).click();
  for (const of of [ada, friend.page])
    for (const name of ['b 2', 'b 10', 'c']) assert.ok(await sees(of, name), name);
});

test('T108.7 hostile files end in a sentence, and nothing is kept', async (t) => {
  const { host, friend } = await party(t, { game: 'plain', host: phone });
  const { page: ada } = host;
  /** What the page asks the server for. @type {string[]} */
  const sent = [];
  ada.on('request', (r) => {
    if (r.method() !== 'GET') sent.push(r.url());
  });
  /** What would leave the server. @type {string[]} */
  const strange = [];
  ada.on('request', (r) => {
    if (!r.url().startsWith(host.page.url().split('/t/')[0]) && !/^(data|blob):/.test(r.url()))
      strange.push(r.url());
  });
  await edit(ada);
  const lots = await pieces(friend.page);
  const problem = editor(ada).getByRole('alert');
  const deep = `${'<g>'.repeat(70)}<path d="M0 0h9v9z"/>${'</g>'.repeat(70)}`;
  const laughs = Array.from({ length: 10 }, (_, i) =>
    `<g id="a${i}">${`<use href="#a${i + 1}"/>`.repeat(10)}</g>`).join('');
  const good = zip([['a.png', png(9, 9, [9, 9, 9])]]);
  const locked = Buffer.from(good);
  locked.writeUInt16LE(1, locked.readUInt32LE(locked.length - 6) + 8);
  const encrypted = '/Encrypt<</Filter/Standard/V 1/R 2/O(' + 'o'.repeat(32) + ')/U(' +
    'u'.repeat(32) + ')/P -4>>/ID[(i)(i)]';
  for (const [name, bytes, sentence] of /** @type {[string, Uint8Array, RegExp][]} */ ([
    ['empty.png', new Uint8Array(), /^That file is empty\.$/],
    ['text.png', text('This is no picture.'), /^That is no picture that works here/],
    ['page.html.jpg', text('<html><script>alert(1)</script></html>'), /^That is no picture/],
    ['huge.png', png(20_000, 20_000, [0, 0, 0]), /^That picture is too large/],
    ['false.png', png(6000, 6000, [0, 0, 0]).subarray(0, 60), /^That picture is damaged\.$/],
    ['laughs.svg', svg(`${laughs}<use href="#a0"/>`), /^That drawing is damaged, or too much/],
    ['circle.svg', svg('<g id="a"><use href="#a"/></g>'), /^That drawing is damaged, or too much/],
    ['deep.svg', svg(deep), /^That drawing is damaged, or too much/],
    ['cut.pdf', pdf([page('1 0 0', 'x')]).slice(0, 30), /^That PDF is damaged/],
    ['none.pdf', text('%PDF-1.7 and nothing else'), /^That PDF is damaged/],
    ['locked.pdf', pdf([page('1 0 0', 'x')], { trailer: encrypted }), /locked with a password/],
    ['many.pdf', pdf(Array.from({ length: 201 }, () => '')), /^That PDF has too many pages/],
    ['cut.zip', good.slice(0, 50), /^That zip is damaged\.$/],
    ['locked.zip', locked, /locked with a password/],
    ['bomb.zip', bomb(new Uint8Array(64 << 20), 1000), /^That zip is damaged\.$/],
    ['large.zip', bomb(new Uint8Array(9), 300 << 20), /^What is in that zip is too large/],
    ['texts.zip', zip([['../../a.txt', text('a')]]), /^There are no pictures in that zip/],
    ['hostile.zip', zip([['a.png', png(20_000, 20_000, [0, 0, 0])]]), /^That picture is too large/],
  ])) {
    await drop(ada, name, bytes);
    assert.ok(await eventually(ada, async () =>
      sentence.test(await problem.first().textContent().catch(() => '') ?? '')),
    `${name}: ${await problem.allTextContents()}`);
    if (name === 'locked.zip') {
      await still(ada);
      await shoot(ada, 'pics-hostile');
    }
    await editor(ada).getByRole('button', { name: 'All pieces' }).click();
  }
  // What runs or fetches is taken out of a drawing, and what draws stays.
  const runs = svg(
    '<script>fetch("/evil")</script><style>@import "/evil.css"; .red{fill:#c00}</style>' +
    '<image href="https://example.org/evil.png"/><foreignObject><p>x</p></foreignObject>' +
    '<a href="https://example.org"><rect class="red" width="9" height="9" onclick="evil()"/></a>' +
    '<use href="https://example.org/evil.svg#a"/><path fill="url(https://example.org/b)"/>',
    'onload="evil()"');
  await drop(ada, 'runs.svg', runs);
  await editor(ada).getByRole('button', { name: 'Remove the picture' }).waitFor();
  await editor(ada).getByLabel('Name', { exact: true }).fill('Cleaned');
  /** @type {string[]} */
  const bodies = [];
  ada.on('request', (r) => bodies.push(r.postDataBuffer()?.toString('latin1') ?? ''));
  await editor(ada).getByRole('button', { name: 'Put on the table' }).click();
  assert.ok(await eventually(friend.page, async () =>
    (await pieces(friend.page)).some((p) => p.label.startsWith('Cleaned'))));
  const file = bodies.find((body) => body.includes('<svg')) ?? '';
  assert.match(file, /fill: rgb\(204, 0, 0\)/, 'its style is kept');
  assert.doesNotMatch(file, /evil|script|example\.org|onclick|onload|foreignObject/);

  assert.deepEqual(sent.filter((url) => /uploads/.test(url)), [], 'nothing hostile was sent');
  assert.equal(sent.filter((url) => /kinds/.test(url)).length, 1);
  assert.deepEqual(strange, [], 'nothing was fetched from elsewhere');
  assert.equal((await pieces(friend.page)).length, lots.length + 1);
});

test('T108.7 a large file goes on after cuts, and can be given up', async (t) => {
  const { host, friend } = await party(t, { game: 'plain' });
  const { page: ada } = host;
  host.watch.expect(/Failed to load resource|ERR_FAILED/); // the cuts
  await edit(ada);
  const lots = await pieces(friend.page);
  let cuts = 0;
  let gone = 0;
  /** @type {string[]} */
  const ways = [];
  await ada.route('**/uploads/**', async (route) => {
    const way = route.request().method();
    ways.push(way);
    if (way === 'DELETE') gone++;
    await new Promise((later) => setTimeout(later, 300));
    if (way === 'PUT' && ways.length % 3 === 0) {
      cuts++;
      await route.abort();
    } else await route.continue();
  });
  // Noise, which cannot be made small.
  const noise = await ada.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [900, 900];
    const context = canvas.getContext('2d');
    if (!context) return [];
    const image = context.createImageData(900, 900);
    let n = 1;
    return [1, 2, 3].map((seed) => {
      for (let i = 0; i < image.data.length; i++) {
        n = (n * 16807 + seed) % 2147483647;
        image.data[i] = i % 4 === 3 ? 255 : (n >> 8) & 255;
      }
      context.putImageData(image, 0, 0);
      return canvas.toDataURL('image/jpeg', 0.8).split(',')[1];
    });
  });
  const box = zip(noise.map((one, i) =>
    [`noise ${i}.jpg`, new Uint8Array(Buffer.from(one, 'base64'))]));
  /** Drops the zip, and begins to send it. */
  const send = async () => {
    await drop(ada, 'box.zip', box);
    await editor(ada).getByRole('button', { name: /^Put 3 pieces/ }).click();
    await editor(ada).getByRole('progressbar', { name: 'Sending it to the table…' }).waitFor();
  };
  await send();
  assert.ok(await eventually(ada, async () => ways.includes('PUT')), 'a part is sent');
  await shoot(ada, 'pics-progress');
  await editor(ada).getByRole('button', { name: 'Cancel', exact: true }).click();
  await editor(ada).getByRole('progressbar').waitFor({ state: 'hidden' });
  assert.ok(await eventually(ada, async () => gone === 1), 'it is given up at the server');
  assert.equal((await pieces(friend.page)).length, lots.length);
  await editor(ada).getByRole('button', { name: 'All pieces' }).click();
  await send();
  await editor(ada).getByRole('heading', { name: 'Make something new' }).waitFor();
  assert.ok(await eventually(friend.page, async () =>
    (await pieces(friend.page)).length === lots.length + 3));
  assert.ok(cuts > 0 && ways.includes('GET'), `${cuts} cuts`);
});
