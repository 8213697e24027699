// The surroundings of a page, for tests of net/net.js: a clock that only the test advances, and
// sockets and requests that the test answers.

import { createNet } from '../js/net/net.js';
import { createSync } from '../js/sync/sync.js';
import { Writer } from '../js/net/writer.js';
import { vectors } from './vectors.js';

/** @typedef {import('../js/types.js').Outcome} Outcome */
/** @typedef {import('../js/types.js').Problem} Problem */
/** @typedef {import('../js/types.js').Status} Status */

/** @param {string} hex */
const unhex = (hex) => Uint8Array.from(Buffer.from(hex, 'hex')).buffer;

/** @param {string} name */
const vector = (name) =>
  unhex(vectors('frames').frames.find((/** @type {any} */ f) => f.name === name).hex);

/** Frames as bytes. The full state has pieces 1 and 2. */
export const FULL = vector('a full state');
export const UPDATE = vector('an update to zero, empty and false');
export const BEAT = vector('an empty frame');
export const GOING_IN_2500 = unhex('1a053a0308c413');
export const GOING_FOR_GOOD = unhex('1a043a021001');
export const PUT_OUT = unhex('1a083a06100118012001');
export const RESUMED = vector('a stream that goes on');
export const NONSENSE = unhex('1aff');

/**
 * The answer to a ping.
 *
 * @param {number} nonce
 * @param {number} time of the server
 */
export function pong(nonce, time) {
  const answer = new Writer();
  answer.uint(1, nonce);
  const frame = new Writer();
  frame.uint(1, time);
  return frame.message(3, new Writer().message(11, answer)).bytes().buffer;
}

/** How a ping begins. */
const PING = '12';

export const TABLE = '0123456789abcdef0123456789abcdef';

export class FakeSocket {
  /**
   * @param {string} url
   * @param {string} protocols
   */
  constructor(url, protocols) {
    this.url = url;
    this.protocols = protocols;
    this.binaryType = 'blob';
    this.bufferedAmount = 0;
    this.readyState = 1;
    /** @type {((event: any) => void) | null} */
    this.onopen = null;
    /** @type {((event: any) => void) | null} */
    this.onmessage = null;
    /** @type {((event: any) => void) | null} */
    this.onclose = null;
    /** @type {((event: any) => void) | null} */
    this.onerror = null;
    /** @type {string[]} in hexadecimal digits */
    this.sent = [];
    this.isClosed = false;
    this.code = 0; // the code with which the client has closed it
    /**
     * What happens at the other end when a ping is sent.
     *
     * @type {((nonce: number) => void) | null}
     */
    this.onping = null;
  }

  /** @param {Uint8Array} data */
  send(data) {
    const up = Buffer.from(data).toString('hex');
    this.sent.push(up);
    if (up.startsWith(PING)) this.onping?.(data[3] ?? 0);
  }

  /** What was sent besides pings. */
  get said() {
    return this.sent.filter((up) => !up.startsWith(PING));
  }

  /** The pings that were sent. */
  get pings() {
    return this.sent.filter((up) => up.startsWith(PING));
  }

  /** @param {number} [code] */
  close(code = 1005) {
    this.isClosed = true;
    this.code = code;
  }

  // What the server and the network do.

  /** @param {unknown} [data] */
  open(data = FULL) {
    this.onopen?.({});
    if (data) this.tell(data);
  }

  /** @param {unknown} data */
  tell(data) {
    this.onmessage?.({ data });
  }

  /** @param {number} code */
  end(code) {
    this.onerror?.({});
    this.onclose?.({ code });
  }
}

export class FakeRequest {
  /**
   * @param {string} url
   * @param {RequestInit} init
   * @param {(answer: any) => void} resolve
   * @param {(error: Error) => void} reject
   */
  constructor(url, init, resolve, reject) {
    this.url = url;
    this.init = init;
    this.resolve = resolve;
    this.reject = reject;
    init.signal?.addEventListener('abort', () => reject(new Error('aborted')));
  }

  get body() {
    return JSON.parse(String(this.init.body));
  }

  /**
   * @param {number} status
   * @param {object | null} [json] null: none
   * @param {Record<string, string>} [headers]
   */
  answer(status, json = {}, headers = {}) {
    this.resolve({
      status,
      headers: { get: (/** @type {string} */ name) => headers[name] ?? null },
      json: async () => {
        if (json === null) throw new SyntaxError('not JSON');
        return json;
      },
    });
  }

  fail() {
    this.reject(new TypeError('failed to fetch'));
  }
}

export class World {
  constructor() {
    this.now = 1_000_000;
    this.asleep = 0; // how long the machine has slept, in ms
    this.setBack = 0; // by how much its clock was set back, in ms
    this.chance = 1; // about what random() returns
    this.isOnline = true;
    /** @type {{ at: number, f: () => void }[]} */
    this.timers = [];
    /** @type {FakeSocket[]} */
    this.sockets = [];
    /** @type {FakeRequest[]} */
    this.requests = [];
    /** @type {string[]} */
    this.states = [];
    /** @type {Outcome[]} */
    this.outcomes = [];
    /** @type {{ problem: Problem, changed: number[] }[]} */
    this.refusals = [];
    this.sync = createSync('q83vEjRWeJCrze8SNFZ4kA');
    const world = this;
    this.net = createNet({
      table: TABLE,
      sync: this.sync,
      onFrame: (outcome) => this.outcomes.push(outcome),
      onStatus: ({ state, reason, retryMs }) =>
        this.states.push([state, reason, retryMs || ''].join(' ').trim()),
      onRefused: (problem, changed) => this.refusals.push({ problem, changed: [...changed] }),
      deps: {
        WebSocket: class extends FakeSocket {
          /**
           * @param {string} url
           * @param {string} protocols
           */
          constructor(url, protocols) {
            super(url, protocols);
            world.sockets.push(this);
          }
        },
        fetch: (url, init) =>
          new Promise((resolve, reject) =>
            this.requests.push(new FakeRequest(url, init, resolve, reject)),
          ),
        setTimeout: (f, ms) => {
          const timer = { at: this.now + ms, f };
          this.timers.push(timer);
          return timer;
        },
        clearTimeout: (timer) => {
          this.timers = this.timers.filter((t) => t !== timer);
        },
        random: () => this.chance,
        now: () => this.now - this.setBack,
        ticks: () => this.now - this.asleep,
        online: () => this.isOnline,
        origin: 'https://holt.example',
      },
    });
  }

  /** The latest socket. */
  get socket() {
    return this.sockets[this.sockets.length - 1];
  }

  /** The latest request. */
  get request() {
    return this.requests[this.requests.length - 1];
  }

  /** Opens the connection up to its first full state. */
  async online() {
    this.net.open();
    this.socket.open();
    await this.settle();
    return this;
  }

  /** Runs everything that waits for nothing. */
  async settle() {
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
  }

  /**
   * Advances the time, and runs what is due at its time.
   *
   * @param {number} ms
   */
  async pass(ms) {
    const until = this.now + ms;
    await this.settle();
    for (;;) {
      const due = this.timers.filter((t) => t.at <= until).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.timers = this.timers.filter((t) => t !== due);
      this.now = Math.max(this.now, due.at);
      due.f();
      await this.settle();
    }
    this.now = until;
  }
}
