// Taking back: when the page asks the server for it, what it asks for, and where its arrows go.

import assert from 'node:assert/strict';
import test from 'node:test';
import { createBars } from '../js/bars/state.js';
import { createPending } from '../js/input/pending.js';
import { createListeners } from '../js/listeners.js';
import { actions } from '../js/parts/controls/actions.js';
import { arrow } from '../js/parts/undo/ghosts.js';
import { undo } from '../js/parts/undo/undo.js';

/**
 * Asks the server for an undo. Returns what happened, in order: looks for updates that have no
 * outcome, the body of the request, and what the page says of the answer.
 * @param {{status?: number, said?: object, meant?: () => number, looks?: number}} [of] looks: how
 *   often an update has no outcome yet
 */
async function asked({ status = 200, said = {}, meant, looks = 0 } = {}) {
  /** @type {any[]} */
  const happened = [];
  const { fetch } = globalThis;
  globalThis.fetch = /** @type {any} */ (async (/** @type {any[]} */ ...[, { body }]) => {
    const { token, ...more } = JSON.parse(body);
    assert.match(token, /^[0-9a-f]{24}$/);
    happened.push(more);
    return { status, json: async () => said };
  });
  const s = /** @type {any} */ ({
    api: '/t',
    sync: {
      client: 'AQAA', pieces: new Map(),
      pendingNow: () => () => {
        if (looks === 0) return false;
        looks--;
        happened.push('look');
        return true;
      },
    },
  });
  const say = (/** @type {string} */ text) => happened.push(text);
  try {
    await undo(s, /** @type {any} */ ({ notice: say, alarm: say }), meant);
  } finally {
    globalThis.fetch = fetch;
  }
  return happened;
}

test('T63.24 the page asks for an undo when all that was done has an outcome', async () => {
  assert.deepEqual(await asked({ looks: 2 }), ['look', 'look', {}, 'You took it back.']);
});

test('T63.28 an undo that was offered names the update that it means', async () => {
  const meant = { meant: () => 7 };
  const named = { client: 'AQAA', seq: 7 };
  assert.deepEqual(await asked(meant), [named, 'You took it back.']);
  const refused = { ...meant, status: 409, said: { code: 'not-last' } };
  assert.deepEqual(await asked(refused), [
    named, 'You did something else since, so nothing was taken back.',
  ]);
});

/** Deletes a piece. Returns what the page did. @param {{owner?: number, text?: string}} [of] */
function deleted(of = {}) {
  const piece = { id: 1, kind: 0, face: 0, owner: 0, text: 'x', ...of };
  /** @type {string[]} */
  const did = [];
  const s = /** @type {any} */ ({
    sync: { pieces: new Map([[1, piece]]), make: (/** @type {string} */ op) => did.push(op) },
    catalog: { kinds: [{ name: 'Pawn', faces: [{ name: '', art: '' }] }], masks: new Set() },
    view: { dirty: new Set() }, pending: createPending(), bars: createBars(),
    listeners: createListeners(), net: { flush() {} }, redraw() {},
    parts: {
      undo: { offer: () => did.push('offer') },
      dialogs: { confirm: () => did.push('ask') },
    },
  });
  actions.find(({ id }) => id === 'remove')?.run(s, [/** @type {any} */ (piece)],
    /** @type {any} */ ({}));
  return did;
}

test('T63.25 the page asks before it deletes what others would have to agree about', () => {
  assert.deepEqual(deleted(), ['delete', 'offer']);
  assert.deepEqual(deleted({ owner: 2 }), ['ask']);
});

test('T63.26 an arrow goes from edge to edge, and none where there is no room', () => {
  const spot = (/** @type {number} */ x, more = {}) =>
    ({ x, y: 0, angle: 0, w: 20, h: 40, round: '', ...more });
  assert.equal(arrow(spot(0), spot(1000), 10), 'M10 0L90 0M79 6.6L90 0L79 -6.6');
  assert.equal(arrow(spot(0, { angle: 9000 }), spot(1000), 10), 'M20 0L90 0M79 6.6L90 0L79 -6.6');
  assert.match(arrow(spot(0, { round: '50%', h: 20 }), spot(0, { y: 1000 }), 10), /^M0 10L0 80M/);
  assert.equal(arrow(spot(0), spot(270), 10), '', 'they nearly touch');
  assert.equal(arrow(spot(0), spot(0), 10), '', 'it lies there');
});
