import assert from 'node:assert/strict';
import test from 'node:test';
import {
  closingOf, entropyCommitment, Fault, mixing, nextPool, seedCommitment, take,
} from '../js/parts/fairness/draws.js';
import { readExport, readNotes } from '../js/parts/fairness/files.js';
import { compare, verify } from '../js/fairnesspage/verify.js';
import { contribute, join, notesOf, see, witness } from '../js/parts/fairness/witness.js';
import { vectors } from './vectors.js';

const shared = vectors('fair');
const { table } = shared.export;
const E = ['a', 'b', 'c'].map((digit) => digit.repeat(64));
const COMMITMENT = '5'.repeat(64);
const OPEN = { fact: 'opened', round: 1, commitment: COMMITMENT, before: '0'.repeat(64) };

/** A page in round 1, and what the server would know of its mix. */
function begun() {
  const w = witness(table);
  see(w, OPEN);
  return { w, server: mixing(table, 1, COMMITMENT) };
}

/** @typedef {ReturnType<typeof begun>} Game */

/** The names that the stream has for the facts of exports. @type {Record<string, string>} */
const TOLD = {
  open: 'opened', commit: 'committed', close: 'closed', reveal: 'revealed', mix: 'mixed',
  draw: 'drawn',
};

/**
 * Sends the page a fact that the server has recorded.
 *
 * @param {Game} game
 * @param {any} fact
 */
function tell({ w, server }, fact) {
  take(server, fact);
  return see(w, { round: 1, ...fact, fact: TOLD[fact.fact] });
}

/** @param {Game} game @param {number} seat @param {string} hash */
const commit = (game, seat, hash) =>
  tell(game, { fact: 'commit', mix: game.server.mixed + 1, seat, hash });

/** @param {Game} game */
function close(game) {
  const mix = game.server.mixed + 1;
  return tell(game, { fact: 'close', mix, closing: closingOf(table, 1, mix, game.server.shares) });
}

/** @param {Game} game */
function mix(game) {
  const { mixed, pool, shares } = game.server;
  const withheld = shares.flatMap((s, i) => (s.entropy ? [] : [i + 1]));
  const next = nextPool(pool, closingOf(table, 1, mixed + 1, shares), shares);
  return tell(game, { fact: 'mix', mix: mixed + 1, withheld, pool: next });
}

/**
 * The state of the rounds, as a page receives it when it opens a stream.
 *
 * @param {Game} game
 */
function open({ server: { round, revealing, mixed, pool, shares } }) {
  const closing = revealing ? closingOf(table, round, mixed + 1, shares) : '';
  return {
    round, commitment: COMMITMENT, mix: mixed + 1, revealing, closing, pool,
    shares: structuredClone(shares),
  };
}

/** @param {() => unknown} f @param {string} fault */
function refuses(f, fault) {
  assert.throws(f, (e) => e instanceof Fault && e.fault === fault);
}

test('F3.1, F3.6, F4: a page commits, and reveals after a close with its commitment', () => {
  const game = begun();
  const { w } = game;
  const mine = contribute(w, 2, E[0]);
  assert.deepEqual(mine, { round: 1, mix: 1, hash: entropyCommitment(table, 1, 1, 2, E[0]) });
  assert.deepEqual(contribute(w, 2, E[1]), mine, 'it may have been lost: the same again');
  commit(game, 1, 'd'.repeat(64));
  commit(game, 2, /** @type {any} */ (mine).hash);
  assert.equal(contribute(w, 2, E[1]), null, 'the server has it');
  assert.deepEqual(close(game), { round: 1, mix: 1, share: 2, entropy: E[0] });
  assert.equal(contribute(w, 2, E[1]), null, 'shares are being revealed');
  tell(game, { fact: 'reveal', mix: 1, share: 2, entropy: E[0] });
  mix(game);
  assert.equal(contribute(w, 2, E[1])?.mix, 2);
});

test('F4.9 a page reveals nothing that missed the close', () => {
  const game = begun();
  contribute(game.w, 2, E[0]);
  commit(game, 1, 'd'.repeat(64));
  assert.equal(close(game), null);
  mix(game);
  assert.notEqual(
    contribute(game.w, 2, E[1])?.hash, entropyCommitment(table, 1, 2, 2, E[0]),
    'it is not used again',
  );
});

test('F4.8 an added or changed commitment after the close is detected', () => {
  const game = begun();
  const mine = contribute(game.w, 2, E[0]);
  commit(game, 2, /** @type {any} */ (mine).hash);
  const other = closingOf(table, 1, 1, [...game.server.shares, { seat: 1, hash: 'd'.repeat(64) }]);
  refuses(() => see(game.w, { round: 1, fact: 'closed', mix: 1, closing: other }), 'closing');
  close(game);
  refuses(
    () => see(game.w, { round: 1, fact: 'committed', mix: 1, seat: 1, hash: 'd'.repeat(64) }),
    'phase',
  );
});

test('F5 a pool that does not follow from the shares is detected', () => {
  const game = begun();
  const mine = contribute(game.w, 2, E[0]);
  commit(game, 2, /** @type {any} */ (mine).hash);
  close(game);
  tell(game, { fact: 'reveal', mix: 1, share: 1, entropy: E[0] });
  refuses(
    () => see(game.w, { round: 1, fact: 'mixed', mix: 1, withheld: [], pool: 'e'.repeat(64) }),
    'pool',
  );
  refuses(
    () => see(game.w, { round: 1, fact: 'mixed', mix: 1, withheld: [1], pool: 'e'.repeat(64) }),
    'withheld',
  );
});

test('F4.10 a page that reconnects continues with the others', () => {
  const game = begun();
  const mine = contribute(game.w, 2, E[0]);
  const { server } = game;
  assert.equal(join(game.w, open(game)), null);
  assert.deepEqual(contribute(game.w, 2, E[1]), mine, 'its commitment was lost');
  take(server, { fact: 'commit', mix: 1, seat: 2, hash: /** @type {any} */ (mine).hash });
  take(server, { fact: 'close', mix: 1, closing: closingOf(table, 1, 1, server.shares) });
  assert.deepEqual(
    join(game.w, open(game)), { round: 1, mix: 1, share: 1, entropy: E[0] },
    'the close came in between',
  );
  tell(game, { fact: 'reveal', mix: 1, share: 1, entropy: E[0] });
  assert.equal(join(game.w, open(game)), null, 'it has been revealed');
  mix(game);
  assert.equal(join(game.w, open(game)), null);
  const [noted] = game.w.rounds;
  assert.deepEqual(noted.shares, [{ mix: 1, seat: 2, entropy: E[0] }]);
  assert.equal(noted.closings.length, 1);
  assert.equal(noted.pools.length, 1);
  refuses(() => join(game.w, { ...open(game), pool: 'e'.repeat(64) }), 'pool');
  refuses(() => join(game.w, { ...open(game), commitment: 'e'.repeat(64) }), 'commitment');
  join(game.w, { ...open(game), round: 3, mix: 1 });
  assert.deepEqual(game.w.rounds.map((r) => r.round), [1, 3]);
  refuses(() => join(game.w, open(game)), 'round');
});

test('F4.8 commitments of a close may not change during an interruption', () => {
  const game = begun();
  const mine = contribute(game.w, 2, E[0]);
  commit(game, 2, /** @type {any} */ (mine).hash);
  close(game);
  const shares = [...game.server.shares, { seat: 1, hash: 'd'.repeat(64), entropy: '' }];
  refuses(() => join(game.w, { ...open(game), shares }), 'closing');
  refuses(
    () => join(game.w, { ...open(game), shares, closing: closingOf(table, 1, 1, shares) }),
    'closing',
  );
});

test('F4 a page without the commitments waits for the next mix', () => {
  const game = begun();
  const { round, commitment, mix: under, revealing, closing } = open(game);
  const w = witness(table);
  assert.equal(join(w, { round, commitment, mix: under, revealing, closing }), null);
  assert.equal(contribute(w, 2, E[0]), null);
  const late = { w, server: game.server };
  commit(late, 1, entropyCommitment(table, 1, 1, 1, E[1]));
  assert.equal(close(late), null);
  assert.equal(contribute(w, 2, E[0]), null);
  tell(late, { fact: 'reveal', mix: 1, share: 1, entropy: E[1] });
  mix(late);
  assert.equal(contribute(w, 2, E[0])?.mix, 2);
  assert.equal(w.rounds[0].pools.length, 1);
  commit(late, 2, entropyCommitment(table, 1, 2, 2, E[0]));
  assert.equal(close(late)?.entropy, E[0]);
});

test('F11 a seed that differs from its commitment is detected', () => {
  const seed = '9'.repeat(64);
  const w = witness(table);
  see(w, { ...OPEN, commitment: seedCommitment(table, 1, seed) });
  see(w, { ...OPEN, round: 2 });
  assert.equal(see(w, { fact: 'told', round: 1, seed }), null);
  refuses(() => see(w, { fact: 'told', round: 1, seed: E[0] }), 'commitment');
  refuses(() => see(w, { fact: 'told', round: 2, seed }), 'commitment');
  assert.equal(see(w, { fact: 'unspecified', round: 2 }), null, 'a fact of an unknown kind');
});

test('F2 rounds are published in order', () => {
  const { w } = begun();
  refuses(() => see(w, { ...OPEN, round: 3 }), 'round');
  refuses(() => see(w, { fact: 'drawn', round: 2, audience: 0, number: 1, seal: E[0] }), 'round');
  see(w, { ...OPEN, round: 2 });
  assert.equal(w.rounds.length, 2);
  refuses(() => see(witness(table), { fact: 'closed', round: 1, mix: 1, closing: E[0] }), 'round');
});

test('F14 a page’s notes of a game equal its export', () => {
  const w = witness(table);
  let shares = 0;
  for (const r of shared.export.rounds) {
    see(w, { fact: 'opened', round: r.round, commitment: r.commitment, before: r.before });
    for (const fact of r.facts) {
      // Seat 1 has this page: it says what it has committed to, and is never asked for anything
      // else.
      const next = shared.notes.rounds[r.round - 1].shares.find(
        (/** @type {any} */ s) => s.mix === fact.mix,
      );
      if (fact.fact === 'commit' && fact.seat === 1)
        assert.equal(contribute(w, 1, next.entropy)?.hash, fact.hash);
      const reveal = see(w, { ...fact, round: r.round, fact: TOLD[fact.fact] });
      if (reveal) {
        assert.equal(reveal.entropy, next.entropy);
        shares++;
      }
    }
  }
  assert.equal(shares, 4);
  const e = readExport(JSON.stringify(shared.export));
  assert.equal(verify(e).difference, null);
  const { found, difference } = compare(e, readNotes(notesOf(w)));
  assert.equal(difference, null);
  assert.deepEqual(found, { ...shared.found, absent: 0 });
});
