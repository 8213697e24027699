// What the page offers for a piece now, and what a key means to it (T36).

import assert from 'node:assert/strict';
import test from 'node:test';
import { emptyCatalog } from '../js/view/catalog.js';
import { result, throwsOf } from '../js/parts/abilities/dice.js';
import { createAbilities } from '../js/parts/abilities/state.js';
import { mainOffer } from '../js/parts/abilities/offering.js';
import { primaryActions } from '../js/parts/controls/primary.js';
import { hindranceOf } from '../js/parts/controls/perform.js';
import { answerForKinds } from '../js/sync/kinds.js';
import { containersFor, outside } from '../js/parts/abilities/container.js';
import { actionsOffered, keysOffered } from '../js/parts/abilities/offeractions.js';
import {
  hindrance, nameOfOffer, offerOfKey, offersFor, offersOf,
} from '../js/parts/abilities/offers.js';
import { seatsFor } from '../js/parts/abilities/seats.js';
import { Order } from '../js/view/order.js';
import { createSync } from '../js/sync/sync.js';
import { fullPiece } from '../js/net/wire.js';
import { written } from '../js/view/describe.js';
import { frame, full, OTHER, YOU } from './table.js';

/** @typedef {import('../js/types.js').Role} Role */
/** @typedef {import('../js/types.js').PiecePatch} PiecePatch */
/** @typedef {import('../js/view/catalog.js').Kind} Kind */
/** @typedef {import('../js/parts/abilities/offers.js').Offer} Offer */

const ACE = 0;
const BACK = 1;
const HAND = 2;
const DECK = 3;
const COUNTER = 4;
const GOLD = 5;
const DIE = 6;
const LABEL = 7;
const MARKER = 8;

/** @param {string} op @param {Partial<Offer>} [rest] @returns {Offer} */
const offer = (op, rest = {}) => ({ op, label: op, ...rest });
const draw = offer('draw', { key: 'd' });
const several = offer('draw', { asks: [{ name: 'n', label: '', min: 1, max: 100, initial: 2 }] });
const deal = offer('deal', {
  key: 'e', asks: [{ name: 'n', label: '', min: 1, max: 100, initial: 1 }],
});
const peek = offer('peek', { key: 'k' });
const show = offer('show', { key: 'v', asks: [{ name: 'seat', label: '' }] });
const stow = offer('stow', { key: 'q', asks: [{ name: 'into', label: '' }] });
const add = offer('count', { key: 'k', with: { n: 1 } });
const less = offer('count', { key: 'j', with: { n: -1 } });
const split = offer('split', {
  key: 'v', asks: [{ name: 'n', label: '', min: 1, max: 99, initial: 1 }],
});
const roll = offer('roll', { key: 'o' });
const assign = offer('assign', { key: 'y', asks: [{ name: 'seat', label: '' }] });
const pass = offer('pass', { key: 'p' });
const back = offer('assign', { with: { seat: 0 } });
const claim = offer('claim', { key: 'm' });
const unshare = offer('unshare', { asks: [{ name: 'seat', label: '' }] });

const face = (/** @type {string} */ name) => ({ name, art: '' });
const size = {
  width: 600, height: 900, shape: /** @type {const} */ ('card'),
  weight: /** @type {const} */ ('light'), secret: false,
};
const heavy = { ...size, weight: /** @type {const} */ ('heavy') };

/** @returns {Kind[]} */
const kinds = () => [
  {
    ...size, name: 'Ace', secret: true, mask: BACK, peek: 'host',
    faces: [face('Ace'), face('Back')], offers: [show, peek, stow],
  },
  { ...size, name: 'Card', faces: [face('Back')], offers: [stow] },
  { ...heavy, name: 'Hand', hand: true, faces: [face('Hand')], offers: [claim, unshare] },
  {
    ...heavy, name: 'Deck', container: { draws: 'top', takes: BACK }, peek: 'players',
    faces: [face('Deck')], offers: [draw, deal, peek, several],
  },
  {
    ...size, name: 'Counter', counter: { min: 0, max: 3, initial: 0 }, faces: [face('Counter')],
    offers: [add, less],
  },
  { ...size, name: 'Gold', currency: { initial: 5 }, faces: [face('Gold')], offers: [split] },
  {
    ...size, name: 'Die', die: { cooldown: 1000 }, faces: ['1', '2', '3'].map(face), offers: [roll],
  },
  { ...size, name: 'Label', seat: 'label', faces: [face('Label')], offers: [assign, back] },
  { ...size, name: 'Turn', seat: 'turn', faces: [face('Turn')], offers: [assign, pass] },
];

/**
 * The page of somebody at a table with these pieces. The first has the name 1.
 *
 * @param {Role} role
 * @param {Partial<PiecePatch>[]} pieces
 * @param {Kind[]} [all]
 */
function table(role, pieces, all = kinds()) {
  const sync = createSync('q83vEjRWeJCrze8SNFZ4kA');
  const here = /** @type {const} */ ('here');
  const seats = [
    { id: YOU, nick: 'Ada', colour: 1, role, presence: here },
    { id: OTHER, nick: 'Bob', colour: 2, role: /** @type {const} */ ('player'), presence: here },
    { id: 3, nick: 'Cleo', colour: 3, role: /** @type {const} */ ('spectator'), presence: here },
  ];
  const catalog = { ...emptyCatalog('/art/'), kinds: all, masks: new Set([BACK]) };
  const s = /** @type {import('../js/state.js').State} */ (
    /** @type {unknown} */ ({
        sync, catalog, parts: {}, net: { serverNow: () => 0 },
        partState: { abilities: createAbilities() },
        view: {
          camera: { turn: 0 },
          order: new Order((/** @type {any} */ piece) => sync.layer(piece)),
        },
    })
  );
  answerForKinds(s);
  sync.receive(
    frame(
      full({
        seats,
        pieces: pieces.map((p, i) =>
          fullPiece({ id: i + 1, mark: 1, z: `0.${i + 1}`, zMark: 1, ...p }),
        ),
      }),
    ),
  );
  const at = (/** @type {number} */ id) => {
    const piece = sync.pieces.get(id);
    assert.ok(piece);
    return piece;
  };
  return { s, sync, at };
}

/**
 * Receives how many cards lie in a piece.
 *
 * @param {import('../js/types.js').Sync} sync
 * @param {number} piece
 * @param {number} n
 */
function fill(sync, piece, n) {
  sync.receive(frame({ type: 'holds', piece, kinds: [BACK + 1], counts: [n] }));
}

test('T36 several kinds offer their common actions, each once', () => {
  const { s, at } = table('player', [{ kind: ACE }, { kind: BACK }, { kind: COUNTER }]);
  const [ace, card, counter] = [at(1), at(2), at(3)];
  assert.deepEqual(offersFor(s, [ace, card]).map(nameOfOffer), ['show seat', 'peek', 'stow into']);
  assert.equal(offerOfKey(s, [ace, card], 'q')?.op, 'stow');
  assert.equal(
    offerOfKey(s, [ace, card], 'v'), undefined, 'the face-down card does not offer it',
  );
  assert.equal(
    offerOfKey(s, [ace, counter], 'k'), undefined, 'the key has a different meaning for each',
  );
  assert.equal(offerOfKey(s, [counter], 'k'), add);
  assert.equal(offerOfKey(s, [], 'k'), undefined);
  assert.notEqual(
    nameOfOffer(add), nameOfOffer(less), 'the same operation with other arguments is another offer',
  );
});

test('finding 1: T36 no key recalls, and the page says it in its own words', () => {
  const all = kinds();
  all[DECK] = { ...all[DECK], offers: [draw, offer('recall', { key: 'a' })] };
  const { s, at } = table('player', [{ kind: DECK }], all);
  assert.equal(offerOfKey(s, [at(1)], 'd')?.op, 'draw');
  assert.equal(offerOfKey(s, [at(1)], 'a'), undefined);
  assert.equal(offersOf(s.catalog, DECK)[1].label, 'Recall all cards');
});

test('finding 14: T36 a card that lies face down can be put into a deck', () => {
  const all = kinds();
  all[BACK] = { ...all[BACK], offers: [peek] };
  const { s } = table('player', [], all);
  assert.deepEqual(offersOf(s.catalog, BACK).map((o) => o.op), ['peek', 'stow']);
});

test('T36 older games have the offers of hands and of secret pieces', () => {
  const old = kinds().slice(0, 3).map(({ offers: _, ...k }) => k);
  const { s } = table('player', [], old);
  assert.deepEqual(
    offersOf(s.catalog, ACE).map((o) => o.op), ['show'],
  );
  assert.deepEqual(
    offersOf(s.catalog, HAND).map((o) => o.op), ['claim', 'leave', 'give', 'share', 'unshare'],
  );
  assert.deepEqual(offersOf(s.catalog, BACK), []);
  const { s: now } = table(
    'player', [], [{ ...heavy, name: 'Hand', hand: true, faces: [face('Hand')] }, ...kinds()],
  );
  assert.deepEqual(
    offersOf(now.catalog, 0), [], 'a kind without offers ends common offers',
  );
});

test('T30 an empty deck offers no draw and no deal; nobody gets nothing', () => {
  const { s, sync, at } = table('player', [{ kind: DECK, pinned: true }]);
  const reasons = () =>
    [draw, several, deal, peek].map((o) => hindrance(s, at(1), o)?.reason ?? '');
  assert.deepEqual(reasons(), ['empty', 'empty', 'empty', 'empty']);
  fill(sync, 1, 1);
  assert.deepEqual(reasons(), ['', 'empty', 'noHand', ''], 'a pin does not prevent it');
  fill(sync, 1, 9);
  assert.equal(hindrance(s, at(1), several), null);
});

test('T31 a look is offered to those allowed, at pieces that lie face down', () => {
  assert.equal(
    hindrance(table('player', [{ kind: ACE }]).s, table('player', [{ kind: ACE }]).at(1), peek)
      ?.reason,
    'notYours',
  );
  const host = table('host', [{ kind: ACE }]);
  assert.equal(hindrance(host.s, host.at(1), peek)?.reason, 'seen');
  const { s, at } = table('player', [{ kind: ACE }, { kind: BACK }]);
  assert.equal(hindrance(s, at(1), show), null);
  assert.equal(hindrance(s, at(2), show)?.reason, 'not-allowed', 'a back offers no show');
});

test('T23 only the owner shares a hand, and nobody can claim it', () => {
  const { s, at } = table('player', [
    { kind: HAND, owner: OTHER },
    { kind: HAND },
    { kind: HAND, owner: YOU, team: [OTHER] },
  ]);
  assert.deepEqual(hindrance(s, at(1), claim), { reason: 'owned', piece: 1, by: OTHER });
  assert.deepEqual(hindrance(s, at(1), unshare), { reason: 'othersHand', piece: 1, by: OTHER });
  assert.equal(hindrance(s, at(2), claim), null);
  assert.equal(hindrance(s, at(2), unshare)?.reason, 'freeHand');
  assert.equal(hindrance(s, at(3), unshare), null);
  assert.deepEqual(
    seatsFor(s, 'unshare', [at(3)]).map((seat) => seat.nick), ['Bob'],
  );
  assert.deepEqual(
    seatsFor(s, 'share', [at(3)]), [], 'he is in the team already, and spectators do not play',
  );
  assert.deepEqual(
    seatsFor(s, 'assign', [at(3)]).map((seat) => seat.nick), ['Ada', 'Bob'],
  );
});

test('T33 a counter offers no step out of its bounds', () => {
  const { s, at } = table('player', [{ kind: COUNTER, value: 3 }, { kind: COUNTER }]);
  assert.equal(hindrance(s, at(1), add)?.reason, 'range');
  assert.equal(hindrance(s, at(1), less), null);
  assert.equal(hindrance(s, at(2), less)?.reason, 'range');
});

test('T34 a single coin offers no split', () => {
  const { s, at } = table('player', [{ kind: GOLD, value: 1 }, { kind: GOLD, value: 2 }]);
  assert.equal(hindrance(s, at(1), split)?.reason, 'single');
  assert.equal(hindrance(s, at(2), split), null);
});

test('T35 a piece without an owner cannot be taken back', () => {
  const { s, at } = table('player', [{ kind: LABEL }, { kind: LABEL, owner: OTHER }]);
  assert.equal(hindrance(s, at(1), back)?.reason, 'nobodys');
  assert.equal(hindrance(s, at(2), back), null);
  assert.equal(
    hindrance(s, at(2), assign), null, 'a label with an owner is not a hand of theirs',
  );
});

test('T82 the turn is passed on by who has it, and by hosts', () => {
  const pieces = [{ owner: YOU }, { owner: OTHER }, { owner: 3 }, {}];
  const reasons = (/** @type {Role} */ role) => {
    const { s, at } = table(role, pieces.map((p) => ({ kind: MARKER, ...p })));
    return pieces.map((_p, i) => hindrance(s, at(i + 1), pass));
  };
  const theirs = { reason: 'othersTurn', piece: 2, by: OTHER };
  assert.deepEqual(reasons('player'), [null, theirs, null, null], 'the third one only watches');
  assert.deepEqual(reasons('co-host'), [null, null, null, null]);
});

test('T24 spectators get no offers; locked and held pieces stay', () => {
  const watching = table('spectator', [{ kind: COUNTER }]);
  assert.equal(hindrance(watching.s, watching.at(1), add)?.reason, 'spectator');
  const { s, at } = table('player', [
    { kind: COUNTER, locked: true },
    { kind: DIE, holder: OTHER },
    { kind: COUNTER, holder: OTHER },
  ]);
  assert.equal(hindrance(s, at(1), add)?.reason, 'locked');
  assert.deepEqual(hindrance(s, at(2), roll), { reason: 'held', piece: 2, by: OTHER });
  assert.equal(hindrance(s, at(3), add), null, 'counting does not grab the counter');
});

test('T29 a piece may enter containers that take it, the nearest first', () => {
  const { s, at } = table('player', [
    { kind: ACE },
    { kind: DECK, x: 900 },
    { kind: DECK, x: 200 },
    { kind: GOLD, value: 1 },
  ]);
  assert.deepEqual(
    containersFor(s, at(1)).map((c) => c.id), [3, 2],
  );
  assert.deepEqual(containersFor(s, at(4)), []);
  assert.equal(hindrance(s, { ...at(1), pinned: true }, stow)?.reason, 'pinned');
});

test('T32 a die rests after a roll; the total is shown', () => {
  const { s, at } = table('player', [
    { kind: DIE, face: 2 },
    { kind: DIE, face: 0 },
    { kind: LABEL },
  ]);
  assert.equal(result(s, [at(1)]), '3');
  assert.equal(result(s, [at(1), at(2)]), '3 and 1, 4 in total');
  assert.equal(hindrance(s, at(1), roll), null);
  throwsOf(s).set(1, { by: YOU, start: 0, asked: false, blink: 0, motion: null });
  assert.equal(hindrance(s, at(1), roll)?.reason, 'cooling', 'while it is in the air');
});

test('finding 3: the button of a die stays while it rests', () => {
  const { s, at } = table('player', [{ kind: DIE, face: 2 }, { kind: ACE }]);
  const parts = { abilities: { actionsOffered, keysOffered } };
  Object.assign(s, { parts, input: { carry: null } });
  const buttons = (/** @type {number} */ id) => primaryActions(s, [at(id)], false);
  const names = (/** @type {number} */ id) => buttons(id).map((a) => a.id);
  assert.deepEqual(names(1), ['offer roll']);
  assert.deepEqual(names(2), ['flip', 'rotate', 'shuffle']);
  throwsOf(s).set(1, { by: YOU, start: 0, asked: false, blink: 0, motion: null });
  assert.deepEqual(names(1), ['offer roll']);
  assert.equal(hindranceOf(s, buttons(1)[0], [at(1)]).reason, 'cooling');
});

test('finding 1: the page knows how many cards a recall would bring back', () => {
  const { s, sync, at } = table('player', [
    { kind: DECK }, { kind: HAND, owner: OTHER }, { kind: HAND, owner: YOU }, { kind: BACK },
  ]);
  fill(sync, 2, 13);
  fill(sync, 3, 5);
  assert.deepEqual(outside(s, at(1)), { others: 13, own: 5, table: 1 });
  const { s: two, at: of } = table('player', [{ kind: DECK }, { kind: DECK }]);
  assert.equal(outside(two, of(1)), null, 'a card may belong to either deck');
});

test('T30.33 a player may recall from others if the host allows it', () => {
  const recall = offer('recall');
  const all = kinds();
  all[DECK] = { ...all[DECK], offers: [recall] };
  const { s, sync, at } = table('player', [{ kind: DECK }, { kind: HAND, owner: OTHER }], all);
  fill(sync, 2, 13);
  let players = false;
  s.parts = /** @type {any} */ ({
    components: {
      entities: { TABLE: 1 }, COMPONENTS: { recall: 3008 }, replica: { get: () => ({ players }) },
    },
  });
  assert.equal(hindrance(s, at(1), recall)?.reason, 'othersCards');
  players = true;
  assert.equal(hindrance(s, at(1), recall), null);
});

test('K16.10 whether a die rests follows from its curve and the time of the server', () => {
  const { s, at } = table('player', [{ kind: DIE, face: 2 }, { kind: DIE, face: 0 }]);
  const time = { now: 5000 };
  s.net = /** @type {typeof s.net} */ ({ ...s.net, serverNow: () => time.now });
  const curves = { from: 5000, curves: [{ property: 1, start: 1200, rate: -1, max: 1200 }] };
  /** @type {Map<number, unknown>} */ (s.sync.pieces).set(1, { ...at(1), curves });
  assert.equal(hindrance(s, at(1), roll)?.reason, 'cooling', 'also when it was never seen to roll');
  assert.equal(hindrance(s, at(2), roll), null);
  time.now = 6199;
  assert.equal(hindrance(s, at(1), roll)?.reason, 'cooling');
  time.now = 6200;
  assert.equal(hindrance(s, at(1), roll), null);
});

test('a double click does what the piece is for', () => {
  const { s, at } = table(
    'player', [ACE, DECK, DIE, GOLD, COUNTER].map((kind) => ({ kind })),
  );
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((id) => mainOffer(s, at(id))?.op ?? ''), ['', 'draw', 'roll', 'split', ''],
  );
});

test('numbers are easy to read', () => {
  assert.equal(written(-5), '\u22125');
  assert.equal(written(9999), '9999');
  assert.equal(written(1234567), '1\u2009234\u2009567');
});
