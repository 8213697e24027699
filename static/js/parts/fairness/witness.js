/**
 * What a page does for verifiable randomness during a game (docs/fairness.md, F3, F4, F14): it
 * contributes entropy, and notes what the server sends. Later the notes show whether an export
 * describes the game that was played. No DOM, no clock, no source of randomness: entropy is an
 * argument.
 */

import {
  closingOf, entropyCommitment, expect, Fault, mixing, seedCommitment, take,
} from './draws.js';
import { NOTES } from './files.js';

/** @typedef {import('./draws.js').Mixing} Mixing */
/** @typedef {import('./files.js').NotedRound} NotedRound */

/**
 * The state of the rounds, as a page receives it when it opens (`Randomness` of types.js).
 * @typedef {object} Standing
 * @property {number} round the open round
 * @property {string} commitment
 * @property {number} mix the present mix
 * @property {boolean} revealing
 * @property {string} closing
 * @property {string} [pool] after the mix before
 * @property {{ seat: number, hash: string, entropy: string }[]} [shares] of the present mix; `''`:
 *   not revealed
 */

/**
 * A share that must be revealed now: its mix is closed, and its commitment is among those that the
 * server published before.
 * @typedef {{ round: number, mix: number, share: number, entropy: string }} Reveal
 */

/**
 * The state of a witness.
 * @typedef {object} Witness
 * @property {string} table
 * @property {Mixing | null} mixing of the open round; null while the commitments are unknown
 * @property {NotedRound[]} rounds
 * @property {Mine | null} mine the share that was committed to and is not mixed yet
 * @property {Set<number>} mixed the seats whose shares are in the pool of the open round, as far as
 *   is known
 * @property {number} leftOut how many mixes in a row ended without the own share although it was
 *   sent
 */

/**
 * A share of this page's own.
 * @typedef {{ round: number, mix: number, seat: number, hash: string, entropy: string }} Mine
 */

/** Maps the facts of the stream to their names in exports. @type {Record<string, string>} */
const EXPORTED = { committed: 'commit', closed: 'close', revealed: 'reveal', mixed: 'mix' };

/**
 * Creates a witness.
 * @param {string} table
 * @param {NotedRound[]} [rounds] the notes from before a reload; they belong to the witness from
 *   now on
 * @param {Mine | null} [mine] the share that was committed to before a reload and is not revealed
 * @returns {Witness}
 */
export function witness(table, rounds = [], mine = null) {
  const now = rounds.at(-1);
  const used = now?.shares.filter((s) => now.pools.some((p) => p.mix === s.mix)) ?? [];
  return { table, mixing: null, rounds, mine, mixed: new Set(used.map((s) => s.seat)), leftOut: 0 };
}

/**
 * Begins with the round that is open now, or continues after an interruption. Without pool and
 * shares nothing can be contributed until the present mix has ended.
 * @param {Witness} w
 * @param {Standing} standing
 * @returns {Reveal | null} as `see` does: the close may have come in between
 * @throws {Fault} if this contradicts what the server sent before
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
  w.mixing = null; // until all of it is verified
  if (pool === undefined || shares === undefined) return null;
  if (mix > 1) once('pool', now.pools, { mix: mix - 1, pool });
  const m = {
    table: w.table, round, revealing, mixed: mix - 1, pool, shares: shares.map((s) => ({ ...s })),
  };
  if (revealing) {
    expect('closing', closingOf(w.table, round, mix, shares), closing);
    closed(w, now, m, closing);
  }
  w.mixing = m;
  return dueReveal(w);
}

/** @param {Witness} w @param {number} round @param {string} commitment @param {string} [before] */
function note(w, round, commitment, before) {
  w.rounds.push({
    round, commitment, ...(before && { before }), closings: [], pools: [], seals: [], shares: [],
  });
}

/**
 * Notes something of a mix once, and expects the same value if it comes again.
 * @template {{ mix: number } & Record<string, any>} T
 * @param {'closing' | 'pool'} name
 * @param {T[]} list
 * @param {T} noted
 */
function once(name, list, noted) {
  const before = list.find((n) => n.mix === noted.mix);
  if (before) expect(name, before[name], noted[name]);
  else list.push(noted);
}

/**
 * Contributes to the present mix. The caller sends what it returns.
 * @param {Witness} w
 * @param {number} seat
 * @param {string} entropy 64 random hexadecimal digits that only this client knows. If the page
 *   made a commitment that is not published yet, that one is returned again instead, because it may
 *   have been lost
 * @returns {{ round: number, mix: number, hash: string } | null} null if there is nothing to send:
 *   shares are being revealed, the server has published the own commitment, or the commitments are
 *   unknown
 */
export function contribute(w, seat, entropy) {
  const m = w.mixing;
  if (!m || m.revealing) return null;
  const mix = m.mixed + 1;
  w.mine ??= {
    round: m.round, mix, seat, hash: entropyCommitment(w.table, m.round, mix, seat, entropy),
    entropy,
  };
  const { hash } = w.mine;
  return m.shares.some((s) => s.hash === hash) ? null : { round: m.round, mix, hash };
}

/**
 * Processes a fact of the stream (`Fact` of types.js).
 * @param {Witness} w
 * @param {any} fact
 * @returns {Reveal | null} what the caller must send
 * @throws {Fault} if the fact is impossible: the server breaks the rules. Earlier notes stay
 */
export function see(w, fact) {
  const now = w.rounds.at(-1);
  if (fact.fact === 'opened') {
    if (now && fact.round !== now.round + 1)
      throw new Fault('round', String(now.round + 1), String(fact.round));
    w.mixing = mixing(w.table, fact.round, fact.commitment);
    w.mine = null;
    w.mixed.clear();
    note(w, fact.round, fact.commitment, fact.before);
    return null;
  }
  if (fact.fact === 'told') {
    const known = w.rounds.find((r) => r.round === fact.round);
    if (known)
      expect('commitment', known.commitment, seedCommitment(w.table, fact.round, fact.seed));
    return null;
  }
  if (!now || fact.round !== now.round)
    throw new Fault('round', String(now?.round ?? 'opened'), String(fact.round));
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
    if (w.mine && m)
      w.leftOut = shares.some((s) => s.entropy === w.mine?.entropy) ? 0 : w.leftOut + 1;
    once('pool', now.pools, { mix: fact.mix, pool: fact.pool });
    w.mine = null;
    // From here on everything is known, even to a page that came late.
    w.mixing = m ?? {
      ...mixing(w.table, now.round, now.commitment), mixed: fact.mix, pool: fact.pool,
    };
  }
  if (!m || fact.fact !== 'close') return null;
  closed(w, now, m, fact.closing);
  return dueReveal(w);
}

/**
 * Notes a close, and the own share if the close includes it. From then on nobody can add another
 * share that depends on it.
 * @param {Witness} w
 * @param {NotedRound} now
 * @param {Mixing} m
 * @param {string} closing
 */
function closed(w, now, m, closing) {
  const mix = m.mixed + 1;
  once('closing', now.closings, { mix, closing });
  const { mine } = w;
  if (mine && shareOf(m, mine) === 0) w.leftOut++;
  // It came too late, or there was no room for it.
  if (!mine || shareOf(m, mine) === 0) w.mine = null;
  else if (!now.shares.some((s) => s.mix === mix))
    now.shares.push({ mix, seat: mine.seat, entropy: mine.entropy });
}

/**
 * Returns the number of a share in a mix, 0 if it is not in it.
 * @param {Mixing} m
 * @param {{ seat: number, hash: string }} mine
 */
const shareOf = (m, mine) =>
  1 + m.shares.findIndex((s) => s.seat === mine.seat && s.hash === mine.hash);

/**
 * Returns the share that must be revealed, until the server has published it: the message may have
 * been lost.
 * @param {Witness} w
 * @returns {Reveal | null}
 */
export function dueReveal({ mixing: m, mine }) {
  if (!m?.revealing || !mine) return null;
  const share = shareOf(m, mine);
  if (share === 0 || m.shares[share - 1].entropy) return null;
  return { round: m.round, mix: m.mixed + 1, share, entropy: mine.entropy };
}

/**
 * Reports whether nothing has been drawn since the server set up the table, as far as is known,
 * although the shares of several people are in the pool. The server alone does not decide what is
 * drawn from now on.
 * @param {Witness | null} w
 */
export function isUntouched(w) {
  const now = w?.rounds.at(-1);
  // A late page may have missed something.
  const begun = w?.mixing?.mixed === 0 || now?.closings[0]?.mix === 1;
  return w !== null && now?.round === 1 && begun && now.seals.length === 0 && w.mixed.size > 1;
}

/**
 * Returns the own share while it is secret: its revelation is not published, and it may still be
 * revealed. The page needs it for that after a reload.
 * @param {Witness | null} w
 * @returns {Mine | null}
 */
export function secretOf(w) {
  return w?.mine && (!w.mixing?.revealing || dueReveal(w)) ? w.mine : null;
}

/**
 * Returns the notes as a file, which `holt verify --noted` and the page can read.
 * @param {Witness} w
 */
export function notesOf(w) {
  return JSON.stringify({ format: NOTES, table: w.table, rounds: w.rounds });
}
