/**
 * What is known of each piece, and what of it is shown. There are two layers: `state` is the piece as the server has told it,
 * own recorded updates included; `notes` are the own updates without an outcome, in order. What is shown is the state with
 * their effects replayed on top (T9). sync/sync.js says when which of the two changes. No DOM, no socket, no clock.
 *
 * A Loose note (T17) stays when a server update comes and is replayed on top of it. The notes behind it are held back, not
 * yet numbered and tagged, until its answer; what was before it and is lost is told with its answer. A blind note (T28)
 * stays too, and nothing is held back because of it, nor is it itself.
 *
 * A piece that an own update puts where this view does not see it is not shown until the answer (`entering`): then it is
 * gone, or shown again.
 *
 * @module
 */

import { looksSame } from './compare.js';
import { Outbox } from './outbox.js';
import { predict } from './predict.js';

/** @typedef {import('../types.js').Args} Args */
/** @typedef {import('../types.js').Outcome} Outcome */
/** @typedef {import('../types.js').Piece} Piece */
/** @typedef {import('../types.js').PiecePatch} PiecePatch */
/** @typedef {import('../types.js').Sync} Sync */
/** @typedef {import('./outbox.js').Note} Note */

/**
 * A piece and what is outstanding for it.
 *
 * @typedef {{ state: Piece, notes: Note[] }} Entry
 */

/** Operations of which only the last counts while none of them has been sent. */
const COALESCING = new Set(['move', 'rotate', 'write', 'assign']);

export class Ledger {
  /** @type {Map<number, Entry>} */
  entries = new Map();
  outbox = new Outbox();
  /** The sequences that the frame acknowledges which is taken in. @type {Set<number>} */
  acked = new Set();
  /** Counts the updates made. */
  made = 0;
  /** Whose pieces these are: what is shown goes there. @type {Sync} */
  sync;

  /** @param {Sync} sync */
  constructor(sync) {
    this.sync = sync;
  }

  /**
   * @param {number} piece
   * @throws {RangeError} if it is not known
   */
  known(piece) {
    const entry = this.entries.get(piece);
    if (!entry) throw new RangeError(`no piece ${piece}`);
    return entry;
  }

  /** What is shown of a piece, or would be if it were not on its way out of sight; null if there is none. @param {number} id */
  seen(id) {
    return this.sync.pieces.get(id) ?? this.sync.entering.get(id)?.piece ?? null;
  }

  // ---- what is made here ----

  /**
   * Notes an own update, and shows it.
   *
   * @param {number} piece
   * @param {string} op
   * @param {Args} args
   * @param {{ loose?: boolean, blind?: boolean }} [how]
   * @returns {number} its key
   */
  note(piece, op, args, { loose = false, blind = false } = {}) {
    const entry = this.entries.get(piece);
    const last = entry?.notes.at(-1);
    if (entry && last?.op === op && last.seq === 0 && COALESCING.has(op)) {
      last.args = { ...last.args, ...args };
      this.display(last);
      return last.key;
    }
    /** @type {Note} */
    const noted = {
      key: ++this.made, piece, sentFor: 0, op, args, at: this.sync.now(), loose, blind, taken: null, seq: 0, tag: 0, due: false, lost: [],
    };
    entry?.notes.push(noted);
    this.outbox.add(noted);
    this.display(noted);
    return noted.key;
  }

  /**
   * Shows the effect of the latest note of a piece, and decides whether that puts it out of sight.
   *
   * @private
   * @param {Note} note
   */
  display(note) {
    const before = this.seen(note.piece);
    if (!before) return;
    const after = this.predict(before, note);
    if (note.op === 'stow') note.taken = { into: note.args.into ?? 0, owner: 0, team: [], z: '' };
    else if (note.op === 'release' || note.op === 'move') note.taken = after.holder === 0 ? this.sync.taker(after, note.op) : null;
    const into = PUTS.has(note.op) ? (note.taken?.into ?? 0) : (this.sync.entering.get(note.piece)?.into ?? 0);
    this.put(note.piece, taken(after, note), into, null);
  }

  /**
   * Whether a note has to wait for the answer to a Loose one before it (T17).
   *
   * @param {Note} note
   */
  isHeld(note) {
    if (note.blind) return false;
    for (const other of this.entries.get(note.piece)?.notes ?? []) {
      if (other === note) return false;
      if (other.loose) return true;
    }
    return false;
  }

  // ---- what becomes of it ----

  /**
   * Moves a recorded note's effect into the state, with what the server filled in. An ordinary note before it that has no
   * answer by now was discarded: the server answers in order. What goes out blind does not say that: nothing that was
   * refused before makes it stale.
   *
   * @param {Entry} entry
   * @param {Note} note
   * @param {PiecePatch} patch
   * @param {boolean} covered whether the state has it already, because a full one stands before the ack
   * @returns {boolean} whether there was such a note
   */
  record(entry, note, patch, covered) {
    const before = note.blind ? [] : entry.notes.slice(0, entry.notes.indexOf(note)).filter((other) => !other.blind);
    entry.notes = entry.notes.filter((other) => other !== note && !before.includes(other));
    const silent = this.giveUp(before);
    note.lost.push(...silent);
    const { gone: _, ...filled } = patch;
    // A mark that is not news is of what an update has already brought.
    if (patch.id !== note.piece || patch.mark <= entry.state.mark) return silent.length > 0;
    if (covered) {
      entry.state = { ...entry.state, mark: patch.mark };
      return silent.length > 0;
    }
    const level = note.args.z === undefined || note.blind ? {} : { zMark: patch.mark };
    // What a flip shows, whose a piece is and what it is worth the ack says if it has changed, and only then.
    const { face: _f, owner: _o, team: _t, value: _v, ...own } = this.predict(entry.state, note);
    entry.state = { ...entry.state, ...own, ...level, ...filled };
    return silent.length > 0;
  }

  /**
   * An update that an entry's notes did not know of has come: they are stale (T6), but for those that are Loose, or held
   * back behind a Loose one, or blind, and those that the same frame says to be recorded (T11). It is a conflict unless a
   * Loose note is still to be answered (T17).
   *
   * @param {Entry} entry
   * @param {number} [floor] only what was sent with a tag below this
   * @returns {string[]} the operations that were lost in a conflict
   */
  overtaken(entry, floor) {
    const loose = entry.notes.find((note) => note.loose);
    const exposed = loose ? entry.notes.slice(0, entry.notes.indexOf(loose)) : entry.notes;
    const isBelow = (/** @type {Note} */ note) => floor === undefined || (note.seq !== 0 && note.tag < floor);
    const stale = exposed.filter((note) => !note.blind && !this.acked.has(note.seq) && isBelow(note));
    entry.notes = entry.notes.filter((note) => !stale.includes(note));
    const lost = this.giveUp(stale);
    if (!loose) return lost;
    loose.lost.push(...lost);
    return [];
  }

  /**
   * A piece is there no more, or not in sight.
   *
   * @param {Note[]} notes
   * @returns {string[]} the operations that were lost; what has made it go is not: a deletion, or what the same frame says to be
   *   recorded (T20)
   */
  deleted(notes) {
    return this.giveUp(notes.filter((note) => !this.acked.has(note.seq))).filter((op) => op !== 'delete');
  }

  /**
   * @param {Note[]} notes
   * @returns {string[]} the operations of those that still waited
   */
  giveUp(notes) {
    const waiting = notes.filter((note) => this.outbox.has(note));
    for (const note of waiting) this.outbox.drop(note);
    return waiting.flatMap((note) => [...note.lost, note.op]);
  }

  /**
   * A note could not have been meant (T15): it goes, and what was made on top of it.
   *
   * @param {Note} note
   * @param {Set<number>} changed
   */
  refuse(note, changed) {
    this.outbox.drop(note);
    const entry = this.entries.get(note.piece);
    const at = entry?.notes.indexOf(note) ?? -1;
    if (!entry || at < 0) return;
    const lost = entry.notes.filter((other, i) => other === note || (i > at && !note.blind && !other.blind));
    entry.notes = entry.notes.filter((other) => !lost.includes(other));
    this.giveUp(lost);
    this.show(note.piece, { changed });
  }

  // ---- what is shown ----

  /**
   * A piece has another name from now on (T21): all that is known of it goes over to that.
   *
   * @param {number} from
   * @param {number} to
   * @param {Outcome} outcome
   */
  rename(from, to, outcome) {
    const entry = this.entries.get(from);
    if (!entry || from === to) return;
    const { pieces, entering, holds } = this.sync;
    rekey(this.entries, from, to, entry);
    entry.state = { ...entry.state, id: to };
    for (const note of entry.notes) note.piece = to;
    this.outbox.rename(from, to);
    const piece = pieces.get(from);
    if (piece) rekey(pieces, from, to, { ...piece, id: to });
    const hidden = entering.get(from);
    if (hidden) rekey(entering, from, to, { ...hidden, piece: { ...hidden.piece, id: to } });
    const held = holds.get(from);
    if (held) rekey(holds, from, to, held);
    renameIn(outcome, from, to);
    outcome.components.push({ type: 'gone', piece: from });
    if (piece) outcome.changed.add(to);
  }

  /**
   * Shows a piece anew.
   *
   * @param {number} id
   * @param {{ changed: Set<number>, gone?: Set<number> } | null} outcome null: nobody is to be told
   */
  show(id, outcome) {
    const entry = this.entries.get(id);
    const after = entry?.notes.reduce((piece, note) => this.effect(piece, note), entry.state);
    this.put(id, after, entry ? destination(entry.notes) : 0, outcome);
  }

  /**
   * @private
   * @param {number} id
   * @param {Piece | undefined} after undefined: it is not there
   * @param {number} into where an own update puts it out of sight; 0: it does not
   * @param {{ changed: Set<number>, gone?: Set<number> } | null} outcome
   */
  put(id, after, into, outcome) {
    const { pieces, entering } = this.sync;
    const before = pieces.get(id);
    if (after && into === 0) {
      entering.delete(id);
      pieces.set(id, after);
      outcome?.gone?.delete(id);
      if (!before || !looksSame(before, after)) outcome?.changed.add(id);
      return;
    }
    const wasEntering = entering.delete(id);
    if (pieces.delete(id) || (wasEntering && !after)) outcome?.gone?.add(id);
    if (after) entering.set(id, { into, piece: after });
    outcome?.changed.delete(id);
  }

  /**
   * A piece with the effect of a note.
   *
   * @param {Piece} piece
   * @param {Note} note
   */
  effect(piece, note) {
    return taken(this.predict(piece, note), note);
  }

  /**
   * The same, but for where it puts the piece: that is the server's to say.
   *
   * @private
   * @param {Piece} piece
   * @param {Note} note
   */
  predict(piece, note) {
    const { sync } = this;
    const { op, args, at } = note;
    const context = {
      you: sync.you, at, clock: sync.clockKind(piece.kind), bounds: sync.bounds(piece.kind),
      players: op === 'pass' ? players(sync.seats.values()) : [],
    };
    return predict(piece, op, args, context);
  }
}

/**
 * A piece in the hand in which a note puts it down.
 *
 * @param {Piece} piece
 * @param {Note} note
 * @returns {Piece}
 */
function taken(piece, { taken: by, args }) {
  if (!by) return piece;
  const after = { ...piece, owner: by.owner, team: by.team };
  return by.z === '' || args.z !== undefined ? after : { ...after, z: by.z, zMark: Number.POSITIVE_INFINITY };
}

/**
 * Where the notes of a piece put it out of sight; 0 if it stays.
 *
 * @param {Note[]} notes
 */
function destination(notes) {
  let into = 0;
  for (const note of notes) {
    if (PUTS.has(note.op)) into = note.taken?.into ?? 0;
  }
  return into;
}

/** Operations that say where a piece is. */
const PUTS = new Set(['grab', 'wrest', 'release', 'move', 'stow']);

/** @param {Iterable<import('../types.js').Seat>} seats */
function players(seats) {
  return [...seats].filter(({ role, left }) => !left && (role === 'host' || role === 'player')).map(({ id }) => id);
}

/**
 * @template T
 * @param {Map<number, T>} map
 * @param {number} from
 * @param {number} to
 * @param {T} value
 */
function rekey(map, from, to, value) {
  map.delete(from);
  map.set(to, value);
}

/**
 * Lets an outcome call a piece by its new name, in all that it has said so far.
 *
 * @param {Outcome} outcome
 * @param {number} from
 * @param {number} to
 */
function renameIn({ renamed, changed, gone, placed, events, motions }, from, to) {
  renamed.push({ from, to });
  for (const set of [changed, gone, placed]) if (set.delete(from)) set.add(to);
  for (const event of events) {
    if ('piece' in event && event.piece === from) event.piece = to;
    if ('pieces' in event) event.pieces = event.pieces.map((id) => (id === from ? to : id));
  }
  for (const paths of motions) paths.ids = paths.ids.map((id) => (id === from ? to : id));
}
