/**
 * What a page does for verifiable randomness while a game goes on (docs/fairness.md, F3, F4, F14): it contributes entropy, and
 * notes what it is told. Later the notes show whether an export is about the game that was played. No DOM, no clock, no
 * source of randomness: entropy comes in as an argument.
 *
 * @module
 */

import { closingOf, entropyCommitment, expect, Fault, mixing, take } from './fair.js';
import { NOTES } from './fairfile.js';

/** @typedef {import('./fair.js').Mixing} Mixing */
/** @typedef {import('./fairfile.js').NotedRound} NotedRound */

/**
 * The round that is open, as a page is told of it when it comes.
 * @typedef {object} OpenRound
 * @property {number} round
 * @property {string} commitment
 * @property {boolean} revealing
 * @property {number} mixed
 * @property {string} pool
 * @property {{ seat: number, hash: string, entropy: string }[]} shares of the mix under way; `''`: not revealed
 */

/**
 * A share that is to be revealed now: the mix was closed, and it is among the commitments that were told before.
 * @typedef {{ round: number, mix: number, share: number, entropy: string }} Reveal
 */

/**
 * @typedef {object} Witness
 * @property {string} table
 * @property {Mixing | null} mixing of the round that is open, as far as it was told
 * @property {NotedRound[]} rounds
 * @property {{ mix: number, seat: number, hash: string, entropy: string } | null} mine what was committed to and not mixed yet
 */

/**
 * @param {string} table
 * @returns {Witness}
 */
export function witness(table) {
  return { table, mixing: null, rounds: [], mine: null };
}

/**
 * Begins, or begins again after an interruption, with the round that is open now.
 * @param {Witness} w @param {OpenRound} open
 * @returns {Reveal | null} as `told` does: the close may have come in between
 * @throws {Fault} if that is not what was told before
 */
export function join(w, open) {
  const { round, commitment, revealing, mixed, pool, shares } = open;
  const last = w.rounds.at(-1);
  if (last && last.round > round) throw new Fault('round', `${last.round} or later`, String(round));
  if (last?.round !== round) note(w, round, commitment);
  const now = /** @type {NotedRound} */ (w.rounds.at(-1));
  expect('commitment', now.commitment, commitment);
  const m = { table: w.table, round, revealing, mixed, pool, shares: shares.map((s) => ({ ...s })) };
  const before = now.pools.find((p) => p.mix === mixed);
  if (before) expect('pool', before.pool, pool);
  else if (mixed > 0) now.pools.push({ mix: mixed, pool });
  w.mixing = m;
  if (last?.round !== round || w.mine?.mix !== mixed + 1) w.mine = null;
  return revealing ? closed(w, now, m, closingOf(w.table, round, mixed + 1, shares)) : null;
}

/** @param {Witness} w @param {number} round @param {string} commitment @param {string} [before] */
function note(w, round, commitment, before) {
  w.rounds.push({ round, commitment, ...(before && { before }), closings: [], pools: [], seals: [], shares: [] });
}

/**
 * Contributes to the mix under way. The caller sends what is returned, in a round that `join` or `told` has begun.
 * @param {Witness} w @param {number} seat
 * @param {string} entropy 64 hexadecimal digits, random, of this client alone. It is not used if a commitment was made
 *   and not told yet: that one is returned again, for it may have been lost
 * @returns {{ round: number, mix: number, hash: string } | null} null while there is nothing to send: shares are being
 *   revealed, or the server has told of the own one
 */
export function contribute(w, seat, entropy) {
  const m = w.mixing;
  if (!m || m.revealing) return null;
  const mix = m.mixed + 1;
  w.mine ??= { mix, seat, hash: entropyCommitment(w.table, m.round, mix, seat, entropy), entropy };
  const { hash } = w.mine;
  return m.shares.some((s) => s.hash === hash) ? null : { round: m.round, mix, hash };
}

/**
 * Takes in a fact that was told. Each has a `round`; the rest is as in exports, of `open` commitment and before.
 * @param {Witness} w @param {any} fact
 * @returns {Reveal | null} what the caller has to send
 * @throws {Fault} if that cannot be: the server does not keep to the rules. What was noted stays
 */
export function told(w, fact) {
  const m = w.mixing;
  if (fact.fact === 'open') {
    const last = w.rounds.at(-1);
    if (last && fact.round !== last.round + 1) throw new Fault('round', String(last.round + 1), String(fact.round));
    w.mixing = mixing(w.table, fact.round, fact.commitment);
    w.mine = null;
    note(w, fact.round, fact.commitment, fact.before);
    return null;
  }
  const now = w.rounds.at(-1);
  if (!m || !now || fact.round !== m.round) throw new Fault('round', String(m?.round ?? 'open'), String(fact.round));
  if (fact.fact === 'draw') {
    const { audience, number, seal } = fact;
    now.seals.push({ audience, number, seal });
    return null;
  }
  take(m, fact);
  if (fact.fact === 'close') return closed(w, now, m, fact.closing);
  if (fact.fact === 'mix') {
    now.pools.push({ mix: fact.mix, pool: fact.pool });
    w.mine = null;
  }
  return null;
}

/**
 * Notes a close, and reveals the own share if it is one of those that the close is about: from then on nobody can add
 * another one that depends on it.
 * @param {Witness} w @param {NotedRound} now @param {Mixing} m @param {string} closing
 * @returns {Reveal | null}
 */
function closed(w, now, m, closing) {
  const mix = m.mixed + 1;
  const before = now.closings.find((c) => c.mix === mix);
  if (before) expect('closing', before.closing, closing);
  else now.closings.push({ mix, closing });
  const { mine } = w;
  const share = mine ? 1 + m.shares.findIndex((s) => s.seat === mine.seat && s.hash === mine.hash) : 0;
  if (!mine || share === 0) {
    w.mine = null; // it came too late
    return null;
  }
  if (!now.shares.some((s) => s.mix === mix)) now.shares.push({ mix, seat: mine.seat, entropy: mine.entropy });
  return m.shares[share - 1].entropy ? null : { round: m.round, mix, share, entropy: mine.entropy };
}

/**
 * The notes as a file that `holt verify --noted` and the page read.
 * @param {Witness} w
 */
export function notesOf(w) {
  return JSON.stringify({ format: NOTES, table: w.table, rounds: w.rounds });
}
