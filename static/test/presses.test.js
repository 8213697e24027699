// What the page says and asks before and after a press, and whose pieces are.

import assert from 'node:assert/strict';
import test from 'node:test';
import { createListeners } from '../js/listeners.js';
import { createPending } from '../js/input/pending.js';
import {
  explainsSteps, OF_BUTTONS, saysSteps, whyNotPressed,
} from '../js/parts/abilities/button.js';
import { take } from '../js/parts/abilities/offering.js';
import { saysOfPlace } from '../js/parts/abilities/places.js';
import { emptyCatalog } from '../js/view/catalog.js';

/** @typedef {import('../js/view/catalog.js').Kind} Kind */
/** @typedef {import('../js/types.js').Piece} Piece */

const PRESS = { op: 'run', label: 'Press' };
const FLIP = { do: 'flip', kind: 'Coin' };

/** @param {string} name @param {object[]} steps */
const button = (name, steps) =>
  ({ name, faces: [{ name }], offers: [PRESS], button: { who: 'host', cooldown: 0, steps } });

const catalog = emptyCatalog('');
catalog.kinds = /** @type {Kind[]} */ (/** @type {unknown} */ ([
  button('Flip', [FLIP, FLIP, { do: 'roll', kind: 'Die' }, FLIP]),
  button('Again', [FLIP, { do: 'set up' }]),
  button('Short', [{ do: 'set up', name: 'Short game' }]),
  { name: 'Deck', faces: [{ name: 'Deck' }] },
  button('Which', [
    { do: 'ask', name: 'N', question: 'How many?', for: 'number' }, { do: 'set up' },
  ]),
]));
catalog.sides = [
  { name: 'South', angle: 0, colour: '#112233', pieces: [1] },
  { name: 'North', angle: 18000, colour: '#332211', pieces: [2] },
  { name: 'West', angle: 9000, colour: '#221133', pieces: [3] },
];

/** Pieces, each of the kind with its number. @type {Piece[]} */
const pieces = catalog.kinds.map((_, kind) => /** @type {Piece} */ (/** @type {unknown} */ (
  { id: kind, kind, face: 0, owner: 0, holder: 0 })));

/** A page of seat 1, with Ben at seat 2. */
const page = /** @type {import('../js/state.js').State} */ (/** @type {unknown} */ ({
  catalog,
  sync: {
    you: 1,
    seats: new Map([
      [1, { id: 1, nick: 'Ada', side: 1, role: 'host' }], [2, { id: 2, nick: 'Ben', side: 2 }],
      [3, { id: 3, nick: 'Cid', side: 3, left: 3 }],
    ]),
    pieces: new Map(pieces.map((p) => [p.id, p])),
  },
  parts: {},
}));

test('T93.5 the page asks before a button sets the table up, and not otherwise', () => {
  const asks = (/** @type {number} */ kind) => OF_BUTTONS.run.ask?.(page, [pieces[kind]]);
  assert.equal(asks(0), null);
  assert.equal(asks(1)?.title, 'Set the table up again?');
  assert.equal(asks(2)?.title, 'Set the table up again: Short game?');
});

/**
 * Presses buttons at once. Returns what the page asks and sends, in order.
 * @param {number[]} kinds
 * @param {boolean} [isConfirmed] whether it may set the table up
 * @param {boolean} [isAnswered] whether questions are answered, and not closed
 */
function presses(kinds, isConfirmed = true, isAnswered = true) {
  /** @type {string[]} */
  const done = [];
  const s = /** @type {import('../js/state.js').State} */ (/** @type {unknown} */ ({
    ...page, bars: {}, listeners: createListeners(), pending: createPending(), redraw() {},
    net: { serverNow: () => 0, flush() {} },
    view: { dirty: new Set(), order: { rank: (/** @type {number} */ id) => id } },
    sync: {
      ...page.sync,
      blind: (/** @type {number} */ id, /** @type {string} */ op, /** @type {any} */ args) =>
        done.push(`${op} ${id} ${args.answers ?? ''}`),
    },
    parts: {
      dialogs: {
        confirm(/** @type {any} */ _, /** @type {any} */ { title }, /** @type {any} */ yes) {
          done.push(title);
          if (isConfirmed) yes();
        },
        askQuestions(/** @type {any[]} */ ...[, piece, asked, , answer]) {
          done.push(`asks ${piece.id}: ${asked.length}`);
          if (isAnswered) answer([3]);
        },
      },
    },
  }));
  take(s, kinds.map((kind) => pieces[kind]), PRESS, /** @type {any} */ ({}));
  return done.map((text) => text.trim());
}

test('T93.5 a button that asks and sets up is confirmed, asks, and is sent with answers', () => {
  assert.deepEqual(presses([4]), ['Set the table up again?', 'asks 4: 1', 'run 4 3']);
  assert.deepEqual(presses([4], false), ['Set the table up again?']);
});

test('T95.12 a button asks before it is pressed, and is not pressed if its player cancels', () => {
  assert.deepEqual(presses([4]).slice(1), ['asks 4: 1', 'run 4 3']);
  assert.deepEqual(presses([4], true, false).slice(1), ['asks 4: 1']);
});

test('T93.5 of several buttons, each that sets the table up is confirmed', () => {
  assert.deepEqual(presses([0, 2]), ['run 0', 'Set the table up again: Short game?', 'run 2']);
  assert.deepEqual(presses([0, 1, 2], false), ['run 0', 'Set the table up again?']);
});

test('T91.10 the page says that a press had nothing to do', () => {
  assert.equal(whyNotPressed(page, { reason: 'empty', piece: 0, by: 0 }),
    '“Flip” has nothing to do now.');
  assert.equal(whyNotPressed(page, { reason: 'locked', piece: 0, by: 0 }), '');
  assert.equal(whyNotPressed(page, { reason: 'empty', piece: 3, by: 0 }), '', 'of a deck');
});

test('T84 what a button does several times is said once', () => {
  assert.deepEqual(saysSteps(catalog.kinds[0]),
    ['2 times: Turns over each “Coin”', 'Rolls each “Die”', 'Turns over each “Coin”']);
});

test('T84 a screen reader hears the first steps of a button, and how many more there are', () => {
  assert.equal(explainsSteps(catalog.kinds[0]),
    '2 times: Turns over each “Coin”; Rolls each “Die”; and one more');
  const faces = Array.from({ length: 40 }, (_, face) => ({ do: 'face', kind: 'Die', face }));
  const steps = [{ do: 'each seat', steps: faces }];
  const long = explainsSteps(/** @type {any} */ ({ button: { steps } }));
  assert.match(long, /^For each player, .*: Shows side 1 of each “Die”; .*…$/);
  assert.equal(long.length, 160);
});

test('T92.7 the page says to whom a piece belongs', () => {
  const says = [0, 1, 2, 3].map((id) => saysOfPlace(page, pieces[id]).join());
  assert.deepEqual(says, ['', 'yours', 'Ben’s', 'of the free place “West”']);
});
