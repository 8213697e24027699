// How full the log of a table is, as far as the client knows (T44, T45).

import assert from 'node:assert/strict';
import test from 'node:test';
import { droppedSentence, sentenceOf } from '../js/parts/space/space.js';
import { msg } from '../js/parts/space/msg.js';
import { msg as ofControls } from '../js/parts/controls/msg.js';
import { frame, full, table } from './table.js';

/** @param {number} level @param {number} [dropped] @returns {any} */
const space = (level, dropped = 0) => ({ type: 'space', level, dropped });

test('T44 a level holds until the next one or a full state without one', () => {
  const sync = table();
  assert.equal(sync.space, null);
  assert.deepEqual(sync.receive(frame(space(1))).events, [space(1)]);
  sync.receive(frame(/** @type {any} */ (full({ pieces: [] })), space(2)));
  assert.equal(/** @type {any} */ (sync.space).level, 2);
  sync.receive(frame(/** @type {any} */ (full({ pieces: [] }))));
  assert.equal(sync.space, null);
});

test('T44 each level has a message, for hosts with advice', () => {
  assert.equal(sentenceOf(0, true), '');
  for (const level of [1, 2, 3, 4]) {
    assert.match(sentenceOf(level, true), /settings/);
    assert.match(sentenceOf(level, false), /host/);
  }
});

test('T45 T46 a refusal is explained', () => {
  assert.match(msg('space.why.log-full'), /full/);
  assert.match(ofControls('controls.why.too-much'), /hour/);
});

test('T48 everybody hears who dropped the history', () => {
  const sync = table();
  sync.receive(frame(space(0, 2)));
  assert.equal(/** @type {any} */ (sync.space).dropped, 2);
  assert.match(droppedSentence('Ada'), /Ada/);
  assert.match(droppedSentence(''), /room again/);
});
