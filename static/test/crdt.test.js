import assert from 'node:assert/strict';
import test from 'node:test';
import {
  decodeMessage, encodeMessage, MAX_DATA, MAX_TIMESTAMP,
} from '../js/parts/components/wire.js';
import * as crdt from '../js/parts/components/crdt.js';
import { differing, digest } from './digest.js';
import {
  compareBytes, elements, entities, get, ops, opsOf, timestampOf,
} from '../js/parts/components/crdtread.js';
import { fromHex, hex } from '../js/parts/fairness/draws.js';
import { MalformedError } from '../js/net/protobuf.js';
import { random } from './random.js';
import { vectors } from './vectors.js';

/** @typedef {import('../js/parts/components/wire.js').Op} Op */

const shared = vectors('crdt');

/** @param {number} component */
const limitOf = (component) =>
  shared.sets.find((/** @type {any} */ s) => s.component === component)?.limit ?? 0;

/**
 * Of texts of different length the longer one is greater.
 *
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 */
const compareLengths = (a, b) => a.length - b.length || compareBytes(a, b);

/** @param {any} v @returns {Op} */
const opOf = (v) => ({ ...v, data: fromHex(v.data) });

/** @param {Op | undefined} op */
const vectorOf = (op) => op && { ...op, data: hex(op.data) };

/** @param {Op[]} list */
const message = (list) => hex(encodeMessage({ ops: list }));

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);

test('C8 and C10: messages, by the vectors', () => {
  assert.ok(shared.messages.length > 80);
  let refused = 0;
  for (const v of shared.messages) {
    if (v.refused) {
      refused++;
      assert.throws(() => decodeMessage(fromHex(v.hex)), MalformedError, v.hex);
      continue;
    }
    const read = decodeMessage(fromHex(v.hex));
    assert.deepEqual(read.ops.map(vectorOf), v.ops, v.hex);
    assert.equal(read.digest ? hex(read.digest) : '', v.digest, v.hex);
    assert.equal(read.asks ?? false, v.asks, v.hex);
    assert.deepEqual(decodeMessage(encodeMessage(read)), read, 'messages read back unchanged');
  }
  assert.ok(refused > 20 && refused < shared.messages.length - 20, `${refused} refused`);
});

test('C10.6 data has bounds', () => {
  const op = /** @type {const} */ ({ kind: 'put', entity: 7, component: 1, timestamp: 1 });
  const [read] = decodeMessage(
    encodeMessage({ ops: [{ ...op, data: new Uint8Array(MAX_DATA) }] }),
  ).ops;
  assert.equal(read.data.length, MAX_DATA);
  const more = encodeMessage({ ops: [{ ...op, data: new Uint8Array(MAX_DATA + 1) }] });
  assert.throws(() => decodeMessage(more), MalformedError);
  assert.throws(() => crdt.put(crdt.replica(), 7, 1, new Uint8Array(MAX_DATA + 1)), RangeError);
});

/**
 * Plays a script.
 *
 * @param {any} s a script
 * @param {number} [steps]
 * @returns {crdt.Replica} the results that are checked
 */
function played(s, steps = s.steps.length) {
  const r = crdt.replica({
    limitOf, ...(s.compare === 'length' ? { compare: compareLengths } : {}),
  });
  s.steps.slice(0, steps).forEach((/** @type {any} */ step, /** @type {number} */ i) => {
    if (step.merge) {
      const { outcome, correction } = crdt.merge(r, opOf(step.merge));
      assert.deepEqual(
        [outcome, vectorOf(correction)], [step.outcome, step.correction], `step ${i}`,
      );
    } else if (step.write)
      assert.deepEqual(vectorOf(write(r, opOf(step.write))), step.wrote, `step ${i}`);
    else crdt.forget(r, step.forget);
  });
  return r;
}

/** @param {crdt.Replica} r @param {Op} op */
function write(r, { kind, entity, component, data }) {
  switch (kind) {
    case 'put':
      return crdt.put(r, entity, component, data);
    case 'delete':
      return crdt.remove(r, entity, component);
    case 'append':
      return crdt.append(r, entity, component, data);
    case 'deleteEntity':
      return crdt.deleteEntity(r, entity);
  }
}

test('C1, C2, C3, C5, C6 and C20: random scripts, by the vectors', () => {
  assert.ok(shared.scripts.length >= 60);
  for (const [i, s] of shared.scripts.entries()) {
    const r = played(s);
    assert.equal(message(ops(r)), s.state, `script ${i}`);
    const sums = hex(digest(r)).match(/.{16}/g) ?? [];
    assert.equal(sums.length, 256);
    sums.forEach((sum, b) => {
      assert.equal(sum, s.digest[b] ?? '0'.repeat(16), `script ${i}, bucket ${b}`);
    });
    assert.equal(message(differing(r, digest(played(s, s.half)))), s.differing, `script ${i}`);
  }
});

test('C4.1, C4.2, C4.3 any order, grouping and duplication give the same state', () => {
  const merges = shared.scripts.flatMap((/** @type {any} */ s) =>
    s.steps.flatMap((/** @type {any} */ step) => step.merge ?? []),
  );
  const r = random(4);
  for (let round = 0; round < 100; round++) {
    /** @type {Op[]} */
    const chosen = Array.from({ length: r.below(40) }, () => opOf(r.pick(merges)));
    const one = crdt.replica({ limitOf });
    for (const op of chosen) crdt.merge(one, op);
    const groups = [crdt.replica({ limitOf }), crdt.replica({ limitOf })];
    const again = chosen.concat(chosen).sort(() => r.next() - 0.5);
    for (const op of again) crdt.merge(groups[r.below(2)], op);
    for (const op of ops(groups[0])) crdt.merge(groups[1], op);
    for (const op of ops(groups[1])) crdt.merge(groups[0], op);
    for (const group of groups) {
      assert.equal(message(ops(group)), message(ops(one)), `seed 4, round ${round}`);
      assert.deepEqual(digest(group), digest(one), `seed 4, round ${round}`);
    }
  }
});

test('C20.9 two diverged replicas agree after each has answered once', () => {
  for (const [i, s] of shared.scripts.entries()) {
    const one = played(s);
    const other = played(shared.scripts[(i + 5) % shared.scripts.length]);
    if (one.compare !== other.compare) continue;
    let answer = encodeMessage({ ops: [], digest: digest(one), asks: true });
    for (const r of [other, one, other]) {
      const { ops: come, digest: theirs, asks } = decodeMessage(answer);
      for (const op of come) crdt.merge(r, op);
      answer = encodeMessage({
        ops: theirs ? differing(r, theirs) : [], ...(asks ? { digest: digest(r) } : {}),
      });
    }
    assert.equal(answer.length, 0);
    assert.deepEqual(digest(one), digest(other), `scripts ${i} and ${i + 5}`);
    assert.equal(message(ops(one)), message(ops(other)));
  }
});

test('C1.1, C1.2 local writes: which are made and which are not', () => {
  const r = crdt.replica({ limitOf });
  assert.deepEqual(crdt.put(r, 7, 1, bytes('a')), {
    kind: 'put', entity: 7, component: 1, timestamp: 1, data: bytes('a'),
  });
  assert.equal(crdt.remove(r, 7, 1)?.timestamp, 2);
  assert.equal(get(r, 7, 1), undefined);
  assert.equal(timestampOf(r, 7, 1), 2);
  crdt.put(r, 7, 1, bytes(''));
  assert.deepEqual(get(r, 7, 1), bytes(''), 'empty data is not deleted');
  assert.equal(crdt.put(r, 7, 10, bytes('a')), undefined, 'a set');
  assert.equal(crdt.append(r, 7, 1, bytes('a')), undefined, 'a value');
  crdt.merge(r, {
    kind: 'put', entity: 8, component: 1, timestamp: MAX_TIMESTAMP, data: bytes('a'),
  });
  assert.equal(crdt.put(r, 8, 1, bytes('z')), undefined, 'the last timestamp');
  crdt.deleteEntity(r, 7);
  assert.equal(crdt.put(r, 7, 1, bytes('a')), undefined, 'a deleted entity');
  assert.ok(crdt.isDeleted(r, 7) && !crdt.isDeleted(r, 8));
  assert.deepEqual(entities(r, 0, Number.MAX_SAFE_INTEGER), [8]);
  assert.deepEqual(opsOf(r, 7), []);
});

test('C6 the elements of a set ascend', () => {
  const r = crdt.replica({ limitOf });
  for (const text of ['b', 'a', 'c']) crdt.append(r, 7, 10, bytes(text));
  assert.deepEqual(elements(r, 7, 10), [
    { timestamp: 2, data: bytes('a') },
    { timestamp: 3, data: bytes('c') },
  ]);
  assert.deepEqual(elements(r, 8, 10), []);
});

test('C4 inputs are copied', () => {
  const r = crdt.replica({ limitOf });
  const data = bytes('abc');
  crdt.put(r, 7, 1, data);
  crdt.append(r, 7, 10, data);
  data.fill(0);
  assert.deepEqual(get(r, 7, 1), bytes('abc'));
  assert.deepEqual(elements(r, 7, 10)[0].data, bytes('abc'));
});
