import assert from 'node:assert/strict';
import { test } from 'node:test';

import { called, nickIn } from '../js/bars/names.js';

test('O37.10 a visitor is named by nick and server', () => {
  assert.equal(called({ nick: 'Ada', home: 'Ada’s' }).nick, 'Ada ⌂ Ada’s');
  assert.equal(called({ nick: 'Ada' }).nick, 'Ada');
  assert.equal(called({ nick: 'Ada', home: '' }).nick, 'Ada');
});

test('T53.2 repeated names are numbered', () => {
  const ben = called({ nick: 'Ben', number: 2 });
  assert.equal(ben.nick, 'Ben (2)');
  assert.equal(called({ nick: 'Ben', number: 3, home: 'Ada’s' }).nick, 'Ben (3) ⌂ Ada’s');
  assert.equal(nickIn(ben.nick, 2), 'Ben');
  assert.equal(nickIn(called({ nick: 'Ben', number: 3, home: 'Ada’s' }).nick, 3), 'Ben');
});

test('O37 a nick is found whatever the name of its server', () => {
  assert.equal(nickIn(called({ nick: 'Ada', home: 'a ⌂ b' }).nick), 'Ada');
  assert.equal(nickIn('Ada'), 'Ada');
});
