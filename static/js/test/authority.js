// A small server for tests, written from table.md and stream.md alone: it judges updates, keeps histories and
// fills the streams of its clients. One view for all. Time is whatever the test makes of it.

/** @typedef {import('../types.js').Batch} Batch */
/** @typedef {import('../types.js').Frame} Frame */
/** @typedef {import('../types.js').FrameEvent} FrameEvent */
/** @typedef {import('../types.js').Op} Op */
/** @typedef {import('../types.js').PiecePatch} PiecePatch */
/** @typedef {import('../types.js').Reason} Reason */
/** @typedef {import('../types.js').WireUpdate} WireUpdate */

/** The kind that conceals another, and the face at which a secret piece shows it (T22). */
const MASK = 9;
const DOWN = 1;

/** Half the width of the table. */
export const EDGE = 1000;

/** Beyond this x a released piece is in a hand: its owner changes by a server update (T23). */
export const HAND = 600;

/**
 * @typedef {{ kind: number, x: number, y: number, angle: number, face: number, z: string, zMark: number,
 *   pinned: boolean, holder: number, owner: number }} State
 * @typedef {{ mark: number, by: string, shown: boolean, state: State | null }} Version
 * @typedef {{ history: Version[], released: string }} History
 * @typedef {{ verdict: 'recorded' | 'discarded' | 'rejected', content: string, piece: number, mark: number,
 *   made: number, server: boolean, reason: Reason }} Outcome
 * @typedef {{ seat: number, last: number, forgotten: number, outcomes: Map<number, Outcome>,
 *   floors: Map<number, number> }} Client
 * @typedef {{ events: { piece: number, by: string, seat: number, op: Op, own: boolean, patch: PiecePatch,
 *   shown: boolean, ack: { client: string, seq: number, made: number } | null }[],
 *   rejects: { client: string, event: FrameEvent }[] }} Step
 * @typedef {Step['events'][number]} Entry
 */

/** @type {State} */
const ZERO = {
  kind: 0,
  x: 0,
  y: 0,
  angle: 0,
  face: 0,
  z: '',
  zMark: 0,
  pinned: false,
  holder: 0,
  owner: 0,
};

export class Authority {
  /** @param {number} pieces how many lie on the table */
  constructor(pieces) {
    this.epoch = 1;
    this.shown = 0; // entries that the view was shown; a mark is this, with room for rejects below
    this.lastName = pieces;
    /** @type {Map<number, History>} */
    this.pieces = new Map();
    /** @type {Map<string, Client>} */
    this.clients = new Map();
    /** The frames on their way to each client that has a stream. @type {Map<string, Frame[]>} */
    this.streams = new Map();
    /** What was recorded, in order, for clients that come back (S5). @type {Entry[]} */
    this.log = [];
    /** What of it is not kept any more. @type {Entry[]} */
    this.forgotten = [];
    /** Every own update that was recorded, once each. @type {string[]} */
    this.recorded = [];
    for (let id = 1; id <= pieces; id++) {
      this.shown++;
      const state = { ...ZERO, kind: id % 3, x: id, z: `0.${100 + id}1`, zMark: this.now() };
      this.pieces.set(id, { history: [{ mark: this.now(), by: '', shown: true, state }], released: '' });
    }
  }

  now() {
    return this.shown * 256;
  }

  // ---- what clients do ----

  /**
   * @param {string} client
   * @param {number} seat
   */
  seat(client, seat) {
    this.clients.set(client, { seat, last: 0, forgotten: 0, outcomes: new Map(), floors: new Map() });
  }

  /**
   * Opens a stream (S1, S5): it takes up where the last one ended, if that is wanted and all is kept that was told since.
   *
   * @param {string} client
   * @param {number} seq
   * @param {{ epoch: number, mark: number } | null} [known] what the client has; null: the full state is to come
   */
  hello(client, seq, known = null) {
    this.streams.set(client, []);
    if (!known || known.epoch !== this.epoch || this.forgotten.some((entry) => isMissed(entry, known.mark))) {
      this.makeWhole(client, seq);
      return;
    }
    /** @type {FrameEvent[]} */
    const events = [{ type: 'resumed', seats: [] }];
    for (const entry of this.log) if (isMissed(entry, known.mark)) events.push(...tell(entry, client));
    events.push(...this.acks(client, seq));
    this.streams.set(client, [{ time: 0, mark: this.now(), events }]);
  }

  /** Forgets what was recorded but the last n, as a server does that keeps only so much. @param {number} n */
  forget(n) {
    this.forgotten.push(...this.log.splice(0, Math.max(0, this.log.length - n)));
  }

  /**
   * The acks of a client from a sequence on, as they are given again (S5).
   *
   * @param {string} client
   * @param {number} seq 0: none
   */
  acks(client, seq) {
    const { outcomes } = this.client(client);
    const wanted = [...outcomes].filter(([number, { verdict }]) => seq > 0 && number >= seq && verdict === 'recorded');
    return wanted.map(([number, outcome]) => ack(number, outcome));
  }

  /**
   * Drops what is on its way and sends the full state (S5, S7).
   *
   * @param {string} client
   * @param {number} seq
   */
  makeWhole(client, seq) {
    const known = this.client(client);
    const pieces = [...this.pieces].flatMap(([id]) => {
      const piece = this.whole(id, this.now());
      // A floor that a lost reject has raised is told too, or updates would go on being discarded (T14).
      return piece ? [{ ...piece, mark: Math.max(piece.mark, known.floors.get(id) ?? 0), gone: false }] : [];
    });
    const table = { title: '', width: 2 * EDGE, height: 2 * EDGE, surface: 'felt', catalog: '' };
    /** @type {FrameEvent[]} */
    const events = [{ type: 'full', epoch: this.epoch, you: known.seat, table, seats: [], pieces }];
    events.push(...this.acks(client, seq));
    this.streams.set(client, [{ time: 0, mark: this.now(), events }]);
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
      if (known && known.content !== JSON.stringify(update)) return { status: 409, code: 'sequence-reused' };
      if (!known && update.seq <= last && update.seq > client.forgotten) {
        return { status: 422, code: 'sequence-decreasing' };
      }
      if ((update.tag ?? 0) > this.now() + 255) return { status: 422, code: 'tag-from-the-future' };
      if ((update.piece ?? 0) > this.lastName) return { status: 422, code: 'unknown-piece' };
      last = Math.max(last, update.seq);
    }
    /** @type {Step} */
    const step = { events: [], rejects: [] };
    for (const update of batch.updates) this.judge(step, batch.client, client, update);
    this.publish(step);
    return { status: 202, code: '' };
  }

  // ---- what happens by itself ----

  /**
   * A server update (T4).
   *
   * @param {number} id
   * @param {Partial<State>} change
   */
  touch(id, change) {
    const state = this.state(id);
    if (!state) return;
    /** @type {Step} */
    const step = { events: [], rejects: [] };
    this.record(step, id, { ...state, ...change }, '', 0, 'respread', null);
    this.publish(step);
  }

  /** The process ends and starts again: streams, refusals and floors are gone, what was recorded is not (T10, T19). */
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

  /** A copy of the history, to be restored. */
  backup() {
    const { pieces, clients, shown, lastName } = this;
    return structuredClone({ pieces, clients, shown, lastName });
  }

  /**
   * Restores history to an older state: a new epoch (T19).
   *
   * @param {ReturnType<Authority['backup']>} backup
   */
  restore(backup) {
    const { pieces, clients, shown, lastName } = structuredClone(backup);
    Object.assign(this, { pieces, shown, lastName, epoch: this.epoch + 1, log: [], forgotten: [] });
    for (const [id, client] of clients) this.clients.set(id, client);
    this.restart();
  }

  // ---- judging ----

  /**
   * @param {Step} step
   * @param {string} id
   * @param {Client} client
   * @param {WireUpdate} update
   */
  judge(step, id, client, update) {
    const known = client.outcomes.get(update.seq);
    if (known) {
      this.repeat(step, id, client, update.seq, known);
      return;
    }
    if (update.op === 'add') {
      const { kind = 0, x = 0, y = 0, z = '0.9' } = update;
      if (this.refusedBy(client, update, null)) this.reject(step, id, client, update, 'off-table', 0);
      else this.make(step, id, client, update, { ...ZERO, kind, x, y, z });
      return;
    }
    const piece = update.piece ?? 0;
    const state = this.state(piece);
    if (!state) {
      this.reject(step, id, client, update, 'gone', 0);
      return;
    }
    const tag = update.tag ?? 0;
    const seen = this.history(piece).findLast((version) => version.shown && version.by !== id)?.mark ?? 0;
    const stale = tag < seen || tag < (client.floors.get(piece) ?? 0);
    if (update.seq <= client.forgotten) {
      // A Loose grab is always answered: no server update would clear its note (T17).
      if (tag >= seen || update.loose) this.reject(step, id, client, update, 'forgotten', 0);
      return;
    }
    if (stale && !update.loose) {
      this.outcome(client, update, { verdict: 'discarded' });
      return;
    }
    const released = this.pieces.get(piece)?.released === id;
    const reason = stale && !released ? 'stale-loose' : this.refusedBy(client, update, state);
    if (reason) {
      this.reject(step, id, client, update, reason, reason === 'held' ? state.holder : 0);
      return;
    }
    if (update.op === 'copy') {
      const { kind, angle, face, z } = state;
      this.make(step, id, client, update, { ...ZERO, kind, angle, face, z, x: update.x ?? 0, y: update.y ?? 0 });
    } else this.change(step, id, client, update, state, stale);
  }

  /**
   * Gives a repeated sequence its outcome again (T10).
   *
   * @param {Step} step
   * @param {string} id
   * @param {Client} client
   * @param {number} seq
   * @param {Outcome} outcome
   */
  repeat(step, id, client, seq, outcome) {
    if (outcome.verdict === 'recorded') step.rejects.push({ client: id, event: ack(seq, outcome) });
    if (outcome.verdict === 'rejected') step.rejects.push(this.rejection(id, client, seq, outcome, 0));
  }

  /**
   * Why an update is inapplicable (T14, T24).
   *
   * @param {Client} client
   * @param {WireUpdate} update
   * @param {State | null} state
   * @returns {Reason | null}
   */
  refusedBy({ seat }, { op, x = 0 }, state) {
    if (Math.abs(x) > EDGE) return 'off-table';
    if (!state || op === 'copy') return null;
    if (state.pinned && !['pin', 'unpin', 'raise', 'lower', 'setz'].includes(op)) return 'pinned';
    if (op === 'release') return state.holder === seat ? null : 'not-held';
    if (op !== 'wrest' && state.holder !== 0 && state.holder !== seat) return 'held';
    return null;
  }

  /**
   * Records an update of a piece, and what follows from it.
   *
   * @param {Step} step
   * @param {string} id
   * @param {Client} client
   * @param {WireUpdate} update
   * @param {State} state
   * @param {boolean} stale honoured although stale: then it is a server update (T17)
   */
  change(step, id, client, update, state, stale) {
    const { piece = 0, seq, op, x, y, angle, face, z } = update;
    const after = { ...state };
    if (x !== undefined && y !== undefined) Object.assign(after, { x, y });
    if (angle !== undefined) after.angle = angle;
    if (face !== undefined) after.face = face;
    if (z !== undefined) Object.assign(after, { z, zMark: Number.NaN }); // set where the mark is known
    if (op === 'grab' || op === 'wrest') after.holder = client.seat;
    if (op === 'release') after.holder = 0;
    if (op === 'pin' || op === 'unpin') after.pinned = op === 'pin';
    const gone = op === 'delete';
    const by = stale || gone ? '' : id;
    const mark = this.record(step, piece, gone ? null : after, by, client.seat, /** @type {Op} */ (op), { client: id, seq, made: 0 });
    this.outcome(client, update, { verdict: 'recorded', mark, server: by === '' });
    this.recorded.push(`${this.epoch} ${id} ${seq} ${op}`);
    const history = this.pieces.get(piece);
    if (op === 'release' && history) {
      history.released = id;
      const owner = after.x > HAND ? client.seat : 0;
      if (owner !== after.owner) {
        const now = /** @type {State} */ (this.state(piece));
        this.record(step, piece, { ...now, owner, face: 0 }, '', client.seat, 'reveal', null);
      }
    }
  }

  /**
   * Records a new piece: a server update, with its ack.
   *
   * @param {Step} step
   * @param {string} id
   * @param {Client} client
   * @param {WireUpdate} update
   * @param {State} state
   */
  make(step, id, client, update, state) {
    const made = ++this.lastName;
    this.pieces.set(made, { history: [], released: '' });
    const op = /** @type {Op} */ (update.op);
    const mark = this.record(step, made, { ...state, zMark: Number.NaN }, '', client.seat, op, { client: id, seq: update.seq, made });
    this.outcome(client, update, { verdict: 'recorded', piece: made, mark, made });
    this.recorded.push(`${this.epoch} ${id} ${update.seq} ${update.op}`);
  }

  /**
   * @param {Step} step
   * @param {number} id
   * @param {State | null} state null: deleted
   * @param {string} by the client that made it, '' for the server
   * @param {number} seat
   * @param {Op} op
   * @param {{ client: string, seq: number, made: number } | null} acked
   * @returns {number} its mark
   */
  record(step, id, state, by, seat, op, acked) {
    const history = this.history(id);
    const before = this.whole(id, this.now());
    const mark = this.now() + 256;
    if (state && Number.isNaN(state.zMark)) state.zMark = mark;
    const patch = difference(before, state && show(state), id, mark);
    const shown = !before || Object.keys(patch).length > 2;
    if (shown) this.shown++;
    else patch.mark = this.now();
    history.push({ mark: patch.mark, by, shown, state });
    step.events.push({ piece: id, by, seat, op, own: by !== '', patch, shown, ack: acked });
    return patch.mark;
  }

  /**
   * @param {Step} step
   * @param {string} id
   * @param {Client} client
   * @param {WireUpdate} update
   * @param {Reason} reason
   * @param {number} by
   */
  reject(step, id, client, update, reason, by) {
    const piece = update.piece ?? 0;
    const floor = Math.max(client.floors.get(piece) ?? 0, this.now());
    if (piece !== 0) client.floors.set(piece, floor < this.now() + 255 ? floor + 1 : floor);
    const outcome = this.outcome(client, update, { verdict: 'rejected', reason });
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
  rejection(id, client, seq, { piece, reason }, by) {
    const shown = this.whole(piece, this.now());
    const mark = Math.max(shown?.mark ?? 0, client.floors.get(piece) ?? 0);
    const whole = { ...show(ZERO), ...shown, id: piece, mark, locked: false, gone: piece !== 0 && !shown };
    return { client: id, event: { type: 'reject', seq, reason, piece: whole, by } };
  }

  /**
   * @param {Client} client
   * @param {WireUpdate} update
   * @param {Partial<Outcome> & { verdict: Outcome['verdict'] }} outcome
   */
  outcome(client, update, outcome) {
    const content = JSON.stringify(update);
    /** @type {Outcome} */
    const all = { content, piece: update.piece ?? 0, mark: 0, made: 0, server: false, reason: 'unspecified', ...outcome };
    client.outcomes.set(update.seq, all);
    client.last = Math.max(client.last, update.seq);
    return all;
  }

  // ---- telling ----

  /** @param {Step} step */
  publish(step) {
    this.log.push(...step.events);
    for (const [id, frames] of this.streams) {
      const events = step.events.flatMap((entry) => tell(entry, id));
      for (const { client, event } of step.rejects) if (client === id) events.push(event);
      if (events.length > 0) frames.push({ time: 0, mark: this.now(), events });
    }
  }

  /** @param {string} id */
  client(id) {
    const client = this.clients.get(id);
    if (!client) throw new Error(`no client ${id}`);
    return client;
  }

  /** @param {number} id */
  history(id) {
    return this.pieces.get(id)?.history ?? [];
  }

  /**
   * The state of a piece, unconcealed; null if it is not there.
   *
   * @param {number} id
   */
  state(id) {
    return this.history(id).at(-1)?.state ?? null;
  }

  /**
   * A piece as the view showed it when it was complete up to a mark; null if it was not there.
   *
   * @param {number} id
   * @param {number} at
   */
  whole(id, at) {
    const version = this.history(id).findLast((v) => v.mark <= at);
    const mark = this.history(id).findLast((v) => v.shown && v.mark <= at)?.mark ?? 0;
    return version?.state ? { id, mark, locked: false, ...show(version.state) } : null;
  }
}

/**
 * A state as the view shows it (T22): every third kind is secret.
 *
 * @param {State} state
 * @returns {State}
 */
function show(state) {
  return state.kind % 3 === 2 && state.face === DOWN ? { ...state, kind: MASK, face: 0 } : { ...state };
}

/**
 * What a patch has to say.
 *
 * @param {Record<string, any> | null} before
 * @param {Record<string, any> | null} after null: gone
 * @param {number} id
 * @param {number} mark
 * @returns {PiecePatch}
 */
function difference(before, after, id, mark) {
  if (!after) return { id, mark, gone: true };
  const base = before ?? ZERO;
  const changed = Object.entries(after).filter(([field, value]) => base[/** @type {keyof State} */ (field)] !== value);
  return { id, mark, ...Object.fromEntries(changed) };
}

/**
 * Whether somebody may not have been told of it whose view was complete up to a mark. What was not shown has the mark of
 * what was shown before: they may have been told, and are again.
 *
 * @param {Entry} entry
 * @param {number} mark
 */
function isMissed({ shown, patch }, mark) {
  return shown ? patch.mark > mark : patch.mark >= mark;
}

/**
 * What a client is told of something recorded.
 *
 * @param {Entry} entry
 * @param {string} client
 * @returns {FrameEvent[]}
 */
function tell({ by, seat, op, patch, shown, ack: acked }, client) {
  /** @type {FrameEvent[]} */
  const events = [];
  const mine = acked?.client === client;
  if (shown && !(mine && by === client)) events.push({ type: 'update', piece: patch, by: seat, op });
  if (mine) events.push({ type: 'ack', seq: acked.seq, made: acked.made, piece: filled(patch, by === client) });
  return events;
}

/**
 * What an ack says of an update: of an own one the fields that the server fills in (T10).
 *
 * @param {PiecePatch} patch
 * @param {boolean} own
 * @returns {PiecePatch}
 */
function filled(patch, own) {
  const fields = own ? ['kind', 'face', 'z', 'zMark'] : [];
  const kept = Object.entries(patch).filter(([field]) => ['id', 'mark', ...fields].includes(field));
  return /** @type {PiecePatch} */ (Object.fromEntries(kept));
}

/**
 * An ack given again. What was recorded as a server update has no mark of the client's own (S5).
 *
 * @param {number} seq
 * @param {Outcome} outcome
 * @returns {FrameEvent}
 */
function ack(seq, { piece, mark, made, server }) {
  return { type: 'ack', seq, made, piece: server ? { id: 0, mark: 0 } : { id: piece, mark } };
}
