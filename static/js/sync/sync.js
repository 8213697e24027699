/**
 * The client's side of concurrent updates (docs/protocol/table.md, stream.md). It keeps the
 * confirmed state of each piece and the pending updates, and displays both together. It does not
 * draw, send or measure time: there is no DOM, no socket and no clock here.
 *
 * Each piece has two layers (sync/state.js): its confirmed state, and the pending updates, which
 * are replayed on top. Everything that happens is one of a few changes to these two:
 *
 *     update()   adds a pending update              it is displayed at once
 *     blind()    adds one without a tag             it is displayed as far as it can be predicted
 *     Ack        ends it, confirms its effect       the displayed state stays
 *     Update     changes the confirmed state, ends  the server's state is displayed
 *                what is pending: conflict (T11)
 *     gone       removes the piece, ends what is    the piece disappears
 *                pending (T11, T20)
 *     renamed    moves both layers to another       the displayed state stays
 *                name (T21)
 *     Reject     ends the update and those behind   the server's state is displayed
 *                it (T14)
 *     Full       replaces all confirmed states,     see settle() in sync/full.js
 *                ends what is in conflict (S5)
 *     Resumed    sends what is pending again (S5)   the displayed state stays
 *
 * Loose grabs and blind updates stay pending when an Update comes (T17, T28).
 *
 * @module
 */

import { idsOf } from '../net/wire.js';
import { onAck, onReject } from './answers.js';
import { onFull, onResumed, putSet, settle, tableInfo } from './full.js';
import { onHolds, onSeat, onShuffled, onUpdate } from './others.js';
import { blind, grabLoose, make, refused, take, update } from './own.js';
import { LIGHT } from './predict.js';
import { createState } from './state.js';

/** @typedef {import('../types.js').Frame} Frame */
/** @typedef {import('../types.js').FrameEvent} FrameEvent */
/** @typedef {import('../types.js').Outcome} Outcome */
/** @typedef {import('../types.js').Sync} Sync */
/** @typedef {import('./state.js').SyncState} SyncState */

/**
 * Processes an event of one type.
 *
 * @template {FrameEvent['type']} T
 * @typedef {(state: SyncState, event: Extract<FrameEvent, { type: T }>, outcome: Outcome) => void}
 *   Handler
 */

/**
 * What each event does.
 *
 * @type {{ [T in FrameEvent['type']]: Handler<T> }}
 */
const HANDLERS = {
  full: onFull,
  resumed: onResumed,
  update: onUpdate,
  ack: onAck,
  reject: onReject,
  seat: onSeat,
  set: putSet,
  shuffled: onShuffled,
  holds: onHolds,
  table: ({ view }, event, { events }) => {
    view.info = tableInfo(event);
    events.push({ type: 'table' });
  },
  space: ({ view }, event, { events }) => {
    view.space = event;
    events.push(event);
  },
  said: (_, event, { events }) => events.push({ ...event }),
  unsaid: (_, event, { events }) => events.push({ ...event }),
  question: ({ view }, event, { events }) => {
    view.question = event.state === 0 ? event : null;
    events.push({ ...event });
  },
  succession: ({ view }, event, { events }) => {
    view.succession = event.open ? event : null;
    events.push({ ...event });
  },
  round: ({ view }, event, { events }) => {
    view.round = event.state === 0 ? event : null;
    events.push({ ...event });
  },
  saves: (_, event, { events }) => events.push({ ...event }),
  notice: (_, event, { events }) => events.push({ ...event }),
  faces: (_, event, { events }) => events.push({ ...event }),
  motions: (_, event, { motions }) => motions.push({ ...event, ids: idsOf(event) }),
  cursors: (_, event, { cursors }) => cursors.push({ ...event, ids: idsOf(event) }),
  components: (_, event, { components }) => components.push(event),
  refused: (_, event, { components }) => components.push(event),
  fair: (_, { type: _type, ...fact }, { facts }) => facts.push(fact),
  pong: (_, { nonce }, { pongs }) => pongs.push(nonce),
  answer: (_, event, { answers }) => answers.push(event),
  going: (_, event, outcome) => {
    outcome.going = event;
  },
  saving: ({ view }, { trouble }, outcome) => {
    view.trouble = trouble;
    outcome.saving = true;
  },
};

/**
 * @param {string} client the id of this client, 22 characters of base64url
 * @returns {Sync}
 */
export function createSync(client) {
  return createWhole(client).view;
}

/**
 * Creates a Sync with all that is behind it. Tests that compare states of a client need that.
 *
 * @param {string} client
 * @returns {SyncState} its `view` is the Sync
 */
export function createWhole(client) {
  /** @type {Sync} */
  const view = {
    client,
    pieces: new Map(),
    entering: new Map(),
    holds: new Map(),
    seats: new Map(),
    sets: new Map(),
    space: null,
    rewound: null,
    question: null,
    succession: null,
    round: null,
    you: 0,
    info: null,
    epoch: 0,
    mark: 0,
    time: 0,
    life: '',
    trouble: '',
    layer: () => LIGHT,
    clockKind: () => null,
    taker: () => null,
    bounds: () => null,
    isMask: () => false,
    now: () => 0,
    receive: (frame) => receive(state, frame),
    update: (piece, op, args) => update(state, piece, op, args),
    make: (op, args) => make(state, op, args),
    blind: (piece, op, args) => blind(state, piece, op, args),
    grabLoose: (piece, args) => grabLoose(state, piece, args),
    take: (most) => take(state, most),
    inFlight: ({ updates }) => state.outbox.inFlight.get(updates) ?? [],
    delivered: ({ updates }) => state.outbox.delivered(updates),
    failed: ({ updates }) => state.outbox.failed(updates),
    refused: (_, batch) => refused(state, batch),
    reconnected: () => {
      state.synchronised = false;
    },
    lowest: () => state.outbox.lowest(),
    pending: (piece) => (state.entries.get(piece)?.pending.length ?? 0) > 0,
    pendingNow: () => {
      const all = state.outbox.all();
      return () => all.some((own) => state.outbox.has(own));
    },
    lastMade: () => {
      const last = [...state.outbox.queue].at(-1);
      const { last: number } = state.outbox;
      return () => last?.seq ?? number;
    },
    unsettled: (piece) => state.entries.get(piece)?.pending.some((own) => !own.blind) ?? false,
  };
  const state = createState(view);
  return state;
}

/**
 * Processes a frame (S3 to S5).
 *
 * @param {SyncState} state
 * @param {Frame} frame
 * @returns {Outcome}
 */
function receive(state, frame) {
  const outcome = emptyOutcome(frame.time);
  state.acked = new Set(frame.events.flatMap((e) => (e.type === 'ack' ? [e.seq] : [])));
  for (const event of frame.events) {
    const handle = /** @type {Handler<any> | undefined} */ (HANDLERS[event.type]);
    handle?.(state, event, outcome); // an event of a newer server has no handler (S3)
  }
  if (state.settlement) settle(state, state.settlement, outcome);
  if (outcome.resumed) state.outbox.resendAll();
  if (frame.mark !== 0) state.view.mark = frame.mark;
  state.view.time = frame.time;
  return outcome;
}

/**
 * @param {number} time of the frame
 * @returns {Outcome}
 */
function emptyOutcome(time) {
  return {
    time,
    full: false,
    resumed: false,
    renamed: [],
    changed: new Set(),
    gone: new Set(),
    placed: new Set(),
    events: [],
    acked: [],
    motions: [],
    cursors: [],
    randomness: null,
    facts: [],
    components: [],
    pongs: [],
    answers: [],
    needsFull: false,
    going: null,
    saving: false,
  };
}
