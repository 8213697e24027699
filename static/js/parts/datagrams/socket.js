/**
 * A stream by datagrams with the interface of a WebSocket (docs/protocol/datagram.md, D16 to D38).
 * It opens a WebTransport session, sends Hello, makes frames from what arrives, and makes messages
 * from what the page sends. The caller passes in what it needs of the browser. No DOM.
 *
 *     connecting ──Welcome──▶ open ──Close, silence, close()──▶ closed
 *         └────────refused, no answer, close()──────────────────▲
 *
 * @module
 */

import { CloseError } from './graph.js';
import { Joiner, Uplink } from './framing.js';
import { CLIENT_SIZE, encodeHello, kindOf, readClose, readWelcome } from './packet.js';
import { Conn } from './connection.js';
import { createRequests } from './requests.js';
import { Handle } from './sender.js';
import { MalformedError } from '../../net/protobuf.js';

/**
 * The address and purpose of a stream by datagrams (D30).
 *
 * @typedef {object} QuicOptions
 * @property {string} url
 * @property {string[]} hashes of certificates, SHA-256 in base64; none: the browser has to trust
 *   the certificate itself
 * @property {string} request
 * @property {boolean} [updates] whether the server takes updates on it (D39)
 * @property {() => void} [onOver] called once, when it is closed by either end
 * @property {QuicDeps} deps
 */

/**
 * What it needs of the browser.
 *
 * @typedef {object} QuicDeps
 * @property {new (url: string, options: any) => WebTransport} WebTransport
 * @property {(f: () => void, ms: number) => unknown} setTimeout
 * @property {(timer: any) => void} clearTimeout
 * @property {() => number} ticks returns milliseconds of a clock that nobody sets
 * @property {(size: number) => Uint8Array} draw returns random bytes
 * @property {(error: unknown) => void} report reports a fault of the page, as browsers do for event
 *   handlers
 */

/** The bounds of a page (D14), in bytes. */
const TAKES = { message: 2 ** 24, window: 24 * 2 ** 20 };

// All in milliseconds.
const AGAIN = 250; // time before Hello is sent again (D17); it doubles each time
const LONGEST = 1000;
const GIVE_UP = 4000; // time without an answer after which it gives up
// silence, although this end has asked, after which the connection is lost (D38)
const SILENT = 1500;
const ANSWER = 1000; // the least time for an answer
// a timer that is later than this was held up; packets that arrived meanwhile are not read yet
const LATE = 250;
const LIVELY = 500; // keepalive of a visible page while something happens (D29)
const CALM = 5000; // keepalive of every other page, so that a phone can sleep
const HAPPENING = 10_000; // time for which something sent or received counts as happening
// time without a frame after which a packet that arrives tells the page that the connection lives
const SIGN = 10_000;

// Datagrams that the browser queues in each direction. More are lost.
const INCOMING = 4096;
const OUTGOING = 16;

/** The greatest number of kept packets that have overtaken the Welcome. */
const MAX_EARLY = 64;

/** The least packet size in bytes that a path has to take (D28). */
const LEAST = 512;

const [CONNECTING, OPEN, CLOSED] = [0, 1, 3];

/** An empty frame: a sign of life (S6). */
const NOTHING = new ArrayBuffer(0);

/**
 * Returns whether an `Up` asks if the connection lives: a ping without a nonce.
 * @param {Uint8Array} up
 */
const isProbe = (up) => up.length === 2 && up[0] === 0x12;

/** @typedef {import('../../types.js').WebSocketLike} WebSocketLike */

/** @implements {WebSocketLike} */
export class QuicSocket {
  binaryType = 'arraybuffer';
  readyState = CONNECTING;
  /** @type {((event: any) => void) | null} */
  onopen = null;
  /** @type {((event: any) => void) | null} */
  onmessage = null;
  /** Whether the session was opened. */
  reached = false;
  /**
   * Its event has `reason` and `code`: that of the Close, or 1006.
   * @type {((event: any) => void) | null}
   */
  onclose = null;
  /** @type {((event: any) => void) | null} */
  onerror = null;
  /**
   * Sends updates (D39); there if the server takes them.
   * @type {WebSocketLike['requests']}
   */
  requests;

  #deps;
  #onOver;
  #session;
  #writer;
  #client;
  #hello;
  /** @type {Conn | null} */
  #conn = null;
  #joiner = new Joiner();
  /** @type {Uplink | null} */
  #uplink = null;
  /** Packets that have overtaken the Welcome. @type {Uint8Array[]} */
  #early = [];
  /** Frames that the page has not received yet. @type {ArrayBuffer[]} */
  #frames = [];
  #deliveredAt = 0; // when the page last received a frame
  #livelyUntil = 0;
  #owesSign = false; // the page has asked whether the connection lives
  #isHidden = false;
  /** @type {unknown} */
  #timer = null;
  #full = Number.POSITIVE_INFINITY; // since when the browser takes no datagrams
  #largest = 0; // greatest size of a packet on the path, in bytes
  #grace = 0; // until then silence proves nothing

  /** @param {QuicOptions} options */
  constructor({ url, hashes, request, updates = false, onOver = () => {}, deps }) {
    this.#deps = deps;
    if (updates)
      this.requests = (host) => createRequests((up, before) => this.#request(up, before), host);
    this.#onOver = onOver;
    this.#session = new deps.WebTransport(url, {
      allowPooling: false,
      requireUnreliable: true,
      congestionControl: 'low-latency',
      ...(hashes.length > 0 && {
        serverCertificateHashes: hashes.map((hash) => ({
          algorithm: 'sha-256',
          value: bytesOf(hash),
        })),
      }),
    });
    const { ready, closed, datagrams } = this.#session;
    datagrams.incomingHighWaterMark = INCOMING;
    datagrams.outgoingHighWaterMark = OUTGOING;
    const { reader, writer } = this.#ends(datagrams);
    this.#writer = writer;
    this.#client = deps.draw(CLIENT_SIZE);
    this.#hello = encodeHello({ client: this.#client, takes: TAKES, request });
    this.#writer.closed.catch(() => {}); // as with the session, whose end is handled below
    closed.then(
      ({ closeCode = 0, reason = '' } = {}) =>
        this.#over(closeCode >= 1000 && closeCode <= 4999 ? closeCode : 1006, reason),
      () => this.#over(1006, ''),
    );
    ready.then(
      () => {
        this.reached = true;
        this.#sendHello(deps.ticks() + GIVE_UP, AGAIN);
        void this.#read(reader);
      },
      () => {}, // `closed` rejects as well
    );
  }

  /**
   * Returns the streams of incoming and outgoing datagrams, whose names differ between browsers. If
   * the browser has neither, it closes the session and throws.
   *
   * @param {any} datagrams
   * @returns {{ reader: ReadableStreamDefaultReader<Uint8Array>, writer:
   *   WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>> }}
   */
  #ends(datagrams) {
    try {
      return {
        reader: datagrams.readable.getReader(),
        writer: (datagrams.createWritable?.() ?? datagrams.writable).getWriter(),
      };
    } catch (error) {
      this.#session.close();
      throw error;
    }
  }

  /**
   * Sends an `Up` (S9).
   *
   * @param {Uint8Array<ArrayBuffer>} up
   */
  send(up) {
    if (this.readyState !== OPEN || !this.#conn || !this.#uplink) return;
    if (isProbe(up)) {
      this.#owesSign = true;
      this.#conn.ask();
    } else this.#uplink.send(this.#deps.ticks(), up);
    this.#happens();
    this.#pump();
  }

  /**
   * Sends updates.
   *
   * @param {Uint8Array<ArrayBuffer>} up
   * @param {unknown[]} before handles of earlier ones for which it waits
   * @returns {Handle | null} null: there is no room
   */
  #request(up, before) {
    if (this.readyState !== OPEN || !this.#conn) return null;
    const handle = new Handle();
    if (!this.#conn.send(up, /** @type {Handle[]} */ (before), handle)) return null;
    this.#happens();
    this.#pump();
    return handle;
  }

  /** Bytes that wait for room, or for an acknowledgement. */
  get bufferedAmount() {
    return (this.#conn?.waiting ?? 0) + (this.#uplink?.waiting ?? 0);
  }

  /** The round-trip time in milliseconds; 0: not known yet. */
  get roundTrip() {
    return this.#conn?.roundTrip ?? 0;
  }

  /**
   * Closes the stream. No more events follow.
   *
   * @param {number} [code]
   */
  close(code = 1000) {
    if (this.readyState === CLOSED) return;
    this.#finish();
    const now = this.#deps.ticks();
    this.#conn?.close(now, code, '');
    for (let packet = this.#conn?.next(now); packet; packet = this.#conn?.next(now))
      this.#write(packet);
    this.#session.close({ closeCode: code, reason: '' });
  }

  /**
   * Sets whether the page is hidden. Timers of a hidden page come late.
   * @param {boolean} isHidden
   */
  hide(isHidden) {
    this.#isHidden = isHidden;
    this.#conn?.setAckAtOnce(isHidden);
    if (this.#conn) this.#happens();
    this.#pump();
  }

  /** Notes that something was sent or received, or that the page became visible or hidden. */
  #happens() {
    this.#livelyUntil = this.#deps.ticks() + HAPPENING;
  }

  // ---- the handshake ----

  /** Sends Hello until there is an answer (D17). @param {number} until @param {number} wait */
  #sendHello(until, wait) {
    if (this.readyState !== CONNECTING) return;
    const left = until - this.#deps.ticks();
    if (left <= 0) {
      this.#fail(1006);
      return;
    }
    this.#write(this.#hello);
    this.#timer = this.#deps.setTimeout(
      () => this.#sendHello(until, Math.min(2 * wait, LONGEST)),
      Math.min(wait, left),
    );
  }

  /** Takes in a packet before there is a connection. @param {Uint8Array} bytes */
  #takeWelcome(bytes) {
    const kind = kindOf(bytes);
    try {
      if (kind === 'data') {
        if (this.#early.length < MAX_EARLY) this.#early.push(bytes);
      } else if (kind === 'close') {
        const { client, code, reason } = readClose(bytes, true);
        if (isSame(client, this.#client)) this.#over(code, reason);
      } else if (kind === 'welcome') {
        const { client, takes } = readWelcome(bytes);
        if (isSame(client, this.#client)) this.#begin(takes);
      }
    } catch (error) {
      if (!(error instanceof CloseError)) throw error;
      this.#fail(error.code);
    }
  }

  /** Creates the connection. @param {import('./packet.js').Limits} peerLimits */
  #begin(peerLimits) {
    const now = this.#deps.ticks();
    this.#largest = this.#session.datagrams.maxDatagramSize;
    if (!(this.#largest >= LEAST)) {
      this.#fail(1006);
      return;
    }
    this.#conn = new Conn({
      now,
      largest: this.#largest,
      takes: TAKES,
      peerLimits,
      keepalive: LIVELY,
      repeatsOverdue: true,
      execute: (number, body) => this.#join(() => this.#joiner.message(number, body)),
      executeUnguaranteed: (_, body) => this.#join(() => this.#joiner.unguaranteed(body)),
    });
    this.#uplink = new Uplink(this.#conn);
    this.readyState = OPEN;
    this.#deliveredAt = now;
    this.hide(this.#isHidden);
    this.onopen?.({});
    for (const bytes of this.#early.splice(0)) this.#take(bytes);
  }

  // ---- receiving ----

  /**
   * Reads packets until the session ends.
   * @param {ReadableStreamDefaultReader<Uint8Array>} reader
   */
  async #read(reader) {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (done || !value || this.readyState === CLOSED) return;
      if (this.#conn) this.#take(value);
      else this.#takeWelcome(value);
    }
  }

  /** Takes in a packet of the connection. @param {Uint8Array} bytes */
  #take(bytes) {
    const { ticks } = this.#deps;
    const now = ticks();
    this.#conn?.receive(now, bytes);
    this.#uplink?.flush();
    if (this.#frames.length > 0) this.#happens();
    else if (this.#owesSign || now - this.#deliveredAt >= SIGN) this.#frames.push(NOTHING);
    if (this.#frames.length > 0) {
      this.#deliveredAt = now;
      this.#owesSign = false;
    }
    for (const data of this.#frames.splice(0)) this.#deliver(data);
    this.#pump();
  }

  /**
   * Passes a frame to the page. A fault there does not end the connection.
   * @param {ArrayBuffer} data
   */
  #deliver(data) {
    try {
      if (this.readyState === OPEN) this.onmessage?.({ data });
    } catch (error) {
      this.#deps.report(error);
    }
  }

  /** Makes a frame of a message. @param {() => Uint8Array | null} join */
  #join(join) {
    if (this.#conn?.ended) return; // the message comes after one that was no frame
    try {
      const frame = join();
      if (frame) this.#frames.push(bufferOf(frame));
    } catch (error) {
      if (!(error instanceof MalformedError)) throw error;
      this.#conn?.close(this.#deps.ticks(), 1002, 'a message is not a frame');
    }
  }

  // ---- sending ----

  /** Sends what there is to send, and sets the timer. */
  #pump() {
    const conn = this.#conn;
    if (!conn || this.readyState !== OPEN || !this.#measure(conn)) return;
    const now = this.#deps.ticks();
    conn.keepalive = this.#isHidden || now >= this.#livelyUntil ? CALM : LIVELY;
    while (!this.#isFull) {
      const packet = conn.next(now);
      if (!packet) break;
      this.#write(packet);
    }
    if (conn.ended) {
      const { code, reason, remote } = conn.ended;
      if (remote) this.#over(code, reason);
      else this.#fail(code);
      return;
    }
    // an end that could not even ask has as little hope
    const asked = Math.min(conn.unansweredSince, this.#full);
    const gone = Math.max(conn.heard + SILENT, asked + ANSWER, this.#grace);
    const at = this.#isFull ? gone : Math.min(conn.wake, gone);
    this.#deps.clearTimeout(this.#timer);
    this.#timer = this.#deps.setTimeout(() => this.#look(at, gone), Math.max(0, at - now));
  }

  /**
   * Checks the greatest size of packets, which may have changed (D28).
   * @param {Conn} conn
   * @returns {boolean} whether the path can still be used
   */
  #measure(conn) {
    const { maxDatagramSize } = this.#session.datagrams;
    if (maxDatagramSize === this.#largest) return true;
    this.#largest = maxDatagramSize;
    if (maxDatagramSize >= LEAST) conn.resize(maxDatagramSize);
    else this.#fail(1006);
    return maxDatagramSize >= LEAST;
  }

  /** Whether the browser takes no datagrams for now. */
  get #isFull() {
    return this.#full < Number.POSITIVE_INFINITY;
  }

  /**
   * The timer.
   * @param {number} due when it should have run
   * @param {number} gone from when on silence means that the connection is lost
   */
  #look(due, gone) {
    const now = this.#deps.ticks();
    if (now >= gone && now - due > LATE) {
      this.#conn?.ask();
      this.#grace = now + ANSWER;
    } else if (now >= gone) {
      this.#fail(1006);
      return;
    }
    this.#pump();
  }

  /** @param {Uint8Array<ArrayBuffer>} packet */
  #write(packet) {
    const writer = this.#writer;
    writer.write(packet).catch(() => {}); // the session has ended, and `closed` handles that
    if ((writer.desiredSize ?? 0) > 0) return;
    this.#full = this.#deps.ticks();
    writer.ready.then(
      () => {
        this.#full = Number.POSITIVE_INFINITY;
        this.#pump();
      },
      () => {},
    );
  }

  // ---- the end ----

  /** Ends a connection that is of no use any more. @param {number} code */
  #fail(code) {
    this.#session.close({ closeCode: code === 1006 ? 4000 : code, reason: '' });
    this.#over(code, '');
  }

  /** Closes the stream and tells the page. @param {number} code @param {string} reason */
  #over(code, reason) {
    if (this.readyState === CLOSED) return;
    this.#finish();
    this.onclose?.({ code, reason });
  }

  #finish() {
    this.readyState = CLOSED;
    this.#deps.clearTimeout(this.#timer);
    this.#onOver();
  }
}

/** @param {string} base64 */
function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

/** @param {Uint8Array} a @param {Uint8Array} b */
function isSame(a, b) {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/**
 * @param {Uint8Array} bytes
 * @returns {ArrayBuffer} a buffer that has only these bytes
 */
function bufferOf(bytes) {
  const { buffer, byteLength } = bytes;
  return /** @type {ArrayBuffer} */ (
    buffer.byteLength === byteLength ? buffer : bytes.slice().buffer
  );
}
