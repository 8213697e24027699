/**
 * What a page does for verifiable randomness while a game goes on (docs/fairness.md, F3, F4, F14): it contributes entropy, and
 * notes what it is told. Later the notes show whether an export is about the game that was played. No DOM, no clock, no
 * source of randomness: entropy comes in as an argument.
 *
 * @module
 */

import { closingOf, entropyCommitment, expect, Fault, mixing, seedCommitment, take } from './draws.js';
import { NOTES } from './files.js';

/** @typedef {import('./draws.js').Mixing} Mixing */
/** @typedef {import('./files.js').NotedRound} NotedRound */

/**
 * Where the rounds stand, as a page is told when it comes (`Randomness` of types.js).
 * @typedef {object} Standing
 * @property {number} round the round that is open
 * @property {string} commitment
 * @property {number} mix the mix under way
 * @property {boolean} revealing
 * @property {string} closing
 * @property {string} [pool] of the mix before
 * @property {{ seat: number, hash: string, entropy: string }[]} [shares] of the mix under way; `''`: not revealed
 */

/**
 * A share that is to be revealed now: the mix was closed, and it is among the commitments that were told before.
 * @typedef {{ round: number, mix: number, share: number, entropy: string }} Reveal
 */

/**
 * @typedef {object} Witness
 * @property {string} table
 * @property {Mixing | null} mixing of the round that is open; null while what has been committed to is not known
 * @property {NotedRound[]} rounds
 * @property {Mine | null} mine what was committed to and not mixed yet
 * @property {Set<number>} mixed the seats whose shares are in the pool of the round that is open, as far as is known
 * @property {number} leftOut how many mixes in a row have ended without the own share, though it was sent
 */

/** A share of this page's own. @typedef {{ round: number, mix: number, seat: number, hash: string, entropy: string }} Mine */

/** What exports call the facts of the stream. @type {Record<string, string>} */
const EXPORTED = { committed: 'commit', closed: 'close', revealed: 'reveal', mixed: 'mix' };

/**
 * @param {string} table
 * @param {NotedRound[]} [rounds] what was noted before, by another life of the page; they belong to the witness from now on
 * @param {Mine | null} [mine] what another life of the page has committed to and not revealed
 * @returns {Witness}
 */
export function witness(table, rounds = [], mine = null) {
  const now = rounds.at(-1);
  const used = now?.shares.filter((s) => now.pools.some((p) => p.mix === s.mix)) ?? [];
  return { table, mixing: null, rounds, mine, mixed: new Set(used.map((s) => s.seat)), leftOut: 0 };
}

/**
 * Begins, or begins again after an interruption, with the round that is open now. Without pool and shares nothing can be
 * contributed before the mix under way has ended.
 * @param {Witness} w @param {Standing} standing
 * @returns {Reveal | null} as `see` does: the close may have come in between
 * @throws {Fault} if that is not what was told before
 */
export function join(w, { round, commitment, mix, revealing, closing, pool, shares }) {
  const last = w.rounds.at(-1);
  if (last && last.round > round) throw new Fault('round', `${last.round} or later`, String(round));
  if (last?.round !== round) {
    note(w, round, commitment);
    w.mixed.clear();
  }
  const now = /** @type {NotedRound} */ (w.rounds.at(-1));
  expect('commitment', now.commitment, commitment);
  if (w.mine?.round !== round || w.mine.mix !== mix) w.mine = null;
  w.mixing = null; // until all of it has proved right
  if (pool === undefined || shares === undefined) return null;
  if (mix > 1) once('pool', now.pools, { mix: mix - 1, pool });
  const m = { table: w.table, round, revealing, mixed: mix - 1, pool, shares: shares.map((s) => ({ ...s })) };
  if (revealing) {
    expect('closing', closingOf(w.table, round, mix, shares), closing);
    closed(w, now, m, closing);
  }
  w.mixing = m;
  return owes(w);
}

/** @param {Witness} w @param {number} round @param {string} commitment @param {string} [before] */
function note(w, round, commitment, before) {
  w.rounds.push({ round, commitment, ...(before && { before }), closings: [], pools: [], seals: [], shares: [] });
}

/**
 * Notes something of a mix, once, and the same if it is told again.
 * @template {{ mix: number } & Record<string, any>} T
 * @param {'closing' | 'pool'} name @param {T[]} list @param {T} noted
 */
function once(name, list, noted) {
  const before = list.find((n) => n.mix === noted.mix);
  if (before) expect(name, before[name], noted[name]);
  else list.push(noted);
}

/**
 * Contributes to the mix under way. The caller sends what is returned.
 * @param {Witness} w @param {number} seat
 * @param {string} entropy 64 hexadecimal digits, random, of this client alone. It is not used if a commitment was made
 *   and not told yet: that one is returned again, for it may have been lost
 * @returns {{ round: number, mix: number, hash: string } | null} null while there is nothing to send: shares are being
 *   revealed, or the server has told of the own one, or it is not known what has been committed to
 */
export function contribute(w, seat, entropy) {
  const m = w.mixing;
  if (!m || m.revealing) return null;
  const mix = m.mixed + 1;
  w.mine ??= { round: m.round, mix, seat, hash: entropyCommitment(w.table, m.round, mix, seat, entropy), entropy };
  const { hash } = w.mine;
  return m.shares.some((s) => s.hash === hash) ? null : { round: m.round, mix, hash };
}

/**
 * Takes in a fact that the stream tells (`Fact` of types.js).
 * @param {Witness} w @param {any} fact
 * @returns {Reveal | null} what the caller has to send
 * @throws {Fault} if that cannot be: the server does not keep to the rules. What was noted stays
 */
export function see(w, fact) {
  const now = w.rounds.at(-1);
  if (fact.fact === 'opened') {
    if (now && fact.round !== now.round + 1) throw new Fault('round', String(now.round + 1), String(fact.round));
    w.mixing = mixing(w.table, fact.round, fact.commitment);
    w.mine = null;
    w.mixed.clear();
    note(w, fact.round, fact.commitment, fact.before);
    return null;
  }
  if (fact.fact === 'told') {
    const known = w.rounds.find((r) => r.round === fact.round);
    if (known) expect('commitment', known.commitment, seedCommitment(w.table, fact.round, fact.seed));
    return null;
  }
  if (!now || fact.round !== now.round) throw new Fault('round', String(now?.round ?? 'opened'), String(fact.round));
  if (fact.fact === 'drawn') {
    const { audience, number, seal } = fact;
    now.seals.push({ audience, number, seal });
    return null;
  }
  const known = EXPORTED[fact.fact];
  return known ? seeMix(w, now, { ...fact, fact: known }) : null;
}

/**
 * @param {Witness} w @param {NotedRound} now @param {any} fact
 * @returns {Reveal | null}
 */
function seeMix(w, now, fact) {
  const m = w.mixing;
  const shares = m?.shares ?? [];
  if (m) take(m, fact);
  if (fact.fact === 'mix') {
    for (const { seat, entropy } of shares) if (entropy) w.mixed.add(seat);
    if (w.mine && m) w.leftOut = shares.some((s) => s.entropy === w.mine?.entropy) ? 0 : w.leftOut + 1;
    once('pool', now.pools, { mix: fact.mix, pool: fact.pool });
    w.mine = null;
    // From here on everything is known, whenever the page came.
    w.mixing = m ?? { ...mixing(w.table, now.round, now.commitment), mixed: fact.mix, pool: fact.pool };
  }
  if (!m || fact.fact !== 'close') return null;
  closed(w, now, m, fact.closing);
  return owes(w);
}

/**
 * Notes a close, and the own share if it is one of those that the close is about: from then on nobody can add another one
 * that depends on it.
 * @param {Witness} w @param {NotedRound} now @param {Mixing} m @param {string} closing
 */
function closed(w, now, m, closing) {
  const mix = m.mixed + 1;
  once('closing', now.closings, { mix, closing });
  const { mine } = w;
  if (mine && shareOf(m, mine) === 0) w.leftOut++;
  if (!mine || shareOf(m, mine) === 0) w.mine = null; // it came too late, or there was no room for it
  else if (!now.shares.some((s) => s.mix === mix)) now.shares.push({ mix, seat: mine.seat, entropy: mine.entropy });
}

/**
 * The number of a share in a mix, 0 if it is not there.
 * @param {Mixing} m @param {{ seat: number, hash: string }} mine
 */
const shareOf = (m, mine) => 1 + m.shares.findIndex((s) => s.seat === mine.seat && s.hash === mine.hash);

/**
 * The share that is to be revealed, as long as the server has not told that it was: it may have been lost.
 * @param {Witness} w
 * @returns {Reveal | null}
 */
export function owes({ mixing: m, mine }) {
  if (!m?.revealing || !mine) return null;
  const share = shareOf(m, mine);
  if (share === 0 || m.shares[share - 1].entropy) return null;
  return { round: m.round, mix: m.mixed + 1, share, entropy: mine.entropy };
}

/**
 * Whether the table lies as the server has set it up, as far as is known, though several people's shares are in the pool by now: what
 * would be drawn from here on is not the server's alone.
 * @param {Witness | null} w
 */
export function isUntouched(w) {
  const now = w?.rounds.at(-1);
  const begun = w?.mixing?.mixed === 0 || now?.closings[0]?.mix === 1; // who came later may have missed something
  return w !== null && now?.round === 1 && begun && now.seals.length === 0 && w.mixed.size > 1;
}

/**
 * The own share while it is a secret: it has not been told that it was revealed, and may be revealed still. Another life of
 * the page needs it for that.
 * @param {Witness | null} w
 * @returns {Mine | null}
 */
export function secretOf(w) {
  return w?.mine && (!w.mixing?.revealing || owes(w)) ? w.mine : null;
}

/**
 * The notes as a file that `holt verify --noted` and the page read.
 * @param {Witness} w
 */
export function notesOf(w) {
  return JSON.stringify({ format: NOTES, table: w.table, rounds: w.rounds });
}
