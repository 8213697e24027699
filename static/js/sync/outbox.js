/**
 * The updates of one client on their way to the server: numbered (T10), put into batches (http.md), sent
 * again when an answer was lost (S5). It does not know what the updates are about. No DOM, no socket.
 *
 * @module
 */

/** @typedef {import('../types.js').Args} Args */
/** @typedef {import('../types.js').WireUpdate} WireUpdate */

/**
 * An own update that has no outcome yet (T11).
 *
 * @typedef {object} Note
 * @property {number} key counts the updates made: its name in events, where sequences are not yet known
 * @property {number} piece its name now (T21); 0 for `add` and the `shuffle` of a list
 * @property {number} sentFor the name under which it was sent for the first time, which it keeps: else it would be another update to
 *   the server (T10)
 * @property {string} op
 * @property {Args} args fixed from the first sending on
 * @property {number} at the server's time when it was made, as far as the client knew it: for what clocks show until the answer
 * @property {boolean} loose
 * @property {boolean} blind whether it has no tag (T28)
 * @property {import('../types.js').Taken | null} taken where it puts the piece; null: on the table, as before
 * @property {number} seq 0 until it is sent for the first time
 * @property {number} tag
 * @property {boolean} due whether it has to be sent again
 * @property {string[]} lost of a Loose grab: operations before it that came to nothing, to be told with its answer
 */

/** The greatest number of updates in a batch (http.md). */
export const MAX_BATCH = 256;

/** The greatest size of a batch in bytes (http.md), less what stands around the updates. */
const MAX_BYTES = 256 * 1024 - 256;

/**
 * How many outcomes the server remembers of a client (T10). No more are ever waited for: so every answer
 * that was lost can be had again.
 */
export const REMEMBERED = 512;

export class Outbox {
  constructor() {
    /** Sent and not answered, by sequence, ascending. @type {Map<number, Note>} */
    this.sent = new Map();
    /** Made and never sent, in the order of their making. @type {Set<Note>} */
    this.queue = new Set();
    /** The batch in flight. @type {Note[] | null} */
    this.flying = null;
    /** The last sequence given. */
    this.last = 0;
  }

  /** @param {Note} note */
  add(note) {
    this.queue.add(note);
  }

  /**
   * Forgets a note: it has its outcome, or is given up.
   *
   * @param {Note} note
   */
  drop(note) {
    this.queue.delete(note);
    this.sent.delete(note.seq);
  }

  /** Whether a note still waits. @param {Note} note */
  has(note) {
    return this.queue.has(note) || this.sent.get(note.seq) === note;
  }

  /** All that wait, those that were sent first. */
  notes() {
    return [...this.sent.values(), ...this.queue];
  }

  /** The lowest sequence that waits for its outcome, 0 if none (S1). */
  lowest() {
    return this.sent.keys().next().value ?? 0;
  }

  /**
   * The next batch; null if one is in flight or there is nothing to send. What has to be sent again goes
   * first and alone, in the old order with the old numbers and tags.
   *
   * @param {(note: Note) => boolean} isHeld whether a note has to wait for another's answer (T17)
   * @param {(note: Note) => number} tagOf the tag for a note that is sent for the first time
   * @returns {WireUpdate[] | null}
   */
  take(isHeld, tagOf) {
    if (this.flying) return null;
    const batch = this.fill([...this.sent.values()].filter((note) => note.due));
    if (batch.notes.length === 0) this.number(batch, isHeld, tagOf);
    if (batch.notes.length === 0) return null;
    for (const note of batch.notes) note.due = false;
    this.flying = batch.notes;
    return batch.updates;
  }

  /**
   * As many of the notes as fit into a batch.
   *
   * @private
   * @param {Note[]} notes
   */
  fill(notes) {
    /** @type {Filling} */
    const batch = { notes: [], updates: [], bytes: 0 };
    for (const note of notes) {
      if (!fits(batch, note)) break;
    }
    return batch;
  }

  /**
   * Gives numbers and tags to notes that were never sent, as many as fit and may be waited for.
   *
   * @private
   * @param {Filling} batch
   * @param {(note: Note) => boolean} isHeld
   * @param {(note: Note) => number} tagOf
   */
  number(batch, isHeld, tagOf) {
    for (const note of this.queue) {
      if (isHeld(note)) continue;
      const seq = this.last + 1;
      if (seq - (this.lowest() || seq) >= REMEMBERED) return;
      note.seq = seq;
      note.sentFor = note.piece;
      note.tag = note.piece === 0 || note.blind ? 0 : tagOf(note);
      if (!fits(batch, note)) {
        note.seq = 0;
        return;
      }
      this.last = seq;
      this.queue.delete(note);
      this.sent.set(seq, note);
    }
  }

  /** The batch in flight was judged; the outcomes come in the stream. */
  delivered() {
    this.flying = null;
  }

  /** Nobody knows whether the batch in flight was judged: it is sent again. */
  failed() {
    for (const note of this.flying ?? []) note.due = true;
    this.flying = null;
  }

  /**
   * The batch in flight was refused.
   *
   * @returns {Note[]} those of it that still wait
   */
  refused() {
    const notes = (this.flying ?? []).filter((note) => this.has(note));
    this.flying = null;
    return notes;
  }

  /**
   * A piece has another name (T21): what was never sent is sent for that.
   *
   * @param {number} from
   * @param {number} to
   */
  rename(from, to) {
    for (const note of this.queue) {
      const { into, pieces } = note.args;
      if (into === from) note.args = { ...note.args, into: to };
      if (pieces?.includes(from)) note.args = { ...note.args, pieces: pieces.map((id) => (id === from ? to : id)) };
    }
  }

  /** Answers may have been lost: whatever was sent is sent again (S5). */
  again() {
    for (const note of this.sent.values()) note.due = true;
  }
}

/** @typedef {{ notes: Note[], updates: WireUpdate[], bytes: number }} Filling */

/**
 * Puts a note into a batch, if there is room.
 *
 * @param {Filling} batch
 * @param {Note} note
 */
function fits(batch, note) {
  const update = wireUpdate(note);
  const bytes = JSON.stringify(update).length + 1;
  if (batch.notes.length >= MAX_BATCH || batch.bytes + bytes > MAX_BYTES) return false;
  batch.notes.push(note);
  batch.updates.push(update);
  batch.bytes += bytes;
  return true;
}

/**
 * @param {Note} note
 * @returns {WireUpdate}
 */
function wireUpdate({ seq, sentFor, tag, op, loose, blind, args }) {
  return {
    seq,
    ...(sentFor === 0 ? {} : { piece: sentFor }),
    ...(sentFor === 0 || blind ? {} : { tag }),
    op,
    ...(loose ? { loose: true } : {}),
    ...args,
  };
}
