// The file in which a replay is saved.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  fitting, kindsIn, nameFor, pageOf, withoutFonts, withPictures,
} from '../js/parts/replay/file.js';

const contents = {
  title: '</title><script>alert(1)</script> & "friends"', language: 'en', seat: 1, catalog: 'c0de',
  kinds: { format: 'holt.catalog/1', kinds: [{ name: '</script><!--' }] },
  pictures: { aa: 'data:image/svg+xml;base64,PHN2Zy8+' }, pages: ['AAEC'], motions: ['BAUG'],
  isCut: false,
  script: 'console.log(1 < 2)', hash: 'HASH', style: 'p { color: red }',
};

test('T73.12 the policy of the file allows its script and nothing from outside', () => {
  const text = pageOf(contents);
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1] ?? '';
  assert.deepEqual(policy.split('; '), [
    "default-src 'none'", "script-src 'sha256-HASH'", "style-src 'unsafe-inline'",
    'img-src data: blob:', "base-uri 'none'", "form-action 'none'",
  ]);
  assert.ok(text.indexOf(policy) < text.indexOf('<style>'), 'it comes before all that it is about');
  assert.ok(text.includes('<script type="module">console.log(1 < 2)</script>'), 'word for word');
});

test('T73.12 nothing that people write ends an element of the file', () => {
  const text = pageOf(contents);
  assert.equal(text.match(/<script/g)?.length, 2);
  assert.equal(text.match(/<\/script>/g)?.length, 2);
  assert.equal(text.match(/<\/title>/g)?.length, 1);
  assert.ok(text.includes('&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;fr'));
  const data = /id="replay">(.*)<\/script>/.exec(text)?.[1] ?? '';
  const { kinds, pictures, pages, motions, isCut } = contents;
  assert.deepEqual(JSON.parse(data), { kinds, pictures, pages, motions, isCut });
});

test('T73.12 a file has so many frames at most, and says what is left out', () => {
  const pages = [3, 4, 5].map((n) => new Uint8Array(n));
  assert.deepEqual(fitting({ pages, isCut: false }, 12), { pages, isCut: false });
  assert.deepEqual(fitting({ pages, isCut: true }, 12), { pages, isCut: true });
  assert.deepEqual(fitting({ pages, isCut: false }, 11), { pages: pages.slice(0, 2), isCut: true });
  assert.deepEqual(fitting({ pages, isCut: false }, 1), { pages: pages.slice(0, 1), isCut: true });
});

test('T73.12 a file has the pictures of what is shown, and names no others', () => {
  /** @type {any[]} */
  const frames = [
    { events: [{ type: 'full', pieces: [{ kind: 1 }], holds: [{ piece: 9, kinds: [0, 5] }] }] },
    { events: [{ type: 'update', piece: { id: 3, kind: 2 } }] },
    { events: [{ type: 'update', piece: { id: 3 } }] },
    { events: [{ type: 'holds', piece: 9, kinds: [7] }, { type: 'notice' }] },
  ];
  const kinds = [{}, { mask: 3 }, {}, {}, {}, {}, {}];
  assert.deepEqual([...kindsIn(frames, kinds)].sort(), [1, 2, 3, 4, 6]);
  const catalog = { format: '', kinds: [{ name: 'a', faces: [{ art: 'aa' }, { art: 'bb' }] }] };
  assert.deepEqual(withPictures(catalog, { aa: 'data:' }).kinds,
    [{ name: 'a', faces: [{ art: 'aa' }, { art: '' }] }]);
  assert.equal(catalog.kinds[0].faces[1].art, 'bb');
});

test('T73.12 a file loads no fonts, and has a name that every system takes', () => {
  const style = '@font-face{font-family:X;src:url("x.woff2")}@font-face{src:local("Y")}p{top:0}';
  assert.equal(withoutFonts(style), '@font-face{src:local("Y")}p{top:0}');
  assert.equal(nameFor('Žofia’s Chess / 2'), 'replay-zofia-s-chess-2.html');
  assert.equal(nameFor('将棋'), 'replay.html');
});
