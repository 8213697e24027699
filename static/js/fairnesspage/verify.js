/**
 * Verifies an export and compares it with notes (docs/fairness.md, F14). It finds the same
 * differences, in the same words, as Verify and Compare of the server. No DOM.
 */

import {
  checkRecord,
  endOf,
  entropyCommitment,
  expect,
  Fault,
  keyedEndOf,
  kindNames,
  lineOf,
  mixing,
  nextLine,
  NOTHING,
  numbersOf,
  outcomeOf,
  sealOf,
  seedCommitment,
  take,
  WHAT,
} from '../parts/fairness/draws.js';
import { finish } from '../parts/fairness/files.js';

/** @typedef {import('../parts/fairness/draws.js').Head} Head */
/** @typedef {import('../parts/fairness/draws.js').Mixing} Mixing */
/** @typedef {import('../parts/fairness/files.js').Export} Export */
/** @typedef {import('../parts/fairness/files.js').ExportedRound} ExportedRound */
/** @typedef {import('../parts/fairness/files.js').Notes} Notes */
/** @typedef {import('../parts/fairness/files.js').NotedRound} NotedRound */

/** The audience of draws for everybody (F6). */
const EVERYBODY = 0;
const MAX_AUDIENCES = 2_049;

/**
 * The first thing that is wrong, or that differs from the notes (F14).
 * @typedef {object} Difference
 * @property {string} fault
 * @property {number} round
 * @property {number} fact its number in the round, from 1; 0: the round itself
 * @property {number} audience of the draw
 * @property {number} draw its number; 0: it is not about a draw
 * @property {number} position the number of the output, from 1; 0: it is not about an output
 * @property {boolean} noted whether it differs from the notes
 * @property {string} want
 * @property {string} got
 */

/**
 * The verified numbers of a round.
 * @typedef {object} RoundReport
 * @property {number} round
 * @property {boolean} revealed whether outcomes and seals were verified
 * @property {true} [bound] it is of version 2: it binds names and times
 * @property {number} mixes
 * @property {number} shares those that were revealed
 * @property {number} withheld those that were not revealed
 * @property {number} draws
 * @property {Record<string, number>} of the number of draws of each kind; unknown in a sealed round
 * @property {number} alone draws from a pool without a share: they are the server's alone
 */

/**
 * @param {Fault} e @param {Partial<Difference>} where
 * @returns {Difference}
 */
function difference({ fault, want, got, position }, where) {
  return {
    fault, round: 0, fact: 0, audience: 0, draw: 0, position, noted: false, ...where, want, got,
  };
}

/**
 * What was verified, and the first difference in the order of the file. The report then covers what
 * comes before it.
 * @typedef {{ report: { rounds: RoundReport[] }, difference: Difference | null }} Verdict
 */

/**
 * Recomputes everything that an export allows (F14).
 * @param {Export} e as readExport returns it
 * @returns {Verdict}
 */
export function verify(e) {
  return finish(verifying(e));
}

/**
 * Verifies in steps of one fact each, so that a page can do other work in between.
 * @param {Export} e
 * @returns {Generator<void, Verdict, void>}
 */
export function* verifying(e) {
  /** @type {{ rounds: RoundReport[] }} */
  const report = { rounds: [] };
  const { dropped = 0 } = e;
  const disorder = e.rounds.findIndex((r, i) => r.round !== dropped + i + 1);
  if (disorder >= 0) {
    const { round } = e.rounds[disorder];
    return {
      report,
      difference: difference(
        new Fault('round', String(dropped + disorder + 1), String(round)), { round },
      ),
    };
  }
  /** @type {Progress} */
  const so = {
    time: 0, told: 0, end: () => NOTHING, first: 0, revealed: [], seats: new Map(),
    kinds: [NOTHING],
  };
  for (let i = 0; i < e.rounds.length; i++) {
    const where = { round: e.rounds[i].round, fact: 0, audience: 0, draw: 0 };
    try {
      yield* verifyRound(e, i, so, report, where);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return { report, difference: difference(error, where) };
    }
  }
  return { report, difference: unboundSeed(e, so) ?? otherName(e, so) };
}

/**
 * The state after all earlier rounds.
 * @typedef {object} Progress
 * @property {number} time of the last fact
 * @property {number} told when the last seed was published
 * @property {(bound: boolean) => string} end returns the end of the last round, for a next round of
 *   version 2 if the argument is true, else of version 1
 * @property {number} first number of rounds of version 1
 * @property {number[]} revealed the rounds whose seeds were published by facts
 * @property {Map<string, string>} seats the names that are bound
 * @property {string[]} kinds running hashes of the names of the first kinds of the file, by their
 *   number, as far as they were needed
 */

/**
 * Verifies one round.
 * @param {Export} e
 * @param {number} i
 * @param {Progress} so the state after the rounds before
 * @param {{ rounds: RoundReport[] }} report
 * @param {Partial<Difference>} where is updated to what is being verified
 */
function* verifyRound(e, i, so, report, where) {
  const r = e.rounds[i];
  const bound = r.version !== undefined;
  if (!bound && so.first++ < i) throw new Fault('version', '2', '1');
  verifyOpening(e, i, so, where);
  if (r.seed !== undefined) verifySeed(e, i, so);
  let line = bound ? verifyBinding(e, r, so) : NOTHING;
  const revealed = r.seed !== undefined;
  const of = Object.fromEntries(Object.keys(WHAT).map((what) => [what, 0]));
  const counts = {
    round: r.round, revealed, mixes: 0, shares: 0, withheld: 0, draws: 0, of, alone: 0,
    ...(bound && { bound }),
  };
  report.rounds.push(counts);
  const m = mixing(e.table, r.round, r.commitment);
  /** @type {Map<number, Head>} */
  const heads = new Map();
  for (const [n, fact] of r.facts.entries()) {
    yield;
    Object.assign(where, { fact: n + 1 });
    later(so.time, fact.at);
    so.time = fact.at;
    if (fact.fact === 'draw') {
      Object.assign(where, { audience: fact.audience, draw: fact.number });
      verifyDraw(e, r, m, heads, fact, line);
      Object.assign(where, { audience: 0, draw: 0 });
      counts.draws++;
      if (fact.what) of[fact.what]++;
      if (counts.shares === 0) counts.alone++;
      continue;
    }
    const shares = m.shares.length;
    if (!verifyFact(e, r, so, fact)) take(m, fact);
    if (fact.fact === 'mix') {
      counts.mixes++;
      counts.withheld += fact.withheld.length;
      counts.shares += shares - fact.withheld.length;
    }
    if (bound) {
      line = nextLine(line, fact);
      expect('line', fact.line, line);
    }
  }
  so.end = (keyed) =>
    keyed
      ? keyedEndOf(e.table, r.round, r.seed ?? '', m.pool, line, heads)
      : endOf(e.table, r.round, m.pool, heads);
}

/**
 * Verifies the beginning of a round of version 2 and returns its line (F16).
 * @param {Export} e
 * @param {ExportedRound} r
 * @param {Progress} so
 */
function verifyBinding(e, r, so) {
  for (const [seat, name] of Object.entries(r.seats ?? {})) so.seats.set(seat, name);
  verifyKinds(e, r, so);
  const line = lineOf(e.table, r);
  expect('line', /** @type {string} */ (r.line), line);
  return line;
}

/**
 * Verifies the names of kinds.
 * @param {Export} e
 * @param {{ kinds?: number, names?: string }} bound the kinds, as a round or a fact binds them
 * @param {Progress} so
 */
function verifyKinds(e, { kinds = 0, names = '' }, so) {
  if (!e.kinds) return;
  while (so.kinds.length <= kinds) {
    const kind = so.kinds.length - 1;
    if (!Object.hasOwn(e.kinds, kind)) throw new Fault('name', `a name of kind ${kind}`, 'none');
    so.kinds.push(kindNames(so.kinds[kind], e.kinds[kind]));
  }
  expect('name', names, so.kinds[kinds]);
}

/**
 * Verifies a fact that only rounds of version 2 have.
 * @param {Export} e
 * @param {ExportedRound} r
 * @param {Progress} so
 * @param {any} fact
 * @returns {boolean} false if it is another fact
 */
function verifyFact(e, r, so, fact) {
  if (fact.fact === 'name') so.seats.set(String(fact.seat), fact.name);
  else if (fact.fact === 'grow') verifyKinds(e, fact, so);
  else if (fact.fact === 'tell') verifyReveal(e, r, so, fact);
  else if (fact.fact === 'undo') verifyUndone(r, fact);
  else if (fact.fact === 'rewind') verifyRewound(r, fact);
  else return false;
  return true;
}

/**
 * Verifies that a draw that was taken back can have been (F17).
 * @param {ExportedRound} r
 * @param {{ of: number, number: number }} fact
 */
function verifyUndone(r, { of, number }) {
  if (of === 0 || of > r.round || number === 0) {
    throw new Fault('round', `a draw up to round ${r.round}`, `draw ${number} of round ${of}`);
  }
}

/**
 * Verifies that the table can have gone back to a save point of that round (F18).
 * @param {ExportedRound} r
 * @param {{ of: number }} fact
 */
function verifyRewound(r, { of }) {
  if (of === 0 || of > r.round) throw new Fault('round', String(r.round), String(of));
}

/**
 * @param {Export} e
 * @param {ExportedRound} r
 * @param {Progress} so
 * @param {{ at: number, round: number, seed: string }} fact
 */
function verifyReveal(e, r, { revealed }, { at, round, seed }) {
  if (round === 0 || round >= r.round)
    throw new Fault('round', `before round ${r.round}`, String(round));
  const last = revealed.at(-1);
  if (last !== undefined) expect('round', last + 1, round);
  revealed.push(round);
  const { dropped = 0 } = e;
  if (round <= dropped) return;
  const of = e.rounds[round - dropped - 1];
  if (of.seed === undefined)
    throw new Fault('phase', 'no seed of a round that is sealed', 'a seed');
  expect('commitment', of.seed, seed);
  expect('time', /** @type {number} */ (of.told), at);
}

/**
 * Finds the first seed that was published during a round of version 2 without a fact.
 * @param {Export} e
 * @param {Progress} so
 */
function unboundSeed(e, { first, revealed }) {
  const bound = e.rounds[first];
  if (!bound) return null;
  const r = e.rounds.find(
    ({ seed, told = 0, round }, i) => seed !== undefined && !revealed.includes(round) &&
      (i + 1 >= first || told > bound.opened),
  );
  return r
    ? difference(new Fault('phase', 'a fact that tells the seed', 'none'), { round: r.round })
    : null;
}

/**
 * Finds the first seat whose name in the file differs from the name that the rounds bound last.
 * @param {Export} e
 * @param {Progress} so
 */
function otherName(e, { seats }) {
  for (const [seat, name] of Object.entries(e.seats ?? {})) {
    const bound = seats.get(seat);
    if (bound !== undefined && bound !== name)
      return difference(new Fault('name', bound, name), {});
  }
  return null;
}

/**
 * Counts the names in an export that no round binds. Anybody who passes on the file may have
 * changed them.
 * @param {Export} e
 * @returns {{ kinds: number, seats: number }}
 */
export function unboundNames(e) {
  let bound = 0;
  const known = new Set();
  for (const r of e.rounds) {
    if (r.version === undefined) continue;
    for (const seat of Object.keys(r.seats ?? {})) known.add(seat);
    bound = Math.max(bound, r.kinds ?? 0);
    for (const f of r.facts) {
      if (f.fact === 'name') known.add(String(f.seat));
      if (f.fact === 'grow') bound = Math.max(bound, f.kinds);
    }
  }
  return {
    kinds: Object.keys(e.kinds ?? {}).filter((kind) => Number(kind) >= bound).length,
    seats: Object.keys(e.seats ?? {}).filter((seat) => !known.has(seat)).length,
  };
}

/**
 * @param {Export} e @param {number} i @param {Progress} so
 * @param {Partial<Difference>} where
 */
function verifyOpening(e, i, so, where) {
  const r = e.rounds[i];
  later(so.time, r.opened);
  so.time = r.opened;
  // If the previous round is sealed, its draws for single seats are missing. If it was dropped, all
  // of it is.
  if (i > 0 ? e.rounds[i - 1].seed === undefined : e.dropped) return;
  where.round = r.round - 1;
  expect('end', r.before, so.end(i > 0 && r.version !== undefined));
  where.round = r.round;
}

/** @param {Export} e @param {number} i @param {Progress} so */
function verifySeed(e, i, so) {
  const r = e.rounds[i];
  const next = e.rounds[i + 1];
  if (!next) throw new Fault('phase', 'no seed before the next round', 'a seed');
  if (i > 0 && e.rounds[i - 1].seed === undefined)
    throw new Fault('phase', `no seed before that of round ${r.round - 1}`, 'a seed');
  const told = /** @type {number} */ (r.told);
  later(Math.max(so.told, next.opened), told);
  so.told = told;
  expect(
    'commitment', r.commitment, seedCommitment(e.table, r.round, /** @type {string} */ (r.seed)),
  );
}

/**
 * Verifies a draw.
 * @param {Export} e
 * @param {ExportedRound} r
 * @param {Mixing} m
 * @param {Map<number, Head>} heads
 * @param {any} fact
 * @param {string} line at that moment
 */
function verifyDraw(e, r, m, heads, fact, line) {
  const { audience, number, mix, seal } = fact;
  if (r.seed !== undefined) {
    checkRecord(fact);
  } else if (fact.what || audience !== EVERYBODY) {
    throw new Fault('record', 'nothing but number, mix and seal while the round is sealed', 'more');
  }
  const last = heads.get(audience) ?? { number: 0, seal: r.commitment };
  expect('number', last.number + 1, number);
  expect('mix', m.mixed, mix);
  if (!heads.has(audience) && heads.size === MAX_AUDIENCES) {
    throw new Fault('full', String(MAX_AUDIENCES), String(MAX_AUDIENCES + 1));
  }
  heads.set(audience, { number, seal });
  if (r.seed === undefined) return;
  const lot = { table: e.table, round: r.round, seed: r.seed, pool: m.pool, audience, number };
  outcomeOf(fact, numbersOf(lot)).forEach((want, i) => {
    expect('outcome', want, fact.outputs[i], i + 1);
  });
  expect(
    'seal',
    sealOf(lot, last.seal, fact, r.version === undefined ? undefined : { line, at: fact.at }), seal,
  );
}

/** @param {number} from @param {number} got */
function later(from, got) {
  if (got < from) throw new Fault('time', `${from} or later`, String(got));
}

// ---- notes ----

/**
 * What was found of some notes in an export.
 * @typedef {object} Comparison
 * @property {number} rounds
 * @property {number} closings
 * @property {number} pools
 * @property {number} seals
 * @property {number} shares
 * @property {number} leftOut own shares that the table lists as withheld
 * @property {number} absent notes that are later than the file, or that it does not contain because
 *   their round is sealed or was dropped
 */

/**
 * Looks for the notes in an export that `verify` found correct (F14).
 * @param {Export} e
 * @param {Notes} notes
 * @returns {{ found: Comparison, difference: Difference | null }} the first difference in the order
 *   of the notes
 */
export function compare(e, notes) {
  const found = { rounds: 0, closings: 0, pools: 0, seals: 0, shares: 0, leftOut: 0, absent: 0 };
  /** @type {Partial<Difference>} */
  let where = { noted: true };
  try {
    expect('table', notes.table, e.table);
    for (const n of notes.rounds) {
      where = { round: n.round, noted: true };
      const r = e.rounds[n.round - (e.dropped ?? 0) - 1];
      if (r) compareRound(e, r, n, found, where);
      else
        found.absent += 1 + n.closings.length + n.pools.length + n.seals.length + n.shares.length;
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { found, difference: difference(error, where) };
  }
  return { found, difference: null };
}

/**
 * Compares the notes of one round.
 * @param {Export} e
 * @param {ExportedRound} r
 * @param {NotedRound} n
 * @param {Comparison} found
 * @param {Partial<Difference>} where is updated to what is being compared
 */
function compareRound(e, r, n, found, where) {
  const { closings, pools, seals, hashes, revealed } = index(r);
  /** @param {string} fault @param {string} want */
  const missing = (fault, want) => {
    if (r !== e.rounds.at(-1)) throw new Fault(fault, want, 'none');
    found.absent++; // in the last round the notes may be later than the file
  };
  /**
   * @param {string} fault
   * @param {{ fact: number, digest: string } | undefined} at
   * @param {string} want
   */
  const same = (fault, at, want) => {
    if (!at) return missing(fault, want);
    where.fact = at.fact;
    expect(fault, want, at.digest);
    where.fact = 0;
    return true;
  };
  expect('commitment', n.commitment, r.commitment);
  if (n.before !== undefined) expect('end', n.before, r.before);
  found.rounds++;
  for (const { mix, closing } of n.closings)
    if (same('closing', closings.get(mix), closing)) found.closings++;
  for (const { mix, pool } of n.pools) if (same('pool', pools.get(mix), pool)) found.pools++;
  for (const { audience, number, seal } of n.seals) {
    if (r.seed === undefined && audience !== EVERYBODY) {
      found.absent++;
      continue;
    }
    Object.assign(where, { audience, draw: number });
    if (same('seal', seals.get(`${audience} ${number}`), seal)) found.seals++;
    Object.assign(where, { audience: 0, draw: 0 });
  }
  for (const { mix, seat, entropy } of n.shares) {
    const hash = entropyCommitment(e.table, r.round, mix, seat, entropy);
    const share = hashes.get(`${mix} ${hash}`);
    if (!share) missing('share', hash);
    else if (!pools.has(mix)) found.absent++;
    else if (revealed.has(`${mix} ${share}`)) found.shares++;
    else found.leftOut++;
  }
}

/**
 * Returns the facts of a round by their keys.
 * @param {ExportedRound} r
 */
function index(r) {
  /** @type {Map<number, { fact: number, digest: string }>} */
  const closings = new Map();
  /** @type {Map<number, { fact: number, digest: string }>} */
  const pools = new Map();
  /** @type {Map<string, { fact: number, digest: string }>} */
  const seals = new Map();
  /** @type {Map<string, number>} */
  const hashes = new Map();
  const revealed = new Set();
  let share = 0; // the last share of the present mix
  r.facts.forEach((f, i) => {
    const fact = i + 1;
    if (f.fact === 'commit') hashes.set(`${f.mix} ${f.hash}`, ++share);
    else if (f.fact === 'close') closings.set(f.mix, { fact, digest: f.closing });
    else if (f.fact === 'reveal') revealed.add(`${f.mix} ${f.share}`);
    else if (f.fact === 'draw') seals.set(`${f.audience} ${f.number}`, { fact, digest: f.seal });
    else {
      pools.set(f.mix, { fact, digest: f.pool });
      share = 0;
    }
  });
  return { closings, pools, seals, hashes, revealed };
}
