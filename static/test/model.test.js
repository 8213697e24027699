// Several clients and a server, in a random order of everything that may happen between them:
// requests, answers and frames on their way, lost ones, late ones, broken streams, restarts,
// restored history. A run is a function of its seed.

import assert from 'node:assert/strict';
import test from 'node:test';
import { createSync } from '../js/sync/sync.js';
import { Authority, BOUNDS, EDGE, HAND } from './authority.js';
import { DECK, isCard, MASK, THING } from './board.js';
import { random } from './random.js';

/** @typedef {import('../js/types.js').Batch} Batch */
/** @typedef {import('../js/types.js').Piece} Piece */
/** @typedef {import('../js/types.js').PieceOp} PieceOp */

/**
 * @typedef {object} Player
 * @property {import('../js/types.js').Sync} sync
 * @property {string} id
 * @property {{ seq: number, known: { epoch: number, mark: number } | null } | null} hello a stream
 *   that is being opened
 * @property {Batch | null} [batch] the batch of the request that is under way
 * @property {Batch | null} up a request on its way to the server
 * @property {{ status: number, code: string } | null} answer one on its way back
 * @property {Batch[]} late requests that the client has given up and that are still on their way
 * @property {number} [lastKey] the highest number that making an update has returned
 * @property {number} made updates that were made, without deletions
 * @property {number} over those of them that were not recorded
 * @property {number} unsure how often the client could not know what had become of an update
 * @property {boolean} lost whether it waits for the full state because of that
 */

/** The batch of the request that is under way. @param {Player} p @returns {Batch} */
function sentBy(p) {
  assert.ok(p.batch);
  return p.batch;
}

/**
 * @typedef {object} Weather what may happen besides what players do
 * @property {boolean} [cuts] streams break, requests and answers are lost or late
 * @property {boolean} [resume] streams resume, if the server has kept enough
 * @property {boolean} [loose] players grab loosely
 * @property {boolean} [rest] the server restarts
 * @property {boolean} [epochs] history is restored
 * @property {boolean} [secrets] pieces go into hands and a deck, and come out of them renamed
 * @property {boolean} [blind] players make blind updates
 */

class Run {
  /**
   * @param {number} seed
   * @param {Weather} weather
   */
  constructor(seed, weather) {
    this.r = random(seed);
    this.weather = weather;
    const n = 1 + this.r.below(4);
    this.server = new Authority(
      1 + this.r.below(4), Array.from({ length: n }, (_, i) => 1 + i),
      { cards: weather.secrets === true },
    );
    this.backup = this.server.backup();
    this.resumed = 0; // streams that resumed
    this.renamed = 0; // pieces that were renamed while a player saw them
    this.heat = this.r.next(); // how much more is made than delivered
    /** @type {Player[]} */
    this.players = [];
    for (let i = 0; i < n; i++) {
      const id = `client ${i}`;
      this.server.seat(id, 1 + this.r.below(n)); // sometimes two tabs of one player (T18)
      const sync = createSync(id);
      if (this.r.chance(0.8)) foretell(sync); // otherwise its catalogue has not come
      this.players.push({
        sync, id, hello: { seq: 0, known: null }, up: null, answer: null, late: [], made: 0,
        over: 0, unsure: 0, lost: false,
      });
    }
    this.backup = this.server.backup();
  }

  /** @param {number} steps */
  go(steps) {
    for (let i = 0; i < steps; i++) {
      const p = this.r.pick(this.players);
      if (this.r.chance(this.heat)) this.play(p);
      else
        this.r
          .pick([this.carry, this.carry, this.carry, this.listen, this.listen, this.disturb])
          .call(this, p);
      this.check(p);
    }
    this.calm();
  }

  // ---- players ----

  /** @param {Player} p */
  play(p) {
    const { sync } = p;
    const ids = [...sync.pieces.keys()];
    if (ids.length === 0) return;
    const piece = /** @type {Piece} */ (sync.pieces.get(this.r.pick(ids)));
    if (this.weather.blind && this.r.chance(0.4)) {
      this.blind(p, piece);
      return;
    }
    if (this.r.chance(0.1)) {
      this.make(p, piece);
      return;
    }
    const [op, args] = this.anUpdate(piece, sync.you);
    const pending = sync.pending(piece.id);
    if (op === 'grab' && this.weather.loose && pending && this.r.chance(0.8)) {
      sync.grabLoose(piece.id, args);
      p.made++;
    } else {
      const before = p.lastKey ?? 0;
      p.lastKey = Math.max(before, sync.update(piece.id, op, args));
      if (p.lastKey > before) p.made++; // otherwise it was merged into the one before
    }
    const after = sync.pieces.get(piece.id) ?? sync.entering.get(piece.id)?.piece;
    if (op === 'stow')
      assert.equal(sync.pieces.has(piece.id), false, 'T30 a stowed piece is not displayed');
    else
      for (const [field, value] of Object.entries(args)) {
        assert.equal(
          after?.[/** @type {keyof Piece} */ (field)], value, `T9 ${op} shows ${field} at once`,
        );
      }
    assert.ok(sync.pending(piece.id));
  }

  /**
   * @param {Piece} piece
   * @param {number} you
   * @returns {[PieceOp, import('../js/types.js').Args]}
   */
  anUpdate(piece, you) {
    const { r } = this;
    const far = this.weather.secrets ? EDGE : HAND;
    const x = r.chance(0.05) ? EDGE + 1 : r.below(2 * far) - far;
    const z = `0.${1 + r.below(9)}`;
    if (piece.holder === you && r.chance(this.weather.secrets ? 0.3 : 0.7))
      return ['release', { x, y: 1 }];
    if (piece.holder === you)
      return ['release', { x: HAND + 1, y: 2, ...(r.chance(0.5) ? { z } : {}) }];
    if (this.weather.secrets && r.chance(0.05)) return ['stow', { into: 1 }];
    if (piece.holder !== 0 && r.chance(0.7)) return ['wrest', {}];
    switch (r.below(8)) {
      case 0:
        return ['move', { x, y: r.below(3) }];
      case 1:
        return ['move', { x: piece.x, y: piece.y }]; // changes nothing
      case 2:
        return r.chance(0.5)
          ? ['rotate', { angle: r.below(4) * 9000 }]
          : ['pivot', { x, y: r.below(3), angle: r.below(4) * 9000 }];
      case 3:
        return ['flip', { face: piece.kind === MASK ? 0 : 1 - (piece.face % 2) }];
      case 4:
        return [r.pick(['raise', 'lower']), {}];
      case 5:
        return [piece.pinned || r.chance(0.3) ? 'unpin' : 'pin', {}];
      default:
        return ['grab', r.chance(0.5) ? { z } : {}];
    }
  }

  /**
   * @param {Player} p
   * @param {Piece} piece
   */
  make(p, piece) {
    const op = this.r.pick(['add', 'copy', 'delete']);
    if (op === 'add')
      p.sync.make('add', { kind: this.r.below(3), x: this.r.below(2 * EDGE + 9) - EDGE, y: 0 });
    else if (op === 'copy') p.sync.make('copy', { piece: piece.id, x: 1, y: 1 });
    else p.sync.make('delete', { piece: piece.id });
    p.lastKey = (p.lastKey ?? 0) + 1;
    if (op !== 'delete') p.made++;
  }

  /**
   * @param {Player} p
   * @param {Piece} piece
   */
  blind(p, piece) {
    const { r } = this;
    const { sync } = p;
    const op = r.pick(['draw', 'count', 'count', 'count', 'split', 'roll', 'claim']);
    const deck = [...sync.pieces.values()].find(({ kind }) => kind === DECK);
    const x = r.below(2 * EDGE) - EDGE;
    if (op === 'draw')
      sync.blind((deck ?? piece).id, 'draw', {
        x, y: 0, ...(r.chance(0.5) ? { hold: /** @type {const} */ (true) } : {}),
      });
    else if (op === 'count') sync.blind(piece.id, 'count', { n: r.below(9) - 4 });
    else if (op === 'split')
      sync.blind(piece.id, 'split', {
        n: r.below(4), x: 3, y: 3, ...(r.chance(0.5) ? { hold: true } : {}),
      });
    else sync.blind(piece.id, op);
    p.lastKey = (p.lastKey ?? 0) + 1;
    p.made++;
  }

  // ---- the network ----

  /** Moves a request, or the answer, one step on its way. @param {Player} p */
  carry(p) {
    if (p.answer) {
      const { status, code } = p.answer;
      p.answer = null;
      if (status === 202) p.sync.delivered(sentBy(p));
      else {
        assert.ok(
          this.weather.epochs && code === 'epoch',
          `T15 an honest client is never refused: ${status} ${code}`,
        );
        p.sync.refused({ status, code }, sentBy(p));
      }
    } else if (p.up) {
      p.answer = this.server.post(p.up);
      p.up = null;
    } else {
      const batch = p.sync.take();
      if (!batch) return;
      assert.ok(batch.updates.length > 0 && batch.updates.length <= 256);
      const seqs = batch.updates.map((u) => u.seq);
      assert.deepEqual(seqs, [...new Set(seqs)].sort((a, b) => a - b), 'T10 sequences rise');
      p.batch = batch;
      p.up = structuredClone(batch);
    }
  }

  /** Moves the stream one step further. @param {Player} p */
  listen(p) {
    if (p.hello) {
      this.server.hello(p.id, p.hello.seq, p.hello.known);
      p.hello = null;
      return;
    }
    const frames = this.server.streams.get(p.id);
    if (!frames) {
      p.sync.reconnected();
      assert.equal(p.sync.take(), null, 'S5 nothing is sent before the stream is synchronised');
      const { epoch, mark } = p.sync;
      p.hello = {
        seq: p.sync.lowest(),
        known: this.weather.resume && epoch > 0 && this.r.chance(0.8) ? { epoch, mark } : null,
      };
      return;
    }
    const frame = frames.shift();
    if (!frame) return;
    const had = new Map(p.sync.pieces);
    const outcome = p.sync.receive(frame);
    for (const { from, to } of outcome.renamed) {
      const piece = had.get(from);
      if (!piece) continue;
      had.delete(from);
      had.set(to, { ...piece, id: to });
      this.renamed++;
    }
    this.account(p, outcome.events);
    if (outcome.resumed) this.steady(p, outcome.events, had);
    p.lost = (p.lost && !outcome.full) || outcome.needsFull;
    if (outcome.needsFull) {
      p.unsure++;
      this.server.makeWhole(p.id, p.sync.lowest()); // it asks for it (S9)
    }
    this.resumed += Number(outcome.resumed);
    for (const [id, piece] of p.sync.pieces) {
      const before = had.get(id);
      const same = before !== undefined && looksSame(piece, before);
      assert.ok(same || outcome.changed.has(id), `piece ${id} changed without an event`);
    }
    for (const id of had.keys())
      assert.equal(outcome.gone.has(id), !p.sync.pieces.has(id), `piece ${id} vanished silently`);
  }

  /**
   * When a stream resumes, only what somebody else has moved moves. A place that is shown before
   * the answer never gives way to an older one in between.
   *
   * @param {Player} p
   * @param {import('../js/types.js').SyncEvent[]} events
   * @param {Map<number, Piece>} had
   */
  steady(p, events, had) {
    const moved = new Set(events.map((event) => ('piece' in event ? event.piece : 0)));
    for (const [id, before] of had) {
      const after = p.sync.pieces.get(id);
      if (moved.has(id)) continue;
      assert.ok(after, `S5 piece ${id} leaves only by an event`);
      const place = (/** @type {Piece} */ { x, y, angle, holder, pinned }) => ({
        x, y, angle, holder, pinned,
      });
      assert.deepEqual(place(after), place(before), `S5 piece ${id} stays where it was displayed`);
    }
  }

  /**
   * Counts the outcomes of updates.
   *
   * @param {Player} p
   * @param {import('../js/types.js').SyncEvent[]} events
   */
  account(p, events) {
    for (const event of events) {
      /** @type {string[]} */
      let ops = [];
      if (event.type === 'conflict') ops = event.lost;
      if (event.type === 'reject') ops = [event.op, ...event.lost];
      if (event.type === 'lost') {
        assert.ok(this.weather.epochs, 'T19 only a restored history loses updates');
        ops = event.ops;
      }
      p.over += ops.filter((op) => op !== 'delete').length;
    }
  }

  /** @param {Player} p */
  disturb(p) {
    const { r, server, weather } = this;
    const choices = [() => server.touch(r.below(99), { angle: r.below(3), holder: 0 })];
    if (weather.cuts) {
      choices.push(
        () => server.streams.delete(p.id),
        () => this.lose(p),
        // Its outbox was full, or it asked (S7, S9).
        () => server.streams.has(p.id) && server.makeWhole(p.id, 1),
        () => {
          const late = p.late.shift();
          if (late) server.post(late); // nobody waits for the answer
        },
      );
    }
    if (weather.resume) choices.push(() => server.forget(r.below(60)));
    if (weather.rest && r.chance(0.2)) choices.push(() => this.restart());
    if (weather.epochs && r.chance(0.2)) {
      choices.push(
        () => {
          this.backup = server.backup();
        },
        () => {
          server.restore(this.backup);
          this.restart();
        },
      );
    }
    r.pick(choices)();
  }

  /** Loses a request, or its answer. It may still arrive. @param {Player} p */
  lose(p) {
    if (p.up && this.r.chance(0.5)) p.late.push(p.up);
    if (p.up || p.answer) p.sync.failed(sentBy(p));
    p.up = null;
    p.answer = null;
  }

  restart() {
    for (const p of this.players) {
      p.late = []; // requests on their way to the process ended with it
      this.lose(p);
      p.late = [];
      p.hello = null;
    }
    this.server.restart();
  }

  // ---- invariants ----

  /**
   * Without pending updates the client shows the view as it was when the last frame was made (T8,
   * T9).
   *
   * @param {Player} p
   */
  check(p) {
    const { sync } = p;
    if (sync.epoch !== this.server.epoch || p.lost) return; // it will learn of it
    const { board } = this.server;
    const known = new Set(sync.pieces.keys());
    for (const thing of board.things.values()) {
      const want = board.whole(thing, sync.you, sync.mark);
      if (!want) continue;
      known.delete(want.id);
      if (sync.pending(want.id)) continue;
      const got = sync.pieces.get(want.id);
      if (!got || !looksSame(got, want))
        assert.deepEqual(got && looks(got), looks(want), `T8 piece ${want.id} of ${p.id}`);
    }
    for (const id of known)
      assert.ok(sync.pending(id), `T8 T20 piece ${id} of ${p.id} is missing or must be hidden`);
  }

  /** Lets everything arrive, and compares. */
  calm() {
    for (const p of this.players) {
      for (const late of p.late) this.server.post(late);
      p.late = [];
    }
    for (let quiet = 0, i = 0; quiet < 4; i++) {
      assert.ok(i < 10_000, 'T8 all clients come to rest');
      quiet++;
      for (const p of this.players) {
        if (
          p.up ||
          p.answer ||
          p.hello ||
          !this.server.streams.get(p.id) ||
          this.server.streams.get(p.id)?.length
        )
          quiet = 0;
        this.carry(p);
        this.listen(p);
        if (p.up) quiet = 0;
        this.check(p);
      }
    }
    const { recorded } = this.server;
    assert.equal(new Set(recorded).size, recorded.length, 'T10 no update is applied twice');
    for (const p of this.players) {
      assert.equal(p.sync.lowest(), 0, 'T8 nothing is pending at rest');
      assert.equal(p.sync.entering.size, 0, 'T29 no piece is still entering a container');
      for (const id of p.sync.pieces.keys()) assert.ok(!p.sync.pending(id), 'T8 no update remains');
      if (this.weather.epochs) continue; // with epochs recorded updates may be undone
      const mine = recorded.filter(
        (line) => line.includes(` ${p.id} `) && !line.endsWith(' delete'),
      ).length;
      const told = 'T11 each update is recorded, or the player is notified';
      if (p.unsure > 0) assert.ok(mine + p.over >= p.made, told);
      else assert.equal(mine + p.over, p.made, told);
    }
  }
}

/**
 * A piece as it looks: missing fields are 0 or empty.
 *
 * @param {Piece} piece
 */
function looks({ mark: _, value = 0, team = [], ...fields }) {
  return { ...fields, value, team };
}

/** @type {(keyof Piece)[]} */
const FIELDS = [
  'id', 'kind', 'x', 'y', 'angle', 'face', 'z', 'zMark', 'pinned', 'locked', 'holder', 'owner',
];

/**
 * Whether two pieces look the same. They are compared after every step, so this compares fields and
 * makes no objects.
 *
 * @param {Piece} a
 * @param {Piece} b
 */
function looksSame(a, b) {
  const { team: one = [], value: worth = 0 } = a;
  const { team: other = [], value = 0 } = b;
  return (
    FIELDS.every((field) => a[field] === b[field]) && worth === value && one.join() === other.join()
  );
}

/**
 * Gives a client the predictions that follow from its catalogue (T23, T29, T33).
 *
 * @param {import('../js/types.js').Sync} sync
 */
function foretell(sync) {
  sync.bounds = (kind) => (kind === THING ? BOUNDS : null);
  sync.taker = ({ kind, x }, op) => {
    if (op !== 'release' || !(isCard(kind) || kind === MASK)) return null;
    if (x < -HAND) return { into: 1, owner: 0, team: [], z: '' };
    return { into: 0, owner: x > HAND ? sync.you : 0, team: [], z: '' };
  };
}

/**
 * @param {string} name
 * @param {number} seeds
 * @param {Weather} weather
 */
function runs(name, seeds, weather) {
  test(`T8.7 ${name}: ${seeds} random histories`, () => {
    let resumed = 0;
    let renamed = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      try {
        const run = new Run(seed, weather);
        run.go(150);
        resumed += run.resumed;
        renamed += run.renamed;
      } catch (error) {
        throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, {
          cause: error,
        });
      }
    }
    assert.equal(resumed > seeds / 2, weather.resume === true, `${resumed} streams were resumed`);
    assert.equal(
      renamed > seeds / 4, weather.secrets === true, `${renamed} pieces were renamed`,
    );
  });
}

runs('a good network', 600, {});
runs('with Loose grabs (T17)', 600, { loose: true });
runs('with cuts and late requests (S5, S7, T10)', 900, { cuts: true });
runs('with cuts and resumed streams (S5)', 900, { cuts: true, resume: true });
runs('with cuts, resumed streams and Loose grabs (S5, T17)', 900, {
  cuts: true, resume: true, loose: true,
});
runs('with cuts and restarts (T19)', 900, { cuts: true, rest: true });
runs('with hands and a deck (T20, T21)', 500, { secrets: true });
runs('with hands, a deck and Loose grabs (T17, T21)', 500, { secrets: true, loose: true });
runs('with blind updates (T28)', 400, { blind: true });
runs('with hands, a deck, Loose grabs and blind updates (T17, T21, T28)', 400, {
  secrets: true, loose: true, blind: true,
});
runs('with hands, a deck, blind updates and cuts (T21, T28, S5)', 600, {
  secrets: true, blind: true, cuts: true,
});
runs('with hands, a deck, blind updates, cuts and resumed streams (T21, T28, S5)', 600, {
  secrets: true, blind: true, cuts: true, resume: true,
});
runs('with everything', 1500, {
  secrets: true, blind: true, cuts: true, resume: true, loose: true, rest: true, epochs: true,
});
