// The bounds of the page's verifier.

import assert from 'node:assert/strict';
import test from 'node:test';
import { NOTHING } from '../js/parts/fairness/draws.js';
import { readExport, readNotes } from '../js/parts/fairness/files.js';
import { verify } from '../js/fairnesspage/verify.js';
import { vectors } from './vectors.js';

const shared = vectors('fair');

test('F14.2 a file of more than 64 MiB is refused', () => {
  for (const [read, document] of /** @type {[(text: string) => unknown, unknown][]} */ ([
    [readExport, shared.export], [readNotes, shared.notes],
  ])) {
    const text = JSON.stringify(document);
    assert.ok(read(text.padEnd(64 * 2 ** 20)));
    assert.throws(() => read(text.padEnd(64 * 2 ** 20 + 1)), SyntaxError);
  }
});

/** Returns the bytes of a number as 64 hexadecimal digits. @param {number} n */
const digest = (n) => n.toString(16).padStart(64, '0');

test('F15.2, F15.5 a mix has 64 shares at most, of whichever seats', () => {
  for (const shares of [5, 33, 64, 65]) {
    const facts = Array.from({ length: shares }, (_, i) => (
      { at: 2, fact: 'commit', mix: 1, seat: 3, hash: digest(i + 1) }
    ));
    const round = { round: 1, opened: 1, commitment: digest(9), before: NOTHING, facts };
    const { difference } = verify(readExport(JSON.stringify({
      format: 'holt.fair/1', table: shared.export.table, rounds: [round],
    })));
    if (shares <= 64) assert.equal(difference, null);
    else assert.deepEqual([difference?.fault, difference?.fact], ['full', 65]);
  }
});

test('F14.20 a seed behind a round that has none is a difference', () => {
  const file = structuredClone(shared.export);
  const revealed = file.rounds.findLastIndex((/** @type {any} */ r) => r.seed);
  assert.ok(revealed > 0, 'the vectors have several rounds with a seed');
  assert.equal(verify(file).difference, null);
  const before = file.rounds[revealed - 1];
  delete before.seed;
  delete before.told;
  // A file has of a sealed round the draws for everybody only, without their records.
  before.facts = before.facts.filter((/** @type {any} */ f) => !f.audience);
  for (const f of before.facts) {
    if (f.fact !== 'draw') continue;
    for (const name of ['what', 'seat', 'pieces', 'inputs', 'outputs']) delete f[name];
  }
  const { difference } = verify(readExport(JSON.stringify(file)));
  assert.deepEqual([difference?.fault, difference?.round], ['phase', file.rounds[revealed].round]);
});
