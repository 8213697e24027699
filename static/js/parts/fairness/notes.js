/**
 * What pages of this browser have noted of a table's rounds of randomness (docs/fairness.md, F14), kept from one life of a
 * page to the next, and for all pages of the table together. No DOM: the store comes in as an argument.
 *
 * Notes are bounded. A seal follows from the one before it (F9), and so does a pool (F5): the last one stands for all, the
 * others go first. When that is not enough the oldest rounds go, and it is kept from where on there are notes.
 *
 * Notes belong to an epoch (T19): a table whose history was restored goes on with other rounds. What was noted before that is
 * kept apart.
 *
 * @module
 */

import { expect, Fault } from './draws.js';
import { NOTES, readNotes } from './files.js';

/** @typedef {import('./files.js').NotedRound} NotedRound */

const FORMAT = 'holt.fair.kept/1';
const PREFIX = 'holt.fair.';

/** Characters that the notes of a table may have in the store. Browsers keep some five millions for all tables of a server. */
const ROOM = 2 ** 18;

/** Histories of a table of which notes are kept: the one that goes on, and those before the last restorations. */
const HISTORIES = 3;

/**
 * A contradiction in what the table told while the page was there.
 * @typedef {{ at: number, round: number, fault: string, want: string, got: string }} Contradiction `at`: milliseconds of this
 *   machine's clock
 */

/**
 * What was noted in an epoch.
 * @typedef {object} History
 * @property {number} epoch
 * @property {number} from the first round of which there are notes still; of those before it they are gone
 * @property {Contradiction | null} fault the first one
 * @property {NotedRound[]} rounds ascending
 */

/** The part of Storage that is used. @typedef {Pick<Storage, 'getItem'|'setItem'|'removeItem'|'key'|'length'>} Store */

/**
 * What is kept of a table, the latest history last. What cannot be read counts as nothing.
 * @param {Store | null} store null if the browser has none for this page
 * @param {string} table
 * @returns {History[]}
 */
export function keptNotes(store, table) {
  try {
    const kept = JSON.parse(store?.getItem(PREFIX + table) ?? 'null');
    if (kept?.format !== FORMAT) return [];
    return kept.histories.map((/** @type {any} */ { epoch, from, fault, rounds }) => ({
      epoch: Number(epoch),
      from: Number(from),
      fault: isContradiction(fault) ? fault : null,
      rounds: readNotes(fileOf(table, rounds)).rounds,
    }));
  } catch {
    return [];
  }
}

/** @param {any} f @returns {f is Contradiction} */
function isContradiction(f) {
  return Number.isInteger(f?.at) && Number.isInteger(f.round) && [f.fault, f.want, f.got].every((text) => typeof text === 'string');
}

/**
 * Notes as a file that `holt verify --noted` and the page read.
 * @param {string} table @param {NotedRound[]} rounds
 */
export function fileOf(table, rounds) {
  return JSON.stringify({ format: NOTES, table, rounds });
}

/**
 * Adds to what is kept of a table. Other pages of this browser may have added to it as well; if they were told something else
 * that is a contradiction, too.
 * @param {Store | null} store
 * @param {string} table
 * @param {History} noted what this page has noted; its rounds are made shorter where they need not be longer
 * @param {number} now milliseconds of this machine's clock
 * @returns {boolean} whether it is kept
 */
export function keepNotes(store, table, noted, now) {
  if (!store) return false;
  const histories = keptNotes(store, table);
  const known = histories.findIndex((h) => h.epoch === noted.epoch);
  const before = histories[known] ?? { ...noted, rounds: [] };
  const history = { epoch: noted.epoch, from: Math.max(before.from, noted.from), fault: before.fault ?? noted.fault };
  const own = noted.rounds.filter((r) => r.round >= history.from);
  let rounds = own;
  try {
    rounds = merge(before.rounds, own);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    history.fault ??= contradiction(error, own.at(-1)?.round ?? 0, now);
  }
  if (known >= 0) histories[known] = { ...history, rounds };
  else histories.push({ ...history, rounds });
  const text = fit(histories.slice(-HISTORIES), now);
  thin(noted.rounds);
  return write(store, PREFIX + table, text);
}

/**
 * @param {Fault} error @param {number} round @param {number} at
 * @returns {Contradiction}
 */
export function contradiction({ fault, want, got }, round, at) {
  return { at, round, fault, want, got };
}

/**
 * @param {History[]} histories @param {number} now
 * @returns {string} of at most ROOM characters
 */
function fit(histories, now) {
  const encode = () => JSON.stringify({ format: FORMAT, touched: now, histories });
  let text = encode();
  const last = histories[histories.length - 1];
  while (text.length > ROOM && histories.length > 1) {
    histories.shift();
    text = encode();
  }
  if (text.length > ROOM) {
    thin(last.rounds);
    text = encode();
  }
  while (text.length > ROOM && last.rounds.length > 1) {
    last.rounds.splice(0, Math.ceil(last.rounds.length / 4));
    last.from = last.rounds[0].round;
    text = encode();
  }
  return text;
}

/** How many of a sort are kept of the round that is open, so that a difference is found where it is and not only at the end. */
const LATEST = 400;

/**
 * Leaves out what later notes stand for: all but the last of each sort in rounds that are over, all but the last 400 in the
 * round that is open. Of the own shares these 400 are kept in either.
 * @param {NotedRound[]} rounds
 */
function thin(rounds) {
  rounds.forEach((r, i) => {
    const most = i === rounds.length - 1 ? LATEST : 1;
    r.closings = r.closings.slice(-most);
    r.pools = r.pools.slice(-most);
    r.shares = r.shares.slice(-LATEST);
    /** @type {Map<number, number>} */
    const last = new Map();
    for (const { audience, number } of r.seals) last.set(audience, Math.max(number, last.get(audience) ?? 0));
    r.seals = r.seals.filter(({ audience, number }) => number > (last.get(audience) ?? 0) - most);
  });
}

// ---- several pages ----

/**
 * @param {NotedRound[]} a @param {NotedRound[]} b
 * @returns {NotedRound[]} what either has noted
 * @throws {Fault} if they have noted different things
 */
function merge(a, b) {
  const all = new Map(a.map((r) => [r.round, r]));
  for (const r of b) {
    const known = all.get(r.round);
    all.set(r.round, known ? mergeRound(known, r) : { ...r });
  }
  return [...all.values()].sort((x, y) => x.round - y.round);
}

/** @param {NotedRound} a @param {NotedRound} b @returns {NotedRound} */
function mergeRound(a, b) {
  expect('commitment', a.commitment, b.commitment);
  const before = a.before ?? b.before;
  if (before !== undefined) expect('end', before, b.before ?? before);
  return {
    round: a.round,
    commitment: a.commitment,
    ...(before !== undefined && { before }),
    closings: union(a.closings, b.closings, (c) => `${c.mix}`, (c) => ['closing', c.closing]),
    pools: union(a.pools, b.pools, (p) => `${p.mix}`, (p) => ['pool', p.pool]),
    seals: union(a.seals, b.seals, (s) => `${s.audience} ${s.number}`, (s) => ['seal', s.seal]),
    shares: union(a.shares, b.shares, (s) => `${s.mix} ${s.seat} ${s.entropy}`, (s) => ['share', s.entropy]),
  };
}

/**
 * @template T
 * @param {T[]} a @param {T[]} b
 * @param {(item: T) => string} key what it is about
 * @param {(item: T) => [string, string]} says what cannot be two things, by its name
 */
function union(a, b, key, says) {
  const all = new Map(a.map((item) => [key(item), item]));
  for (const item of b) {
    const known = all.get(key(item));
    const [name, digest] = says(item);
    if (known) expect(name, says(known)[1], digest);
    else all.set(key(item), item);
  }
  return [...all.values()];
}

// ---- the store ----

/**
 * Writes, and forgets notes of tables that were not used for longest if there is no room.
 * @param {Store} store @param {string} key @param {string} text
 */
function write(store, key, text) {
  for (;;) {
    try {
      store.setItem(key, text);
      return true;
    } catch {
      const oldest = untouched(store, key);
      if (oldest === '') return false;
      store.removeItem(oldest);
    }
  }
}

/** The key of the notes that were not touched for longest; '' if there are no others. @param {Store} store @param {string} but */
function untouched(store, but) {
  let [oldest, since] = ['', Number.POSITIVE_INFINITY];
  for (let i = 0; i < store.length; i++) {
    const key = store.key(i) ?? '';
    if (!key.startsWith(PREFIX) || key === but) continue;
    const touched = Number(/"touched":(\d+)/.exec(store.getItem(key) ?? '')?.[1] ?? 0);
    if (touched < since) [oldest, since] = [key, touched];
  }
  return oldest;
}
