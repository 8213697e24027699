// What the page says of notices, and of the presses that caused some of them.

import assert from 'node:assert/strict';
import test from 'node:test';
import { createListeners } from '../js/listeners.js';
import { bindNotices } from '../js/parts/cards/notices.js';
import { emptyCatalog } from '../js/view/catalog.js';

const catalog = emptyCatalog('');
catalog.kinds = /** @type {import('../js/view/catalog.js').Kind[]} */ (/** @type {unknown} */ ([
  { name: 'Deck', faces: [{ name: 'Deck' }], container: {} },
  { name: 'Deal', faces: [{ name: 'Deal' }], button: { steps: [] } },
]));

/** A page of Ada, seat 1, which keeps what it says. Piece 1 is a deck, piece 2 a button. */
function page() {
  const s = /** @type {import('../js/state.js').State} */ (/** @type {unknown} */ ({
    catalog,
    listeners: createListeners(),
    sync: {
      you: 1,
      seats: new Map([[1, { id: 1, nick: 'Ada' }], [2, { id: 2, nick: 'Ben' }]]),
      pieces: new Map([[1, { id: 1, kind: 0, face: 0 }], [2, { id: 2, kind: 1, face: 0 }]]),
      sets: new Map(),
    },
    parts: {},
    view: { shown: new Map() },
  }));
  /** @type {string[]} */
  const says = [];
  const say = (/** @type {string} */ how) => (/** @type {string} */ text) =>
    void says.push(`${how}: ${text}`);
  const voice = { notice: say('notice'), caption: say('caption'), whisper: say('whisper') };
  bindNotices(s, /** @type {import('../js/bars/say.js').Voice} */ (/** @type {unknown} */ (voice)));
  return { s, says };
}

/** @param {ReturnType<typeof page>} of @param {object[]} events of one frame */
async function frame({ s, says }, ...events) {
  for (const event of events) {
    for (const listen of s.listeners.events) {
      listen(/** @type {import('../js/types.js').SyncEvent} */ (event));
    }
  }
  await Promise.resolve();
  return says.splice(0);
}

const drew = { type: 'notice', op: 'draw', by: 2, piece: 1, count: 1, seat: 0 };
const pressed = { type: 'update', op: 'run', by: 2, piece: 2, before: null };

test('T28.8 the page says what somebody did to a deck', async () => {
  assert.deepEqual(await frame(page(), drew), ['notice: Ben drew from the deck.']);
});

test('T84 the page says a press in one sentence, and the next notice in its own', async () => {
  const of = page();
  const changed = { ...pressed, piece: 1 };
  assert.deepEqual(await frame(of, pressed, changed, { ...drew, op: 'deal', count: 6 }, drew),
    ['caption: Ben pressed “Deal”.']);
  assert.deepEqual(await frame(of, drew), ['notice: Ben drew from the deck.']);
  const own = { type: 'acked', op: 'run', seq: 1, piece: 2, before: undefined, after: undefined };
  const ownChange = { ...own, piece: 1 };
  assert.deepEqual(await frame(of, own, ownChange, { ...drew, by: 1 }),
    ['notice: You pressed “Deal”.']);
});
