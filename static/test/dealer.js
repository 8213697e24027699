// A table and its pages, for the tests of what a page does by itself for fairness.

import {
  closingOf, firstPool, nextPool, seedCommitment, take,
} from '../js/parts/fairness/draws.js';
import { createFairness } from '../js/parts/fairness/participant.js';
import { keptNotes } from '../js/parts/fairness/notes.js';

/** @typedef {import('../js/parts/fairness/participant.js').News} News */

export const TABLE = '0123456789abcdef0123456789abcdef';
export const NOBODY = '0'.repeat(64);
export const MINUTE = 60_000;

/** A store like that of a browser, with as much space as the test allows. */
export class Store {
  /** @type {Map<string, string>} */
  #items = new Map();
  room = Number.POSITIVE_INFINITY;
  get length() {
    return this.#items.size;
  }
  /** @param {number} i */
  key(i) {
    return [...this.#items.keys()][i] ?? null;
  }
  /** @param {string} key */
  getItem(key) {
    return this.#items.get(key) ?? null;
  }
  /** @param {string} key */
  removeItem(key) {
    this.#items.delete(key);
  }
  /** @param {string} key @param {string} value */
  setItem(key, value) {
    let taken = key.length + value.length;
    for (const [k, v] of this.#items) if (k !== key) taken += k.length + v.length;
    if (taken > this.room) throw new Error('QuotaExceededError');
    this.#items.set(key, value);
  }
}

/** A table that follows S17, and does what a test wants besides. */
export class Dealer {
  epoch = 5;
  round = 1;
  seals = 0;
  /** @type {Page[]} */
  pages = [];
  constructor() {
    this.mixing = {
      table: TABLE, round: 1, revealing: false, mixed: 0, pool: firstPool(this.commitment()),
      shares: /** @type {any[]} */ ([]),
    };
  }
  commitment(round = this.round) {
    return seedCommitment(TABLE, round, this.seed(round));
  }
  /** @param {number} round */
  seed(round) {
    return `${this.epoch}${round}`.padStart(64, '0');
  }
  /** @param {...any} facts */
  tell(...facts) {
    for (const p of this.pages) p.frame({ facts: facts.map((f) => ({ round: this.round, ...f })) });
  }
  /** @param {number} seat @param {string} hash */
  commit(seat, hash) {
    const mix = this.mixing.mixed + 1;
    take(this.mixing, { fact: 'commit', mix, seat, hash });
    this.tell({ fact: 'committed', mix, seat, hash });
  }
  close() {
    const mix = this.mixing.mixed + 1;
    const closing = closingOf(TABLE, this.round, mix, this.mixing.shares);
    take(this.mixing, { fact: 'close', mix, closing });
    this.tell({ fact: 'closed', mix, closing });
  }
  /** @param {number} share @param {string} entropy */
  reveal(share, entropy) {
    const mix = this.mixing.mixed + 1;
    take(this.mixing, { fact: 'reveal', mix, share, entropy });
    this.tell({ fact: 'revealed', mix, share, entropy });
  }
  mix() {
    const { shares, pool } = this.mixing;
    const mix = this.mixing.mixed + 1;
    const withheld = shares.flatMap((s, i) => (s.entropy ? [] : [i + 1]));
    const next = nextPool(pool, closingOf(TABLE, this.round, mix, shares), shares);
    take(this.mixing, { fact: 'mix', mix, withheld, pool: next });
    this.tell({ fact: 'mixed', mix, withheld, pool: next });
  }
  draw() {
    this.seals++;
    const seal = this.seals.toString(16).padStart(64, 'a');
    this.tell({ fact: 'drawn', audience: 0, number: this.seals, mix: this.mixing.mixed, seal });
  }
  /**
   * Opens the next round. With `told` the seeds of the rounds before are revealed with it.
   *
   * @param {boolean} [told]
   */
  open(told = false) {
    this.round++;
    this.seals = 0;
    this.mixing = {
      table: TABLE, round: this.round, revealing: false, mixed: 0,
      pool: firstPool(this.commitment()), shares: [],
    };
    const round = this.round - 1;
    const opened = { fact: 'opened', commitment: this.commitment(), before: NOBODY };
    this.tell(opened, ...(told ? [{ fact: 'told', round, seed: this.seed(round) }] : []));
  }
  standing() {
    const { revealing, mixed, pool, shares } = this.mixing;
    const mix = mixed + 1;
    const closing = revealing ? closingOf(TABLE, this.round, mix, shares) : '';
    return {
      round: this.round, commitment: this.commitment(), mix, revealing, closing, pool,
      shares: structuredClone(shares),
    };
  }
  /** Does everything that these pages have asked for. @param {...Page} pages */
  serve(...pages) {
    for (const { seat, said } of pages)
      for (const up of said.splice(0)) if (up.type === 'commit') this.commit(seat, up.hash);
    this.close();
    for (const { seat, said } of pages) {
      for (const up of said.splice(0)) {
        const share = 1 + this.mixing.shares.findIndex((s) => s.seat === seat);
        if (up.type === 'reveal') this.reveal(share, up.entropy);
      }
    }
    this.mix();
  }
}

/** One page at the table. */
export class Page {
  /** @type {any[]} */
  said = [];
  /** @type {News[]} */
  news = [];
  isBehind = false;
  plays = true;
  time = 0;
  drawn = 0; // how often entropy was asked for
  /** @type {Array<{at: number, f: () => void}>} */
  timers = [];

  /**
   * @param {Dealer} dealer
   * @param {number} seat
   * @param {Store | null} store
   * @param {Store | null} session
   */
  constructor(dealer, seat, store = new Store(), session = new Store()) {
    this.dealer = dealer;
    this.seat = seat;
    this.sync = { you: seat, epoch: dealer.epoch };
    this.store = store;
    this.session = session;
    this.fairness = createFairness({
      table: TABLE,
      sync: this.sync,
      plays: () => this.plays,
      send: (up) => {
        if (!this.isBehind) this.said.push(up);
        return !this.isBehind;
      },
      tell: (news) => this.news.push(news),
      deps: {
        entropy: () => `${seat}${++this.drawn}`.padStart(64, 'e'),
        now: () => 1_700_000_000_000 + this.time,
        ticks: () => this.time,
        setTimeout: (f, ms) => {
          const timer = { at: this.time + ms, f };
          this.timers.push(timer);
          return timer;
        },
        clearTimeout: (timer) => {
          this.timers = this.timers.filter((t) => t !== timer);
        },
        store,
        session,
      },
    });
    dealer.pages.push(this);
  }

  /** Loads the page again, in the same tab. Its source of entropy continues. */
  reload() {
    this.fairness.stop();
    this.dealer.pages = this.dealer.pages.filter((p) => p !== this);
    return this.again(this.session);
  }

  /** Another page of the same browser and person. @param {Store | null} session */
  again(session) {
    const page = new Page(this.dealer, this.seat, this.store, session);
    page.drawn = this.drawn;
    return page;
  }

  /** @param {any} outcome */
  frame(outcome) {
    this.fairness.receive({ full: false, resumed: false, randomness: null, facts: [], ...outcome });
  }

  /** The full state arrives. */
  whole() {
    this.sync.epoch = this.dealer.epoch;
    this.frame({ full: true, randomness: this.dealer.standing() });
    return this;
  }

  /** @param {number} ms */
  pass(ms) {
    const until = this.time + ms;
    for (;;) {
      const due = this.timers.filter((t) => t.at <= until).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.timers = this.timers.filter((t) => t !== due);
      this.time = due.at;
      due.f();
    }
    this.time = until;
  }

  /** What the page has sent since the last call. */
  get ups() {
    return this.said.splice(0).map(({ type, round, mix }) => `${type} ${round} ${mix}`);
  }

  /** The latest history that is kept. */
  get kept() {
    return /** @type {import('../js/parts/fairness/notes.js').History} */ (
      keptNotes(this.store, TABLE).at(-1)
    );
  }
}
