// Random histories of several pages against the real table of the server, with hands, a deck, cards
// and dice: requests and streams that are lost, late or cut, and restarts of the server. After each
// step it checks T8 on the page's own pending updates. In each third history the pages send several
// requests at a time, as by datagrams (D39). The seed is printed when a history fails: HOLT_SEED=n
// plays that one again, and HOLT_HISTORIES=n plays n of them, with seeds of their own.

import assert from 'node:assert/strict';
import test from 'node:test';
import { footprint, Upward } from '../js/parts/datagrams/upward.js';
import { decodeFrame } from '../js/net/wire.js';
import { createWhole } from '../js/sync/sync.js';
import { checkPage, looks } from './pagestates.js';
import { random } from './random.js';
import { buildTableStates, clientName, TableStates } from './tablestates.js';

/** @typedef {import('../js/types.js').Batch} Batch */
/** @typedef {import('../js/types.js').Piece} Piece */
/** @typedef {import('../js/sync/outbox.js').PendingUpdate} PendingUpdate */
/** @typedef {import('./tablestates.js').Answer} Answer */
/** @typedef {import('./tablestates.js').Request} Request */

const STEPS = 400;

/** Seeds of histories that once found a fault. */
const FOUND = [68482665, 981078470];

const SEATS = [1, 2, 3, 2]; // the last one is a second tab of the second player (T18)

// The kinds of scripts/tablestates.
const TOKEN = 0;
const COUNTER = 1;
const HAND = 5;
const DECK = 6;
const DIE = 7;
const NOTE = 8;
const CHIP = 9;
const CARDS = [2, 3, 4];

/** What the digraph of T8 allows, for a client's own update. */
const LEGAL = new Set([
  'pending upbound', 'pending recorded', 'pending discarded', 'pending rejected',
  // The last one is heard again behind a restart, which forgets rejects (T10.19).
  'acked recorded', 'rejected rejected', 'rejected discarded',
  'lost upbound', 'lost discarded', 'lost rejected',
  // It puts its piece out of its maker's sight, which is a server update (T20). Or it is blind, and
  // behind a full state the maker knows the piece by another name only (T21).
  'lost recorded unseen',
]);

/**
 * What has become of an own update.
 *
 * @typedef {object} Own
 * @property {number} piece
 * @property {string} op
 * @property {'pending' | 'acked' | 'rejected' | 'lost'} here what the page takes it for
 * @property {'upbound' | 'recorded' | 'discarded' | 'rejected'} there what the server has done
 * @property {boolean} unseen
 */

/**
 * A request on its way.
 *
 * @typedef {object} Sent
 * @property {Batch} batch as it was sent
 * @property {Batch} taken what the page waits for an answer to
 * @property {number} number
 * @property {Sent[]} before what must be judged before it (D39)
 */

/**
 * @typedef {object} Player
 * @property {number} number
 * @property {import('../js/sync/state.js').SyncState} state
 * @property {Map<number, Own>} own by sequence
 * @property {Sent[]} up requests on their way
 * @property {Upward<Batch>} upward the requests of which the page has no answer
 * @property {boolean} unanswered whether the answer to one is lost, and it still waits
 * @property {Batch[]} late
 * @property {string[] | null} down frames on their way; null: it has no stream
 * @property {{ seq: number, mark: number } | null} hello
 * @property {boolean} asks for the full state (S9)
 */

/** Its requests get no answer any more. @param {Player} p */
function giveUp(p) {
  for (const taken of p.upward.giveUp()) p.state.view.failed(taken);
}

/** Its requests by datagrams end with their stream. @param {Player} p */
function breakOff(p) {
  for (const taken of p.upward.abandon()) p.state.view.failed(taken);
  Object.assign(p, { up: [], unanswered: false });
}

class History {
  /**
   * @param {string} program
   * @param {number} seed
   */
  constructor(program, seed) {
    this.r = random(seed);
    this.server = new TableStates(program, { pieces: 'cards', seats: SEATS, seed, linear: true });
    this.at = 0;
    /** @type {Player[]} */
    this.players = SEATS.map((_, number) => {
      const state = createWhole(clientName(number));
      return {
        number, state, own: new Map(), up: [],
        upward: new Upward((b) => footprint(state.view.inFlight(b))),
        unanswered: false, late: [], down: null, hello: null, asks: false,
      };
    });
    this.byDatagrams = seed % 3 === 1; // none of the seeds in FOUND
    this.heat = 0.2 + this.r.next() / 2;
    /** @type {Record<string, number>} */
    this.happened = {};
  }

  /** @param {string} what */
  note(what) {
    this.happened[what] = (this.happened[what] ?? 0) + 1;
  }

  /** @param {number} steps */
  async go(steps) {
    for (let i = 0; i < steps; i++) {
      const p = this.r.pick(this.players);
      if (this.r.chance(this.heat)) this.play(p);
      else if (this.r.chance(0.45)) await this.carry(p);
      else if (this.r.chance(0.9)) await this.listen(p);
      else await this.disturb(p);
      this.check(p);
    }
    await this.calm();
    this.server.end();
  }

  // ---- players ----

  /** @param {Player} p */
  play(p) {
    const { r } = this;
    const { view, entries } = p.state;
    const pieces = [...view.pieces.values()];
    if (pieces.length === 0 || p.state.outbox.all().length > 12) return;
    const piece = r.pick(pieces);
    const pending = entries.get(piece.id)?.pending ?? [];
    if (pending.at(-1)?.op === 'release' && !pending.some((own) => own.loose) && r.chance(0.6)) {
      view.grabLoose(piece.id);
      this.note('grabs loosely');
      return;
    }
    if (r.chance(0.35)) {
      this.blind(p, piece);
      return;
    }
    const [op, args] = this.anUpdate(p, piece);
    if (op === 'copy' || op === 'delete' || op === 'add') {
      if (pieces.length > 45 && op !== 'delete') return;
      view.make(op, op === 'add' ? args : { piece: piece.id, ...args });
      return;
    }
    view.update(piece.id, /** @type {any} */ (op), args);
    const shown = view.pieces.get(piece.id);
    for (const field of /** @type {const} */ (['x', 'y', 'angle'])) {
      if (shown && field in args) assert.equal(shown[field], args[field], `T9.1 ${op} ${field}`);
    }
  }

  somewhere() {
    const { r } = this;
    if (r.chance(0.03)) return { x: 900_000, y: 0 };
    // A hand, the deck, or anywhere.
    const [x, y] = r.pick([[0, -8000], [0, 8000], [-7000, 0], [3000, 0], [0, 0], [1000, 1000]]);
    return { x: x + r.below(900) - 450, y: y + r.below(400) - 200 };
  }

  /**
   * @param {Player} p
   * @param {Piece} piece
   * @returns {[string, import('../js/types.js').MakeArgs]}
   */
  anUpdate({ state: { view } }, piece) {
    const { r } = this;
    const z = r.chance(0.3) ? { z: `0.${1 + r.below(98)}1` } : {};
    if (piece.holder === view.you && r.chance(0.7))
      return ['release', { ...this.somewhere(), ...z }];
    const deck = [...view.pieces.values()].find(({ kind }) => kind === DECK);
    switch (r.below(14)) {
      case 0: case 1: case 2:
        return ['grab', z];
      case 3: case 4: case 5:
        return ['move', { ...this.somewhere(), ...z }];
      case 6:
        return ['rotate', { angle: r.below(4) * 9000 }];
      case 7:
        return piece.kind === TOKEN || piece.kind === DIE
          ? ['flip', { face: r.below(3) }]
          : ['flip', { face: 0 }];
      case 8:
        return [r.pick(['raise', 'lower', 'pin', 'unpin', 'unpin']), {}];
      case 9:
        return ['wrest', {}];
      case 10:
        return deck && CARDS.includes(piece.kind) ? ['stow', { into: deck.id }] : ['grab', {}];
      case 11:
        return r.chance(0.5) ? ['copy', this.somewhere()] : ['delete', {}];
      case 12:
        return ['add', { kind: r.pick([TOKEN, DIE, CHIP]), ...this.somewhere() }];
      default:
        if (piece.kind === NOTE) return ['write', { text: `${r.below(9)}` }];
        return ['move', this.somewhere()];
    }
  }

  /**
   * @param {Player} p
   * @param {Piece} piece
   */
  blind({ state: { view } }, piece) {
    const { r } = this;
    const find = (/** @type {number} */ kind) =>
      [...view.pieces.values()].find((other) => other.kind === kind) ?? piece;
    const hold = r.chance(0.5) ? { hold: /** @type {const} */ (true) } : {};
    switch (r.below(7)) {
      case 0: case 1:
        view.blind(find(DECK).id, 'draw', { ...this.somewhere(), ...hold });
        break;
      case 2:
        view.blind(find(COUNTER).id, 'count', { n: r.below(5) - 2 || 1 });
        break;
      case 3:
        view.blind(find(DIE).id, 'roll');
        break;
      case 4:
        view.blind(find(CHIP).id, 'split', { n: 1 + r.below(60), ...this.somewhere(), ...hold });
        break;
      case 5:
        view.blind(find(HAND).id, r.pick(['claim', 'leave']));
        break;
      default:
        view.blind(find(HAND).id, r.pick(['share', 'unshare']), { seat: 1 + r.below(3) });
    }
    this.note('asks blindly');
  }

  // ---- the network ----

  /**
   * @param {Omit<Request, 'from'>} request
   * @returns {Promise<Answer>}
   */
  async ask(request) {
    const [answer] = await this.server.ask([{ from: this.at, ...request }]);
    this.at = answer.to;
    return answer;
  }

  /**
   * The server judges a batch.
   *
   * @param {Player} p
   * @param {Batch} batch
   */
  async post(p, batch) {
    const answer = await this.ask({ do: 'post', client: p.number, batch });
    for (const { seq, verdict } of answer.judged ?? []) {
      const own = p.own.get(seq);
      assert.ok(own);
      this.note(verdict);
      if (verdict === 'repeated') assert.equal(own.there, 'recorded', 'T10.17 a repetition');
      if (verdict === 'recorded') assert.notEqual(own.there, verdict, `T10.18 ${seq} again`);
      if (verdict !== 'repeated') own.there = /** @type {Own['there']} */ (verdict);
    }
    (answer.frames ?? []).forEach((bytes, i) => {
      if (bytes !== null) this.players[i].down?.push(bytes);
    });
    for (const entry of answer.entries ?? []) {
      if (entry.client < 0 || entry.server) continue;
      assert.equal(entry.client, p.number, 'T10.8 an entry acknowledges the update of its maker');
    }
    return answer;
  }

  /** Moves a request one step on its way. @param {Player} p */
  async carry(p) {
    const { view } = p.state;
    if (p.unanswered) {
      p.unanswered = false;
      giveUp(p);
    } else if (p.up.length > 0 && !(this.byDatagrams && this.r.chance(0.5))) {
      const free = p.up.filter(({ before }) => !before.some((other) => p.up.includes(other)));
      const sent = this.byDatagrams ? this.r.pick(free) : free[0];
      if (sent !== p.up[0]) this.note('overtakes');
      const { code } = await this.post(p, sent.batch);
      assert.equal(code, '', 'T15 an honest client is never refused');
      p.up.splice(p.up.indexOf(sent), 1);
      if (this.r.chance(0.04)) p.unanswered = true;
      else {
        p.upward.answered(sent.number);
        view.delivered(sent.taken);
      }
    } else {
      // One at a time, as over HTTP, also while what was given up by datagrams is on its way (D40).
      const isFree = this.byDatagrams && p.late.length === 0 ? p.upward.isFree : p.upward.isQuiet;
      const batch = isFree ? view.take() : null;
      if (!batch) return;
      const { deps, behind } = p.upward.behind(batch);
      /** @type {Sent} */
      const sent = {
        batch: structuredClone(batch), taken: batch, number: p.upward.next,
        before: /** @type {Sent[]} */ (deps),
      };
      p.upward.add({ batch, handle: sent, behind, sentAt: 0 });
      p.up.push(sent);
      for (const { seq, piece = 0, op } of batch.updates) {
        if (!p.own.has(seq))
          p.own.set(seq, { piece, op, here: 'pending', there: 'upbound', unseen: false });
      }
    }
  }

  /** Moves the stream one step further. @param {Player} p */
  async listen(p) {
    const { view } = p.state;
    if (p.hello) {
      const resume = p.hello.mark > 0 && this.r.chance(0.6);
      const answer = await this.ask({ do: 'hello', client: p.number, ...p.hello, resume });
      p.hello = null;
      p.down = [/** @type {string} */ (answer.frames?.[p.number])];
    } else if (!p.down) {
      view.reconnected();
      assert.equal(view.take(), null, 'S5 nothing is sent before the stream is synchronised');
      p.hello = { seq: view.lowest(), mark: view.mark };
      p.asks = false;
    } else if (p.asks) {
      p.asks = false;
      await this.makeWhole(p);
    } else if (p.down.length > 0) this.receive(p, /** @type {string} */ (p.down.shift()));
  }

  /** @param {Player} p */
  async makeWhole(p) {
    const answer = await this.ask({ do: 'resync', client: p.number, seq: 1 });
    p.down = [/** @type {string} */ (answer.frames?.[p.number])];
  }

  /**
   * @param {Player} p
   * @param {string} bytes
   */
  receive(p, bytes) {
    const { view, outbox, entries } = p.state;
    const frame = decodeFrame(Uint8Array.from(Buffer.from(bytes, 'base64')));
    const versions = new Map([...entries].map(([id, { confirmed }]) => [id, confirmed.mark]));
    const outcome = view.receive(frame);
    for (const { from, to } of outcome.renamed) {
      this.note('is renamed');
      versions.delete(from);
      versions.delete(to);
    }
    for (const event of outcome.events) if (event.type === 'conflict') this.note('conflict');
    const after = p.state.entries; // a full state replaces them
    for (const [id, { confirmed }] of after)
      assert.ok(confirmed.mark >= (versions.get(id) ?? 0), `T8.4 the version of ${id} falls`);
    const isOf = (/** @type {string} */ type) =>
      new Set(frame.events.flatMap((e) => (e.type === type && 'seq' in e ? [e.seq] : [])));
    const acked = isOf('ack');
    const rejected = isOf('reject');
    for (const [seq, own] of p.own) {
      if (own.here !== 'pending' || outbox.sent.has(seq)) {
        assert.ok(own.here !== 'pending' || !acked.has(seq), `T11.2 ${seq} is acknowledged`);
        continue;
      }
      own.here = acked.has(seq) ? 'acked' : rejected.has(seq) ? 'rejected' : 'lost';
      if (own.here === 'lost') own.unseen = !after.has(own.piece);
    }
    p.asks = (p.asks && !outcome.full) || outcome.needsFull;
    if (outcome.resumed) this.note('resumes');
  }

  /** @param {Player} p */
  async disturb(p) {
    const { r } = this;
    switch (r.below(12)) {
      case 0: case 1: case 2:
        p.down = null;
        p.hello = null;
        if (this.byDatagrams) breakOff(p);
        break;
      case 3: case 4: case 5:
        if (p.up.length > 0) {
          if (r.chance(0.5)) p.late.push(...p.up.map(({ batch }) => batch));
          p.up = [];
          giveUp(p);
        }
        break;
      case 6: case 7: {
        const late = p.late.shift();
        if (!late) break;
        const { code } = await this.post(p, late);
        assert.equal(code, '', 'T10.4 a batch that comes late is accepted');
        this.note('is heard late');
        break;
      }
      case 8: case 9:
        if (p.down) await this.makeWhole(p);
        break;
      default:
        if (r.chance(0.3)) await this.restart();
    }
  }

  async restart() {
    await this.ask({ do: 'restart' });
    this.note('restart');
    for (const p of this.players) {
      if (this.byDatagrams) breakOff(p);
      else if (p.up.length > 0) giveUp(p);
      Object.assign(p, { up: [], late: [], down: null, hello: null, asks: false });
      // Rejects and discards are not kept across a restart (T10).
      for (const own of p.own.values()) if (own.there !== 'recorded') own.there = 'upbound';
    }
  }

  // ---- what must hold ----

  /** @param {Player} p */
  check(p) {
    const { state } = p;
    checkPage(state);
    for (const [seq, own] of p.own) {
      const inOutbox = state.outbox.sent.has(seq);
      assert.equal(inOutbox, own.here === 'pending', `T8 update ${seq} is ${own.here}`);
      const combination = `${own.here} ${own.there}${
        own.here === 'lost' && own.there === 'recorded' && own.unseen ? ' unseen' : ''}`;
      const wasForgotten = own.here === 'rejected' && own.there === 'upbound';
      assert.ok(
        LEGAL.has(combination) || wasForgotten,
        `T8 ${own.op} ${seq} of piece ${own.piece}: ${combination}`,
      );
    }
  }

  /** Lets everything arrive, and compares (T8.7). */
  async calm() {
    for (let quiet = 0, i = 0; quiet < 3; i++) {
      assert.ok(i < 3000, 'T8.7 all clients come to rest');
      quiet++;
      for (const p of this.players) {
        const late = p.late.shift();
        if (late) await this.post(p, late);
        const isBusy =
          p.up.length > 0 || p.unanswered || p.hello || p.asks || !p.down || p.down.length > 0;
        if (isBusy) quiet = 0;
        await this.carry(p);
        await this.listen(p);
        if (p.up.length > 0) quiet = 0;
        this.check(p);
      }
    }
    const { views = [] } = await this.ask({ do: 'view' });
    for (const { number, state } of this.players) {
      assert.equal(state.outbox.all().length, 0, `T8.7 an update of ${number} waits for ever`);
      assert.equal(state.view.pieces.size, views[number].length, `T8.7 pieces of client ${number}`);
      for (const want of views[number]) {
        const got = state.view.pieces.get(want.id);
        assert.ok(got, `T8.7 client ${number} lacks piece ${want.id}`);
        for (const field of /** @type {(keyof typeof want)[]} */ (Object.keys(want))) {
          /** @type {string | number | boolean} */
          const value = got[field] ?? (field === 'text' ? '' : 0);
          assert.equal(value, want[field], `T8.7 ${field} of piece ${want.id} of ${number}`);
        }
        assert.equal(looks(got), looks(want));
      }
    }
  }
}

const { path, remove } = buildTableStates();
test.after(remove);

const { HOLT_SEED, HOLT_HISTORIES } = process.env;
const first = Number(HOLT_SEED ?? (HOLT_HISTORIES ? 1 + Math.floor(Math.random() * 1e9) : 1));
const count = HOLT_SEED ? 1 : Number(HOLT_HISTORIES ?? 60);

test(`T8, T11.2, T17, T21 ${count} random histories with the real table`, async (t) => {
  /** @type {Record<string, number>} */
  const happened = {};
  const seeds = Array.from({ length: count }, (_, i) => first + i);
  for (const seed of HOLT_SEED ? seeds : [...FOUND, ...seeds]) {
    const history = new History(path, seed);
    try {
      await history.go(STEPS);
    } catch (error) {
      history.server.end();
      const why = error instanceof Error ? error.message : error;
      throw new Error(`HOLT_SEED=${seed}: ${why}`, { cause: error });
    }
    for (const [what, n] of Object.entries(history.happened))
      happened[what] = (happened[what] ?? 0) + n;
  }
  t.diagnostic(`${count * STEPS} steps, seeds from ${first}: ${JSON.stringify(happened)}`);
  if (count < 50) return;
  const wanted = [
    'recorded', 'discarded', 'rejected', 'repeated', 'conflict', 'restart', 'resumes', 'is renamed',
    'is heard late', 'grabs loosely', 'asks blindly', 'overtakes',
  ];
  for (const what of wanted) assert.ok(happened[what] > 0, `nothing ${what}`);
});
