// The states of a page's client: its own sync.js, whose state is taken out and put back. Equal
// states have equal numbers. What has happened to the updates that the player has made is part of a
// state.

import assert from 'node:assert/strict';
import { footprint, Upward } from '../js/parts/datagrams/upward.js';
import { decodeFrame } from '../js/net/wire.js';
import { looksSame } from '../js/sync/compare.js';
import { effect } from '../js/sync/display.js';
import { createWhole } from '../js/sync/sync.js';
import { clientName } from './tablestates.js';

/** @typedef {import('../js/types.js').Batch} Batch */
/** @typedef {import('../js/types.js').Piece} Piece */
/** @typedef {import('../js/types.js').WireUpdate} WireUpdate */
/** @typedef {import('../js/sync/outbox.js').PendingUpdate} PendingUpdate */
/** @typedef {import('../js/sync/state.js').SyncState} SyncState */

/**
 * An update that a player may make.
 *
 * @typedef {object} Move
 * @property {string} op
 * @property {number} piece
 * @property {'tagged' | 'loose' | 'blind' | 'made'} [how] default: tagged
 * @property {boolean} [places] whether it puts the piece to a place that no other update has
 * @property {Record<string, any>} [args]
 * @property {number} [nth] whether it can only be the nth thing that the player does
 */

/**
 * What has become of an update that was made here.
 *
 * @typedef {object} Own
 * @property {number} key
 * @property {number} piece
 * @property {string} op
 * @property {boolean} isTagged
 * @property {number} seq 0: never sent
 * @property {number} tag
 * @property {'pending' | 'acked' | 'rejected' | 'lost'} fate
 * @property {string} base what the client displayed below it when it was sent first (T8)
 */

/**
 * @typedef {object} PageState
 * @property {any} data what the client knows
 * @property {Own[]} own
 * @property {number} made how often the player has done something
 * @property {number} reported how many lost updates the player was notified of
 * @property {boolean} asks whether it asks for the full state (S9)
 * @property {Map<number, Step | null>} memo
 */

/**
 * @typedef {object} Step
 * @property {number} to
 * @property {Batch | null} batch
 * @property {number[]} acked sequences that this acknowledged and that were pending
 * @property {Own[]} lost updates that ended otherwise
 * @property {boolean} waits whether the batch waits for one that is in flight (D39)
 * @property {number} [sent] the number of the batch
 */

/** What `before` of the server and what the client displays are compared by. */
const FIELDS = /** @type {const} */ (['x', 'y', 'angle', 'holder', 'pinned', 'value']);

/** @param {any} piece */
export const looks = (piece) => FIELDS.map((field) => Number(piece[field] ?? 0)).join();

export class PageStates {
  /**
   * @param {number} client
   * @param {Move[]} moves what the player may do
   */
  constructor(client, moves) {
    this.client = client;
    this.moves = moves;
    this.live = createWhole(clientName(client));
    /** @type {PageState[]} */
    this.states = [];
    /** @type {Map<string, number>} */
    this.numbers = new Map();
    this.first = this.keep(this.live, { own: [], made: 0, reported: 0, asks: false });
  }

  /** @param {number} n */
  data(n) {
    return this.states[n].data;
  }

  /**
   * What the client has done, by a number that says what happens. The page's own code runs once for
   * each state and each thing that happens there.
   *
   * @param {number} n
   * @param {number} what
   * @param {() => ((state: SyncState, now: Ghost) => Partial<Step> | null)} run
   * @returns {Step | null} null if it is impossible
   */
  step(n, what, run) {
    const { memo } = this.states[n];
    let step = memo.get(what);
    if (step === undefined) {
      step = this.run(n, run());
      memo.set(what, step);
    }
    return step;
  }

  /**
   * @param {number} n
   * @param {(state: SyncState, now: Ghost) => Partial<Step> | null} run
   * @returns {Step | null}
   */
  run(n, run) {
    const before = this.states[n];
    const { live } = this;
    putBack(live, before.data);
    const ghost = {
      own: before.own.map((own) => ({ ...own })),
      made: before.made, reported: before.reported, asks: before.asks,
    };
    const said = run(live, ghost);
    if (!said) return null;
    const lost = settled(live, ghost, said.acked ?? []);
    checkState(live, ghost);
    for (const [id, { confirmed }] of live.entries) {
      const old = before.data.entries.get(id)?.confirmed.mark ?? 0;
      assert.ok(confirmed.mark >= old, `T8.4 the version of piece ${id} falls`);
    }
    const { batch = null, acked = [], waits = false } = said;
    return { to: this.keep(live, ghost), batch, acked, lost, waits };
  }

  /**
   * @param {SyncState} live
   * @param {Ghost} ghost
   */
  keep(live, ghost) {
    const data = takeOut(live);
    const text = JSON.stringify([canonical(data), ghost]);
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    this.numbers.set(text, this.states.length);
    this.states.push({ data, ...ghost, memo: new Map() });
    return this.states.length - 1;
  }

  // ---- what may happen ----

  /** The player does something. @param {number} n @param {number} k which of the moves */
  make(n, k) {
    return this.step(n, k, () => (state, ghost) => {
      const { op, piece, how = 'tagged', places = false, args = {}, nth } = this.moves[k];
      if (nth !== undefined && nth !== ghost.made + 1) return null;
      const { view } = state;
      const shown = view.pieces.get(piece);
      if (piece !== 0 && !shown) return null;
      const pending = state.entries.get(piece)?.pending ?? [];
      // The page grabs loosely only what it has released, and what nobody holds.
      if (how === 'loose' && (pending.at(-1)?.op !== 'release' || pending.some((o) => o.loose)))
        return null;
      const at = { x: 100 * (1 + this.client) + 10 * (1 + ghost.made), y: 5 };
      const all = { ...(places ? at : {}), ...args };
      let key;
      if (how === 'loose') key = view.grabLoose(piece, all);
      else if (how === 'blind') key = view.blind(piece, op, all);
      else if (how === 'made') key = view.make(/** @type {any} */ (op), { piece, ...all });
      else key = view.update(piece, /** @type {any} */ (op), all);
      ghost.made++;
      if (!ghost.own.some((own) => own.key === key)) {
        const isTagged = how === 'tagged' || how === 'loose';
        ghost.own.push({
          key, piece, op, isTagged, seq: 0, tag: 0, fate: 'pending', base: '',
        });
      }
      if (places) {
        const now = view.pieces.get(piece);
        assert.equal(now?.x, at.x, `T9.1 ${op} of piece ${piece} shows at once`);
      }
      return {};
    });
  }

  /**
   * It takes the next batch.
   *
   * @param {number} n
   * @param {1 | 2} most how many may be in flight then: one, as over HTTP, or two
   */
  take(n, most) {
    return this.step(n, most === 1 ? -1 : -6, () => (state, ghost) => {
      const { inFlight } = state.outbox;
      if (inFlight.size >= most) return null;
      const upward = new Upward((/** @type {WireUpdate[]} */ one) =>
        footprint(state.outbox.inFlight.get(one) ?? []));
      for (const batch of inFlight.keys())
        upward.add({ batch, handle: null, behind: new Set(), sentAt: 0 });
      const batch = state.view.take();
      if (!batch) return null;
      const waits = upward.behind(batch.updates).deps.length > 0;
      for (const own of ghost.own) {
        const sent = [...state.outbox.sent.values()].find(({ key }) => key === own.key);
        if (!sent || own.seq !== 0) continue;
        own.seq = sent.seq;
        own.tag = sent.tag;
        own.base = own.isTagged ? below(state, sent) : '';
      }
      return { batch: structuredClone(batch), waits };
    });
  }

  /**
   * The answer to a batch has come.
   *
   * @param {number} n
   * @param {0 | 1} which of those in flight
   */
  delivered(n, which) {
    return this.step(n, which === 0 ? -2 : -7, () => ({ outbox }) => {
      outbox.delivered([...outbox.inFlight.keys()][which]);
      return {};
    });
  }

  /** Its requests, or the answers, are lost. @param {number} n */
  failed(n) {
    return this.step(n, -3, () => ({ outbox }) => {
      for (const updates of outbox.inFlight.keys()) outbox.failed(updates);
      return {};
    });
  }

  /** Its stream is broken, and it opens another one. @param {number} n */
  reopen(n) {
    return this.step(n, -4, () => ({ view }, ghost) => {
      view.reconnected();
      ghost.asks = false;
      return {};
    });
  }

  /** What it asked for is on its way. @param {number} n */
  asked(n) {
    return this.step(n, -5, () => (_, ghost) => {
      ghost.asks = false;
      return {};
    });
  }

  /**
   * A frame comes.
   *
   * @param {number} n
   * @param {number} number of the frame
   * @param {Uint8Array} bytes
   * @param {boolean} isAhead whether frames before it are still on their way: then it does not say
   *   up to where the view is complete (D35)
   */
  receive(n, number, bytes, isAhead) {
    return this.step(n, -10 - 2 * number - Number(isAhead), () => ({ view, outbox }, ghost) => {
      const frame = decodeFrame(bytes);
      if (isAhead) frame.mark = 0;
      const pending = new Set(outbox.sent.keys());
      const acked = frame.events.flatMap((e) =>
        e.type === 'ack' && pending.has(e.seq) ? [e.seq] : [],
      );
      const rejected = frame.events.flatMap((e) => (e.type === 'reject' ? [e.seq] : []));
      const outcome = view.receive(frame);
      ghost.asks = (ghost.asks && !outcome.full) || outcome.needsFull;
      for (const event of outcome.events) {
        /** @type {string[]} */
        let ops = [];
        if (event.type === 'conflict') ops = event.lost;
        if (event.type === 'reject') ops = [event.op, ...event.lost];
        if (event.type === 'lost') ops = event.ops;
        ghost.reported += ops.filter((op) => op !== 'delete').length;
      }
      for (const own of ghost.own) {
        const { seq } = own;
        if (own.fate !== 'pending' || seq === 0 || outbox.sent.has(seq)) continue;
        if (acked.includes(seq)) own.fate = 'acked';
        else if (rejected.includes(seq)) own.fate = 'rejected';
      }
      return { acked };
    });
  }
}

/** @typedef {{ own: Own[], made: number, reported: number, asks: boolean }} Ghost */

/**
 * Notes which updates are not pending any more without an answer, and returns what ended otherwise
 * than by an ack.
 *
 * @param {SyncState} state
 * @param {Ghost} ghost
 * @param {number[]} acked
 */
function settled({ outbox }, { own: all }, acked) {
  const left = new Set(outbox.all().map(({ key }) => key));
  const lost = [];
  for (const own of all) {
    if (left.has(own.key)) {
      assert.equal(own.fate, 'pending', 'T11.2 an update ends when it is answered');
      assert.ok(!acked.includes(own.seq), `T11.2 update ${own.seq} ends when it is acknowledged`);
      continue;
    }
    if (own.fate === 'pending') {
      own.fate = 'lost';
      lost.push(own);
    }
  }
  return lost;
}

/**
 * What a client displays of a piece below one of its pending updates.
 *
 * @param {SyncState} state
 * @param {PendingUpdate} own
 */
function below(state, own) {
  const entry = state.entries.get(own.piece);
  if (!entry) return '';
  let piece = entry.confirmed;
  for (const other of entry.pending) {
    if (other === own) break;
    piece = effect(state, piece, other);
  }
  return looks(piece);
}

/**
 * What holds in each state of a client, and that the player is notified of each lost update (T11).
 *
 * @param {SyncState} state
 * @param {Ghost} ghost
 */
function checkState(state, { own: all, reported }) {
  const waiting = checkPage(state);
  const over = all.filter(
    ({ fate, op }) => op !== 'delete' && (fate === 'rejected' || fate === 'lost'),
  );
  assert.equal(reported + waiting, over.length, 'T11.7 the player learns of each lost update');
}

/**
 * What holds in each state of a client, whatever the server does (T8).
 *
 * @param {SyncState} state
 * @returns {number} how many lost updates are reported with the outcome of another one
 */
export function checkPage(state) {
  const { entries, outbox, view } = state;
  const sent = new Set(outbox.all());
  let waiting = 0;
  for (const [id, { confirmed, pending }] of entries) {
    assert.equal(confirmed.id, id);
    assert.notEqual(
      view.pieces.has(id), view.entering.has(id), `T8.3 piece ${id} is displayed exactly once`,
    );
    let shown = confirmed;
    for (const own of pending) {
      assert.ok(sent.delete(own), `T8 a pending update of piece ${id} is never sent`);
      assert.equal(own.piece, id);
      waiting += own.lost.filter((op) => op !== 'delete').length;
      shown = effect(state, shown, own);
    }
    const displayed = view.pieces.get(id);
    if (displayed && pending.every(({ taken }) => taken === null)) {
      assert.ok(
        looksSame(displayed, shown),
        `T8.3, T9.2 piece ${id} is displayed as\n${JSON.stringify(displayed)}, not as\n${
          JSON.stringify(shown)}`,
      );
    }
  }
  for (const id of [...view.pieces.keys(), ...view.entering.keys()])
    assert.ok(entries.has(id), `T8.3 piece ${id} is displayed, and nobody knows it`);
  for (const { piece } of sent) assert.ok(!entries.has(piece), 'T8 an update is not displayed');
  return waiting;
}

/** Fields of a Sync that change. */
const VIEW = /** @type {const} */ ([
  'pieces', 'entering', 'holds', 'seats', 'sets', 'space', 'you', 'info', 'epoch', 'mark', 'life',
  'trouble',
]);

/** Those of them that are maps. */
const MAPS = /** @type {const} */ (['pieces', 'entering', 'holds', 'seats', 'sets']);

/**
 * Everything that a client knows. What it refers to is never changed again: a client that goes on
 * from there gets a copy.
 *
 * @param {SyncState} state
 */
function takeOut({ view, entries, outbox, lastKey, synchronised }) {
  const { sent, queue, inFlight, last } = outbox;
  /** @type {Record<string, any>} */
  const seen = Object.fromEntries(VIEW.map((field) => [field, view[field]]));
  return { view: seen, entries, sent, queue, inFlight, last, lastKey, synchronised };
}

/**
 * Gives a client a copy of what was taken out. Its modules replace pieces and never change them,
 * but they change pending updates, which are in several places.
 *
 * @param {SyncState} state
 * @param {ReturnType<typeof takeOut>} data
 */
function putBack(state, { view, entries, sent, queue, inFlight, last, lastKey, synchronised }) {
  /** @type {Map<PendingUpdate, PendingUpdate>} */
  const copies = new Map();
  const copy = (/** @type {PendingUpdate} */ own) => {
    let other = copies.get(own);
    if (!other) copies.set(own, (other = { ...own, lost: [...own.lost] }));
    return other;
  };
  Object.assign(state.view, view);
  for (const field of MAPS) Object.assign(state.view, { [field]: new Map(view[field]) });
  state.entries = new Map();
  for (const [id, { confirmed, pending }] of entries)
    state.entries.set(id, { confirmed, pending: pending.map(copy) });
  const { outbox } = state;
  outbox.sent = new Map([...sent].map(([seq, own]) => [seq, copy(own)]));
  outbox.queue = new Set([...queue].map(copy));
  outbox.inFlight = new Map([...inFlight].map(([batch, own]) => [batch, own.map(copy)]));
  outbox.last = last;
  Object.assign(state, { lastKey, synchronised, acked: new Set(), settlement: null });
}

/**
 * The same for equal states, whatever the order in which pieces became known.
 *
 * @param {ReturnType<typeof takeOut>} data
 */
function canonical({ view, entries, sent, queue, inFlight, last, lastKey, synchronised }) {
  const byId = (/** @type {[number, any]} */ [a], /** @type {[number, any]} */ [b]) => a - b;
  const { seats: _, info: _i, ...seen } = view;
  for (const [field, value] of Object.entries(seen))
    if (value instanceof Map) seen[field] = [...value].sort(byId);
  const keys = (/** @type {Iterable<PendingUpdate>} */ all) => [...all].map(({ key }) => key);
  return [
    seen, [...entries].sort(byId), keys(sent.values()), keys(queue),
    [...inFlight.values()].map(keys), last, lastKey, synchronised,
  ];
}
