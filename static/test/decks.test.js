// Decks of the editor: their rows, what the columns mean, the kinds that become of them, and how a
// sheet is cut.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import test from 'node:test';
import { read, write } from '../js/parts/csv/csv.js';
import {
  MOST_KINDS, backOf, frontOf, kindsOf, namesOf, pictureNamed, planOf, printed, problemOf,
} from '../js/parts/edit/decks/cards.js';
import {
  BLOCKS, cardsOf, cellsOf, firstOf, guessGrid, hashOf, isPlain, isSame,
} from '../js/parts/edit/decks/cut.js';
import {
  MOST_ROWS, USES, addRow, cell, countOf, filled, freeFile, hasHeadings, knowsHeadings, moveRow,
  newDeck, pasteBlock, readColour, readTable, removeRow, setPicture, size, tableOf, takePictures,
  wrongIn,
} from '../js/parts/edit/decks/deck.js';
import { readDrafts, writeDrafts } from '../js/parts/edit/decks/drafts.js';
import { packKinds } from '../js/parts/edit/pack.js';
import { sha256 } from '../js/parts/fairness/sha256.js';

const HEADINGS = {
  name: 'Name', count: 'How many', title: 'Title', text: 'Text', colour: 'Colour',
  picture: 'Picture',
};
const further = (/** @type {number} */ n) => `Column ${n}`;
const deckOf = (/** @type {string[][]} */ ...rows) => {
  const deck = newDeck('Foxes', HEADINGS);
  if (rows.length > 0)
    deck.rows = rows.map((row) => deck.columns.map((_, i) => row[i] ?? ''));
  return deck;
};
/** @param {ReturnType<typeof newDeck>} deck @param {string} csv */
const take = (deck, csv) => readTable(deck, read(csv).rows, HEADINGS, further);
/** @param {ReturnType<typeof newDeck>} deck @param {typeof USES[number]} use */
const column = (deck, use) => filled(deck).map((row) => cell(deck, row, use));

test('rows are added, moved and removed, and one always stays', () => {
  const deck = deckOf(['A'], ['B']);
  const [a, b] = deck.rows;
  const c = addRow(deck);
  assert.ok(moveRow(deck, c, -1));
  assert.deepEqual(deck.rows, [a, c, b]);
  assert.ok(!moveRow(deck, a, -1) && !moveRow(deck, b, 1));
  for (const row of [a, b, c]) removeRow(deck, row);
  assert.deepEqual(deck.rows, [deck.columns.map(() => '')]);
  assert.equal(size(deck), 0, 'an empty row is no card');
});

test('how many cards a row stands for', () => {
  for (const [text, n] of /** @type {[string, number][]} */ ([
    ['', 1], ['3', 3], [' 3x', 3], ['x 12', 12], ['×2', 2], ['2.0', 2], ['0', 0], ['500', 500],
    ['501', NaN], ['-1', NaN], ['1.5', NaN], ['three', NaN], ['x', NaN],
  ]))
    assert.equal(countOf(deckOf(['A', text]), deckOf(['A', text]).rows[0]), n, text);
  assert.equal(size(deckOf(['A', '3'], ['B', ''], ['C', 'many'])), 4);
});

test('colours are read as people write them', () => {
  for (const [text, is] of /** @type {[string, string|null][]} */ ([
    ['#B5342C', '#b5342c'], ['b5342c', '#b5342c'], ['#b53', '#bb5533'], [' Red ', '#b5342c'],
    ['reddish', null], ['#b5342', null], ['constructor', null],
  ]))
    assert.equal(readColour(text), is, text);
  const deck = deckOf(['A', 'x', '', '', 'reddish']);
  assert.deepEqual(wrongIn(deck, deck.rows[0]), ['count', 'colour']);
});

test('a block is pasted anywhere, with rows and columns as it needs', () => {
  const deck = deckOf(['A'], ['B']);
  assert.equal(pasteBlock(deck, 1, 4, [['red', 'a.png', 'extra'], [' blue ']], further), null);
  assert.deepEqual(deck.columns.slice(6), ['Column 7']);
  assert.deepEqual(deck.rows, [
    ['A', '', '', '', '', '', ''], ['B', '', '', '', 'red', 'a.png', 'extra'],
    ['', '', '', '', 'blue', '', ''],
  ]);
  const before = structuredClone(deck);
  const tall = Array.from({ length: MOST_ROWS }, () => ['x']);
  assert.equal(pasteBlock(deck, 1, 0, tall, further), 'rows');
  assert.equal(pasteBlock(deck, 0, 0, [Array(61).fill('x')], further), 'columns');
  assert.equal(pasteBlock(deck, 0, 0, [], further), 'empty');
  assert.deepEqual(deck, before, 'nothing was written');
});

test('a CSV becomes the rows, and its columns mean what they are called', () => {
  const deck = deckOf();
  assert.equal(take(deck, 'Card,Qty,Effect,Image,Cost\nWolf,3,Howl,wolf.png,2\nBear,,Growl,,4'),
    null);
  assert.deepEqual(column(deck, 'name'), ['Wolf', 'Bear']);
  assert.deepEqual(column(deck, 'title'), ['Wolf', 'Bear'], 'without a title it is the name');
  assert.deepEqual(column(deck, 'text'), ['Howl', 'Growl']);
  assert.deepEqual(column(deck, 'picture'), ['wolf.png', '']);
  assert.equal(size(deck), 4);
  assert.deepEqual(deck.columns, ['Card', 'Qty', 'Effect', 'Image', 'Cost', 'Colour']);
  assert.equal(write(tableOf(deck)),
    'Card,Qty,Effect,Image,Cost\r\nWolf,3,Howl,wolf.png,2\r\nBear,,Growl,,4\r\n',
    'what goes out is what came in');
});

test('a table without headings is read, too', () => {
  const deck = deckOf();
  assert.equal(take(deck, 'Wolf,3\nBear,2'), null);
  assert.deepEqual([column(deck, 'name'), size(deck)], [['Wolf', 'Bear'], 5]);
  const one = deckOf();
  take(one, 'Wolf\nBear\nFox');
  assert.deepEqual(column(one, 'name'), ['Wolf', 'Bear', 'Fox']);
});

test('the first line of a table can be a card, too', () => {
  const deck = deckOf();
  const table = [['Wolf', 'Grey'], ['Bear', 'Brown']];
  assert.ok(hasHeadings(table, deck) && !knowsHeadings(table, deck));
  assert.ok(knowsHeadings([['Karte', 'Menge']], deck), 'in some other languages, too');
  assert.equal(readTable(deck, table, HEADINGS, further), null);
  assert.deepEqual(column(deck, 'name'), ['Bear']);
  const again = deckOf();
  assert.equal(readTable(again, table, HEADINGS, further, false), null);
  assert.deepEqual(column(again, 'name'), ['Wolf', 'Bear']);
});

test('a picture for one row names a row that has no name', () => {
  const deck = deckOf(['Wolf'], ['']);
  for (const row of deck.rows) setPicture(deck, row, 'elk.png', 'Picture');
  assert.deepEqual([column(deck, 'name'), column(deck, 'picture')],
    [['Wolf', 'elk'], ['elk.png', 'elk.png']]);
});

test('a CSV that is read again keeps template, columns and pictures', () => {
  const deck = deckOf();
  take(deck, 'Card,Qty,Effect,Flavour\nWolf,3,Howl,Grey\nBear,2,Growl,Brown');
  deck.uses.title = -1;
  deck.uses.text = 3; // the flavour, and no title
  deck.back.picture = 'back.png';
  deck.colour = '#112233';
  takePictures(deck, [{ name: 'a.png', count: 1 }, { name: 'b.png', count: 1 }], true, 'Picture');
  assert.deepEqual(column(deck, 'picture'), ['a.png', 'b.png']);
  assert.equal(take(deck, 'Card,Qty,Effect,Flavour\nBear,4,Roar,Black\nFox,1,Bark,Red'), null);
  assert.deepEqual(column(deck, 'text'), ['Black', 'Red']);
  assert.deepEqual(column(deck, 'title'), ['', '']);
  assert.deepEqual(column(deck, 'picture'), ['b.png', ''], 'by the name of the row');
  assert.deepEqual([deck.back.picture, deck.colour, size(deck)], ['back.png', '#112233', 5]);
  // Columns may stand in another order.
  take(deck, 'Flavour,Card,Qty\nWhite,Owl,2');
  assert.deepEqual([column(deck, 'text'), column(deck, 'name'), size(deck)],
    [['White'], ['Owl'], 2]);
});

test('a column that somebody does not want stays unused', () => {
  const deck = deckOf();
  take(deck, 'Card,Effect\nWolf,Howl');
  deck.uses.text = -1;
  take(deck, 'Card,Effect\nBear,Growl');
  assert.deepEqual([column(deck, 'text'), column(deck, 'name')], [[''], ['Bear']]);
});

test('rows of one name keep their pictures in order', () => {
  const deck = deckOf();
  take(deck, 'Name,Text\nWolf,1\nWolf,2');
  takePictures(deck, [{ name: 'a', count: 1 }, { name: 'b', count: 1 }], true, 'Picture');
  take(deck, 'Name,Text\nWolf,3\nWolf,4\nWolf,5');
  assert.deepEqual(column(deck, 'picture'), ['a', 'b', 'b']);
});

test('what cannot be a table changes nothing', () => {
  const deck = deckOf(['A']);
  const before = structuredClone(deck);
  assert.equal(take(deck, ''), 'empty');
  assert.equal(take(deck, 'Name,Text\n'), 'empty');
  assert.equal(take(deck, `Name\n${'x\n'.repeat(MOST_ROWS + 1)}`), 'rows');
  assert.equal(take(deck, `Name${',x'.repeat(60)}\nA`), 'columns');
  assert.deepEqual(deck, before);
});

test('pictures go to rows that name them, to rows without one in order, or to new rows', () => {
  const deck = deckOf(['Wolf', '', '', '', '', 'WOLF'], ['Bear']);
  const two = [{ name: 'wolf.png', count: 1 }, { name: 'elk.jpg', count: 3 }];
  const other = structuredClone(deck);
  takePictures(deck, two, false, 'Picture');
  assert.deepEqual(column(deck, 'picture'), ['WOLF', '', 'elk.jpg']);
  assert.deepEqual([column(deck, 'name'), size(deck)], [['Wolf', 'Bear', 'elk'], 5]);
  takePictures(other, two, true, 'Picture');
  assert.deepEqual(column(other, 'picture'), ['WOLF', 'elk.jpg']);
  const none = deckOf();
  none.columns = ['Name'];
  none.uses = { name: 0, count: -1, title: -1, text: -1, colour: -1, picture: -1 };
  none.rows = [['Wolf']];
  takePictures(none, two, true, 'Art');
  assert.deepEqual([none.columns, none.rows], [['Name', 'Art'], [['Wolf', 'wolf.png'],
    ['elk', 'elk.jpg']]]);
  const all = new Map([['wolf.png', 1], ['elk.jpg', 2]]);
  assert.deepEqual(['Wolf.PNG', 'wolf', 'C:\\art\\elk.JPG', 'elk.png', 'fox', '']
    .map((name) => pictureNamed(all, name)), [1, 1, 2, 2, undefined, undefined]);
});

test('pictures of one name that come together each have a name', () => {
  assert.equal(freeFile('a.png', ['b.png']), 'a.png');
  assert.equal(freeFile('A.png', ['a.png', 'A 2.png']), 'A 3.png');
  assert.equal(freeFile('a', ['a']), 'a 2');
});

test('a front has a place for what it shows, within the card', () => {
  for (const [width, height] of [[63.5, 88.9], [88.9, 63.5], [15, 15], [500, 15]])
    for (let bits = 1; bits < 8; bits++) {
      const has = { title: !!(bits & 1), text: !!(bits & 2), picture: !!(bits & 4) };
      const plan = planOf({ ...deckOf(), width, height }, has);
      const places = Object.values(plan);
      assert.equal(places.length, [...Object.values(has)].filter(Boolean).length);
      let end = -1;
      for (const what of ['title', 'picture', 'text']) {
        const place = plan[what];
        if (!place) continue;
        const { x, y } = place;
        assert.ok(x >= 0 && y > end, `${what} of ${width} × ${height}`);
        assert.ok(x + place.width <= width * 10 && y + place.height <= height * 10 + 10);
        end = y;
      }
    }
});

test('a picture alone fills its card, and a card without one shows its name', () => {
  const deck = deckOf(['Wolf', '', '', '', '', 'w.png'], ['Bear', '', '', 'Growl', 'red']);
  const [wolf, bear] = deck.rows;
  assert.deepEqual(frontOf(deck, wolf, 'hash'),
    [{ colour: deck.colour }, { art: 'hash', fit: 'cover' }]);
  const texts = frontOf(deck, bear, '').map(({ text }) => text).filter(Boolean);
  assert.deepEqual(texts, ['Growl', 'Bear']);
  assert.equal(frontOf(deck, bear, '')[0].colour, '#b5342c');
  deck.back.text = 'Foxes';
  assert.ok(backOf(deck, '').some(({ text }) => text === 'Foxes'));
  assert.deepEqual(backOf(deck, 'hash')[1], { art: 'hash', fit: 'cover' });
});

test('no two kinds have the same name', () => {
  const deck = deckOf(['Wolf'], ['Wolf'], ['', '', 'Elk'], ['', '', '', 'x'], ['Bear']);
  const names = namesOf(deck, deck.rows, (name, n) => `${name} ${n}`, (one) => one === 'Bear');
  assert.deepEqual(names.map(({ own }) => own), ['Wolf', 'Wolf 2', 'Elk', 'Foxes', 'Bear 2']);
  assert.equal(names[1].name, 'Wolf');
});

test('what is wrong with a deck is found before anything is sent', () => {
  const has = { kinds: 10, pieces: 20 };
  const fault = (/** @type {any} */ deck, of = has) => problemOf(deck, of)?.fault ?? null;
  assert.equal(fault(deckOf(['A'])), null);
  assert.equal(fault({ ...deckOf(['A']), name: ' ' }), 'name');
  assert.equal(fault({ ...deckOf(['A']), width: 14 }), 'size');
  assert.equal(fault({ ...deckOf(['A']), height: Number.NaN }), 'size');
  assert.equal(fault(deckOf()), 'none');
  assert.equal(fault(deckOf(['A', '0'])), 'none');
  assert.equal(fault(deckOf(['A', 'many'])), 'count');
  assert.equal(fault(deckOf(['A', '', '', '', 'blueish'])), 'colour');
  assert.equal(fault(deckOf(['A']), { kinds: MOST_KINDS - 3, pieces: 0 }), null);
  assert.equal(fault(deckOf(['A']), { kinds: MOST_KINDS - 2, pieces: 0 }), 'kinds');
  assert.equal(fault(deckOf(['A', '500']), { kinds: 0, pieces: 9499 }), null);
  assert.equal(fault(deckOf(['A', '500']), { kinds: 0, pieces: 9500 }), 'pieces');
});

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg' +
    'gg==',
  'base64',
);
const FILE = new URL('../../server/play/game/testdata/decks-by-page.json', import.meta.url);

test('what decks become is what the server reads', () => {
  const art = Buffer.from(sha256(PIXEL)).toString('hex');
  /** @type {Record<string, string>} */
  const made = {};
  for (const [width, height] of [[63.5, 88.9], [15, 15], [500, 500], [88.9, 63.5]]) {
    const deck = {
      ...deckOf(['Wolf', '3', 'Über 😀', 'Howl.\nTwice.', 'red'], ['Bear', '', '', '', '', 'b.png'],
        ['Elk', '2', 'Elk', 'Bell', '', 'e.png'], ['None', '0'], ['', '', '', 'Only a text']),
      width, height,
    };
    deck.back.text = 'Foxes';
    const numbered = (/** @type {string} */ name, /** @type {number} */ n) => `${name} ${n}`;
    const kinds = kindsOf(deck, {
      own: 'Foxes', back: 'Back of Foxes',
      cards: namesOf(deck, printed(deck), numbered, (name) => name === 'Foxes'),
    }, { back: width === 15 ? art : '', fronts: ['', art, art, ''] });
    assert.equal(kinds.length, 6);
    made[`${width} × ${height}`] = Buffer.from(
      packKinds(kinds, new Map([[art, new Uint8Array(PIXEL)]]))).toString('base64');
  }
  const found = `${JSON.stringify(made, null, 1)}\n`;
  if (process.env.HOLT_WRITE_VECTORS) writeFileSync(FILE, found);
  assert.equal(found, readFileSync(FILE, 'utf8'),
    'run it with HOLT_WRITE_VECTORS=1, and then the test of the server');
});

test('decks are kept, and what is no deck is left out', () => {
  const deck = deckOf(['Wolf', '3']);
  assert.deepEqual(readDrafts(writeDrafts([deck])), [deck]);
  for (const wrong of [
    { ...deck, rows: [['Wolf']] }, { ...deck, uses: { ...deck.uses, text: 6 } },
    { ...deck, uses: { ...deck.uses, name: -1 } }, { ...deck, back: null },
    { ...deck, width: '1' }, { ...deck, rows: 1 }, null, 1,
  ])
    assert.deepEqual(readDrafts(JSON.stringify([wrong, deck])), [deck]);
  assert.deepEqual([readDrafts(null), readDrafts('{'), readDrafts('{}')], [[], [], []]);
  assert.equal(writeDrafts([{ ...deck, name: 'x'.repeat(1 << 20) }]), null);
});

test('a sheet is cut by columns, rows, margin and gutter', () => {
  assert.deepEqual(cellsOf(100, 60, { columns: 2, rows: 1, margin: 5, gutter: 10 }), [
    { x: 5, y: 5, width: 40, height: 50 }, { x: 55, y: 5, width: 40, height: 50 },
  ]);
  const cells = cellsOf(1000, 700, { columns: 7, rows: 3, margin: 0, gutter: 0 });
  assert.equal(cells.length, 21);
  assert.deepEqual(cells.slice(0, 7).reduce((sum, { width }) => sum + width, 0), 1000,
    'no pixel is lost');
  for (const grid of [
    { columns: 0, rows: 1, margin: 0, gutter: 0 }, { columns: 1.5, rows: 1, margin: 0, gutter: 0 },
    { columns: 21, rows: 1, margin: 0, gutter: 0 }, { columns: 1, rows: 1, margin: 50, gutter: 0 },
    { columns: 2, rows: 1, margin: 0, gutter: -1 }, { columns: 2, rows: 1, margin: 0, gutter: 90 },
    { columns: Number.NaN, rows: 1, margin: 0, gutter: 0 },
  ])
    assert.deepEqual(cellsOf(100, 100, grid), []);
  assert.deepEqual(guessGrid(6300, 6160, 63 / 88), { columns: 10, rows: 7 });
  assert.deepEqual(guessGrid(189, 176, 63 / 88), { columns: 3, rows: 2 });
});

/**
 * Blocks of a card: a colour, with a sign that is a little darker in one block, and noise.
 * @param {number} colour @param {number} sign the number of the block @param {number} noise
 */
function blocks(colour, sign, noise) {
  const rgba = new Uint8ClampedArray(BLOCKS.width * BLOCKS.height * 4).fill(colour);
  for (let i = 0; i < rgba.length; i += 7) rgba[i] += noise;
  if (sign >= 0) rgba[4 * sign] -= 30;
  return rgba;
}

test('equal cards are found in spite of noise, and one other sign makes another card', () => {
  const cards = [
    blocks(200, 50, 0), blocks(200, 51, 0), blocks(200, 50, 3), blocks(90, -1, 0),
    blocks(200, 50, 0),
  ];
  assert.equal(hashOf(cards[0]), hashOf(cards[4]));
  assert.notEqual(hashOf(cards[0]), hashOf(cards[2]));
  assert.ok(isSame(cards[0], cards[2]) && !isSame(cards[0], cards[1]));
  const first = firstOf(cards);
  assert.deepEqual(first, [0, 1, 0, 3, 0]);
  assert.deepEqual(cards.map(isPlain), [false, false, false, true, false]);
  assert.deepEqual(cardsOf(first, new Set([3, -1]), true),
    [{ cell: 0, count: 3 }, { cell: 1, count: 1 }]);
  assert.equal(cardsOf(first, new Set(), false).length, 5);
  assert.deepEqual(cardsOf(first, new Set([0]), true)[1], { cell: 2, count: 2 },
    'the first one that is taken stands for the others');
});
