/**
 * What a page does by itself so that the randomness of its table can be checked (docs/fairness.md,
 * S17). It contributes entropy when the page opens, in every round, and again after a draw for
 * everybody. So nobody knows all later draws of a round. It reveals its share when a mix was closed
 * with it, and it takes notes of what the server sends. The caller passes in what it needs of the
 * browser. No DOM.
 */

import { Fault } from './draws.js';
import { contradiction, keepNotes, keptNotes } from './notes.js';
import { keepShare, keptShare } from './share.js';
import { contribute, isUntouched, join, dueReveal, secretOf, see, witness } from './witness.js';

/** @typedef {import('../../types.js').Fact} Fact */
/** @typedef {import('../../types.js').Outcome} Outcome */
/** @typedef {import('../../types.js').Randomness} Randomness */
/** @typedef {import('../../types.js').Up} Up */
/** @typedef {import('./notes.js').History} History */
/** @typedef {import('./witness.js').Witness} Witness */

// In milliseconds.
const PAUSE = 60_000; // between two contributions to a round, at least (S17)
const RETRY = 5000; // before a message is repeated that the server has not published
const GATHER = 1000; // for which draws are collected before they are stored together

/**
 * What a player may be notified of.
 *
 *   - `rounds`: round `opened` was opened, 0 if none was; and the seeds of the rounds in `told`
 *     were published, in ascending order. Nothing was drawn: nothing is said, neither of the round
 *     in `told` nor of the one after it in `opened`.
 *   - `contradiction`: the table contradicts what it sent before.
 *   - `leftOut`: this player's share was left out twice in a row.
 *   - `untouched`: whether the shares of several people are in the pool and nothing has been drawn
 *     yet. It is sent when that changes.
 * @typedef {{ type: 'rounds', opened: number, told: number[] } | { type: 'contradiction' }
 *   | { type: 'leftOut' } | { type: 'untouched', is: boolean }} News
 */

/**
 * What createFairness needs.
 * @typedef {object} FairnessOptions
 * @property {string} table its id, 32 hexadecimal digits
 * @property {Pick<import('../../types.js').Sync, 'you' | 'epoch'>} sync
 * @property {() => boolean} plays whether this person plays and does not only watch
 * @property {(up: Up) => boolean} send sends a message on the stream; returns whether it was sent
 * @property {(news: News) => void} tell receives news for the player
 * @property {FairnessDeps} deps
 */

/**
 * What it needs of its environment. In browsers: `browserDeps()`.
 * @typedef {object} FairnessDeps
 * @property {() => string} entropy 64 unpredictable hexadecimal digits
 * @property {() => number} now milliseconds of a clock, for notes
 * @property {() => number} ticks milliseconds of a monotonic clock
 * @property {(f: () => void, ms: number) => unknown} setTimeout
 * @property {(timer: any) => void} clearTimeout
 * @property {import('./notes.js').Store | null} store where notes are stored; null if there is no
 *   store
 * @property {import('./share.js').Store | null} session where secrets are stored, for this tab
 *   alone; null if there is no store
 */

/**
 * @typedef {object} Participant
 * @property {FairnessOptions} options
 * @property {Witness | null} witness null before the first full state, and after a contradiction
 *   until the next full state
 * @property {History | null} history
 * @property {{ round: number, at: number, drawn: boolean }} last the last contribution that was
 *   closed, and whether something was drawn for everybody since then
 * @property {{ what: string, at: number } | null} sent the last message on this stream
 * @property {unknown} stepTimer runs until something is due
 * @property {unknown} noteTimer runs while notes wait to be stored; null: none do
 * @property {boolean} areNotesStored whether the last notes could be stored
 * @property {boolean} untouched what was announced last
 * @property {number} leftOut the witness's count when it was last looked at
 * @property {import('./witness.js').Mine | null | undefined} secret the share that was stored last
 *   for after a reload
 */

/**
 * Creates the participant.
 * @param {FairnessOptions} options
 * @returns {{
 *   receive: (outcome: Pick<Outcome, 'full' | 'resumed' | 'randomness' | 'facts'>) => void,
 *   keep: () => void, stop: () => void
 * }} `receive` processes the changes of a frame, `keep` stores notes that are not stored yet, and
 *   `stop` does so, too, and stops the timers
 */
export function createFairness(options) {
  /** @type {Participant} */
  const p = {
    options,
    witness: null,
    history: null,
    last: { round: 0, at: 0, drawn: false },
    sent: null,
    stepTimer: null,
    noteTimer: null,
    areNotesStored: false,
    untouched: false,
    leftOut: 0,
    secret: undefined,
  };
  const storeRest = () => {
    if (p.noteTimer !== null) storeNotes(p);
  };
  return {
    receive: (outcome) => receive(p, outcome),
    keep: storeRest,
    stop: () => {
      options.deps.clearTimeout(p.stepTimer);
      storeRest();
    },
  };
}

/**
 * @param {Participant} p
 * @param {Pick<Outcome, 'full' | 'resumed' | 'randomness' | 'facts'>} outcome
 */
function receive(p, { full, resumed, randomness, facts }) {
  const { deps, tell } = p.options;
  if (!full && (!p.witness || (!resumed && facts.length === 0))) return;
  if (full || resumed) p.sent = null; // the last stream may have lost a message
  if (full) begin(p, randomness);
  const possible = facts.filter((fact) => processFact(p, fact));
  // Of a round in which this page saw nothing drawn there is nothing to say.
  const isOfUse = (/** @type {number} */ round) =>
    p.history?.rounds.some((of) => of.round === round && of.seals.length > 0) === true;
  const [opened = 0] = roundsOf(possible, 'opened').filter((n) => isOfUse(n - 1)).reverse();
  const told = roundsOf(possible, 'told').filter(isOfUse);
  if (opened || told.length > 0) tell({ type: 'rounds', opened, told });
  const areDrawsOnly = facts.every((f) => f.fact === 'drawn');
  if (full || !areDrawsOnly) storeNotes(p);
  else p.noteTimer ??= deps.setTimeout(() => storeNotes(p), GATHER);
  step(p);
  storeSecret(p);
  announceLeftOut(p);
  if (isUntouched(p.witness) === p.untouched) return;
  p.untouched = !p.untouched;
  tell({ type: 'untouched', is: p.untouched });
}

/**
 * Announces once that the own share was left out twice in a row. Once may just be a slow line.
 * @param {Participant} p
 */
function announceLeftOut(p) {
  const now = p.witness?.leftOut ?? 0;
  if (now >= 2 && p.leftOut < 2) p.options.tell({ type: 'leftOut' });
  p.leftOut = now;
}

/**
 * Starts with the open round and the earlier notes. A restored table has another history (T19).
 * @param {Participant} p
 * @param {Randomness | null} randomness
 */
function begin(p, randomness) {
  const { table, sync, deps } = p.options;
  const { epoch } = sync;
  const isSame = (/** @type {History} */ history) => history.epoch === epoch;
  const before = p.history && isSame(p.history)
    ? p.history
    : keptNotes(deps.store, table).find(isSame);
  p.history = before ?? { epoch, from: 0, fault: null, rounds: [] };
  const { rounds } = p.history;
  if (p.witness?.rounds !== rounds) {
    // Without earlier notes, nothing could prove what the table closed.
    const isOwnKept = before && p.secret === undefined;
    const share = isOwnKept ? keptShare(deps.session, table, sync.you, epoch) : null;
    p.witness = witness(table, rounds, share);
  }
  if (!randomness) {
    p.witness = null; // a server without verifiable randomness
    return;
  }
  attempt(p, randomness.round, (w) => join(w, randomness));
}

/**
 * Processes a fact.
 * @param {Participant} p
 * @param {Fact} fact
 * @returns {boolean} whether it is possible
 */
function processFact(p, fact) {
  if (!p.witness) return false;
  if (fact.fact === 'drawn' && fact.audience === 0) p.last.drawn = true;
  return attempt(p, fact.round, (w) => see(w, fact));
}

/**
 * Processes something that the server sent.
 * @param {Participant} p
 * @param {number} round
 * @param {(witness: Witness) => import('./witness.js').Reveal | null} f
 * @returns {boolean} false if it contradicts what was sent before. Then nothing more is processed
 *   until the next full state
 */
function attempt(p, round, f) {
  const { deps, tell } = p.options;
  if (!p.witness || !p.history) return false;
  try {
    if (f(p.witness)) p.last = { round, at: deps.ticks(), drawn: false };
    return true;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    p.witness = null;
    if (!p.history.fault) {
      p.history.fault = contradiction(error, round, deps.now());
      tell({ type: 'contradiction' });
    }
    return false;
  }
}

/**
 * Sends what is due, and sets a timer for what is due later.
 * @param {Participant} p
 */
function step(p) {
  const { deps, plays, sync } = p.options;
  deps.clearTimeout(p.stepTimer);
  p.stepTimer = null;
  if (!p.witness || !plays()) return;
  const reveal = dueReveal(p.witness);
  if (reveal) {
    const { round, mix, entropy } = reveal;
    send(p, { type: 'reveal', round, mix, entropy });
    return;
  }
  const wait = nextContribution(p) - deps.ticks();
  if (wait > 0) {
    if (wait < Number.POSITIVE_INFINITY) p.stepTimer = deps.setTimeout(() => step(p), wait);
    return;
  }
  const commit = contribute(p.witness, sync.you, deps.entropy());
  storeSecret(p); // before the page commits to it
  if (commit) send(p, { type: 'commit', ...commit });
}

/**
 * Returns when the next contribution is due, in ticks; Infinity if none is.
 * @param {Participant} p
 */
function nextContribution({ last, witness: w }) {
  if (last.round !== w?.rounds.at(-1)?.round) return 0;
  return last.drawn ? last.at + PAUSE : Number.POSITIVE_INFINITY;
}

/**
 * Sends a message, and again if the server does not publish it.
 * @param {Participant} p
 * @param {Up & { type: 'commit' | 'reveal' }} up
 */
function send(p, up) {
  const { deps } = p.options;
  const what = `${up.type} ${up.round} ${up.mix}`;
  const wait = p.sent?.what === what ? p.sent.at + RETRY - deps.ticks() : 0;
  if (wait <= 0 && p.options.send(up)) p.sent = { what, at: deps.ticks() };
  p.stepTimer = deps.setTimeout(() => step(p), wait > 0 ? wait : RETRY);
}

/**
 * Stores the secret that only this page knows, until it is public or not needed any more, so that
 * the page can still reveal it after a reload. It does so only if the notes are stored. To a page
 * without notes the server could show another close, and the page would reveal its share for that
 * one, too (F4).
 * @param {Participant} p
 */
function storeSecret(p) {
  const { deps, sync, table } = p.options;
  const secret = p.areNotesStored ? secretOf(p.witness) : null;
  if (secret === p.secret) return;
  p.secret = secret;
  keepShare(deps.session, table, sync.epoch, secret);
}

/**
 * Stores the notes.
 * @param {Participant} p
 */
function storeNotes(p) {
  const { deps, table } = p.options;
  deps.clearTimeout(p.noteTimer);
  p.noteTimer = null;
  if (p.history) p.areNotesStored = keepNotes(deps.store, table, p.history, deps.now());
}

/** @param {Fact[]} facts @param {Fact['fact']} name */
const roundsOf = (facts, name) => facts.flatMap((f) => (f.fact === name ? [f.round] : []));

/**
 * Returns what createFairness needs, in a browser.
 * @returns {FairnessDeps}
 */
export function browserDeps() {
  return {
    entropy: () => Array.from(
      crypto.getRandomValues(new Uint8Array(32)), (b) => b.toString(16).padStart(2, '0'),
    ).join(''),
    now: Date.now,
    ticks: () => performance.now(),
    setTimeout: (f, ms) => setTimeout(f, ms),
    clearTimeout: (timer) => clearTimeout(timer),
    store: browserStore(),
    session: tabStore(),
  };
}

/**
 * Returns the store for notes; null if the browser lets no page store anything.
 * @returns {Storage | null}
 */
export function browserStore() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/**
 * Returns the store that lasts as long as the tab, also over reloads; null if the browser lets no
 * page store anything.
 * @returns {Storage | null}
 */
function tabStore() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
