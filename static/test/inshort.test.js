// What the fairness page says first: it is for players, and claims no more than was checked.

import assert from 'node:assert/strict';
import test from 'node:test';
import { inShort } from '../js/fairnesspage/verdict.js';

/** @param {Partial<import('../js/fairnesspage/check.js').Round>} r */
const round = (r) =>
  /** @type {any} */ ({ revealed: false, draws: 0, shares: 0, mine: 0, alone: 0, ...r });

/** @param {any[]} rounds @param {any} [noted] */
const says = (rounds, noted = {}) => {
  const { title, sentences } = inShort(/** @type {any} */ ({ rounds, noted }));
  return [title, ...sentences].join(' ');
};

test('finding 14: nothing was shuffled or rolled', () => {
  assert.equal(says([round({})]), 'Nothing to check yet. Nobody has shuffled or rolled.');
});

test('finding 14: nothing is revealed yet', () => {
  const text = says([round({ draws: 2, shares: 2, mine: 1 })]);
  assert.match(text, /^Nothing looks wrong so far\. Your/);
});

test('finding 14: all was fair, and it says so only if all was checked', () => {
  const fair = { revealed: true, draws: 3, shares: 2, mine: 1 };
  const all = /^Every shuffle and roll so far was fair\. Your browser and the others’ took part/;
  assert.match(says([round(fair), round({})]), all);
  const some = /^Every shuffle and roll that can be checked was fair\./;
  assert.match(says([round(fair), round({ draws: 1 })]), some, 'a draw is still sealed');
  assert.match(says([round({ ...fair, alone: 1 })]), some, 'the server made one alone');
  assert.match(says([round({ ...fair, alone: 1 })]), /only the server’s word/);
  assert.match(says([round(fair)], null), some, 'this browser has no notes');
  assert.match(says([round({ ...fair, mine: 0 })]), /The other players’ browsers took part/);
  assert.match(says([round({ ...fair, shares: 0, mine: 0 })]), /No player’s browser has taken/);
});
