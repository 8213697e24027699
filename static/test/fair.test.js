import assert from 'node:assert/strict';
import test from 'node:test';
import * as fair from '../js/parts/fairness/draws.js';
import { readExport, readNotes } from '../js/parts/fairness/files.js';
import { compare, unboundNames, verify } from '../js/fairnesspage/verify.js';
import { vectors } from './vectors.js';

const shared = vectors('fair');
const bound = vectors('fair2'); // of rounds of version 2

/**
 * Reads an export and notes, and checks both.
 *
 * @param {unknown} document
 * @param {unknown} noted
 * @returns {{ broken: boolean, difference: unknown, report?: unknown, found?: unknown }}
 */
function judge(document, noted) {
  let e;
  let notes;
  try {
    e = readExport(JSON.stringify(document));
    notes = readNotes(JSON.stringify(noted));
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error));
    return { broken: true, difference: null };
  }
  const { report, difference } = verify(e);
  if (difference) return { broken: false, report, difference };
  return { broken: false, report, ...compare(e, notes) };
}

/**
 * A document after a change. In a path, '#2' is the second element of a list.
 *
 * @param {any} document
 * @param {any} change
 */
function changed(document, { path, value, remove, repeat }) {
  const copy = structuredClone(document);
  const steps = path
    .split('.')
    .map((/** @type {string} */ s) => (s.startsWith('#') ? Number(s.slice(1)) - 1 : s));
  const last = steps.pop();
  let at = copy;
  for (const step of steps) at = at[step];
  if (remove && Array.isArray(at)) at.splice(last, 1);
  else if (remove) delete at[last];
  else if (repeat) at.splice(last, 0, structuredClone(at[last]));
  else at[last] = value;
  return copy;
}

test('F1.1, F1.2, F2, F3, F5.7: commitments and the first pool, by the vectors', () => {
  assert.ok(shared.hashes.length >= 8);
  for (const v of shared.hashes) {
    assert.equal(fair.seedCommitment(v.table, v.round, v.seed), v.commitment);
    assert.equal(fair.firstPool(v.commitment), v.firstPool);
    assert.equal(fair.entropyCommitment(v.table, v.round, v.mix, v.seat, v.entropy), v.hash);
  }
});

test('F1.1, F1.3, F4.3, F5.4: closings and pools, by the vectors', () => {
  assert.ok(shared.mixes.length >= 8);
  for (const v of shared.mixes) {
    assert.equal(fair.closingOf(v.table, v.round, v.mix, v.shares), v.closing);
    assert.equal(fair.nextPool(v.before, v.closing, v.shares), v.pool);
  }
});

// Clauses: F1.1, F7.1, F7.3, F7.4, F7.5
test('F7 random numbers, by the vectors', () => {
  const next = fair.numbersOf(shared.numbers.lot);
  assert.ok(shared.numbers.pairs.length >= 120);
  for (const [n, want] of shared.numbers.pairs) assert.equal(next(n), want, `below ${n}`);
});

test('F7.2 a range that cannot be drawn throws', () => {
  for (const n of [0, -1, 1.5, 2 ** 31 + 1, Number.NaN]) {
    assert.throws(() => fair.numbersOf(shared.numbers.lot)(n), RangeError);
  }
});

test('F1.1, F8.1, F9.1, F9.4: outcomes and seals, by the vectors', () => {
  assert.ok(shared.records.length >= 10);
  for (const v of shared.records) {
    const { audience, number } = v.lot;
    const record = {
      audience, number, mix: v.mix, what: v.what, seat: v.seat, pieces: v.pieces, inputs: v.inputs,
      outputs: v.outputs,
    };
    fair.checkRecord(record);
    assert.deepEqual(fair.outcomeOf(record, fair.numbersOf(v.lot)), v.outputs, v.what);
    assert.equal(fair.sealOf(v.lot, v.last, record), v.seal, v.what);
  }
});

for (const [version, of, least] of /** @type {[string, any, number][]} */ ([
  ['version 1', shared, 90],
  ['version 2', bound, 150],
  ['both versions', bound.upgraded, 9],
])) {
  // Clauses: F1.1, F5.7, F14.5, F14.6, F14.7, F14.42, F14.53
  test(`F14, F16 rounds of ${version} whose export and notes agree, by the vectors`, () => {
    const { broken, difference, report, found } = judge(of.export, of.notes);
    assert.equal(broken, false);
    assert.equal(difference, null);
    assert.deepEqual(report, of.report);
    assert.deepEqual(found, of.found);
    if (of.unbound) assert.deepEqual(unboundNames(of.export), of.unbound);
  });

  // Clauses: F9.4, F10.4, F14.14, F14.53, F16.10
  test(`F10, F11, F13, F14 and F16: each difference in ${version}, by the vectors`, async (t) => {
    assert.ok(of.changes.length >= least);
    for (const c of of.changes) {
      await t.test(`F14 ${c.name}`, () => {
        const document = c.of === 'export' ? changed(of.export, c) : of.export;
        const noted = c.of === 'notes' ? changed(of.notes, c) : of.notes;
        const { broken, difference, found } = judge(document, noted);
        assert.equal(broken, c.broken);
        assert.deepEqual(difference, c.difference);
        if (c.found) assert.deepEqual(found, c.found);
      });
    }
  });
}

test('F14.42, F16 names of old rounds are not bound', () => {
  assert.deepEqual(unboundNames(shared.export), { kinds: 2, seats: 3 });
});

test('F14 text other than JSON is refused', () => {
  for (const text of ['', '{', 'null', '[]', '7', '"holt.fair/1"']) {
    assert.throws(() => readExport(text), SyntaxError, text);
    assert.throws(() => readNotes(text), SyntaxError, text);
  }
});

test('F14.11 members that every object inherits are unknown', () => {
  for (const name of ['constructor', 'toString', '__proto__']) {
    const text = JSON.stringify(shared.export).replace('"format"', `"${name}":1,"format"`);
    assert.throws(() => readExport(text), SyntaxError, name);
    const draw = JSON.stringify(shared.export).replace('"what":"shuffle"', `"what":"${name}"`);
    assert.throws(() => readExport(draw), SyntaxError, name);
  }
});

test('F14 a late beginning agrees, missing rounds do not', () => {
  const rounds = shared.export.rounds.slice(1);
  const later = judge({ ...shared.export, rounds, dropped: 1 }, shared.notes);
  assert.equal(later.difference, null);
  assert.equal(/** @type {any} */ (later.found).rounds, shared.found.rounds - 1);
  for (const dropped of [undefined, 2]) {
    const { difference } = judge({ ...shared.export, rounds, dropped }, shared.notes);
    assert.equal(/** @type {any} */ (difference).fault, 'round');
  }
  assert.ok(judge({ ...shared.export, dropped: 0 }, shared.notes).broken);
});
