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
import { contribute, isUntouched, join, owes, secretOf, see, witness } from './witness.js';

/** @typedef {import('../../types.js').Fact} Fact */
/** @typedef {import('../../types.js').Outcome} Outcome */
/** @typedef {import('../../types.js').Randomness} Randomness */
/** @typedef {import('../../types.js').Up} Up */
/** @typedef {import('./notes.js').History} History */
/** @typedef {import('./witness.js').Witness} Witness */

// In milliseconds.
const PAUSE = 60_000; // between two contributions to a round, at least (S17)
const AGAIN = 5000; // before a message is repeated that the server has not published
const GATHER = 1000; // for which draws are collected before they are stored together

/**
 * What a player may be notified of.
 *
 *   - `rounds`: round `opened` was opened, 0 if none was; and the seeds of the rounds in `told`
 *     were published, in ascending order.
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
 * Creates the participant.
 * @param {FairnessOptions} options
 * @returns {{
 *   receive: (outcome: Pick<Outcome, 'full' | 'resumed' | 'randomness' | 'facts'>) => void,
 *   keep: () => void, stop: () => void
 * }} `receive` processes the changes of a frame, `keep` stores notes that are not stored yet, and
 *   `stop` does so, too, and stops the timers
 */
export function createFairness({ table, sync, plays, send, tell, deps }) {
  /**
   * @type {Witness | null} null before the first full state, and after a contradiction until the
   *   next full state
   */
  let w = null;
  /** @type {History | null} */
  let history = null;
  /**
   * The last contribution that was closed, and whether something was drawn for everybody since
   * then.
   */
  let last = { round: 0, at: 0, drawn: false };
  /** @type {{ what: string, at: number } | null} the last message on this stream */
  let said = null;
  /** @type {unknown} of step */
  let timer = null;
  /** @type {unknown} not null while notes wait to be stored */
  let writing = null;
  let noted = false; // whether the notes are stored
  let untouched = false; // what was announced last
  let leftOut = 0; // the witness's count when it was last looked at
  /**
   * @type {import('./witness.js').Mine | null | undefined} the share that was stored last for after
   *   a reload
   */
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
    if (full || resumed) said = null; // the last stream may have lost a message
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

  /**
   * Announces once that the own share was left out twice in a row. Once may just be a slow line.
   */
  function tellLeftOut() {
    const now = w?.leftOut ?? 0;
    if (now >= 2 && leftOut < 2) tell({ type: 'leftOut' });
    leftOut = now;
  }

  /**
   * Starts with the open round and the earlier notes. A restored table has another history (T19).
   * @param {Randomness | null} randomness
   */
  function begin(randomness) {
    const before = history?.epoch === sync.epoch
      ? history
      : keptNotes(deps.store, table).find((h) => h.epoch === sync.epoch);
    history = before ?? { epoch: sync.epoch, from: 0, fault: null, rounds: [] };
    if (w?.rounds !== history.rounds) {
      // Without earlier notes, nothing could prove what the table closed.
      const own = before && secret === undefined;
      w = witness(
        table, history.rounds, own ? keptShare(deps.session, table, sync.you, sync.epoch) : null,
      );
    }
    if (!randomness) {
      w = null; // a server without verifiable randomness
      return;
    }
    attempt(randomness.round, (witness) => join(witness, randomness));
  }

  /**
   * Processes a fact.
   * @param {Fact} fact
   * @returns {boolean} whether it is possible
   */
  function hear(fact) {
    if (!w) return false;
    if (fact.fact === 'drawn' && fact.audience === 0) last.drawn = true;
    return attempt(fact.round, (witness) => see(witness, fact));
  }

  /**
   * Processes something that the server sent.
   * @param {number} round
   * @param {(witness: Witness) => import('./witness.js').Reveal | null} f
   * @returns {boolean} false if it contradicts what was sent before. Then nothing more is processed
   *   until the next full state
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

  /** Sends what is due, and sets a timer for what is due later. */
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
    keepSecret(); // before the page commits to it
    if (commit) say({ type: 'commit', ...commit });
  }

  /** Returns when the next contribution is due, in ticks; Infinity if none is. */
  function due() {
    if (last.round !== w?.rounds.at(-1)?.round) return 0;
    return last.drawn ? last.at + PAUSE : Number.POSITIVE_INFINITY;
  }

  /**
   * Sends a message, and again if the server does not publish it.
   * @param {Up & { type: 'commit' | 'reveal' }} up
   */
  function say(up) {
    const what = `${up.type} ${up.round} ${up.mix}`;
    const wait = said?.what === what ? said.at + AGAIN - deps.ticks() : 0;
    if (wait <= 0 && send(up)) said = { what, at: deps.ticks() };
    timer = deps.setTimeout(step, wait > 0 ? wait : AGAIN);
  }

  /**
   * Stores the secret that only this page knows, until it is public or not needed any more, so that
   * the page can still reveal it after a reload. It does so only if the notes are stored. To a page
   * without notes the server could show another close, and the page would reveal its share for that
   * one, too (F4).
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
