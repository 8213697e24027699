// Packed games that go to the table in parts (T108).

import assert from 'node:assert/strict';
import test from 'node:test';
import { addKinds } from '../js/parts/edit/send.js';
import { PART, sendKinds } from '../js/parts/edit/upload.js';

/** @typedef {import('../js/state.js').State} State */

const s = /** @type {State} */ (/** @type {unknown} */ ({
  api: '/api', catalog: { kinds: [{ faces: [{ art: 'a'.repeat(64) }] }] },
}));

/**
 * A server that takes files in parts. `faults` are called with each request, and may fail it.
 * @param {import('node:test').TestContext} t
 * @param {(method: string, path: string, n: number) => number|'cut'|undefined} [fault] a status, or
 *   a cut after half of the part
 */
function serve(t, fault = () => undefined) {
  /** @type {Map<string, number[]>} */
  const files = new Map();
  /** @type {number[][]} */
  const added = [];
  /** @type {string[]} */
  const log = [];
  t.mock.method(globalThis, 'fetch', async (/** @type {string} */ path,
    /** @type {RequestInit} */ { method = 'GET', body, signal } = {}) => {
    signal?.throwIfAborted();
    const [at, query = ''] = path.split('?');
    const name = at.split('/')[3];
    log.push(`${method} ${at}`);
    const answer = (/** @type {number} */ status, /** @type {object} */ of = {}) =>
      ({ status, ok: status < 300, json: async () => of });
    const wrong = fault(method, at, log.length);
    if (typeof wrong === 'number') {
      if (wrong === 404) files.clear();
      return answer(wrong);
    }
    if (at === '/api/kinds') {
      added.push([...new Uint8Array(/** @type {Uint8Array} */ (body))]);
      return answer(200, { kinds: [7] });
    }
    if (at === '/api/uploads') {
      files.set(`f${log.length}`, []);
      return answer(201, { upload: `f${log.length}` });
    }
    const file = files.get(name);
    if (!file) return answer(404, { code: 'not-found' });
    if (method === 'DELETE') files.delete(name);
    if (method === 'PUT' && query === `offset=${file.length}`) {
      const part = /** @type {Uint8Array} */ (body);
      for (const b of part.subarray(0, wrong === 'cut' ? part.length / 2 : undefined)) file.push(b);
    }
    if (wrong === 'cut') throw new TypeError('cut');
    if (at.endsWith('/kinds')) {
      files.delete(name);
      added.push(file);
      return answer(200, { kinds: [7] });
    }
    return answer(200, { offset: file.length });
  });
  return { files, added, log };
}

const large = Uint8Array.from({ length: 2.5 * PART }, (_, i) => (i * 7) & 255);

test('T108.7 a small file goes at once, and a large one in parts, with its progress', async (t) => {
  const server = serve(t);
  const small = Uint8Array.of(1, 2, 3);
  assert.equal((await sendKinds(s, small)).status, 200);
  assert.deepEqual(server.log, ['POST /api/kinds']);
  /** @type {number[]} */
  const done = [];
  const answer = await sendKinds(s, large, { progress: (n) => done.push(n) });
  assert.deepEqual(answer, { status: 200, body: { kinds: [7] } });
  assert.deepEqual(server.added, [[...small], [...large]]);
  assert.deepEqual(done, [0, 0.4, 0.8, 1]);
});

test('T108.7 it goes on after a cut where the server is, and begins again if it is forgotten',
  async (t) => {
    const cut = serve(t, (method, _, n) => (method === 'PUT' && n === 3 ? 'cut' : undefined));
    assert.equal((await sendKinds(s, large)).status, 200);
    assert.deepEqual(cut.added, [[...large]]);
    assert.deepEqual(cut.log.map((line) => line.split(' ')[0]),
      ['POST', 'PUT', 'PUT', 'GET', 'PUT', 'POST']);
    t.mock.restoreAll();
    const lost = serve(t, (method, _, n) => (method === 'PUT' && n === 3 ? 404 : undefined));
    assert.equal((await sendKinds(s, large)).status, 200);
    assert.deepEqual(lost.added, [[...large]]);
    t.mock.restoreAll();
    const never = serve(t, (method) => (method === 'PUT' ? 404 : undefined));
    assert.equal((await sendKinds(s, large)).status, 404);
    assert.equal(never.log.filter((line) => line === 'POST /api/uploads').length, 3);
  });

test('T108.7 who gives it up leaves nothing at the server', async (t) => {
  const server = serve(t);
  const giving = new AbortController();
  const sending = sendKinds(s, large, {
    signal: giving.signal, progress: (n) => n > 0 && giving.abort(),
  });
  await assert.rejects(sending, { name: 'AbortError' });
  await new Promise((done) => setTimeout(done, 5));
  assert.equal(server.files.size, 0);
  assert.deepEqual(server.added, []);
});

test('T108.7 pictures that the table has are not sent again', async (t) => {
  let isRewound = false;
  const server = serve(t, (_, path, n) => (isRewound && path === '/api/kinds' && n === 2 ? 422
    : undefined));
  const pictures = new Map(['a', 'b'].map((of) => [of.repeat(64), Uint8Array.of(9, 9, 9)]));
  assert.deepEqual(await addKinds(s, [], pictures), [7]);
  const has = (/** @type {string} */ of, n = 0) =>
    Buffer.from(server.added[n]).includes(`art/${of.repeat(64)}`);
  assert.ok(has('b') && !has('a'));
  isRewound = true; // the table has gone back, and lacks it
  assert.deepEqual(await addKinds(s, [], pictures), [7]);
  assert.ok(has('a', 1) && has('b', 1));
});
