// The bell rings for whoever is to play, and nothing sounds that nobody has done.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createBars } from '../js/bars/state.js';
import { createPending } from '../js/input/pending.js';
import { createListeners, noteDone } from '../js/listeners.js';
import { bindHand } from '../js/parts/cards/hand.js';
import { bind } from '../js/parts/sounds/sounds.js';
import { LENGTHS, RATE } from '../js/parts/sounds/synth.js';

const GLOBALS = /** @type {any} */ (globalThis);
const NAMES = [
  'AudioContext', 'GainNode', 'AudioBuffer', 'AudioBufferSourceNode', 'document',
];

/** What was played, by the names of the sounds. @type {string[]} */
let heard = [];

beforeEach((t) => {
  heard = [];
  class Node {
    connect() {}
  }
  GLOBALS.AudioContext = class {
    state = 'running';
    async close() {}
  };
  GLOBALS.GainNode = Node;
  GLOBALS.AudioBuffer = class {
    constructor(/** @type {{length: number}} */ { length }) {
      this.length = length;
    }

    copyToChannel() {}
  };
  GLOBALS.AudioBufferSourceNode = class extends Node {
    constructor(/** @type {unknown} */ _context, /** @type {any} */ { buffer }) {
      super();
      this.buffer = buffer;
    }

    start() {
      const ms = Math.round((this.buffer.length * 1000) / RATE);
      heard.push(Object.entries(LENGTHS).find(([, n]) => n === ms)?.[0] ?? `${ms} ms`);
      /** @type {any} */ (this).onended();
    }
  };
  GLOBALS.document = Object.assign(new EventTarget(), {
    visibilityState: 'visible', hasFocus: () => true,
  });
  let now = 0;
  /** @type {import('node:test').TestContext} */ (t).mock.method(
    performance, 'now', () => (now += 1000), // no two sounds come at once
  );
});

afterEach(() => {
  for (const name of NAMES) delete GLOBALS[name];
});

const MARKER = 0;
const CLOCK = 1;
const HAND = 2;
const CARD = 3;
const size = { width: 600, height: 900, weight: 'light', faces: [{ name: '', art: '' }] };
const KINDS = [
  { ...size, seat: 'turn' },
  {
    ...size,
    clock: {
      displays: [{ x: 0, y: 200, width: 100, height: 40 }, { x: 0, y: 0, width: 100, height: 40 }],
    },
  },
  { ...size, width: 6000, weight: 'heavy', hand: true },
  { ...size, shape: 'card', secret: true, mask: 4 },
];

/**
 * A page of seat 1 that plays sounds.
 *
 * @param {Record<string, unknown>} [fields]
 */
function page(fields) {
  /** @type {Map<number, any>} */
  const pieces = new Map();
  /** @type {any} */
  const s = {
    ready: true,
    sync: {
      you: 1, pieces, entering: new Map(), pending: () => false,
      seats: new Map([1, 2].map((id) => [id, { id, role: 'player', side: 0 }])),
      update: (/** @type {number} */ id, /** @type {string} */ _op, /** @type {any} */ args) =>
        pieces.set(id, { ...pieces.get(id), ...args }),
    },
    catalog: {
      kinds: KINDS, masks: new Set([4]), sides: [{ name: 'White' }, { name: 'Black' }],
    },
    view: {
      camera: { turn: 0 }, dirty: new Set(), order: { rank: (/** @type {number} */ id) => id },
    },
    input: { carry: null }, pending: createPending(), bars: createBars(),
    listeners: createListeners(), net: { flush() {} }, redraw() {},
    parts: {
      abilities: {
        seatsToMove: () => new Set([...pieces.values()]
          .filter(({ kind, owner }) => kind === MARKER && owner > 0 && s.ready)
          .map(({ owner }) => owner)),
      },
    },
    partState: { cards: { fetches: [] } },
    ...fields,
  };
  const put = (/** @type {any} */ piece) =>
    pieces.set(piece.id, { x: 0, y: 0, angle: 0, holder: 0, owner: 0, face: 0, ...piece });
  const start = () => bind(s);
  /** Somebody else changes a piece. */
  const update = (/** @type {string} */ op, /** @type {any} */ piece) => {
    const before = pieces.get(piece.id) ?? null;
    put({ ...before, ...piece });
    for (const listen of s.listeners.events)
      listen({ type: 'update', piece: piece.id, by: 2, op, before });
  };
  const fullState = () => {
    for (const listen of s.listeners.full) listen();
  };
  const bells = () => heard.filter((name) => name === 'bell').length;
  return { s, put, start, update, fullState, bells };
}

test('the bell rings when the turn passes to this person', () => {
  const { put, start, update, bells } = page();
  put({ id: 1, kind: MARKER, owner: 2 });
  start();
  update('pass', { id: 1, owner: 1 });
  assert.equal(bells(), 1);
  update('move', { id: 1, x: 500 });
  assert.equal(bells(), 1, 'it is their turn still');
});

test('the bell rings when a full state says that it has become this person’s turn', () => {
  const { put, start, update, fullState, bells } = page();
  put({ id: 1, kind: MARKER, owner: 2 });
  start();
  put({ id: 1, kind: MARKER, owner: 1 });
  fullState();
  assert.equal(bells(), 1);
  update('move', { id: 1, x: 500 });
  assert.equal(bells(), 1, 'not once more, and late');
  put({ id: 1, kind: MARKER, owner: 2 });
  fullState();
  update('pass', { id: 1, owner: 1 });
  assert.equal(bells(), 2, 'the page has learnt that the turn was over');
});

test('no bell rings for a turn that this person has had since the page was opened', () => {
  const { s, put, start, update, fullState, bells } = page({ ready: false });
  put({ id: 1, kind: MARKER, owner: 1 });
  start();
  fullState();
  s.ready = true;
  update('move', { id: 1, x: 500 });
  assert.equal(bells(), 0);
});

test('a page that is opened while others play rings for the first turn', () => {
  const { s, put, start, update, bells } = page({ ready: false });
  put({ id: 1, kind: MARKER, owner: 2 });
  start();
  s.ready = true;
  update('pass', { id: 1, owner: 1 });
  assert.equal(bells(), 1);
});

test('the clock rings for those who play by it, and for nobody else', () => {
  const { s, put, start, update, bells } = page();
  put({ id: 1, kind: CLOCK, clock: { running: 2 } });
  start();
  update('press', { id: 1, clock: { running: 1 } });
  assert.equal(bells(), 0, 'this person only watches the two players');
  s.sync.seats.get(1).side = 1;
  update('press', { id: 1, clock: { running: 2 } });
  update('press', { id: 1, clock: { running: 1 } });
  assert.equal(bells(), 1, 'this person has a side of the game');
  s.sync.seats.get(1).side = 0;
  noteDone(s, 1, 'press', { side: 2 });
  update('press', { id: 1, clock: { running: 1 } });
  assert.equal(bells(), 1);
  update('press', { id: 1, clock: { running: 2 } });
  assert.equal(bells(), 2, 'this person has pressed that side');
});

test('a hand that closes its row by itself makes no sound', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { s, put, start, update } = page();
  start();
  bindHand(s);
  put({ id: 10, kind: HAND, owner: 1 });
  put({ id: 11, kind: CARD, owner: 1, x: -2000 });
  update('release', { id: 12, kind: CARD, owner: 1, x: 2000 });
  assert.deepEqual(heard, ['card'], 'somebody has put a card there');
  t.mock.timers.tick(1000);
  const [left, right] = [11, 12].map((id) => s.sync.pieces.get(id).x);
  assert.ok(left > -2000 && left < right && right < 2000, `the row is closed: ${left}, ${right}`);
  assert.deepEqual(heard, ['card']);
});
