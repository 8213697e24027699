// Events about components: they came, were refused, or are gone with the piece to which they
// belong.

import assert from 'node:assert/strict';
import test from 'node:test';
import { relayComponents, KEPT } from '../js/relay/components.js';
import { ack, frame, full, OTHER, pieces, post, reject, table, update, YOU } from './table.js';

/** @typedef {import('../js/types.js').FrameEvent} FrameEvent */
/** @typedef {import('../js/types.js').Sync} Sync */

/** @param {Sync} sync @param {...FrameEvent} events */
const news = (sync, ...events) => sync.receive(frame(...events)).components;

/** @type {FrameEvent} */
const COMPONENTS = { type: 'components', components: Uint8Array.of(1) };
/** @type {FrameEvent} */
const REFUSED = { type: 'refused', entity: 0, component: 3001, timestamp: 1, reason: 1 };

test('C17 components and refusals keep their order', () => {
  const sync = table();
  assert.deepEqual(news(sync, COMPONENTS, update({ id: 1, mark: 101, gone: true }), REFUSED), [
    COMPONENTS, { type: 'gone', piece: 1 }, REFUSED,
  ]);
  const whole = full({ components: Uint8Array.of(2) });
  assert.deepEqual(news(sync, whole, COMPONENTS), [whole, COMPONENTS]);
});

test('C15.9 an update reports a piece that is gone or renamed', () => {
  const sync = table();
  assert.deepEqual(news(sync, update({ id: 1, mark: 101, gone: true })), [
    { type: 'gone', piece: 1 },
  ]);
  assert.deepEqual(news(sync, update({ id: 1, mark: 102, gone: true })), [], 'an unknown piece');
  assert.deepEqual(news(sync, update({ id: 2, mark: 201, renamed: 20_000 })), [
    { type: 'gone', piece: 2 },
  ]);
  assert.deepEqual(news(sync, update({ id: 20_000, mark: 202, x: 5 })), []);
});

test('C15.10 an update reports a new owner or team', () => {
  const sync = table();
  const passed = { type: 'passed', piece: 1, kind: 0 };
  assert.deepEqual(news(sync, update({ id: 1, mark: 101, owner: OTHER })), [passed]);
  assert.deepEqual(news(sync, update({ id: 1, mark: 102, owner: OTHER, x: 3 })), []);
  assert.deepEqual(news(sync, update({ id: 1, mark: 103, team: [] })), [], 'an empty team is none');
  assert.deepEqual(news(sync, update({ id: 1, mark: 104, team: [3, 4] })), [passed]);
  assert.deepEqual(news(sync, update({ id: 1, mark: 105, team: [3, 4] })), []);
  assert.deepEqual(news(sync, update({ id: 1, mark: 106, team: [3] })), [passed]);
  assert.deepEqual(
    news(sync, update({ id: 9, mark: 900, z: '0.9', owner: YOU })), [],
    'a revealed piece has no writing yet',
  );
});

test('C15.9, C15.10 an ack reports the same of one’s own update', () => {
  const sync = table();
  sync.update(1, 'move', { x: 1, y: 1 });
  sync.update(2, 'move', { x: 1, y: 1 });
  post(sync);
  assert.deepEqual(news(sync, ack(1, { id: 1, mark: 101, owner: YOU })), [
    { type: 'passed', piece: 1, kind: 0 },
  ]);
  assert.deepEqual(news(sync, ack(2, { id: 2, mark: 201, renamed: 20_000, owner: YOU })), [
    { type: 'gone', piece: 2 },
    { type: 'passed', piece: 20_000, kind: 0 },
  ]);
  assert.deepEqual(
    news(sync, ack(2, { id: 2, mark: 201, renamed: 20_000, owner: YOU })), [], 'once',
  );
});

test('C15 a reject reports the same of the state it carries', () => {
  const sync = table();
  for (const id of [1, 2, 3]) sync.update(id, 'move', { x: 1, y: 1 });
  post(sync);
  assert.deepEqual(news(sync, reject(1, 'gone', { id: 1, mark: 101, gone: true })), [
    { type: 'gone', piece: 1 },
  ]);
  assert.deepEqual(news(sync, reject(2, 'held', { id: 2, mark: 201, z: '0.2', owner: OTHER })), [
    { type: 'passed', piece: 2, kind: 0 },
  ]);
  assert.deepEqual(news(sync, reject(3, 'held', { id: 3, mark: 300, z: '0.3' })), []);
});

test('C15 an ack after a full state reports only what is newer', () => {
  const sync = table();
  sync.update(1, 'move', { x: 1, y: 1 });
  post(sync);
  const whole = full({ pieces: pieces({ id: 1, mark: 101, owner: YOU }) });
  assert.deepEqual(news(sync, whole, ack(1, { id: 1, mark: 101, owner: YOU })), [whole]);
});

// ---- relay/components.js ----

/** The used part of a state. It records what is loaded. */
function page() {
  /** @type {string[]} */
  const loaded = [];
  const s = /** @type {any} */ ({
    table: 'f00d', relay: {}, load: async (/** @type {string} */ name) => loaded.push(name),
  });
  const tell = relayComponents(s);
  /** @param {boolean} isFull @param {...any} components */
  const hear = (isFull, ...components) => tell({ full: isFull, resumed: false, components });
  /** What the part receives once it is loaded. @type {any[]} */
  const heard = [];
  const come = () =>
    s.relay.bindReplica((/** @type {any} */ told) => heard.push(...told.components));
  return { loaded, hear, heard, come };
}

/** @param {Record<string, string>} kept */
function browserKeeps(kept) {
  Object.defineProperty(globalThis, 'localStorage', { value: kept, configurable: true });
}

test('C17 the first component loads the part, and none is lost', async () => {
  browserKeeps({});
  const { loaded, hear, heard, come } = page();
  const shed = { type: 'gone', piece: 1 };
  hear(true, { type: 'full' });
  hear(false, shed);
  hear(false);
  assert.deepEqual(loaded, []);
  hear(false, COMPONENTS);
  await null;
  assert.deepEqual(loaded, ['components']);
  hear(false, shed);
  come();
  assert.deepEqual(heard, [COMPONENTS, shed]);
  hear(false, REFUSED);
  assert.deepEqual(heard, [COMPONENTS, shed, REFUSED]);
});

test('C17 components before the last full state are dropped', async () => {
  browserKeeps({});
  const { loaded, hear, heard, come } = page();
  hear(false, COMPONENTS);
  const whole = { type: 'full', components: Uint8Array.of(7) };
  hear(true, whole);
  come();
  assert.deepEqual(heard, [whole]);
  await null;
  assert.deepEqual(loaded, ['components']);
});

test('C17 components kept in the browser load the part, too', async () => {
  for (const [key, wants] of [[`${KEPT}f00d.1.a`, true], [`${KEPT}beef.1.a`, false]]) {
    browserKeeps({ [`${key}`]: '7 x' });
    const { loaded, hear } = page();
    hear(false);
    assert.deepEqual(loaded, []);
    hear(true, { type: 'full' });
    await null;
    assert.equal(loaded.length === 1, wants, `${key}`);
  }
  Object.defineProperty(globalThis, 'localStorage', {
    get: () => {
      throw new Error('no store');
    },
    configurable: true,
  });
  const { loaded, hear } = page();
  hear(true, { type: 'full' });
  assert.deepEqual(loaded, []);
});
