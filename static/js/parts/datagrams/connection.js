/**
 * One end of a connection by datagrams, as a machine that is stepped: what comes is handed to it, and it says what is to be sent (docs/protocol/datagram.md, D20 to
 * D29). It is that of server/transport/connection in Go without plain UDP, and without a window: what a page says is little (D27). No DOM, no
 * clock, no socket; times are in milliseconds since any moment, and do not go back.
 *
 * @module
 */

import { broken, CloseError, exceeded } from './graph.js';
import { costOf, wrap } from './header.js';
import { Receiver } from './receiver.js';
import { Sender } from './sender.js';
import {
  ASKING,
  Builder,
  encodeClose,
  kindOf,
  readClose,
  readRecords,
  readStart,
  silence,
  START_SIZE,
  looseSize,
  writeStart,
} from './packet.js';
import { ACK_DELAY, Assemblies, Received } from './receiving.js';
import { Flight, LooseBox, Outbox } from './sending.js';
import { RoundTrip } from './roundtrip.js';

/** @typedef {import('./packet.js').Limits} Limits */
/** @typedef {import('./sending.js').Sent} Sent */
/** @typedef {import('./sender.js').Handle} Handle */

/**
 * What a connection begins with: what the handshake has said.
 *
 * @typedef {object} ConnOptions
 * @property {number} now
 * @property {number} largest how many bytes a packet may have (D28)
 * @property {Limits} takes what this end takes (D14)
 * @property {Limits} theyTake what the other one takes
 * @property {number} keepalive so long after the last packet another one asks whether the other end is there (D29)
 * @property {(number: number, body: Uint8Array) => void} execute gets each guaranteed message once, after those on which it depends. It does not
 *   throw
 * @property {(key: number, body: Uint8Array) => void} executeLoose gets unguaranteed ones (D15)
 */

// All in milliseconds.
const LOOSE_ASKS = 100; // how long no packet has asked when one does that has nothing guaranteed in it (D24)
const SILENT = 10_000; // after that a path is dead (D29)
const DOUBT = 150; // the least before an end asks again that was not answered (D29)
const LONG_DOUBT = 2000; // without an answer for so long, it asks once a second
const CLOSING = 1000; // for what waits when a connection ends in good order (D29)

/** By how many packets one may be overtaken before it counts as lost, before more is learned; and how much is believed (D26). */
const LEAST_DISTANCE = 3;
const MOST_DISTANCE = 60;

/** So many bytes a packet has at least that asks whether anybody is there (D29). */
const LEAST_ASKING = 24;

/** How often a Close is said again (D29). */
const MAX_ANSWERS = 3;

/** Packets are at least so large, and at most, whatever the path takes. */
const MIN_SIZE = 512;
const MAX_SIZE = 16 * 1024;

/** Codes of an end in good order: what waits is sent before (D29). */
const ORDERLY = new Set([1000, 1001, 4001, 4002, 4004]);

export class Conn {
  /** Why the connection is over; null while it is not. @type {CloseError | null} */
  ended = null;
  /** When the last packet came. */
  heard;
  /** When the other end was first asked since then whether it is there; Infinity: not yet. */
  askedSince = Number.POSITIVE_INFINITY;
  keepalive;
  #options;
  #largest;
  #spoke; // when the last packet was sent

  // What comes.
  #in = new Received();
  #parts = new Assemblies();
  #graph;

  // What is sent.
  #sender;
  #out;
  #loose = new LooseBox();
  #turn = false; // what is not guaranteed goes first in the next packet
  #ask = true; // the next packet is to ask for an acknowledgement
  #asked = 0; // when the last one did

  // What becomes of it.
  #flight = new Flight();
  #trip = new RoundTrip();
  #acked = 0; // one above the highest packet that was acknowledged
  #ackedBy = 0; // one above the highest packet that has said so
  #distance = LEAST_DISTANCE;
  #lossAt = Number.POSITIVE_INFINITY; // when the next packet counts as lost by time
  #quiet; // since when nothing was acknowledged
  #probes = 0; // probe time-outs since then
  #probe = false; // a packet may be sent though too many are under way

  // The end.
  /** What is going to be said. @type {CloseError | null} */
  #closing = null;
  #closeBy = Number.POSITIVE_INFINITY;
  #say = false; // a Close is to be sent
  #answers = 0; // how often it was, as an answer

  /** @param {ConnOptions} options */
  constructor(options) {
    const { now, largest, takes, theyTake, keepalive, execute, executeLoose } = options;
    this.#options = options;
    this.#largest = bounded(largest);
    this.keepalive = keepalive;
    this.heard = this.#spoke = this.#quiet = now;
    this.#graph = new Receiver(takes.window, execute, executeLoose);
    this.#sender = new Sender(theyTake.window);
    this.#out = new Outbox(this.#sender);
  }

  // ---- sending ----

  /**
   * Sends a guaranteed message, which is not copied.
   *
   * @param {Uint8Array} body
   * @param {Handle[]} deps what is executed before it (D2)
   * @param {Handle | null} handle to be filled
   * @returns {boolean} whether it was taken: not if it is too large, the window is full (D3), or the connection ends
   */
  send(body, deps, handle) {
    if (this.ended || this.#closing || body.length > this.#options.theyTake.message) return false;
    this.#sender.begin();
    for (const d of deps) this.#sender.depend(d);
    const header = this.#sender.end(handle, body.length);
    if (header) this.#out.add(header, body);
    return header !== null;
  }

  /**
   * Sends an unguaranteed message once, or never: when a newer one of the same key waits behind it, or when it could not be sent in time (D15).
   *
   * @param {number} now
   * @param {number} key 0: none
   * @param {Uint8Array} body
   * @returns {boolean} whether it was taken: not if it does not fit into a packet, or the connection ends
   */
  sendLoose(now, key, body) {
    if (this.ended || this.#closing || looseSize(key, body) > this.#capacity) return false;
    this.#loose.expire(now);
    this.#loose.add(now, key, body);
    return true;
  }

  /** How many bytes of records there is room for in any packet. */
  get #capacity() {
    return this.#largest - START_SIZE;
  }

  /** Asks the other end whether it is there. */
  ask() {
    this.#ask = true;
  }

  /** The path takes packets of so many bytes from now on (D28). Larger ones that are under way are sent again. @param {number} largest */
  resize(largest) {
    this.#largest = bounded(largest);
    for (const sent of this.#flight.flying()) if (sent.size > this.#largest) this.#giveUp(sent);
  }

  /** Acknowledges what comes at once, or lets it wait for company (D24). @param {boolean} atOnce */
  hurry(atOnce) {
    this.#in.patience = atOnce ? 0 : ACK_DELAY;
  }

  /** Bytes of guaranteed messages that are not acknowledged. */
  get waiting() {
    return this.#out.bytes;
  }

  /** The smoothed round trip (D26); 0 before the first measurement. */
  get roundTrip() {
    return this.#trip.smoothed;
  }

  /** All messages below have been executed (D10). */
  get floor() {
    return this.#graph.floor;
  }

  /**
   * The next packet that may be sent now. It is called until there is none, or the path is full. It may be what ends the connection.
   *
   * @param {number} now
   * @returns {Uint8Array<ArrayBuffer> | null}
   */
  next(now) {
    if (!this.ended) this.#expire(now);
    if (this.ended) return this.#farewell();
    const records = this.#mayFly && this.#waits;
    const ask = this.#ask || now - this.#spoke >= this.#patience;
    return records || ask || this.#ackDue(now) ? this.#build(now, records, ask) : null;
  }

  /** After how long without sending something is sent. An end that waits for an answer asks more often (D29). */
  get #patience() {
    if (this.askedSince > this.#spoke) return this.keepalive;
    const again =
      this.#spoke - this.askedSince >= LONG_DOUBT ? 1000 : Math.max(DOUBT, 2 * this.#trip.smoothed);
    return Math.min(this.keepalive, again);
  }

  /** Whether a packet with messages may be sent (D27): if too many are under way, only a probe. */
  get #mayFly() {
    return this.#probe || !this.#flight.full;
  }

  get #waits() {
    return this.#out.waits || this.#loose.waits;
  }

  /** Whether acknowledgements are to be sent, alone if need be (D24). @param {number} now */
  #ackDue(now) {
    return this.#in.asking > 0 && this.#in.due <= now;
  }

  /**
   * Makes a packet: acknowledgements if something has asked for them, records if they may be sent.
   *
   * @param {number} now @param {boolean} records @param {boolean} ask
   */
  #build(now, records, ask) {
    // If too many are under way this is no packet with messages, but for a probe: so nothing is kept for ever of whoever asks for
    // acknowledgements and gives none, and nobody falls silent.
    const oldest = this.#flight.full && this.#flight.find(this.#flight.first);
    if (oldest) this.#giveUp(oldest);
    const b = new Builder(this.#largest);
    const acks = this.#in.asking > 0;
    writeStart(b, this.#flight.next & 0xffff, acks ? this.#in.say(now, wrap(this.floor)) : null);
    const empty = b.at;
    const units = records ? this.#fill(b) : [];
    const filled = b.at > empty;
    if (units.length === 0 ? ask && b.room > 0 : this.#probes > 0) pad(b, units.length === 0);
    if (b.at === empty && !this.#ackDue(now)) return null;
    const asks = units.length > 0 || (b.at > empty && (ask || now - this.#asked >= LOOSE_ASKS));
    if (!asks) silence(b);
    const fate = asks ? 'flying' : filled ? 'passing' : 'settled';
    if (asks && this.#flight.count === 0) this.#quiet = now;
    this.#flight.add({ at: now, size: b.at, told: acks ? this.#in.next : 0, units }, fate);
    this.#spoke = now;
    if (filled) this.#probe = false;
    if (asks) {
      [this.#asked, this.#ask] = [now, false];
      this.askedSince = Math.min(this.askedSince, now);
    }
    if (acks) this.#in.asking = 0;
    return b.done();
  }

  /** Puts messages into a packet, what is guaranteed and what is not first by turns: so neither keeps the other out. @param {Builder} b */
  #fill(b) {
    this.#turn = !this.#turn;
    if (this.#turn) this.#loose.fill(b, this.#capacity);
    const units = this.#out.fill(b, this.#capacity);
    if (!this.#turn) this.#loose.fill(b, this.#capacity);
    return units;
  }

  /** Does what is to be done because it is time. @param {number} now */
  #expire(now) {
    this.#loose.expire(now);
    try {
      this.#graph.expire(now);
    } catch (error) {
      this.#fail(error);
    }
    if (now - this.heard >= SILENT) this.#end(new CloseError(4000, 'silent'));
    else if (this.#closing && (this.#out.empty || now >= this.#closeBy)) this.#end(this.#closing);
    if (now >= this.#lossAt) this.#detect(now);
    if (this.#flight.count > 0 && now >= this.#probeAt) this.#sendProbes(now);
  }

  /** When probes are sent if nothing is acknowledged before (D26). */
  get #probeAt() {
    return this.#quiet + this.#trip.probeAfter(this.#probes);
  }

  /** Sends the two oldest messages again that are under way. If there are none nobody misses what is. @param {number} now */
  #sendProbes(now) {
    this.#probes++;
    this.#quiet = now;
    const flying = this.#flight.flying();
    /** @type {import('./sending.js').Unit[]} */
    const oldest = [];
    for (const unit of flying.flatMap(({ units }) => units)) {
      const isKnown = oldest.some(
        ({ number, from, to }) => number === unit.number && from === unit.from && to === unit.to,
      );
      if (oldest.length < 2 && !isKnown && !this.#out.settled(unit)) oldest.push(unit);
    }
    for (const unit of oldest) this.#out.repeat(unit);
    if (oldest.length > 0) this.#probe = true;
    else for (const sent of flying) this.#giveUp(sent);
  }

  /** Sends again what is in a packet, without taking it for lost. @param {Sent} sent */
  #giveUp(sent) {
    this.#flight.land(sent, 'given up');
    for (const unit of sent.units) this.#out.lose(unit);
  }

  /**
   * When next() is to be called again though nothing comes and nothing is sent. It may be in the past: now. Infinity: the connection is over,
   * and nothing is to be said about it.
   */
  get wake() {
    if (this.ended) return this.#say ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    if (this.#ask || (this.#mayFly && this.#waits)) return this.#spoke;
    return Math.min(
      this.heard + SILENT,
      this.#spoke + this.#patience,
      this.#in.asking > 0 ? this.#in.due : Number.POSITIVE_INFINITY,
      this.#flight.count > 0 ? this.#probeAt : Number.POSITIVE_INFINITY,
      this.#lossAt,
      this.#graph.deadline,
      this.#closeBy,
    );
  }

  // ---- receiving ----

  /**
   * Takes a packet that has come on the path, and executes what it can. What is wrong with it ends the connection.
   *
   * @param {number} now
   * @param {Uint8Array} bytes kept, and not changed
   */
  receive(now, bytes) {
    const kind = kindOf(bytes);
    if (this.ended) {
      this.#answer(kind);
      return;
    }
    try {
      if (kind === 'data') this.#receive(now, bytes);
      else if (kind === 'close') this.#receiveClose(bytes);
      else if (kind === '') throw broken('a packet of no kind that is known here'); // else it is of the handshake, and late
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {number} now @param {Uint8Array} bytes */
  #receive(now, bytes) {
    const { number: w, quiet, ack, from } = readable(() => readStart(bytes));
    const number = this.#in.number(w);
    if (number < 0) return;
    const records = readable(() => readRecords(from, this.floor));
    this.#in.take(now, number, !quiet, this.#flight.next);
    this.heard = now;
    this.askedSince = Number.POSITIVE_INFINITY;
    if (ack && number >= this.#ackedBy) {
      this.#ackedBy = number + 1;
      this.#acknowledged(now, ack);
    }
    for (const record of records) this.#enter(now, record);
  }

  /** Enters what a record says into the graph. @param {number} now @param {ReturnType<typeof readRecords>[0]} record */
  #enter(now, record) {
    const { takes } = this.#options;
    if (record.type === 'loose') {
      this.#graph.addLoose(now, record.key, record.deps, record.body);
      return;
    }
    const { header, body } = record;
    if (this.#graph.arrived(header.number)) return;
    const size = record.type === 'fragment' ? record.size : body.length;
    if (size > takes.message) throw exceeded('a message is too large');
    const isCrowded = () =>
      this.#graph.waiting + this.#parts.cost + costOf(header, size) > takes.window;
    let whole = body;
    if (record.type === 'fragment') {
      if (!this.#parts.has(header.number) && isCrowded()) throw exceeded('too much waits');
      const added = this.#parts.add(record);
      if (!added.whole) {
        if (added.isNew) this.#graph.part(now, header.number);
        return;
      }
      whole = added.whole; // another fragment may have named fewer dependencies
    } else this.#parts.drop(header.number);
    if (header.deps.some((d) => !this.#graph.executed(d)) && isCrowded())
      throw exceeded('too much waits');
    this.#graph.add(now, header, whole.length, whole);
  }

  /** What the other end says it has received (D22), in the packet of the highest number so far that says so. @param {number} now @param {import('./packet.js').Ack} ack */
  #acknowledged(now, { latest: w, delay, floor: f, bits }) {
    const { next } = this.#flight;
    const latest = next - 1 - ((next - 1 - w) & 0xffff);
    const known = this.#sender.floor;
    const floor = known + ((f - known) & 0x7fff);
    const lowest = bits.includes(true) ? latest - 1 - bits.lastIndexOf(true) : latest;
    if (lowest < 0 || latest + 1 < this.#acked || floor > this.#out.fresh) {
      throw broken('an acknowledgement of what was never sent');
    }
    this.#sender.acknowledgeBelow(floor);
    const sent = this.#flight.find(latest);
    if (sent && sent.fate !== 'settled') this.#trip.measure(now - sent.at, delay / 10);
    let progress = floor > known;
    for (let i = bits.length - 1; i >= 0; i--) {
      if (bits[i] && this.#landed(now, latest - 1 - i, latest)) progress = true;
    }
    if (this.#landed(now, latest, latest)) progress = true;
    this.#out.settle();
    this.#acked = latest + 1;
    if (progress) [this.#probes, this.#quiet] = [0, now];
    this.#detect(now);
  }

  /**
   * Takes the acknowledgement of a packet, which is that of all that was in it.
   *
   * @param {number} now @param {number} number @param {number} latest
   * @returns {boolean} whether it is news
   */
  #landed(now, number, latest) {
    const sent = this.#flight.find(number);
    if (!sent || sent.fate === 'settled') return false;
    const was = sent.fate;
    if (was === 'flying') this.#flight.land(sent, 'settled');
    sent.fate = 'settled';
    if (was === 'passing') return false;
    if (was === 'lost') {
      this.#distance = Math.min(Math.max(this.#distance, latest - number + 1), MOST_DISTANCE);
      this.#trip.late(now - sent.at);
    }
    this.#in.known(number, sent.told);
    for (const unit of sent.units) this.#out.acknowledge(unit);
    return true;
  }

  /** Looks for packets that are lost: overtaken by too many that were acknowledged, or by one for too long (D26). @param {number} now */
  #detect(now) {
    this.#lossAt = Number.POSITIVE_INFINITY;
    const patience = this.#trip.lossAfter;
    for (const sent of this.#flight.flying(this.#acked - 1)) {
      if (this.#acked - 1 - sent.number < this.#distance && now - sent.at < patience) {
        this.#lossAt = Math.min(this.#lossAt, sent.at + patience);
        continue;
      }
      this.#flight.land(sent, 'lost');
      for (const unit of sent.units) this.#out.lose(unit);
    }
  }

  // ---- the end ----

  /**
   * Ends the connection (D29). With a code that ends in good order what waits is sent before, and acknowledged, for 1 s at most. The first
   * call counts.
   *
   * @param {number} now @param {number} code @param {string} reason
   */
  close(now, code, reason) {
    if (this.ended || this.#closing) return;
    this.#closing = new CloseError(code, reason);
    this.#closeBy = now + CLOSING;
    if (!ORDERLY.has(code)) this.#end(this.#closing);
  }

  /** @param {CloseError} why */
  #end(why) {
    if (this.ended) return;
    this.ended = why;
    this.#say = !why.remote;
    this.#sender.close();
  }

  /** @param {unknown} error */
  #fail(error) {
    if (!(error instanceof CloseError)) throw error;
    this.#end(error);
  }

  /** @param {Uint8Array} bytes */
  #receiveClose(bytes) {
    const { code, reason } = readClose(bytes);
    this.#end(new CloseError(code, reason, true));
  }

  /** Says a Close again, because something came of an end that does not know yet. @param {string} kind */
  #answer(kind) {
    if (kind !== 'data' || this.ended?.remote || this.#answers === MAX_ANSWERS) return;
    this.#answers++;
    this.#say = true;
  }

  /** The Close that is to be sent, if one is. */
  #farewell() {
    if (!this.#say || !this.ended) return null;
    this.#say = false;
    return encodeClose(this.ended.code, this.ended.reason);
  }
}

/**
 * Makes a packet long enough for QUIC to answer that the connection is unknown, by records that ask (D29).
 *
 * @param {Builder} b @param {boolean} asks whether there is to be at least one
 */
function pad(b, asks) {
  if (asks) b.byte(ASKING);
  while (b.at < LEAST_ASKING) b.byte(ASKING);
}

/** @param {number} largest */
function bounded(largest) {
  return Math.min(Math.max(largest, MIN_SIZE), MAX_SIZE);
}

/**
 * What cannot be read breaks the protocol, whatever is wrong with it: the path proves who has sent it (D16).
 *
 * @template T
 * @param {() => T} read
 * @returns {T}
 */
function readable(read) {
  try {
    return read();
  } catch (error) {
    throw error instanceof CloseError ? broken(error.reason) : error;
  }
}
