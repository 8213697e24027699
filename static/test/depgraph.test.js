import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { CloseError, Graph, MAX_DEPENDENCIES, WINDOW } from '../js/parts/datagrams/graph.js';
import { encodeHeader, readDeps, readHeader } from '../js/parts/datagrams/header.js';
import { MISSING_TIMEOUT, Receiver } from '../js/parts/datagrams/receiver.js';
import { Handle, Sender } from '../js/parts/datagrams/sender.js';
import { random } from './random.js';
import { vectors } from './vectors.js';

const shared = vectors('datagrams');

/** @param {string} hex */
const unhex = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));
/** @param {Uint8Array} bytes */
const hex = (bytes) => Buffer.from(bytes).toString('hex');

/**
 * The close code with which an error ends the connection, 0 if there is none.
 *
 * @param {() => void} f
 */
function codeOf(f) {
  try {
    f();
    return 0;
  } catch (error) {
    if (error instanceof CloseError) return error.code;
    throw error;
  }
}

/** A receiver that records what it executes. @param {number} window */
function receiver(window = 1 << 20) {
  /** @type {string[]} */
  const executed = [];
  const r = new Receiver(
    window, (number) => executed.push(`${number}`),
    (_, /** @type {string} */ message) => executed.push(message),
  );
  return { r, executed };
}

/** @param {number} number @param {number[]} deps */
const header = (number, ...deps) => ({ number, deps });

test('D6.1, D6.3 headers, by the vectors', () => {
  assert.ok(shared.headers.length >= 25 && shared.dependencies.length >= 8);
  for (const row of shared.headers) {
    const from = { bytes: unhex(row.bytes), at: 0 };
    /** @type {any} */
    let read = null;
    assert.equal(codeOf(() => { read = readHeader(from, row.floor); }), row.error ?? 0, row.name);
    if (row.error) continue;
    assert.deepEqual(read, { number: row.number, deps: row.deps }, row.name);
    assert.equal(hex(from.bytes.subarray(from.at)), row.rest ?? '', row.name);
    assert.equal(
      hex(encodeHeader(read)), row.bytes.slice(0, row.bytes.length - (row.rest ?? '').length),
      row.name,
    );
  }
  for (const row of shared.dependencies) {
    const from = { bytes: unhex(row.bytes), at: 0 };
    /** @type {number[]} */
    let deps = [];
    assert.equal(
      codeOf(() => {
        deps = readDeps(from, row.floor);
      }),
      row.error ?? 0,
      row.name,
    );
    if (!row.error)
      assert.deepEqual(
        [deps, hex(from.bytes.subarray(from.at))], [row.deps, row.rest ?? ''], row.name,
      );
  }
});

test('D6 a header reads back at any place of the window', () => {
  const headers = fc.tuple(
    fc.nat({ max: 2 ** 40 }), fc.nat({ max: WINDOW - 1 }),
    fc.uniqueArray(fc.integer({ min: 1, max: WINDOW - 1 }), { maxLength: 64 }),
  );
  fc.assert(
    fc.property(headers, ([floor, ahead, backs]) => {
      const number = floor + ahead;
      const deps = backs
        .map((back) => number - back)
        .filter((d) => d >= 0)
        .sort((a, b) => a - b);
      assert.deepEqual(readHeader({ bytes: encodeHeader({ number, deps }), at: 0 }, floor), {
        number, deps,
      });
    }),
  );
});

test('D4 D5 D7 D9 D10 D14 D15 receivers, by the vectors', () => {
  assert.ok(shared.graphs.length >= 40);
  for (const { name, window, steps } of shared.graphs) {
    const { r, executed } = receiver(window);
    for (const [i, step] of steps.entries()) {
      const where = `${name}, step ${i}`;
      const { add, loose, part, at } = step;
      const act = () => {
        if (add) r.add(at, add, add.size, '');
        else if (loose) r.addUnguaranteed(at, loose.key, loose.deps, loose.message);
        else if (part !== undefined) r.part(at, part);
        else r.expire(at);
      };
      assert.equal(codeOf(act), step.error ?? 0, where);
      assert.deepEqual(executed.splice(0), step.executed, where);
      assert.deepEqual(
        [r.floor, r.waiting, r.deadline],
        [step.floor, step.waiting, step.deadline ?? Number.POSITIVE_INFINITY], where,
      );
    }
  }
});

/** The mistakes, as the vectors call them. */
const MISTAKES = [
  ['dependencies', /too many dependencies/],
  ['unfilled', /never filled/],
  ['under way', /under way/],
  ['unsent', /never sent/],
];

/**
 * Executes a step of a sender and returns what went wrong.
 *
 * @param {Sender} s
 * @param {any} step
 * @param {Map<string, Handle>} handles
 * @returns {{ header?: string, deps?: number[], error?: string }}
 */
function play(s, step, handles) {
  try {
    if (step.acknowledge !== undefined) s.acknowledge(step.acknowledge);
    if (step.acknowledgeBelow !== undefined) s.acknowledgeBelow(step.acknowledgeBelow);
    const sending = step.send ?? step.loose ?? { deps: [], size: 0 };
    let last = null;
    for (let i = step.send ? 1 : (step.burst ?? 0); i > 0; i--) {
      depend(s, sending.deps, handles);
      last = s.end(handleOf(sending.handle, handles), sending.size);
      if (!last) return { error: 'window' };
    }
    if (last) return { header: hex(encodeHeader(last)) };
    if (!step.loose) return {};
    depend(s, sending.deps, handles);
    return { deps: s.endUnguaranteed() };
  } catch (error) {
    const found = MISTAKES.find(([, pattern]) =>
      /** @type {RegExp} */ (pattern).test(String(error)),
    );
    if (!found) throw error;
    return { error: String(found[0]) };
  }
}

/** @param {string | undefined} name @param {Map<string, Handle>} handles */
function handleOf(name, handles) {
  if (!name) return null;
  const handle = handles.get(name) ?? new Handle();
  handles.set(name, handle);
  return handle;
}

/** @param {Sender} s @param {(string | null)[]} deps @param {Map<string, Handle>} handles */
function depend(s, deps, handles) {
  s.begin();
  for (const name of deps) s.depend(name === null ? null : (handles.get(name) ?? new Handle()));
}

test('D2 D3 D11 D12 D14 senders, by the vectors', () => {
  assert.ok(shared.senders.length >= 25);
  for (const { name, window, steps } of shared.senders) {
    const s = new Sender(window);
    /** @type {Map<string, Handle>} */
    const handles = new Map();
    for (const [i, step] of steps.entries()) {
      const { header: head, deps, error } = step;
      const want = {
        ...(head && !error && { header: head }), ...(deps && { deps }), ...(error && { error }),
      };
      assert.deepEqual(play(s, step, handles), want, `${name}, step ${i}`);
      const executed = [...handles]
        .filter(([, handle]) => handle.executed)
        .map(([key]) => key)
        .sort();
      const is = { executed, floor: s.floor, messages: s.room.messages, bytes: s.room.bytes };
      assert.deepEqual(
        is,
        { executed: step.executed, floor: step.floor, messages: step.messages, bytes: step.bytes },
        `${name}, step ${i}`,
      );
    }
  }
});

test('D2.3, D2.4 a handle of another open connection is an error', () => {
  const [a, b] = [new Sender(100), new Sender(100)];
  const handle = new Handle();
  a.begin();
  a.end(handle, 1);
  b.begin();
  assert.throws(() => b.depend(handle), /another connection/);
  a.close();
  assert.equal(handle.executed, true);
  b.depend(handle);
  assert.deepEqual(b.end(handle, 1), { number: 0, deps: [] });
  a.begin();
  assert.equal(a.end(null, 1), null, 'nothing is sent on a connection that is over');
});

test('D4.4 a backward chain of a million messages is executed without recursion', () => {
  const { r, executed } = receiver(1 << 30);
  let floor = 0;
  for (const last = 1_000_000; floor < last; floor = r.floor) {
    const top = Math.min(floor + WINDOW, last);
    for (let n = top - 1; n >= floor; n--) r.add(0, header(n, ...(n > 0 ? [n - 1] : [])), 0, '');
    assert.equal(executed.splice(0).length, top - floor);
  }
  assert.deepEqual([r.floor, r.waiting], [1_000_000, 0]);
});

test('D4.3 messages that wait for the same one are executed in number order', () => {
  const { r, executed } = receiver();
  const numbers = [...Array(WINDOW - 1).keys()].map((n) => n + 1);
  const mixed = random(3);
  for (const n of numbers.toSorted(() => mixed.next() - 0.5)) r.add(0, header(n, 0), 0, '');
  r.add(0, header(0), 0, '');
  assert.deepEqual(executed, ['0', ...numbers.map(String)]);
});

test('D4 messages that arrive during execution join the same loop', () => {
  /** @type {number[]} */
  const order = [];
  const graph = new Graph((number) => {
    order.push(number);
    if (number < 50_000) graph.arrive(number + 1, null);
    order.push(-number);
  });
  graph.arrive(1, null);
  assert.deepEqual(order.slice(0, 4), [1, -1, 2, -2]);
  assert.equal(order.length, 100_000);
});

test('D4.1, D4.2, D9, D10.3 each message is executed once, after those it depends on', () => {
  const plans = fc.record({
    seed: fc.nat(), messages: fc.integer({ min: 1, max: 200 }),
    reach: fc.integer({ min: 1, max: 40 }),
  });
  fc.assert(
    fc.property(plans, ({ seed, messages, reach }) => {
      const dice = random(seed);
      const deps = Array.from({ length: messages }, (_, n) =>
        Array.from({ length: dice.below(5) }, () => n - 1 - dice.below(reach)).filter(
          (d) => d >= 0,
        ),
      );
      const { r, executed } = receiver();
      const all = [...deps.keys()];
      const order = [...all, ...all.filter(() => dice.chance(0.5))]
        .map((n) => ({ n, at: dice.next() }))
        .sort((a, b) => a.at - b.at);
      for (const { n } of order) r.add(0, header(n, ...deps[n]), 10, '');
      const places = new Map(executed.map((n, i) => [Number(n), i]));
      assert.equal(executed.length, messages);
      assert.equal(places.size, messages);
      deps.forEach((list, n) => {
        for (const d of list)
          assert.ok(Number(places.get(d)) < Number(places.get(n)), `${n} waits for ${d}`);
      });
      assert.deepEqual([r.floor, r.waiting, r.deadline], [messages, 0, Number.POSITIVE_INFINITY]);
    }),
  );
});

test('D11.2 a handle is executed only when the receiver has executed', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const dice = random(seed);
      const s = new Sender(1 << 20);
      const { r } = receiver();
      /** @type {Handle[]} */
      const handles = [];
      /** @type {import('../js/parts/datagrams/header.js').Header[]} */
      const lost = [];
      for (let i = 0; i < 300; i++) {
        s.begin();
        for (let d = dice.below(4); d > 0 && i > 0; d--)
          s.depend(handles[Math.max(0, i - 1 - dice.below(20))]);
        handles.push(new Handle());
        const sent = s.end(handles[i], 3);
        assert.ok(sent);
        lost.push(sent);
        while (lost.length > 0 && (dice.chance(0.6) || i === 299)) {
          const [got] = lost.splice(dice.below(lost.length), 1);
          r.add(0, got, 3, '');
          if (dice.chance(0.8)) s.acknowledge(got.number);
          if (dice.chance(0.1)) s.acknowledgeBelow(r.floor);
        }
        for (const [n, handle] of handles.entries())
          assert.ok(!handle.executed || r.executed(n), `${n}, seed ${seed}`);
      }
      s.acknowledgeBelow(r.floor);
      assert.deepEqual([r.floor, s.floor, s.room.bytes], [300, 300, 1 << 20]);
    }),
    { numRuns: 50 },
  );
});

test('D10.6 a missing message ends the connection 11 s after the last progress', () => {
  const { r, executed } = receiver();
  r.add(0, header(0), 5, '');
  r.expire(1e6);
  r.add(1e6, header(4, 3), 5, '');
  for (let n = 1; n <= 2; n++) {
    const at = 1e6 + n * (MISSING_TIMEOUT - 1);
    r.expire(at);
    r.add(at, header(n), 5, '');
    assert.equal(r.deadline, at + MISSING_TIMEOUT);
  }
  const last = 1e6 + 3 * (MISSING_TIMEOUT - 1);
  r.part(last, 3);
  r.part(last + 1, 4);
  r.add(last + 1, header(5), 5, '');
  assert.deepEqual([r.deadline, executed], [last + MISSING_TIMEOUT, ['0', '1', '2', '5']]);
  r.expire(last + MISSING_TIMEOUT - 1);
  assert.equal(codeOf(() => r.expire(last + MISSING_TIMEOUT)), 4000);
});

test('D14 more than 64 dependencies end the connection and are refused', () => {
  const { r } = receiver();
  const deps = [...Array(MAX_DEPENDENCIES + 1).keys()];
  assert.equal(codeOf(() => r.add(0, header(MAX_DEPENDENCIES + 1, ...deps), 0, '')), 1009);
  assert.equal(codeOf(() => r.addUnguaranteed(0, 1, deps, '')), 1009);
  assert.equal(r.deadline, Number.POSITIVE_INFINITY, 'nothing was recorded');
});
