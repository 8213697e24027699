// Several pages at a table, some of them in one browser, and a room, in a random order of
// everything that may happen between them: people write, posts are lost or late, streams break, the
// server restarts, pages are left and loaded again, pieces go into hands. At rest all show the
// same, and each operation is in the room, was overtaken, or was refused with a notice. A run is a
// function of its seed.

import assert from 'node:assert/strict';
import test from 'node:test';
import { COMPONENTS, limitOf } from '../js/parts/components/registry.js';
import * as crdt from '../js/parts/components/crdt.js';
import { elements, entities, get } from '../js/parts/components/crdtread.js';
import {
  classOf, clearing, entityOfPiece, entityOfStroke, FIRST_ROW, isClearing, pieceOf, SHEET, TABLE,
} from '../js/parts/components/entities.js';
import { OwnOps } from '../js/parts/components/ownops.js';
import { createSync } from '../js/sync/sync.js';
import { EDGE, HAND } from './authority.js';
import { isCard, MASK } from './board.js';
import { Browser, Page } from './pages.js';
import { random } from './random.js';
import { Room } from './room.js';

/** @typedef {import('../js/parts/components/wire.js').Op} Op */
/** @typedef {import('../js/types.js').Batch} Batch */

const {
  label, tint, remark, title, sheet, column, cell, row, stroke, points, ping, roll, rollResult,
} = COMPONENTS;

/**
 * @typedef {object} Weather what may happen besides what players do
 * @property {boolean} [cuts] streams break, requests and answers are lost or late
 * @property {boolean} [rest] the server restarts
 * @property {boolean} [reload] pages are left and loaded again, and a browser may have two
 * @property {boolean} [hands] pieces go into hands and come out of them, renamed
 * @property {boolean} [epochs] history is restored
 */

/** Posts of one kind on their way, of one page. */
class Line {
  /**
   * @param {() => any} take
   * @param {(what: any) => import('../js/types.js').Problem | undefined} post the server's side:
   *   undefined if it was judged
   * @param {{ delivered: (batch: any) => void, failed: (batch: any) => void,
   *   refused: (problem: import('../js/types.js').Problem, batch: any) => unknown }} back
   */
  constructor(take, post, back) {
    Object.assign(this, { take, post, back });
    this.take = take;
    this.post = post;
    this.back = back;
    /** A request on its way to the server. */
    this.up = null;
    /** @type {any} what it was made of */
    this.taken = null;
    /**
     * Why the answer on its way refuses the request; null: it does not.
     *
     * @type {import('../js/types.js').Problem | null}
     */
    this.problem = null;
    this.answered = false;
    /** Requests that were given up and are still on their way. @type {any[]} */
    this.late = [];
  }

  /** Moves the request, or the answer, one step on its way. Returns whether there was one. */
  carry() {
    if (this.answered) {
      this.answered = false;
      if (this.problem) this.back.refused(this.problem, this.taken);
      else this.back.delivered(this.taken);
    } else if (this.up) {
      this.problem = this.post(this.up) ?? null;
      this.up = null;
      this.answered = true;
    } else {
      this.taken = this.take();
      this.up = structuredClone(this.taken);
    }
    return this.answered || this.up !== null;
  }

  /** Loses the request, or its answer. @param {boolean} isLate it still arrives */
  lose(isLate) {
    if (this.up && isLate) this.late.push(this.up);
    if (this.up || this.answered) this.back.failed(this.taken);
    this.up = null;
    this.answered = false;
  }

  arrive() {
    const late = this.late.shift();
    if (late) this.post(late);
  }
}

/** A page of a player: what it has, and its lines. */
class Player {
  /**
   * @param {Room} room
   * @param {Browser} browser
   * @param {string} client
   * @param {number} seat
   */
  constructor(room, browser, client, seat) {
    this.room = room;
    this.browser = browser;
    this.client = client;
    this.seat = seat;
    this.sync = createSync(client);
    const { sync } = this;
    sync.taker = ({ kind, x }, op) => {
      if (op !== 'release' || !(isCard(kind) || kind === MASK)) return null;
      if (x < -HAND) return { into: 1, owner: 0, team: [], z: '' };
      return { into: 0, owner: x > HAND ? sync.you : 0, team: [], z: '' };
    };
    this.page = new Page(browser, {
      sync,
      sees: (piece) => sync.pieces.has(piece) || sync.entering.has(piece),
      isPrivate: (kind) => isCard(kind) || kind === MASK,
    });
    /**
     * @type {{ epoch: number, mark: number } | null | undefined} a stream that is being opened;
     *   undefined: there is none
     */
    this.hello = null;
    const isOpen = () => this.room.streams.has(client) && this.hello === undefined && this.whole;
    this.whole = false;
    this.updates = new Line(
      () => (isOpen() ? sync.take() : null), (batch) => this.judge(batch), sync,
    );
    const back = {
      delivered: () => this.page.source.delivered(), failed: () => this.page.source.failed(),
      refused: (/** @type {any} */ problem) => this.page.source.refused(problem),
    };
    this.components = new Line(
      () => (isOpen() ? this.page.message() : null), (message) => this.operate(message), back,
    );
  }

  /** @param {Batch} batch @returns {undefined} */
  judge(batch) {
    const { status } = this.room.post(batch);
    if (status !== 202) this.refused = true;
  }

  /**
   * @param {import('../js/parts/components/replica.js').Batch} message
   * @returns {import('../js/types.js').Problem | undefined} why the whole message was refused
   */
  operate(message) {
    const { status, code } = this.room.operate(this.client, message);
    return status === 204 ? undefined : { status, code };
  }

  /** Moves the stream one step further. Returns whether there was something to move. */
  listen() {
    const { room, client, sync, page } = this;
    if (this.hello !== undefined) {
      room.hello(client, sync.lowest(), this.hello);
      this.hello = undefined;
      return true;
    }
    const frames = room.streams.get(client);
    if (!frames) {
      sync.reconnected();
      this.whole = false;
      const { epoch, mark } = sync;
      this.hello = epoch > 0 ? { epoch, mark } : null;
      return true;
    }
    const frame = frames.shift();
    if (!frame) return false;
    const { resyncs } = page;
    const outcome = sync.receive(frame);
    if (outcome.full || outcome.resumed) this.whole = true;
    page.replica.receive(outcome);
    if (outcome.needsFull || page.resyncs > resyncs) room.makeWhole(client, sync.lowest());
    return true;
  }
}

class Run {
  /** @param {number} seed @param {Weather} weather */
  constructor(seed, weather) {
    this.r = random(seed);
    this.weather = weather;
    this.seats = [1, 2, 3].slice(0, 1 + this.r.below(3));
    this.room = new Room(3 + this.r.below(3), this.seats);
    this.backup = this.room.backup();
    this.pages = 0;
    this.writes = 0;
    /**
     * Everything written, with the page that wrote it.
     *
     * @type {{ op: Op, by: Player, later: boolean }[]}
     */
    this.made = [];
    /** The strokes that somebody has erased, or tried to. @type {number[]} */
    this.erasures = [];
    /** Every key of which a page reported a refusal or loss, with its seat. @type {Set<string>} */
    this.told = new Set();
    /** @type {Browser[]} */
    this.browsers = this.seats.map(() => new Browser());
    /** @type {Player[]} */
    this.players = this.seats.map((seat) => this.open(seat));
    this.heat = this.r.next();
  }

  /** Loads a page. @param {number} seat */
  open(seat) {
    const client = `page ${++this.pages}`;
    this.room.seat(client, seat);
    const player = new Player(this.room, this.browsers[seat - 1], client, seat);
    player.page.replica.onRefused((refusals) => {
      for (const { entity, component, reason } of refusals)
        this.told.add(reason === 'epoch' ? 'epoch' : `${seat} ${entity} ${component}`);
    });
    return player;
  }

  /** @param {number} steps */
  go(steps) {
    for (let i = 0; i < steps; i++) {
      const p = this.r.pick(this.players);
      if (this.r.chance(this.heat * 0.6)) this.play(p);
      else if (this.r.chance(0.25)) this.disturb(p);
      else
        this.r.pick([
          () => p.components.carry(), () => p.updates.carry(), () => p.listen(), () => p.listen(),
        ])();
      if (this.r.chance(0.1)) p.browser.pass(this.r.below(400));
    }
    this.calm();
  }

  // ---- players ----

  /** @param {Player} p */
  play(p) {
    const { r } = this;
    if (p.sync.you === 0) return;
    if (this.weather.hands && r.chance(0.3)) this.move(p);
    else {
      const before = SPY.length;
      r.pick([
        this.onPiece, this.onPiece, this.onSheet, this.onSheet, this.draw, this.draw, this.onTable,
      ])?.call(this, p);
      for (const op of SPY.splice(before)) this.made.push({ op, by: p, later: false });
      this.check(p);
    }
  }

  /** Writes on a piece, or deletes what is written there. @param {Player} p */
  onPiece(p) {
    const { r } = this;
    const ids = [...p.sync.pieces.keys()];
    if (ids.length === 0) return;
    const { replica } = p.page;
    const entity = entityOfPiece(r.pick(ids));
    const text = `${++this.writes}`;
    if (r.chance(0.15)) {
      replica.remove(entity, label);
      assert.equal(replica.get(entity, label), null, 'C17 at once');
    } else if (r.chance(0.1)) void replica.ask(entity, roll, rollResult, {});
    else {
      const of = r.pick([label, remark]);
      assert.equal(replica.put(entity, of, { text }), true);
      assert.equal(replica.get(entity, of)?.text, text, 'C17 a write shows at once');
    }
    if (r.chance(0.2)) replica.put(entity, tint, { colour: this.writes });
  }

  /** @param {Player} p */
  onSheet({ page: { replica } }) {
    const { r } = this;
    const text = `${++this.writes}`;
    const n = r.below(2);
    const line = FIRST_ROW + r.below(2);
    const writes = [
      () => replica.remove(line, cell, n),
      () => replica.put(line, cell, { text }, n),
      () => replica.put(line, cell, { text }, n),
      () => replica.put(line, row, { text }),
      () => replica.put(SHEET, column, { text }, n),
      () => replica.put(SHEET, sheet, { text }),
    ];
    r.pick(writes)();
  }

  /**
   * Draws, continues a line, or erases one. Hosts may clear the layer, and everybody may try.
   *
   * @param {Player} p
   */
  draw(p) {
    const { r } = this;
    const { replica } = p.page;
    const lines = replica.entities(2 ** 52, 2 ** 53);
    const point = { x: [++this.writes], y: [1] };
    if (lines.length === 0 || r.chance(0.3)) {
      const entity = entityOfStroke(1 + r.below(50), 1 + r.below(2 ** 20 - 1));
      replica.put(entity, stroke, { colour: this.writes, width: 2 });
      replica.append(entity, points, point);
    } else if (r.chance(0.6)) replica.append(r.pick(lines), points, point);
    else {
      const entity = r.chance(0.8) ? r.pick(lines) : clearing(1 + r.below(50));
      replica.removeEntity(entity);
      this.erasures.push(entity);
      assert.ok(!replica.entities(2 ** 52, 2 ** 53).includes(entity), 'C16 at once');
    }
  }

  /** @param {Player} p */
  onTable(p) {
    if (this.r.chance(0.5)) p.page.replica.put(TABLE, title, { text: `${++this.writes}` });
    else {
      const at = { x: ++this.writes, y: 0 };
      p.page.replica.append(TABLE, ping, { seat: p.seat, ...at, time: 0, word: '' });
    }
  }

  /** Grabs a piece, or puts it down: on the table, into a hand, into the deck. @param {Player} p */
  move({ sync }) {
    const pieces = [...sync.pieces.values()];
    if (pieces.length === 0) return;
    const piece = this.r.pick(pieces);
    if (piece.holder !== sync.you) sync.update(piece.id, piece.holder === 0 ? 'grab' : 'wrest');
    else sync.update(piece.id, 'release', { x: this.r.below(2 * EDGE) - EDGE, y: 1 });
  }

  // ---- what may happen ----

  /** @param {Player} p */
  disturb(p) {
    const { r, room, weather } = this;
    /** @type {(() => void)[]} */
    const choices = [() => p.page.draw()];
    if (weather.cuts) {
      choices.push(
        () => room.streams.delete(p.client),
        () => p.components.lose(r.chance(0.5)),
        () => p.updates.lose(r.chance(0.5)),
        () => p.components.arrive(),
        () => p.updates.arrive(),
        () => room.streams.has(p.client) && p.hello === undefined && room.makeWhole(p.client, 1),
        () => room.forget(r.below(60)),
      );
    }
    if (weather.rest && r.chance(0.2)) choices.push(() => this.restart());
    if (weather.reload) choices.push(() => this.reload(p));
    if (weather.hands) {
      choices.push(() => {
        p.page.catalogued = !p.page.catalogued;
      });
    }
    if (weather.epochs && r.chance(0.1)) {
      choices.push(
        () => {
          this.backup = room.backup();
        },
        () => this.restore(),
      );
    }
    r.pick(choices)();
  }

  /** The process ends and starts again. What was on its way is lost. */
  restart() {
    for (const p of this.players) {
      for (const line of [p.components, p.updates]) {
        line.lose(false);
        line.late = [];
      }
      p.hello = undefined;
    }
    this.room.restart();
  }

  restore() {
    const { clients } = this.room;
    this.room.restore(this.backup);
    for (const [client, { seat }] of clients)
      if (!this.room.clients.has(client)) this.room.seat(client, seat);
    for (const p of this.players) this.room.seat(p.client, p.seat);
    this.restart();
  }

  /** Somebody leaves a page, or opens another one beside it. @param {Player} p */
  reload(p) {
    const { r } = this;
    const beside = this.players.filter(({ seat }) => seat === p.seat).length;
    if (beside < 3 && r.chance(0.5)) this.players.push(this.open(p.seat));
    else {
      p.page.replica.save();
      p.page.closed = true;
      this.room.streams.delete(p.client);
      for (const line of [p.components, p.updates]) {
        line.lose(true);
        while (r.chance(0.7) && line.late.length > 0) line.arrive();
      }
      this.players = this.players.filter((other) => other !== p);
      if (beside === 1) this.players.push(this.open(p.seat));
    }
  }

  // ---- invariants ----

  /** Waiting operations are marked, and what is read is consistent. @param {Player} p */
  check({ page: { replica } }) {
    for (const entity of replica.entities(2 ** 52, 2 ** 53)) {
      const has =
        replica.get(entity, stroke) !== null || replica.elements(entity, points).length > 0;
      assert.ok(has || replica.get(entity, COMPONENTS.author), `${entity} has a component`);
    }
  }

  /** Lets everything arrive, and compares. */
  calm() {
    for (const p of this.players) {
      p.page.catalogued = true;
      for (const line of [p.components, p.updates]) while (line.late.length > 0) line.arrive();
      p.browser.pass(20_000);
    }
    // What waits for a lost answer is posted again on the next stream (C17).
    for (let round = 0; round < 3; round++) {
      for (const p of this.players) this.room.streams.delete(p.client);
      for (let quiet = 0, i = 0; quiet < 4; i++) {
        assert.ok(i < 10_000, 'C4 all pages come to rest');
        quiet++;
        for (const p of this.players)
          if ([p.components.carry(), p.updates.carry(), p.listen()].some(Boolean)) quiet = 0;
      }
    }
    for (const p of this.players) this.atRest(p);
    this.accounts();
  }

  /** @param {Player} p */
  atRest(p) {
    const { replica } = p.page;
    const room = crdt.replica({ limitOf });
    for (const op of this.room.visible(p.seat)) crdt.merge(room, op);
    const shown = looks({
      all: replica.entities(0, 2 ** 53 - 1),
      get: (entity, component, n) => replica.get(entity, component, n),
      elements: (entity, component) => replica.elements(entity, component),
    });
    const want = looks({
      all: entities(room, 0, 2 ** 53 - 1),
      get: (entity, component, n) => {
        const data = get(room, entity, component.number + n);
        return data ? component.decode(data) : null;
      },
      elements: (entity, component) =>
        elements(room, entity, component.number).map(({ data }) => component.decode(data)),
    });
    assert.deepEqual(shown, want, `C4 C15 ${p.client} shows the state of the room`);
    for (const entity of replica.entities(0, 2 ** 53 - 1))
      assert.equal(replica.pending(entity), false, `C17 nothing is pending: ${entity}`);
    p.browser.pass(1000);
    assert.deepEqual([...p.browser.kept.keys()], [], 'C17 nothing is kept');
  }

  /** Each operation is in the room, was overtaken, or was refused with a notice. */
  accounts() {
    const { judged, ever } = this.room;
    const accepted = new Set(
      judged.filter(({ refusal }) => refusal === 0).map(({ op }) => nameOf(op)),
    );
    const refused = new Set(
      judged.filter(({ refusal }) => refusal !== 0).map(({ op }) => nameOf(op)),
    );
    for (const { op, by } of this.made) {
      if (
        op.component === ping.number ||
        op.component === roll.number ||
        op.component === rollResult.number
      )
        continue; // nobody keeps it
      if (accepted.has(nameOf(op)) || crdt.covers(ever, op)) continue;
      const isTold =
        this.told.has(`${by.seat} ${op.entity} ${op.component}`) || this.told.has('epoch');
      if (isTold || this.isGivenUp(op)) continue;
      const later = this.made.some(
        (other) =>
          other.by === by &&
          other.op !== op &&
          keyOf(other.op) === keyOf(op) &&
          this.made.indexOf(other) > this.made.findIndex((m) => m.op === op),
      );
      assert.ok(
        later && classOf(op.entity) !== 'stroke' && !refused.has(nameOf(op)),
        `C17 ${by.client} has lost ${nameOf(op)}`,
      );
    }
  }

  /** Whether it was of a stroke that somebody has erased, or that was refused. @param {Op} op */
  isGivenUp({ entity }) {
    if (classOf(entity) !== 'stroke' && !isClearing(entity)) return false;
    const isTold = this.seats.some((seat) => this.told.has(`${seat} ${entity} ${stroke.number}`));
    return (
      isTold ||
      this.erasures.some((other) => other === entity || (isClearing(other) && entity < other))
    );
  }

}

/** Every operation that a page makes, before anybody can change it. @type {Op[]} */
const SPY = [];
const { add, change } = OwnOps.prototype;
OwnOps.prototype.add = function (op, how) {
  if (how?.mark === undefined) SPY.push(op);
  return add.call(this, op, how);
};
OwnOps.prototype.change = function (own, op, until) {
  SPY.push(op);
  change.call(this, own, op, until);
};

/** @param {Op} op */
const keyOf = ({ kind, entity, component }) =>
  `${entity} ${kind === 'deleteEntity' ? '' : component}`;

/** @param {Op} op */
const nameOf = (op) => `${op.kind} ${op.entity} ${op.component} ${op.timestamp} ${op.data.join()}`;

/**
 * All that is shown, in words that can be compared.
 *
 * @param {{ all: number[], get: (entity: number, component: any, n: number) => any,
 *   elements: (entity: number, component: any) => any[] }} from
 */
function looks({ all, get: value, elements: list }) {
  return all.flatMap((entity) => {
    const of = Object.values(COMPONENTS).filter((c) => c.of === classOf(entity));
    return of.flatMap((component) => {
      const runs = component.last > component.number ? 2 : 1;
      const said =
        component.set > 0
          ? [list(entity, component)]
          : Array.from({ length: runs }, (_, n) => value(entity, component, n));
      const something = said.filter((v) => v !== null && !(Array.isArray(v) && v.length === 0));
      const name = classOf(entity) === 'piece' ? `piece ${pieceOf(entity)}` : entity;
      return something.map((v) => `${name} ${component.number} ${JSON.stringify(v)}`);
    });
  });
}

/** @param {string} name @param {number} seeds @param {Weather} weather */
function runs(name, seeds, weather) {
  test(`C4 C17 ${name}: ${seeds} random histories`, () => {
    let refusals = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      try {
        const run = new Run(seed, weather);
        run.go(250);
        refusals += run.told.size;
      } catch (error) {
        throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, {
          cause: error,
        });
      }
    }
    assert.ok(refusals > seeds / 4, `${refusals} refusals were reported`);
  });
}

runs('a good network', 100, {});
runs('with cuts and late posts', 200, { cuts: true });
runs('with cuts, restarts and closed pages', 200, { cuts: true, rest: true, reload: true });
runs('with hands and renamed pieces (C15)', 200, { hands: true });
runs('with hands, cuts and closed pages (C15)', 300, {
  hands: true, cuts: true, reload: true, rest: true,
});
runs('with everything (T19)', 300, {
  hands: true, cuts: true, reload: true, rest: true, epochs: true,
});
