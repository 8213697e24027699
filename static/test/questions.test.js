// Questions of a page to the server, and their answers (C18).

import assert from 'node:assert/strict';
import test from 'node:test';
import { COMPONENTS } from '../js/parts/components/registry.js';
import { entityOfSeat } from '../js/parts/components/entities.js';
import { full, YOU } from './pages.js';
import { page, PIECE, put, refused } from './replicas.js';

const { roll, rollResult, hitTest, hitTestResult } = COMPONENTS;

test('C18 a question is answered by its component', async () => {
  const p = page();
  const asked = p.replica.ask(PIECE, roll, rollResult, {});
  const [question] = p.post();
  assert.deepEqual(question, put(PIECE, roll, 1, {}));
  p.told(question, put(PIECE, rollResult, 1, { of: 1, face: 0, reason: 0 }));
  assert.deepEqual(await asked, { state: 'answered', answer: { of: 1, face: 0, reason: 0 } });
  p.told(put(PIECE, rollResult, 1, { of: 1, face: 0, reason: 0 }));
  assert.equal(p.replica.pending(PIECE), false);
});

test('C18 an answer to an earlier question is ignored', async () => {
  const p = page(put(PIECE, roll, 1, {}), put(PIECE, rollResult, 1, { of: 1, face: 3, reason: 0 }));
  const asked = p.replica.ask(PIECE, roll, rollResult, {});
  const [question] = p.post();
  p.told(question);
  p.told(put(PIECE, rollResult, 2, { of: 2, reason: 17 }));
  assert.deepEqual(await asked, { state: 'answered', answer: { of: 2, reason: 17 } });
});

test('C18.6 a question expires after 10 s without an answer', async () => {
  const p = page();
  const asked = p.replica.ask(PIECE, roll, rollResult, {});
  p.browser.pass(9999);
  assert.deepEqual(p.replica.get(PIECE, roll), {});
  p.browser.pass(1);
  assert.deepEqual(await asked, { state: 'expired' });
  assert.deepEqual(p.post(), []);
  assert.equal(p.replica.get(PIECE, roll), null);
  p.told(put(PIECE, roll, 1, {}), put(PIECE, rollResult, 1, { of: 1, face: 1, reason: 0 })); // late
  assert.equal(p.replica.get(PIECE, rollResult)?.face, 1);
});

test('C18 a new question replaces the former one', async () => {
  const p = page();
  const me = entityOfSeat(YOU);
  const first = p.replica.ask(me, hitTest, hitTestResult, { x: 1, y: 1 });
  const second = p.replica.ask(me, hitTest, hitTestResult, { x: 2, y: 2 });
  assert.deepEqual(await first, { state: 'replaced' });
  const [question] = p.post();
  p.told(question, put(me, hitTestResult, 1, { of: 1, pieces: [5] }));
  assert.deepEqual(await second, { state: 'answered', answer: { of: 1, pieces: [5] } });
});

test('C18 a question that replaces an unposted one has its own 10 s', async () => {
  const p = page();
  const me = entityOfSeat(YOU);
  void p.replica.ask(me, hitTest, hitTestResult, { x: 1, y: 1 });
  p.browser.pass(8000);
  const second = p.replica.ask(me, hitTest, hitTestResult, { x: 2, y: 2 });
  p.browser.pass(4000);
  const [question] = p.post(); // the connection is back
  assert.deepEqual(question, put(me, hitTest, 1, { x: 2, y: 2 }));
  p.told(question, put(me, hitTestResult, 1, { of: 1, pieces: [5] }));
  assert.deepEqual(await second, { state: 'answered', answer: { of: 1, pieces: [5] } });
});

test('C18 an answer to another’s question of the same time is ignored', async () => {
  const p = page();
  const me = entityOfSeat(YOU);
  const asked = p.replica.ask(me, hitTest, hitTestResult, { x: 1, y: 1 });
  const [question] = p.post();
  const other = put(me, hitTest, 1, { x: 0, y: 0 }); // of another page of this seat; it is smaller
  p.told(other, put(me, hitTestResult, 1, { of: 1, pieces: [6] }));
  p.told(question, put(me, hitTestResult, 2, { of: 1, pieces: [5] }));
  assert.deepEqual(await asked, { state: 'answered', answer: { of: 1, pieces: [5] } });
});

test('C18 an overtaken question is replaced, a refused one is refused', async () => {
  const p = page();
  const me = entityOfSeat(YOU);
  const asked = p.replica.ask(me, hitTest, hitTestResult, { x: 1, y: 1 });
  p.post();
  p.told(put(me, hitTest, 2, { x: 0, y: 0 }));
  assert.deepEqual(await asked, { state: 'replaced' });
  const again = p.replica.ask(PIECE, roll, rollResult, {});
  const [question] = p.post();
  p.hear(refused(question, 2));
  assert.deepEqual(await again, { state: 'refused' });
});

test('C18 the answer may come with a full state', async () => {
  const p = page();
  const asked = p.replica.ask(PIECE, roll, rollResult, {});
  p.post();
  p.hear(full([put(PIECE, roll, 1, {}), put(PIECE, rollResult, 7, { of: 1, face: 2, reason: 0 })]));
  assert.deepEqual(await asked, { state: 'answered', answer: { of: 1, face: 2, reason: 0 } });
});
