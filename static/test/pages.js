// Pages and the browsers in which they run, for tests of the replica of components: a store, a
// clock and frames that only the test advances, and posts that the test carries.

import { decodeMessage, encodeMessage } from '../js/parts/components/wire.js';
import { createReplica } from '../js/parts/components/replica.js';

/** @typedef {import('../js/parts/components/wire.js').Op} Op */
/** @typedef {import('../js/types.js').ComponentNews} ComponentNews */
/** @typedef {import('../js/parts/components/keep.js').Store} Store */

export const TABLE = '0123456789abcdef0123456789abcdef';
export const EPOCH = 7;

/** The mark up to which the view of a page is complete, unless a test gives another. */
export const MARK = 65_536;
export const YOU = 1;

/** The kinds of pieces: those of PRIVATE are private. */
export const PRIVATE = 2;

/** A browser: what its pages keep, and its clock. @implements {Store} */
export class Browser {
  constructor() {
    /** @type {Map<string, string>} */
    this.kept = new Map();
    /**
     * Whether the store has space, and whether it can be read at all.
     *
     * @type {'open'|'full'|'shut'}
     */
    this.state = 'open';
    this.now = 1000;
    /** @type {{ at: number, f: () => void }[]} */
    this.timers = [];
  }

  get length() {
    this.look();
    return this.kept.size;
  }

  /** @param {number} i */
  key(i) {
    return [...this.kept.keys()][i] ?? null;
  }

  /** @param {string} key */
  getItem(key) {
    this.look();
    return this.kept.get(key) ?? null;
  }

  /** @param {string} key @param {string} value */
  setItem(key, value) {
    this.look();
    if (this.state === 'full') throw new DOMException('no room', 'QuotaExceededError');
    this.kept.set(key, value);
  }

  /** @param {string} key */
  removeItem(key) {
    this.look();
    this.kept.delete(key);
  }

  look() {
    if (this.state === 'shut') throw new DOMException('no store', 'SecurityError');
  }

  /** Advances the time, and runs what is due at its time. @param {number} ms */
  pass(ms) {
    const until = this.now + ms;
    for (;;) {
      const due = this.timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.timers = this.timers.filter((timer) => timer !== due);
      this.now = Math.max(this.now, due.at);
      due.f();
    }
    this.now = until;
  }
}

/** A page of a table in a browser. */
export class Page {
  /**
   * @param {Browser} browser
   * @param {{ client?: string, you?: number, epoch?: number, sync?: import('../js/types.js').Sync,
   *   sees?: (piece: number) => boolean, isPrivate?: (kind: number) => boolean }} [options] with
   *   `sync` the page has pieces, too
   */
  constructor(
    browser,
    {
      client = 'a', you = YOU, epoch = EPOCH, sync, sees = () => true,
      isPrivate = (kind) => kind === PRIVATE,
    } = {},
  ) {
    this.browser = browser;
    this.sync = sync ?? { client, you, epoch, mark: MARK };
    this.resyncs = 0;
    this.flushes = 0;
    this.closed = false;
    this.catalogued = true; // whether the kinds are known
    /** What runs in the next frame. @type {(() => void)[]} */
    this.frames = [];
    /**
     * Operations that the page reported as refused or lost.
     *
     * @type {import('../js/parts/components/replica.js').Refusal[]}
     */
    this.refusals = [];
    /** @type {any} */
    this.source = null;
    /** @type {any} */
    this.way = null;
    this.replica = createReplica({
      sync: this.sync,
      table: TABLE,
      sees: (piece) => sees(piece),
      isPrivate: (kind) => (this.catalogued ? isPrivate(kind) : null),
      carry: (source, way) => {
        this.source = source;
        this.way = way;
        return { flush: () => this.flushes++ };
      },
      resync: () => this.resyncs++,
      storage: () => browser,
      frame: (f) => this.frames.push(f),
      setTimeout: (f, ms) => {
        const timer = { at: browser.now + ms, f: () => this.closed || f() };
        browser.timers.push(timer);
        return timer;
      },
      clearTimeout: (timer) => {
        browser.timers = browser.timers.filter((other) => other !== timer);
      },
      now: () => browser.now,
    });
    this.replica.onRefused((refusals) => this.refusals.push(...refusals));
  }

  /** The next message to post, as the server reads it; nothing if there is none. @returns {Op[]} */
  take() {
    return this.message()?.ops ?? [];
  }

  /**
   * The same, with everything that the server reads of it.
   *
   * @returns {import('../js/parts/components/replica.js').Batch | null}
   */
  message() {
    const batch = this.source.take();
    if (!batch) return null;
    const query = new URL(this.way.path(batch), 'https://holt.example').searchParams;
    return {
      ops: decodeMessage(this.way.body(batch)).ops, epoch: Number(query.get('epoch')),
      mark: Number(query.get('mark')),
    };
  }

  /** Posts what waits, and the server accepts it. */
  post() {
    const ops = this.take();
    this.source.delivered();
    return ops;
  }

  /** Receives news in one frame. @param {ComponentNews[]} components */
  hear(...components) {
    this.replica.receive({
      full: components.some(({ type }) => type === 'full'), resumed: false, components,
    });
  }

  /** Receives operations. @param {Op[]} ops */
  told(...ops) {
    this.hear({ type: 'components', components: encodeMessage({ ops }) });
  }

  /**
   * Resumes the stream, and receives what the page has missed.
   *
   * @param {ComponentNews[]} components
   */
  resume(...components) {
    this.replica.receive({ full: false, resumed: true, components });
  }

  /** Receives the full state. @param {Op[]} ops @param {number} [epoch] */
  whole(ops = [], epoch = EPOCH) {
    this.sync.epoch = epoch;
    this.hear(full(ops, epoch));
  }

  /** Draws a frame. */
  draw() {
    for (const f of this.frames.splice(0)) f();
  }

  /** Somebody leaves the page. @param {boolean} [orderly] */
  leave(orderly = true) {
    if (orderly) this.replica.save();
    this.closed = true;
  }
}

/** @param {Op[]} ops @param {number} [epoch] @returns {import('../js/types.js').FullEvent} */
export function full(ops, epoch = EPOCH) {
  const table = { title: '', width: 1, height: 1, surface: '', catalog: '' };
  const components = ops.length > 0 ? { components: encodeMessage({ ops }) } : {};
  return { type: 'full', epoch, you: YOU, table, seats: [], pieces: [], ...components };
}
