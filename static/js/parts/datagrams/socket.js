/**
 * A stream by datagrams that looks like a WebSocket (docs/protocol/datagram.md, D16 to D38): it opens a session of WebTransport, says Hello, and makes
 * frames of what comes and messages of what is said. What it needs of the browser is handed to it; it touches no DOM.
 *
 *     connecting ──Welcome──▶ open ──Close, silence, close()──▶ closed
 *         └────────refused, no answer, close()──────────────────▲
 *
 * @module
 */

import { CloseError } from './graph.js';
import { Joiner, Upward } from './framing.js';
import { CLIENT_SIZE, encodeHello, kindOf, readClose, readWelcome } from './packet.js';
import { Conn } from './connection.js';
import { MalformedError } from '../../net/protobuf.js';

/**
 * Where a stream by datagrams can be had, and what for (D30).
 *
 * @typedef {object} QuicOptions
 * @property {string} url
 * @property {string[]} hashes of certificates, SHA-256 in base64; none: the browser has to believe the certificate
 * @property {string} request
 * @property {() => void} [onOver] called once, when it is closed, by whomever
 * @property {QuicDeps} deps
 */

/**
 * What it needs of the browser.
 *
 * @typedef {object} QuicDeps
 * @property {new (url: string, options: any) => WebTransport} WebTransport
 * @property {(f: () => void, ms: number) => unknown} setTimeout
 * @property {(timer: any) => void} clearTimeout
 * @property {() => number} ticks milliseconds of a clock that nobody sets
 * @property {(size: number) => Uint8Array} draw random bytes
 * @property {(error: unknown) => void} report tells of a fault of the page, as browsers do of one in a handler of events
 */

/** What a page takes (D14), in bytes. */
const TAKES = { message: 2 ** 24, window: 24 * 2 ** 20 };

// All in milliseconds.
const AGAIN = 250; // before Hello is said again (D17); then twice as long each time
const LONGEST = 1000;
const GIVE_UP = 4000; // when nobody has answered
const SILENT = 1500; // nothing heard for so long, although it was asked: the line is gone (D38)
const ANSWER = 1000; // so long an answer may take at least
const LATE = 250; // a timer that comes so much too late was held up: what has come meanwhile was not read yet
const LIVELY = 500; // the keepalive of a page that is looked at while something happens (D29)
const CALM = 5000; // that of another: a phone does not stay awake for it
const HAPPENING = 10_000; // since something was said or heard
const SIGN = 10_000; // without frames for so long, the page is told that the line is there

// Datagrams that wait in the browser, in each direction. More are lost.
const INCOMING = 4096;
const OUTGOING = 16;

/** Packets that are kept which have overtaken the Welcome. */
const MAX_EARLY = 64;

/** A path that takes no packets of so many bytes is none (D28). */
const LEAST = 512;

const [CONNECTING, OPEN, CLOSED] = [0, 1, 3];

/** A frame in which there is nothing: a sign of life (S6). */
const NOTHING = new ArrayBuffer(0);

/** An `Up` that asks whether the line is there: a ping without a nonce. @param {Uint8Array} up */
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
  /** Whether datagrams have led anywhere: the session was opened. */
  reached = false;
  /** Its event has `code`, that of the Close, or 1006; and its `reason`. @type {((event: any) => void) | null} */
  onclose = null;
  /** @type {((event: any) => void) | null} */
  onerror = null;

  #deps;
  #onOver;
  #session;
  #writer;
  #client;
  #hello;
  /** @type {Conn | null} */
  #conn = null;
  #joiner = new Joiner();
  /** @type {Upward | null} */
  #upward = null;
  /** Packets that have overtaken the Welcome. @type {Uint8Array[]} */
  #early = [];
  /** Frames that have been made, and not been told. @type {ArrayBuffer[]} */
  #frames = [];
  #toldAt = 0; // when the page was told something
  #livelyUntil = 0;
  #owes = false; // the page wants to know whether the line is there
  #isHidden = false;
  /** @type {unknown} */
  #timer = null;
  #full = Number.POSITIVE_INFINITY; // since when the browser takes no datagrams
  #largest = 0; // bytes that the path takes
  #grace = 0; // until then silence proves nothing

  /** @param {QuicOptions} options */
  constructor({ url, hashes, request, onOver = () => {}, deps }) {
    this.#deps = deps;
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
    this.#writer.closed.catch(() => {}); // as the session, which says why
    closed.then(
      ({ closeCode = 0, reason = '' } = {}) =>
        this.#over(closeCode >= 1000 && closeCode <= 4999 ? closeCode : 1006, reason),
      () => this.#over(1006, ''),
    );
    ready.then(
      () => {
        this.reached = true;
        this.#greet(deps.ticks() + GIVE_UP, AGAIN);
        void this.#read(reader);
      },
      () => {}, // so is closed
    );
  }

  /**
   * Where datagrams come, and where they are written: browsers call that differently. One that has neither gets its session back.
   *
   * @param {any} datagrams
   * @returns {{ reader: ReadableStreamDefaultReader<Uint8Array>, writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>> }}
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
   * Says something (S9).
   *
   * @param {Uint8Array<ArrayBuffer>} up
   */
  send(up) {
    if (this.readyState !== OPEN || !this.#conn || !this.#upward) return;
    if (isProbe(up)) {
      this.#owes = true;
      this.#conn.ask();
    } else this.#upward.send(this.#deps.ticks(), up);
    this.#happens();
    this.#pump();
  }

  /** Bytes that wait for room, or to be acknowledged. */
  get bufferedAmount() {
    return (this.#conn?.waiting ?? 0) + (this.#upward?.waiting ?? 0);
  }

  /** The round trip in milliseconds; 0: not known yet. */
  get roundTrip() {
    return this.#conn?.roundTrip ?? 0;
  }

  /**
   * Lets go of it. Nothing more is told.
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

  /** Whether somebody looks at the page. Timers of one that is hidden come late. @param {boolean} isHidden */
  hide(isHidden) {
    this.#isHidden = isHidden;
    this.#conn?.hurry(isHidden);
    if (this.#conn) this.#happens();
    this.#pump();
  }

  /** Something is said or heard, or somebody begins to look. */
  #happens() {
    this.#livelyUntil = this.#deps.ticks() + HAPPENING;
  }

  // ---- the handshake ----

  /** Says Hello until there is an answer (D17). @param {number} until @param {number} wait */
  #greet(until, wait) {
    if (this.readyState !== CONNECTING) return;
    const left = until - this.#deps.ticks();
    if (left <= 0) {
      this.#break(1006);
      return;
    }
    this.#write(this.#hello);
    this.#timer = this.#deps.setTimeout(
      () => this.#greet(until, Math.min(2 * wait, LONGEST)),
      Math.min(wait, left),
    );
  }

  /** A packet before there is a connection. @param {Uint8Array} bytes */
  #meet(bytes) {
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
      this.#break(error.code);
    }
  }

  /** There is a connection. @param {import('./packet.js').Limits} theyTake */
  #begin(theyTake) {
    const now = this.#deps.ticks();
    this.#largest = this.#session.datagrams.maxDatagramSize;
    if (!(this.#largest >= LEAST)) {
      this.#break(1006);
      return;
    }
    this.#conn = new Conn({
      now,
      largest: this.#largest,
      takes: TAKES,
      theyTake,
      keepalive: LIVELY,
      execute: (number, body) => this.#make(() => this.#joiner.message(number, body)),
      executeLoose: (_, body) => this.#make(() => this.#joiner.loose(body)),
    });
    this.#upward = new Upward(this.#conn);
    this.readyState = OPEN;
    this.#toldAt = now;
    this.hide(this.#isHidden);
    this.onopen?.({});
    for (const bytes of this.#early.splice(0)) this.#take(bytes);
  }

  // ---- what comes ----

  /** Takes what comes until nothing does any more: the session says why. @param {ReadableStreamDefaultReader<Uint8Array>} reader */
  async #read(reader) {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (done || !value || this.readyState === CLOSED) return;
      if (this.#conn) this.#take(value);
      else this.#meet(value);
    }
  }

  /** A packet of the connection. @param {Uint8Array} bytes */
  #take(bytes) {
    const { ticks } = this.#deps;
    const now = ticks();
    this.#conn?.receive(now, bytes);
    this.#upward?.flush();
    if (this.#frames.length > 0) this.#happens();
    else if (this.#owes || now - this.#toldAt >= SIGN) this.#frames.push(NOTHING);
    if (this.#frames.length > 0) {
      this.#toldAt = now;
      this.#owes = false;
    }
    for (const data of this.#frames.splice(0)) this.#tell(data);
    this.#pump();
  }

  /** Tells the page a frame. What goes wrong there is not the line's fault. @param {ArrayBuffer} data */
  #tell(data) {
    try {
      if (this.readyState === OPEN) this.onmessage?.({ data });
    } catch (error) {
      this.#deps.report(error);
    }
  }

  /** Makes a frame of a message. @param {() => Uint8Array | null} join */
  #make(join) {
    if (this.#conn?.ended) return; // what comes behind what was no frame
    try {
      const frame = join();
      if (frame) this.#frames.push(bufferOf(frame));
    } catch (error) {
      if (!(error instanceof MalformedError)) throw error;
      this.#conn?.close(this.#deps.ticks(), 1002, 'a message is no frame');
    }
  }

  // ---- what goes ----

  /** Sends what there is to send, and says when to look again. */
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
      else this.#break(code);
      return;
    }
    const asked = Math.min(conn.askedSince, this.#full); // who could not even ask has as little hope
    const gone = Math.max(conn.heard + SILENT, asked + ANSWER, this.#grace);
    const at = this.#isFull ? gone : Math.min(conn.wake, gone);
    this.#deps.clearTimeout(this.#timer);
    this.#timer = this.#deps.setTimeout(() => this.#look(at, gone), Math.max(0, at - now));
  }

  /** The path may take less than before, or more (D28). @param {Conn} conn @returns {boolean} whether it still is one */
  #measure(conn) {
    const { maxDatagramSize } = this.#session.datagrams;
    if (maxDatagramSize === this.#largest) return true;
    this.#largest = maxDatagramSize;
    if (maxDatagramSize >= LEAST) conn.resize(maxDatagramSize);
    else this.#break(1006);
    return maxDatagramSize >= LEAST;
  }

  /** Whether the browser takes no datagrams for now. */
  get #isFull() {
    return this.#full < Number.POSITIVE_INFINITY;
  }

  /** @param {number} due when it should have been called @param {number} gone from when on silence says that the line is */
  #look(due, gone) {
    const now = this.#deps.ticks();
    if (now >= gone && now - due > LATE) {
      this.#conn?.ask();
      this.#grace = now + ANSWER;
    } else if (now >= gone) {
      this.#break(1006);
      return;
    }
    this.#pump();
  }

  /** @param {Uint8Array<ArrayBuffer>} packet */
  #write(packet) {
    const writer = this.#writer;
    writer.write(packet).catch(() => {}); // the session is over, and says so
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

  /** The connection is of no use any more. @param {number} code */
  #break(code) {
    this.#session.close({ closeCode: code === 1006 ? 4000 : code, reason: '' });
    this.#over(code, '');
  }

  /** It is over, and the page is told. @param {number} code @param {string} reason */
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

/** @param {Uint8Array} bytes @returns {ArrayBuffer} of these bytes alone */
function bufferOf(bytes) {
  const { buffer, byteLength } = bytes;
  return /** @type {ArrayBuffer} */ (
    buffer.byteLength === byteLength ? buffer : bytes.slice().buffer
  );
}
