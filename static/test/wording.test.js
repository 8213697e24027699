// Sentences of which the wording depends on who reads them, or on what is called how.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createBars } from '../js/bars/state.js';
import { createPending } from '../js/input/pending.js';
import { createInput } from '../js/input/state.js';
import { createListeners } from '../js/listeners.js';
import { onOutcome } from '../js/outcome.js';
import { bindTurnedUp, pressedBy } from '../js/parts/abilities/button.js';
import { handName, handTag } from '../js/parts/cards/handnames.js';
import { closed } from '../js/parts/dialogs/invite.js';
import { sayLogOut } from '../js/parts/dialogs/leaving.js';
import { placeOf, timeOf } from '../js/parts/saves/dialog.js';
import { sentenceOf } from '../js/parts/saves/saves.js';
import { whatOf } from '../js/parts/undo/undo.js';
import { createRelay } from '../js/relay/state.js';
import { emptyCatalog } from '../js/view/catalog.js';
import { Element, makeDocument, removeDocument } from './elements.js';

const [YOU, CYD] = [1, 2];
const [HAND, SCREEN, BUTTON] = [0, 1, 2];

before(makeDocument);
after(removeDocument);

/** A page of seat 1, with Cyd at seat 2. @param {{left?: number}} [of] */
function pageOf({ left = 0 } = {}) {
  const catalog = emptyCatalog('');
  catalog.kinds = /** @type {any} */ ([
    { name: 'Hand at the side', hand: true, faces: [{ name: '' }] },
    { name: 'Screen', hand: true, faces: [{ name: '' }] },
    { name: 'Deal', button: { steps: [] }, faces: [{ name: '' }] },
  ]);
  const seats = [
    { id: YOU, nick: 'Ada', role: 'player', left }, { id: CYD, nick: 'Cyd', role: 'host', left: 0 },
  ];
  return /** @type {any} */ ({
    catalog,
    sync: {
      you: YOU, pieces: new Map(), holds: new Map(), entering: new Map(), unsettled: () => false,
      seats: new Map(seats.map((seat) => [seat.id, seat])),
    },
    parts: { abilities: { pressedBy } }, load: async () => ({}), redraw() {},
    relay: createRelay(), input: createInput(), pending: createPending(), bars: createBars(),
    listeners: createListeners(),
    view: { dirty: new Set(), shown: new Map(), pace: new Map(), camera: { turn: 0 } },
  });
}

/** @param {number} id @param {number} kind @param {object} [more] @returns {any} */
const piece = (id, kind, more = {}) =>
  ({ id, kind, face: 0, x: 0, y: 0, angle: 0, owner: 0, ...more });

/** @param {any} s @param {any[]} events */
function take(s, events) {
  /** @type {string[]} */
  const alarms = [];
  const voice = /** @type {any} */ ({
    alarm: (/** @type {string} */ text) => alarms.push(text), news() {}, whisper() {},
  });
  bindTurnedUp(s, voice);
  onOutcome(s, /** @type {any} */ ({
    changed: new Set(), gone: new Set(), renamed: [], motions: [], cursors: [], acked: [], events,
  }), voice);
  return alarms;
}

test('T63.6 the question about a press names the button', () => {
  const s = pageOf();
  assert.equal(whatOf(s, 'run', 9), 'a press of a button', 'which one is not known');
  const button = piece(3, BUTTON);
  s.sync.pieces.set(3, button);
  take(s, [{ type: 'update', op: 'run', by: CYD, piece: 3, before: button }]);
  assert.equal(whatOf(s, 'run', CYD), 'a press of “Deal”');
  assert.equal(whatOf(s, 'release', CYD), 'a move');
  assert.equal(whatOf(s, 'count', CYD), 'what they did last');
});

test('whoever was put out does not read that a piece slipped away with the connection', () => {
  const slipped = { type: 'conflict', piece: 7, by: 0, op: 'release', lost: [] };
  assert.deepEqual(take(pageOf(), [slipped]),
    ['You let go of one piece when the connection was lost.']);
  assert.deepEqual(take(pageOf({ left: CYD }), [slipped]), []);
});

test('a hand that is called something else has that name', () => {
  const s = pageOf();
  const name = (/** @type {number} */ kind, /** @type {number} */ owner) =>
    handName(s, piece(1, kind, { owner }));
  assert.deepEqual([YOU, CYD, 0].map((owner) => name(SCREEN, owner)),
    ['Your screen', 'Cyd’s screen', 'Free screen']);
  assert.deepEqual([YOU, CYD, 0].map((owner) => name(HAND, owner)),
    ['Your hand', 'Cyd’s hand', 'Free hand']);
  assert.equal(handTag(s, piece(1, SCREEN)), 'Take screen');
  s.sync.holds.set(1, [{ count: 5 }]);
  assert.equal(handTag(s, piece(1, SCREEN, { owner: YOU })), 'Your screen · 5');
});

test('going back to the start has one wording', () => {
  const s = pageOf();
  const to = /** @type {any} */ ({ id: 1, kind: 'set-up', at: 0 });
  assert.equal(placeOf(s, to), 'the start');
  assert.equal(sentenceOf(s, /** @type {any} */ ({ by: CYD, to: { kind: 2, name: '', at: 0 } })),
    'Cyd went back to the start.');
  assert.equal(placeOf(s, { ...to, kind: 'named', name: 'Tea' }), '“Tea”');
  const time = timeOf(0);
  assert.equal(placeOf(s, { ...to, kind: 'auto' }), `how it was at ${time}`);
  assert.equal(placeOf(s, { ...to, kind: 'before', by: CYD }),
    `how it was at ${time}, before Cyd went back`);
});

test('T66 who logs out learns of the link back, if a host can make one', () => {
  const s = pageOf();
  const says = (/** @type {object} */ more) =>
    sayLogOut(s, { ...s.sync.seats.get(YOU), ...more });
  assert.match(says({}), /ask a host for a link to your seat/);
  for (const more of [{ role: 'host' }, { role: 'referee' }, { home: 'elsewhere' }])
    assert.match(says(more), /you need an invite link and a new seat/, JSON.stringify(more));
});

test('only hosts read how to start Holt so that others come in', () => {
  const says = (/** @type {string} */ role) => {
    const s = pageOf();
    s.sync.seats.get(YOU).role = role;
    const box = closed(s, /** @type {any} */ (new Element()),
      /** @type {any} */ ({ listen: '0.0.0.0:8080' }));
    return (/** @type {any} */ (box)).children.map((/** @type {any} */ e) => e.textContent).join();
  };
  assert.match(says('host'), /stop Holt and start it like this/);
  assert.doesNotMatch(says('player'), /stop Holt/);
  assert.match(says('player'), /ask whoever runs this server/);
});
