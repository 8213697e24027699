// What is posted besides updates: by the same rules, at the same time, to another address.

import assert from 'node:assert/strict';
import test from 'node:test';
import { BEAT, TABLE, World } from './world.js';

/**
 * A source that gives the same batch until it is judged.
 *
 * @param {World} w
 * @param {string} [what]
 */
function carry(w, what = 'ops') {
  let flying = false;
  let done = false;
  /** @type {string[]} */
  const heard = [];
  const note = (/** @type {string} */ word) => {
    flying = false;
    heard.push(word);
  };
  const source = {
    take: () => {
      if (flying || done) return null;
      flying = true;
      return what;
    },
    delivered: () => {
      done = true;
      note('delivered');
    },
    failed: () => note('failed'),
    refused: (/** @type {import('../js/types.js').Problem} */ { code }) => {
      done = true;
      note(`refused ${code}`);
      return new Set(/** @type {number[]} */ ([]));
    },
  };
  const poster = w.net.carry(source, {
    path: (batch) => `components?of=${batch}`, type: 'text/x', body: (batch) => `<${batch}>`,
    taken: 204,
  });
  return { poster, heard };
}

test('C17 a message is posted to its address when the stream is synchronised', async () => {
  const w = new World();
  const { poster, heard } = carry(w);
  poster.flush();
  await w.settle();
  assert.equal(w.requests.length, 0);
  await w.online();
  assert.equal(w.request.url, `https://holt.example/api/v1/tables/${TABLE}/components?of=ops`);
  assert.deepEqual(
    [w.request.init.method, w.request.init.headers, w.request.init.body],
    ['POST', { 'content-type': 'text/x' }, '<ops>'],
  );
  w.request.answer(204);
  await w.settle();
  assert.deepEqual(heard, ['delivered']);
  assert.equal(w.requests.length, 1);
});

test('C17 updates and components do not wait for each other', async () => {
  const w = await new World().online();
  carry(w).poster.flush();
  w.sync.update(1, 'move', { x: 1, y: 1 });
  w.net.flush();
  await w.settle();
  assert.deepEqual(
    w.requests.map(({ url }) => url.split('/').at(-1)), ['components?of=ops', 'updates'],
  );
});

for (const [name, answer] of Object.entries({
  429: (/** @type {any} */ r) => r.answer(429, { code: 'too-fast' }, { 'retry-after': '2' }),
  503: (/** @type {any} */ r) => r.answer(503, { code: 'busy' }, { 'retry-after': '2' }),
  'no answer': (/** @type {any} */ r) => r.fail(),
  'an answer of another server': (/** @type {any} */ r) => r.answer(200),
})) {
  test(`C17.18 ${name}: the same message is posted again later`, async () => {
    const w = await new World().online();
    const { poster, heard } = carry(w);
    poster.flush();
    await w.settle();
    answer(w.request);
    await w.settle();
    assert.deepEqual(heard, ['failed']);
    assert.equal(w.requests.length, 1);
    await w.pass(2000);
    assert.equal(w.requests.length, 2);
    w.request.answer(204);
    await w.settle();
    assert.deepEqual(heard, ['failed', 'delivered']);
    assert.equal(w.net.status.reason, '', 'the connection reports no reason');
  });
}

test('C11 a refused message is dropped without asking for the full state', async () => {
  const w = await new World().online();
  const { poster, heard } = carry(w);
  poster.flush();
  await w.settle();
  w.request.answer(403, { code: 'role' });
  await w.settle();
  assert.deepEqual(heard, ['refused role']);
  assert.deepEqual(w.socket.said, []);
  assert.equal(w.net.status.state, 'online');
});

test('C17 the connection ends when the seat is gone', async () => {
  const w = await new World().online();
  const { poster } = carry(w);
  poster.flush();
  await w.settle();
  w.request.answer(401, { code: 'no-seat' });
  await w.settle();
  assert.deepEqual([w.net.status.state, w.net.status.reason], ['closed', 'no-seat']);
});

test('C17 a lost stream abandons its request; the next stream posts at once', async () => {
  const w = await new World().online();
  const { poster, heard } = carry(w);
  poster.flush();
  await w.settle();
  w.socket.end(1006);
  await w.pass(500);
  assert.deepEqual(heard, ['failed']);
  assert.equal(w.requests.length, 1);
  w.socket.open();
  await w.settle();
  assert.equal(w.requests.length, 2);
});

test('S9 a page can ask for the full state', async () => {
  const w = await new World().online();
  w.net.resync();
  assert.equal(w.socket.said.length, 1);
  w.socket.tell(BEAT);
  await w.pass(15_000);
  assert.equal(w.sockets.length, 1, 'something came');
});
