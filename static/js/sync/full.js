/**
 * How a stream begins: with the full state, or with `Resumed` (S5). Both synchronise the client.
 *
 * @module
 */

import { called } from '../bars/names.js';
import { sameSeat } from './compare.js';
import { show } from './display.js';
import { holdings } from './others.js';
import { drop, dropDeleted, dropStale } from './pending.js';

/** @typedef {import('../types.js').FullEvent} FullEvent */
/** @typedef {import('../types.js').Guest} Guest */
/** @typedef {import('../types.js').Outcome} Outcome */
/** @typedef {import('../types.js').Sync} Sync */
/** @typedef {import('../types.js').TableInfo} TableInfo */
/** @typedef {import('./state.js').Entry} Entry */
/** @typedef {import('./state.js').Settlement} Settlement */
/** @typedef {import('./state.js').SyncState} SyncState */

/**
 * Adopts a full state. settle() decides about the pending updates at the end of the frame, when its
 * acks are known (S5).
 *
 * @param {SyncState} state
 * @param {FullEvent} full
 * @param {Outcome} outcome
 */
export function onFull(state, full, outcome) {
  const { view } = state;
  clearTrouble(view, outcome);
  view.life = full.life ?? '';
  if (view.epoch !== 0 && full.epoch !== view.epoch) {
    forgetHistory(state, outcome);
    const were = view.seats;
    if (full.rewound) outcome.events.push({ type: 'rewound', were, ...full.rewound });
  }
  replaceEntries(state, full);
  state.synchronised = true;
  view.epoch = full.epoch;
  view.you = full.you;
  replaceHolds(view, full.holds ?? [], outcome);
  view.info = tableInfo(full.table);
  // Of seats a full state tells nothing new but the sides: people swap them with a rematch (T72).
  for (const seat of full.seats) {
    const { side = 0 } = view.seats.get(seat.id) ?? seat;
    if (side !== (seat.side ?? 0))
      outcome.events.push({ type: 'seat', id: seat.id, before: { ...called(seat), side } });
  }
  view.seats = new Map(full.seats.map((seat) => [seat.id, called(seat)]));
  replaceSets(view, full.sets ?? [], outcome);
  view.space = null;
  view.rewound = full.rewound ?? null;
  outcome.full = true;
  outcome.components.push(full);
  outcome.randomness = full.randomness ?? null;
}

/**
 * Replaces what lies in hands and containers. Their pictures and names say how many, and nothing
 * else about them has to be different.
 *
 * @param {Sync} view
 * @param {import('../types.js').Holds[]} holds
 * @param {Outcome} outcome
 */
function replaceHolds(view, holds, outcome) {
  const old = view.holds;
  view.holds = new Map(holds.map((of) => [of.piece, holdings(of)]));
  if (!view.info) return; // nothing is drawn yet
  for (const piece of new Set([...old.keys(), ...view.holds.keys()])) {
    const before = old.get(piece) ?? [];
    if (JSON.stringify(before) !== JSON.stringify(view.holds.get(piece) ?? []))
      outcome.events.push({ type: 'holds', piece, before });
  }
}

/**
 * `Full` and `Resumed` end the trouble of the server, a question, a choice of a host, and a round.
 * If they last, the server says so again behind them (S19, T63.19, T66.9, T76.8).
 *
 * @param {Sync} view
 * @param {Outcome} outcome
 */
function clearTrouble(view, outcome) {
  outcome.saving = view.trouble !== '';
  view.trouble = '';
  view.question = null;
  view.succession = null;
  view.round = null;
}

/**
 * Replaces the confirmed states by those of a full state. Versions do not fall (S5).
 *
 * @param {SyncState} state
 * @param {FullEvent} full
 */
function replaceEntries(state, { pieces }) {
  const old = state.entries;
  /** @type {Map<number, Entry>} */
  const entries = new Map();
  for (const { gone: _, renamed: _renamed, ...piece } of pieces) {
    const { confirmed, pending = [] } = old.get(piece.id) ?? {};
    const mark = Math.max(piece.mark, confirmed?.mark ?? 0);
    entries.set(piece.id, { confirmed: { ...piece, mark }, pending });
  }
  /** @type {Settlement['before']} */
  const before = new Map();
  for (const [id, { confirmed, pending }] of old) {
    if (pending.length > 0) before.set(id, { mark: confirmed.mark, pending });
  }
  state.entries = entries;
  state.settlement = { before, foreign: new Map(pieces.map(({ id, mark }) => [id, mark])) };
}

/**
 * A new epoch: the history to which the pending updates belong does not exist any more (T19).
 *
 * @param {SyncState} state
 * @param {Outcome} outcome
 */
function forgetHistory(state, outcome) {
  const ops = drop(state, state.outbox.all());
  state.entries = new Map();
  if (ops.length > 0) outcome.events.push({ type: 'lost', ops });
}

/**
 * Decides about the updates that are still pending at the end of a frame with a full state (S5).
 * They are in conflict if the full state has a version of their piece that is above the last one
 * that the client got: it belongs to somebody else's update.
 *
 * @param {SyncState} state
 * @param {Settlement} settlement
 * @param {Outcome} outcome
 */
export function settle(state, { before, foreign }, outcome) {
  state.settlement = null;
  const { entries, outbox, view } = state;
  for (const [id, { mark, pending }] of before) {
    const entry = entries.get(id);
    const isOvertaken = (foreign.get(id) ?? 0) > mark;
    /** @type {string[]} */
    let lost = [];
    if (!entry) lost = dropDeleted(state, pending);
    else if (isOvertaken) lost = dropStale(state, entry);
    if (lost.length === 0) continue;
    outcome.events.push({ type: 'conflict', piece: id, by: 0, op: 'unspecified', lost });
  }
  const ids = [...view.pieces.keys(), ...view.entering.keys(), ...entries.keys()];
  for (const id of new Set(ids)) show(state, id, outcome);
  outbox.resendAll();
}

/**
 * The stream continues where the last one ended. What the client missed follows, and with it the
 * outcomes of pending updates (S5). This changes nothing that is displayed of the pieces.
 *
 * @param {SyncState} state
 * @param {import('../types.js').ResumedEvent} event
 * @param {Outcome} outcome
 */
export function onResumed(state, { seats, sets = [], catalog, life = '' }, outcome) {
  const { view } = state;
  clearTrouble(view, outcome);
  view.life = life;
  replaceSets(view, sets, outcome);
  if (catalog && view.info && catalog !== view.info.catalog) {
    view.info = { ...view.info, catalog };
    outcome.events.push({ type: 'table' });
  }
  const old = view.seats;
  view.seats = new Map(seats.map((seat) => [seat.id, called(seat)]));
  for (const seat of view.seats.values()) {
    const before = old.get(seat.id) ?? null;
    if (before && sameSeat(before, seat)) continue;
    outcome.events.push({ type: 'seat', id: seat.id, before });
  }
  state.synchronised = true;
  outcome.resumed = true;
}

/**
 * A set of guests has come, has gone or has changed (T37, S18).
 *
 * @param {SyncState} state
 * @param {Guest} set
 * @param {Outcome} outcome
 */
export function putSet({ view }, set, outcome) {
  const others = [...view.sets.values()].filter(({ id }) => id !== set.id);
  replaceSets(view, [...others, set], outcome);
}

/**
 * Replaces the sets that are guests on the table (T37, S18).
 *
 * @param {Sync} view
 * @param {Guest[]} sets
 * @param {Outcome} outcome
 */
function replaceSets(view, sets, outcome) {
  const old = view.sets;
  view.sets = new Map(sets.filter(({ gone }) => !gone).map((set) => [set.id, set]));
  for (const id of new Set([...old.keys(), ...view.sets.keys()])) {
    const before = old.get(id) ?? null;
    const after = view.sets.get(id);
    if (before && before.away === after?.away && before.until === after.until) continue;
    outcome.events.push({ type: 'set', id, before });
  }
}

/**
 * @param {TableInfo} info
 * @returns {TableInfo} its fields, without those of an event
 */
export function tableInfo({ title, width, height, surface, catalog }) {
  return { title, width, height, surface, catalog };
}
