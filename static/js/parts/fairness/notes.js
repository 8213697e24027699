/**
 * The notes that pages of this browser have taken of a table's rounds of randomness
 * (docs/fairness.md, F14). They are stored across reloads, for all pages of the table together. No
 * DOM: the store is an argument.
 *
 * Notes are bounded. A seal binds the one before it (F9), and a pool does, too (F5). So the last
 * one stands for all, and the others are dropped first. If that is not enough, the oldest rounds
 * are dropped, and `from` says where the notes begin.
 *
 * Notes belong to an epoch (T19): a restored table goes on with other rounds. Notes from before the
 * restore are kept separately.
 */

import { expect, Fault } from './draws.js';
import { NOTES, readNotes } from './files.js';

/** @typedef {import('./files.js').NotedRound} NotedRound */

const FORMAT = 'holt.fair.kept/1';
const PREFIX = 'holt.fair.';

/**
 * The most characters of a table's notes in the store. Browsers store about five million for all
 * tables of a server.
 */
const ROOM = 2 ** 18;

/**
 * The most histories of a table whose notes are kept: the present one, and those before the last
 * restores.
 */
const HISTORIES = 3;

/**
 * A contradiction in what the table sent while the page was open. `at` is in milliseconds of this
 * machine's clock.
 * @typedef {{ at: number, round: number, fault: string, want: string, got: string }} Contradiction
 */

/**
 * The notes of one epoch.
 * @typedef {object} History
 * @property {number} epoch
 * @property {number} from the first round that notes remain of
 * @property {Contradiction | null} fault the first one
 * @property {NotedRound[]} rounds in ascending order
 */

/**
 * The part of Storage that is used.
 * @typedef {Pick<Storage, 'getItem'|'setItem'|'removeItem'|'key'|'length'>} Store
 */

/**
 * Returns the stored notes of a table, the latest history last. It returns none if they cannot be
 * read.
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
  return Number.isInteger(f?.at) && Number.isInteger(f.round) && [f.fault, f.want, f.got].every(
    (text) => typeof text === 'string',
  );
}

/**
 * Returns notes as a file, which `holt verify --noted` and the page can read.
 * @param {string} table
 * @param {NotedRound[]} rounds
 */
export function fileOf(table, rounds) {
  return JSON.stringify({ format: NOTES, table, rounds });
}

/**
 * Adds to the stored notes of a table. Other pages of this browser may have added to them, too. If
 * the server sent them something else, that is also a contradiction.
 * @param {Store | null} store
 * @param {string} table
 * @param {History} noted the notes of this page; keepNotes shortens its rounds where possible
 * @param {number} now milliseconds of this machine's clock
 * @returns {boolean} whether they are stored
 */
export function keepNotes(store, table, noted, now) {
  if (!store) return false;
  const histories = keptNotes(store, table);
  const known = histories.findIndex((h) => h.epoch === noted.epoch);
  const before = histories[known] ?? { ...noted, rounds: [] };
  const history = {
    epoch: noted.epoch, from: Math.max(before.from, noted.from), fault: before.fault ?? noted.fault,
  };
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
 * Encodes histories, and drops as much as necessary.
 * @param {History[]} histories
 * @param {number} now
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

/**
 * How many notes of a sort are kept of the open round, so that a difference is found at its place
 * and not only at the end.
 */
const LATEST = 400;

/**
 * Drops notes that later notes stand for: all but the last of each sort in rounds that are over,
 * and all but the last 400 in the open round. Of the client's own shares the last 400 are kept in
 * every round.
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
    for (const { audience, number } of r.seals)
      last.set(audience, Math.max(number, last.get(audience) ?? 0));
    r.seals = r.seals.filter(({ audience, number }) => number > (last.get(audience) ?? 0) - most);
  });
}

// ---- several pages ----

/**
 * Merges the notes of two pages.
 * @param {NotedRound[]} a
 * @param {NotedRound[]} b
 * @returns {NotedRound[]} the notes of both
 * @throws {Fault} if they contradict each other
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
    shares: union(
      a.shares, b.shares, (s) => `${s.mix} ${s.seat} ${s.entropy}`, (s) => ['share', s.entropy],
    ),
  };
}

/**
 * Merges two lists of notes.
 * @template T
 * @param {T[]} a
 * @param {T[]} b
 * @param {(item: T) => string} key what a note is about
 * @param {(item: T) => [string, string]} says the name and value that must be the same in both
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
 * Writes a text. If there is no room, it deletes the notes of other tables, the least recently used
 * first.
 * @param {Store} store
 * @param {string} key
 * @param {string} text
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

/**
 * Returns the key of the notes that were least recently written; '' if there are no others.
 * @param {Store} store
 * @param {string} but
 */
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
