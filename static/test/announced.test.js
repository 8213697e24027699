// What screen readers hear of what others do: undos, presses of buttons, and supplies.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createBars } from '../js/bars/state.js';
import { sentenceOf } from '../js/bars/news.js';
import { createVoice } from '../js/bars/say.js';
import { createPending } from '../js/input/pending.js';
import { createInput } from '../js/input/state.js';
import { createListeners } from '../js/listeners.js';
import { onOutcome } from '../js/outcome.js';
import { bindTurnedUp } from '../js/parts/abilities/button.js';
import { close, show } from '../js/parts/undo/undo.js';
import { createRelay } from '../js/relay/state.js';
import { emptyCatalog, turnsUp } from '../js/view/catalog.js';
import { Element, makeDocument, removeDocument } from './elements.js';

/** @typedef {import('../js/view/catalog.js').Kind} Kind */
/** @typedef {import('../js/bars/news.js').News} News */

const [YOU, CYD] = [1, 2];
const [STONE, BUTTON, BALL, BACK, CHIP] = [0, 1, 2, 3, 4];

const catalog = emptyCatalog('');
catalog.kinds = /** @type {Kind[]} */ (/** @type {unknown} */ ([
  { name: 'Black stone', faces: [{ name: '' }] },
  { name: 'Next ball', faces: [{ name: '' }], button: { steps: [] } },
  { name: 'B7', faces: [{ name: 'B7' }], secret: true, mask: BACK },
  { name: 'Ball', faces: [{ name: 'Ball' }] },
  { name: 'Chip', faces: [{ name: '' }], currency: {} },
]));
catalog.masks = new Set([BACK]);

beforeEach(makeDocument);
afterEach(() => {
  close();
  removeDocument();
});

/** @param {number} id @param {number} kind @param {object} [more] @returns {any} */
const piece = (id, kind, more = {}) =>
  ({ id, kind, face: 0, x: 0, y: 0, angle: 0, holder: 0, owner: 0, ...more });

/**
 * Returns the sentences that a page speaks of some events, and what it shows and speaks at once.
 * @param {any[]} events
 * @param {{acked?: any[], after?: any[], move?: object|null}} [of] after: the pieces then
 */
async function heard(events, { acked = [], after = [], move = null } = {}) {
  /** @type {Map<string, News>} */
  const gathered = new Map();
  /** @type {string[]} */
  const captions = [];
  /** @type {string[]} */
  const spoken = [];
  const say = (/** @type {string} */ text) => spoken.push(text);
  const voice = /** @type {any} */ ({
    notice: say, alarm: say, whisper: say, warn: say,
    caption: (/** @type {string} */ text) => captions.push(text),
    news: (/** @type {string} */ who, /** @type {string} */ op, /** @type {number} */ id,
      /** @type {string} */ name, /** @type {any} */ moved) => {
      const news = gathered.get(`${who} ${op}`) ?? { who, op, what: new Map() };
      gathered.set(`${who} ${op}`, news);
      if (id) news.what.set(id, { name, move: moved });
    },
  });
  const s = /** @type {any} */ ({
    catalog,
    sync: {
      you: YOU, pieces: new Map(after.map((p) => [p.id, p])), unsettled: () => false,
      seats: new Map([[YOU, { id: YOU, nick: 'Ada' }], [CYD, { id: CYD, nick: 'Cyd' }]]),
    },
    parts: { boards: { noteMoved: () => move } },
    load: async () => ({ show }),
    relay: createRelay(), input: createInput(), pending: createPending(), bars: createBars(),
    listeners: createListeners(), redraw() {},
    view: { dirty: new Set(), shown: new Map(), camera: { turn: 0, scale: 1 } },
    page: { banner: new Element(), arrows: new Element() }, net: { serverNow: () => 0 },
  });
  bindTurnedUp(s, voice);
  onOutcome(s, /** @type {any} */ ({
    changed: new Set(), gone: new Set(), renamed: [], motions: [], cursors: [], acked, events,
  }), voice);
  await new Promise((soon) => setTimeout(soon));
  return { spoken: [...[...gathered.values()].map(sentenceOf), ...spoken], captions };
}

/** @param {string} op @param {any} before @param {any} after @param {number} [by] */
const update = (op, before, after, by = CYD) =>
  ({ type: 'update', op, by, piece: (after ?? before).id, before });

test('T63 an undo at once is announced, and one that was asked for is announced once', async () => {
  const [from, to] = [piece(7, STONE, { x: 4 }), piece(7, STONE)];
  const undone = update('undo', from, to);
  const said = await heard([undone], { after: [to] });
  assert.deepEqual(said.spoken, ['Cyd took back what was done with the black stone.']);
  const question = {
    type: 'question', id: 5, op: 'move', by: CYD, pieces: [7], asked: [YOU], agreed: [YOU],
    ends: 9, ghosts: [], state: 0, refusedBy: 0,
  };
  const asked = await heard([question, { ...question, state: 1 }, undone], { after: [to] });
  assert.deepEqual(asked.captions, ['Cyd took something back.']);
  assert.deepEqual(asked.spoken, [...said.spoken, 'You allowed it.']);
});

test('T84 a press says what is written on the button and what it has turned up', async () => {
  const button = piece(3, BUTTON);
  const ball = piece(8, BALL);
  const press = update('run', button, button);
  const after = [button, ball];
  assert.deepEqual((await heard([press, update('draw', null, ball)], { after })).spoken, [
    'Cyd pressed “Next ball”.', 'Turned up: B7.',
  ]);
  const flipped = update('run', piece(8, BACK), ball);
  assert.deepEqual((await heard([press, flipped], { after })).spoken, [
    'Cyd pressed “Next ball”.', 'Turned up: B7.',
  ]);
  const own = [{ type: 'acked', op: 'run', piece: 3, before: button, after: button }];
  assert.deepEqual((await heard([update('draw', null, ball, YOU)], { after, acked: own })).spoken, [
    'Turned up: B7.',
  ], 'who has pressed hears it, too');
  const many = Array.from({ length: 4 }, (_, i) => piece(20 + i, BALL));
  assert.deepEqual((await heard([press, ...many.map((p) => update('draw', null, p))], {
    after: [button, ...many],
  })).spoken, ['Cyd pressed “Next ball”.']);
});

test('a draw without a press is not said to turn anything up', async () => {
  const ball = piece(8, BALL);
  assert.deepEqual((await heard([update('draw', null, ball)], { after: [ball] })).spoken, []);
});

test('T89 a piece that is taken from a supply is not said to be split', async () => {
  for (const [kind, says] of /** @type {const} */ ([
    [STONE, 'Cyd took the black stone from a supply.'], [CHIP, 'Cyd split the chip.'],
  ])) {
    const taken = piece(9, kind);
    assert.deepEqual((await heard([update('split', null, taken)], { after: [taken] })).spoken,
      [says]);
  }
});

test('what is turned up lies open, shows a front, and did not show it before', () => {
  const up = (/** @type {any} */ before, /** @type {any} */ after) =>
    turnsUp(catalog, before, after);
  assert.ok(up(null, piece(8, BALL)));
  assert.ok(up(piece(8, BACK), piece(8, BALL)));
  assert.ok(up(piece(9, STONE), piece(9, STONE, { face: 1 })));
  assert.ok(!up(null, piece(8, BALL, { owner: CYD })), 'it is in a hand');
  assert.ok(!up(null, piece(8, BACK)) && !up(piece(8, BALL), piece(8, BACK)));
  assert.ok(!up(piece(8, BALL), piece(8, BALL, { x: 9 })), 'it was moved');
  assert.ok(!up(piece(8, BALL), null));
});

test('T89 what is put on a supply is given back, not put down and deleted', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const polite = new Element();
  const voice = createVoice(/** @type {any} */ ({ polite }));
  voice.news('Cyd', 'release', 9, 'Black stone');
  voice.news('Cyd', 'delete', 9, 'Black stone');
  voice.news('Cyd', 'delete', 8, 'White stone');
  t.mock.timers.tick(600);
  assert.equal(polite.children[0].textContent,
    'Cyd gave the black stone back. Cyd deleted the white stone.');
  voice.stop();
});
