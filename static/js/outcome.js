// Applies a frame of the stream to the page: what to redraw, what to announce, and which pieces
// this person no longer holds.

import { isMuted } from './bars/muted.js';
import { isAnnounced } from './bars/news.js';
import { announcePresence, noteJoined, noteRewound } from './bars/announcer.js';
import * as carry from './input/drag.js';
import { kindOf } from './view/catalog.js';
import { keepFaces } from './relay/faces.js';
import { relayMotion } from './relay/motion.js';
import { riffle } from './input/ops.js';
import { SURPRISE } from './view/animate.js';
import { phrase, sentenceFor } from './reasons.js';
import { renamePiece } from './rename.js';
import { addMade, forgetPending, settleMaking } from './input/pending.js';
import { firstPiece, focusOn, select, unselect } from './input/select.js';
import { msg } from './msg.js';
import { nameOf } from './view/describe.js';
import { isAddressed, nickOf } from './view/names.js';
import { invalidate, setPace } from './view/state.js';
import { resizeTable } from './view/camera.js';
import { invalidateBars, noteUnread } from './bars/state.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./bars/say.js').Voice} Voice */
/** @typedef {import('./types.js').Outcome} Outcome */
/** @typedef {import('./types.js').SyncEvent} SyncEvent */

/** Operations that have an event of their own (T26, T28). Their updates are not announced. */
const NOTICED = new Set(['shuffle', 'deal', 'draw', 'recall', 'cut', 'peek', 'show']);

/**
 * Takes in a frame.
 * @param {State} s
 * @param {Outcome} outcome
 * @param {Voice} voice
 */
export function onOutcome(s, outcome, voice) {
  for (const { from, to } of outcome.renamed) renamePiece(s, from, to);
  for (const id of outcome.changed) invalidate(s, id);
  relayMotion(s, outcome);
  for (const id of outcome.gone) forget(s, id);
  if (outcome.full) onFull(s);
  notifyConflicts(s, outcome.events, voice);
  for (const event of outcome.events) applyEvent(s, event, voice);
  // What a press does comes behind it (T84).
  const [pressed, acked] = [true, false].map((is) =>
    outcome.acked.filter((e) => ('op' in e && e.op === 'run') === is));
  for (const event of [...pressed, ...outcome.events, ...acked]) {
    for (const listen of s.listeners.events) listen(event);
  }
  if (outcome.full) {
    dropSlipped(s, voice);
    for (const listen of s.listeners.full) listen();
  }
  if ((outcome.full || outcome.resumed) && !s.sync.question) s.parts.undo?.close(); // T63.19
  if ((outcome.full || outcome.resumed) && !s.sync.round) s.parts.rounds?.close(); // T76.8
  carry.endEmpty(s);
  if (s.input.focus === 0 || !s.sync.pieces.has(s.input.focus)) focusOn(s, firstPiece(s));
  if (concernsBars(s, outcome)) invalidateBars(s);
  s.redraw();
}

/**
 * Returns whether toolbar, people or banner may look different after a frame.
 * @param {State} s
 * @param {Outcome} outcome
 */
function concernsBars(s, outcome) {
  const { selection, carry: held } = s.input;
  if (outcome.full || outcome.gone.size > 0) return true;
  if (outcome.events.some((e) => e.type !== 'update')) return true;
  for (const id of outcome.changed) if (selection.has(id) || held?.from.has(id)) return true;
  return false;
}

/** The table may have another size, and selected pieces may be gone. @param {State} s */
export function onFull(s) {
  resizeTable(s);
  for (const id of s.input.selection) if (!s.sync.pieces.has(id)) forget(s, id);
}

/** A piece is gone. @param {State} s @param {number} id */
function forget(s, id) {
  invalidate(s, id);
  forgetPending(s, id);
  unselect(s, id);
}

/** @param {State} s @param {SyncEvent} event @param {Voice} voice */
function applyEvent(s, event, voice) {
  switch (event.type) {
    case 'update':
      onUpdate(s, event, voice);
      return;
    case 'reject':
      onReject(s, event, voice);
      return;
    case 'made':
      onMade(s, event, voice);
      return;
    case 'shuffled':
      onShuffled(s, event, voice);
      return;
    case 'seat':
      onSeat(s, event, voice);
      return;
    case 'question':
      // without the part there is no question here, and the others decide
      s.load('undo').then((part) => part.show(s, voice, event), () => {});
      return;
    case 'succession':
      // without the part nobody is asked here, and the others choose
      s.load('dialogs').then((part) => part.showVacancy(s, voice), () => {});
      return;
    case 'round':
      s.load('rounds').then((part) => part.show(s, voice, event), () => {});
      return;
    case 'rewound':
      noteRewound(s, event.were, voice);
      s.load('saves').then((part) => part.tell(s, voice, event), () => {});
      return;
    case 'saves':
      if (event.made) onSaved(s, event.made, voice);
      return;
    case 'said':
      onSaid(s, event, voice);
      return;
    case 'table':
      onFull(s);
      return;
    case 'faces':
      keepFaces(s, event);
      return;
    case 'lost':
      voice.alarm(msg('core.why.epoch'));
      return;
  }
}

/**
 * Says that a host has made a save point. The server makes others by itself.
 * @param {State} s
 * @param {import('./types.js').SavePoint} made
 * @param {Voice} voice
 */
function onSaved(s, made, voice) {
  if (made.by === 0 || made.by === s.sync.you) return;
  s.load('saves').then((part) => part.tellMade(s, voice, made), () => {});
}

/** @param {State} s @param {Extract<SyncEvent, {type: 'update'}>} e @param {Voice} voice */
function onUpdate(s, e, voice) {
  const piece = s.sync.pieces.get(e.piece);
  const named = piece ?? e.before;
  const carried = s.input.carry?.from.has(e.piece) === true;
  if (carried && named && !s.sync.unsettled(e.piece) && piece?.holder !== s.sync.you) {
    carry.interrupt(s, e.piece);
    const what = phrase(s, [named]);
    const who = nickOf(s, e.by);
    if (hasLeft(s)) return; // the page says that
    if (piece && e.by === 0) voice.alarm(msg('core.conflict.slipped', { what }));
    else voice.alarm(msg(piece ? 'core.conflict.wrested' : 'core.conflict.gone', { who, what }));
    return;
  }
  // What came through a door (O52). Its kind is perhaps not known yet. Nothing else is announced
  // that the server does by itself: there are no messages for it.
  if (e.by === 0 && e.op === 'place' && piece && !e.before) voice.notice(msg('core.through'));
  const move = e.before && piece && s.parts.boards?.noteMoved(s, e.before, piece);
  const isByOther = e.by !== 0 && e.by !== s.sync.you;
  if (!isByOther || !named) return;
  const op = newsOf(s, e, named);
  if (NOTICED.has(op) || !isAnnounced(op)) return;
  voice.news(nickOf(s, e.by), op, e.piece, nameOf(s, named), move ?? undefined);
}

/**
 * Returns what an update of somebody else is announced as; '' if nothing is said of it.
 * @param {State} s
 * @param {Extract<SyncEvent, {type: 'update'}>} e
 * @param {import('./types.js').Piece} piece
 */
function newsOf(s, { op, by }, piece) {
  const k = kindOf(s, piece);
  switch (op) {
    case 'assign':
      return piece.owner === by ? 'own' : op;
    case 'split':
      return k.currency ? op : 'supplied';
    case 'run': // the steps of a press are announced by what they turn up
      return k.button ? op : '';
    default:
      return op;
  }
}

/**
 * Ends the carry of pieces that this person no longer holds after a full state. It does not say who
 * has them.
 * @param {State} s
 * @param {Voice} voice
 */
function dropSlipped(s, voice) {
  if (hasLeft(s)) return; // the page says that
  const slipped = carry.carried(s).filter((id) => s.sync.pieces.get(id)?.holder !== s.sync.you);
  for (const id of slipped) carry.interrupt(s, id);
  const known = slipped.flatMap((id) => s.sync.pieces.get(id) ?? []);
  if (known.length > 0) voice.alarm(msg('core.conflict.slipped', { what: phrase(s, known) }));
}

/**
 * Notifies the player of their own updates that were lost: one sentence for all conflicts with the
 * same person.
 * @param {State} s
 * @param {SyncEvent[]} events
 * @param {Voice} voice
 */
function notifyConflicts(s, events, voice) {
  /** @type {Map<string, {by: number, op: string, ids: number[]}>} */
  const groups = new Map();
  for (const e of events) {
    if (e.type !== 'conflict') continue;
    if (!carry.interrupt(s, e.piece)) setPace(s, e.piece, SURPRISE);
    invalidate(s, e.piece);
    const key = `${e.by} ${e.op}`;
    const group = groups.get(key) ?? { by: e.by, op: e.op, ids: [] };
    group.ids.push(e.piece);
    groups.set(key, group);
  }
  if (hasLeft(s)) return; // the page says that
  for (const { by, op, ids } of groups.values()) {
    const known = ids.flatMap((id) => s.sync.pieces.get(id) ?? []);
    const what = known.length > 0 ? phrase(s, known) : msg('core.pieces', { n: ids.length });
    const who = by === s.sync.you ? msg('core.conflict.yourself') : nickOf(s, by);
    const how = op === 'wrest' ? 'wrested' : op === 'delete' ? 'gone' : 'changed';
    if (by === 0 && op === 'release') voice.alarm(msg('core.conflict.slipped', { what }));
    else voice.alarm(msg(`core.conflict.${how}`, { who, what }));
  }
}

/** Returns whether this person's seat has ended. @param {State} s */
function hasLeft(s) {
  return !!s.sync.seats.get(s.sync.you)?.left;
}

/** @param {State} s @param {Extract<SyncEvent, {type: 'reject'}>} e @param {Voice} voice */
function onReject(s, e, voice) {
  settleMaking(s, e.seq);
  if (e.piece && !carry.interrupt(s, e.piece)) setPace(s, e.piece, SURPRISE);
  if (e.piece) invalidate(s, e.piece);
  const ofChat = s.parts.log?.whyRefused(e);
  if (ofChat) {
    voice.alarm(ofChat);
    return;
  }
  const piece = s.sync.pieces.get(e.piece);
  const what = piece ? phrase(s, [piece]) : msg('core.pieces', { n: 1 });
  // the part has the sentences; without it the player learns at least of the refusal
  const tell = () => {
    const why = sentenceFor(s, { reason: e.reason, piece: e.piece, by: e.by }, what);
    voice.alarm(why || msg('core.why.unknown'));
  };
  withControls(s, tell, tell);
}

/**
 * A request of this person has made a piece. Copies and additions are selected here; whoever sent
 * another request listens for its piece.
 * @param {State} s
 * @param {Extract<SyncEvent, {type: 'made'}>} e
 * @param {Voice} voice
 */
function onMade(s, e, voice) {
  const op = settleMaking(s, e.seq);
  const piece = s.sync.pieces.get(e.piece);
  if (!piece || (op !== 'add' && op !== 'copy')) return;
  select(s, addMade(s, e.piece));
  voice.whisper(msg('core.added', { what: phrase(s, [piece]) }));
}

/**
 * Somebody else, or this person in another window, has shuffled (T26).
 * @param {State} s
 * @param {Extract<SyncEvent, {type: 'shuffled'}>} e
 * @param {Voice} voice
 */
function onShuffled(s, e, voice) {
  const pieces = e.pieces.flatMap((id) => s.sync.pieces.get(id) ?? []);
  riffle(s, pieces);
  if (e.by === s.sync.you) return;
  const who = nickOf(s, e.by);
  for (const p of pieces) voice.news(who, 'shuffle', p.id, nameOf(s, p));
  if (pieces.length === 0) voice.news(who, 'shuffle', 0, '');
  voice.caption(msg('core.did.shuffle', { who, n: pieces.length }));
}

/**
 * Somebody has written something (T64). What names this person, or is for them alone, rings.
 * @param {State} s
 * @param {Extract<SyncEvent, {type: 'said'}>} e
 * @param {Voice} voice
 */
function onSaid(s, e, voice) {
  if (e.by === s.sync.you || isMuted(s, e.by)) return;
  if (e.text === '') return; // deleted meanwhile
  const text = msg(e.to ? 'core.whispered' : 'core.said', { who: nickOf(s, e.by), text: e.text });
  if (s.parts.log?.isOpen()) {
    voice.whisper(text);
    return;
  }
  noteUnread(s);
  if (isAddressed(s, e)) voice.alarm(text);
  else voice.notice(text);
}

/** @param {State} s @param {Extract<SyncEvent, {type: 'seat'}>} e @param {Voice} voice */
function onSeat(s, e, voice) {
  const seat = s.sync.seats.get(e.id);
  for (const piece of s.sync.pieces.values()) {
    const isTheirs = piece.holder === e.id || piece.owner === e.id;
    if (isTheirs || kindOf(s, piece).hand) invalidate(s, piece.id);
  }
  if (
    seat?.linkAt &&
    (seat.linkAt !== e.before?.linkAt || seat.linkUsed !== e.before?.linkUsed)
  ) {
    // if that fails, the list of people still shows it
    s.load('dialogs').then((part) => part.announceLink(s, voice, seat), () => {});
  }
  if (seat && e.before && s.ready && !seat.left) {
    if (seat.side !== e.before.side) withControls(s, (part) => part.tellSide(s, seat, voice));
    if (seat.role !== e.before.role) withControls(s, (part) => part.tellRole(s, seat, voice));
    if (!seat.editsBy !== !e.before.editsBy)
      withControls(s, (part) => part.tellEditor(s, seat, voice));
  }
  if (!seat || e.id === s.sync.you) return;
  if (!e.before) {
    voice.news(seat.nick, seat.role === 'spectator' ? 'watches' : 'joined', 0, '');
    if (seat.presence === 'gone') noteJoined(s, seat);
  } else announcePresence(s, seat, e.before, voice);
}

/**
 * Calls a function with the part `controls`: at once, or when it is loaded, soon after the table
 * has been shown.
 * @param {State} s
 * @param {(part: import('./parts.js').Part<'controls'>) => void} f
 * @param {() => void} [failed] is called if it cannot be loaded now
 */
function withControls(s, f, failed = () => {}) {
  const { controls } = s.parts;
  if (controls) f(controls);
  else s.load('controls').then(f, failed);
}
