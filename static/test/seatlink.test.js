import assert from 'node:assert/strict';
import test from 'node:test';

import { linkNote, announceLink } from '../js/parts/dialogs/seatlink.js';

/** The seats of a host, who is the viewer, and of another player. */
const state = /** @type {any} */ ({
  sync: {
    you: 1,
    seats: new Map([
      [1, { nick: 'Ada' }],
      [2, { nick: 'Ben' }],
    ]),
  },
});

/** What the page says of a seat's link. @param {object} seat @returns {string[]} */
function told(seat) {
  const all = /** @type {string[]} */ ([]);
  const say = (/** @type {string} */ text) => all.push(text);
  announceLink(state, /** @type {any} */ ({ notice: say, alarm: say }), /** @type {any} */ (seat));
  return all;
}

test('T55 the page says who made a seat’s link, a host or the operator', () => {
  const ada = { id: 1, nick: 'Ada', linkAt: 1 };
  assert.match(told(ada)[0] ?? '', /^The operator of this server made a link for your seat\./);
  assert.match(
    told({ ...ada, linkUsed: 2 })[0] ?? '', /by the link that the operator of this server made\.$/,
  );
  assert.match(
    told({ id: 2, nick: 'Ben', linkBy: 1, linkAt: 1 })[0] ?? '',
    /^You made a link for the seat of Ben\./,
  );
  assert.match(
    linkNote(state, /** @type {any} */ (ada)),
    /^The operator of this server made a link for this seat at /,
  );
  assert.match(linkNote(state, /** @type {any} */ ({ linkBy: 2, linkAt: 1 })), /^Ben made a link/);
});
