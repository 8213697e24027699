import assert from 'node:assert/strict';
import test from 'node:test';
import { readSheet } from '../js/parts/sheet/model.js';
import {
  accept, addColumn, addRow, removeColumn, removeRow, suggestion, writeAt, writeTitle,
} from '../js/parts/sheet/write.js';

const NAMES = -1;
const HEADINGS = -1;
const alone = { rank: 0, of: 1 };

/** A sheet in a plain object, as in sheetmodel.test.js. @param {Record<string, string>} lies */
function storeOf(lies) {
  /** @param {string} key @param {string|null} text */
  const put = (key, text) => {
    if (text === null) delete lies[key];
    else lies[key] = text;
  };
  /** @type {import('../js/parts/sheet/write.js').Store} */
  const store = {
    title: () => lies.title ?? null,
    heading: (c) => lies[`c${c}`] ?? null,
    name: (r) => lies[`r${r}`] ?? null,
    cell: (r, c) => lies[`${r},${c}`] ?? null,
    putTitle: (text) => put('title', text),
    putHeading: (c, text) => put(`c${c}`, text),
    putName: (r, text) => put(`r${r}`, text),
    putCell: (r, c, text) => put(`${r},${c}`, text),
  };
  return store;
}

test('C13 a suggested sheet has one column for each seat', () => {
  const seats = [
    { id: 1, nick: 'Ada' },
    { id: 2, nick: 'Ben' },
    { id: 33, nick: 'Cleo' },
    { id: 40, nick: 'Dora' },
  ];
  const all = suggestion(seats);
  assert.deepEqual(all.columns, [
    { column: 0, heading: 'Ada' },
    { column: 1, heading: 'Ben' },
    { column: 7, heading: 'Dora' },
  ]);
  const fewer = suggestion([seats[0], seats[3]]);
  for (const c of fewer.columns)
    assert.deepEqual(
      all.columns.find((d) => d.column === c.column), c,
    );

  const lies = {};
  accept(storeOf(lies), all);
  accept(storeOf(lies), fewer);
  assert.deepEqual(lies, { c0: 'Ada', c1: 'Ben', c7: 'Dora', r0: '' });
});

test('C14 an emptied cell has no component; an emptied name keeps its row', () => {
  const lies = { c0: 'Ada', r0: 'First', '0,0': '3', title: 'Rummy' };
  const store = storeOf(lies);
  writeAt(store, { row: 0, column: 0 }, '');
  writeAt(store, { row: 0, column: NAMES }, '');
  writeAt(store, { row: HEADINGS, column: 0 }, '');
  writeTitle(store, '');
  assert.deepEqual(lies, { c0: '', r0: '' });
  writeAt(store, { row: 0, column: 0 }, '5');
  writeTitle(store, 'Hearts');
  assert.deepEqual(lies, { c0: '', r0: '', '0,0': '5', title: 'Hearts' });
});

test('a new row does not show what was written in a removed one', () => {
  const lies = { c0: 'Ada', r0: '', '0,0': '1', '1,0': 'left behind', '0,1': 'left behind, too' };
  const store = storeOf(lies);
  assert.equal(addRow(store, readSheet(store), alone), 1);
  assert.equal(addColumn(store, readSheet(store), alone), 1);
  assert.deepEqual(lies, { c0: 'Ada', c1: '', r0: '', r1: '', '0,0': '1' });
});

test('a removed row or column comes back, except for later writes', () => {
  const before = { c0: 'Ada', c1: 'Ben', r0: 'First', r1: '', '0,0': '1', '0,1': '2', '1,1': '3' };
  for (const [remove, left] of /** @type {const} */ ([
    [removeRow, { c0: 'Ada', c1: 'Ben', r1: '', '1,1': '3' }],
    [removeColumn, { c1: 'Ben', r0: 'First', r1: '', '0,1': '2', '1,1': '3' }],
  ])) {
    const lies = { ...before };
    const store = storeOf(lies);
    const undo = remove(store, 0);
    assert.deepEqual(lies, left);
    undo();
    assert.deepEqual(lies, before);
    const again = remove(store, 0);
    store.putCell(0, 0, 'newer');
    again();
    assert.deepEqual(lies, { ...before, '0,0': 'newer' });
  }
});
