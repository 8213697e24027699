// Walks through every interleaving of a small table: two pages with their own sync.js, the real
// table of the server, and all that the network does to requests and streams between them.
//
// A state of the whole is a tuple of numbers: the state of the table, and for each client the state
// of its page and what is on its way. The states of the table and of the pages are those of the
// real code. It runs once for each state and each thing that happens there; the walk combines them.
//
// Two reductions leave out interleavings that lead to the same states as others:
// - An answer to a request arrives at once, or it is lost. A later arrival would let the page only
//   take its next batch later, which it may do anyway.
// - A page notices at once that a request was lost on its way. Noticing it later would only let it
//   send the batch again later.
//
// A plan says whether a page sends one request at a time, as over HTTP, or two, as by datagrams
// (D39): then requests about different pieces are judged in any order. Those are lost only with
// their stream; a page that gives one up and goes on by HTTP (D40.7) is not explored.

import assert from 'node:assert/strict';
import { decodeFrame } from '../js/net/wire.js';
import { looks, PageStates } from './pagestates.js';
import { TableStates } from './tablestates.js';
import { Tuples } from './tuples.js';

/** @typedef {import('./pagestates.js').Move} Move */
/** @typedef {import('./pagestates.js').Step} Step */
/** @typedef {import('./tablestates.js').Answer} Answer */
/** @typedef {import('./tablestates.js').Shown} Shown */

/**
 * What is explored.
 *
 * @typedef {object} Plan
 * @property {Move[][]} moves what the player of each client may do
 * @property {number | number[]} updates how many updates each of them makes
 * @property {number[]} [seats] default: [1, 2]
 * @property {number} [cuts] how many streams break, or get the full state again
 * @property {number} [losses] how many requests or answers are lost, or come late
 * @property {number} [restarts] how often the server restarts
 * @property {boolean} [byDatagrams] frames about one piece may overtake those about others (D33)
 * @property {1 | 2} [underWay] how many requests of a page may be under way; with 2 there are no
 *   losses
 * @property {number} [most] the bound on states: more are an error
 */

/**
 * An entry or a reject, as the clients get it.
 *
 * @typedef {object} Past
 * @property {number} piece
 * @property {number} client whose update it is; -1: nobody's
 * @property {number} seq
 * @property {boolean} isServer a server update to everybody
 * @property {boolean} isReject
 * @property {number[]} versions for each client; 0: it does not get it
 */

// The place of each number in a tuple.
const TABLE = 0;
const CUTS = 1;
const LOSSES = 2;
const RESTARTS = 3;
const FIRST = 4;
// Of each client:
const PAGE = 0;
const UP = 1; // the batch that is on its way; 0: none
const NEXT = 2; // a batch that was sent after it, and is on its way, too; 0: none
const LATE = 3; // a batch that the page has given up and that is still on its way; 0: none
const NET = 4; // BROKEN, OPEN, or OPEN + the number of a hello
const DOWN = 5; // the frames that are on their way
const FLAGS = 6;
const EACH = 7;

const BROKEN = 0;
const OPEN = 1;

const UNANSWERED = 1; // the answer to the request is lost, and the page still waits
const RESYNC = 2; // the page has asked for the full state
const PROVED = 4; // a request of this stream was answered: two may be under way (D40.5)
const WAITS = 8; // the batch in NEXT waits for the one before it (D39.4)

/** Gives numbers to values that a text identifies. @template T */
class Interned {
  constructor() {
    /** @type {T[]} */
    this.values = [];
    /** @type {Map<string, number>} */
    this.numbers = new Map();
  }

  /**
   * @param {string} text
   * @param {() => T} value
   */
  number(text, value) {
    let n = this.numbers.get(text);
    if (n === undefined) {
      n = this.values.length;
      this.numbers.set(text, n);
      this.values.push(value());
    }
    return n;
  }
}

/** The server's answer is not known yet. */
const UNKNOWN = Symbol('unknown');

/** The greatest number of states that can follow one. */
const FOLLOWING = 64;

/** The hello of a page that asks for the full state (S9): it wants the acks from 1 on. */
const ALL = 1;

export class Explorer {
  /**
   * @param {string} program the path of tablestates
   * @param {Plan} plan
   */
  constructor(program, plan) {
    const { seats = [1, 2], underWay = 1, losses = 0 } = plan;
    assert.ok(underWay === 1 || losses === 0);
    this.plan = plan;
    this.server = new TableStates(program, { pieces: 'tokens', seats });
    this.pages = seats.map((_, i) => new PageStates(i, plan.moves[i]));
    this.width = FIRST + EACH * seats.length;
    this.states = new Tuples(this.width);
    this.transitions = 0;
    /** @type {Interned<Uint8Array>} */
    this.frames = new Interned();
    /** Frames one behind the other. @type {Interned<number[]>} */
    this.queues = new Interned();
    this.queues.number('', () => []);
    /** @type {Interned<import('../js/types.js').Batch>} */
    this.batches = new Interned();
    this.batches.number('', () => ({ client: '', epoch: 0, updates: [] }));
    /** @type {Interned<{ seq: number, mark: number }>} */
    this.hellos = new Interned();
    this.hellos.number('', () => ({ seq: 0, mark: 0 }));
    this.hellos.number('all', () => ({ seq: 1, mark: 0 }));
    /** What each state of the table has led to. @type {Map<number, Answer>[]} */
    this.answers = [];
    /** @type {Past[][]} */
    this.past = [[]];
    /** @type {Shown[][][]} */
    this.views = [];
    /** @type {import('./tablestates.js').Request[]} */
    this.questions = [];
    /** @type {{ from: number, key: number, client: number }[]} */
    this.asking = [];
    /** The keys of what is asked, for each state of the table. @type {Map<number, Set<number>>} */
    this.isAsked = new Map();
    /** Queues with one frame more. @type {Map<number, number>} */
    this.longer = new Map();
    /** The pieces that each frame is about. @type {number[][]} */
    this.pieces = [];
    /** Queues without their first frame. @type {number[]} */
    this.shorter = [];
    /** Pairs of a page and a table that agree. @type {Set<number>[]} */
    this.agreed = seats.map(() => new Set());
    /** From which state each was reached first. @type {number[]} */
    this.from = [];
    /** What happened there. @type {number[]} */
    this.how = [];
    /** In how many ways each state is reached by itself. @type {number[]} */
    this.arrivals = [];
    this.atRest = 0;
    /** What may happen, in words. @type {Interned<string>} */
    this.words = new Interned();
    this.now = new Int32Array(this.width);
    /** The states that follow the one that is looked at. */
    this.following = Array.from({ length: FOLLOWING }, () => new Int32Array(this.width));
    this.by = new Int32Array(FOLLOWING);
    this.isProgress = new Uint8Array(FOLLOWING);
    this.found = 0;
    this.client = 0;
  }

  /** Walks through all states. */
  async run() {
    try {
      await this.walk();
    } finally {
      this.server.end();
    }
    this.comesToRest();
  }

  /** Reaches all states. */
  async walk() {
    const { cuts = 0, losses = 0, restarts = 0, most = 1_000_000 } = this.plan;
    const [{ views }] = await this.server.ask([{ from: 0, do: 'view' }]);
    this.views[0] = views ?? [];
    const first = new Int32Array(this.width);
    first.set([0, cuts, losses, restarts]);
    this.pages.forEach((page, i) => {
      first[FIRST + EACH * i + PAGE] = page.first;
    });
    this.states.add(first);
    this.from.push(-1);
    this.how.push(0);
    this.arrivals.push(0);
    let frontier = [0];
    while (frontier.length > 0) {
      /** @type {number[]} */
      const next = [];
      let todo = frontier;
      while (todo.length > 0) {
        const later = todo.filter((n) => !this.expand(n, next));
        if (later.length > 0) await this.learn();
        todo = later;
      }
      assert.ok(this.states.size <= most, `more than ${most} states`);
      frontier = next;
    }
  }

  /** Asks the server what is not known yet. */
  async learn() {
    const asking = this.asking;
    const answers = await this.server.ask(this.questions);
    this.questions = [];
    this.asking = [];
    this.isAsked.clear();
    answers.forEach((answer, i) => {
      const { from, key } = asking[i];
      this.answers[from].set(key, answer);
      this.views[answer.to] ??= answer.views ?? [];
      this.past[answer.to] ??= [
        ...this.past[from], ...pastOf(answer, this.pages.length, asking[i]),
      ];
    });
  }

  /**
   * What the server makes of something.
   *
   * @param {number} from
   * @param {import('./tablestates.js').Request['do']} what
   * @param {number} client
   * @param {number} arg the number of the batch or the hello
   * @returns {Answer | typeof UNKNOWN}
   */
  judge(from, what, client, arg) {
    const kind = { post: 0, hello: 1, resume: 2, resync: 3, restart: 4, view: 5 };
    const resume = what === 'hello' && arg < 0;
    const key = ((resume ? kind.resume : kind[what]) * 4 + client) * 2 ** 24 + Math.abs(arg);
    this.answers[from] ??= new Map();
    const known = this.answers[from].get(key);
    if (known) return known;
    const keys = this.isAsked.get(from) ?? new Set();
    if (keys.has(key)) return UNKNOWN;
    this.isAsked.set(from, keys.add(key));
    const hello = this.hellos.values[what === 'hello' || what === 'resync' ? Math.abs(arg) : 0];
    this.asking.push({ from, key, client });
    this.questions.push({
      from, do: what, client, ...(what === 'post' ? { batch: this.batches.values[arg] } : {}),
      seq: hello.seq, mark: hello.mark, resume,
    });
    return UNKNOWN;
  }

  /**
   * Goes from a state to all that may follow.
   *
   * @param {number} n
   * @param {number[]} next collects new states
   * @returns {boolean} false if an answer of the server is missing
   */
  expand(n, next) {
    if (!this.successors(n)) return false;
    const { found, following, by, isProgress } = this;
    if (!isProgress.subarray(0, found).includes(1)) this.checkAtRest(n);
    for (let k = 0; k < found; k++) {
      this.transitions++;
      let m = this.states.add(following[k]);
      if (m >= 0) {
        next.push(m);
        this.from.push(n);
        this.how.push(by[k]);
        this.arrivals.push(0);
        this.checkWhole(m, following[k]);
      } else m = -1 - m;
      if (isProgress[k]) this.arrivals[m]++;
    }
    return true;
  }

  /**
   * Finds the states that follow one.
   *
   * @param {number} n
   * @returns {boolean} false if an answer of the server is missing
   */
  successors(n) {
    const { now } = this;
    this.states.read(n, now);
    this.found = 0;
    return this.guard(n, () => {
      let known = true;
      for (let i = 0; i < this.pages.length; i++) known = this.ofClient(now, i) && known;
      if (now[RESTARTS] > 0) known = this.restart(now) && known;
      return known;
    });
  }

  /**
   * Adds a state that follows.
   *
   * @param {string} by what happens
   * @param {boolean} progress whether it needs no player and no accident
   * @returns {Int32Array} the state, to be changed
   */
  go(by, progress) {
    const k = this.found++;
    assert.ok(k < FOLLOWING);
    this.by[k] = this.words.number(by, () => by) * this.pages.length + this.client;
    this.isProgress[k] = Number(progress);
    const to = this.following[k];
    to.set(this.now);
    return to;
  }

  /**
   * What a client may do, and what may happen to what is on its way.
   *
   * @param {Int32Array} now
   * @param {number} i
   * @returns {boolean} false if an answer of the server is missing
   */
  ofClient(now, i) {
    this.client = i;
    const page = this.pages[i];
    const at = FIRST + EACH * i;
    const state = now[at + PAGE];
    const up = now[at + UP];
    const flags = now[at + FLAGS];
    let known = true;
    const { updates } = this.plan;
    if (page.states[state].made < (Array.isArray(updates) ? updates[i] : updates)) {
      for (let k = 0; k < page.moves.length; k++) {
        const step = page.make(state, k);
        if (step) {
          const to = this.go(`makes ${page.moves[k].op} ${page.moves[k].piece}`, false);
          to[at + PAGE] = step.to;
        }
      }
    }
    const isSecond = up !== 0 && this.plan.underWay === 2 && (flags & PROVED) !== 0;
    if (isSecond ? now[at + NEXT] === 0 : up === 0 && (flags & UNANSWERED) === 0) {
      const step = page.take(state, isSecond ? 2 : 1);
      const batch = step?.batch;
      if (step && batch) {
        const to = this.go('sends', true);
        to[at + PAGE] = step.to;
        step.sent ??= this.batches.number(JSON.stringify(batch), () => batch);
        to[at + (isSecond ? NEXT : UP)] = step.sent;
        if (step.waits) to[at + FLAGS] |= WAITS;
      }
    }
    if (now[at + NEXT] !== 0 && (flags & WAITS) === 0) known = this.overtakeUp(now, i) && known;
    if (up !== 0) {
      const answer = this.judge(now[TABLE], 'post', i, up);
      if (answer === UNKNOWN) known = false;
      else {
        assert.equal(answer.code, '', 'T15 an honest client is never refused');
        this.checkJudged(state, i, answer);
        const to = this.go('is answered', true);
        this.publish(to, answer);
        to[at + UP] = now[at + NEXT];
        to[at + NEXT] = 0;
        if (this.plan.underWay === 2) to[at + FLAGS] = (flags | PROVED) & ~WAITS;
        to[at + PAGE] = step(page.delivered(state, 0));
        if (now[LOSSES] > 0) {
          const to = this.go('loses an answer', false);
          this.publish(to, answer);
          to[LOSSES]--;
          to[at + UP] = 0;
          to[at + FLAGS] |= UNANSWERED;
        }
      }
      if (now[LOSSES] > 0) {
        const to = this.go('loses a request', false);
        to[LOSSES]--;
        to[at + UP] = 0;
        to[at + PAGE] = step(page.failed(state));
        if (now[at + LATE] === 0) {
          const to = this.go('gives up a request that comes late', false);
          to[LOSSES]--;
          to[at + LATE] = up;
          to[at + UP] = 0;
          to[at + PAGE] = step(page.failed(state));
        }
      }
    }
    if ((flags & UNANSWERED) !== 0) {
      const to = this.go('waits no longer', true);
      to[at + FLAGS] &= ~UNANSWERED;
      to[at + PAGE] = step(page.failed(state));
    }
    const late = now[at + LATE];
    if (late !== 0) {
      const answer = this.judge(now[TABLE], 'post', i, late);
      if (answer === UNKNOWN) known = false;
      else {
        assert.equal(answer.code, '', 'T10.4 a batch that comes late is accepted');
        this.checkJudged(state, i, answer);
        const to = this.go('is heard late', true);
        this.publish(to, answer);
        to[at + LATE] = 0;
      }
    }
    return this.ofStream(now, i) && known;
  }

  /**
   * The second of two batches is judged first: they are about different pieces (D39.4).
   *
   * @param {Int32Array} now
   * @param {number} i
   * @returns {boolean} false if an answer of the server is missing
   */
  overtakeUp(now, i) {
    const page = this.pages[i];
    const at = FIRST + EACH * i;
    const answer = this.judge(now[TABLE], 'post', i, now[at + NEXT]);
    if (answer === UNKNOWN) return false;
    assert.equal(answer.code, '', 'T10.4 a request that overtakes another one is accepted');
    this.checkJudged(now[at + PAGE], i, answer);
    const to = this.go('is answered for its second request', true);
    this.publish(to, answer);
    to[at + NEXT] = 0;
    to[at + PAGE] = step(page.delivered(now[at + PAGE], 1));
    return true;
  }

  /**
   * What may happen to the stream of a client.
   *
   * @param {Int32Array} now
   * @param {number} i
   * @returns {boolean} false if an answer of the server is missing
   */
  ofStream(now, i) {
    const page = this.pages[i];
    const at = FIRST + EACH * i;
    const state = now[at + PAGE];
    const net = now[at + NET];
    const { view, sent } = page.data(state);
    const lowest = sent.keys().next().value ?? 0;
    let known = true;
    if (net === BROKEN) {
      const hello = { seq: lowest, mark: view.mark };
      const text = `${lowest} ${view.mark}`;
      const to = this.go('opens a stream', true);
      to[at + PAGE] = step(page.reopen(state));
      to[at + NET] = OPEN + this.hellos.number(text, () => hello);
      return true;
    }
    if (net > OPEN) {
      const { mark } = this.hellos.values[net - OPEN];
      for (const arg of mark > 0 ? [net - OPEN, OPEN - net] : [net - OPEN]) {
        const answer = this.judge(now[TABLE], 'hello', i, arg);
        if (answer === UNKNOWN) known = false;
        else {
          const to = this.go(arg < 0 ? 'resumes' : 'begins with the full state', true);
          to[TABLE] = answer.to;
          to[at + NET] = OPEN;
          to[at + DOWN] = this.queue([this.frame(/** @type {string} */ (answer.frames?.[i]))]);
        }
      }
      return known;
    }
    const down = now[at + DOWN];
    if (down !== 0) {
      const [head, ...rest] = this.queues.values[down];
      const received = page.receive(state, head, this.frames.values[head], false);
      if (received) {
        this.checkReceived(now[TABLE], i, received);
        const to = this.go('gets a frame', true);
        to[at + PAGE] = received.to;
        to[at + DOWN] = this.shorter[down] ??= this.queue(rest);
      }
      if (this.plan.byDatagrams) this.overtake(now, i);
    }
    if ((now[at + FLAGS] & RESYNC) !== 0) {
      known = this.makeWhole(now, i, 'gets the full state', false) && known;
    } else if (page.states[state].asks) {
      const to = this.go('asks for the full state', true);
      to[at + PAGE] = step(page.asked(state));
      to[at + FLAGS] |= RESYNC;
    }
    if (now[CUTS] > 0) {
      const to = this.go('loses its stream', false);
      to[CUTS]--;
      to[at + NET] = BROKEN;
      to[at + DOWN] = 0;
      to[at + FLAGS] &= ~RESYNC;
      if (this.plan.underWay === 2) {
        // Requests by datagrams end with their stream (D40.7).
        if (now[at + UP] !== 0) to[at + PAGE] = step(page.failed(state));
        to.fill(0, at + UP, at + LATE);
        to[at + FLAGS] = 0;
      }
      known = this.makeWhole(now, i, 'is too slow', true) && known;
    }
    return known;
  }

  /**
   * Frames overtake others that are about other pieces.
   *
   * @param {Int32Array} now
   * @param {number} i
   */
  overtake(now, i) {
    const at = FIRST + EACH * i;
    const frames = this.queues.values[now[at + DOWN]];
    const before = new Set(this.piecesOf(frames[0]));
    for (let k = 1; k < frames.length && before.size > 0; k++) {
      const pieces = this.piecesOf(frames[k]);
      if (pieces.length === 0) return; // everything behind it waits for it
      const isFree = pieces.every((piece) => !before.has(piece));
      for (const piece of pieces) before.add(piece);
      if (!isFree) continue;
      const bytes = this.frames.values[frames[k]];
      const received = this.pages[i].receive(now[at + PAGE], frames[k], bytes, true);
      assert.ok(received);
      this.checkReceived(now[TABLE], i, received);
      const to = this.go('gets a frame ahead of others', true);
      to[at + PAGE] = received.to;
      to[at + DOWN] = this.queue(frames.toSpliced(k, 1));
    }
  }

  /**
   * The pieces that a frame is about; none if it must not overtake another one.
   *
   * @param {number} frame
   */
  piecesOf(frame) {
    let pieces = this.pieces[frame];
    if (!pieces) {
      const { events } = decodeFrame(this.frames.values[frame]);
      pieces = events.map((e) => {
        const isOfPiece = e.type === 'update' || e.type === 'ack' || e.type === 'reject';
        return isOfPiece ? e.piece.id : 0;
      });
      if (pieces.includes(0)) pieces = [];
      this.pieces[frame] = pieces;
    }
    return pieces;
  }

  /**
   * A stream gets the full state in place of what is on its way (S7, S9).
   *
   * @param {Int32Array} now
   * @param {number} i
   * @param {string} by
   * @param {boolean} counts whether it is an accident
   */
  makeWhole(now, i, by, counts) {
    const answer = this.judge(now[TABLE], 'resync', i, ALL);
    if (answer === UNKNOWN) return false;
    const at = FIRST + EACH * i;
    const to = this.go(by, !counts);
    if (counts) to[CUTS]--;
    else to[at + FLAGS] &= ~RESYNC;
    to[TABLE] = answer.to;
    to[at + DOWN] = this.queue([this.frame(/** @type {string} */ (answer.frames?.[i]))]);
    return true;
  }

  /**
   * The server restarts: streams, and requests on their way, end.
   *
   * @param {Int32Array} now
   */
  restart(now) {
    const answer = this.judge(now[TABLE], 'restart', 0, 0);
    if (answer === UNKNOWN) return false;
    this.client = 0;
    const to = this.go('restarts with the server', false);
    to[RESTARTS]--;
    to[TABLE] = answer.to;
    this.pages.forEach((page, i) => {
      const at = FIRST + EACH * i;
      if (to[at + UP] !== 0) to[at + PAGE] = step(page.failed(to[at + PAGE]));
      to.fill(0, at + UP, at + EACH);
      to[at + FLAGS] = now[at + FLAGS] & UNANSWERED;
    });
    return true;
  }

  /**
   * The frames of an answer go to those who have a stream.
   *
   * @param {Int32Array} to
   * @param {Answer} answer
   */
  publish(to, answer) {
    to[TABLE] = answer.to;
    (answer.frames ?? []).forEach((bytes, i) => {
      const at = FIRST + EACH * i;
      if (bytes === null || to[at + NET] !== OPEN) return;
      const frame = this.frame(bytes);
      const key = to[at + DOWN] * 2 ** 24 + frame;
      let longer = this.longer.get(key);
      if (longer === undefined) {
        longer = this.queue([...this.queues.values[to[at + DOWN]], frame]);
        this.longer.set(key, longer);
      }
      to[at + DOWN] = longer;
    });
  }

  /** @param {string} bytes in base64 */
  frame(bytes) {
    return this.frames.number(bytes, () => Uint8Array.from(Buffer.from(bytes, 'base64')));
  }

  /** @param {number[]} frames */
  queue(frames) {
    return this.queues.number(frames.join(), () => frames);
  }

  // ---- what must hold ----

  /**
   * A recorded update is on top of what its client displayed (T8 linear, record); a discarded one
   * was stale (T8 discard).
   *
   * @param {number} state of the page
   * @param {number} i
   * @param {Answer} answer
   */
  checkJudged(state, i, answer) {
    const { entries, judged, to } = answer;
    answer.checked ??= new Set();
    if (answer.checked.has(state)) return;
    answer.checked.add(state);
    const { own: all } = this.pages[i].states[state];
    for (const { client, seq, server, op, made, before } of entries ?? []) {
      const own = all.find((u) => u.seq === seq && client === i);
      if (client !== i || server || made) continue;
      assert.ok(own, `update ${seq} was never made`);
      if (own.isTagged)
        assert.equal(looks(before), own.base, `T8.1 ${op} ${seq} is not on top of its parent`);
    }
    const past = this.past[to];
    for (const { verdict, piece, tag, seq } of judged ?? []) {
      if (verdict !== 'discarded') continue;
      const reason = past.find(
        (p) => p.piece === piece && p.versions[i] > tag && (p.client !== i || p.isServer),
      );
      assert.ok(reason, `T8.5 update ${seq} is discarded without a server update or a reject`);
    }
    const mine = past.filter((p) => p.client === i && p.seq > 0 && !p.isReject);
    const seqs = mine.map((p) => p.seq);
    assert.equal(new Set(seqs).size, seqs.length, 'T10.18 an update is applied twice');
  }

  /**
   * What a frame ended was ended by the server (T10, T11, T12).
   *
   * @param {number} table
   * @param {number} i
   * @param {Step} received
   */
  checkReceived(table, i, { acked, lost }) {
    if (acked.length === 0 && lost.length === 0) return;
    const past = this.past[table];
    for (const seq of acked) {
      const isRecorded = past.some((p) => p.client === i && p.seq === seq && !p.isReject);
      assert.ok(isRecorded, `T10.7 update ${seq} is acknowledged and not recorded`);
    }
    for (const { piece, op } of lost) {
      const other = past.some((p) => p.piece === piece && (p.client !== i || p.isServer));
      assert.ok(other, `T12.1 ${op} of piece ${piece} is a conflict with nobody`);
    }
  }

  /**
   * When nothing is on its way to a client, it has what the server has (T8).
   *
   * @param {number} n the number of the state
   * @param {Int32Array} now
   */
  checkWhole(n, now) {
    this.pages.forEach((page, i) => {
      const at = FIRST + EACH * i;
      const state = now[at + PAGE];
      const open = now[at + NET] === OPEN && now[at + DOWN] === 0;
      if (!open || page.states[state].asks || (now[at + FLAGS] & RESYNC) !== 0) return;
      const pair = state * 2 ** 24 + now[TABLE];
      if (this.agreed[i].has(pair)) return;
      this.agreed[i].add(pair);
      this.guard(n, () => this.checkAgrees(i, state, now[TABLE]));
    });
  }

  /**
   * @param {number} i
   * @param {number} state of the page
   * @param {number} table
   */
  checkAgrees(i, state, table) {
    const { entries } = this.pages[i].data(state);
    const views = this.views[table][i];
    for (const want of views) {
      const got = entries.get(want.id)?.confirmed;
      assert.ok(got, `T8.7 client ${i} lacks piece ${want.id}`);
      for (const [field, value] of Object.entries(want)) {
        const same = (got[field] ?? (field === 'text' ? '' : 0)) === value;
        assert.ok(
          same,
          `T8.7 client ${i} has ${field} ${got[field]} of piece ${want.id}, the server ${value}`,
        );
      }
    }
    assert.equal(entries.size, views.length, `T8.7 client ${i} has a piece that is gone`);
  }

  /**
   * Nothing is on its way, and nobody has anything to send (T8 liveness).
   *
   * @param {number} n
   */
  checkAtRest(n) {
    this.atRest++;
    const now = new Int32Array(this.width);
    this.states.read(n, now);
    this.guard(n, () => {
      this.pages.forEach((page, i) => {
        const state = now[FIRST + EACH * i + PAGE];
        const { sent, queue, entries } = page.data(state);
        assert.equal(sent.size + queue.size, 0, `T8.7 an update of client ${i} waits for ever`);
        for (const { pending } of entries.values()) assert.equal(pending.length, 0);
        const past = this.past[now[TABLE]].filter((p) => p.client === i && !p.isReject);
        for (const { seq, fate, op } of page.states[state].own) {
          const isRecorded = seq > 0 && past.some((p) => p.seq === seq);
          assert.equal(
            isRecorded, fate === 'acked',
            `T11.2 client ${i} takes ${op} ${seq} for ${fate}, recorded is ${isRecorded}`,
          );
        }
      });
    });
  }

  /**
   * By itself everything comes to rest: the steps that need no player and no accident have no
   * cycle. So states are taken away that no other state leads to, until none is left.
   */
  comesToRest() {
    const left = Uint32Array.from(this.arrivals);
    /** @type {number[]} */
    const free = [];
    left.forEach((count, n) => {
      if (count === 0) free.push(n);
    });
    let taken = 0;
    for (let n = free.pop(); n !== undefined; n = free.pop()) {
      taken++;
      this.successors(n);
      for (let k = 0; k < this.found; k++) {
        if (!this.isProgress[k]) continue;
        const m = -1 - this.states.add(this.following[k]);
        if (--left[m] === 0) free.push(m);
      }
    }
    assert.equal(taken, this.states.size, 'T8.7 messages go round for ever');
  }

  /**
   * Says how a state was reached, if a check fails there.
   *
   * @template T
   * @param {number} n
   * @param {() => T} check
   */
  guard(n, check) {
    try {
      return check();
    } catch (error) {
      const way = [];
      for (let m = n; m > 0; m = this.from[m]) {
        const by = this.how[m];
        const who = by % this.pages.length;
        way.unshift(`client ${who} ${this.words.values[(by - who) / this.pages.length]}`);
      }
      const why = error instanceof Error ? error.message : error;
      throw new Error(`${why}\nbehind\n  ${way.join('\n  ')}`, { cause: error });
    }
  }
}

/** @param {Step | null} made */
function step(made) {
  assert.ok(made);
  return made.to;
}

/**
 * What an answer adds to what has happened.
 *
 * @param {Answer} answer
 * @param {number} clients
 * @param {{ client: number }} asked
 * @returns {Past[]}
 */
function pastOf({ entries, judged }, clients, { client }) {
  const rejects = (judged ?? []).filter(
    ({ verdict, floor }) => verdict === 'rejected' && floor > 0,
  );
  return [
    ...(entries ?? []).map((e) => ({
      piece: e.piece, client: e.client, seq: e.seq, isServer: e.server, versions: e.versions,
      isReject: false,
    })),
    ...rejects.map(({ piece, floor, seq }) => ({
      piece, client, seq, isServer: true, isReject: true,
      versions: Array.from({ length: clients }, (_, i) => (i === client ? floor : 0)),
    })),
  ];
}
