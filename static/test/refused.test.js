// What a player reads of a refusal of the server while the part with the sentences for it is not
// loaded, and when it cannot be loaded.

import assert from 'node:assert/strict';
import test from 'node:test';
import { createBars } from '../js/bars/state.js';
import { createPending } from '../js/input/pending.js';
import { createInput } from '../js/input/state.js';
import { createListeners } from '../js/listeners.js';
import { onOutcome } from '../js/outcome.js';
import { noParts } from '../js/parts.js';
import { createRelay } from '../js/relay/state.js';
import { createSync } from '../js/sync/sync.js';

/**
 * Returns what a player reads who has moved something on a frozen table.
 * @param {() => Promise<unknown>} load loads the part
 */
async function told(load) {
  /** @type {string[]} */
  const alarms = [];
  const s = /** @type {any} */ ({
    sync: createSync('q83vEjRWeJCrze8SNFZ4kA'), parts: noParts(), load,
    relay: createRelay(), input: createInput(), pending: createPending(), bars: createBars(),
    listeners: createListeners(), view: { dirty: new Set(), shown: new Map() }, redraw() {},
  });
  const reject = { type: 'reject', seq: 1, piece: 0, reason: 'frozen', by: 0 };
  onOutcome(s, /** @type {any} */ ({
    changed: new Set(), gone: new Set(), renamed: [], motions: [], cursors: [],
    events: [reject], acked: [],
  }), /** @type {any} */ ({ alarm: (/** @type {string} */ text) => alarms.push(text) }));
  await load().catch(() => {});
  await Promise.resolve();
  return alarms;
}

test('a player learns of a refusal also when its reason cannot be said', async () => {
  assert.deepEqual(
    await told(() => Promise.reject(new Error('no connection'))),
    ['That was not possible, so it was undone.'],
  );
});

test('the reason is said when the part with the sentences has come', async () => {
  const texts = () => import('../js/parts/controls/msg.js');
  assert.deepEqual(await told(texts), ['The table is frozen: only hosts move things now.']);
});
