/**
 * Checks an export, compares it with the notes of this browser, and counts what a player wants to
 * know. No DOM. It works in slices, so that the page stays responsive.
 */

import { reading } from '../parts/fairness/files.js';
import { compare, verifying } from './verify.js';

/** @typedef {import('../parts/fairness/files.js').Export} Export */
/** @typedef {import('../parts/fairness/files.js').ExportedRound} ExportedRound */
/** @typedef {import('../parts/fairness/notes.js').History} History */
/** @typedef {import('./verify.js').Comparison} Comparison */
/** @typedef {import('./verify.js').Difference} Difference */
/** @typedef {import('./verify.js').RoundReport} RoundReport */

/** Milliseconds of work in one slice: less than a frame. */
const SLICE = 10;

/**
 * The comparison with the notes of one history.
 * @typedef {{ history: History, found: Comparison, difference: Difference | null }} Compared
 */

/**
 * A round as a player sees it. `mine` is the number of this browser's shares that were revealed.
 * @typedef {RoundReport & { mine: number }} Round
 */

/**
 * The result of a check.
 * @typedef {object} Checked
 * @property {Export} file
 * @property {Round[]} rounds those that were checked, up to the first difference
 * @property {Difference | null} difference the first one: of the file, or else from the latest
 *   notes
 * @property {Compared | null} noted the comparison with this browser's notes of the present
 *   history; null if there are none, or if they were not compared
 * @property {Compared[]} undone comparisons with notes of histories before the table was restored.
 *   They may differ
 * @property {Map<number, number>} withheld the number of shares that were left out, by seat
 */

/**
 * What check needs of the page.
 * @typedef {object} CheckDeps
 * @property {() => number} ticks returns milliseconds
 * @property {() => Promise<void>} pause lets the page do other work
 * @property {(done: number) => void} progress receives a number from 0 to 1
 */

/**
 * Checks an export.
 * @param {string} table whose export it must be
 * @param {string} text of the export
 * @param {History[]} histories the latest last
 * @param {CheckDeps} deps
 * @returns {Promise<Checked>}
 * @throws {SyntaxError} if the text is not a valid export
 */
export async function check(table, text, histories, deps) {
  const file = await inSlices(reading(text), 0, text.length / 300, deps);
  const facts = file.rounds.reduce((n, r) => n + r.facts.length, 0);
  const { report, difference } = await inSlices(verifying(file), 0.5, facts, deps);
  const result = {
    file, rounds: report.rounds.map((r) => ({ ...r, mine: 0 })), withheld: withheldOf(file),
  };
  const other = file.table === table ? null : ofAnother(table, file.table);
  if (other || difference)
    return { ...result, difference: other ?? difference, noted: null, undone: [] };

  const compared = histories.map(
    (history) => ({ history, ...compare(file, { table, rounds: history.rounds }) }),
  );
  const noted = compared.pop() ?? null;
  for (const { round, shares } of noted?.history.rounds ?? []) {
    const i = round - (file.dropped ?? 0) - 1;
    const r = result.rounds[i];
    if (r) r.mine = revealedOf(file.rounds[i], shares);
  }
  return { ...result, difference: noted?.difference ?? null, noted, undone: compared };
}

/**
 * Runs all steps.
 * @template T
 * @param {Generator<void, T, void>} steps
 * @param {number} from the part of all work that is done before, up to 1; the steps are half of all
 *   work
 * @param {number} expected the approximate number of steps
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
  return {
    fault: 'table', round: 0, fact: 0, audience: 0, draw: 0, position: 0, noted: false, want, got,
  };
}

/**
 * Returns how many of some shares were revealed in a round.
 * @param {ExportedRound} r
 * @param {{ mix: number, entropy: string }[]} shares
 */
function revealedOf(r, shares) {
  const revealed = new Set(r.facts.flatMap((f) => (f.fact === 'reveal'
    ? [`${f.mix} ${f.entropy}`]
    : [])));
  return shares.filter(({ mix, entropy }) => revealed.has(`${mix} ${entropy}`)).length;
}

/** @param {Export} file @returns {Map<number, number>} */
function withheldOf(file) {
  const withheld = new Map();
  for (const { facts } of file.rounds) {
    /** @type {number[]} */
    let seats = []; // of the shares of the present mix
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
