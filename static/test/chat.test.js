// Writing to each other: that a line is sent at once, to whom somebody can write, and what becomes
// of a line that the server refuses.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createBars } from '../js/bars/state.js';
import { createPending } from '../js/input/pending.js';
import { createInput } from '../js/input/state.js';
import { createListeners } from '../js/listeners.js';
import { onOutcome } from '../js/outcome.js';
import { createSending, lineOf, whisperedTo, whyNotSent } from '../js/parts/log/sending.js';
import { createWriting } from '../js/parts/log/writing.js';
import { createRelay } from '../js/relay/state.js';
import { focused, makeDocument, removeDocument } from './elements.js';

/** @typedef {import('../js/parts/log/sending.js').Sent} Sent */

const [ADA, BEN, SAM, GONE] = [1, 2, 3, 4];

beforeEach(makeDocument);
afterEach(removeDocument);

/**
 * A page of a table at which Ada is the host, Ben plays, Sam watches, and somebody has left.
 * @param {number} you
 * @param {{silent?: boolean}} [of]
 */
function pageOf(you, { silent = false } = {}) {
  /** @type {[number, string, string, number][]} */
  const people = [
    [ADA, 'Ada', 'host', 0], [BEN, 'Ben', 'player', 0], [SAM, 'Sam', 'spectator', 0],
    [GONE, 'Gus', 'player', GONE],
  ];
  /** @type {any[]} */
  const did = [];
  let seq = 0;
  const s = /** @type {any} */ ({
    sync: {
      you, pieces: new Map(),
      seats: new Map(people.map(([id, nick, role, left]) => [id, { id, nick, role, left }])),
      make: (/** @type {string} */ op, /** @type {object} */ args) => {
        did.push([op, args]);
        return ++seq;
      },
    },
    net: { status: { state: 'online' }, flush: () => did.push('flush') },
    parts: {
      components: {
        entities: { TABLE: 0 }, COMPONENTS: { chat: 'chat' },
        replica: { get: () => ({ silent, days: 0 }) },
      },
    },
    relay: createRelay(), input: createInput(), pending: createPending(), bars: createBars(),
    listeners: createListeners(), view: { dirty: new Set(), shown: new Map() }, redraw() {},
  });
  return { s, did, sending: createSending(s) };
}

/** @param {string} text @param {number} [to] @param {boolean} [isTyped] @returns {Sent} */
const line = (text, to = 0, isTyped = true) => ({ text, to, isTyped });

/** @param {number} seq @param {string} reason @param {string} [op] @returns {any} */
const reject = (seq, reason, op = 'say') => ({ type: 'reject', piece: 0, by: 0, seq, reason, op });

test('T64.1 what somebody writes, or deletes, is sent at once', () => {
  const { did, sending } = pageOf(ADA);
  sending.say(line('Hello'));
  sending.say(line('Psst', BEN));
  sending.unsay(77);
  assert.deepEqual(did, [
    ['say', { text: 'Hello' }], 'flush', ['say', { text: 'Psst', seat: BEN }], 'flush',
    ['unsay', { line: 77 }], 'flush',
  ]);
});

test('T64.2 what no line can have becomes a space', () => {
  assert.equal(lineOf(' a\tb\u2028\nc '), 'a b c');
});

test('T64.8 players write to other players alone, and nobody else to anybody', () => {
  const to = (/** @type {number} */ you) => whisperedTo(pageOf(you).s).map(({ nick }) => nick);
  assert.deepEqual([ADA, BEN, SAM].map(to), [['Ben'], ['Ada'], []]);
  const why = (/** @type {number} */ you, /** @type {number} */ seat) =>
    whyNotSent(pageOf(you).s, line('Psst', seat));
  assert.equal(why(ADA, BEN), '');
  assert.equal(why(ADA, SAM),
    'You cannot write to Sam alone now: only those who play get such lines.');
  assert.equal(why(SAM, ADA), 'Only those who play can write to one person.');
});

test('T64.11 those who watch do not write if the hosts want it so', () => {
  const why = (/** @type {number} */ you) =>
    whyNotSent(pageOf(you, { silent: true }).s, line('Hi'));
  assert.deepEqual([ADA, SAM].map(why), ['', 'Only those who play can write here.']);
  assert.equal(whyNotSent(pageOf(SAM).s, line('Hi')), '');
});

/**
 * Returns what a player hears of a refusal, and the line that goes back into the field.
 * @param {Sent} written
 * @param {string} reason
 * @param {ReturnType<typeof pageOf>} [page]
 */
function refusal(written, reason, { s, sending } = pageOf(ADA)) {
  /** @type {string[]} */
  const told = [];
  sending.say(written);
  s.parts.log = { whyRefused: sending.whyRefused };
  /** @type {Sent|null} */
  let back = null;
  s.listeners.events.push((/** @type {any} */ event) => (back = sending.settle(event)));
  s.load = () => Promise.reject(new Error('not now'));
  onOutcome(s, /** @type {any} */ ({
    changed: new Set(), gone: new Set(), renamed: [], motions: [], cursors: [], acked: [],
    events: [reject(1, reason)],
  }), /** @type {any} */ ({ alarm: (/** @type {string} */ text) => told.push(text) }));
  return { told, back };
}

test('T64.3 a line that was too fast comes back, and the page says why', () => {
  assert.deepEqual(refusal(line('Twenty-one'), 'cooling'), {
    told: ['That was too fast, so it was not sent. Wait a moment, then send it again.'],
    back: line('Twenty-one'),
  });
  assert.deepEqual(refusal(line('👍', 0, false), 'cooling'), {
    told: ['That was too fast. Wait a moment.'], back: null,
  });
});

test('T64.8, T64.11 a line that the server refuses all the same comes back, too', () => {
  assert.deepEqual(refusal(line('Psst', BEN), 'not-allowed').told,
    ['You cannot write to Ben alone now: only those who play get such lines.']);
  const silent = refusal(line('Hi'), 'not-allowed', pageOf(SAM));
  assert.deepEqual(silent, { told: ['Only those who play can write here.'], back: line('Hi') });
});

test('T64.9 a deletion that was refused says so', () => {
  const { sending } = pageOf(BEN);
  assert.equal(sending.whyRefused(reject(9, 'gone', 'unsay')), 'That line was deleted already.');
  assert.equal(sending.whyRefused(reject(9, 'not-allowed', 'unsay')),
    'You can only delete your own lines.');
  assert.equal(sending.whyRefused(reject(9, 'cooling', 'roll')), '');
});

test('a line that the server has taken does not come back', () => {
  const { sending } = pageOf(ADA);
  sending.say(line('Hello'));
  assert.equal(sending.settle(/** @type {any} */ ({ type: 'acked', seq: 1, op: 'say' })), null);
  assert.equal(sending.settle(reject(1, 'cooling')), null);
});

/** The field of a page, with what it says. @param {ReturnType<typeof pageOf>} page */
function fieldOf({ s }) {
  /** @type {Sent[]} */
  const sent = [];
  let takes = true;
  const writing = createWriting(s, (written) => {
    if (takes) sent.push(written);
    return takes;
  });
  const root = /** @type {any} */ (writing.root);
  const [above, below] = root.children;
  const [to, reactions] = above.children;
  const [text, send] = below.children;
  writing.draw();
  return {
    writing, sent, root, above, to, reactions, text, send,
    refuse: () => (takes = false),
    /** @param {string} written */
    write(written) {
      text.value = written;
      root.dispatchEvent(new Event('submit', { cancelable: true }));
    },
    readers: () => to.children.map((/** @type {any} */ { textContent }) => textContent),
  };
}

test('T64.8 the field offers only those to whom one can write', () => {
  const field = fieldOf(pageOf(ADA));
  assert.deepEqual(field.readers(), ['To everybody', 'Only to Ben']);
  assert.equal(field.to.hidden, false);
  assert.equal(fieldOf(pageOf(SAM)).to.hidden, true, 'without a choice there is none to make');
});

test('T64.11 whoever may not write has no field to write in, and keeps what stands there', () => {
  const page = pageOf(SAM);
  const field = fieldOf(page);
  field.text.value = 'Well';
  field.send.focus();
  page.s.parts.components.replica.get = () => ({ silent: true });
  field.writing.draw();
  const { above, send, text } = field;
  assert.deepEqual([above.hidden, send.hidden, text.readOnly], [true, true, true]);
  assert.equal(field.text.getAttribute('placeholder'), 'Only those who play can write here.');
  assert.equal(field.text.value, 'Well');
  assert.equal(focused(), field.text, 'the focus does not get lost');
});

test('a page whose seat has ended has no field', () => {
  const page = pageOf(BEN);
  const field = fieldOf(page);
  page.s.net.status.state = 'closed';
  field.writing.draw();
  assert.equal(field.root.hidden, true);
});

test('a line that is not sent stays in the field', () => {
  const field = fieldOf(pageOf(ADA));
  field.refuse();
  field.write('Hello');
  assert.equal(field.text.value, 'Hello');
});

test('lines that were refused come back one by one, for whom they were meant', () => {
  const field = fieldOf(pageOf(ADA));
  field.write('a');
  assert.equal(field.text.value, '');
  field.text.value = 'half a li';
  field.writing.giveBack(line('to Ben', BEN));
  field.writing.giveBack(line('to all'));
  assert.equal(field.text.value, 'half a li', 'what somebody writes now stays');
  field.write('half a line');
  assert.deepEqual([field.text.value, field.to.value], ['to Ben', String(BEN)]);
  field.write(field.text.value);
  assert.deepEqual([field.text.value, field.to.value], ['to all', '']);
  assert.deepEqual(field.sent, [line('a'), line('half a line'), line('to Ben', BEN)]);
});

test('what was meant for one person never goes to all because that person has left', () => {
  const page = pageOf(ADA);
  const field = fieldOf(page);
  field.to.value = String(BEN);
  page.s.sync.seats.get(BEN).left = BEN;
  field.writing.draw();
  assert.equal(field.to.value, String(BEN));
  field.write('Only for Ben');
  assert.deepEqual(field.sent, [line('Only for Ben', BEN)], 'and the page says why it cannot');
});
