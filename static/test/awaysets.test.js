// How the page shows the pieces of a set whose owner is unreachable (O20).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { drawGuest } from '../js/parts/guests/guests.js';

/**
 * Draws a piece of a set, and returns its classes and its title.
 * @param {{away: string, until: number}} set
 */
function drawn({ away, until }) {
  const classes = new Set();
  const p = {
    el: {
      classList: {
        toggle: (/** @type {string} */ name, /** @type {boolean} */ on) =>
          on ? classes.add(name) : classes.delete(name),
      },
      querySelector: () => ({ remove() {} }),
      title: 'before',
    },
  };
  const s = {
    sync: {
      you: 1, seats: new Map([[2, { id: 2, nick: 'Ben' }]]),
      sets: new Map([[7, { id: 7, by: 2, away, until, gone: false }]]),
    },
    net: { serverNow: () => 1_000_000 },
  };
  drawGuest(/** @type {any} */ (s), /** @type {any} */ (p), /** @type {any} */ ({ id: 9, set: 7 }));
  return { grey: classes.has('away'), title: p.el.title };
}

test('O20.1 a piece of an unreachable set is grey, and of a reachable one is not', () => {
  assert.equal(drawn({ away: 'owner', until: 0 }).grey, true);
  assert.deepEqual(drawn({ away: '', until: 0 }), { grey: false, title: '' });
  const css = readFileSync(new URL('../css/parts/guests.css', import.meta.url), 'utf8');
  assert.match(css, /\.piece\.away img \{[^}]*filter:[^;}]*grayscale\(1\)/);
});

test('O20.2 the piece says why its set is unreachable', () => {
  const says = (/** @type {string} */ away) => drawn({ away, until: 0 }).title;
  assert.match(says('owner'), /^What Ben brought is away: its server does not answer\./);
  assert.match(says('frozen'), /^What Ben brought is away: it is on its way/);
});

test('O20.3 the piece says until when the owner is not asked again', () => {
  const says = (/** @type {number} */ left) =>
    drawn({ away: 'owner', until: 1_000_000 + left }).title;
  assert.match(says(5 * 60_000), /; trying again in 5 min\./);
  assert.match(says(5 * 60_000 + 1), /; trying again in 6 min\./);
  assert.match(says(-1), /; trying again in 1 min\./);
  assert.doesNotMatch(drawn({ away: 'owner', until: 0 }).title, /trying again/);
});
