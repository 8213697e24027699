/**
 * What a page does by itself so that the randomness of its table can be checked (docs/fairness.md, S17): it contributes entropy
 * when it comes, in every round, and again when something has been drawn for everybody, so that nobody knows all later draws of a round; it
 * reveals its share when the mix was closed with it; and it keeps notes of what it is told. What it needs of the browser is
 * handed to it; it touches no DOM.
 *
 * @module
 */

import { Fault } from './draws.js';
import { contradiction, keepNotes, keptNotes } from './notes.js';
import { keepShare, keptShare } from './share.js';
import { contribute, isUntouched, join, owes, secretOf, see, witness } from './witness.js';

/** @typedef {import('../../types.js').Fact} Fact */
/** @typedef {import('../../types.js').Outcome} Outcome */
/** @typedef {import('../../types.js').Randomness} Randomness */
/** @typedef {import('../../types.js').Up} Up */
/** @typedef {import('./notes.js').History} History */
/** @typedef {import('./witness.js').Witness} Witness */

// In milliseconds.
const PAUSE = 60_000; // between two contributions to a round, at least (S17)
const AGAIN = 5000; // after which something is said again of which the server has not told
const GATHER = 1000; // for which draws wait to be noted together

/**
 * What a player may have to be told.
 *
 *  - `rounds`: another one was opened, 0 if not; and the seeds of these were told, ascending.
 *  - `contradiction`: the table has said what cannot be, after all it has said before.
 *  - `leftOut`: this player's share was not used, twice in a row.
 *  - `untouched`: from now on, or from now on not, several people have a part in what is drawn, and nothing has been drawn yet.
 *
 * @typedef {{ type: 'rounds', opened: number, told: number[] } | { type: 'contradiction' } | { type: 'leftOut' } | { type: 'untouched', is: boolean }} News
 */

/**
 * @typedef {object} FairnessOptions
 * @property {string} table its id, 32 hexadecimal digits
 * @property {Pick<import('../../types.js').Sync, 'you' | 'epoch'>} sync
 * @property {() => boolean} plays whether this person plays, and does not only watch
 * @property {(up: Up) => boolean} send says something on the stream; whether it went
 * @property {(news: News) => void} tell
 * @property {FairnessDeps} deps
 */

/**
 * What it needs of its surroundings. Browsers: `browserDeps()`.
 * @typedef {object} FairnessDeps
 * @property {() => string} entropy 64 hexadecimal digits that nobody can foresee
 * @property {() => number} now milliseconds of a clock, for notes
 * @property {() => number} ticks milliseconds of a clock that nobody sets
 * @property {(f: () => void, ms: number) => unknown} setTimeout
 * @property {(timer: any) => void} clearTimeout
 * @property {import('./notes.js').Store | null} store where notes are kept; null if there is nothing
 * @property {import('./share.js').Store | null} session where what is secret is kept, for this tab alone; null if
 *   there is nothing
 */

/**
 * @param {FairnessOptions} options
 * @returns {{ receive: (outcome: Pick<Outcome, 'full' | 'resumed' | 'randomness' | 'facts'>) => void, keep: () => void, stop: () => void }}
 *   `receive` takes in what a frame has changed, `keep` writes what is not written yet
 */
export function createFairness({ table, sync, plays, send, tell, deps }) {
  /** @type {Witness | null} before the first full state, and while what it was told contradicts itself */
  let w = null;
  /** @type {History | null} */
  let history = null;
  /** The last contribution that was closed, and whether something has been drawn for everybody since. */
  let last = { round: 0, at: 0, drawn: false };
  /** @type {{ what: string, at: number } | null} what was said last on this stream */
  let said = null;
  /** @type {unknown} until there is something to say */
  let timer = null;
  /** @type {unknown} until notes are written */
  let writing = null;
  let noted = false; // whether the notes are kept
  let untouched = false; // what was told last
  let leftOut = 0; // of the witness, when it was looked at last
  /** @type {import('./witness.js').Mine | null | undefined} what was kept last for another life of the page */
  let secret;

  return {
    receive,
    keep: () => {
      if (writing !== null) keep();
    },
    stop: () => {
      deps.clearTimeout(timer);
      if (writing !== null) keep();
    },
  };

  /** @param {Pick<Outcome, 'full' | 'resumed' | 'randomness' | 'facts'>} outcome */
  function receive({ full, resumed, randomness, facts }) {
    if (!full && (!w || (!resumed && facts.length === 0))) return;
    if (full || resumed) said = null; // what was said may have been lost with the last stream
    if (full) begin(randomness);
    const heard = facts.filter(hear);
    const [opened = 0] = roundsOf(heard, 'opened').reverse();
    const told = roundsOf(heard, 'told');
    if (opened || told.length > 0) tell({ type: 'rounds', opened, told });
    if (!full && facts.every((f) => f.fact === 'drawn')) writing ??= deps.setTimeout(keep, GATHER);
    else keep();
    step();
    keepSecret();
    tellLeftOut();
    if (isUntouched(w) === untouched) return;
    untouched = !untouched;
    tell({ type: 'untouched', is: untouched });
  }

  /** Tells once that the own share is left out, when that has happened twice in a row: once is a slow line. */
  function tellLeftOut() {
    const now = w?.leftOut ?? 0;
    if (now >= 2 && leftOut < 2) tell({ type: 'leftOut' });
    leftOut = now;
  }

  /**
   * Begins with the round that is open, with what was noted before. A restored table has another history (T19).
   * @param {Randomness | null} randomness
   */
  function begin(randomness) {
    const before = history?.epoch === sync.epoch ? history : keptNotes(deps.store, table).find((h) => h.epoch === sync.epoch);
    history = before ?? { epoch: sync.epoch, from: 0, fault: null, rounds: [] };
    if (w?.rounds !== history.rounds) {
      const own = before && secret === undefined; // else there is nothing to hold the table to what it has closed
      w = witness(table, history.rounds, own ? keptShare(deps.session, table, sync.you, sync.epoch) : null);
    }
    if (!randomness) {
      w = null; // a server that knows nothing of it
      return;
    }
    attempt(randomness.round, (witness) => join(witness, randomness));
  }

  /**
   * Takes in a fact.
   * @param {Fact} fact
   * @returns {boolean} whether it could be
   */
  function hear(fact) {
    if (!w) return false;
    if (fact.fact === 'drawn' && fact.audience === 0) last.drawn = true;
    return attempt(fact.round, (witness) => see(witness, fact));
  }

  /**
   * @param {number} round
   * @param {(witness: Witness) => import('./witness.js').Reveal | null} f
   * @returns {boolean} false if what was told cannot be. Nothing is believed any more then, before there is another full state
   */
  function attempt(round, f) {
    if (!w || !history) return false;
    try {
      if (f(w)) last = { round, at: deps.ticks(), drawn: false };
      return true;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      w = null;
      if (!history.fault) {
        history.fault = contradiction(error, round, deps.now());
        tell({ type: 'contradiction' });
      }
      return false;
    }
  }

  /** Says what is to be said now, and sees to it that what is not is said in time. */
  function step() {
    deps.clearTimeout(timer);
    timer = null;
    if (!w || !plays()) return;
    const reveal = owes(w);
    if (reveal) {
      say({ type: 'reveal', round: reveal.round, mix: reveal.mix, entropy: reveal.entropy });
      return;
    }
    const wait = due() - deps.ticks();
    if (wait > 0) {
      if (wait < Number.POSITIVE_INFINITY) timer = deps.setTimeout(step, wait);
      return;
    }
    const commit = contribute(w, sync.you, deps.entropy());
    keepSecret(); // before it is promised
    if (commit) say({ type: 'commit', ...commit });
  }

  /** When the next contribution is due, in ticks; Infinity if it is not. */
  function due() {
    if (last.round !== w?.rounds.at(-1)?.round) return 0;
    return last.drawn ? last.at + PAUSE : Number.POSITIVE_INFINITY;
  }

  /** Says something, and again if the server does not tell of it. @param {Up & { type: 'commit' | 'reveal' }} up */
  function say(up) {
    const what = `${up.type} ${up.round} ${up.mix}`;
    const wait = said?.what === what ? said.at + AGAIN - deps.ticks() : 0;
    if (wait <= 0 && send(up)) said = { what, at: deps.ticks() };
    timer = deps.setTimeout(step, wait > 0 ? wait : AGAIN);
  }

  /**
   * Keeps what only this page knows, so that a reload can still reveal it, until everybody knows it or nobody asks for it. It
   * is kept with the notes only: a page that has none could be shown another close and reveal to that, too (F4).
   */
  function keepSecret() {
    const now = noted ? secretOf(w) : null;
    if (now === secret) return;
    secret = now;
    keepShare(deps.session, table, sync.epoch, secret);
  }

  function keep() {
    deps.clearTimeout(writing);
    writing = null;
    if (history) noted = keepNotes(deps.store, table, history, deps.now());
  }
}

/** @param {Fact[]} facts @param {Fact['fact']} name */
const roundsOf = (facts, name) => facts.flatMap((f) => (f.fact === name ? [f.round] : []));

/**
 * What it needs, in a browser.
 * @returns {FairnessDeps}
 */
export function browserDeps() {
  return {
    entropy: () => Array.from(crypto.getRandomValues(new Uint8Array(32)), (b) => b.toString(16).padStart(2, '0')).join(''),
    now: Date.now,
    ticks: () => performance.now(),
    setTimeout: (f, ms) => setTimeout(f, ms),
    clearTimeout: (timer) => clearTimeout(timer),
    store: browserStore(),
    session: tabStore(),
  };
}

/** Where notes are kept: null where a browser lets no page keep anything. @returns {Storage | null} */
export function browserStore() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** What lasts as long as the tab, reloads included: null where a browser lets no page keep anything. @returns {Storage | null} */
function tabStore() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
