// How sounds are synthesised, and which of them an event makes.

import assert from 'node:assert/strict';
import test from 'node:test';
import { isOwnClock, soundOf } from '../js/parts/sounds/choose.js';
import { LENGTHS, RATE, synthesise } from '../js/parts/sounds/synth.js';

/** @typedef {import('../js/parts/sounds/synth.js').Sound} Sound */
/** @typedef {import('../js/view/catalog.js').Kind} Kind */
/** @typedef {import('../js/types.js').Piece} Piece */

const NAMES = /** @type {Sound[]} */ (Object.keys(LENGTHS));

test('each sound is short, audible, within bounds, and begins and ends in silence', () => {
  for (const name of NAMES) {
    const samples = synthesise(name);
    assert.equal(samples.length, Math.round((LENGTHS[name] * RATE) / 1000), name);
    assert.ok(samples.every((v) => Number.isFinite(v) && Math.abs(v) <= 0.901), name);
    assert.ok(samples.some((v) => Math.abs(v) > 0.85), `${name} is audible`);
    assert.ok(Math.abs(samples[0]) < 0.1 && Math.abs(samples.at(-1) ?? 1) < 0.001, name);
  }
  assert.equal(new Set(Object.values(LENGTHS)).size, NAMES.length, 'no two are equally long');
});

test('a sound is the same whenever it is computed', () => {
  for (const name of NAMES) assert.deepEqual(synthesise(name), synthesise(name), name);
});

/** @param {Partial<Kind>} fields @returns {Kind} */
const kind = (fields) => /** @type {Kind} */ (/** @type {unknown} */ ({
  shape: 'rect', weight: 'light', ...fields,
}));

const CARD = kind({ shape: 'card' });
const MAN = kind({ shape: 'round' });
const CHIPS = kind({ shape: 'round', currency: { initial: 100 } });
const BOARD = kind({ weight: 'heavy' });

test('cards slide, chessmen knock, chips click and dice rattle', () => {
  for (const [op, k, sound] of /** @type {const} */ ([
    ['release', CARD, 'card'], ['move', CARD, 'card'], ['flip', CARD, 'flip'],
    ['deal', null, 'card'], ['draw', null, 'card'], ['shuffle', null, 'shuffle'],
    ['release', MAN, 'wood'], ['release', BOARD, 'wood'], ['release', CHIPS, 'chip'],
    ['split', CHIPS, 'chip'], ['roll', kind({}), 'die'],
  ]))
    assert.equal(soundOf(op, k), sound, op);
});

test('what nobody sees makes no sound, nor does a grab or a peek', () => {
  for (const op of ['grab', 'peek', 'show', 'pin', 'raise', 'lower', 'claim'])
    assert.equal(soundOf(op, CARD), '', op);
  assert.equal(soundOf('release', null), '');
});

const display = { x: 0, width: 100, height: 40 };
const CLOCK = kind({
  clock: { counts: 'down', initial: 1, increment: 0, displays: [
    { ...display, y: 200 }, { ...display, y: 0 },
  ] },
});

/** @param {number} running @param {number} [angle] */
const clock = (running, angle = 0) => /** @type {Piece} */ (/** @type {unknown} */ ({
  angle, clock: { running, since: 0, left1: 0, left2: 0, initial: 0, increment: 0 },
}));

test('the bell rings for the side that one has pressed, else for the nearer one', () => {
  const rings = (/** @type {number} */ from, /** @type {number} */ to, own = 0, turn = 0) =>
    isOwnClock(CLOCK, clock(from), clock(to), own, turn);
  assert.equal(rings(2, 1), true, 'side 1 is the lower one');
  assert.equal(rings(1, 2), false);
  assert.equal(rings(1, 2, 0, 180), true, 'from the other side of the table');
  assert.equal(rings(1, 2, 2), true, 'this person has pressed side 2');
  assert.equal(rings(2, 1, 2), false);
  assert.equal(rings(1, 1), false, 'it ran already');
  assert.equal(rings(1, 0), false, 'it stands');
});
