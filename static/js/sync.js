/**
 * The client's side of the concurrent updates (docs/protocol/table.md, stream.md): what the server has said,
 * the own updates that have no answer yet, and what both together show. No DOM, no socket, no clock.
 *
 * There are two layers for each piece. `state` is the piece as the server has told it, own recorded updates
 * included. `notes` are the own updates without an outcome, in order; what is shown is the state with their
 * effects replayed on top (T9). Whatever happens is one of a few changes to these two:
 *
 *     update()       a note more                                            shown at once
 *     Ack            the note goes, its effect goes into the state          nothing moves
 *     Update         the state changes; the notes go: conflict (T11)        the server's state is shown
 *     Reject         the same, and the one that it answers (T14)            the same
 *     Full           all states change; notes go where the mark tells of    see settle()
 *                    an update by somebody else (S5)
 *     Resumed        the notes are sent again; what was missed follows      nothing moves
 *
 * A Loose note (T17) stays when an Update comes and is replayed on top of it. The notes behind it are held
 * back, not yet numbered and tagged, until its answer; what was before it and is lost is told with its answer.
 *
 * @module
 */

import { Outbox } from './outbox.js';
import { argsOf, isPredicted, levelFor, predict } from './predict.js';
import { idsOf, wholePiece } from './wire.js';

/** @typedef {import('./types.js').Args} Args */
/** @typedef {import('./types.js').Outcome} Outcome */
/** @typedef {import('./types.js').Piece} Piece */
/** @typedef {import('./types.js').Sync} Sync */
/** @typedef {import('./outbox.js').Note} Note */

/**
 * A piece and what is outstanding for it.
 *
 * @typedef {{ state: Piece, notes: Note[] }} Entry
 */

/**
 * What has to be known when a frame with a full state is decided upon (S5).
 *
 * @typedef {object} Renewal
 * @property {Map<number, { mark: number, notes: Note[] }>} before of each piece with notes
 * @property {Map<number, Set<number>>} acked the marks of the acks in the frame, by piece
 */

/** Operations of which only the last counts while none of them has been sent. */
const COALESCING = new Set(['move', 'rotate']);

/**
 * @param {string} client the id of this client, 22 characters of base64url
 * @returns {Sync}
 */
export function createSync(client) {
  /** @type {Map<number, Entry>} */
  let entries = new Map();
  const outbox = new Outbox();
  let made = 0; // counts the updates made
  let whole = false; // whether this stream has brought its full state
  /** @type {Renewal | null} set while a frame with a full state is processed */
  let renewal = null;

  /** @type {Sync} */
  const sync = {
    client,
    pieces: new Map(),
    entering: new Map(),
    holds: new Map(),
    seats: new Map(),
    you: 0,
    info: null,
    epoch: 0,
    mark: 0,
    heavy: () => false,
    clockKind: () => null,
    taker: () => 0,
    bounds: () => null,
    now: () => 0,
    receive,
    update,
    make,
    blind,
    grabLoose,
    take,
    delivered: () => outbox.delivered(),
    failed: () => outbox.failed(),
    refused,
    reconnected,
    lowest: () => outbox.lowest(),
    pending: (piece) => (entries.get(piece)?.notes.length ?? 0) > 0,
  };
  return sync;

  // ---- what comes down ----

  /**
   * @param {import('./types.js').Frame} frame
   * @returns {Outcome}
   */
  function receive(frame) {
    /** @type {Outcome} */
    const outcome = {
      time: frame.time,
      full: false,
      resumed: false,
      renamed: [],
      changed: new Set(),
      gone: new Set(),
      placed: new Set(),
      events: [],
      motions: [],
      cursors: [],
      pongs: [],
      unsure: false,
      going: null,
    };
    for (const event of frame.events) {
      switch (event.type) {
        case 'full':
          onFull(event, outcome);
          break;
        case 'update':
          onUpdate(event, outcome);
          break;
        case 'ack':
          onAck(event, outcome);
          break;
        case 'reject':
          onReject(event, outcome);
          break;
        case 'seat':
          onSeat(event, outcome);
          break;
        case 'table':
          sync.info = tableInfo(event);
          outcome.events.push({ type: 'table' });
          break;
        case 'shuffled':
          onShuffled(event, outcome);
          break;
        case 'motions':
          outcome.motions.push({ ...event, ids: idsOf(event) });
          break;
        case 'cursors':
          outcome.cursors.push({ ...event, ids: idsOf(event) });
          break;
        case 'pong':
          outcome.pongs.push(event.nonce);
          break;
        case 'resumed':
          onResumed(event, outcome);
          break;
        case 'going':
          outcome.going = { afterMs: event.afterMs, final: event.final };
          break;
        default: // an event of a newer server is skipped (S3)
      }
    }
    if (renewal) settle(renewal, outcome);
    if (outcome.resumed) outbox.again();
    if (frame.mark !== 0) sync.mark = frame.mark;
    return outcome;
  }

  /**
   * Takes over a full state. What becomes of the notes is decided in settle(), when the acks of the frame
   * are known (S5).
   *
   * @param {import('./types.js').FullEvent} full
   * @param {Outcome} outcome
   */
  function onFull(full, outcome) {
    if (sync.epoch !== 0 && full.epoch !== sync.epoch) forgetHistory(outcome);
    /** @type {Renewal} */
    const next = { before: new Map(), acked: new Map() };
    /** @type {typeof entries} */
    const fresh = new Map();
    for (const { gone: _, ...piece } of full.pieces) {
      const { state, notes = [] } = entries.get(piece.id) ?? {};
      // A reject's mark is the client's own and may be above that of the latest entry. It remains the tag (T14).
      fresh.set(piece.id, { state: { ...piece, mark: Math.max(piece.mark, state?.mark ?? 0) }, notes });
    }
    for (const [id, { state, notes }] of entries) {
      if (notes.length > 0) next.before.set(id, { mark: state.mark, notes });
    }
    entries = fresh;
    renewal = next;
    whole = true;
    sync.epoch = full.epoch;
    sync.you = full.you;
    sync.info = tableInfo(full.table);
    sync.seats = new Map(full.seats.map((seat) => [seat.id, seat]));
    outcome.full = true;
  }

  /**
   * The stream goes on where the last one ended: what was missed follows, and says what became of the notes (S5).
   * Nothing that is shown changes by this.
   *
   * @param {import('./types.js').ResumedEvent} event
   * @param {Outcome} outcome
   */
  function onResumed({ seats }, outcome) {
    const before = sync.seats;
    sync.seats = new Map(seats.map((seat) => [seat.id, seat]));
    for (const seat of seats) {
      const known = before.get(seat.id) ?? null;
      if (!known || !sameSeat(known, seat)) outcome.events.push({ type: 'seat', id: seat.id, before: known });
    }
    whole = true;
    outcome.resumed = true;
  }

  /**
   * A new epoch: the history that the notes belong to is no more (T19).
   *
   * @param {Outcome} outcome
   */
  function forgetHistory(outcome) {
    const ops = giveUp(outbox.notes());
    entries = new Map();
    if (ops.length > 0) outcome.events.push({ type: 'lost', ops });
  }

  /**
   * Decides about the notes that the acks have left, now that the frame with the full state is processed
   * (S5): a mark that is neither one the client knew nor that of an own ack is somebody else's update.
   *
   * @param {Renewal} done
   * @param {Outcome} outcome
   */
  function settle(done, outcome) {
    renewal = null;
    for (const [id, { mark, notes }] of done.before) {
      const entry = entries.get(id);
      const unseen = entry && entry.state.mark > mark && !done.acked.get(id)?.has(entry.state.mark);
      const lost = entry ? (unseen ? overtaken(entry) : []) : deleted(notes);
      if (lost.length > 0) outcome.events.push({ type: 'conflict', piece: id, by: 0, op: 'unspecified', lost });
    }
    for (const id of new Set([...sync.pieces.keys(), ...entries.keys()])) show(id, outcome);
    outbox.again();
  }

  /**
   * Somebody else's update, or one of the server's own (T9, T11).
   *
   * @param {import('./types.js').UpdateEvent} update
   * @param {Outcome} outcome
   */
  function onUpdate({ piece: patch, by, op }, outcome) {
    const { gone, ...fields } = patch;
    const id = patch.id;
    const entry = entries.get(id);
    if (!entry && gone) return;
    if ('x' in fields || 'y' in fields || 'holder' in fields) outcome.placed.add(id);
    const before = sync.pieces.get(id) ?? null;
    let lost = /** @type {string[]} */ ([]);
    if (gone) {
      lost = deleted(entry?.notes ?? []);
      entries.delete(id);
    } else if (entry) {
      lost = overtaken(entry);
      entry.state = { ...entry.state, ...fields };
    } else {
      entries.set(id, { state: newPiece(fields), notes: [] });
    }
    show(id, outcome);
    outcome.events.push({ type: 'update', piece: id, by, op, before });
    if (lost.length > 0) outcome.events.push({ type: 'conflict', piece: id, by, op, lost });
  }

  /**
   * An own update is recorded: its effect becomes part of the state (T10).
   *
   * @param {import('./types.js').AckEvent} ack
   * @param {Outcome} outcome
   */
  function onAck({ seq, piece: patch, made: madePiece }, outcome) {
    if (renewal && patch.id !== 0) {
      const marks = renewal.acked.get(patch.id) ?? new Set();
      renewal.acked.set(patch.id, marks.add(patch.mark));
    }
    const note = outbox.sent.get(seq);
    if (!note) return; // an answer given again, or to what the client has given up
    outbox.drop(note);
    const entry = entries.get(note.piece);
    if (entry) {
      const silent = record(entry, note, patch);
      // A reject that was lost with the last stream has raised the floor (T14), by how much is not known.
      if (silent && outcome.resumed) outcome.unsure = true;
      show(note.piece, outcome);
    }
    if (note.lost.length > 0) {
      outcome.events.push({ type: 'conflict', piece: note.piece, by: 0, op: 'unspecified', lost: note.lost });
    }
    if (madePiece !== 0) {
      adopt(patch, outcome);
      outcome.events.push({ type: 'made', seq: note.key, piece: madePiece });
    }
  }

  /**
   * Moves a recorded note's effect into the state, with what the server filled in. A note before it that has
   * no answer by now was discarded: the server answers in order.
   *
   * @param {Entry} entry
   * @param {Note} note
   * @param {import('./types.js').PiecePatch} patch
   * @returns {boolean} whether there was such a note
   */
  function record(entry, note, patch) {
    const before = entry.notes.slice(0, entry.notes.indexOf(note));
    entry.notes = entry.notes.slice(before.length + 1);
    const silent = giveUp(before);
    note.lost.push(...silent);
    const { gone: _, ...filled } = patch;
    // A mark that is not news is of what a full state or an update has already brought.
    if (patch.id !== note.piece || patch.mark <= entry.state.mark) return silent.length > 0;
    const { face } = entry.state; // what a flip shows is the server's to say (T22): no face, none changed
    const after = effect(entry.state, note);
    const level = note.args.z === undefined ? {} : { zMark: patch.mark };
    entry.state = { ...after, face, ...level, ...filled };
    return silent.length > 0;
  }

  /**
   * The piece that the ack of `add` or `copy` describes, if it does and no update has told of it.
   *
   * @param {import('./types.js').PiecePatch} patch
   * @param {Outcome} outcome
   */
  function adopt({ gone, ...fields }, outcome) {
    const complete = fields.z !== undefined; // no piece is without a level
    if (!complete || gone || renewal || entries.has(fields.id)) return;
    entries.set(fields.id, { state: newPiece(fields), notes: [] });
    show(fields.id, outcome);
  }

  /**
   * An own update was inapplicable (T14). What was made after it for that piece is tagged below the floor and
   * goes with it, but for a Loose grab, which has its own answer; when that is a reject, what it held back
   * goes (T17).
   *
   * @param {import('./types.js').RejectEvent} reject
   * @param {Outcome} outcome
   */
  function onReject({ seq, reason, piece: { gone, ...piece }, by }, outcome) {
    const note = outbox.sent.get(seq);
    if (note) outbox.drop(note);
    const id = note?.piece || piece.id;
    const entry = entries.get(id);
    const isNews = piece.id === id && piece.mark > (entry?.state.mark ?? 0);
    /** @type {string[]} */
    let lost = [];
    if (entry && (note?.loose || gone)) {
      lost = [...(note?.lost ?? []), ...giveUp(entry.notes)];
      entry.notes = [];
    } else if (entry && (note || isNews)) lost = overtaken(entry);
    if (gone) entries.delete(id);
    else if (isNews && id !== 0) entries.set(id, { state: piece, notes: entry?.notes ?? [] });
    show(id, outcome);
    if (note) outcome.events.push({ type: 'reject', piece: note.piece, seq: note.key, reason, by, op: note.op, lost });
    else if (lost.length > 0) outcome.events.push({ type: 'conflict', piece: id, by, op: 'unspecified', lost });
  }

  /**
   * @param {import('./types.js').SeatEvent} event
   * @param {Outcome} outcome
   */
  function onSeat({ type: _, ...seat }, outcome) {
    const before = sync.seats.get(seat.id) ?? null;
    sync.seats.set(seat.id, seat);
    outcome.events.push({ type: 'seat', id: seat.id, before });
  }

  /**
   * Somebody else has shuffled (T26). Nothing changes by this: the updates say what does.
   *
   * @param {import('./types.js').ShuffledEvent} event
   * @param {Outcome} outcome
   */
  function onShuffled({ by, pieces }, outcome) {
    outcome.events.push({ type: 'shuffled', by, pieces: pieces.filter((id) => entries.has(id)) });
  }

  // ---- notes ----

  /**
   * An update that an entry's notes did not know of has come: those that are not Loose, nor held back behind
   * a Loose one, are stale (T6). It is a conflict unless a Loose note is still to be answered (T17).
   *
   * @param {Entry} entry
   * @returns {string[]} the operations that were lost in a conflict
   */
  function overtaken(entry) {
    const loose = entry.notes.find((note) => note.loose);
    const stale = loose ? entry.notes.slice(0, entry.notes.indexOf(loose)) : entry.notes;
    entry.notes = entry.notes.slice(stale.length);
    const lost = giveUp(stale);
    if (!loose) return lost;
    loose.lost.push(...lost);
    return [];
  }

  /**
   * A piece is there no more.
   *
   * @param {Note[]} notes
   * @returns {string[]} the operations that were lost; a deletion has come true
   */
  function deleted(notes) {
    return giveUp(notes).filter((op) => op !== 'delete');
  }

  /**
   * @param {Note[]} notes
   * @returns {string[]} the operations of those that still waited
   */
  function giveUp(notes) {
    const waiting = notes.filter((note) => outbox.has(note));
    for (const note of waiting) outbox.drop(note);
    return waiting.flatMap((note) => [...note.lost, note.op]);
  }

  /**
   * Whether a note has to wait for the answer to a Loose one before it (T17).
   *
   * @param {Note} note
   */
  function isHeld(note) {
    for (const other of entries.get(note.piece)?.notes ?? []) {
      if (other === note) return false;
      if (other.loose) return true;
    }
    return false;
  }

  /**
   * Shows a piece anew.
   *
   * @param {number} id
   * @param {{ changed: Set<number>, gone?: Set<number> }} outcome
   */
  function show(id, { changed, gone }) {
    const before = sync.pieces.get(id);
    const entry = entries.get(id);
    if (!entry) {
      if (sync.pieces.delete(id)) gone?.add(id);
      changed.delete(id);
      return;
    }
    const after = entry.notes.reduce(effect, entry.state);
    sync.pieces.set(id, after);
    gone?.delete(id);
    if (!before || !looksSame(before, after)) changed.add(id);
  }

  /**
   * A piece with the effect of a note.
   *
   * @param {Piece} piece
   * @param {Note} note
   */
  function effect(piece, { op, args, at }) {
    return predict(piece, op, args, sync.you, { at, clock: sync.clockKind(piece.kind) });
  }

  // ---- what goes up ----

  /**
   * @param {number} piece
   * @param {string} op
   * @param {Args} [args]
   * @returns {number}
   */
  function update(piece, op, args = {}) {
    if (!isPredicted(op)) throw new RangeError(`no operation ${op} to predict`);
    const entry = known(piece);
    const last = entry.notes.at(-1);
    const fields = argsOf(op, args);
    if (last && last.op === op && last.seq === 0 && COALESCING.has(op)) {
      last.args = { ...last.args, ...fields };
      show(piece, { changed: new Set() });
      return last.key;
    }
    if ((op === 'raise' || op === 'lower') && fields.z === undefined) {
      const shown = /** @type {Piece} */ (sync.pieces.get(piece));
      const z = levelFor(sync.pieces.values(), shown, op, sync.heavy);
      if (z !== '') fields.z = z;
    }
    return note(piece, op, fields, false);
  }

  /**
   * @param {number} piece
   * @param {Args} [args]
   * @returns {number}
   */
  function grabLoose(piece, args = {}) {
    known(piece);
    return note(piece, 'grab', argsOf('grab', args), true);
  }

  /**
   * @param {string} op
   * @param {import('./types.js').MakeArgs} args
   * @returns {number}
   */
  function make(op, { piece = 0, ...args }) {
    if (isPredicted(op)) throw new RangeError(`${op} is no operation to make`);
    const fields = argsOf(op, args);
    if (op === 'copy' || op === 'delete') known(piece);
    return note(op === 'copy' || op === 'delete' ? piece : 0, op, fields, false);
  }

  /**
   * @param {number} piece
   * @param {string} op
   * @param {Args} [args]
   * @returns {number}
   */
  function blind(piece, op, args = {}) {
    known(piece);
    return note(piece, op, args, false);
  }

  /**
   * @param {number} piece
   * @param {string} op
   * @param {Args} args
   * @param {boolean} loose
   * @returns {number} its key
   */
  function note(piece, op, args, loose) {
    /** @type {Note} */
    const noted = { key: ++made, piece, op, args, at: sync.now(), loose, seq: 0, tag: 0, due: false, lost: [] };
    entries.get(piece)?.notes.push(noted);
    outbox.add(noted);
    const before = sync.pieces.get(piece);
    if (before) sync.pieces.set(piece, effect(before, noted));
    return noted.key;
  }

  /** @param {number} piece */
  function known(piece) {
    const entry = entries.get(piece);
    if (!entry) throw new RangeError(`no piece ${piece}`);
    return entry;
  }

  /** @returns {import('./types.js').Batch | null} */
  function take() {
    if (!whole) return null;
    // The tag says which server update the player has seen (T7). None has come since the note was made, or
    // the note would be gone; unless it was held back, and then it is to have the new tag (T17).
    const updates = outbox.take(isHeld, (note) => entries.get(note.piece)?.state.mark ?? 0);
    return updates && { client, epoch: sync.epoch, updates };
  }

  /**
   * The batch in flight could not have been meant (T15): its notes go, and those that were made on top.
   *
   * @returns {Set<number>} the pieces that are shown differently now
   */
  function refused() {
    const changed = new Set();
    for (const note of outbox.refused()) {
      outbox.drop(note);
      const entry = entries.get(note.piece);
      if (!entry?.notes.includes(note)) continue;
      giveUp(entry.notes.splice(entry.notes.indexOf(note)));
      show(note.piece, { changed });
    }
    return changed;
  }

  function reconnected() {
    whole = false;
  }
}

/** @type {(keyof Piece)[]} */
const SHOWN = ['kind', 'x', 'y', 'angle', 'face', 'z', 'zMark', 'pinned', 'locked', 'holder', 'owner'];

/** @type {(keyof import('./types.js').Clock)[]} */
const CLOCK = ['running', 'since', 'left1', 'left2', 'initial', 'increment'];

/** @type {(keyof import('./types.js').Seat)[]} */
const SEAT = ['nick', 'colour', 'role', 'presence'];

/**
 * Whether two states of a piece look the same: all but the mark is alike.
 *
 * @param {Piece} a
 * @param {Piece} b
 */
function looksSame(a, b) {
  return SHOWN.every((field) => a[field] === b[field]) && sameClock(a.clock, b.clock);
}

/**
 * @param {import('./types.js').Clock | undefined} a
 * @param {import('./types.js').Clock | undefined} b
 */
function sameClock(a, b) {
  return a === b || (a !== undefined && b !== undefined && CLOCK.every((field) => a[field] === b[field]));
}

/**
 * @param {import('./types.js').Seat} a
 * @param {import('./types.js').Seat} b
 */
function sameSeat(a, b) {
  return SEAT.every((field) => a[field] === b[field]);
}

/**
 * A piece that was not known: the patch is complete.
 *
 * @param {import('./types.js').PiecePatch} patch
 * @returns {Piece}
 */
function newPiece(patch) {
  const { gone: _, ...piece } = wholePiece(patch);
  return piece;
}

/**
 * @param {import('./types.js').TableInfo} info
 * @returns {import('./types.js').TableInfo}
 */
function tableInfo({ title, width, height, surface, catalog }) {
  return { title, width, height, surface, catalog };
}
