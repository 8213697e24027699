// What a frame of the stream means for the page: what to draw anew, what to tell, what falls out of the grip.

import { tellPresence } from './bars/announcer.js';
import * as carry from './input/drag.js';
import { kindAt } from './view/catalog.js';
import { followOthers } from './relay/motion.js';
import { riffle } from './input/ops.js';
import { SURPRISE } from './view/animate.js';
import { phrase, sentenceFor } from './reasons.js';
import { renamePiece } from './rename.js';
import { firstPiece, focusOn, select } from './input/select.js';
import { strings } from './strings.js';
import { nameOf, nickOf } from './view/describe.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./bars/say.js').Voice} Voice */
/** @typedef {import('./types.js').Outcome} Outcome */
/** @typedef {import('./types.js').SyncEvent} SyncEvent */

/** Operations that have an event of their own (T26, T28): the updates that they make are not told besides. */
const NOTICED = new Set(['shuffle', 'deal', 'draw', 'recall', 'cut', 'peek', 'show']);

/**
 * Takes a frame in.
 * @param {State} s @param {Outcome} outcome @param {Voice} voice
 */
export function onOutcome(s, outcome, voice) {
  if (outcome.full || outcome.resumed) s.wholes++;
  for (const { from, to } of outcome.renamed) renamePiece(s, from, to);
  for (const id of outcome.changed) s.dirty.add(id);
  followOthers(s, outcome);
  for (const id of outcome.gone) forget(s, id);
  if (outcome.full) onFull(s);
  tellConflicts(s, outcome.events, voice);
  for (const event of outcome.events) onEvent(s, event, voice);
  for (const event of outcome.events) for (const hear of s.hears) hear(event);
  if (outcome.full) dropWhatSlipped(s, voice);
  if (s.carry && s.carry.by === 'keys' && s.carry.from.size === 0) s.carry = null;
  if (s.focus === 0 || !s.sync.pieces.has(s.focus)) focusOn(s, firstPiece(s));
  if (concernsBars(s, outcome)) s.dirtyBars = true;
  s.redraw();
}

/** Whether toolbar, people or banner may look different after a frame. @param {State} s @param {Outcome} outcome */
function concernsBars(s, outcome) {
  if (outcome.full || outcome.gone.size > 0 || outcome.events.some((e) => e.type !== 'update')) return true;
  for (const id of outcome.changed) if (s.selection.has(id) || s.carry?.from.has(id)) return true;
  return false;
}

/** The table may have another size now. @param {State} s */
export function onFull(s) {
  const { info } = s.sync;
  if (info && (s.view.width !== info.width || s.view.height !== info.height)) {
    s.view.width = info.width;
    s.view.height = info.height;
    s.dirtyView = true;
  }
  for (const id of s.selection) if (!s.sync.pieces.has(id)) forget(s, id);
}

/** A piece is gone. @param {State} s @param {number} id */
function forget(s, id) {
  s.dirty.add(id);
  s.sent.delete(id);
  s.waiting.delete(id);
  if (s.hover === id) s.hover = 0;
  if (s.selection.has(id)) select(s, [...s.selection].filter((other) => other !== id));
}

/** @param {State} s @param {SyncEvent} event @param {Voice} voice */
function onEvent(s, event, voice) {
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
    case 'table':
      onFull(s);
      return;
    case 'faces':
      s.faces.push({ by: event.by, op: event.op, piece: event.piece, kinds: event.kinds, face: event.face });
      s.dirtyBars = true;
      return;
    case 'lost':
      voice.alarm(strings.why.epoch);
      return;
  }
}

/** @param {State} s @param {Extract<SyncEvent, {type: 'update'}>} e @param {Voice} voice */
function onUpdate(s, e, voice) {
  const piece = s.sync.pieces.get(e.piece);
  const named = piece ?? e.before;
  const carried = s.carry?.from.has(e.piece) === true;
  if (carried && named && !s.sync.unsettled(e.piece) && piece?.holder !== s.sync.you) {
    carry.interrupt(s, e.piece);
    const what = phrase(s, [named]);
    const who = nickOf(s, e.by);
    const { wrested, gone, slipped } = strings.conflict;
    if (piece && e.by === 0) voice.alarm(slipped(what));
    else voice.alarm(piece ? wrested(who, what) : gone(who, what));
    return;
  }
  // What the server does by itself is seen, not told, and there are no words for it.
  const isTold = e.by !== 0 && e.by !== s.sync.you && !NOTICED.has(e.op) && Object.hasOwn(strings.did, e.op);
  if (!isTold || !named) return;
  voice.news(nickOf(s, e.by), e.op, e.piece, nameOf(s, named));
}

/**
 * What this person carries and does not hold any more, as a full state says: nobody tells who has it.
 * @param {State} s @param {Voice} voice
 */
function dropWhatSlipped(s, voice) {
  const slipped = carry.carried(s).filter((id) => s.sync.pieces.get(id)?.holder !== s.sync.you);
  for (const id of slipped) carry.interrupt(s, id);
  const known = slipped.flatMap((id) => s.sync.pieces.get(id) ?? []);
  if (known.length > 0) voice.alarm(strings.conflict.slipped(phrase(s, known)));
}

/**
 * Own moves that came to nothing. One sentence for all that the same person was quicker with.
 * @param {State} s @param {SyncEvent[]} events @param {Voice} voice
 */
function tellConflicts(s, events, voice) {
  /** @type {Map<string, {by: number, op: string, ids: number[]}>} */
  const groups = new Map();
  for (const e of events) {
    if (e.type !== 'conflict') continue;
    if (!carry.interrupt(s, e.piece)) s.pace.set(e.piece, SURPRISE);
    s.dirty.add(e.piece);
    const key = `${e.by} ${e.op}`;
    const group = groups.get(key) ?? { by: e.by, op: e.op, ids: [] };
    group.ids.push(e.piece);
    groups.set(key, group);
  }
  for (const { by, op, ids } of groups.values()) {
    const known = ids.flatMap((id) => s.sync.pieces.get(id) ?? []);
    const what = known.length > 0 ? phrase(s, known) : strings.did.pieces(ids.length);
    const who = by === s.sync.you ? strings.conflict.yourself : nickOf(s, by);
    const { wrested, gone, changed, slipped } = strings.conflict;
    if (by === 0 && op === 'release') voice.alarm(slipped(what));
    else voice.alarm(op === 'wrest' ? wrested(who, what) : op === 'delete' ? gone(who, what) : changed(who, what));
  }
}

/** @param {State} s @param {Extract<SyncEvent, {type: 'reject'}>} e @param {Voice} voice */
function onReject(s, e, voice) {
  s.making.delete(e.seq);
  if (e.piece && !carry.interrupt(s, e.piece)) s.pace.set(e.piece, SURPRISE);
  if (e.piece) s.dirty.add(e.piece);
  const piece = s.sync.pieces.get(e.piece);
  const what = piece ? phrase(s, [piece]) : strings.did.pieces(1);
  voice.alarm(sentenceFor(s, { reason: e.reason, piece: e.piece, by: e.by }, what));
}

/** A copy or addition that this person asked for is there. What else is made who asked for it hears of. @param {State} s
 * @param {Extract<SyncEvent, {type: 'made'}>} e @param {Voice} voice */
function onMade(s, e, voice) {
  const op = s.making.get(e.seq);
  s.making.delete(e.seq);
  const piece = s.sync.pieces.get(e.piece);
  if (!piece || (op !== 'add' && op !== 'copy')) return;
  const others = [...s.selection].filter((id) => s.fresh.has(id));
  s.fresh.add(e.piece);
  select(s, [...others, e.piece]);
  if (s.making.size === 0) s.fresh.clear();
  voice.whisper(strings.added(phrase(s, [piece])));
}

/** Somebody else, or this person in another window, has shuffled (T26). @param {State} s
 * @param {Extract<SyncEvent, {type: 'shuffled'}>} e @param {Voice} voice */
function onShuffled(s, e, voice) {
  const pieces = e.pieces.flatMap((id) => s.sync.pieces.get(id) ?? []);
  riffle(s, pieces);
  if (e.by === s.sync.you) return;
  const who = nickOf(s, e.by);
  for (const p of pieces) voice.news(who, 'shuffle', p.id, nameOf(s, p));
  if (pieces.length === 0) voice.news(who, 'shuffle', 0, '');
  voice.caption(strings.did.shuffle(who, '', pieces.length));
}

/** @param {State} s @param {Extract<SyncEvent, {type: 'seat'}>} e @param {Voice} voice */
function onSeat(s, e, voice) {
  const seat = s.sync.seats.get(e.id);
  for (const piece of s.sync.pieces.values()) {
    if (piece.holder === e.id || piece.owner === e.id || kindAt(s.catalog, piece.kind).hand) s.dirty.add(piece.id);
  }
  if (seat?.linkAt && (seat.linkAt !== e.before?.linkAt || seat.linkUsed !== e.before?.linkUsed)) {
    s.load('dialogs').then((part) => part.tellLink(s, voice, seat), () => {}); // the list of people says it, too
  }
  if (!seat || e.id === s.sync.you) return;
  if (!e.before) {
    voice.news(seat.nick, 'joined', 0, '');
    if (seat.presence === 'gone') s.joined.add(seat.id);
  } else tellPresence(s, seat, e.before, voice);
}
