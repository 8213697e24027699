// What a page says of who edits the game.

import assert from 'node:assert/strict';
import test from 'node:test';
import { tellEditor } from '../js/parts/controls/roles.js';

/** @typedef {import('../js/types.js').Seat} Seat */

/** Returns what the page of Ben, at seat 2, says of a seat. @param {Partial<Seat>} of */
function saysOf(of) {
  const seat = /** @type {Seat} */ ({
    id: 2, nick: 'Ben', role: 'player', colour: 0, presence: 'here', ...of,
  });
  const s = /** @type {import('../js/state.js').State} */ (/** @type {unknown} */ ({
    sync: { you: 2, seats: new Map([[1, { ...seat, id: 1, nick: 'Ada' }], [2, seat]]) },
  }));
  /** @type {string[]} */
  const texts = [];
  tellEditor(s, seat, /** @type {import('../js/bars/say.js').Voice} */ (/** @type {unknown} */ ({
    notice: (/** @type {string} */ text) => texts.push(text),
  })));
  return texts;
}

test('T99.6 a page says who edits the game, and who does not any more', () => {
  assert.deepEqual(saysOf({ id: 1, nick: 'Ada', editsBy: 1 }), ['Ada edits the game now.']);
  assert.deepEqual(saysOf({ id: 1, nick: 'Ada' }), ['Ada does not edit the game any more.']);
  assert.deepEqual(saysOf({ editsBy: 1 }),
    ['Ada lets you edit the game: press Edit among the tools.']);
  assert.deepEqual(saysOf({}), ['You do not edit the game any more.']);
  assert.deepEqual(saysOf({ editsBy: 2 }), [], 'who has just pressed the button knows it');
});
