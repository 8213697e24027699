// The sentences for what others do, made from data: who, what, from where to where, and what was
// captured.

import assert from 'node:assert/strict';
import test from 'node:test';
import { dropNews, movesApart, sentenceOf, withCaptures } from '../js/bars/news.js';
import '../js/parts/abilities/msg.js';
import '../js/parts/boards/msg.js';

/** @typedef {import('../js/bars/news.js').News} News */

/**
 * @param {string} who
 * @param {string} op
 * @param {Record<number, {name: string, move?: import('../js/bars/news.js').Move}>} what
 * @returns {News}
 */
const news = (who, op, what) => ({
  who, op, what: new Map(Object.entries(what).map(([id, is]) => [Number(id), is])),
});
/** @param {News[]} all */
const spoken = (all) => withCaptures(movesApart(all)).map(sentenceOf);

const pawn = { name: 'Black pawn', move: { from: 'd7', to: 'd5' } };
const taken = { name: 'White pawn', move: { from: 'd5', to: '' } };

test('a move between cells says from where to where', () => {
  assert.deepEqual(spoken([news('Ben', 'release', { 7: pawn })]), [
    'Ben moved the black pawn from d7 to d5.',
  ]);
});

test('T62.10 moves that follow each other soon are named one by one, many are counted', () => {
  const move = (/** @type {string} */ from, /** @type {string} */ to) =>
    ({ name: 'Pawn', move: { from, to } });
  const two = { 7: move('d7', 'd5'), 8: move('e7', 'e6') };
  assert.deepEqual(spoken([news('Ben', 'release', two)]), [
    'Ben moved the pawn from d7 to d5.', 'Ben moved the pawn from e7 to e6.',
  ]);
  const four = { ...two, 9: move('a7', 'a6'), 10: move('b7', 'b6') };
  assert.deepEqual(spoken([news('Ben', 'release', four)]), ['Ben put down 4 pieces.']);
  const aside = { ...two, 8: move('e7', '') };
  assert.deepEqual(spoken([news('Ben', 'release', aside)]), ['Ben put down 2 pieces.']);
});

test('a piece that comes from beside the board says to where', () => {
  const goat = { name: 'Goat', move: { from: '', to: 'c1' } };
  assert.deepEqual(spoken([news('Ben', 'release', { 7: goat })]), ['Ben moved the goat to c1.']);
  const caught = { name: 'Pawn', move: { from: 'c1', to: '' } };
  assert.deepEqual(spoken([
    news('Ben', 'release', { 7: goat }), news('Ben', 'move', { 8: caught }),
  ]), ['Ben moved the goat to c1; it took the pawn.']);
});

test('a capture is a part of the move that captured', () => {
  const all = [news('Ben', 'release', { 7: pawn }), news('Ben', 'move', { 8: taken })];
  assert.deepEqual(spoken(all), [
    'Ben moved the black pawn from d7 to d5; it took the white pawn.',
  ]);
});

test('T62 it is, too, if what was captured goes off first, as pages send it', () => {
  const all = [news('Ben', 'move', { 8: taken }), news('Ben', 'release', { 7: pawn })];
  assert.deepEqual(spoken(all), [
    'Ben moved the black pawn from d7 to d5; it took the white pawn.',
  ]);
});

test('T63 a capture that is undone is one sentence', () => {
  const back = { name: 'Black pawn', move: { from: 'd5', to: 'd7' } };
  for (const [to, want] of [
    ['d5', 'Ben moved the black pawn back from d5 to d7; the white pawn is on d5 again.'],
    ['d6', 'Ben took back what was done with 2 pieces.'],
  ]) {
    const again = { name: 'White pawn', move: { from: '', to } };
    assert.deepEqual(spoken([news('Ben', 'undo', { 7: back, 8: again })]), [want]);
    assert.deepEqual(spoken([news('Ben', 'undo', { 7: again, 8: back })]), [want]);
  }
});

test('what somebody else moved off a cell was not captured', () => {
  const all = [news('Ben', 'release', { 7: pawn }), news('Cleo', 'move', { 8: taken })];
  assert.deepEqual(spoken(all), [
    'Ben moved the black pawn from d7 to d5.', 'Cleo moved the white pawn.',
  ]);
});

test('what was moved from another cell was not captured', () => {
  const away = { ...taken, move: { from: 'e5', to: '' } };
  const all = [news('Ben', 'release', { 7: pawn }), news('Ben', 'move', { 8: away })];
  assert.deepEqual(spoken(all), [
    'Ben moved the black pawn from d7 to d5.', 'Ben moved the white pawn.',
  ]);
});

test('of several captured pieces the others are still announced', () => {
  const other = { name: 'White rook', move: { from: 'a1', to: '' } };
  const all = [news('Ben', 'release', { 7: pawn }), news('Ben', 'move', { 8: taken, 9: other })];
  assert.deepEqual(spoken(all), [
    'Ben moved the black pawn from d7 to d5; it took the white pawn.',
    'Ben moved the white rook.',
  ]);
});

test('without cells a move is announced as before', () => {
  const piece = { name: 'Black pawn' };
  const nowhere = { ...piece, move: { from: 'd7', to: '' } };
  const within = { ...piece, move: { from: 'd7', to: 'd7' } };
  for (const is of [piece, nowhere, within])
    assert.deepEqual(spoken([news('Ben', 'release', { 7: is })]), ['Ben put down the black pawn.']);
  assert.deepEqual(spoken([news('Ben', 'release', { 7: nowhere, 8: nowhere })]), [
    'Ben put down 2 pieces.',
  ]);
});

test('news of no piece is announced', () => {
  assert.deepEqual(spoken([news('Ben', 'left', {})]), ['Ben has left.']);
});

test('a grab is dropped when the piece is put down', () => {
  const all = new Map([['Ben grab', news('Ben', 'grab', { 7: pawn, 8: taken })]]);
  assert.equal(dropNews(all, 'Ben grab', 7), true);
  assert.deepEqual([...(all.get('Ben grab')?.what.keys() ?? [])], [8]);
  assert.equal(dropNews(all, 'Ben grab', 9), false);
  dropNews(all, 'Ben grab', 8);
  assert.equal(all.size, 0);
});

test('T63 what is taken back is announced', () => {
  const back = { name: 'White pawn', move: { from: 'd4', to: 'd2' } };
  const { name } = back;
  assert.deepEqual(spoken([news('Cyd', 'undo', { 7: back })]), [
    'Cyd moved the white pawn back from d4 to d2.',
  ]);
  assert.deepEqual(spoken([news('Cyd', 'undo', { 7: { name }, 8: { name } })]), [
    'Cyd took back what was done with 2 pieces.',
  ]);
  assert.deepEqual(spoken([news('Cyd', 'undo', {})]), ['Cyd took something back.']);
});

test('T84 a press is announced by what is written on the button, and by what it turns up', () => {
  assert.deepEqual(spoken([news('Ada', 'run', { 7: { name: 'Deal for 2' } })]), [
    'Ada pressed “Deal for 2”.',
  ]);
  assert.deepEqual(spoken([news('Ada', 'turnedUp', { 8: { name: 'Ace' }, 9: { name: 'B7' } })]), [
    'Turned up: ace and B7.',
  ]);
});

test('T89 what is taken from a supply is announced as such', () => {
  assert.deepEqual(spoken([news('Ada', 'supplied', { 7: { name: 'Black stone' } })]), [
    'Ada took the black stone from a supply.',
  ]);
});
