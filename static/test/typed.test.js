// What people type becomes what the server accepts (C14): it refuses a whole message for one
// character too many.

import assert from 'node:assert/strict';
import test from 'node:test';
import { lineOf, textOf } from '../js/parts/components/typed.js';

test('C14.6, C14.7 a line has printable characters only and no outer spaces', () => {
  assert.equal(lineOf('  Guard\tof the\u00a0gate \n', 40), 'Guard of the gate');
  assert.equal(lineOf('a\u0000b\u202ec\u200dd', 40), 'abcd');
  assert.equal(lineOf(' \u2003\n ', 40), '');
  assert.equal(lineOf('\u0000\u0007', 40), '');
  assert.equal(lineOf('zero\u200bwidth\u202e', 40), 'zerowidth');
  assert.equal(lineOf('−3 €', 40), '−3 €');
  assert.equal(lineOf('Ёлка № 5 🎲 ±½', 40), 'Ёлка № 5 🎲 ±½');
});

test('C14 a line is cut at a limit, between characters, without final spaces', () => {
  assert.equal(lineOf('🎲🎲🎲', 2), '🎲🎲');
  assert.equal(lineOf('ab cd', 3), 'ab');
  assert.equal(lineOf('x'.repeat(50), 40), 'x'.repeat(40));
});

test('C14.8 a text keeps its lines but no other control characters', () => {
  assert.equal(textOf('one\r\ntwo\rthree\tfour\u0007\u0085', 100), 'one\ntwo\nthree four');
  assert.equal(textOf('  indented\n\n', 100), '  indented');
  assert.equal(textOf('\n \n', 100), '');
  assert.equal(textOf('🎲'.repeat(5), 3), '🎲🎲🎲');
});
