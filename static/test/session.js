// A session of WebTransport like that of a browser, with the server's end of the connection: for
// tests of parts/datagrams/socket.js. Time is virtual, and only the test loses anything.

import { encodeClose, kindOf } from '../js/parts/datagrams/packet.js';
import { Conn } from '../js/parts/datagrams/connection.js';

/** Runs everything that waits for nothing. */
export async function settle() {
  for (let i = 0; i < 8; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** A clock that only the test advances. */
export class Clock {
  now = 1000;
  /** @type {{ at: number, f: () => void }[]} */
  timers = [];

  ticks = () => this.now;
  /** @param {() => void} f @param {number} ms */
  setTimeout = (f, ms) => {
    const timer = { at: this.now + ms, f };
    this.timers.push(timer);
    return timer;
  };
  /** @param {any} timer */
  clearTimeout = (timer) => {
    this.timers = this.timers.filter((other) => other !== timer);
  };

  /** Advances the time, and runs what is due at its time. @param {number} ms */
  async pass(ms) {
    const until = this.now + ms;
    await settle();
    for (;;) {
      const due = this.timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.clearTimeout(due);
      this.now = Math.max(this.now, due.at);
      due.f();
      await settle();
    }
    this.now = until;
  }
}

/** The number of the connection, and the token, in every Welcome. */
const REST = `${'11'.repeat(8)}8020808010${'22'.repeat(16)}00`;

export class FakeSession {
  /** Every session, the latest last. @type {FakeSession[]} */
  static all = [];

  /** Packets of the handshake from the page. @type {Uint8Array[]} */
  hellos = [];
  /** Messages from the page, executed. @type {{ number: number, body: Uint8Array }[]} */
  heard = [];
  /** Unguaranteed messages from the page, executed. @type {{ key: number, body: Uint8Array }[]} */
  loose = [];
  /** How the page has closed it. @type {{ closeCode?: number } | null} */
  closedBy = null;
  /** Whether packets reach the server, and the page. */
  carries = true;
  /** How many packets the page has sent. */
  sent = 0;
  /** The server's end. @type {Conn | null} */
  server = null;
  /** @type {any} until it has something to send */
  timer = null;

  /** @param {string} url @param {any} options */
  constructor(url, options) {
    this.url = url;
    this.options = options;
    FakeSession.all.push(this);
    this.ready = new Promise((done, fail) => {
      this.open = done;
      this.refuse = () => {
        fail(new Error('refused'));
        this.fail();
      };
    });
    this.closed = new Promise((done, fail) => {
      this.end = done;
      this.fail = () => fail(new Error('lost'));
    });
    this.ready.catch(() => {});
    this.closed.catch(() => {});
    const { clock } = FakeSession;
    this.datagrams = {
      incomingHighWaterMark: 1,
      outgoingHighWaterMark: 1,
      maxDatagramSize: 1200,
      readable: new ReadableStream({ start: (c) => { this.down = c; } }),
      writable: new WritableStream({ write: (bytes) => this.#take(bytes, clock.now) }),
    };
  }

  /** The test's clock. */
  static clock = new Clock();

  /** @param {Uint8Array} bytes @param {number} now */
  #take(bytes, now) {
    this.sent++;
    if (!this.carries) return;
    if (kindOf(bytes) === 'data' || kindOf(bytes) === 'close') {
      this.server?.receive(now, bytes);
      this.flush();
    } else this.hellos.push(bytes);
  }

  /** @param {{ closeCode?: number }} how */
  close(how) {
    this.closedBy ??= how ?? {};
    this.end?.(this.closedBy);
  }

  // What the server does.

  /** Sends a packet to the page. @param {Uint8Array} bytes */
  say(bytes) {
    if (this.carries) this.down?.enqueue(bytes);
  }

  /** Answers the last Hello, and has a connection. */
  async welcome() {
    this.open?.(undefined);
    await settle();
    const client = this.hellos.at(-1)?.subarray(2, 10) ?? new Uint8Array(8);
    this.server = new Conn({
      now: FakeSession.clock.now,
      largest: 1200,
      takes: { message: 4096, window: 1 << 18 },
      peerLimits: { message: 1 << 24, window: 24 << 20 },
      keepalive: 5000,
      execute: (number, body) => this.heard.push({ number, body }),
      executeUnguaranteed: (key, body) => this.loose.push({ key, body }),
    });
    this.say(Uint8Array.from([0x03, 1, ...client, ...Buffer.from(REST, 'hex')]));
    await settle();
  }

  /** Refuses the last Hello. @param {number} code @param {string} reason */
  async turnAway(code, reason) {
    this.open?.(undefined);
    await settle();
    const close = encodeClose(code, reason);
    this.say(
      Uint8Array.from([
        close[0], ...(this.hellos.at(-1)?.subarray(2, 10) ?? []), ...close.subarray(1),
      ]),
    );
    await settle();
  }

  /**
   * Sends a message of the stream.
   *
   * @param {Uint8Array} message
   * @param {import('../js/parts/datagrams/sender.js').Handle[]} [deps]
   */
  async tell(message, deps = []) {
    this.server?.send(message, deps, null);
    this.flush();
    await settle();
  }

  /** Sends what the server has to send, now and later. */
  flush() {
    const { server } = this;
    const { clock } = FakeSession;
    if (!server) return;
    for (let p = server.next(clock.now); p; p = server.next(clock.now)) this.say(p);
    clock.clearTimeout(this.timer);
    if (Number.isFinite(server.wake))
      this.timer = clock.setTimeout(() => this.flush(), Math.max(0, server.wake - clock.now));
  }
}

/** What went wrong in the page. @type {unknown[]} */
export const faults = [];

/** The surroundings of a socket. @returns {import('../js/parts/datagrams/socket.js').QuicDeps} */
export function surroundings() {
  FakeSession.clock = new Clock();
  FakeSession.all = [];
  const { setTimeout, clearTimeout, ticks } = FakeSession.clock;
  return {
    WebTransport: /** @type {any} */ (FakeSession), setTimeout, clearTimeout, ticks,
    report: (error) => faults.push(error),
    draw: (size) => Uint8Array.from({ length: size }, (_, i) => i + 1),
  };
}
