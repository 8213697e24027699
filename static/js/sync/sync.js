/**
 * The client's side of the concurrent updates (docs/protocol/table.md, stream.md): what the server has said,
 * the own updates that have no answer yet, and what both together show. No DOM, no socket, no clock.
 *
 * sync/ledger.js keeps two layers for each piece: the state that the server has told, and the own updates without an outcome, the
 * notes, which are replayed on top. Whatever happens is one of a few changes to these two:
 *
 *     update()       a note more                                            shown at once
 *     blind()        a note more, without a tag                             shown as far as it can be foretold
 *     Ack            the note goes, its effect goes into the state          nothing moves
 *     Update         the state changes; the notes go: conflict (T11)        the server's state is shown
 *     gone           the same; what the frame acknowledges has done it (T20)
 *     renamed        state and notes go over to another name (T21)          nothing moves
 *     Reject         the notes go, the one that it answers first (T14)      the server's state is shown
 *     Full           all states change; notes go where the mark tells of    see settle()
 *                    an update by somebody else (S5)
 *     Resumed        the notes are sent again; what was missed follows      nothing moves
 *
 * Loose and blind notes stay when an Update comes (T17, T28).
 *
 * @module
 */

import { sameSeat } from './compare.js';
import { Ledger } from './ledger.js';
import { levelFor, LIGHT } from './predict.js';
import { argsOf, sentAs } from './shapes.js';
import { called } from '../bars/names.js';
import { idsOf, wholePiece } from '../net/wire.js';

/** @typedef {import('../types.js').Args} Args */
/** @typedef {import('../types.js').Outcome} Outcome */
/** @typedef {import('../types.js').Piece} Piece */
/** @typedef {import('../types.js').PiecePatch} PiecePatch */
/** @typedef {import('../types.js').Sync} Sync */
/** @typedef {import('./outbox.js').Note} Note */

/**
 * What has to be known when a frame with a full state is decided upon (S5).
 *
 * @typedef {object} Renewal
 * @property {Map<number, { mark: number, notes: Note[] }>} before of each piece with notes
 * @property {Map<number, number>} told the marks that it brought, by piece: of the latest update that this client did not make
 */

/**
 * @param {string} client the id of this client, 22 characters of base64url
 * @returns {Sync}
 */
export function createSync(client) {
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
    sets: new Map(),
    space: null,
    you: 0,
    info: null,
    epoch: 0,
    mark: 0,
    life: '',
    trouble: '',
    layer: () => LIGHT,
    clockKind: () => null,
    taker: () => null,
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
    pending: (piece) => (ledger.entries.get(piece)?.notes.length ?? 0) > 0,
    unsettled: (piece) => ledger.entries.get(piece)?.notes.some((note) => !note.blind) ?? false,
  };
  const ledger = new Ledger(sync);
  const { outbox } = ledger;
  return sync;

  // ---- what comes down ----

  /**
   * @param {import('../types.js').Frame} frame
   * @returns {Outcome}
   */
  function receive(frame) {
    const outcome = nothingYet(frame.time);
    ledger.acked = new Set(frame.events.flatMap((event) => (event.type === 'ack' ? [event.seq] : [])));
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
        case 'set':
          setSets([...sync.sets.values()].filter(({ id }) => id !== event.id).concat(event), outcome);
          break;
        case 'space':
          sync.space = event;
          outcome.events.push(event);
          break;
        case 'shuffled':
          onShuffled(event, outcome);
          break;
        case 'holds':
          onHolds(event, outcome);
          break;
        case 'notice':
        case 'faces':
          outcome.events.push({ ...event });
          break;
        case 'motions':
          outcome.motions.push({ ...event, ids: idsOf(event) });
          break;
        case 'cursors':
          outcome.cursors.push({ ...event, ids: idsOf(event) });
          break;
        case 'components':
        case 'refused':
          outcome.components.push(event);
          break;
        case 'fair': {
          const { type: _, ...fact } = event;
          outcome.facts.push(fact);
          break;
        }
        case 'pong':
          outcome.pongs.push(event.nonce);
          break;
        case 'resumed':
          well(outcome);
          sync.life = event.life ?? '';
          onResumed(event, outcome);
          break;
        case 'going':
          outcome.going = event;
          break;
        case 'saving':
          sync.trouble = event.trouble;
          outcome.saving = true;
          break;
        default: // an event of a newer server is skipped (S3)
      }
    }
    if (renewal) settle(renewal, outcome);
    if (outcome.resumed) outbox.again();
    if (frame.mark !== 0) sync.mark = frame.mark;
    return outcome;
  }

  /** What makes a stream whole says behind it if the server cannot save anything (S19). @param {Outcome} outcome */
  function well(outcome) {
    outcome.saving = sync.trouble !== '';
    sync.trouble = '';
  }

  /**
   * Takes over a full state. What becomes of the notes is decided in settle(), when the acks of the frame
   * are known (S5).
   *
   * @param {import('../types.js').FullEvent} full
   * @param {Outcome} outcome
   */
  function onFull(full, outcome) {
    well(outcome);
    sync.life = full.life ?? '';
    if (sync.epoch !== 0 && full.epoch !== sync.epoch) forgetHistory(outcome);
    /** @type {Renewal} */
    const next = { before: new Map(), told: new Map(full.pieces.map(({ id, mark }) => [id, mark])) };
    /** @type {typeof ledger.entries} */
    const fresh = new Map();
    for (const { gone: _, renamed: _r, ...piece } of full.pieces) {
      const { state, notes = [] } = ledger.entries.get(piece.id) ?? {};
      fresh.set(piece.id, { state: { ...piece, mark: Math.max(piece.mark, state?.mark ?? 0) }, notes });
    }
    for (const [id, { state, notes }] of ledger.entries) {
      if (notes.length > 0) next.before.set(id, { mark: state.mark, notes });
    }
    ledger.entries = fresh;
    renewal = next;
    whole = true;
    sync.epoch = full.epoch;
    sync.you = full.you;
    sync.info = tableInfo(full.table);
    sync.seats = new Map(full.seats.map((seat) => [seat.id, called(seat)]));
    setSets(full.sets, outcome);
    sync.space = null;
    sync.holds = new Map((full.holds ?? []).map((holds) => [holds.piece, holdings(holds)]));
    outcome.full = true;
    outcome.components.push(full);
    outcome.randomness = full.randomness ?? null;
  }

  /**
   * The stream goes on where the last one ended: what was missed follows, and says what became of the notes (S5).
   * Nothing that is shown changes by this.
   *
   * @param {import('../types.js').ResumedEvent} event
   * @param {Outcome} outcome
   */
  function onResumed({ seats, sets, catalog }, outcome) {
    setSets(sets, outcome);
    if (catalog && sync.info && catalog !== sync.info.catalog) {
      sync.info = { ...sync.info, catalog };
      outcome.events.push({ type: 'table' });
    }
    const before = sync.seats;
    sync.seats = new Map(seats.map((seat) => [seat.id, called(seat)]));
    for (const seat of sync.seats.values()) {
      const known = before.get(seat.id) ?? null;
      if (!known || !sameSeat(known, seat)) outcome.events.push({ type: 'seat', id: seat.id, before: known });
    }
    whole = true;
    outcome.resumed = true;
  }

  /**
   * These sets are guests now (T37, S18).
   *
   * @param {import('../types.js').Guest[] | undefined} sets
   * @param {Outcome} outcome
   */
  function setSets(sets, outcome) {
    const before = sync.sets;
    sync.sets = new Map((sets ?? []).filter(({ gone }) => !gone).map((set) => [set.id, set]));
    for (const id of new Set([...before.keys(), ...sync.sets.keys()])) {
      const was = before.get(id) ?? null;
      const is = sync.sets.get(id);
      if (!was || was.away !== is?.away || was.until !== is.until) outcome.events.push({ type: 'set', id, before: was });
    }
  }

  /**
   * A new epoch: the history that the notes belong to is no more (T19).
   *
   * @param {Outcome} outcome
   */
  function forgetHistory(outcome) {
    const ops = ledger.giveUp(outbox.notes());
    ledger.entries = new Map();
    if (ops.length > 0) outcome.events.push({ type: 'lost', ops });
  }

  /**
   * Decides about the notes that the acks have left, now that the frame with the full state is processed
   * (S5): a mark above the last one that the client was given is of somebody else's update.
   *
   * @param {Renewal} done
   * @param {Outcome} outcome
   */
  function settle(done, outcome) {
    renewal = null;
    for (const [id, { mark, notes }] of done.before) {
      const entry = ledger.entries.get(id);
      const unseen = (done.told.get(id) ?? 0) > mark;
      const lost = entry ? (unseen ? ledger.overtaken(entry) : []) : ledger.deleted(notes);
      if (lost.length > 0) outcome.events.push({ type: 'conflict', piece: id, by: 0, op: 'unspecified', lost });
    }
    const { pieces, entering } = sync;
    for (const id of new Set([...pieces.keys(), ...entering.keys(), ...ledger.entries.keys()])) ledger.show(id, outcome);
    outbox.again();
  }

  /**
   * Takes over the new name of a piece (T21).
   *
   * @param {PiecePatch} patch
   * @param {Outcome} outcome
   * @returns {PiecePatch} by the name that the piece has now
   */
  function named({ renamed = 0, ...patch }, outcome) {
    if (renamed === 0) return patch;
    ledger.rename(patch.id, renamed, outcome);
    return { ...patch, id: renamed };
  }

  /**
   * The same of an answer, which may call the piece as the update did (T21).
   *
   * @param {Note | undefined} note
   * @param {PiecePatch} patch
   * @param {Outcome} outcome
   */
  function answered(note, patch, outcome) {
    const now = named(patch, outcome);
    return note && now.id === note.sentFor ? { ...now, id: note.piece } : now;
  }

  /**
   * Somebody else's update, or one of the server's own (T9, T11).
   *
   * @param {import('../types.js').UpdateEvent} update
   * @param {Outcome} outcome
   */
  function onUpdate({ piece: patch, by, op }, outcome) {
    if (patch.mark <= (ledger.entries.get(patch.id)?.state.mark ?? 0)) return; // it was told ahead of the mark of a stream (D35)
    const { gone, ...fields } = named(patch, outcome);
    const { id } = fields;
    const entry = ledger.entries.get(id);
    if (!entry && gone) return;
    if ('x' in fields || 'y' in fields || 'holder' in fields) outcome.placed.add(id);
    const before = ledger.seen(id);
    let lost = /** @type {string[]} */ ([]);
    if (gone) {
      lost = ledger.deleted(entry?.notes ?? []);
      ledger.entries.delete(id);
      sync.holds.delete(id);
      outcome.components.push({ type: 'gone', piece: id });
    } else if (entry) {
      lost = ledger.overtaken(entry);
      const was = entry.state;
      entry.state = { ...was, ...fields };
      tellPassed(was, entry.state, outcome);
    } else {
      ledger.entries.set(id, { state: newPiece(fields), notes: [] });
    }
    ledger.show(id, outcome);
    outcome.events.push({ type: 'update', piece: id, by, op, before });
    if (lost.length > 0) outcome.events.push({ type: 'conflict', piece: id, by, op, lost });
  }

  /**
   * An own update is recorded: its effect becomes part of the state (T10).
   *
   * @param {import('../types.js').AckEvent} ack
   * @param {Outcome} outcome
   */
  function onAck({ seq, piece, made }, outcome) {
    const note = outbox.sent.get(seq);
    const patch = answered(note, piece, outcome);
    if (renewal) meet(renewal, note, patch, made, outcome);
    if (!note) return; // an answer given again, or to what the client has given up
    outbox.drop(note);
    const entry = ledger.entries.get(note.piece);
    if (entry) {
      const was = entry.state;
      const silent = ledger.record(entry, note, patch, renewal !== null);
      tellPassed(was, entry.state, outcome);
      // A reject that was lost with an earlier stream has raised the floor (T14), by how much is not known.
      if (silent && !renewal) outcome.unsure = true;
      ledger.show(note.piece, outcome);
    }
    if (note.lost.length > 0) {
      outcome.events.push({ type: 'conflict', piece: note.piece, by: 0, op: 'unspecified', lost: note.lost });
    }
    if (made !== 0) {
      adopt(patch, outcome);
      outcome.events.push({ type: 'made', seq: note.key, piece: made });
    }
  }

  /**
   * Learns from an ack that follows a full state what a piece is called now that went out of others' sight meanwhile (T21).
   *
   * @param {Renewal} renewal
   * @param {Note | undefined} note
   * @param {PiecePatch} patch
   * @param {number} made
   * @param {Outcome} outcome
   */
  function meet({ before }, note, { id }, made, outcome) {
    const entry = ledger.entries.get(id);
    const left = note && before.get(note.piece);
    if (!entry || !left || made !== 0 || id === note.piece || ledger.entries.has(note.piece)) return;
    const from = note.piece;
    before.delete(from);
    before.set(id, left);
    ledger.entries.set(from, { state: entry.state, notes: left.notes });
    ledger.rename(from, id, outcome);
  }

  /**
   * The piece that the ack of `add` or `copy` describes, if it does and no update has told of it.
   *
   * @param {PiecePatch} patch
   * @param {Outcome} outcome
   */
  function adopt({ gone, ...fields }, outcome) {
    const complete = fields.z !== undefined; // no piece is without a level
    if (!complete || gone || renewal || ledger.entries.has(fields.id)) return;
    ledger.entries.set(fields.id, { state: newPiece(fields), notes: [] });
    ledger.show(fields.id, outcome);
  }

  /**
   * An own update was inapplicable (T14). What was made after it for that piece is tagged below the floor and
   * goes with it, but for a Loose grab, which has its own answer; when that is a reject, what it held back
   * goes (T17). A blind one has no tag, and its reject no mark: nothing else goes (T28). A reject that comes again may come after the ack of a blind one, with
   * whose mark others were tagged: they stay.
   *
   * @param {import('../types.js').RejectEvent} reject
   * @param {Outcome} outcome
   */
  function onReject({ seq, reason, piece: whole, by }, outcome) {
    const note = outbox.sent.get(seq);
    if (note) outbox.drop(note);
    const { gone: isGone, ...piece } = /** @type {import('../types.js').WholePiece} */ (answered(note, whole, outcome));
    const id = note?.piece || piece.id;
    const entry = ledger.entries.get(id);
    // Under a name of before nobody finds it any more; whether it is gone an update says.
    const gone = isGone && whole.id === id;
    const isNews = !isGone && piece.id === id && piece.mark > (entry?.state.mark ?? 0);
    /** @type {string[]} */
    let lost = [];
    if (entry && note) entry.notes = entry.notes.filter((other) => other !== note);
    if (entry && gone) lost = [...(note?.lost ?? []), ...takeAll(entry, () => true)];
    else if (entry && note?.loose) lost = [...note.lost, ...takeAll(entry, (other) => !other.blind)];
    else if (entry && isNews) lost = ledger.overtaken(entry);
    else if (entry && note) lost = ledger.overtaken(entry, piece.mark);
    if (gone) {
      ledger.entries.delete(id);
      outcome.components.push({ type: 'gone', piece: id });
    } else if (isNews && id !== 0) {
      if (entry) tellPassed(entry.state, piece, outcome);
      ledger.entries.set(id, { state: piece, notes: entry?.notes ?? [] });
    }
    ledger.show(id, outcome);
    if (note) outcome.events.push({ type: 'reject', piece: note.piece, seq: note.key, reason, by, op: note.op, lost });
    else if (lost.length > 0) outcome.events.push({ type: 'conflict', piece: id, by, op: 'unspecified', lost });
  }

  /**
   * Gives up notes of a piece.
   *
   * @param {import('./ledger.js').Entry} entry
   * @param {(note: Note) => boolean} which
   * @returns {string[]} the operations that were lost
   */
  function takeAll(entry, which) {
    const lost = entry.notes.filter(which);
    entry.notes = entry.notes.filter((note) => !lost.includes(note));
    return ledger.giveUp(lost);
  }

  /**
   * @param {import('../types.js').SeatEvent} event
   * @param {Outcome} outcome
   */
  function onSeat({ type: _, ...seat }, outcome) {
    const before = sync.seats.get(seat.id) ?? null;
    sync.seats.set(seat.id, called(seat));
    outcome.events.push({ type: 'seat', id: seat.id, before });
  }

  /**
   * Somebody else has shuffled (T26). Nothing changes by this: the updates say what does.
   *
   * @param {import('../types.js').ShuffledEvent} event
   * @param {Outcome} outcome
   */
  function onShuffled({ by, pieces }, outcome) {
    outcome.events.push({ type: 'shuffled', by, pieces: pieces.filter((id) => ledger.entries.has(id)) });
  }

  /**
   * Another number of pieces lies in a hand or a container (T29).
   *
   * @param {import('../types.js').HoldsEvent} event
   * @param {Outcome} outcome
   */
  function onHolds(event, outcome) {
    const before = sync.holds.get(event.piece) ?? [];
    const after = holdings(event);
    if (after.length > 0) sync.holds.set(event.piece, after);
    else sync.holds.delete(event.piece);
    outcome.events.push({ type: 'holds', piece: event.piece, before });
  }

  // ---- what goes up ----

  /**
   * @param {number} piece
   * @param {string} op
   * @param {Args} [args]
   * @returns {number}
   */
  function update(piece, op, args = {}) {
    if (sentAs(op) !== 'tagged') throw new RangeError(`no operation ${op} to predict`);
    ledger.known(piece);
    const fields = argsOf(op, args, 'tagged');
    const shown = ledger.seen(piece);
    if (shown && (op === 'raise' || op === 'lower') && fields.z === undefined) {
      const z = levelFor(sync.pieces.values(), shown, op, sync.layer);
      if (z !== '') fields.z = z;
    }
    return ledger.note(piece, op, fields);
  }

  /**
   * @param {number} piece
   * @param {Args} [args]
   * @returns {number}
   */
  function grabLoose(piece, args = {}) {
    ledger.known(piece);
    return ledger.note(piece, 'grab', argsOf('grab', args, 'tagged'), { loose: true });
  }

  /**
   * @param {string} op
   * @param {import('../types.js').MakeArgs} args
   * @returns {number}
   */
  function make(op, { piece = 0, ...args }) {
    if (sentAs(op) !== 'made') throw new RangeError(`${op} is no operation to make`);
    const fields = argsOf(op, args, 'made');
    if (op === 'copy' || op === 'delete') ledger.known(piece);
    return ledger.note(op === 'copy' || op === 'delete' ? piece : 0, op, fields);
  }

  /**
   * @param {number} piece
   * @param {string} op
   * @param {Args} [args]
   * @returns {number}
   */
  function blind(piece, op, args = {}) {
    ledger.known(piece);
    return ledger.note(piece, op, argsOf(op, args, 'blind'), { blind: true });
  }

  /** @returns {import('../types.js').Batch | null} */
  function take() {
    if (!whole) return null;
    // The tag says which server update the player has seen (T7). None has come since the note was made, or
    // the note would be gone; unless it was held back, and then it is to have the new tag (T17).
    const updates = outbox.take(
      (note) => ledger.isHeld(note),
      (note) => ledger.entries.get(note.piece)?.state.mark ?? 0,
    );
    return updates && { client, epoch: sync.epoch, updates };
  }

  /**
   * The batch in flight could not have been meant (T15): its notes go, and those that were made on top.
   *
   * @returns {Set<number>} the pieces that are shown differently now
   */
  function refused() {
    const changed = new Set();
    for (const note of outbox.refused()) ledger.refuse(note, changed);
    return changed;
  }

  function reconnected() {
    whole = false;
  }
}

/**
 * @param {number} time of the frame
 * @returns {Outcome}
 */
function nothingYet(time) {
  return {
    time,
    full: false,
    resumed: false,
    renamed: [],
    changed: new Set(),
    gone: new Set(),
    placed: new Set(),
    events: [],
    motions: [],
    cursors: [],
    randomness: null,
    facts: [],
    components: [],
    pongs: [],
    unsure: false,
    going: null,
    saving: false,
  };
}

/**
 * A piece that has come into a hand, out of one, or into one of others may have lost what is written on it (C15).
 *
 * @param {Piece} before
 * @param {Piece} after
 * @param {Outcome} outcome
 */
function tellPassed(before, { id, kind, owner, team }, outcome) {
  if (owner !== before.owner || `${team ?? ''}` !== `${before.team ?? ''}`) outcome.components.push({ type: 'passed', piece: id, kind });
}

/**
 * A piece that was not known: the patch is complete.
 *
 * @param {import('../types.js').PiecePatch} patch
 * @returns {Piece}
 */
function newPiece(patch) {
  const { gone: _, ...piece } = wholePiece(patch);
  return piece;
}

/**
 * @param {import('../types.js').TableInfo} info
 * @returns {import('../types.js').TableInfo}
 */
function tableInfo({ title, width, height, surface, catalog }) {
  return { title, width, height, surface, catalog };
}

/**
 * @param {import('../types.js').Holds} holds
 * @returns {import('../types.js').Holding[]}
 */
function holdings({ kinds, counts }) {
  return kinds.map((kind, i) => ({ kind: kind - 1, count: counts[i] })).filter(({ count }) => count > 0);
}
