// The sentences for what others do, made from data: who, what, from where to where, and what was
// captured.

import assert from 'node:assert/strict';
import test from 'node:test';
import { dropGrab, sentenceOf, withCaptures } from '../js/bars/news.js';
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
const spoken = (all) => withCaptures(all).map(sentenceOf);

const pawn = { name: 'Black pawn', move: { from: 'd7', to: 'd5' } };
const taken = { name: 'White pawn', move: { from: 'd5', to: '' } };

test('a move between cells says from where to where', () => {
  assert.deepEqual(spoken([news('Ben', 'release', { 7: pawn })]), [
    'Ben moved the black pawn from d7 to d5.',
  ]);
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
  assert.deepEqual(spoken([news('Ben', 'release', { 7: pawn, 8: pawn })]), [
    'Ben put down 2 pieces.',
  ]);
});

test('news of no piece is announced', () => {
  assert.deepEqual(spoken([news('Ben', 'left', {})]), ['Ben has left.']);
});

test('a grab is dropped when the piece is put down', () => {
  const all = new Map([['Ben grab', news('Ben', 'grab', { 7: pawn, 8: taken })]]);
  dropGrab(all, 'Ben grab', 7);
  assert.deepEqual([...(all.get('Ben grab')?.what.keys() ?? [])], [8]);
  dropGrab(all, 'Ben grab', 8);
  assert.equal(all.size, 0);
});
