import assert from 'node:assert/strict';
import test from 'node:test';
import { COMPONENTS } from '../js/parts/components/registry.js';
import { entityOfPiece, entityOfStroke, TABLE } from '../js/parts/components/entities.js';
import { Browser, EPOCH, MARK, Page, YOU } from './pages.js';

const { label, tint, stroke, ping, roll, rollResult } = COMPONENTS;
const PIECE = entityOfPiece(5);
const STROKE = entityOfStroke(100, 7);

/**
 * A page in a browser, with its first full state.
 *
 * @param {Browser} browser
 * @param {string} client
 * @param {object} [more]
 */
function open(browser, client, more) {
  const p = new Page(browser, { client, ...more });
  p.whole();
  return p;
}

/** @param {Page} p */
const labelOf = (p) => p.replica.get(PIECE, label)?.text;

/** The labels that a page posts, by timestamp. @param {Page} p */
const labels = (p) =>
  p.post().map(({ timestamp, data }) => `${timestamp} ${label.decode(data).text}`);

/**
 * @param {string} text
 * @param {number} timestamp
 * @returns {import('../js/parts/components/wire.js').Op}
 */
const written = (text, timestamp) => ({
  kind: 'put', entity: PIECE, component: label.number, timestamp, data: label.encode({ text }),
});

test('C17.10 writing without a stream survives a reload and is posted', () => {
  const browser = new Browser();
  const p = open(browser, 'a');
  p.replica.put(PIECE, label, { text: 'mine' });
  p.replica.put(PIECE, tint, { colour: 9 });
  p.leave();
  const q = open(browser, 'b');
  assert.equal(labelOf(q), 'mine');
  assert.equal(q.replica.pending(PIECE, tint), true);
  assert.equal(q.post().length, 2);
});

test('C17.10 writing is kept within a moment, also if the page ends abruptly', () => {
  const browser = new Browser();
  const p = open(browser, 'a');
  p.replica.put(PIECE, label, { text: 'mine' });
  browser.pass(250);
  p.leave(false);
  assert.deepEqual(labels(open(browser, 'b')), ['1 mine']);
});

test('C17 operations that the room has are not kept', () => {
  const browser = new Browser();
  const p = open(browser, 'a');
  p.replica.put(PIECE, label, { text: 'mine' });
  browser.pass(250);
  assert.equal(browser.kept.size, 1);
  p.told(...p.post());
  browser.pass(250);
  assert.equal(browser.kept.size, 0);
});

test('C17 questions and pings are not kept', () => {
  const browser = new Browser();
  const p = open(browser, 'a');
  p.replica.append(TABLE, ping, { seat: YOU, x: 1, y: 2, time: 3, word: '' });
  void p.replica.ask(PIECE, roll, rollResult, {});
  p.leave();
  assert.equal(browser.kept.size, 0);
});

test('C17 another seat or table does not get it', () => {
  const browser = new Browser();
  const p = open(browser, 'a');
  p.replica.put(PIECE, label, { text: 'mine' });
  p.leave();
  assert.deepEqual(labels(open(browser, 'b', { you: YOU + 1 })), []);
  assert.deepEqual(labels(open(browser, 'c')), ['1 mine']);
});

test('T19 writing of another epoch is dropped and reported', () => {
  const browser = new Browser();
  const p = open(browser, 'a');
  p.replica.put(PIECE, label, { text: 'mine' });
  p.leave();
  const q = new Page(browser, { client: 'b', epoch: EPOCH + 1 });
  q.whole([], EPOCH + 1);
  assert.equal(labelOf(q), undefined);
  assert.deepEqual(q.refusals.map(({ reason }) => reason), ['epoch']);
  assert.equal(browser.kept.size, 0);
});

test('C15 writing on a piece that is gone is dropped and reported', () => {
  const browser = new Browser();
  const p = open(browser, 'a');
  p.replica.put(PIECE, label, { text: 'mine' });
  p.leave();
  const q = open(browser, 'b', { sees: () => false });
  assert.deepEqual(q.refusals, [{ entity: PIECE, component: label.number, reason: 'gone' }]);
  assert.deepEqual(q.post(), []);
});

test('C15, C17.18 another page’s operations are posted apart, with their own version', () => {
  const browser = new Browser();
  const p = open(browser, 'a');
  p.replica.put(PIECE, label, { text: 'mine' });
  p.leave();
  const q = open(browser, 'b');
  q.sync.mark = 2 * MARK;
  q.replica.put(PIECE, tint, { colour: 9 });
  const mine = { ops: [written('mine', 1)], epoch: EPOCH, mark: MARK };
  const marks = (/** @type {Page} */ page) =>
    [page.message(), page.source.delivered(), page.message()].flatMap((m) =>
      m ? [[m.mark, m.ops.length]] : [],
    );
  assert.deepEqual(q.message(), mine);
  q.source.failed();
  assert.deepEqual(marks(q), [[MARK, 1], [2 * MARK, 1]]);
  q.leave();
  const r = open(browser, 'c');
  r.sync.mark = 3 * MARK;
  assert.deepEqual(marks(r), [[MARK, 1], [2 * MARK, 1]]);
});

test('pages work without a store and with a full one', () => {
  for (const state of /** @type {const} */ (['full', 'shut'])) {
    const browser = new Browser();
    browser.state = state;
    const p = open(browser, 'a');
    p.replica.put(PIECE, label, { text: 'mine' });
    browser.pass(250);
    p.replica.save();
    p.replica.removeEntity(STROKE);
    assert.deepEqual(labels(p), ['1 mine'], state);
  }
});

test('damaged data in the store is dropped', () => {
  const browser = new Browser();
  const p = open(browser, 'a');
  p.replica.put(PIECE, label, { text: 'mine' });
  p.leave();
  const [[name, entry]] = browser.kept;
  const [, , message] = entry.split(' ');
  const spoilt = [
    `${EPOCH} ${MARK}`, `${EPOCH} ${MARK} !`, `${EPOCH} ${MARK} AAAA`, `${EPOCH} ${message}`,
    `${EPOCH} -1 ${message}`, `${EPOCH}  ${message}`,
  ];
  for (const text of ['', 'x', `${EPOCH}`, entry.slice(0, -9), ...spoilt]) {
    browser.kept = new Map([[name, text]]);
    assert.deepEqual(open(browser, 'b').post(), [], text);
    assert.equal(browser.kept.size, 0, text);
  }
});

// ---- two pages of one browser ----

test('C4 an open page posts what a closed page left', () => {
  const browser = new Browser();
  const [p, q] = [open(browser, 'a'), open(browser, 'b')];
  p.replica.put(PIECE, label, { text: 'mine' });
  p.leave();
  q.resume();
  assert.equal(labelOf(q), 'mine');
  assert.deepEqual(labels(q), ['1 mine']);
  q.told(written('mine', 1));
  browser.pass(250);
  assert.equal(browser.kept.size, 0);
});

test('C4 two pages may post the same operation', () => {
  const browser = new Browser();
  const p = open(browser, 'a');
  p.replica.put(PIECE, label, { text: 'mine' });
  browser.pass(250);
  const q = open(browser, 'b');
  assert.deepEqual(labels(p), ['1 mine']);
  assert.deepEqual(labels(q), ['1 mine']);
  for (const page of [p, q]) {
    page.told(written('mine', 1));
    assert.equal(page.replica.pending(PIECE), false);
  }
});

test('C17 a new write wins over the one that another page took over', () => {
  const browser = new Browser();
  const p = open(browser, 'a');
  p.replica.put(PIECE, label, { text: 'zebra' });
  browser.pass(250);
  const q = open(browser, 'b');
  p.replica.put(PIECE, label, { text: 'ape' }); // it would lose with the same timestamp (C3)
  assert.deepEqual(labels(p), ['2 ape']);
  assert.deepEqual(labels(q), ['1 zebra']);
});

test('C17 repeated writes win over the one that was taken over', () => {
  const browser = new Browser();
  const p = open(browser, 'a');
  p.replica.put(PIECE, label, { text: 'zebra' });
  p.replica.put(STROKE, stroke, { colour: 1, width: 2 });
  p.leave();
  const q = open(browser, 'b');
  q.sync.mark = 2 * MARK;
  q.replica.put(PIECE, label, { text: 'ape' });
  assert.deepEqual(
    q.post().map(({ entity }) => entity), [STROKE],
    'operations of others go first, in their own message',
  );
  q.replica.put(PIECE, label, { text: 'bee' });
  assert.deepEqual(labels(q), ['2 bee']);
});

test('C17 a write wins even if it was taken over before it was kept', () => {
  const browser = new Browser();
  const p = open(browser, 'a');
  p.replica.put(PIECE, label, { text: 'zebra' });
  browser.pass(250);
  p.replica.put(PIECE, label, { text: 'ape' });
  const q = open(browser, 'b');
  browser.pass(250);
  p.replica.put(PIECE, label, { text: 'bee' });
  browser.pass(250);
  assert.deepEqual(labels(p), ['2 bee']);
  assert.deepEqual(labels(q), ['1 zebra']);
});

test('C16 a stroke that another page took over is erased there, too', () => {
  const browser = new Browser();
  const p = open(browser, 'a');
  p.replica.put(STROKE, stroke, { colour: 1, width: 2 });
  browser.pass(250);
  const q = open(browser, 'b');
  p.replica.removeEntity(STROKE);
  assert.deepEqual(p.post().map(({ kind }) => kind), ['put', 'deleteEntity']);
  assert.deepEqual(q.post().map(({ kind }) => kind), ['put']);
});

test('C16 a stroke that nobody took over leaves the store at once', () => {
  const browser = new Browser();
  const p = open(browser, 'a');
  p.replica.put(STROKE, stroke, { colour: 1, width: 2 });
  browser.pass(250);
  p.replica.removeEntity(STROKE);
  const q = open(browser, 'b');
  for (const page of [p, q]) assert.deepEqual(page.post(), []);
});

test('C17 an operation that cannot be kept under a new name stays', () => {
  const browser = new Browser();
  const p = open(browser, 'a');
  p.replica.put(PIECE, label, { text: 'mine' });
  p.leave();
  browser.state = 'full';
  const q = open(browser, 'b');
  assert.deepEqual(labels(q), ['1 mine']);
  q.leave();
  browser.state = 'open';
  assert.deepEqual(labels(open(browser, 'c')), ['1 mine']);
});
