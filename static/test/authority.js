// A small server for tests, written from table.md and stream.md alone. It judges updates, keeps
// histories and fills the streams of its clients. A player has a hand at the right edge of the
// table, and a deck lies at the left one. The test sets the time.

import { Board, DECK, DOWN, isCard, LOTS, STEP, THING, ZERO } from './board.js';
import { changed, EDGE, filled, HAND, refusedBy } from './judge.js';

export { EDGE, HAND };

/** @typedef {import('../js/types.js').Batch} Batch */
/** @typedef {import('../js/types.js').Frame} Frame */
/** @typedef {import('../js/types.js').FrameEvent} FrameEvent */
/** @typedef {import('../js/types.js').Op} Op */
/** @typedef {import('../js/types.js').Reason} Reason */
/** @typedef {import('../js/types.js').WireUpdate} WireUpdate */
/** @typedef {import('./board.js').Entry} Entry */
/** @typedef {import('./board.js').State} State */
/** @typedef {import('./board.js').Thing} Thing */

/** The bounds of the value of a piece of the kind THING. */
export const BOUNDS = { min: -5, max: 5 };

/** Blind updates: they do not depend on what their client has seen of the piece (T28). */
const BLIND = new Set(['draw', 'count', 'split', 'roll', 'claim']);

/**
 * @typedef {{ verdict: 'recorded' | 'discarded' | 'rejected', content: string, thing: number,
 *   name: number, gen: number, made: number, server: boolean, reason: Reason }} Outcome
 * @typedef {{ seat: number, last: number, forgotten: number, outcomes: Map<number, Outcome>,
 *   floors: Map<number, number> }} Client
 * @typedef {{ events: Entry[], rejects: { client: string, event: FrameEvent }[] }} Step
 * @typedef {{ step: Step, id: string, client: Client, update: WireUpdate }} Judging
 */

export class Authority {
  /**
   * @param {number} pieces how many lie on the table, besides the deck
   * @param {number[]} seats
   * @param {{ cards?: boolean }} [options] `cards`: most pieces are cards
   */
  constructor(pieces, seats, { cards = false } = {}) {
    this.epoch = 1;
    this.pieces = pieces;
    this.board = new Board(seats);
    /** @type {Map<string, Client>} */
    this.clients = new Map();
    /** The frames on their way to each client that has a stream. @type {Map<string, Frame[]>} */
    this.streams = new Map();
    /**
     * The recorded entries in order, for clients that resume their streams (S5).
     *
     * @type {Entry[]}
     */
    this.log = [];
    /** Recorded entries that are not kept any more. @type {Entry[]} */
    this.forgotten = [];
    /** Every own update that was recorded, once each. @type {string[]} */
    this.recorded = [];
    for (let id = 1; id <= pieces; id++) {
      const kind = cards && id % 4 !== 0 ? 2 : id % 3;
      this.put(id, { ...ZERO, kind, x: id, z: `0.${100 + id}1`, value: kind === THING ? 3 : 0 });
    }
    this.put(pieces + 1, { ...ZERO, kind: DECK, z: '0.01' });
    for (let i = 0; i < 2; i++)
      this.put(this.board.lot(), { ...ZERO, kind: 2, face: DOWN, z: '0.5', inside: true });
  }

  /** Puts a piece on the table when it is set up. @param {number} name @param {State} state */
  put(name, state) {
    this.board.record(
      this.thing(name), { ...state, zGen: Number.NaN }, { by: '', seat: 0, op: 'add', ack: null },
    );
  }

  /** Makes a piece that has no place yet. @param {number} name @returns {Thing} */
  thing(name) {
    const oid = this.board.things.size + 1;
    const thing = { oid, name, formers: [], history: [], released: '' };
    this.board.things.set(oid, thing);
    return thing;
  }

  // ---- what clients do ----

  /**
   * @param {string} client
   * @param {number} seat
   */
  seat(client, seat) {
    this.clients.set(client, {
      seat, last: 0, forgotten: 0, outcomes: new Map(), floors: new Map(),
    });
  }

  /**
   * Opens a stream (S1, S5). It resumes the last one if the client wants that and all entries since
   * are kept.
   *
   * @param {string} client
   * @param {number} seq
   * @param {{ epoch: number, mark: number } | null} [known] what the client has; null: it needs the
   *   full state
   */
  hello(client, seq, known = null) {
    this.streams.set(client, []);
    const missed = (/** @type {Entry} */ entry) =>
      known !== null && this.isMissed(entry, client, known.mark);
    if (!known || known.epoch !== this.epoch || this.forgotten.some(missed)) {
      this.makeWhole(client, seq);
      return;
    }
    /** @type {FrameEvent[]} */
    const events = [{ type: 'resumed', seats: [] }];
    for (const entry of this.log) if (missed(entry)) events.push(...this.tell(entry, client));
    events.push(...this.acks(client, seq));
    this.streams.set(client, [{ time: 0, mark: this.now(client), events }]);
  }

  /**
   * Forgets all recorded entries except the last n, like a server that keeps a limited number.
   *
   * @param {number} n
   */
  forget(n) {
    this.forgotten.push(...this.log.splice(0, Math.max(0, this.log.length - n)));
  }

  /**
   * The acks of a client from a sequence on, as they are repeated (S5).
   *
   * @param {string} client
   * @param {number} seq 0: none
   */
  acks(client, seq) {
    const { outcomes } = this.client(client);
    const wanted = [...outcomes].filter(
      ([number, { verdict }]) => seq > 0 && number >= seq && verdict === 'recorded',
    );
    return wanted.map(([number, outcome]) => this.ack(client, number, outcome));
  }

  /**
   * Drops the frames on their way and sends the full state (S5, S7).
   *
   * @param {string} client
   * @param {number} seq
   */
  makeWhole(client, seq) {
    const { seat, floors } = this.client(client);
    const pieces = [...this.board.things.values()].flatMap((thing) => {
      const piece = this.board.whole(thing, seat, this.now(client));
      if (!piece) return [];
      const mark = this.board.latestOfOthers(thing, seat, client);
      // A floor that a lost reject has raised is sent, too. Otherwise updates would still be
      // discarded (T14).
      return [{ ...piece, mark: Math.max(mark, floors.get(thing.oid) ?? 0), gone: false }];
    });
    const table = { title: '', width: 2 * EDGE, height: 2 * EDGE, surface: 'felt', catalog: '' };
    /** @type {FrameEvent[]} */
    const events = [{ type: 'full', epoch: this.epoch, you: seat, table, seats: [], pieces }];
    events.push(...this.acks(client, seq));
    this.streams.set(client, [{ time: 0, mark: this.now(client), events }]);
  }

  /**
   * Takes a batch (T15, http.md). Returns the status, and the code of the problem if there is one.
   *
   * @param {Batch} batch
   * @returns {{ status: number, code: string }}
   */
  post(batch) {
    if (batch.epoch !== this.epoch) return { status: 409, code: 'epoch' };
    const client = this.client(batch.client);
    let { last } = client;
    for (const update of batch.updates) {
      const known = client.outcomes.get(update.seq);
      if (known && known.content !== JSON.stringify(update))
        return { status: 409, code: 'sequence-reused' };
      if (!known && update.seq <= last && update.seq > client.forgotten) {
        return { status: 422, code: 'sequence-decreasing' };
      }
      if ((update.tag ?? 0) > this.now(batch.client) + STEP - 1)
        return { status: 422, code: 'tag-from-the-future' };
      if ((update.piece ?? 0) > this.pieces + 1 && (update.piece ?? 0) < LOTS)
        return { status: 422, code: 'unknown-piece' };
      if (BLIND.has(update.op) !== (update.tag === undefined && update.op !== 'add'))
        return { status: 400, code: 'malformed' };
      last = Math.max(last, update.seq);
    }
    /** @type {Step} */
    const step = { events: [], rejects: [] };
    for (const update of batch.updates) this.judge({ step, id: batch.client, client, update });
    this.publish(step);
    return { status: 202, code: '' };
  }

  // ---- what happens by itself ----

  /**
   * A server update (T4) of one of the pieces in a history.
   *
   * @param {number} n
   * @param {Partial<State>} change
   */
  touch(n, change) {
    const thing = this.board.things.get(1 + (n % this.board.things.size));
    const state = thing && this.board.state(thing);
    if (!state || state.inside) return;
    /** @type {Step} */
    const step = { events: [], rejects: [] };
    this.record(step, thing, { ...state, ...change }, '', 0, 'respread');
    this.publish(step);
  }

  /**
   * The process ends and starts again. Streams, rejects and floors are lost; what was recorded is
   * not (T10, T19).
   */
  restart() {
    this.streams.clear();
    for (const client of this.clients.values()) {
      client.floors.clear();
      client.forgotten = client.last;
      for (const [seq, outcome] of client.outcomes) {
        if (outcome.verdict !== 'recorded') client.outcomes.delete(seq);
      }
    }
  }

  /** A copy of the history, to be restored later. */
  backup() {
    const { gen, lots, things, shown } = this.board;
    return structuredClone({ gen, lots, things, shown, clients: this.clients });
  }

  /**
   * Restores the history to an older state: a new epoch (T19).
   *
   * @param {ReturnType<Authority['backup']>} backup
   */
  restore(backup) {
    const { clients, ...board } = structuredClone(backup);
    Object.assign(this.board, board);
    Object.assign(this, { epoch: this.epoch + 1, log: [], forgotten: [] });
    for (const [id, client] of clients) this.clients.set(id, client);
    this.restart();
  }

  // ---- judging ----

  /** @param {Judging} j */
  judge(j) {
    const { id, client, update, step } = j;
    const known = client.outcomes.get(update.seq);
    if (known) {
      if (known.verdict === 'recorded')
        step.rejects.push({ client: id, event: this.ack(id, update.seq, known) });
      if (known.verdict === 'rejected')
        step.rejects.push(this.rejection(id, client, update.seq, known, 0));
    } else if (update.op === 'add') this.add(j);
    else if (BLIND.has(update.op)) this.blind(j);
    else this.tagged(j);
  }

  /** @param {Judging} j */
  add(j) {
    const { kind = 0, x = 0, y = 0, z = '0.9' } = j.update;
    if (Math.abs(x) > EDGE) this.reject(j, null, 'off-table');
    else this.make(j, { ...ZERO, kind, x, y, z });
  }

  /** An ordinary update, or a Loose one. @param {Judging} j */
  tagged(j) {
    const { id, client, update } = j;
    const thing = this.board.find(update.piece ?? 0, client.seat);
    const state = thing && this.board.state(thing);
    if (!thing || !state) {
      this.reject(j, null, 'gone');
      return;
    }
    const tag = update.tag ?? 0;
    const seen = this.board.latestOfOthers(thing, client.seat, id);
    const stale = tag < seen || tag < (client.floors.get(thing.oid) ?? 0);
    if (update.seq <= client.forgotten) {
      // A Loose grab is always answered: no server update would end its pending state (T17).
      if (tag >= seen || update.loose) this.reject(j, thing, 'forgotten');
      return;
    }
    if (stale && !update.loose) {
      this.outcome(j, { verdict: 'discarded' });
      return;
    }
    const reason =
      stale && thing.released !== id ? 'stale-loose' : refusedBy(client.seat, update, state);
    if (reason) {
      this.reject(j, thing, reason, reason === 'held' ? state.holder : 0);
      return;
    }
    if (update.op === 'copy') {
      const { kind, angle, face, z, value } = state;
      this.make(j, { ...ZERO, kind, angle, face, z, value, x: update.x ?? 0, y: update.y ?? 0 });
    } else this.change(j, thing, state, stale);
  }

  /**
   * Records an update of a piece, and what follows from it.
   *
   * @param {Judging} j
   * @param {Thing} thing
   * @param {State} state
   * @param {boolean} stale honoured although stale: then it is a server update (T17)
   */
  change(j, thing, state, stale) {
    const { op } = j.update;
    const { seat } = j.client;
    const after = changed(state, j.update, seat);
    const gone = op === 'delete';
    const unseen = after.inside || (after.owner !== 0 && after.owner !== seat);
    const by = stale || gone || unseen ? '' : j.id;
    if (op === 'release') thing.released = j.id;
    this.acknowledged(j, thing, gone ? null : after, by);
    if (isCard(after.kind) && after.owner === seat && state.owner !== seat && after.face === DOWN) {
      const now = /** @type {State} */ (this.board.state(thing));
      this.record(j.step, thing, { ...now, face: 0 }, '', seat, 'reveal');
    }
  }

  /** A blind update (T28). @param {Judging} j */
  blind(j) {
    const { id, client, update } = j;
    const { op, n = 1 } = update;
    const thing = this.board.find(update.piece ?? 0, client.seat);
    const state = thing && this.board.state(thing);
    if (update.seq <= client.forgotten) this.reject(j, null, 'forgotten');
    else if (!thing || !state) this.reject(j, null, 'gone');
    else if (op === 'draw') this.draw(j, thing);
    else if (op === 'claim') this.reject(j, null, state.owner === 0 ? 'not-allowed' : 'owned');
    else if (state.kind !== THING) this.reject(j, null, 'not-allowed');
    else if (op === 'roll')
      this.acknowledged(j, thing, { ...state, face: (this.board.gen * 7) % 6 }, id);
    else if (op === 'split' && (n < 1 || n >= state.value)) this.reject(j, null, 'range');
    else if (op === 'split') {
      this.record(j.step, thing, { ...state, value: state.value - n }, '', client.seat, 'split');
      this.make(j, {
        ...ZERO, kind: THING, x: update.x ?? 0, y: update.y ?? 0, z: '0.8', value: n,
        holder: update.hold ? client.seat : 0,
      });
    } else if (state.value + n < BOUNDS.min || state.value + n > BOUNDS.max)
      this.reject(j, null, 'range');
    else this.acknowledged(j, thing, { ...state, value: state.value + n }, id);
  }

  /** Takes the uppermost card out of the deck (T30). @param {Judging} j @param {Thing} deck */
  draw(j, deck) {
    const { step, client, update } = j;
    const { x = 0, y = 0, hold } = update;
    const thing = this.board.within().at(-1);
    const state = thing && this.board.state(thing);
    if (this.board.state(deck)?.kind !== DECK) this.reject(j, null, 'not-allowed');
    else if (!thing || !state) this.reject(j, null, 'empty');
    else {
      const at = hold ? { holder: client.seat } : x > HAND ? { owner: client.seat, face: 0 } : {};
      this.record(
        step, thing, { ...state, ...at, x, y, inside: false, z: '0.9', zGen: Number.NaN }, '',
        client.seat, 'draw',
      );
      const ack = { client: j.id, seq: update.seq, made: thing.name };
      step.events.push({
        gen: this.board.gen, by: '', seat: client.seat, op: 'draw', name: deck.name,
        patches: new Map(), ack,
      });
      this.outcome(j, {
        verdict: 'recorded', thing: thing.oid, name: thing.name, gen: this.board.gen,
        made: thing.name, server: true,
      });
    }
  }

  /**
   * Records a new piece: a server update, with its ack.
   *
   * @param {Judging} j
   * @param {State} state
   */
  make(j, state) {
    this.acknowledged(j, this.thing(this.board.lot()), { ...state, zGen: Number.NaN }, '', true);
  }

  /**
   * Records a client's update, with its ack.
   *
   * @param {Judging} j
   * @param {Thing} thing
   * @param {State | null} state
   * @param {string} by
   * @param {boolean} [made] whether it is a new piece
   */
  acknowledged(j, thing, state, by, made = false) {
    const { seq, op } = j.update;
    const { name } = thing;
    const ack = { client: j.id, seq, made: made ? name : 0 };
    const entry = this.record(j.step, thing, state, by, j.client.seat, /** @type {Op} */ (op), ack);
    this.outcome(j, {
      verdict: 'recorded', thing: thing.oid, name, gen: entry.gen, made: ack.made,
      server: by === '',
    });
  }

  /**
   * @param {Step} step
   * @param {Thing} thing
   * @param {State | null} state null: deleted
   * @param {string} by the client that made it, '' for the server
   * @param {number} seat
   * @param {Op} op
   * @param {Entry['ack']} [ack]
   */
  record(step, thing, state, by, seat, op, ack = null) {
    const entry = this.board.record(thing, state, { by, seat, op, ack });
    step.events.push(entry);
    return entry;
  }

  /**
   * @param {Judging} j
   * @param {Thing | null} thing null if it does not exist, or if that does not matter (T28)
   * @param {Reason} reason
   * @param {number} [by]
   */
  reject(j, thing, reason, by = 0) {
    const { step, id, client, update } = j;
    if (thing) {
      const now = this.now(id);
      const floor = Math.max(client.floors.get(thing.oid) ?? 0, now);
      client.floors.set(thing.oid, floor < now + STEP - 1 ? floor + 1 : floor);
    }
    const name = BLIND.has(update.op) ? 0 : (update.piece ?? 0);
    const outcome = this.outcome(j, { verdict: 'rejected', thing: thing?.oid ?? 0, name, reason });
    step.rejects.push(this.rejection(id, client, update.seq, outcome, by));
  }

  /**
   * @param {string} id
   * @param {Client} client
   * @param {number} seq
   * @param {Outcome} outcome
   * @param {number} by
   * @returns {{ client: string, event: FrameEvent }}
   */
  rejection(id, client, seq, { name, reason }, by) {
    const thing = this.board.find(name, client.seat);
    const shown = thing && this.board.whole(thing, client.seat, this.now(id));
    const mark = Math.max(shown?.mark ?? 0, (thing && client.floors.get(thing.oid)) ?? 0);
    const { zGen: _, inside: _i, ...zero } = ZERO;
    const whole = {
      ...zero, zMark: 0, id: name, locked: false, ...shown, mark, gone: name !== 0 && !shown,
    };
    return { client: id, event: { type: 'reject', seq, reason, piece: whole, by } };
  }

  /**
   * @param {Judging} j
   * @param {Partial<Outcome> & { verdict: Outcome['verdict'] }} outcome
   */
  outcome({ id, client, update }, outcome) {
    const content = JSON.stringify(update);
    /** @type {Outcome} */
    const all = {
      content, thing: 0, name: 0, gen: 0, made: 0, server: false, reason: 'unspecified', ...outcome,
    };
    client.outcomes.set(update.seq, all);
    client.last = Math.max(client.last, update.seq);
    if (outcome.verdict === 'recorded')
      this.recorded.push(`${this.epoch} ${id} ${update.seq} ${update.op}`);
    return all;
  }

  // ---- publishing ----

  /** @param {Step} step */
  publish(step) {
    this.log.push(...step.events);
    for (const [id, frames] of this.streams) {
      const events = step.events.flatMap((entry) => this.tell(entry, id));
      for (const { client, event } of step.rejects) if (client === id) events.push(event);
      if (events.length > 0) frames.push({ time: 0, mark: this.now(id), events });
    }
  }

  /**
   * Whether a client may have missed an entry when its view was complete up to a mark. An entry
   * that was not shown has the mark of the last shown one: the client may know it, and gets it
   * again.
   *
   * @param {Entry} entry
   * @param {string} client
   * @param {number} mark
   */
  isMissed(entry, client, mark) {
    const { seat } = this.client(client);
    const at = this.board.mark(seat, entry.gen);
    if (entry.patches.has(seat)) return at > mark;
    return entry.ack?.client === client && at >= mark;
  }

  /**
   * The events that a client gets for a recorded entry.
   *
   * @param {Entry} entry
   * @param {string} client
   * @returns {FrameEvent[]}
   */
  tell({ gen, by, seat, op, name, patches, ack }, client) {
    const view = this.client(client).seat;
    const patch = patches.get(view);
    const mine = ack?.client === client;
    const own = mine && by === client;
    /** @type {FrameEvent[]} */
    const events = patch && !own ? [{ type: 'update', piece: patch, by: seat, op }] : [];
    if (mine) {
      const said = own
        ? filled(patch ?? { id: name, mark: this.board.mark(view, gen) })
        : { id: 0, mark: 0 };
      events.push({ type: 'ack', seq: ack.seq, made: ack.made, piece: said });
    }
    return events;
  }

  /**
   * An ack that is repeated. An update that was recorded as a server update has no mark of the
   * client's own (S5). A renamed piece has its present name.
   *
   * @param {string} id
   * @param {number} seq
   * @param {Outcome} outcome
   * @returns {FrameEvent}
   */
  ack(id, seq, { thing, gen, made, server }) {
    const { seat } = this.client(id);
    const name = this.board.things.get(thing)?.name ?? 0;
    return {
      type: 'ack', seq, made,
      piece: server ? { id: 0, mark: 0 } : { id: name, mark: this.board.mark(seat, gen) },
    };
  }

  /** @param {string} id */
  client(id) {
    const client = this.clients.get(id);
    if (!client) throw new Error(`no client ${id}`);
    return client;
  }

  /** The mark up to which the view of a client is complete. @param {string} id */
  now(id) {
    return this.board.now(this.client(id).seat);
  }
}
