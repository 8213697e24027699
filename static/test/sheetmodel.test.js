import assert from 'node:assert/strict';
import test from 'node:test';
import {
  csvOf, freeNumber, inLanguage, MOST_COLUMNS, numberIn, readSheet, sumOf,
} from '../js/parts/sheet/model.js';

/**
 * Texts that lie in a plain object: 'title', 'c0' for a heading, 'r0' for a name, '0,1' for the
 * cell of row 0 and column 1.
 *
 * @param {Record<string, string>} lies
 * @returns {import('../js/parts/sheet/model.js').Texts}
 */
function texts(lies) {
  return {
    title: () => lies.title ?? null,
    heading: (c) => lies[`c${c}`] ?? null,
    name: (r) => lies[`r${r}`] ?? null,
    cell: (r, c) => lies[`${r},${c}`] ?? null,
  };
}

test('C14.15 headings and names make columns and rows; other cells are hidden', () => {
  const sheet = readSheet(
    texts({
      title: 'Hearts', c0: 'Ada', c7: '', r0: '', r255: 'Last', '0,0': '3', '0,1': '4', '9,0': '5',
      '255,7': '6',
    }),
  );
  assert.equal(sheet.title, 'Hearts');
  assert.deepEqual(sheet.columns, [{ column: 0, heading: 'Ada' }, { column: 7, heading: '' }]);
  assert.deepEqual(sheet.rows, [
    { row: 0, name: '', cells: new Map([[0, '3']]) },
    { row: 255, name: 'Last', cells: new Map([[7, '6']]) },
  ]);
  assert.deepEqual(readSheet(texts({})), { title: '', columns: [], rows: [] });
});

test('C14.16 numeric cells count towards the total', () => {
  const value = (/** @type {string} */ text) => {
    const n = numberIn(text);
    return n && Number(n.units) / 10 ** n.places;
  };
  for (const [text, wanted] of /** @type {[string, number|null][]} */ ([
    ['0', 0],
    ['12', 12],
    ['-3', -3],
    ['\u22123', -3],
    ['+5', 5],
    ['.5', 0.5],
    ['1.25', 1.25],
    ['1,5', 1.5],
    ['0,125', 0.125],
    ['1,250', 1250],
    ['1.250', 1250],
    ['-12\u2009500', -12_500],
    ['1’234’567', 1_234_567],
    ['', null],
    ['-', null],
    ['.', null],
    ['1.', null],
    ['1,2,3', null],
    ['1,234.567', null],
    ['12 3', null],
    ['1e3', null],
    ['0x10', null],
    ['٣', null],
    ['three', null],
    ['5 points', null],
  ])) {
    assert.equal(value(text), wanted, text);
  }
});

test('totals are exact and easy to read', () => {
  const sum = (/** @type {string[]} */ ...cells) => {
    const lies = Object.fromEntries(
      cells.flatMap((text, row) => [
        [`r${row}`, ''],
        [`${row},0`, text],
      ]),
    );
    return sumOf(readSheet(texts({ c0: '', ...lies })), 0);
  };
  assert.equal(sum('0.1', '0.2'), '0.3');
  assert.equal(sum('3', 'pass', '-5'), '\u22122');
  assert.equal(sum('1.50', '0.5'), '2');
  assert.equal(sum('-0.05'), '\u22120.05');
  assert.equal(sum('9999', '1'), '10\u2009000');
  assert.equal(sum('9'.repeat(40), '1').replaceAll('\u2009', ''), `1${'0'.repeat(40)}`);
  assert.equal(sum('pass'), '');
  assert.equal(sum(), '');
});

test('simultaneous additions get different numbers while there is room', () => {
  const used = new Set([0, 1, 5]);
  const got = Array.from({ length: 6 }, (_, rank) =>
    freeNumber(used, MOST_COLUMNS, { rank, of: 6 }),
  );
  assert.equal(new Set(got).size, 6);
  assert.ok(got.every((n) => n > 5), 'all are behind the last one');
  assert.equal(freeNumber(new Set(), MOST_COLUMNS, { rank: 0, of: 1 }), 0);

  const full = new Set(Array.from({ length: MOST_COLUMNS }, (_, n) => n));
  assert.equal(freeNumber(full, MOST_COLUMNS, { rank: 2, of: 3 }), -1);
  full.delete(4);
  assert.equal(
    freeNumber(full, MOST_COLUMNS, { rank: 0, of: 3 }), 4, 'the free number between, for everybody',
  );
});

test('everybody can fill the sheet alone', () => {
  for (let rank = 0; rank < 5; rank++) {
    const used = new Set();
    for (let i = 0; i < MOST_COLUMNS; i++) {
      const n = freeNumber(used, MOST_COLUMNS, { rank, of: 5 });
      assert.ok(n >= 0 && n < MOST_COLUMNS && !used.has(n));
      used.add(n);
    }
  }
});

test('the CSV file has every cell, quoted, and no formulas', () => {
  const sheet = readSheet(
    texts({
      c0: 'Ada, "the" first', c2: 'Ben', r0: '', r3: '=evil()', '0,0': '12', '0,2': '-3',
      '3,0': '@x', '3,2': '1,250',
    }),
  );
  const words = {
    rows: 'Row',
    total: 'Total',
    nameOf: (/** @type {{name: string}} */ row, /** @type {number} */ i) =>
      row.name || String(i + 1),
  };
  assert.equal(
    csvOf(sheet, words),
    'Row,"Ada, ""the"" first",Ben\r\n1,12,-3\r\n\'=evil(),\'@x,"1,250"\r\nTotal,12,1247\r\n',
  );
});

test('G13.4 the texts of the game are in the language of the page, and no others', () => {
  const game = { title: 'Points', columns: ['Round 1', 'Round 2'], rows: ['White', 'Black'] };
  const shown = { title: 'Punkte', columns: ['Runde 1', 'Runde 2'], rows: ['Weiß', 'Schwarz'] };
  const lies = {
    title: 'Points', c0: 'Round 1', c1: 'Ada', c2: 'Round 1', r0: 'White', r1: '', r2: 'White',
    '0,0': 'Round 1',
  };
  const { columns, rows, title } = readSheet(inLanguage(texts(lies), game, shown));
  assert.equal(title, 'Punkte');
  assert.deepEqual(columns.map((c) => c.heading), ['Runde 1', 'Ada', 'Round 1']);
  assert.deepEqual(rows.map((r) => r.name), ['Weiß', '', 'White']);
  assert.equal(rows[0].cells.get(0), 'Round 1', 'a cell is not translated');
  const plain = readSheet(inLanguage(texts(lies), game, undefined));
  assert.deepEqual(plain, readSheet(texts(lies)), 'as the game is written');
  const few = { columns: ['Round 1'] };
  const read = readSheet(inLanguage(texts({ title: 'Ours', c0: 'Round 1', r0: 'White' }), few, {
    columns: ['Runde 1'],
  }));
  assert.deepEqual([read.title, read.columns[0].heading, read.rows[0].name],
    ['Ours', 'Runde 1', 'White']);
});
