/**
 * The updates of one client on their way to the server. The outbox numbers them (T10), puts them
 * into batches (http.md), and sends them again when an outcome was lost (S5). It does not know what
 * they are about. No DOM, no socket.
 *
 * @module
 */

/** @typedef {import('../types.js').Args} Args */
/** @typedef {import('../types.js').WireUpdate} WireUpdate */

/**
 * An update of the client's own that has no outcome yet (T11).
 *
 * @typedef {object} PendingUpdate
 * @property {number} key counts the updates made. Events name an update by it, because it has no
 *   sequence before it is sent
 * @property {number} piece its name now (T21); 0 for `add` and the `shuffle` of a list
 * @property {number} sentFor the name under which the update was sent first. It keeps this name: by
 *   another one it would be another update (T10)
 * @property {string} op
 * @property {Args} args fixed once it was sent
 * @property {number} at the server's time when it was made, as far as the client knew it: for what
 *   clocks show until the outcome
 * @property {boolean} loose
 * @property {boolean} blind whether it has no tag (T28)
 * @property {import('../types.js').Taken | null} taken where it puts the piece; null: on the table,
 *   as before
 * @property {number} seq 0 until it is sent for the first time
 * @property {number} tag
 * @property {number} [into] the name now of the container that `args.into` named when it was sent
 * @property {boolean} due whether it has to be sent again
 * @property {string[]} lost operations before it that were lost, and are reported with its outcome
 */

/** The greatest number of updates in a batch (http.md). */
export const MAX_BATCH = 256;

/** The greatest size of a batch in bytes (http.md), without what stands around the updates. */
const MAX_BYTES = 256 * 1024 - 256;

/**
 * How many outcomes the server remembers of a client (T10). The client does not wait for more of
 * them, so it can get every lost outcome again.
 */
export const REMEMBERED = 512;

export class Outbox {
  constructor() {
    /** Sent and not answered, by sequence, ascending. @type {Map<number, PendingUpdate>} */
    this.sent = new Map();
    /** Made and never sent, in the order in which they were made. @type {Set<PendingUpdate>} */
    this.queue = new Set();
    /**
     * The batches in flight, by what `take` has returned.
     * @type {Map<WireUpdate[], PendingUpdate[]>}
     */
    this.inFlight = new Map();
    /** The last sequence given. */
    this.last = 0;
  }

  /** @param {PendingUpdate} update */
  add(update) {
    this.queue.add(update);
  }

  /**
   * Removes an update that has its outcome or is given up.
   *
   * @param {PendingUpdate} update
   */
  drop(update) {
    this.queue.delete(update);
    this.sent.delete(update.seq);
  }

  /**
   * Whether an update is still pending.
   *
   * @param {PendingUpdate} update
   */
  has(update) {
    return this.queue.has(update) || this.sent.get(update.seq) === update;
  }

  /** All pending updates, those first that were sent. */
  all() {
    return [...this.sent.values(), ...this.queue];
  }

  /** The lowest sequence that has no outcome, 0 if there is none (S1). */
  lowest() {
    return this.sent.keys().next().value ?? 0;
  }

  /**
   * The next batch; null if there is nothing to send. What has to be sent again goes first and
   * alone, in the old order, with the old numbers and tags.
   *
   * @param {(update: PendingUpdate) => boolean} isHeld whether an update has to wait for the
   *   outcome of another one (T17)
   * @param {(update: PendingUpdate) => number} tagOf the tag for an update that is sent for the
   *   first time
   * @param {number} [most] how many bytes the updates may have; the first one may have more
   * @returns {WireUpdate[] | null}
   */
  take(isHeld, tagOf, most = MAX_BYTES) {
    const again = [...this.sent.values()].filter((update) => update.due);
    const batch = this.fill(again, most);
    if (batch.pending.length === 0) this.number(batch, isHeld, tagOf);
    if (batch.pending.length === 0) return null;
    for (const update of batch.pending) update.due = false;
    this.inFlight.set(batch.updates, batch.pending);
    return batch.updates;
  }

  /**
   * A batch of as many of the updates as fit.
   *
   * @private
   * @param {PendingUpdate[]} updates
   * @param {number} most
   */
  fill(updates, most) {
    /** @type {Filling} */
    const batch = { pending: [], updates: [], bytes: 0, most };
    for (const update of updates) {
      if (!fits(batch, update)) break;
    }
    return batch;
  }

  /**
   * Gives numbers and tags to updates that were never sent, as many as fit and may have no outcome.
   *
   * @private
   * @param {Filling} batch
   * @param {(update: PendingUpdate) => boolean} isHeld
   * @param {(update: PendingUpdate) => number} tagOf
   */
  number(batch, isHeld, tagOf) {
    // A batch in flight may be judged last, also if its first updates were lost meanwhile.
    const judged = [...this.inFlight.values()].map(([first]) => first.seq);
    for (const update of this.queue) {
      if (isHeld(update)) continue;
      const seq = this.last + 1;
      if (seq - Math.min(this.lowest() || seq, ...judged) >= REMEMBERED) return;
      update.seq = seq;
      update.sentFor = update.piece;
      update.tag = update.piece === 0 || update.blind ? 0 : tagOf(update);
      if (!fits(batch, update)) {
        update.seq = 0;
        return;
      }
      this.last = seq;
      this.queue.delete(update);
      this.sent.set(seq, update);
    }
  }

  /**
   * The server has judged a batch in flight; the outcomes come in the stream.
   *
   * @param {WireUpdate[]} updates
   */
  delivered(updates) {
    this.inFlight.delete(updates);
  }

  /**
   * Nobody knows whether the server has judged a batch in flight: it is sent again.
   *
   * @param {WireUpdate[]} updates
   */
  failed(updates) {
    for (const update of this.inFlight.get(updates) ?? []) update.due = true;
    this.inFlight.delete(updates);
  }

  /**
   * A batch in flight was refused.
   *
   * @param {WireUpdate[]} updates
   * @returns {PendingUpdate[]} those of its updates that are still pending
   */
  refused(updates) {
    const refused = (this.inFlight.get(updates) ?? []).filter((update) => this.has(update));
    this.inFlight.delete(updates);
    return refused;
  }

  /**
   * A piece has another name (T21). Arguments that name it change in updates that were never sent.
   * What batches in flight are about has the new name, too (D39).
   *
   * @param {number} from
   * @param {number} to
   */
  rename(from, to) {
    for (const update of [...this.inFlight.values()].flat())
      if ((update.into ?? update.args.into) === from) update.into = to;
    for (const update of this.queue) {
      const { into, pieces } = update.args;
      if (into === from) update.args = { ...update.args, into: to };
      if (!pieces?.includes(from)) continue;
      update.args = { ...update.args, pieces: pieces.map((id) => (id === from ? to : id)) };
    }
  }

  /** Outcomes may have been lost: everything that was sent is sent again (S5). */
  resendAll() {
    for (const update of this.sent.values()) update.due = true;
  }
}

/**
 * A batch that is being filled. `most` is how many bytes it may have, unless it has one update.
 *
 * @typedef {{ pending: PendingUpdate[], updates: WireUpdate[], bytes: number, most: number }}
 *   Filling
 */

/**
 * Puts an update into a batch, if there is room.
 *
 * @param {Filling} batch
 * @param {PendingUpdate} update
 * @returns {boolean} whether there was
 */
function fits(batch, update) {
  const written = wireUpdate(update);
  const bytes = JSON.stringify(written).length + 1;
  const most = batch.pending.length === 0 ? MAX_BYTES : batch.most;
  if (batch.pending.length >= MAX_BATCH || batch.bytes + bytes > most) return false;
  batch.pending.push(update);
  batch.updates.push(written);
  batch.bytes += bytes;
  return true;
}

/**
 * @param {PendingUpdate} update
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
