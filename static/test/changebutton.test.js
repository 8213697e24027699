// A button that is changed while others change kinds, too (T104).

import assert from 'node:assert/strict';
import test from 'node:test';
import { kindOfButton, picturesOf } from '../js/parts/edit/sentences/kept.js';
import { changeKind, stateOf } from '../js/parts/edit/sentences/resend.js';

/** @typedef {import('../js/state.js').State} State */

const BUTTON = { name: 'Deal', button: { who: 'players', cooldown: 0, steps: [] } };

/**
 * Returns a page at a table, whose server answers with these; each answer may change the kinds.
 * @param {import('node:test').TestContext} t
 * @param {{status: number, code?: string, kinds?: object[]}[]} answers
 */
function tableWith(t, answers) {
  const catalog = { hash: 'a', kinds: [{ name: 'Deck' }, BUTTON] };
  const s = /** @type {State} */ (/** @type {unknown} */ ({ api: '/t', catalog }));
  /** @type {string[]} */
  const asked = [];
  t.mock.method(globalThis, 'fetch', async (/** @type {string} */ address) => {
    asked.push(address);
    const { status, code, kinds } = answers[asked.length - 1];
    if (kinds) {
      catalog.hash += 'b';
      catalog.kinds = /** @type {any} */ (kinds);
    }
    return { ok: status === 200, json: async () => (code ? { code } : { kinds: [1] }) };
  });
  return { s, asked };
}

test('T104.6 a change is sent again when other kinds have changed', async (t) => {
  const { s, asked } = tableWith(t, [
    { status: 409, code: 'kinds-changed', kinds: [{ name: 'Deck' }, BUTTON, { name: 'Die' }] },
    { status: 200, kinds: [{ name: 'Deck' }, { ...BUTTON, name: 'Five' }, { name: 'Die' }] },
  ]);
  assert.equal(await changeKind(s, 1, stateOf(s, 1), BUTTON, new Map()), null);
  assert.deepEqual(asked, ['/t/kinds?change=1&was=a', '/t/kinds?change=1&was=ab']);
});

test('T104.6 what somebody else has changed is not overwritten', async (t) => {
  const other = { ...BUTTON, name: 'Seven' };
  const { s, asked } = tableWith(t, [
    { status: 409, code: 'kinds-changed', kinds: [{ name: 'Deck' }, other] },
  ]);
  const refused = await changeKind(s, 1, stateOf(s, 1), BUTTON, new Map());
  assert.equal(refused?.code, 'kinds-changed');
  assert.match(refused?.text ?? '', /^Somebody else has changed it meanwhile/);
  assert.equal(asked.length, 1);
});

test('T104 what the server refuses is said, and not tried again', async (t) => {
  const { s, asked } = tableWith(t, [{ status: 422, code: 'game' }]);
  assert.equal((await changeKind(s, 1, stateOf(s, 1), BUTTON, new Map()))?.code, 'game');
  assert.equal(asked.length, 1);
});

test('T103 a button of a catalogue becomes one of a game file, with its pictures', () => {
  const kind = /** @type {any} */ ({
    name: 'Deal', offers: [{ op: 'run' }], button: BUTTON.button, readable: true,
    faces: [
      { name: 'Up', art: 'made of layers', layers: [{ art: 'one' }, { text: 'Deal' }] },
      { name: 'Down', art: 'two' },
    ],
  });
  assert.deepEqual(kindOfButton(kind, { steps: [] }), {
    name: 'Deal', button: { steps: [] }, readable: true,
    faces: [
      { name: 'Up', layers: [{ art: 'one' }, { text: 'Deal' }] }, { name: 'Down', art: 'two' },
    ],
  });
  assert.deepEqual([...picturesOf(kind)], ['one', 'two']);
});
