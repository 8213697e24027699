/**
 * Checks an export, compares it with what this browser has noted, and counts what a player wants to know of it. No DOM. It works
 * in slices, so that the page that shows the result stays alive.
 *
 * @module
 */

import { reading } from '../parts/fairness/files.js';
import { compare, verifying } from './verify.js';

/** @typedef {import('../parts/fairness/files.js').Export} Export */
/** @typedef {import('../parts/fairness/files.js').ExportedRound} ExportedRound */
/** @typedef {import('../parts/fairness/notes.js').History} History */
/** @typedef {import('./verify.js').Comparison} Comparison */
/** @typedef {import('./verify.js').Difference} Difference */
/** @typedef {import('./verify.js').RoundReport} RoundReport */

/** Milliseconds of work at a time: less than a frame. */
const SLICE = 10;

/**
 * How notes of one history compare.
 * @typedef {{ history: History, found: Comparison, difference: Difference | null }} Compared
 */

/**
 * A round as a player sees it.
 * @typedef {RoundReport & { mine: number }} Round `mine`: shares of this browser that were revealed
 */

/**
 * @typedef {object} Checked
 * @property {Export} file
 * @property {Round[]} rounds those that were checked, up to the first difference
 * @property {Difference | null} difference the first one: of the file, or else from the latest notes
 * @property {Compared | null} noted by this browser in the history that goes on; null if there are no notes, or not compared
 * @property {Compared[]} undone notes of histories before the table was restored. They may differ
 * @property {Map<number, number>} withheld shares that were left out, by seat
 */

/**
 * @typedef {object} CheckDeps
 * @property {() => number} ticks in milliseconds
 * @property {() => Promise<void>} pause lets the page do something else
 * @property {(done: number) => void} progress from 0 to 1
 */

/**
 * @param {string} table whose export it has to be
 * @param {string} text of the export
 * @param {History[]} histories the latest last
 * @param {CheckDeps} deps
 * @returns {Promise<Checked>}
 * @throws {SyntaxError} if it is no export
 */
export async function check(table, text, histories, deps) {
  const file = await inSlices(reading(text), 0, text.length / 300, deps);
  const facts = file.rounds.reduce((n, r) => n + r.facts.length, 0);
  const { report, difference } = await inSlices(verifying(file), 0.5, facts, deps);
  const result = { file, rounds: report.rounds.map((r) => ({ ...r, mine: 0 })), withheld: withheldOf(file) };
  const other = file.table === table ? null : ofAnother(table, file.table);
  if (other || difference) return { ...result, difference: other ?? difference, noted: null, undone: [] };

  const compared = histories.map((history) => ({ history, ...compare(file, { table, rounds: history.rounds }) }));
  const noted = compared.pop() ?? null;
  for (const { round, shares } of noted?.history.rounds ?? []) {
    const i = round - (file.dropped ?? 0) - 1;
    const r = result.rounds[i];
    if (r) r.mine = revealedOf(file.rounds[i], shares);
  }
  return { ...result, difference: noted?.difference ?? null, noted, undone: compared };
}

/**
 * Goes through all steps.
 * @template T
 * @param {Generator<void, T, void>} steps
 * @param {number} from how much is done before, of 1; the steps are half of it
 * @param {number} expected how many steps there are, about
 * @param {CheckDeps} deps
 * @returns {Promise<T>}
 */
async function inSlices(steps, from, expected, { ticks, pause, progress }) {
  let since = ticks();
  for (let n = 0; ; n++) {
    const { done, value } = steps.next();
    if (done) return value;
    if (ticks() - since < SLICE) continue;
    progress(from + 0.5 * Math.min(1, n / expected));
    await pause();
    since = ticks();
  }
}

/** @param {string} want @param {string} got @returns {Difference} */
function ofAnother(want, got) {
  return { fault: 'table', round: 0, fact: 0, audience: 0, draw: 0, position: 0, noted: false, want, got };
}

/** How many of some shares were revealed in a round. @param {ExportedRound} r @param {{ mix: number, entropy: string }[]} shares */
function revealedOf(r, shares) {
  const revealed = new Set(r.facts.flatMap((f) => (f.fact === 'reveal' ? [`${f.mix} ${f.entropy}`] : [])));
  return shares.filter(({ mix, entropy }) => revealed.has(`${mix} ${entropy}`)).length;
}

/** @param {Export} file @returns {Map<number, number>} */
function withheldOf(file) {
  const withheld = new Map();
  for (const { facts } of file.rounds) {
    /** @type {number[]} */
    let seats = []; // of the shares of the mix under way
    for (const f of facts) {
      if (f.fact === 'commit') seats.push(f.seat);
      if (f.fact !== 'mix') continue;
      for (const share of f.withheld) {
        const seat = seats[share - 1];
        if (seat !== undefined) withheld.set(seat, (withheld.get(seat) ?? 0) + 1);
      }
      seats = [];
    }
  }
  return withheld;
}
