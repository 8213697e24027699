/**
 * The files of verifiable randomness (docs/fairness.md, F14): exports of a table's rounds, and the
 * notes that a page has taken. They are read as strictly as by the Go package fairness. No DOM.
 */

import { WHAT } from './draws.js';

const EXPORT = 'holt.fair/1';
const EXPORT2 = 'holt.fair/2'; // contains rounds of version 2
export const NOTES = 'holt.fair.notes/1';
const MAX_LENGTH = 64 * 2 ** 20;

/**
 * The public data of a table's rounds: everything about revealed rounds, and of the others what was
 * published to everybody.
 * @typedef {object} Export
 * @property {string} table
 * @property {Record<string, string>} [kinds] their names, by number; the verification checks those
 *   that a round binds
 * @property {Record<string, string>} [seats]
 * @property {number} [dropped] how many rounds are missing before the first one
 * @property {ExportedRound[]} rounds
 */

/**
 * One round of an export.
 * @typedef {object} ExportedRound
 * @property {number} round
 * @property {number} opened server time in ms
 * @property {string} commitment
 * @property {string} before
 * @property {string} [seed] missing while the round is sealed
 * @property {number} [told] with the seed: when it was published, server time in ms
 * @property {any[]} facts each with `at`, `fact` and the members of that fact
 * @property {number} [version] 2: the round binds names and times, and has the members below (F16)
 * @property {string} [catalog]
 * @property {number} [kinds] the number of kinds in the catalogue
 * @property {string} [names] the hash of their names
 * @property {Record<string, string>} [seats] their names, by number
 * @property {string} [line]
 */

/**
 * What a client has seen of the rounds while they went on.
 * @typedef {object} Notes
 * @property {string} table
 * @property {NotedRound[]} rounds in ascending order
 */

/**
 * What a client has noted of one round.
 * @typedef {object} NotedRound
 * @property {number} round
 * @property {string} commitment
 * @property {string} [before] if the client has seen it
 * @property {{ mix: number, closing: string }[]} closings
 * @property {{ mix: number, pool: string }[]} pools
 * @property {{ audience: number, number: number, seal: string }[]} seals
 * @property {{ mix: number, seat: number, entropy: string }[]} shares what the client itself
 *   contributed
 */

/**
 * A test of a value. Its name says what the value must be.
 * @typedef {(v: unknown) => boolean} Is
 */
/** @typedef {Record<string, Is>} Shape */

/** @type {Is} */
const u32 = (v) => Number.isInteger(v) && Number(v) >= 0 && Number(v) < 2 ** 32;
/** @type {Is} */
const time = (v) => Number.isSafeInteger(v) && Number(v) >= 0;
/** @param {number} n @returns {Is} */
const digits = (n) => (v) => typeof v === 'string' && v.length === n && /^[0-9a-f]*$/.test(v);
/** @param {Is} is @returns {Is} */
const listOf = (is) => (v) => Array.isArray(v) && v.every(is);
/** @param {string} text @returns {Is} */
const exactly = (text) => (v) => v === text;
const digest = digits(64);
const list = listOf(() => true);
/** @type {Is} */
const names = (v) =>
  isObject(v) && Object.entries(v).every(
    ([n, name]) => /^(0|[1-9][0-9]*)$/.test(n) && u32(Number(n)) && typeof name === 'string',
  );

/** @param {unknown} v @returns {v is Record<string, unknown>} */
const isObject = (v) => typeof v === 'object' && v !== null && !Array.isArray(v);

/** @type {Shape} */
const ROUND = { round: u32, opened: time, commitment: digest, before: digest, facts: list };
/** @type {Record<string, Shape>} */
const FACTS = {
  commit: { mix: u32, seat: u32, hash: digest },
  close: { mix: u32, closing: digest },
  reveal: { mix: u32, share: u32, entropy: digest },
  mix: { mix: u32, withheld: listOf(u32), pool: digest },
  draw: { audience: u32, number: u32, mix: u32, seal: digest },
};
/** @type {Shape} the additional members of a round of version 2 */
const BOUND = {
  version: (v) => v === 2, catalog: digest, kinds: u32, names: digest, seats: names, line: digest,
};
/** @type {Record<string, Shape>} */
const FACTS2 = {
  ...FACTS,
  tell: { round: u32, seed: digest },
  name: { seat: u32, name: (v) => typeof v === 'string' },
  grow: { catalog: digest, kinds: u32, names: digest },
  undo: { of: u32, number: u32, seat: u32 },
};
/** @type {Shape} */
const RECORD = {
  what: (v) => typeof v === 'string' && Object.hasOwn(WHAT, v),
  seat: u32,
  pieces: listOf(digits(32)),
  inputs: listOf(u32),
  outputs: listOf(u32),
};
/** @type {Shape} */
const NOTED = {
  round: u32, commitment: digest, closings: list, pools: list, seals: list, shares: list,
};

/**
 * Reads an export.
 * @param {string} text
 * @returns {Export}
 * @throws {SyntaxError} if the text is not a valid export
 */
export function readExport(text) {
  return finish(reading(text));
}

/**
 * Reads an export in steps of one fact each, so that a page can do other work in between.
 * @param {string} text
 * @returns {Generator<void, Export, void>}
 * @throws {SyntaxError} if the text is not a valid export
 */
export function* reading(text) {
  const e = parse(text);
  shaped(
    e, { format: (v) => v === EXPORT || v === EXPORT2, table: digits(32), rounds: list },
    { kinds: names, seats: names, dropped: (v) => u32(v) && v !== 0 }, 'export',
  );
  for (const [i, r] of e.rounds.entries()) {
    const where = `round at ${i + 1}`;
    const bound = isObject(r) && Object.keys(BOUND).some((name) => Object.hasOwn(r, name));
    shaped(r, bound ? { ...ROUND, ...BOUND } : ROUND, { seed: digest, told: time }, where);
    if ((r.seed === undefined) !== (r.told === undefined))
      fail(where, 'seed and told belong together');
    for (const [n, f] of r.facts.entries()) {
      yield;
      readFact(f, bound, `${where}, fact ${n + 1}`);
    }
  }
  const format = e.rounds.some((/** @type {ExportedRound} */ r) => r.version) ? EXPORT2 : EXPORT;
  if (e.format !== format) fail('export', `its rounds are of format ${format}`);
  return e;
}

/**
 * Runs all steps.
 * @template T
 * @param {Generator<void, T, void>} steps
 * @returns {T}
 */
export function finish(steps) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Checks the form of a fact.
 * @param {any} f
 * @param {boolean} bound whether its round is of version 2
 * @param {string} where
 */
function readFact(f, bound, where) {
  const facts = bound ? FACTS2 : FACTS;
  if (!isObject(f) || typeof f.fact !== 'string' || !Object.hasOwn(facts, f.fact))
    fail(where, 'there is no such fact');
  const line = bound && f.fact !== 'draw' ? { line: digest } : {};
  const shape = { at: time, fact: () => true, ...facts[f.fact], ...line };
  const revealed = Object.keys(RECORD).some((name) => Object.hasOwn(f, name));
  shaped(f, f.fact === 'draw' && revealed ? { ...shape, ...RECORD } : shape, {}, where);
}

/**
 * Reads notes.
 * @param {string} text
 * @returns {Notes}
 * @throws {SyntaxError} if the text is not valid notes
 */
export function readNotes(text) {
  const notes = parse(text);
  shaped(notes, { format: exactly(NOTES), table: digits(32), rounds: list }, {}, 'notes');
  let last = 0;
  notes.rounds.forEach((/** @type {any} */ r, /** @type {number} */ i) => {
    const where = `round at ${i + 1}`;
    shaped(r, NOTED, { before: digest }, where);
    if (r.round <= last) fail(where, 'rounds are not in order');
    last = r.round;
    for (const n of r.closings) shaped(n, { mix: u32, closing: digest }, {}, `${where}, closings`);
    for (const n of r.pools) shaped(n, { mix: u32, pool: digest }, {}, `${where}, pools`);
    for (const n of r.seals)
      shaped(n, { audience: u32, number: u32, seal: digest }, {}, `${where}, seals`);
    for (const n of r.shares)
      shaped(n, { mix: u32, seat: u32, entropy: digest }, {}, `${where}, shares`);
  });
  return notes;
}

/** @param {string} text @returns {any} */
function parse(text) {
  if (text.length > MAX_LENGTH) fail('file', 'it is too long');
  return JSON.parse(text);
}

/**
 * Throws a SyntaxError unless `v` has all members of `needs`, and otherwise only members of `may`.
 * @param {any} v
 * @param {Shape} needs
 * @param {Shape} may
 * @param {string} where
 */
function shaped(v, needs, may, where) {
  if (!isObject(v)) fail(where, 'not an object');
  for (const name of Object.keys(needs))
    if (!Object.hasOwn(v, name)) fail(where, `${name} is missing`);
  for (const [name, member] of Object.entries(v)) {
    const is = Object.hasOwn(needs, name) ? needs[name] : may[name];
    if (!is || !(Object.hasOwn(needs, name) || Object.hasOwn(may, name)))
      fail(where, `unknown member ${JSON.stringify(name)}`);
    if (!is(member)) fail(where, `${name} is not what it has to be`);
  }
}

/** @param {string} where @param {string} what @returns {never} */
function fail(where, what) {
  throw new SyntaxError(`${where}: ${what}`);
}
