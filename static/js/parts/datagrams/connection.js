/**
 * One end of a connection by datagrams, as a state machine: the caller passes in the packets that
 * arrive, and the machine returns the packets to send (docs/protocol/datagram.md, D20 to D29). It
 * does the same as server/transport/connection in Go, but has no plain UDP and no window, because a
 * page sends little (D27). No DOM, no clock, no socket. Times are in milliseconds since any fixed
 * moment, and never go back.
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
  markQuiet,
  START_SIZE,
  unguaranteedSize,
  writeStart,
} from './packet.js';
import { ACK_DELAY, Assemblies, Received } from './receiving.js';
import { Flight, UnguaranteedBox, Outbox } from './sending.js';
import { RoundTrip } from './roundtrip.js';

/** @typedef {import('./packet.js').Limits} Limits */
/** @typedef {import('./sending.js').Sent} Sent */
/** @typedef {import('./sender.js').Handle} Handle */

/**
 * The options of a connection, from the handshake.
 *
 * @typedef {object} ConnOptions
 * @property {number} now
 * @property {number} largest the greatest size of a packet, in bytes (D28)
 * @property {Limits} takes the bounds of this end (D14)
 * @property {Limits} peerLimits the bounds of the other end
 * @property {number} keepalive the time after the last packet after which another one asks the
 *   other end for an acknowledgement (D29)
 * @property {(number: number, body: Uint8Array) => void} execute called once for each guaranteed
 *   message, after all on which it depends. It does not throw
 * @property {(key: number, body: Uint8Array) => void} executeUnguaranteed called for unguaranteed
 *   messages (D15)
 * @property {boolean} [repeatsOverdue] whether what is overdue is sent again (D26.12); without it
 *   the connection runs the scripts that are older than that rule
 */

// All in milliseconds.
const UNGUARANTEED_ASKS = 100; // after this time a packet without guaranteed messages asks (D24)
const SILENT = 10_000; // a path without a packet for this time is dead (D29)
const PROBE_AFTER = 150; // the least time before an end asks again if it got no answer (D29)
const SLOW_PROBE_AFTER = 2000; // after this time without an answer it asks once a second
const CLOSING = 1000; // time for sending waiting messages, if a connection closes gracefully (D29)

/**
 * The number of later packets whose acknowledgement makes a packet count as lost: LEAST_DISTANCE at
 * first, and up to MOST_DISTANCE after packets counted as lost too early (D26).
 */
const LEAST_DISTANCE = 3;
const MOST_DISTANCE = 60;

/** How many bytes may be in flight while what is overdue is sent again (D26). */
const LITTLE_IN_FLIGHT = 8192;

/** The least size of a packet that only asks for an acknowledgement, in bytes (D29). */
const LEAST_ASKING = 24;

/** How often a Close is repeated (D29). */
const MAX_ANSWERS = 3;

/** The least and the greatest size of packets in bytes, whatever the path takes. */
const MIN_SIZE = 512;
const MAX_SIZE = 16 * 1024;

/** The codes of a graceful close: waiting messages are sent first (D29). */
const ORDERLY = new Set([1000, 1001, 4001, 4002, 4004]);

export class Conn {
  /** Why the connection has ended; null while it is open. @type {CloseError | null} */
  ended = null;
  /** When the last packet arrived. */
  heard;
  /** When this end first asked the other one after that; Infinity: not yet. */
  unansweredSince = Number.POSITIVE_INFINITY;
  keepalive;
  #options;
  #largest;
  #spoke; // when the last packet was sent

  // Receiving.
  #in = new Received();
  #parts = new Assemblies();
  #graph;

  // Sending.
  #sender;
  #out;
  #unguaranteed = new UnguaranteedBox();
  #turn = false; // whether unguaranteed messages go first in the next packet
  #ask = true; // whether the next packet has to ask for an acknowledgement
  #asked = 0; // when the last packet asked

  // Packets in flight.
  #flight = new Flight();
  #trip = new RoundTrip();
  #acked = 0; // the highest packet number that was acknowledged, plus 1
  #ackedBy = 0; // the highest number of a packet that carried an acknowledgement, plus 1
  #distance = LEAST_DISTANCE;
  #lossAt = Number.POSITIVE_INFINITY; // when the next packet counts as lost by time
  #quiet; // since when nothing was acknowledged
  #probes = 0; // probe timeouts since then
  #probe = false; // whether a packet may be sent although too many are in flight

  // The end.
  /** The reason of a graceful close that has begun. @type {CloseError | null} */
  #closing = null;
  #closeBy = Number.POSITIVE_INFINITY;
  #closeDue = false; // whether a Close has to be sent
  #closesRepeated = 0; // how often a Close was repeated

  /** @param {ConnOptions} options */
  constructor(options) {
    const { now, largest, takes, peerLimits, keepalive, execute, executeUnguaranteed } = options;
    this.#options = options;
    this.#largest = bounded(largest);
    this.keepalive = keepalive;
    this.heard = this.#spoke = this.#quiet = now;
    this.#graph = new Receiver(takes.window, execute, executeUnguaranteed);
    this.#sender = new Sender(peerLimits.window);
    this.#out = new Outbox(this.#sender);
  }

  // ---- sending ----

  /**
   * Sends a guaranteed message. It keeps the body without copying it.
   *
   * @param {Uint8Array} body
   * @param {Handle[]} deps messages that have to be executed before it (D2)
   * @param {Handle | null} handle a handle to fill
   * @returns {boolean} false if the message is too large, the window is full (D3), or the
   *   connection is ending
   */
  send(body, deps, handle) {
    if (this.ended || this.#closing || body.length > this.#options.peerLimits.message) return false;
    this.#sender.begin();
    for (const d of deps) this.#sender.depend(d);
    const header = this.#sender.end(handle, body.length);
    if (header) this.#out.add(header, body);
    return header !== null;
  }

  /**
   * Sends an unguaranteed message at most once. It is discarded if a newer one of the same key
   * comes while it waits, or if it could not be sent in time (D15).
   *
   * @param {number} now
   * @param {number} key 0: none
   * @param {Uint8Array} body
   * @returns {boolean} false if it does not fit into a packet, or if the connection is ending
   */
  sendUnguaranteed(now, key, body) {
    if (this.ended || this.#closing || unguaranteedSize(key, body) > this.#capacity) return false;
    this.#unguaranteed.expire(now);
    this.#unguaranteed.add(now, key, body);
    return true;
  }

  /** The number of bytes for records that every packet has. */
  get #capacity() {
    return this.#largest - START_SIZE;
  }

  /** Makes the next packet ask for an acknowledgement. */
  ask() {
    this.#ask = true;
  }

  /**
   * Sets the greatest size of packets that the path takes (D28). The contents of larger packets in
   * flight are sent again.
   * @param {number} largest
   */
  resize(largest) {
    this.#largest = bounded(largest);
    for (const sent of this.#flight.flying()) if (sent.size > this.#largest) this.#giveUp(sent);
  }

  /**
   * Sets whether acknowledgements are sent at once, or wait up to ACK_DELAY for other content
   * (D24).
   * @param {boolean} atOnce
   */
  setAckAtOnce(atOnce) {
    this.#in.patience = atOnce ? 0 : ACK_DELAY;
  }

  /** Bytes of guaranteed messages that are not acknowledged. */
  get waiting() {
    return this.#out.bytes;
  }

  /** The smoothed round-trip time (D26); 0 before the first measurement. */
  get roundTrip() {
    return this.#trip.smoothed;
  }

  /** The floor: all messages below it have been executed (D10). */
  get floor() {
    return this.#graph.floor;
  }

  /**
   * Returns the next packet to send now; null if there is none. Call it until it returns null or
   * the path is full. The packet may be the Close of the connection.
   *
   * @param {number} now
   * @returns {Uint8Array<ArrayBuffer> | null}
   */
  next(now) {
    if (!this.ended) this.#expire(now);
    if (this.ended) return this.#nextClose();
    const records = this.#mayFly && this.#waits;
    const ask = this.#ask || now - this.#spoke >= this.#patience;
    return records || ask || this.#ackDue(now) ? this.#build(now, records, ask) : null;
  }

  /**
   * The time without sending after which something is sent. An end that waits for an answer asks
   * more often (D29).
   */
  get #patience() {
    if (this.unansweredSince > this.#spoke) return this.keepalive;
    const again =
      this.#spoke - this.unansweredSince >= SLOW_PROBE_AFTER
        ? 1000
        : Math.max(PROBE_AFTER, 2 * this.#trip.smoothed);
    return Math.min(this.keepalive, again);
  }

  /**
   * Whether a packet with messages may be sent (D27). If too many are in flight, only a probe may.
   */
  get #mayFly() {
    return this.#probe || !this.#flight.full;
  }

  get #waits() {
    return this.#out.waits || this.#unguaranteed.waits;
  }

  /** Returns whether acknowledgements have to be sent, even alone (D24). @param {number} now */
  #ackDue(now) {
    return this.#in.asking > 0 && this.#in.due <= now;
  }

  /**
   * Makes a packet with acknowledgements if a packet has asked for them, and with records if those
   * may be sent.
   *
   * @param {number} now
   * @param {boolean} records
   * @param {boolean} ask
   */
  #build(now, records, ask) {
    // If too many packets are in flight, only a probe may carry messages, and each packet replaces
    // the oldest one. So memory stays bounded if the other end asks for acknowledgements and sends
    // none, and this end still answers.
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
    const asks =
      units.length > 0 || (b.at > empty && (ask || now - this.#asked >= UNGUARANTEED_ASKS));
    if (!asks) markQuiet(b);
    const fate = asks ? 'flying' : filled ? 'passing' : 'settled';
    if (asks && this.#flight.count === 0) this.#quiet = now;
    this.#flight.add({ at: now, size: b.at, ackedBelow: acks ? this.#in.next : 0, units }, fate);
    this.#spoke = now;
    if (filled) this.#probe = false;
    if (asks) {
      [this.#asked, this.#ask] = [now, false];
      this.unansweredSince = Math.min(this.unansweredSince, now);
    }
    if (acks) this.#in.asking = 0;
    return b.done();
  }

  /**
   * Puts messages into a packet. Guaranteed and unguaranteed ones go first by turns, so that
   * neither blocks the other.
   * @param {Builder} b
   */
  #fill(b) {
    this.#turn = !this.#turn;
    if (this.#turn) this.#unguaranteed.fill(b, this.#capacity);
    const units = this.#out.fill(b, this.#capacity);
    if (!this.#turn) this.#unguaranteed.fill(b, this.#capacity);
    return units;
  }

  /** Handles everything whose time has come. @param {number} now */
  #expire(now) {
    this.#unguaranteed.expire(now);
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

  /**
   * Sends the two oldest messages in flight again. If no packet in flight has messages, all of them
   * are dropped, because nobody misses them.
   * @param {number} now
   */
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

  /** Sends the contents of a packet again, without counting it as lost. @param {Sent} sent */
  #giveUp(sent) {
    this.#flight.land(sent, 'given up');
    for (const unit of sent.units) this.#out.lose(unit);
  }

  /**
   * When to call next() again if nothing arrives and nothing is sent. It may lie in the past, which
   * means now. Infinity: the connection has ended, and nothing has to be sent.
   */
  get wake() {
    if (this.ended) return this.#closeDue ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
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
   * Takes in a packet that has arrived on the path, and executes what it can. A faulty packet ends
   * the connection.
   *
   * @param {number} now
   * @param {Uint8Array} bytes it is kept, and must not change
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
      // any other kind belongs to the handshake, and is late
      else if (kind === '') throw broken('a packet of no kind that is known here');
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
    this.unansweredSince = Number.POSITIVE_INFINITY;
    if (ack && number >= this.#ackedBy) {
      this.#ackedBy = number + 1;
      this.#acknowledged(now, ack);
    }
    for (const record of records) this.#enter(now, record);
  }

  /**
   * Puts what a record carries into the graph.
   * @param {number} now
   * @param {ReturnType<typeof readRecords>[0]} record
   */
  #enter(now, record) {
    const { takes } = this.#options;
    if (record.type === 'loose') {
      this.#graph.addUnguaranteed(now, record.key, record.deps, record.body);
      return;
    }
    const { header, body } = record;
    if (this.#graph.arrived(header.number)) return;
    const size = record.type === 'fragment' ? record.size : body.length;
    if (size > takes.message) throw exceeded('a message is too large');
    const isCrowded = () =>
      this.#graph.waiting + this.#parts.cost + costOf(header, size) > takes.window;
    let message = body;
    if (record.type === 'fragment') {
      if (!this.#parts.has(header.number) && isCrowded()) throw exceeded('too much waits');
      const added = this.#parts.add(record);
      if (!added.whole) {
        if (added.isNew) this.#graph.part(now, header.number);
        return;
      }
      // the check is repeated below, because another fragment may have named fewer dependencies
      message = added.whole;
    } else this.#parts.drop(header.number);
    if (header.deps.some((d) => !this.#graph.executed(d)) && isCrowded())
      throw exceeded('too much waits');
    this.#graph.add(now, header, message.length, message);
  }

  /**
   * Takes in an acknowledgement (D22). The caller ignores those of packets below the highest one
   * that carried an acknowledgement.
   * @param {number} now
   * @param {import('./packet.js').Ack} ack
   */
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
   * Takes in the acknowledgement of a packet, and so of everything in it.
   *
   * @param {number} now
   * @param {number} number
   * @param {number} latest
   * @returns {boolean} whether it is new
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
    this.#in.known(number, sent.ackedBelow);
    for (const unit of sent.units) this.#out.acknowledge(unit);
    return true;
  }

  /**
   * Finds lost packets: those that too many later packets have overtaken, or that one has overtaken
   * for too long (D26).
   * @param {number} now
   */
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
    if (
      this.#options.repeatsOverdue &&
      this.#trip.smoothed > 0 &&
      this.#flight.bytes <= LITTLE_IN_FLIGHT
    )
      this.#repeatOverdue(now);
  }

  /**
   * Sends again what is in packets that are overdue although none sent later was acknowledged:
   * where packets are rare, that takes long (D26). They do not count as lost. While nothing at all
   * is acknowledged, probes look after them.
   * @param {number} now
   */
  #repeatOverdue(now) {
    const patience = this.#trip.probeAfter(0);
    for (const sent of this.#flight.flying(this.#flight.next, this.#acked)) {
      if (sent.repeated) continue;
      const due = sent.at + patience;
      if (now < due) {
        if (due < this.#probeAt) this.#lossAt = Math.min(this.#lossAt, due);
        return;
      }
      sent.repeated = true;
      for (const unit of sent.units) if (!this.#out.settled(unit)) this.#out.repeat(unit);
    }
  }

  // ---- the end ----

  /**
   * Ends the connection (D29). With a code of a graceful close it first sends waiting messages, for
   * 1 s at most. Only the first call counts.
   *
   * @param {number} now
   * @param {number} code
   * @param {string} reason
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
    this.#closeDue = !why.remote;
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

  /**
   * Repeats a Close, because the other end has sent something and does not know of it yet.
   * @param {string} kind
   */
  #answer(kind) {
    if (kind !== 'data' || this.ended?.remote || this.#closesRepeated === MAX_ANSWERS) return;
    this.#closesRepeated++;
    this.#closeDue = true;
  }

  /** Returns the Close to send, if there is one. */
  #nextClose() {
    if (!this.#closeDue || !this.ended) return null;
    this.#closeDue = false;
    return encodeClose(this.ended.code, this.ended.reason);
  }
}

/**
 * Pads a packet with records that ask, so that QUIC answers it if it does not know the connection
 * (D29).
 *
 * @param {Builder} b
 * @param {boolean} asks whether to add at least one such record
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
 * Reads something. Any fault breaks the protocol, because the path proves who has sent it (D16).
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
