// Which games of the shelf fit what somebody looks for.

import assert from 'node:assert/strict';
import test from 'node:test';
import { another, fits, fold, setupFor, spansIn } from '../js/homepage/filter.js';

/** @typedef {import('../js/homepage/filter.js').Wish} Wish */

/** @param {string} text @param {string} spans @param {number} minutes @param {string[]} genres */
const game = (text, spans, minutes, ...genres) => ({
  text: fold(text), spans: spansIn(spans), minutes, genres,
});
const shelf = {
  chess: game('Chess A wooden board and a clock.', '2-2', 60, 'board'),
  hearts: game('Hearts Take no hearts.', '4-4 3-3 5-5', 45, 'cards'),
  yacht: game('Yacht Five dice.', '1-6', 20, 'dice', 'party'),
  tafl: game('Hnefatafl Größe, Éclair, Ævi', '2-2', 61, 'board'),
  werewolf: game('Werewolf For many.', '9-18', 30, 'party'),
  box: game('A box It says nothing.', '', 0),
};
const nothing = { words: '', players: '', genre: '', time: '' };

/** The names of the games that fit. @param {Partial<Wish>} wish */
const found = (wish) =>
  Object.entries(shelf)
    .filter(([, one]) => fits(one, { ...nothing, ...wish }))
    .map(([name]) => name)
    .join(' ');

// Clauses: G19.2, G19.3
test('G19.2 a game has to fit all filters', () => {
  /** @type {[Partial<Wish>, string][]} */
  const rows = [
    [{}, 'chess hearts yacht tafl werewolf box'],
    [{ players: '1' }, 'yacht'],
    [{ players: '2' }, 'chess yacht tafl'],
    [{ players: '3' }, 'hearts yacht'],
    [{ players: '5' }, 'hearts yacht'],
    [{ players: '7' }, ''],
    [{ players: '8+' }, 'werewolf'],
    [{ genre: 'party' }, 'yacht werewolf'],
    [{ genre: 'board' }, 'chess tafl'],
    [{ genre: 'tiles' }, ''],
    [{ time: '15' }, ''],
    [{ time: '30' }, 'yacht werewolf'],
    [{ time: '60' }, 'chess hearts yacht werewolf'],
    [{ time: '60+' }, 'tafl'],
    [{ genre: 'party', players: '6', time: '15' }, ''],
    [{ genre: 'party', players: '6', time: '30', words: 'dice' }, 'yacht'],
  ];
  for (const [wish, want] of rows) assert.equal(found(wish), want, JSON.stringify(wish));
});

test('G19.2 words are found in any order, whatever the case and the accents', () => {
  for (const [words, want] of [
    ['CHESS', 'chess'], ['clock wood', 'chess'], ['heart', 'hearts'], ['grosse', 'tafl'],
    ['GRÖSSE eclair', 'tafl'], ['e\u0301clair', 'tafl'], ['chess dice', ''], ['  ', found({})],
    ['.', found({}).replace('tafl ', '')],
  ])
    assert.equal(found({ words }), want, words);
});

test('a game at random is another one, if there is another', () => {
  assert.equal(another([], null), null);
  assert.equal(another(['a'], 'a'), 'a');
  assert.equal(another(['a', 'b'], 'a', () => 0.999), 'b');
  const all = ['a', 'b', 'c', 'd'];
  const chosen = [0, 0.34, 0.67, 0.999].map((n) => another(all, 'b', () => n));
  assert.deepEqual(chosen, ['a', 'c', 'd', 'd']);
  assert.equal(another(all, null, () => 0.3), 'b');
});

// Clauses: G14.3
test('G14.3 a number of players chooses the first set-up for as many', () => {
  const hearts = ['4-4', '3-3', '5-5', ''].map(spansIn);
  assert.equal(setupFor(hearts, 0, '3'), 1);
  assert.equal(setupFor(hearts, 1, '5+'), 2);
  assert.equal(setupFor(hearts, 0, '4'), 0, 'the chosen one fits');
  assert.equal(setupFor(hearts, 3, '6'), 3, 'none fits: the choice stays');
  assert.equal(setupFor(hearts, 2, ''), 2, 'no number is asked for: the choice stays');
  assert.equal(setupFor([[], []], 1, '2'), 1, 'a game that says nothing');
});
