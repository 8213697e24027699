// CSV as the editor of the game reads and writes it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import fc from 'fast-check';
import { VENDORED, papaparse } from '../../scripts/vendor/papaparse.mjs';
import { read, write } from '../js/parts/csv/csv.js';

test('the vendored Papa Parse is that of npm', () => {
  assert.equal(readFileSync(VENDORED, 'utf8'), papaparse(),
    'run node scripts/vendor/papaparse.mjs');
});

test('a table is read whatever separates its cells, with quotes and line breaks', () => {
  const want = [['Name', 'How many', 'Text'], ['Wolf', '3', 'Howl; then "bite", twice']];
  for (const text of [
    '\ufeffName,How many,Text\r\nWolf,3,"Howl; then ""bite"", twice"\r\n',
    'Name;How many;Text\nWolf;3;"Howl; then ""bite"", twice"\n\n',
    'Name\tHow many\tText\nWolf\t3\tHowl; then "bite", twice\n  \t\t\n',
  ])
    assert.deepEqual(read(text), { rows: want, open: 0 });
  assert.deepEqual(read('a\t"b\nc"', '\t').rows, [['a', 'b\nc']]);
  assert.deepEqual(read('').rows, []);
});

test('a quotation mark that stays open is found, with its line', () => {
  assert.deepEqual(read('Name,Text\nWolf,"Howl\nBear,Growl').open, 2);
});

test('what is written is read as it was', () => {
  const cell = fc.string({ unit: 'grapheme' }).filter((s) => !s.includes('\r'));
  fc.assert(fc.property(
    fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 6 }),
    (rows) => {
      const full = rows.filter((row) => row.some((text) => text.trim() !== ''));
      assert.deepEqual(read(write(full), ',').rows, full);
    },
  ));
});
