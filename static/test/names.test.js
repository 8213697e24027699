// Names of pieces inside sentences.

import assert from 'node:assert/strict';
import test from 'node:test';
import { lower, the } from '../js/view/describe.js';

test('a common noun loses the capital with which a label begins', () => {
  assert.equal(the('White king'), 'the white king');
  assert.equal(the('Ace of spades'), 'the ace of spades');
  assert.equal(the('Pawn of Black'), 'the pawn of Black');
  assert.equal(the('Red ribbon, April'), 'the red ribbon, April');
  assert.equal(the('Board of 9 lines'), 'the board of 9 lines');
  assert.equal(the('Board of Ur'), 'the board of Ur');
  assert.equal(the('2 of hearts'), 'the 2 of hearts');
  assert.equal(the('Six-sided die'), 'the six-sided die');
});

test('a name keeps the capitals that its author wrote', () => {
  assert.equal(the('German letter E, 1 point'), 'the German letter E, 1 point');
  assert.equal(the('Turkish board'), 'the Turkish board');
  assert.equal(the('Dealer Button'), 'the Dealer Button');
  assert.equal(the('TNT'), 'the TNT');
  assert.equal(lower('Tarock 18'), 'Tarock 18', 'also without an article');
});

test('who owns something keeps their name, and there is no article', () => {
  assert.equal(the('Ada’s hand'), 'Ada’s hand');
  assert.equal(the('Anna Maria’s hand'), 'Anna Maria’s hand');
  assert.equal(the('South’s pit 1'), 'South’s pit 1');
  assert.equal(the('Your hand'), 'your hand');
  assert.equal(the('Nobody’s hand'), 'nobody’s hand');
});

test('a name with a number is one that needs no article', () => {
  const all = ['Tarock 18', 'Tarock XVIII', 'Tarock 1, the pagat', 'Pentomino F', 'Ball B12',
    'Letter E, 1 point', 'Double 6', 'Flower 1, plum'];
  for (const name of all) assert.equal(the(name), name);
  assert.equal(the('Plain pine 1, January'), 'the plain pine 1, January');
});
